package stages_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages"
	"convene/stages/stagestest"
)

// reader has rules read beside the model.
func (h *harness) reader() *stagestest.Model {
	h.t.Helper()
	rules, w := stagestest.NewModel(h.t), h.world
	p, err := stages.New(stages.Ports{
		Model: h.model, Reader: rules, Calendars: stagestest.Calendars{World: w}, Agenda: w,
		Booked: stagestest.Booked{World: w}, Places: w, Activities: w,
		Contacts: w, Memory: w, Proposals: w, Confirmer: w, Now: func() time.Time { return now },
	}, stages.Config{})
	if err != nil {
		h.t.Fatal(err)
	}
	h.pipeline = p
	return rules
}

// What the rules heard is kept with what the model made of the message: a process that takes the turn over asks neither
// again, and has the same doubts. Their calls are none of the model's.
func TestTheRulesReadingIsTakenOver(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	rules := h.reader()
	thursday := coffee()
	thursday.PreferredSchedulableDates = []functions.DateRange{{Start: "2031-05-08", End: "2031-05-08"}}
	h.script(template(coffee()), first())
	rules.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(thursday))
	in := meet.Turn{
		ID: "t_1", Conversation: "c", Message: "coffee with Ada on Thursday",
		Organizer: h.world.People[0], Timezone: zone, ReceivedAt: now, AutoConfirm: true,
	}
	journal, died := recorded{}, errors.New("the process died")
	run := func(dies bool) (events []meet.Event, outcome meet.Outcome, err error) {
		outcome, err = h.pipeline.Run(t.Context(), in, journal, func(_ context.Context, told ...meet.Update) error {
			for _, u := range told {
				if _, ok := u.(meet.CandidatesUpdate); ok && dies {
					return died
				}
				if u, ok := u.(meet.EventUpdate); ok {
					events = append(events, u.Event)
				}
			}
			return nil
		})
		return events, outcome, err
	}
	if _, _, err := run(true); !errors.Is(err, died) {
		t.Fatalf("got %v, want %v", err, died)
	}
	events, outcome, err := run(false)
	if err != nil || len(events) != 1 || outcome.Kind != meet.OutcomeProposed {
		t.Fatalf("%d events, outcome %s, error %v", len(events), outcome.Kind, err)
	}
	want := []meet.Doubt{{Kind: meet.DoubtDay, Said: "on Thursday", Text: "You said “on Thursday”: please check the day."}}
	if diff := cmp.Diff(want, events[0].Doubts); diff != "" {
		t.Errorf("doubts (-want +got):\n%s", diff)
	}
	if outcome.Receipt.ModelCalls != 3 || !slices.Contains(outcome.Receipt.Degraded,
		"the event was not booked by itself: the message does not bear out the day") {
		t.Errorf("receipt %+v", outcome.Receipt)
	}
}

// Rules that cannot be asked leave everything in doubt, and nothing else.
func TestRulesThatFail(t *testing.T) {
	t.Parallel()
	for _, auto := range []bool{false, true} {
		h := newHarness(t, newWorld())
		h.reader().Say(llm.Classify, stagestest.Answer{Err: stagestest.Unavailable()})
		h.script(template(coffee()), first())
		e := event(t, h.say("coffee with Ada next week", func(turn *meet.Turn) { turn.AutoConfirm = auto }))
		if e.Status != meet.Proposed || (len(e.Doubts) > 0) != auto || len(e.Participants) != 2 {
			t.Errorf("auto %v: %s with %d participants and doubts %v", auto, e.Status, len(e.Participants), e.Doubts)
		}
	}
}
