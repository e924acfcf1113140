package calendarname_test

import (
	"testing"

	"convene/pkg/calendarname"
)

func TestOneCalendarIsNamed(t *testing.T) {
	for _, c := range []struct{ message, name, rest, without, phrase string }{
		{
			"what's in my work calendar tomorrow?", "work",
			"what's in my calendar tomorrow?", "what's tomorrow?", "work calendar",
		},
		{
			"move tomorrow's Work calendar events to 3", "work",
			"move tomorrow's calendar events to 3", "move tomorrow's events to 3", "Work calendar",
		},
		{
			"bloquea mañana en mi calendario de trabajo", "trabajo",
			"bloquea mañana en mi calendario", "bloquea mañana", "calendario de trabajo",
		},
		{
			"¿qué hay en el calendario personal el lunes?", "personal",
			"¿qué hay en el calendario el lunes?", "¿qué hay el lunes?", "calendario personal",
		},
		{
			"מה יש לי ביומן העבודה השבוע?", "עבודה",
			"מה יש לי ביומן השבוע?", "מה יש לי השבוע?", "ביומן העבודה",
		},
		{
			"תוסיף ליומן של המשפחה פגישה", "משפחה",
			"תוסיף ליומן פגישה", "תוסיף פגישה", "ליומן של המשפחה",
		},
	} {
		want := calendarname.Named{Name: c.name, Rest: c.rest, Without: c.without, Phrase: c.phrase}
		if got := calendarname.In(c.message); got != want {
			t.Errorf("%s: %+v, want %+v", c.message, got, want)
		}
	}
}

// A message that names no calendar, or several, stays as it is.
func TestNoCalendarOrSeveral(t *testing.T) {
	for _, message := range []string{
		"", "what's in my calendar?", "is Al's calendar open?", "mi calendario de mañana", "היומן של מחר",
		"clear my work day", "sync my work and personal calendars", "copy it to my work calendar",
		"clear my work calendar and my personal calendar",
	} {
		if got := calendarname.In(message); got != (calendarname.Named{Rest: message, Without: message}) {
			t.Errorf("%s: %+v", message, got)
		}
	}
}
