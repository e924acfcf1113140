package stages_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages/stagestest"
)

// inSpanish asks for coffee with Ada on Monday, when both of them are busy, as they are for some days from now on.
func inSpanish(t *testing.T, busy int) turn {
	t.Helper()
	h := newHarness(t, newWorld())
	for _, id := range []meet.PersonID{"me", "ada"} {
		h.world.Busy[id] = []interval.Span{interval.From(now, time.Duration(busy)*24*time.Hour)}
	}
	wish := coffee()
	wish.PreferredSchedulableDates = []functions.DateRange{{Start: "2031-05-05", End: "2031-05-05"}}
	h.model.Say(llm.Classify, stagestest.Answer{Function: "classifyIntent", Arguments: functions.ClassifyArguments{
		Families: []string{},
		Intent:   "handle_event", Acknowledgment: "Voy a mirar.", Language: "es",
	}}).Say(llm.Template, template(wish)).Say(llm.Select,
		chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
	got := h.say("Café con Ada el lunes")
	if got.err != nil {
		t.Fatal(got.err)
	}
	return got
}

// What stands against a time is said in the language of the turn, of the time that is proposed and of others on offer.
func TestConflictsFollowTheLanguageOfTheTurn(t *testing.T) {
	t.Parallel()
	e := event(t, inSpanish(t, 60))
	if len(e.Alternatives.Slots) == 0 {
		t.Error("no other time is on offer")
	}
	for _, s := range append(e.Alternatives.Slots, meet.Slot{Start: e.Start, Conflicts: e.Conflicts}) {
		var texts []string
		for _, c := range s.Conflicts {
			texts = append(texts, c.Text)
		}
		if want := []string{"tienes otro evento", "Ada tiene otro evento"}; !slices.Equal(texts, want) {
			t.Errorf("at %v: conflicts %q, want %q", s.Start, texts, want)
		}
	}
}

// So do the reasons if no time suits.
func TestReasonsFollowTheLanguageOfTheTurn(t *testing.T) {
	t.Parallel()
	found, ok := find[meet.CandidatesUpdate](inSpanish(t, 4))
	if !ok || len(found.Reasons) == 0 || !strings.HasPrefix(found.Reasons[0].Text, "con cualquier otro día hay ") {
		t.Errorf("reasons %+v", found.Reasons)
	}
}
