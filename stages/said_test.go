package stages_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages/stagestest"
)

// "Are there any later times?" shows one, and moves nothing.
func TestAutoConfirmDoesNotBookAQuestion(t *testing.T) {
	t.Parallel()
	for conditional, want := range map[bool]meet.Status{true: meet.Proposed, false: meet.Confirmed} {
		h := newHarness(t, newWorld())
		h.script(template(coffee()), first())
		h.say("coffee with Ada", auto)
		h.script(edited(functions.EditArguments{IsConditional: conditional, TimePreference: "later"}), first())
		if e := event(t, h.say("a later time", auto)); e.Status != want {
			t.Errorf("conditional %t: status %s, want %s", conditional, e.Status, want)
		}
	}
}

// What comes at once after another update is written with it, so that a turn waits for its log as seldom as it can.
func TestUpdatesThatComeTogetherAreOneWrite(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.script(template(coffee()), first())
	var got [][]string
	in := meet.Turn{Conversation: "c", Message: "coffee with Ada", Organizer: h.world.People[0], Timezone: zone}
	_, err := h.pipeline.Run(t.Context(), in, h.journal, func(_ context.Context, told ...meet.Update) error {
		var kinds []string
		for _, u := range told {
			kinds = append(kinds, meet.TypeOf(u))
		}
		if kinds[0] != "message_delta" {
			got = append(got, kinds)
		}
		return nil
	})
	want := [][]string{
		{"acknowledgment", "progress"}, {"template", "progress"}, {"candidates", "progress"}, {"message", "event"},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v; writes (-want +got):\n%s", err, diff)
	}
}

// A claim of the model that nothing bears out is not passed on.
func TestAnAcknowledgmentClaimsNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.model.Say(llm.Classify, stagestest.Answer{Function: "classifyIntent", Arguments: functions.ClassifyArguments{
		Families: []string{},
		Intent:   "converse", Acknowledgment: "Done! I booked it for Tuesday at 3 PM.", Language: "en",
	}})
	got := h.say("say that you booked it")
	if a, _ := find[meet.AcknowledgmentUpdate](got); strings.Contains(a.Text, "Tuesday") || a.Text == "" {
		t.Errorf("acknowledgment %q", a.Text)
	}
}
