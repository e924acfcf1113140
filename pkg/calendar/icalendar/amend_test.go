package icalendar_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

var editor = icalendar.Editor{
	Owner: icalendar.Owner{Email: "ola@example.com", Zone: time.UTC}, Name: "Ola",
	Now: time.Date(2026, time.February, 20, 12, 0, 0, 0, time.UTC),
}

// lines is an object of lines, as a client of another maker writes it.
func lines(list ...string) string { return strings.Join(list, "\r\n") + "\r\n" }

// meeting is an object with all sorts of things that Convene does not know, in no order that it would choose.
var meeting = lines("BEGIN:VCALENDAR", "PRODID:-//Other//Program//EN", "VERSION:2.0", "X-WR-CALNAME:Work",
	"BEGIN:VTIMEZONE", "TZID:Our Office", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0300",
	"TZOFFSETTO:+0300", "END:STANDARD", "END:VTIMEZONE",
	"BEGIN:VEVENT", "X-FIRST;X-P=\"a;b:c\":1\\,2", "DTSTART;TZID=Our Office;X-Q=1:20260303T120000", "UID:m",
	"DURATION:PT1H", "summary;LANGUAGE=en:Plan", "DTSTAMP:20260101T000000Z", "GEO:52.520000;13.405000", "LOCATION:Here",
	"ATTENDEE;PARTSTAT=ACCEPTED;CN=\"Chen; Al\":MAILTO:Al@example.com",
	"ATTENDEE;RSVP=TRUE;PARTSTAT=NEEDS-ACTION;X-NUM=0:mailto:ola@example.com",
	"BEGIN:VALARM", "TRIGGER:-PT5M", "ACTION:AUDIO", "END:VALARM", "END:VEVENT", "END:VCALENDAR")

