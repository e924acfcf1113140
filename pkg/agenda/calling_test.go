package agenda

import (
	"testing"

	"convene/pkg/meet"
)

func TestWhatAnEventIsCalled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		said string
		is   meet.Occurrence
		want bool
	}{
		{"dentist appointment", meet.Occurrence{Title: "Dentist (cleaning)"}, true},
		{"my dentist", meet.Occurrence{Title: "Dental check"}, true},
		{"denstist", meet.Occurrence{Title: "Dentist"}, true},
		{"dentist", meet.Occurrence{Title: "Denise"}, false},
		{"el dentista", meet.Occurrence{Title: "Dentist"}, true},
		{"רופא השיניים שלי", meet.Occurrence{Title: "Dentist"}, true},
		{"לטיסה", meet.Occurrence{Title: "Flight to Rome"}, true},
		{"mis reuniones", meet.Occurrence{Title: "Reunión de equipo"}, true},
		{"two meetings", meet.Occurrence{Title: "Team meeting"}, true},
		{"meeting", meet.Occurrence{Title: "Yoga"}, false},
		{"budget meeting", meet.Occurrence{Title: "Team meeting"}, false},
		{"yoga class", meet.Occurrence{Title: "Yoga"}, true},
		{"art class", meet.Occurrence{Title: "Yoga class"}, false},
		{"call with Ada", meet.Occurrence{Title: "Catch up", Attendees: []meet.Attendee{{Name: "Ada Byron"}}}, true},
		{"meeting with Bo", meet.Occurrence{Title: "Meeting", Attendees: []meet.Attendee{{Name: "Ada Byron"}}}, false},
		{"parent-teacher conference", meet.Occurrence{Title: "Parents/Teachers conference"}, true},
		{"daily stand-up", meet.Occurrence{Title: "Daily standup"}, true},
		{"Al's visit", meet.Occurrence{Title: "Al visits"}, true},
		{"visit", meet.Occurrence{Title: "Dinner"}, false},
		{"la llamada del seguro", meet.Occurrence{Title: "Insurance call"}, true},
		{"חידוש הדרכון", meet.Occurrence{Title: "Passport renewal"}, true},
		{"watering the plants", meet.Occurrence{Title: "Plan the party"}, false},
		{"seguro", meet.Occurrence{Title: "Passport renewal"}, false},
		{"café", meet.Occurrence{Title: "Cafe with Bo"}, true},
	} {
		if got := CallingOf(test.said).Fits(test.is); got != test.want {
			t.Errorf("%q for %q: got %v", test.said, test.is.Title, got)
		}
	}
}
