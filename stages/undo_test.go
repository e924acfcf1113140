package stages_test

import (
	"testing"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/meet"
)

// Taking edits back one by one leads to the first event, whatever a model would choose: its time, length and place.
func TestEditsAreTakenBack(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	first := h.proposed()
	change := func(message string, in functions.EditArguments) meet.Event {
		h.model.Say(llm.Classify, classified("handle_event")).
			Say(llm.Template, edited(in)).
			Say(llm.Select, chosen(functions.GenerateEventArguments{
				RankedSlotIndices: []int{1, 0}, RankedPlaceIndices: []int{1, 0},
			}))
		got, ok := find[meet.EventUpdate](h.say(message))
		if !ok {
			t.Fatalf("%q proposes nothing", message)
		}
		return got.Event
	}
	same := func(message string, got, want meet.Event) {
		if !got.Start.Equal(want.Start) || !got.End.Equal(want.End) || got.Title != want.Title ||
			got.Place == nil || got.Place.ID != want.Place.ID {
			t.Errorf("%q: %s, %v to %v in %v\nwant %s, %v to %v in %v", message,
				got.Title, got.Start, got.End, got.Place, want.Title, want.Start, want.End, want.Place)
		}
		if got.UID != first.UID || got.ID == want.ID {
			t.Errorf("%q: event %s with UID %s, want a new proposal with UID %s", message, got.ID, got.UID, first.UID)
		}
	}
	lunch, restaurant, minutes := "lunch", "restaurant", 90
	second := change("lunch instead", functions.EditArguments{NewActivity: &lunch, NewPlaceType: &restaurant})
	change("an hour and a half", functions.EditArguments{NewDuration: &minutes})
	same("undo that", change("undo that", functions.EditArguments{EditType: "undo"}), second)
	same("undo", change("undo", functions.EditArguments{EditType: "undo"}), first)
	if again := change("undo", functions.EditArguments{EditType: "undo"}); !again.Start.Equal(first.Start) {
		t.Errorf("undo without anything to take back moves the event to %v", again.Start)
	}
}

func TestOneUndoAfterTheOther(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", moveThem, dentistTo4)
	ends(t, d.say("move the dentist to 4"), meet.OutcomeChanged)
	d.plans("act", moveThem, dentistTo6)
	ends(t, d.say("no, to 6"), meet.OutcomeChanged)
	for _, want := range []string{"Dentist 5 16:00", "Dentist 5 10:00"} {
		ends(t, d.say("undo"), meet.OutcomeChanged)
		d.wants("undone", "Budget 5 12:00", want, "Sync 5 15:00")
	}
	ends(t, d.say("undo"), meet.OutcomeAnswered)
	d.wants("nothing is left to undo", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}
