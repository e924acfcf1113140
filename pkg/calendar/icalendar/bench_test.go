package icalendar_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
)

// busyCalendar is a calendar of n series that began years ago, of every kind: each eighth has exceptions, each eighth
// an instance that was moved, and each fourth an end.
func busyCalendar(n int) []byte {
	rules := []string{
		"FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=DAILY", "FREQ=YEARLY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR",
		"FREQ=MONTHLY;BYDAY=-1FR", "FREQ=WEEKLY;COUNT=700", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20270101T000000Z",
	}
	zones := []string{"Europe/Berlin", "America/New_York", "Our Office", "Asia/Kolkata"}
	var b strings.Builder
	b.WriteString(custom)
	for i := range n {
		zone, date, hour := zones[i/len(rules)%len(zones)], fmt.Sprintf("2015%02d%02d", 1+i%12, 1+i%28), 8+i%9
		fmt.Fprintf(&b, "BEGIN:VEVENT|UID:%d@example.com|DTSTAMP:20260101T000000Z|SUMMARY:Series %d|"+
			"ORGANIZER;CN=Al:mailto:al@example.com|ATTENDEE;CN=Ola;PARTSTAT=ACCEPTED:mailto:ola@example.com|"+
			"DTSTART;TZID=%[3]s:%[4]sT%02[5]d0000|DTEND;TZID=%[3]s:%[4]sT%02[6]d0000|RRULE:%[7]s|",
			i, i, zone, date, hour, hour+1, rules[i%len(rules)])
		if i%8 == 1 {
			fmt.Fprintf(&b, "EXDATE;TZID=%s:202603%02dT%02d0000,202604%02[2]dT%02[3]d0000|", zone, 1+i%28, 8+i%9)
		}
		b.WriteString("END:VEVENT|")
		if i%8 == 0 {
			fmt.Fprintf(&b, "BEGIN:VEVENT|UID:%d@example.com|RECURRENCE-ID;TZID=%s:202603%02dT%02d0000|"+
				"DTSTART;TZID=%[2]s:202603%02[3]dT180000|DURATION:PT1H|END:VEVENT|", i, zone, 1+i%28, 8+i%9)
		}
	}
	return file(strings.TrimSuffix(b.String(), "|"))
}

// BenchmarkExpand finds the busy times of 30 days in a calendar of 2,000 series.
func BenchmarkExpand(b *testing.B) {
	s, err := icalendar.Parse(busyCalendar(2000))
	if err != nil {
		b.Fatal(err)
	}
	if len(s.Problems) > 0 {
		b.Fatal(s.Problems[0])
	}
	span := interval.From(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), 30*24*time.Hour)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := busyOf(b.Context(), s, span, icalendar.Owner{Email: corpusOwner}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOccurrences lists the events of 30 days in such a calendar.
func BenchmarkOccurrences(b *testing.B) {
	s, err := icalendar.Parse(busyCalendar(2000))
	if err != nil {
		b.Fatal(err)
	}
	span := interval.From(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), 30*24*time.Hour)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.Occurrences(b.Context(), span, icalendar.Owner{Email: corpusOwner}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse reads the file of such a calendar.
func BenchmarkParse(b *testing.B) {
	data := busyCalendar(2000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := icalendar.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSingles lists 2,000 events that do not repeat, in their 30 days.
func BenchmarkSingles(b *testing.B) {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "BEGIN:VEVENT|UID:%d|DTSTAMP:20260101T000000Z|SUMMARY:Event|LOCATION:Room|DESCRIPTION:Notes|"+
			"ATTENDEE;CN=Ola;PARTSTAT=ACCEPTED:mailto:ola@example.com|"+
			"DTSTART;TZID=Europe/Berlin:202603%02dT%02d0000|DURATION:PT1H|END:VEVENT|", i, 1+i%30, i%24)
	}
	s, err := icalendar.Parse(file(strings.TrimSuffix(text.String(), "|")))
	if err != nil {
		b.Fatal(err)
	}
	span := interval.From(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), 30*24*time.Hour)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.Occurrences(b.Context(), span, icalendar.Owner{Email: corpusOwner}); err != nil {
			b.Fatal(err)
		}
	}
}
