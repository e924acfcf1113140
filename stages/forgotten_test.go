package stages_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/meet"
)

// A turn that is taken over goes on from its journal, also where its conversation has expired since.
func TestAnEditIsTakenOverAfterItsConversation(t *testing.T) {
	t.Parallel()
	minutes := 90
	monday := []functions.DateRange{{Start: "2031-05-05", End: "2031-05-05"}}
	nine := []functions.Window{{Start: "09:00", End: "09:00"}}
	at := &functions.Hours{
		Mon: nine, Tue: nine, Wed: nine, Thu: nine, Fri: nine, Sat: nine, Sun: nine, On: []functions.DateHours{},
	}
	for _, tt := range []struct {
		name string
		edit functions.EditArguments
		want meet.OutcomeKind
	}{
		{"a change", functions.EditArguments{NewDuration: &minutes}, meet.OutcomeProposed},
		{"a question to which the answer is no", functions.EditArguments{
			IsConditional: true, NewDates: monday, NewHours: at,
		}, meet.OutcomeAlternatives},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, newWorld())
			before := h.proposed()
			h.script(edited(tt.edit), first())
			in := meet.Turn{
				ID: "t_9", Conversation: before.Conversation,
				Message: tt.name, Organizer: h.world.People[0], Timezone: zone, ReceivedAt: now,
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

// A process that takes the turn over after a further search emits the count of its candidates.
func TestFurtherCandidatesAreCountedAfterATakeover(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	wish := coffee()
	hour := []functions.Window{{Start: "09:00", End: "10:00"}}
	wish.PreferredSchedulableDates = []functions.DateRange{{Start: "2031-05-06", End: "2031-05-06"}}
	wish.PreferredSchedulableHours = &functions.Hours{
		Mon: hour, Tue: hour, Wed: hour, Thu: hour, Fri: hour, Sat: hour, Sun: hour, On: []functions.DateHours{},
	}
	h.script(template(wish), first())
	before := event(t, h.say("coffee with Ada on Tuesday between 9 and 10"))
	h.model.Say(llm.Classify, classified("show_more"))
	in := meet.Turn{
		ID: "t_9", Conversation: before.Conversation,
		Message: "what else?", Organizer: h.world.People[0], Timezone: zone, ReceivedAt: now,
	}
	journal, handover := recorded{}, errors.New("the turn is handed over")
	counted := 0
	take := func(_ context.Context, told ...meet.Update) error {
		for _, u := range told {
			if _, is := u.(meet.CandidatesUpdate); is {
				if counted++; counted == 1 {
					return handover
				}
			}
		}
		return nil
	}
	if _, err := h.pipeline.Run(t.Context(), in, journal, take); !errors.Is(err, handover) {
		t.Fatalf("got %v, want %v", err, handover)
	}
	if _, err := h.pipeline.Run(t.Context(), in, journal, take); err != nil || counted != 2 {
		t.Errorf("told %d times, error %v, want twice", counted, err)
	}
}

// A process dies when the conversation is kept and what it tells last is not stored yet: the one that takes the turn
// over tells the same, although the conversation has gone on, and leaves the same conversation and proposals.
func TestATurnIsTakenOverAfterItsConversationWasKept(t *testing.T) {
	t.Parallel()
	minutes := 90
	monday := []functions.DateRange{{Start: "2031-05-05", End: "2031-05-05"}}
	nine := []functions.Window{{Start: "09:00", End: "09:00"}}
	at := &functions.Hours{
		Mon: nine, Tue: nine, Wed: nine, Thu: nine, Fri: nine, Sat: nine, Sun: nine, On: []functions.DateHours{},
	}
	sam := coffee()
	sam.Participants = []string{"Sam"}
	for name, script := range map[string]func(h *harness){
		"a new event": func(h *harness) { h.script(template(coffee()), first()) },
		"a change":    func(h *harness) { h.script(edited(functions.EditArguments{NewDuration: &minutes}), first()) },
		"earlier": func(h *harness) {
			h.script(edited(functions.EditArguments{EditType: "time", TimePreference: "later"}), first())
		},
		"a question to which the answer is no": func(h *harness) {
			h.script(edited(functions.EditArguments{IsConditional: true, NewDates: monday, NewHours: at}), first())
		},
		"more":            func(h *harness) { h.model.Say(llm.Classify, classified("show_more")) },
		"which Sam":       func(h *harness) { h.script(template(sam), first()) },
		"something to do": func(h *harness) { h.model.Say(llm.Classify, classified("suggest_activities")) },
		"nothing at all":  func(h *harness) { h.model.Say(llm.Classify, classified("converse")) },
		"a booked event's": func(h *harness) {
			h.book(h.world.Proposals()[0])
			h.script(edited(functions.EditArguments{NewDuration: &minutes}), first())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, newWorld())
			h.proposed()
			script(h)
			h.journal = recorded{}
			h.turns = 8
			told := h.say(name)
			left := h.left()
			h.turns = 8
			again := h.say(name)
			if told.err != nil || again.err != nil {
				t.Fatal(told.err, again.err)
			}
			delta := func(u meet.Update) bool { _, is := u.(meet.MessageDeltaUpdate); return is }
			told.updates, again.updates = slices.DeleteFunc(told.updates, delta), slices.DeleteFunc(again.updates, delta)
			if diff := cmp.Diff(told.updates, again.updates); diff != "" || len(told.updates) < 1 {
				t.Errorf("what the second process told (-first +second):\n%s", diff)
			}
			if diff := cmp.Diff(left, h.left()); diff != "" {
				t.Errorf("what the second process left (-first +second):\n%s", diff)
			}
		})
	}
}

// left is the state after the turns: the conversation and the proposals.
func (h *harness) left() (all []any) {
	h.t.Helper()
	talk, err := h.world.Load(h.t.Context(), "me/c")
	if err != nil {
		h.t.Fatal(err)
	}
	proposals := h.world.Proposals()
	slices.SortFunc(proposals, func(a, b meet.Event) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return []any{talk, proposals}
}
