package icalendar_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
)

// file is a calendar with the lines, which are separated by a bar to keep the tables readable.
func file(lines string) []byte {
	return []byte("BEGIN:VCALENDAR\r\n" + strings.ReplaceAll(lines, "|", "\r\n") + "\r\nEND:VCALENDAR\r\n")
}

func event(lines string) string { return "BEGIN:VEVENT|UID:e|" + lines + "|END:VEVENT" }

func location(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// read is what the calendar says of the span, each stretch as "start/end" on clocks in Berlin, where the owner is.
func read(t *testing.T, data []byte, from, to string) (busy, unknown []string) {
	t.Helper()
	s, err := icalendar.Parse(data)
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	berlin := location(t, "Europe/Berlin")
	a, err := busyOf(t.Context(), s, interval.Span{Start: clock(t, from, berlin), End: clock(t, to, berlin)},
		icalendar.Owner{Zone: berlin, Email: "Ola@Example.com"})
	if err != nil {
		t.Fatalf("Times: %v", err)
	}
	return written(a.Busy, berlin), written(a.Unknown, berlin)
}

const shown = "Jan 2 15:04"

func clock(t *testing.T, s string, loc *time.Location) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006 "+shown, "2026 "+s, loc)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func written(set interval.Set, loc *time.Location) (spans []string) {
	for _, s := range set {
		end := s.End.In(loc).Format("15:04")
		if s.Duration() >= 24*time.Hour {
			end = s.End.In(loc).Format(shown)
		}
		spans = append(spans, s.Start.In(loc).Format(shown)+"/"+end)
	}
	return spans
}

// custom is a zone that only its file knows: UTC+1, and UTC+3 from the last Sunday of March to that of October.
const custom = "BEGIN:VTIMEZONE|TZID:Our Office|" +
	"BEGIN:STANDARD|DTSTART:16011028T040000|RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10|" +
	"TZOFFSETFROM:+0300|TZOFFSETTO:+0100|END:STANDARD|" +
	"BEGIN:DAYLIGHT|DTSTART:16010325T020000|RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3|" +
	"TZOFFSETFROM:+0100|TZOFFSETTO:+0300|END:DAYLIGHT|END:VTIMEZONE|"

// busyOf is the owner's time within span.
func busyOf(
	ctx context.Context, s *icalendar.Schedule, span interval.Span, owner icalendar.Owner,
) (a interval.Availability, err error) {
	taken, unknown, err := s.Instances(ctx, span, owner)
	for _, one := range taken {
		a.Busy = append(a.Busy, one.Span)
	}
	return interval.Availability{Busy: interval.NewSet(a.Busy...).Within(span), Unknown: unknown}, err
}

