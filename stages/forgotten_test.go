package stages_test

import (
	"context"
	"errors"
	"testing"

	"convene/functions"
	"convene/pkg/meet"
)

// A turn that is taken over goes on from its journal, also where its conversation has expired since.
func TestAnEditIsTakenOverAfterItsConversation(t *testing.T) {
	t.Parallel()
	minutes := 90
	monday := []functions.DateRange{{Start: "2031-05-05", End: "2031-05-05"}}
	nine := []functions.Window{{Start: "09:00", End: "09:00"}}
	at := &functions.Hours{Mon: nine, Tue: nine, Wed: nine, Thu: nine, Fri: nine, Sat: nine, Sun: nine, On: []functions.DateHours{}}
	for _, tt := range []struct {
		name string
		edit functions.EditArguments
		want meet.OutcomeKind
	}{
		{"a change", functions.EditArguments{NewDuration: &minutes}, meet.OutcomeProposed},
		{"a question to which the answer is no", functions.EditArguments{IsConditional: true, NewDates: monday, NewHours: at}, meet.OutcomeAlternatives},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, newWorld())
			before := h.proposed()
			h.script(edited(tt.edit), first())
			in := meet.Turn{
				ID: "t_9", Conversation: before.Conversation, Message: tt.name, Organizer: h.world.People[0], Timezone: zone, ReceivedAt: now,
			}
			journal, died := recorded{}, errors.New("the process died")
			_, err := h.pipeline.Run(t.Context(), in, journal, func(_ context.Context, told ...meet.Update) error {
				for _, u := range told {
					if _, counted := u.(meet.CandidatesUpdate); counted {
						return died
					}
				}
				return nil
			})
			if !errors.Is(err, died) {
				t.Fatalf("got %v, want %v", err, died)
			}
			h.world.Forget()
			var event meet.Event
			outcome, err := h.pipeline.Run(t.Context(), in, journal, func(_ context.Context, told ...meet.Update) error {
				for _, u := range told {
					if u, ok := u.(meet.EventUpdate); ok {
						event = u.Event
					}
				}
				return nil
			})
			if err != nil || outcome.Kind != tt.want {
				t.Fatalf("outcome %s, error %v, want %s", outcome.Kind, err, tt.want)
			}
			if tt.want == meet.OutcomeProposed && (event.UID != before.UID || event.Replaces != before.ID) {
				t.Errorf("%s replaces %s, want the same event as before", event.UID, event.Replaces)
			}
			talk, err := h.world.Load(t.Context(), "me/c")
			if err != nil || talk.Search == nil {
				t.Errorf("nothing is left of the conversation: %v", err)
			}
		})
	}
}