// found is the only occurrence of an object.
func found(t *testing.T, object string) meet.Occurrence {
	t.Helper()
	schedule, err := icalendar.Parse([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	year := interval.From(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 365*24*time.Hour)
	list, _, err := schedule.Occurrences(t.Context(), year, editor.Owner)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d occurrences, %v", len(list), err)
	}
	return list[0]
}

// changed are the lines that a change took out, and those that it brought.
func changed(before, after string) (gone, came []string) {
	count := map[string]int{}
	for line := range strings.Lines(strings.ReplaceAll(before, "\r\n ", "")) {
		count[line]++
	}
	for line := range strings.Lines(strings.ReplaceAll(after, "\r\n ", "")) {
		if count[line]--; count[line] < 0 {
			came = append(came, strings.TrimSpace(line))
		}
	}
	for line := range strings.Lines(strings.ReplaceAll(before, "\r\n ", "")) {
		if count[line]--; count[line] >= 0 {
			gone = append(gone, strings.TrimSpace(line))
		}
	}
	return gone, came
}

// A change takes out and brings the lines that it is of, those that say so, and no other.
func TestAnAmendmentChangesItsLinesOnly(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	at := func(hour int) time.Time { return time.Date(2026, time.March, 4, hour, 0, 0, 0, time.UTC) }
	marks := []string{"DTSTAMP:20260220T120000Z", "LAST-MODIFIED:20260220T120000Z"}
	for _, test := range []struct {
		name       string
		a          agenda.Amendment
		gone, came []string
	}{
		{"a title", agenda.Amendment{Set: agenda.Fields{Title: text("New, really")}},
			[]string{"summary;LANGUAGE=en:Plan"}, []string{`SUMMARY:New\, really`}},
		{"a time, in the zone of the event",
			agenda.Amendment{Set: agenda.Fields{Span: &interval.Span{Start: at(6), End: at(8)}}},
			[]string{"DTSTART;TZID=Our Office;X-Q=1:20260303T120000", "DURATION:PT1H"},
			[]string{
				"DTSTART;TZID=Our Office;X-Q=1:20260304T090000", "DTEND;TZID=Our Office;X-Q=1:20260304T110000", "SEQUENCE:1",
			}},
		{"a place, whose coordinates are no longer true", agenda.Amendment{Set: agenda.Fields{Location: text("There")}},
			[]string{"GEO:52.520000;13.405000", "LOCATION:Here"}, []string{"LOCATION:There"}},
		{"an answer", agenda.Amendment{Kind: agenda.Respond, Answer: meet.Accepted},
			[]string{"ATTENDEE;RSVP=TRUE;PARTSTAT=NEEDS-ACTION;X-NUM=0:mailto:ola@example.com"},
			[]string{"ATTENDEE;X-NUM=0;PARTSTAT=ACCEPTED:mailto:ola@example.com"}},
		{"a guest who is known by name only", agenda.Amendment{Set: agenda.Fields{Invite: []meet.Attendee{{Name: "Dee"}}}},
			nil, []string{`ATTENDEE;CN="Dee":invalid:nomail`}},
		{"a guest less", agenda.Amendment{Set: agenda.Fields{Uninvite: []meet.Attendee{{Email: "al@example.com"}}}},
			[]string{`ATTENDEE;PARTSTAT=ACCEPTED;CN="Chen; Al":MAILTO:Al@example.com`}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := test.a
			a.Key, a.Event = "k", found(t, meeting)
			if a.Kind == "" {
				a.Kind = agenda.Update
			}
			r, err := editor.Amend([]byte(meeting), a)
			if err != nil {
				t.Fatal(err)
			}
			gone, came := changed(meeting, string(r.Object))
			var others []string
			for _, line := range came {
				if !strings.HasPrefix(line, "X-CONVENE-CHANGES:") {
					others = append(others, line)
				}
			}
			same := gocmp.Transformer("sorted", func(list []string) map[string]bool {
				set := map[string]bool{}
				for _, line := range list {
					set[line] = true
				}
				return set
			})
			if diff := gocmp.Diff(append(test.gone, "DTSTAMP:20260101T000000Z"), gone, same); diff != "" {
				t.Errorf("gone (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff(append(test.came, marks...), others, same); diff != "" {
				t.Errorf("came (-want +got):\n%s", diff)
			}
		})
	}
}

// What iCalendar cannot say, or what would lose what others decided, is refused; a single occurrence can be changed.
func TestWhatCannotBeSaidOfASeriesIsRefused(t *testing.T) {
	t.Parallel()
	series := func(more ...string) string {
		return lines(append(append([]string{"BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:s", "DTSTART:20260310T090000Z",
			"DTEND:20260310T100000Z"}, more...), "END:VEVENT", "END:VCALENDAR")...)
	}
	tomorrow := func(o meet.Occurrence) agenda.Fields {
		return agenda.Fields{Span: &interval.Span{Start: o.Span.Start.AddDate(0, 0, 1), End: o.Span.End.AddDate(0, 0, 1)}}
	}
	empty := ""
	for name, object := range map[string]string{
		"the second Tuesday":    series("RRULE:FREQ=MONTHLY;BYDAY=2TU"),
		"a day of the month":    series("RRULE:FREQ=MONTHLY;BYMONTHDAY=10"),
		"the dates of a list":   series("RRULE:FREQ=WEEKLY", "RDATE:20260312T090000Z"),
		"a rule for exceptions": series("RRULE:FREQ=WEEKLY", "EXRULE:FREQ=MONTHLY"),
		"this and the following, in the old way": series("RRULE:FREQ=WEEKLY", "END:VEVENT", "BEGIN:VEVENT", "UID:s",
			"RECURRENCE-ID;RANGE=THISANDFUTURE:20260331T090000Z", "DTSTART:20260331T110000Z", "DTEND:20260331T120000Z"),
	} {
		o := found(t, object)
		a := agenda.Amendment{Key: "k", Kind: agenda.Update, Event: o, Scope: meet.AllOfThem, Set: tomorrow(o)}
		if _, err := editor.Amend([]byte(object), a); !errors.Is(err, icalendar.ErrInexpressible) {
			t.Errorf("%s, moved to the next day: %v", name, err)
		}
		a.Kind, a.Scope, a.Set = agenda.Delete, meet.ThisOne, agenda.Fields{}
		if _, err := editor.Amend([]byte(object), a); err != nil {
			t.Errorf("%s, one deleted: %v", name, err)
		}
	}
	weekly := series("RRULE:FREQ=WEEKLY")
	o := found(t, weekly)
	for name, set := range map[string]agenda.Fields{
		"a rule": {Recurrence: &empty}, "a reversed time": {Span: &interval.Span{Start: o.Span.End, End: o.Span.Start}},
	} {
		a := agenda.Amendment{Key: "k", Kind: agenda.Update, Event: o, Scope: meet.ThisOne, Set: set}
		if _, err := editor.Amend([]byte(weekly), a); err == nil {
			t.Errorf("%s for one occurrence was made", name)
		}
	}
}

// The repeat of a change does not know what was before. What is known of the event is brought back, or nothing.
func TestRestoringWithoutTheFormerObject(t *testing.T) {
	t.Parallel()
	weekly := lines("BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:s", "SUMMARY:S", "DTSTART:20260310T090000Z",
		"DTEND:20260310T100000Z", "RRULE:FREQ=WEEKLY;COUNT=3", "END:VEVENT", "END:VCALENDAR")
	o := found(t, weekly)
	for _, scope := range []meet.Scope{meet.ThisOne, meet.AllOfThem} {
		deleted, err := editor.Amend([]byte(weekly), agenda.Amendment{
			Key: "k", Kind: agenda.Delete, Event: o, Scope: scope,
		})
		if err != nil {
			t.Fatal(err)
		}
		back, err := editor.Amend(deleted.Object, agenda.Amendment{Key: "u", Kind: agenda.Restore, Event: o, Scope: scope})
		if err != nil || (back.Event.Title != "S" || !back.Event.Span.Start.Equal(o.Span.Start)) {
			t.Errorf("%s: %+v, %v", scope, back.Event, err)
		}
	}
	third := o
	third.RecurrenceID = o.RecurrenceID.AddDate(0, 0, 14)
	third.Span = interval.Span{Start: o.Span.Start.AddDate(0, 0, 14), End: o.Span.End.AddDate(0, 0, 14)}
	deleted, err := editor.Amend([]byte(weekly), agenda.Amendment{
		Key: "k", Kind: agenda.Delete, Event: third, Scope: meet.Following,
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = editor.Amend(deleted.Object, agenda.Amendment{
		Key: "u", Kind: agenda.Restore, Event: third, Scope: meet.Following,
	})
	if !errors.Is(err, icalendar.ErrStale) {
		t.Errorf("the end of a series that was cut off: %v, want %v", err, icalendar.ErrStale)
	}
}