func TestBusy(t *testing.T) {
	t.Parallel()
	const march, april = "Mar 1 00:00", "Apr 1 00:00"
	for _, test := range []struct {
		name, lines   string
		from, to      string
		busy, unknown []string
	}{
		// Times and zones.
		{name: "UTC", lines: event("DTSTART:20260303T090000Z|DTEND:20260303T100000Z"), busy: []string{"Mar 3 10:00/11:00"}},
		{name: "zone of the tz database", lines: event("DTSTART;TZID=America/New_York:20260303T090000|DURATION:PT1H"),
			busy: []string{"Mar 3 15:00/16:00"}},
		{name: "quoted zone behind a vendor's prefix", busy: []string{"Mar 3 15:00/16:00"},
			lines: event(`DTSTART;TZID="/example.org/20250101/America/New_York":20260303T090000|DURATION:PT1H`)},
		{name: "floating", lines: event("DTSTART:20260303T090000|DURATION:PT1H"), busy: []string{"Mar 3 09:00/10:00"}},
		{name: "zone that the file defines, in winter", busy: []string{"Mar 3 09:00/10:00"},
			lines: custom + event("DTSTART;TZID=Our Office:20260303T090000|DURATION:PT1H")},
		{name: "zone that the file defines, in summer", busy: []string{"Mar 31 08:00/09:00"},
			lines: custom + event("DTSTART;TZID=Our Office:20260331T090000|DURATION:PT1H")},
		{name: "series through a change in a zone that the file defines", busy: []string{
			"Mar 28 09:00/10:00", "Mar 29 08:00/09:00",
		},
			lines: custom + event("DTSTART;TZID=Our Office:20260328T090000|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2")},
		{name: "time that a zone of the file skips", busy: []string{"Mar 29 03:30/04:30"},
			lines: custom + event("DTSTART;TZID=Our Office:20260329T023000|DURATION:PT1H")},
		{name: "the last change of a zone is the one at its UNTIL", busy: []string{"Mar 31 08:00/09:00"},
			lines: strings.Replace(custom, "BYMONTH=3", "BYMONTH=3;UNTIL=20260329T010000Z", 1) +
				event("DTSTART;TZID=Our Office:20260331T090000|DURATION:PT1H")},
		{name: "zone that nobody knows", unknown: []string{"Mar 2 20:00/Mar 3 23:00"},
			lines: event("DTSTART;TZID=Somewhere Standard Time:20260303T090000|DURATION:PT1H")},
		{name: "date without VALUE=DATE", lines: event("DTSTART:20260303|DTEND:20260304"),
			busy: []string{"Mar 3 00:00/Mar 4 00:00"}},
		{name: "date without an end", lines: event("DTSTART;VALUE=DATE:20260303"), busy: []string{"Mar 3 00:00/Mar 4 00:00"}},
		{name: "date that ends on itself", lines: event("DTSTART;VALUE=DATE:20260303|DTEND;VALUE=DATE:20260303"),
			busy: []string{"Mar 3 00:00/Mar 4 00:00"}},
		{name: "time without an end takes none", lines: event("DTSTART:20260303T090000Z")},
		{name: "days of a duration are days of the calendar", busy: []string{"Mar 28 12:00/12:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260328T120000|DURATION:P1D")},
		{name: "hours of a duration are hours", busy: []string{"Mar 28 12:00/Mar 29 13:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260328T120000|DURATION:PT24H")},
		{name: "skipped time is read with the offset before", busy: []string{"Mar 29 03:30/04:30"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260329T023000|DURATION:PT1H")},
		{name: "repeated time is the first", from: "Oct 25 00:00", to: "Oct 26 00:00", busy: []string{"Oct 25 02:30/02:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20261025T023000|DURATION:PT30M")},
		{name: "folded lines", lines: event("DTSTART:2026|\t0303T09|  0000Z|DTEND:20260303T100000Z"),
			unknown: []string{"Mar 1 00:00/Apr 1 00:00"}},
		{name: "a folded line", lines: event("DTSTART:2026|\t0303T09| 0000Z|DTEND:20260303T100000Z"),
			busy: []string{"Mar 3 10:00/11:00"}},

		// What takes time.
		{name: "Outlook's free", lines: event("DTSTART:20260303T090000Z|DURATION:PT1H|X-MICROSOFT-CDO-BUSYSTATUS:FREE")},
		{name: "an absence is busy even where it is transparent", busy: []string{"Mar 3 10:00/11:00"},
			lines: event("DTSTART:20260303T090000Z|DURATION:PT1H|TRANSP:TRANSPARENT|X-MICROSOFT-CDO-BUSYSTATUS:OOF")},
		{name: "declined by somebody else", busy: []string{"Mar 3 10:00/11:00"},
			lines: event("DTSTART:20260303T090000Z|DURATION:PT1H|ATTENDEE;PARTSTAT=DECLINED:mailto:al@example.com")},
		{name: "declined by the owner", lines: event("DTSTART:20260303T090000Z|DURATION:PT1H|" +
			`ATTENDEE;CN="Owner: Ola";PARTSTAT=declined:MAILTO:ola@example.com`)},
		{name: "METHOD:CANCEL", lines: "METHOD:CANCEL|" + event("DTSTART:20260303T090000Z|DURATION:PT1H")},
		{name: "tasks, journals and alarms are no events",
			lines: "BEGIN:VTODO|DTSTART:20260303T090000Z|DUE:20260303T100000Z|END:VTODO|" +
				event("DTSTART:20260303T120000Z|DURATION:PT1H|BEGIN:VALARM|TRIGGER:-PT15M|DURATION:PT5H|END:VALARM"),
			busy: []string{"Mar 3 13:00/14:00"}},
		{name: "published free-busy", busy: []string{"Mar 3 10:00/11:00", "Mar 3 13:00/13:30"},
			lines: "BEGIN:VFREEBUSY|FREEBUSY;FBTYPE=BUSY:20260303T090000Z/PT1H,20260303T120000Z/20260303T123000Z|" +
				"FREEBUSY;FBTYPE=FREE:20260304T090000Z/PT1H|END:VFREEBUSY"},
		{name: "published free-busy without an end", unknown: []string{"Mar 1 00:00/Apr 1 00:00"},
			lines: "BEGIN:VFREEBUSY|FREEBUSY:20260303T090000Z|END:VFREEBUSY"},

		// Series.
		{name: "commas in EXDATE", busy: []string{"Mar 3 09:00/10:00", "Mar 6 09:00/10:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260303T090000|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=4|" +
				"EXDATE;TZID=Europe/Berlin:20260304T090000,20260305T090000")},
		{name: "EXDATE in UTC", busy: []string{"Mar 3 09:00/10:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260303T090000|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|" +
				"EXDATE:20260304T080000Z")},
		{name: "EXDATE as a date takes the instance of that day", busy: []string{"Mar 3 09:00/10:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260303T090000|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|" +
				"EXDATE;VALUE=DATE:20260304")},
		{name: "EXDATE of a whole day written as a time", busy: []string{"Mar 3 00:00/Mar 4 00:00"},
			lines: event("DTSTART;VALUE=DATE:20260303|RRULE:FREQ=DAILY;COUNT=2|EXDATE:20260304T000000")},
		{name: "EXDATE does not give COUNT another instance", busy: []string{"Mar 3 09:00/10:00"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|EXDATE:20260304T080000Z")},
		{name: "the first instance can be taken out", busy: []string{"Mar 4 09:00/10:00"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|EXDATE:20260303T080000Z")},
		{name: "the start counts even where the rule misses it", busy: []string{"Mar 3 09:00/10:00", "Mar 4 09:00/10:00"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=1")},
		{name: "RDATE", busy: []string{"Mar 3 09:00/10:00", "Mar 5 09:00/10:00", "Mar 6 10:00/10:30"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RDATE:20260305T080000Z|RDATE;VALUE=PERIOD:20260306T090000Z/" +
				"PT30M")},
		{name: "RDATE as a date means the usual time", busy: []string{"Mar 3 09:00/10:00", "Mar 5 09:00/10:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260303T090000|DURATION:PT1H|RDATE;VALUE=DATE:20260305")},
		{name: "UNTIL in UTC", busy: []string{"Mar 3 09:00/10:00", "Mar 4 09:00/10:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260303T090000|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20260304T080000Z")},
		{name: "UNTIL a local time", busy: []string{"Mar 3 09:00/10:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260303T090000|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20260304T085959")},
		{name: "clock time stays through the change", busy: []string{"Mar 28 09:00/10:00", "Mar 29 09:00/10:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260328T090000|DTEND;TZID=Europe/Berlin:20260328T100000|" +
				"RRULE:FREQ=DAILY;COUNT=2")},
		{name: "a night with a change lasts until the later of both ends", busy: []string{
			"Mar 27 22:00/06:00", "Mar 28 22:00/07:00",
		},
			lines: event("DTSTART;TZID=Europe/Berlin:20260327T220000|DTEND;TZID=Europe/Berlin:20260328T060000|" +
				"RRULE:FREQ=DAILY;COUNT=2")},
		{name: "an instance that began before the span", from: "Mar 4 01:00", to: "Mar 4 02:00",
			busy:  []string{"Mar 4 01:00/02:00"},
			lines: event("DTSTART:20260302T220000Z|DURATION:PT5H|RRULE:FREQ=DAILY")},
		{name: "moved by an override in another zone", busy: []string{"Mar 3 09:00/10:00", "Mar 4 15:00/16:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260303T090000|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2") + "|" +
				event("RECURRENCE-ID:20260304T080000Z|DTSTART;TZID=America/New_York:20260304T090000|DURATION:PT1H")},
		{name: "moved twice: the newer version counts", busy: []string{"Mar 3 09:00/10:00", "Mar 4 17:00/18:00"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2") + "|" +
				event("RECURRENCE-ID:20260304T080000Z|SEQUENCE:2|DTSTART:20260304T160000Z|DURATION:PT1H") + "|" +
				event("RECURRENCE-ID:20260304T080000Z|SEQUENCE:1|DTSTART:20260304T140000Z|DURATION:PT1H")},
		{name: "an override called off", busy: []string{"Mar 3 09:00/10:00"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2") + "|" +
				event("RECURRENCE-ID:20260304T080000Z|STATUS:CANCELLED|DTSTART:20260304T080000Z")},
		{name: "an override without its series", busy: []string{"Mar 4 09:00/10:00"},
			lines: event("RECURRENCE-ID:20260304T080000Z|DTSTART:20260304T080000Z|DURATION:PT1H")},
		{name: "an override of a whole day", busy: []string{"Mar 3 00:00/Mar 4 00:00", "Mar 6 00:00/Mar 7 00:00"},
			lines: event("DTSTART;VALUE=DATE:20260303|RRULE:FREQ=DAILY;COUNT=2") + "|" +
				event("RECURRENCE-ID;VALUE=DATE:20260304|DTSTART;VALUE=DATE:20260306")},
		{name: "an override of all later instances moves them all",
			busy: []string{"Mar 3 09:00/10:00", "Mar 4 11:00/12:00", "Mar 5 11:00/12:00"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=3") + "|" +
				event("RECURRENCE-ID;RANGE=THISANDFUTURE:20260304T080000Z|DTSTART:20260304T100000Z|DURATION:PT1H")},
		{name: "two versions of one event: the newer counts", busy: []string{"Mar 5 09:00/10:00"},
			lines: event("SEQUENCE:1|DTSTART:20260305T080000Z|DURATION:PT1H") + "|" +
				event("DTSTART:20260303T080000Z|DURATION:PT1H")},

		// What cannot be understood.
		{name: "no start", lines: event("SUMMARY:When?"), unknown: []string{"Mar 1 00:00/Apr 1 00:00"}},
		{name: "no start, but free all the same", lines: event("SUMMARY:When?|TRANSP:TRANSPARENT")},
		{name: "a start that is no date", lines: event("DTSTART:20260231T090000Z"), unknown: []string{
			"Mar 1 00:00/Apr 1 00:00",
		}},
		{name: "an end that is no date", lines: event("DTSTART:20260303T080000Z|DTEND:late"), unknown: []string{
			"Mar 3 09:00/Apr 1 00:00",
		}},
		{name: "an end before the start, by hours", unknown: []string{"Mar 2 08:00/Mar 4 09:00"},
			lines: event("DTSTART:20260303T080000Z|DTEND:20260303T070000Z")},
		{name: "an end before the start, by days", from: "Jan 1 00:00", to: "Jun 1 00:00", unknown: []string{
			"Jan 29 09:00/May 1 10:00",
		},
			lines: event("DTSTART:20260331T080000Z|DTEND:20260301T080000Z")},
		{name: "an end before the start, of whole days", from: "Jan 1 00:00", to: "Jun 1 00:00", unknown: []string{
			"Jan 29 00:00/Apr 3 01:00",
		},
			lines: event("DTSTART;VALUE=DATE:20260303|DTEND;VALUE=DATE:20260301")},
		{name: "an end before the start, in zones that differ", unknown: []string{"Mar 2 09:00/Mar 4 11:00"},
			lines: event("DTSTART;TZID=America/New_York:20260303T050000|DTEND;TZID=Europe/Berlin:20260303T090000")},
		{name: "an end that is earlier by its clock only", busy: []string{"Mar 3 09:00/20:00"},
			lines: event("DTSTART;TZID=Europe/Berlin:20260303T090000|DTEND;TZID=America/Los_Angeles:20260303T110000")},
		{name: "an end before the start, at no known clock", unknown: []string{"Mar 1 18:00/Mar 4 21:00"},
			lines: event("DTSTART;TZID=Nowhere:20260303T080000|DTEND;TZID=Nowhere:20260303T070000")},
		{name: "a series whose end lies before its start", unknown: []string{"Mar 2 08:00/Mar 5 09:00"},
			lines: event("DTSTART:20260303T080000Z|DTEND:20260303T070000Z|RRULE:FREQ=DAILY;COUNT=2")},
		{name: "a series of whole days that end before they start", from: "Jan 1 00:00", to: "Oct 1 00:00",
			unknown: []string{"Jan 30 00:00/Apr 4 01:00", "Aug 2 00:00/Oct 1 00:00"},
			lines:   event("DTSTART;VALUE=DATE:20260304|DTEND;VALUE=DATE:20260302|RRULE:FREQ=MONTHLY;INTERVAL=6;COUNT=2")},
		{name: "one that began before the span", from: "Mar 31 00:00", to: "Apr 5 00:00", unknown: []string{
			"Mar 31 00:00/Apr 1 10:00",
		},
			lines: event("DTSTART:20260201T080000Z|DTEND:20260131T080000Z|RRULE:FREQ=MONTHLY;COUNT=2")},
		{name: "one instance of a series whose end lies before its start", busy: []string{"Mar 3 09:00/10:00"},
			unknown: []string{"Mar 9 08:00/Mar 11 09:00"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RRULE:FREQ=WEEKLY;COUNT=2") + "|" +
				event("RECURRENCE-ID:20260310T080000Z|DTSTART:20260310T080000Z|DTEND:20260310T070000Z")},
		{name: "an RDATE whose end lies before its start", busy: []string{"Mar 3 09:00/10:00"}, unknown: []string{
			"Mar 5 09:00/Mar 7 10:00",
		},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RDATE;VALUE=PERIOD:20260306T090000Z/20260306T080000Z")},
		{name: "a published period whose end lies before its start", unknown: []string{"Mar 2 08:00/Mar 4 09:00"},
			lines: "BEGIN:VFREEBUSY|FREEBUSY:20260303T080000Z/20260303T070000Z|END:VFREEBUSY"},
		{name: "a duration below nothing", lines: event("DTSTART:20260303T080000Z|DURATION:-PT1H"),
			unknown: []string{"Mar 2 08:00/Mar 4 09:00"}},
		{name: "a whole day of less than none", lines: event("DTSTART;VALUE=DATE:20260303|DURATION:-P1D"),
			from: "Mar 1 00:00", to: "Mar 5 00:00",
			unknown: []string{"Mar 1 00:00/Mar 5 00:00"}},
		{name: "a series that ends before it starts has its first instance", busy: []string{"Mar 3 09:00/10:00"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20260301T080000Z")},
		{name: "a duration that is none", lines: event("DTSTART:20260303T080000Z|DURATION:an hour"),
			unknown: []string{"Mar 3 09:00/Apr 1 00:00"}},
		{name: "a rule that nobody knows", busy: []string{"Mar 3 09:00/10:00"}, unknown: []string{"Mar 3 09:00/Apr 1 00:00"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RRULE:FREQ=DAILY;BYMOON=FULL")},
		{name: "an exception that cannot be read stays busy", busy: []string{"Mar 3 09:00/10:00", "Mar 4 09:00/10:00"},
			lines: event("DTSTART:20260303T080000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|EXDATE:some day")},
		{name: "a rule that is too much work", unknown: []string{"Mar 2 01:00/Mar 4 10:00"},
			from: "Mar 1 00:00", to: "Apr 1 00:00",
			lines: event("DTSTART:20260302T000000Z|DURATION:PT0S|RRULE:FREQ=SECONDLY;UNTIL=20260303T070000Z")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.from == "" {
				test.from, test.to = march, april
			}
			busy, unknown := read(t, file(test.lines), test.from, test.to)
			if diff := cmp.Diff(test.busy, busy); diff != "" {
				t.Errorf("busy (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.unknown, unknown); diff != "" {
				t.Errorf("unknown (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOwnerWithoutZoneUsesTheCalendars(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, lines string
		want        time.Time
	}{
		{"the calendar's own zone", "X-WR-TIMEZONE:Asia/Tokyo|", time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)},
		{"else UTC", "", time.Date(2026, 3, 3, 9, 0, 0, 0, time.UTC)},
	} {
		s, err := icalendar.Parse(file(test.lines + event("DTSTART:20260303T090000|DURATION:PT1H")))
		if err != nil {
			t.Fatal(err)
		}
		span := interval.From(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), 72*time.Hour)
		a, err := busyOf(t.Context(), s, span, icalendar.Owner{})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Busy) != 1 || !a.Busy[0].Start.Equal(test.want) {
			t.Errorf("%s: got %v, want a start at %v", test.name, a.Busy, test.want)
		}
	}
}

func TestParseErrorsNameTheLine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, data string
		line       int
	}{
		{"empty", "", 1},
		{"a web page", "<!DOCTYPE html>\n<title>Sign in</title>", 1},
		{"not a calendar", "BEGIN:VCARD\nEND:VCARD\n", 1},
		{"cut short", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1", 2},
		{"closed in the wrong order", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\n", 3},
		{"a line without a name", "BEGIN:VCALENDAR\n\nnonsense\nEND:VCALENDAR\n", 3},
		{"a parameter without a value", "BEGIN:VCALENDAR\nX;Y:z\nEND:VCALENDAR\n", 2},
		{"a quotation that does not end", "BEGIN:VCALENDAR\nX;Y=\"z:1\nEND:VCALENDAR\n", 2},
		{"the first line of a folded one", "BEGIN:VCALENDAR\nX\n Y\n Z\nEND:VCALENDAR\n", 2},
		{"nested too deeply", "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:X\n", 100), 9},
		{"nothing outside", "BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VCALENDAR\n", 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := icalendar.Parse([]byte(test.data))
			syntax, ok := errors.AsType[*icalendar.SyntaxError](err)
			if !ok || syntax.Line != test.line {
				t.Errorf("got %v, want an error in line %d", err, test.line)
			}
		})
	}
}

func TestSeveralCalendarsInOneFile(t *testing.T) {
	t.Parallel()
	one := file(event("DTSTART:20260303T090000Z|DURATION:PT1H"))
	two := file("BEGIN:VEVENT|DTSTART:20260303T120000Z|DURATION:PT1H|END:VEVENT")
	busy, _ := read(t, append([]byte("\xef\xbb\xbf"), append(one, two...)...), "Mar 3 00:00", "Mar 4 00:00")
	if diff := cmp.Diff([]string{"Mar 3 10:00/11:00", "Mar 3 13:00/14:00"}, busy); diff != "" {
		t.Errorf("busy (-want +got):\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(file(custom + event("DTSTART;TZID=Our Office:20260303T090000|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=3")))
	f.Add(file(event("DTSTART;VALUE=DATE:20260303|RRULE:FREQ=MONTHLY;BYDAY=-1FR;BYSETPOS=1|EXDATE:20260304")))
	f.Add(file("BEGIN:VFREEBUSY|FREEBUSY:20260303T090000Z/PT1H|END:VFREEBUSY"))
	f.Add([]byte("BEGIN:VCALENDAR\nX;A=\"\nEND:VCALENDAR"))
	for name, c := range readCorpus(f) {
		if !strings.HasPrefix(name, "hostile/") {
			f.Add(c.calendar)
		}
	}
	span := interval.From(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), 30*24*time.Hour)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := icalendar.Parse(data)
		if err != nil {
			return
		}
		a, err := busyOf(t.Context(), s, span, icalendar.Owner{Zone: time.UTC})
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range []interval.Set{a.Busy, a.Unknown} {
			for i, one := range set {
				if one.Empty() || !span.Covers(one) || i > 0 && !set[i-1].End.Before(one.Start) {
					t.Fatalf("not a set within the span: %v", set)
				}
			}
		}
	})
}
