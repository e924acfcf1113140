package icalendar_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
)

// TestHostileFilesEnd: what one rule may cost, a file cannot have a thousand times. The time is unknown then.
func TestHostileFilesEnd(t *testing.T) {
	t.Parallel()
	repeat := func(n int, one string) []byte {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(one, "#", fmt.Sprint(i)) + "|")
		}
		return file(strings.TrimSuffix(b.String(), "|"))
	}
	zone := "BEGIN:VTIMEZONE|TZID:Zone #|BEGIN:STANDARD|DTSTART:19700101T000000|TZOFFSETFROM:+0100|TZOFFSETTO:+0000|" +
		"RRULE:FREQ=MINUTELY|END:STANDARD|END:VTIMEZONE|" +
		"BEGIN:VEVENT|UID:#|DTSTART;TZID=Zone #:20260303T090000|DURATION:PT1H|END:VEVENT"
	for _, test := range []struct {
		name string
		data []byte
		// unknown says that the middle of the span is.
		unknown bool
	}{
		{"rules for every second", repeat(2000, "BEGIN:VEVENT|UID:#|DTSTART:20200101T000000Z|DURATION:PT1S|"+
			"RRULE:FREQ=SECONDLY|END:VEVENT"), true},
		{"counted rules", repeat(2000, "BEGIN:VEVENT|UID:#|DTSTART:19700101T000000Z|DURATION:PT1S|"+
			"RRULE:FREQ=DAILY;BYMONTHDAY=31,30;COUNT=1000000|END:VEVENT"), true},
		{"days that never come", repeat(2000, "BEGIN:VEVENT|UID:#|DTSTART:19700101T000000Z|DURATION:PT1S|"+
			"RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30|END:VEVENT"), true},
		{"zones that change every minute", repeat(2000, zone), true},
		{"names of zones", repeat(20_000, "BEGIN:VEVENT|UID:#|DTSTART;TZID=A/B/C/#:20260303T090000|DURATION:PT1H|END:VEVENT"),
			true},
		{"a name of a zone", file(event("DTSTART;TZID=" + strings.Repeat("a/", 1<<20) + ":20260303T090000|DURATION:PT1H")),
			true},
		{"versions of one event", repeat(20_000, "BEGIN:VEVENT|UID:e|DTSTART:20260303T090000Z|DURATION:PT1H|"+
			"RRULE:FREQ=YEARLY|END:VEVENT|"+
			"BEGIN:VEVENT|UID:e|RECURRENCE-ID:20260303T090000Z|DTSTART:20260303T100000Z|DURATION:PT1H|END:VEVENT"), true},
		{"versions of one event, each newer", repeat(20_000,
			"BEGIN:VEVENT|UID:e|SEQUENCE:#|DTSTART:20260310T090000Z|DURATION:PT1H|END:VEVENT"), false},
		{"changes of all later instances", repeat(5_000,
			"BEGIN:VEVENT|UID:e|RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T090000Z|"+
				"SEQUENCE:1|DTSTART:20260303T100000Z|DURATION:PT1H|END:VEVENT|"+
				"BEGIN:VEVENT|UID:e|DTSTART:20260303T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY|END:VEVENT"), true},
		{"days of the week", file(event("DTSTART:20200101T000000Z|DURATION:PT1S|RRULE:FREQ=WEEKLY;BYDAY=" +
			strings.Repeat("MO,TU,", 1<<18) + "WE")), false},
		{"exceptions", file(event("DTSTART:20200101T000000Z|DURATION:PT1S|RRULE:FREQ=WEEKLY|EXDATE:" +
			strings.Repeat("20260303T000000Z,", 1<<18) + "20260310T000000Z")), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			s, err := icalendar.Parse(test.data)
			if err != nil {
				t.Fatal(err)
			}
			span := interval.From(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), 30*24*time.Hour)
			a, err := busyOf(t.Context(), s, span, icalendar.Owner{Zone: time.UTC})
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("took %v", took)
			} else {
				t.Log(took)
			}
			if got := a.Unknown.Overlaps(interval.From(time.Date(2026, 3, 3, 9, 30, 0, 0, time.UTC),
				time.Hour)); got != test.unknown {
				t.Errorf("unknown is %v, want %v", got, test.unknown)
			}
		})
	}
}
