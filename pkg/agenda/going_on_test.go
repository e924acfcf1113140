package agenda_test

import (
	"strings"
	"testing"

	"convene/pkg/agenda"
	"convene/pkg/meet"
)

// What goes on in a part of the day counts if events are shown, whenever it began. A change, one event and the first
// ones are meant by their start.
func TestWhatGoesOnIsShown(t *testing.T) {
	t.Parallel()
	events := []meet.Occurrence{
		at(2, 14, "Early drinks"), at(2, 17, "Drinks", lasting(120)), at(2, 19, "Film"),
		at(1, 23, "Night train", lasting(180)), at(2, 12, "Visit", lasting(24*60)),
	}
	wednesday := &agenda.Window{Start: "2026-11-25", End: "2026-11-26"}
	evening := &agenda.TimeOfDay{Start: "18:00", End: "23:00"}
	for _, test := range []struct {
		name string
		sel  agenda.Selection
		show bool
		want string
	}{
		{"an evening", agenda.Selection{Window: wednesday, TimeOfDay: evening}, true, "Visit Drinks Film"},
		{"to change it", agenda.Selection{Window: wednesday, TimeOfDay: evening}, false, "Film"},
		{"the first one", agenda.Selection{Window: wednesday, TimeOfDay: evening, First: ptr(1)}, true, "Film"},
		{"one", agenda.Selection{Window: wednesday, TimeOfDay: evening, One: ptr(true)}, true, "Film"},
		{
			"the night of the day before", agenda.Selection{
				Window: wednesday, TimeOfDay: &agenda.TimeOfDay{Start: "22:00", End: "02:00"},
			}, true, "Night train Visit",
		},
		{
			"only what is of that day", agenda.Selection{
				Window: wednesday, TimeOfDay: &agenda.TimeOfDay{Start: "20:30", End: "22:30"},
			}, true, "Visit",
		},
		{
			"exactly then", agenda.Selection{
				Window: wednesday, TimeOfDay: &agenda.TimeOfDay{Start: "18:00", End: "18:00"},
			}, true, "",
		},
	} {
		s := scene
		s.Today, s.Change = test.show, !test.show
		got, err := test.sel.Select(events, s)
		if err != nil || strings.Join(titles(got), " ") != test.want {
			t.Errorf("%s: got %q, %v; want %q", test.name, titles(got), err, test.want)
		}
	}
}
