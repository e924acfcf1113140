package agenda_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// What is listed, read, and listed again is the same.
func TestAnEventIsReadAsItWasListed(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", -5*60*60)
	start := time.Date(2026, time.November, 26, 9, 0, 0, 0, zone)
	dana := meet.Person{ID: "dana", Name: "Dana", Email: "dana@example.com"}
	day := interval.Span{Start: start.Add(-9 * time.Hour), End: start.Add(15 * time.Hour)}
	for name, o := range map[string]meet.Occurrence{
		"plain":               {UID: "1", Title: "Coffee", Span: interval.From(start, time.Hour), Calendar: "work"},
		"with an @ in its id": {UID: "1@example.com", Title: "Coffee", Span: interval.From(start, time.Hour)},
		"one of a series": {
			UID: "s@example.com", RecurrenceID: start.UTC(), Title: "Standup", Span: interval.From(start, time.Hour),
		},
		"all day": {UID: "2", Title: "Trip", AllDay: true, Span: day, Tentative: true, Visibility: meet.Private},
		"with guests": {
			UID: "3", Title: "Review", Span: interval.From(start, time.Hour), Kind: meet.MeetingBlock,
			Organizer: &meet.Attendee{Email: "al@example.com"},
			Attendees: []meet.Attendee{
				{Email: "Dana@example.com", Self: true, Answer: meet.Accepted}, {Name: "Room guest"}, {Email: "al@example.com"},
			},
		},
	} {
		want := agenda.EventOf(o, zone)
		read, err := want.Occurrence(dana, zone)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, agenda.EventOf(read, zone)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if read.Key() != o.Key() || len(read.Guests()) != len(o.Guests()) {
			t.Errorf("%s: read %+v", name, read)
		}
	}
}

func TestATimeThatIsNoneIsNamed(t *testing.T) {
	t.Parallel()
	for field, e := range map[string]agenda.Event{
		"start": {Start: "soon", End: "2026-11-26"}, "end": {Start: "2026-11-26", End: ""},
	} {
		if _, err := e.Occurrence(meet.Person{}, time.UTC); fault.As(err).Field != field {
			t.Errorf("%+v: %v, want one that names %s", e, err, field)
		}
	}
}
