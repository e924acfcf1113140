package stages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"convene/pkg/ground"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/stages"
	"convene/stages/stagestest"
)

// makes is a planner's answer with these steps, with all that its strict schema requires.
func makes(steps string) stagestest.Answer {
	var list []map[string]any
	if err := json.Unmarshal([]byte("["+steps+"]"), &list); err != nil {
		panic(err)
	}
	for _, s := range list {
		for name, value := range map[string]any{"humanSummary": "", "dependsOn": []string{}, "condition": nil,
			"forEach": nil} {
			if _, has := s[name]; !has {
				s[name] = value
			}
		}
		if one, known := toolbox().Tool(fmt.Sprint(s["tool"])); known {
			raw, _ := json.Marshal(s["arguments"])
			if whole, err := stagestest.Whole(one.Offer(), string(raw)); err == nil {
				s["arguments"] = json.RawMessage(whole)
			}
		}
	}
	return stagestest.Answer{Function: "makePlan", Arguments: map[string]any{"name": "Plan", "steps": list}}
}

// manySteps says that a message takes several steps.
func manySteps() stagestest.Answer {
	return stagestest.Answer{Function: "classifyIntent", Arguments: map[string]any{
		"intent": "act", "acknowledgment": "Let me have a look.", "language": "en", "families": []string{},
		"requiresPlan": true,
	}}
}

