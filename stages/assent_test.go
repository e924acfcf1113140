package stages_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"convene/pkg/ground"
	"convene/pkg/llm/offline"
	"convene/pkg/meet"
	"convene/stages"
)

// A yes with a request after it is done first, if the turn before asked about it and the request is of something else.
func TestAYesBeforeARequest(t *testing.T) {
	t.Parallel()
	named := func(title string) ground.Reading {
		return ground.Reading{
			Deed: "event_cancel", Probability: 1, Tool: deleteThem, Names: true, Plain: true, Other: 1,
			Arguments: json.RawMessage(`{"selection":{"titleHas":["` + title + `"],"one":true}}`),
		}
	}
	for name, c := range map[string]struct {
		says []string
		done []string
	}{
		"yes":                  {[]string{"yes, and cancel the budget"}, []string{"no Sync"}},
		"ok":                   {[]string{"ok, do it and cancel the budget"}, []string{"no Sync"}},
		"sí":                   {[]string{"sí, y cancela el budget"}, []string{"no Sync"}},
		"כן":                   {[]string{"כן, ותבטל את budget"}, []string{"no Sync"}},
		"of what waits":        {[]string{"yes, and move it to friday"}, nil},
		"not asked about last": {[]string{"cancel the dentist", "yes, and cancel the budget"}, nil},
		"no yes":               {[]string{"maybe, and cancel the budget"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, offline.New(offline.Options{}), monday()...)
			d.remake(t, func(p *stages.Ports) {
				p.Ruled, p.Model = true, offline.New(offline.Options{})
				p.Ground = func(m ground.Message) ground.Reading {
					for _, title := range []string{"Budget", "Dentist", "Sync"} {
						if strings.Contains(strings.ToLower(m.Text), strings.ToLower(title)) {
							return named(title)
						}
					}
					return ground.Reading{}
				}
			})
			ends(t, d.say("delete the sync"), meet.OutcomeWaiting)
			for _, say := range c.says {
				got := d.say(say)
				if got.err != nil {
					t.Fatal(got.err)
				}
				if text := told(got); c.done != nil && (!strings.Contains(text, "Sync") || !strings.Contains(text, "Budget")) {
					t.Errorf("%s: it tells %q", say, text)
				}
			}
			if done := d.done(); !slices.Equal(done, c.done) {
				t.Errorf("done is %q, want %q", done, c.done)
			}
		})
	}
}

// A yes to a question which one is meant chooses none of them: it is asked again.
func TestAYesToAQuestionWhich(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, on(3, "10:00", "Sync design"), on(3, "12:00", "Sync sales"))
	d.plans("act", moveThem, `{"selection":{"titleHas":["sync"],"one":true},"to":{"time":"16:00"}}`)
	asked, ok := find[meet.ChoicesUpdate](d.say("move the sync to 4"))
	if !ok {
		t.Fatal("nothing is asked")
	}
	for _, yes := range []string{"yes", "sí, mándalo", "כן"} {
		if again, ok := find[meet.ChoicesUpdate](d.say(yes)); !ok || again.Question != asked.Question {
			t.Errorf("%s: asked %+v", yes, again)
		}
	}
	got := d.say("the first one")
	changes, _ := find[meet.ChangesUpdate](got)
	if all := changes.Changes.Changes; len(all) != 1 || all[0].Title != "Sync design" {
		t.Errorf("it changes %v", all)
	}
}
