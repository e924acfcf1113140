package stages_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"convene/pkg/change"
	"convene/pkg/ground"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/pkg/workflow"
	"convene/stages"
	"convene/stages/stagestest"
)

const moveAndBlock = `{"id":"move","tool":"calendar_moveEvents","humanSummary":"Move the dentist",
	"arguments":` + dentistTo4 + `},
	{"id":"write","tool":"schedule_createTimeBlock","humanSummary":"Block time for writing","arguments":{"type":"work",
	"title":"Write","date":"2031-05-07","startTime":"09:00","endTime":"10:00"},"dependsOn":["move"]}`

// saying is a turn whose message a model reads as a plan of several steps.
func (d *dayHarness) saying(message, steps string) turn {
	d.t.Helper()
	d.reads(planOf(d.t, "Plan", steps))
	d.model.Say(llm.Classify, classified("act"))
	return d.say(message)
}

// always reads this plan in each message.
func always(p plan.Plan) func(context.Context, ground.Message) (plan.Plan, string, bool) {
	return func(context.Context, ground.Message) (plan.Plan, string, bool) { return p, "", true }
}

// runs are those of the organizer, the newest first.
func (d *dayHarness) runs() []workflow.Record {
	d.t.Helper()
	list, err := d.day.Runs.Runs(d.t.Context(), "me", 100)
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

// A plan is saved by the words that made it, and run by reading them anew; what it changes waits for a yes.
func TestAPlanIsSavedAndRun(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	ends(t, d.saying("move the dentist, then block time to write", moveAndBlock), meet.OutcomeWaiting)
	got := d.say("save this as Catching up")
	ends(t, got, meet.OutcomeChanged)
	if !strings.Contains(got.outcome.Message, "“move the dentist, then block time to write”") {
		t.Errorf("saved %s", got.outcome.Message)
	}
	if message, _ := find[meet.MessageUpdate](got); !strings.Contains(message.Text, "Shall I?") {
		t.Errorf("what waits is not shown again: %s", message.Text)
	}
	d.say("undo")
	if got := d.say("what workflows do I have?"); !strings.Contains(got.outcome.Message, "saved no workflow yet") {
		t.Errorf("undo takes back %s", got.outcome.Message)
	}
	ends(t, d.say("save this as Catching up"), meet.OutcomeChanged)
	ends(t, d.say("yes"), meet.OutcomeWaiting) // it was not shown right before
	ends(t, d.say("yes"), meet.OutcomeChanged)
	d.wants("after a yes", "Budget 5 12:00", "Dentist 5 16:00", "Sync 5 15:00", "Write 7 09:00")
	d.say("undo")
	d.say("undo")
	missing := d.say("run the workflow Catching up")
	ends(t, missing, meet.OutcomeAnswered)
	ends(t, d.say("save this as Catching up"), meet.OutcomeChanged)
	d.model.Say(llm.Classify, classified("act"))
	got = d.say("run catching up")
	ends(t, got, meet.OutcomeWaiting)
	p, _ := find[meet.PlanUpdate](got)
	if p.Name != "Plan" && p.Name != "Catching up" {
		t.Errorf("the plan is %q", p.Name)
	}
	d.wants("before a yes", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
	ends(t, d.say("no"), meet.OutcomeAnswered)
	runs := d.runs()
	if len(runs) != 2 || runs[0].Workflow != "Catching up" && runs[1].Workflow != "Catching up" {
		t.Errorf("runs %+v", runs)
	}
}

// Where today's reading takes other steps than the one that was saved, it is said.
func TestOtherStepsAreSaid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps string
		says  bool
	}{"the same": {moveAndBlock, false}, "others": {mondayIs + "," + clearThem, true}} {
		d := newDay(t, nil, monday()...)
		d.saying("move the dentist, then block time to write", moveAndBlock)
		ends(t, d.say("save this as Catching up"), meet.OutcomeChanged)
		d.reads(planOf(t, "Plan", c.steps))
		d.model.Say(llm.Classify, classified("act"))
		message, _ := find[meet.MessageUpdate](d.say("run catching up"))
		if got := strings.Contains(message.Text, "takes other steps"); got != c.says {
			t.Errorf("%s: %s", name, message.Text)
		}
	}
}

// A single call can be saved too, unless it means what was shown before; and nothing is saved where nothing was asked.
func TestWhatCanBeSaved(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	for _, message := range []string{"save this as Nothing", "save this as a workflow called Nothing"} {
		if got := d.say(message); !strings.Contains(got.outcome.Message, "nothing here that could be saved") {
			t.Errorf("%s: %s", message, got.outcome.Message)
		}
	}
	d.plans("look", "calendar_findEvents", clearMonday)
	d.say("what's on Monday?")
	ends(t, d.say("save this as Mondays"), meet.OutcomeChanged)
	d.plans("act", moveThem, `{"selection":{"from":["shown"]},"to":{"time":"16:00"}}`)
	d.say("move them to 4")
	got := d.say("save this as Later")
	if !strings.Contains(got.outcome.Message, "means nothing without") {
		t.Errorf("saved: %s", got.outcome.Message)
	}
}

