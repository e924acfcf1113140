package stages_test

import (
	"context"
	"strings"
	"testing"

	"convene/pkg/ground"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/stages"
	"convene/stages/stagestest"
)

// Words that follow an operation and cannot be read are asked about, and the operation alone is not done.
func TestWordsThatWouldBeLostAreAskedAbout(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil)
	d.remake(t, func(ports *stages.Ports) {
		ports.Plans = func(context.Context, ground.Message) (plan.Plan, string, bool) {
			return plan.Plan{}, "sing a song", false
		}
	})
	d.model.Say(llm.Classify, classified("act"))
	got := d.say("cancel the meeting and sing a song")
	ends(t, got, meet.OutcomeQuestion)
	if !strings.Contains(got.outcome.Message, "“sing a song”") {
		t.Errorf("got %q", got.outcome.Message)
	}
}

// Words beside a plan that only tell something are left aside, and the answer says so. What is to be done waits.
func TestWhatOnlyTellsSomethingIsLeftAside(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.remake(t, func(ports *stages.Ports) {
		ports.Plans = func(context.Context, ground.Message) (plan.Plan, string, bool) {
			return planOf(t, "Dentist", `{"id":"off","tool":"calendar_deleteEvents","arguments":`+
				`{"selection":{"titleHas":["dentist"],"one":true}}}`), "my tooth is fine", true
		}
	})
	d.model.Say(llm.Classify, classified("act"))
	got := d.say("cancel the dentist, my tooth is fine")
	ends(t, got, meet.OutcomeWaiting)
	if m, ok := find[meet.MessageUpdate](got); !ok || !strings.Contains(m.Text, "“my tooth is fine”") {
		t.Errorf("got %q", m.Text)
	}
	d.wants("nothing is done yet", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}

// A model's answer that does not fit, twice, is a question to the user, and no error.
func TestAnAnswerThatDoesNotFitIsAskedAbout(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	wrong := stagestest.Answer{Function: deleteThem, Raw: `{"selection":7}`}
	d.model.Say(llm.Classify, classified("act")).Say(llm.Plan, wrong, wrong)
	ends(t, d.say("only the first two"), meet.OutcomeQuestion)
	d.wants("nothing was understood", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}
