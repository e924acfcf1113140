package icalendar

import (
	"strings"
	"testing"
	"time"

	"convene/pkg/meet"
)

func TestInvitation(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		t.Fatal(err)
	}
	owner := Owner{Zone: zone, Email: "me@example.com"}
	for name, c := range map[string]struct{ lines, span, more string }{
		"an end":       {"DTSTART:20261105T100000Z\nDTEND:20261105T113000Z", "5 11:00 5 12:30", ""},
		"a length":     {"DTSTART:20261105T100000\nDURATION:PT2H", "5 10:00 5 12:00", ""},
		"a day":        {"DTSTART;VALUE=DATE:20261105", "5 00:00 6 00:00", "all day"},
		"a series":     {"DTSTART:20261105T100000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY", "5 11:00 5 12:00", "FREQ=WEEKLY"},
		"one of them":  {"DTSTART:20261106T100000Z\nDURATION:PT1H\nRECURRENCE-ID:20261105T100000Z", "6 11:00 6 12:00", "one"},
		"called off":   {"DTSTART:20261105T100000Z\nDURATION:PT1H\nSTATUS:CANCELLED", "5 11:00 5 12:00", ""},
		"no length":    {"DTSTART:20261105T100000Z", "", ""},
		"no time":      {"SUMMARY:Sometime", "", ""},
		"an end first": {"DTSTART:20261105T100000Z\nDTEND:20261105T090000Z", "", ""},
	} {
		object := "BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:e1\nORGANIZER:mailto:al@example.com\n" +
			"ATTENDEE:mailto:me@example.com\n" + c.lines + "\nEND:VEVENT\nEND:VCALENDAR\n"
		got, err := Invitation([]byte(strings.ReplaceAll(object, "\n", "\r\n")), owner)
		if c.span == "" {
			if err == nil {
				t.Errorf("%s: got %+v, want an error", name, got)
			}
			continue
		}
		const layout = "2 15:04"
		span := got.Span.Start.In(zone).Format(layout) + " " + got.Span.End.In(zone).Format(layout)
		right := err == nil && span == c.span && got.UID == "e1" && got.Organizer.Email == "al@example.com" &&
			got.Attendees[0].Self && got.AllDay == (c.more == "all day") && got.Repeats() == (c.more == "one") &&
			(got.Recurrence == c.more || c.more == "all day" || c.more == "one")
		if !right {
			t.Errorf("%s: %s %+v, %v", name, span, got, err)
		}
	}
	if o, err := Invitation([]byte("nonsense"), owner); err == nil || o.UID != (meet.Occurrence{}).UID {
		t.Errorf("nonsense is %+v", o)
	}
}
