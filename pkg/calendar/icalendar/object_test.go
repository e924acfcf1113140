package icalendar_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

func objectEvent() meet.Event {
	start := time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC)
	return meet.Event{
		UID: "1", Status: meet.Confirmed, Title: "Coffee", Start: start, End: start.Add(time.Hour), Timezone: "Europe/Berlin",
		Participants: []meet.Participant{
			{ID: "o", Name: "Ola", Email: "ola@example.com"}, {ID: "a", Name: "Al", Email: "al@example.com"}, {Name: "Bo"},
		},
	}
}

func writeObject(t *testing.T, e meet.Event, guests ...meet.Participant) string {
	t.Helper()
	stamp := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	organizer := meet.Participant{ID: "o", Name: "Ola", Email: "ola@home.example.com"}
	data, err := icalendar.WriteObject(e, stamp, organizer, guests)
	if err != nil {
		t.Fatalf("WriteObject: %v", err)
	}
	return string(data)
}

func TestWriteObjectNamesPeople(t *testing.T) {
	t.Parallel()
	people := func(object string) (lines []string) {
		for line := range strings.Lines(strings.ReplaceAll(object, "\r\n ", "")) {
			for _, name := range []string{"ORGANIZER", "ATTENDEE", "DESCRIPTION", "METHOD"} {
				if strings.HasPrefix(line, name) {
					lines = append(lines, strings.TrimSpace(line))
				}
			}
		}
		return lines
	}
	al := meet.Participant{ID: "a", Name: "Al", Email: "al@example.com"}
	for _, c := range []struct {
		name   string
		guests []meet.Participant
		want   []string
	}{
		{name: "a copy", want: []string{`DESCRIPTION:With Ola\, Al\, Bo.`}},
		{name: "an invitation", guests: []meet.Participant{al}, want: []string{
			`DESCRIPTION:With Ola\, Al\, Bo.`,
			`ORGANIZER;CN="Ola":mailto:ola@home.example.com`,
			`ATTENDEE;CN="Al";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:al@example.com`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, people(writeObject(t, objectEvent(), c.guests...))); diff != "" {
				t.Errorf("people (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWriteObjectRefuses(t *testing.T) {
	t.Parallel()
	guest := []meet.Participant{{Name: "Al", Email: "al@example.com"}}
	ola := meet.Participant{Name: "Ola", Email: "ola@example.com"}
	stamp := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	nameless, endless := objectEvent(), objectEvent()
	nameless.UID = ""
	endless.End = endless.Start
	for _, c := range []struct {
		name      string
		event     meet.Event
		stamp     time.Time
		organizer meet.Participant
		guests    []meet.Participant
	}{
		{"no UID", nameless, stamp, ola, nil},
		{"no length", endless, stamp, ola, nil},
		{"no stamp", objectEvent(), time.Time{}, ola, nil},
		{"guests of nobody", objectEvent(), stamp, meet.Participant{Name: "Ola"}, guest},
	} {
		if got, err := icalendar.WriteObject(c.event, c.stamp, c.organizer, c.guests); err == nil {
			t.Errorf("%s: got %s, want an error", c.name, got)
		}
	}
}

// Two objects are the same where a person would see no difference.
func TestSameObject(t *testing.T) {
	t.Parallel()
	al := meet.Participant{ID: "a", Name: "Al", Email: "al@example.com"}
	written := writeObject(t, objectEvent(), al)
	replace := func(old, with string) string {
		t.Helper()
		if !strings.Contains(written, old) {
			t.Fatalf("there is no %q in\n%s", old, written)
		}
		return strings.ReplaceAll(written, old, with)
	}
	for _, c := range []struct {
		name string
		file string
		want bool
	}{
		{"itself", written, true},
		{"in the server's line ends", strings.ReplaceAll(written, "\r\n", "\n"), true},
		{"stamped later", replace("DTSTAMP:20260301", "DTSTAMP:20260302"), true},
		{"in another zone, at the same moment", replace("DTSTART;TZID=Europe/Berlin:20260303T100000",
			"DTSTART:20260303T090000Z"), true},
		{"accepted", replace("NEEDS-ACTION", "ACCEPTED"), true},
		{"with what it means anyhow", replace("STATUS:", "TRANSP:OPAQUE\r\nSTATUS:"), true},
		{"with an alarm", replace("END:VEVENT", "BEGIN:VALARM\r\nACTION:DISPLAY\r\nEND:VALARM\r\nEND:VEVENT"), true},
		{"at another time", replace("20260303T100000", "20260303T103000"), false},
		{"with another title", replace("SUMMARY:Coffee", "SUMMARY:Tea"), false},
		{"with another guest", replace("al@example.com", "bo@example.com"), false},
		{"of a later version", replace("SEQUENCE:0", "SEQUENCE:1"), false},
		{"cancelled", replace("STATUS:CONFIRMED", "STATUS:CANCELLED"), false},
		{"transparent", replace("STATUS:", "TRANSP:TRANSPARENT\r\nSTATUS:"), false},
		{"repeated", replace("STATUS:", "RRULE:FREQ=DAILY\r\nSTATUS:"), false},
	} {
		a, errA := icalendar.ReadObject([]byte(written))
		b, errB := icalendar.ReadObject([]byte(c.file))
		if errA != nil || errB != nil {
			t.Fatalf("ReadObject: %v, %v", errA, errB)
		}
		if got := a.Same(b); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
	if _, err := icalendar.ReadObject([]byte("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")); err == nil {
		t.Error("a file without an event was read as one")
	}
}

// What the owner declined, by any of several addresses, takes no time; instances tell whose they are.
func TestInstancesOfWhatIsAttended(t *testing.T) {
	t.Parallel()
	s, err := icalendar.Parse([]byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260303T090000Z\n" +
		"DTEND:20260303T100000Z\n" +
		"ATTENDEE;PARTSTAT=DECLINED:MAILTO:Ola@Home.example.com\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\n" +
		"DTSTART:20260303T093000Z\n" +
		"DTEND:20260303T103000Z\nATTENDEE;PARTSTAT=DECLINED:urn:uuid:AL\nEND:VEVENT\nEND:VCALENDAR\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"ola@home.example.com", "urn:uuid:al"}, s.Declined()); diff != "" {
		t.Errorf("declined (-want +got):\n%s", diff)
	}
	span := interval.From(time.Date(2026, time.March, 3, 0, 0, 0, 0, time.UTC), 24*time.Hour)
	uids := func(s *icalendar.Schedule) (list []string) {
		t.Helper()
		taken, unknown, err := s.Instances(t.Context(), span, icalendar.Owner{})
		if err != nil || len(unknown) > 0 {
			t.Fatalf("Instances: unknown %v, %v", unknown, err)
		}
		for _, one := range taken {
			list = append(list, one.UID)
		}
		return list
	}
	attended := s.Attending("", "ola@home.example.com", "ola@example.com")
	if diff := cmp.Diff([]string{"2"}, uids(attended)); diff != "" {
		t.Errorf("attended (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1", "2"}, uids(s)); diff != "" {
		t.Errorf("the schedule itself has changed (-want +got):\n%s", diff)
	}
}

// SCHEDULE-STATUS is one code or several (RFC 6638, 7.3); one that says nothing of delivery is none.
func TestWhatAServerSaysOfInvitations(t *testing.T) {
	t.Parallel()
	for attendee, want := range map[string]meet.Invitation{
		`ATTENDEE:mailto:al@example.com`:                                                          "",
		`ATTENDEE;SCHEDULE-STATUS=1.0:mailto:al@example.com`:                                      meet.InvitationUnknown,
		`ATTENDEE;SCHEDULE-STATUS="1.1":mailto:al@example.com`:                                    meet.InvitationUnknown,
		`ATTENDEE;SCHEDULE-STATUS="1.2":MAILTO:Al@Example.com`:                                    meet.InvitationDelivered,
		`ATTENDEE;SCHEDULE-STATUS="2.0":mailto:al@example.com`:                                    meet.InvitationDelivered,
		`ATTENDEE;SCHEDULE-STATUS="2.0,4.1":mailto:al@example.com`:                                meet.InvitationDelivered,
		`ATTENDEE;SCHEDULE-STATUS="3.7":mailto:al@example.com`:                                    meet.InvitationFailed,
		`ATTENDEE;SCHEDULE-STATUS="3.8":mailto:al@example.com`:                                    meet.InvitationFailed,
		`ATTENDEE;schedule-status="5.1;later":mailto:al@example.com`:                              meet.InvitationFailed,
		`ATTENDEE;SCHEDULE-STATUS="2.0,5.3":mailto:al@example.com`:                                meet.InvitationFailed,
		`ATTENDEE;SCHEDULE-STATUS="1.2,1.1":mailto:al@example.com`:                                meet.InvitationUnknown,
		`ATTENDEE;SCHEDULE-STATUS=5.2;EMAIL=al@example.com:/123/principal/`:                       meet.InvitationFailed,
		`ATTENDEE;SCHEDULE-STATUS=soon:mailto:al@example.com`:                                     "",
		`ATTENDEE;SCHEDULE-STATUS="":mailto:al@example.com`:                                       "",
		`ORGANIZER;SCHEDULE-STATUS=5.2:mailto:al@example.com` + "\nATTENDEE:mailto:x@example.com": "",
	} {
		o, err := icalendar.ReadObject([]byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n" + attendee +
			"\nEND:VEVENT\nEND:VCALENDAR\n"))
		if got := o.Invitations["al@example.com"]; err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", attendee, got, err, want)
		}
	}
}