// A request of its own is no answer to a free question; it is done, and the plan goes on waiting.
func TestARequestIsNoAnswerInWords(t *testing.T) {
	t.Parallel()
	asks := `{"id":"name","tool":"system_askFor","humanSummary":"Ask","arguments":{"question":"What is it called?"}},
		{"id":"write","tool":"schedule_createTimeBlock","humanSummary":"Block","arguments":{"type":"work",
		"title":{"$from":"name"},"date":"2031-05-07","startTime":"09:00","endTime":"10:00"}}`
	for message, answer := range map[string]bool{"Deep work": true, "when is the dentist?": false} {
		d := newDay(t, nil, monday()...)
		d.remake(t, func(p *stages.Ports) {
			p.Plans = always(planOf(t, "Name", asks))
			p.Sure = func(string, []meet.Exchange, bool, meet.Intent) float64 { return 0.1 }
		})
		d.model.Say(llm.Classify, classified("act"))
		ends(t, d.say("block some time"), meet.OutcomeWaiting)
		if !answer {
			d.remake(t, func(p *stages.Ports) {
				p.Sure = func(_ string, _ []meet.Exchange, _ bool, intent meet.Intent) float64 {
					return map[meet.Intent]float64{meet.Look: 0.99}[intent]
				}
			})
			d.plans("look", "calendar_findEvents", `{"selection":{"titleHas":["dentist"]}}`)
		}
		got := d.say(message)
		set, _ := find[meet.ChangesUpdate](got)
		told, _ := find[meet.MessageUpdate](got)
		if taken := len(set.Changes.Changes) == 1; taken != answer || answer == strings.Contains(told.Text, "still waits") {
			t.Errorf("%s: %s", message, told.Text)
		}
	}
}

// A run that waits can be continued in another conversation, once.
func TestARunGoesOnInAnotherConversation(t *testing.T) {
	t.Parallel()
	d, asked, id := waitingDay(t)
	elsewhere := func(turn *meet.Turn) { turn.Conversation = "another" }
	got := d.say("continue with the plan", elsewhere)
	ends(t, got, meet.OutcomeWaiting)
	again, _ := find[meet.ChoicesUpdate](got)
	if again.ID != asked.ID || len(again.Options) != 2 {
		t.Fatalf("asked %+v, first %+v", again, asked)
	}
	got = d.say("the second one", elsewhere)
	ends(t, got, meet.OutcomeWaiting)
	if p, _ := find[meet.PlanUpdate](got); p.PlanID != id {
		t.Errorf("another plan goes on: %+v", p)
	}
	got = d.say("the second one")
	ends(t, got, meet.OutcomeAnswered)
	if p, told := find[meet.PlanUpdate](got); told {
		t.Errorf("it goes on twice: %+v", p)
	}
	byRun := func(turn *meet.Turn) {
		turn.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[1].ID, Run: id}
	}
	if got := d.say("", byRun, func(turn *meet.Turn) { turn.Conversation = "third" }); got.err == nil {
		t.Errorf("an answer to a run that is over: %+v", got.outcome)
	}
}

// A turn that took a run and fails lets it wait again.
func TestARunWaitsAgainAfterItsTurnFailed(t *testing.T) {
	t.Parallel()
	d, asked, id := waitingDay(t)
	press := func(turn *meet.Turn) {
		turn.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[1].ID, Run: id}
	}
	d.remake(t, func(p *stages.Ports) { p.Changes = broken{d.day} })
	if got := d.say("", press); got.err == nil {
		t.Fatalf("the broken desk took it: %+v", got.outcome)
	}
	if r := d.runs()[0]; r.Status != workflow.Waiting || r.Tries != 1 {
		t.Fatalf("the run is %s, tries %d", r.Status, r.Tries)
	}
	d.remake(t, func(p *stages.Ports) { p.Changes = d.day })
	ends(t, d.say("", press), meet.OutcomeWaiting)
}

// broken is a day whose desk takes no changes.
type broken struct{ *stagestest.Day }

func (b broken) Of(t meet.Turn) stages.OwnChanges { return noDesk{b.Day.Of(t)} }

type noDesk struct{ stages.OwnChanges }

// A run whose first turn is cut short has failed.
func TestARunFailsWithItsTurn(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.remake(t, func(p *stages.Ports) {
		p.Changes = broken{d.day}
		p.Plans = always(planOf(t, "Plan", moveAndBlock))
	})
	d.model.Say(llm.Classify, classified("act"))
	if got := d.say("move the dentist, then block time"); got.err == nil {
		t.Fatalf("the broken desk took it: %+v", got.outcome)
	}
	if r := d.runs()[0]; r.Status != workflow.Failed || r.State != nil {
		t.Errorf("the run is %s", r.Status)
	}
}

// What has lapsed can be started again by a choice.
func TestWhatHasLapsedStartsAgain(t *testing.T) {
	t.Parallel()
	d, asked, _ := waitingDay(t)
	d.remake(t, func(ports *stages.Ports) { ports.Now = func() time.Time { return now.Add(25 * time.Hour) } })
	d.say("", func(turn *meet.Turn) { turn.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[1].ID} })
	d.remake(t, func(ports *stages.Ports) {
		ports.Now = func() time.Time { return now.Add(25 * time.Hour) }
		ports.Plans = always(planOf(t, "Sync", twoSyncs))
	})
	d.model.Say(llm.Classify, classified("act"))
	got := d.say("the first one")
	ends(t, got, meet.OutcomeWaiting)
	if again, _ := find[meet.ChoicesUpdate](got); len(again.Options) != 2 || again.ID == asked.ID {
		t.Errorf("asked %+v", again)
	}
	if runs := d.runs(); len(runs) != 2 || runs[0].Words != runs[1].Words {
		t.Errorf("runs %+v", runs)
	}
}

var errDesk = errors.New("no desk")

func (noDesk) Propose(context.Context, change.Draft) (meet.ChangeSet, *meet.Applied, error) {
	return meet.ChangeSet{}, nil, errDesk
}