// A model's plan is carried out after its check. What is wrong is repaired once; then the user is asked, and nothing is
// done.
func TestAModelPlans(t *testing.T) {
	t.Parallel()
	strict := strings.NewReplacer(`{"$from":"monday"}`, `{"$from":"monday","member":null}`)
	good := strict.Replace(mondayIs + "," + clearThem + "," + travelling)
	many := strings.Repeat(mondayIs+",", 400)
	wrong := map[string]string{
		"a cycle": `{"id":"a","tool":"calendar_findEvents","arguments":{"selection":{}},"dependsOn":["b"]},
			{"id":"b","tool":"calendar_findEvents","arguments":{"selection":{}},"dependsOn":["a"]}`,
		"an unknown tool":        `{"id":"a","tool":"calendar_burn","arguments":{}}`,
		"a tool of no agent":     `{"id":"a","tool":"system_confirmProposal","arguments":{"id":"ch_1","digest":""}}`,
		"a tool not offered":     `{"id":"a","tool":"email_deleteBatch","arguments":{}}`,
		"400 steps":              many[:len(many)-1],
		"a reference to nothing": strict.Replace(clearThem),
		"a wrong type": strict.Replace(mondayIs) + `,{"id":"n","tool":"items_count","arguments":{"items":{"$from":"monday",
			"member":null}}},
			{"id":"b","tool":"calendar_deleteEvents","arguments":{"selection":{"from":{"$from":"n","member":null}}}}`,
		"wrong arguments": `{"id":"a","tool":"calendar_deleteEvents","arguments":{"everything":true}}`,
		"no steps":        ``,
	}
	for name, steps := range wrong {
		for _, again := range []string{good, steps} {
			d := newDay(t, offline.New(offline.Options{}), monday()...)
			d.model.Say(llm.Classify, manySteps()).Say(llm.Plan, makes(steps), makes(again))
			got := d.say("clear Monday and block it for travel")
			requests := d.model.Requests()
			if len(requests) != 3 || requests[2].Repair == nil {
				t.Fatalf("%s: %d requests", name, len(requests))
			}
			if again == good {
				ends(t, got, meet.OutcomeWaiting)
				continue
			}
			ends(t, got, meet.OutcomeQuestion)
			if _, changes := find[meet.ChangesUpdate](got); changes {
				t.Errorf("%s: something is proposed", name)
			}
			d.wants(name, "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
		}
	}
}

// If the model cannot be reached, the rules read the plan.
func TestRulesPlanIfTheModelFails(t *testing.T) {
	t.Parallel()
	d := newDay(t, offline.New(offline.Options{}), monday()...)
	own := planOf(t, "", mondayIs+","+clearThem)
	d.remake(t, func(ports *stages.Ports) {
		ports.Plans = func(context.Context, ground.Message) (plan.Plan, string, bool) { return own, "", true }
	})
	d.model.Say(llm.Classify, manySteps()).Say(llm.Plan, stagestest.Answer{Err: stagestest.Unavailable()})
	got := d.say("clear Monday and block it for travel")
	ends(t, got, meet.OutcomeWaiting)
	if len(got.outcome.Receipt.Degraded) == 0 {
		t.Error("nobody is told that the model failed")
	}
}

// A plan that has not found what it needs is made anew once, by what its steps came to and by nothing that they read.
// What fails again is told; a plan of the rules is never made anew.
func TestAPlanIsMadeAnewOnce(t *testing.T) {
	t.Parallel()
	strict := strings.NewReplacer(`{"$from":"monday"}`, `{"$from":"monday","member":null}`)
	good := strict.Replace(mondayIs + "," + clearThem + "," + travelling)
	missing := `{"id":"gone","tool":"calendar_deleteEvents","arguments":{"selection":{"titleHas":["osteopath"],
		"one":true}}}`
	empty := strings.NewReplacer("05-05T", "04-29T", "05-06T", "04-30T").Replace(mondayIs)
	for name, c := range map[string]struct {
		first, again string
		requests     int
		kind         meet.OutcomeKind
	}{
		"not found":        {good + "," + missing, good, 3, meet.OutcomeWaiting},
		"not found again":  {mondayIs + "," + missing, mondayIs + "," + missing, 3, meet.OutcomePartly},
		"nothing there":    {empty + "," + strict.Replace(clearThem), good, 3, meet.OutcomeWaiting},
		"done as it is":    {good, "", 2, meet.OutcomeWaiting},
		"another question": {mondayIs + "," + missing, "?", 3, meet.OutcomePartly},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, offline.New(offline.Options{}), monday()...)
			again := makes(strings.TrimSuffix(c.again, "?"))
			if c.again == "?" {
				again = stagestest.Answer{Function: "clarify", Arguments: map[string]any{"question": "Which one?"}}
			}
			d.model.Say(llm.Classify, manySteps()).Say(llm.Plan, makes(c.first), again)
			got := d.say("clear Monday and block it for travel")
			ends(t, got, c.kind)
			requests := d.model.Requests()
			if len(requests) != c.requests || got.outcome.Receipt.ModelCalls != c.requests {
				t.Fatalf("%d requests, %d counted", len(requests), got.outcome.Receipt.ModelCalls)
			}
			if c.requests == 3 && !strings.Contains(requests[2].Data, `"attempt":[`) ||
				strings.Contains(requests[len(requests)-1].Data, "Budget") {
				t.Errorf("the model is shown %s", requests[len(requests)-1].Data)
			}
			d.wants("not written", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
			if c.kind == meet.OutcomeWaiting {
				ends(t, d.say("yes"), meet.OutcomeChanged)
				d.wants("written", "Travel 5 09:00")
			}
		})
	}
}

// A plan for something else than was asked is shown, and nothing of it is done without a yes.
func TestAPlanForSomethingElseIsOnlyShown(t *testing.T) {
	t.Parallel()
	d := newDay(t, offline.New(offline.Options{}), monday()...)
	d.model.Say(llm.Classify, manySteps()).Say(llm.Plan, makes(
		`{"id":"a","tool":"schedule_createTimeBlock","arguments":{"type":"break","title":"Nap","date":"2031-05-07",
		"startTime":"09:00","endTime":"10:00"}},
		{"id":"b","tool":"calendar_deleteEvents","arguments":{"selection":{"titleHas":["sync"],"one":true}}}`))
	got := d.say("clear Monday and block it for travel", func(t *meet.Turn) { t.AutoConfirm = true })
	ends(t, got, meet.OutcomeWaiting)
	d.wants("shown", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
	ends(t, d.say("no"), meet.OutcomeAnswered)
	d.wants("refused", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}
