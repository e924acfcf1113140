package stages_test

import (
	"context"
	"encoding/json"
	"testing"

	"convene/pkg/ground"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/meet"
	"convene/stages"
	"convene/stages/stagestest"
)

// down is a model that cannot be reached.
type down struct{}

func (down) Complete(context.Context, llm.Request, func(string) error) (llm.Reply, error) {
	return llm.Reply{}, stagestest.Unavailable()
}

// A turn follows what the message names if the configured model does not answer. If it does, its plan stands, compared
// with that.
func TestWhatIsNamedBesideAModel(t *testing.T) {
	t.Parallel()
	named := ground.Reading{
		Deed: "event_cancel", Probability: 1, Tool: "calendar_deleteEvents", Names: true, Plain: true, Sure: true, Other: 1,
		Arguments: json.RawMessage(`{"selection":{"titleHas":["Dentist"],"one":true}}`),
	}
	for name, c := range map[string]struct{ says, want string }{
		"the model does not answer": {"", "Dentist"},
		"the model means the same":  {`{"selection":{"titleHas":["dentist"],"one":true}}`, "Dentist"},
		"the model means another":   {syncGone, "Sync"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := offline.New(offline.Options{})
			d := newDay(t, rules, monday()...)
			d.remake(t, func(p *stages.Ports) {
				p.Ground = func(ground.Message) ground.Reading { return named }
				if c.says == "" {
					p.Model = &llm.Fallback{Primary: down{}, Secondary: rules}
				}
			})
			if c.says != "" {
				d.plans("act", deleteThem, c.says)
			}
			got := d.say("the dentist is off the table")
			ends(t, got, meet.OutcomeWaiting)
			asked, _ := find[meet.ChangesUpdate](got)
			if all := asked.Changes.Changes; len(all) != 1 || all[0].Title != c.want {
				t.Errorf("asks for %v, want %q", all, c.want)
			}
		})
	}
}
