package stages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/change"
	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/stages"
	"convene/stages/stagestest"
)

// planOf is a plan of these steps.
func planOf(t testing.TB, name, steps string) plan.Plan {
	t.Helper()
	var p plan.Plan
	if err := json.Unmarshal([]byte(`{"name":"`+name+`","steps":[`+steps+`]}`), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// reads is a day whose rules read this plan in each message that has the word "then".
func (d *dayHarness) reads(p plan.Plan) {
	d.t.Helper()
	d.remake(d.t, func(ports *stages.Ports) {
		ports.Plans = func(m ground.Message) (plan.Plan, string, bool) {
			return p, "", strings.Contains(m.Text, "then")
		}
	})
}

// does is a turn whose message the rules read as the plan.
func (d *dayHarness) does(with ...func(*meet.Turn)) turn {
	d.t.Helper()
	d.model.Say(llm.Classify, classified("act"))
	return d.say("do this, then that", with...)
}

const mondayIs = `{"id":"monday","tool":"calendar_findEvents","humanSummary":"Find what is on Monday",
	"arguments":{"selection":{"window":{"start":"2031-05-05T00:00","end":"2031-05-06T00:00"}}}}`

const clearThem = `{"id":"clear","tool":"calendar_deleteEvents","humanSummary":"Clear Monday",
	"arguments":{"selection":{"from":{"$from":"monday"}}}}`

const travelling = `{"id":"travel","tool":"schedule_createTimeBlock","humanSummary":"Block Monday for travel",
	"arguments":{"type":"blocked","title":"Travel","date":"2031-05-05","startTime":"09:00","endTime":"18:00"},
	"dependsOn":["clear"]}`

const people = `{"id":"people","tool":"items_attendees","arguments":{"items":{"$from":"monday"}}}`

const telling = `{"id":"tell","tool":"calendar_notifyAttendees","humanSummary":"Tell them",
	"arguments":{"people":{"$from":"people"},"subject":"Monday","text":"I am away on Monday."},"dependsOn":["clear"]}`

// What a plan of several steps would do is shown and asked for once, all or nothing of it is done, and it can be
// undone.
func TestAPlanIsCarriedOut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		answer string
		kind   meet.OutcomeKind
		want   []string
	}{
		{"yes", meet.OutcomeChanged, []string{"Travel 5 09:00"}},
		{"no", meet.OutcomeAnswered, []string{"Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00"}},
	} {
		t.Run(tt.answer, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, nil, monday()...)
			d.reads(planOf(t, "Clear Monday", mondayIs+","+clearThem+","+travelling))
			got := d.does()
			ends(t, got, meet.OutcomeWaiting)
			d.wants("asked", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
			set, _ := find[meet.ChangesUpdate](got)
			if n := len(set.Changes.Changes); n != 4 || set.Changes.PlanID == "" {
				t.Fatalf("%d changes of plan %q", n, set.Changes.PlanID)
			}
			if last := set.Changes.Changes[3]; last.Title != "Travel" || len(last.DependsOn) != 3 {
				t.Errorf("the block %q is made after %v", last.Title, last.DependsOn)
			}
			var told []string
			for _, u := range got.updates {
				if p, ok := u.(meet.PlanUpdate); ok {
					told = append(told, statuses(p))
				}
			}
			want := []string{"running pending pending", "completed running pending", "completed completed running",
				"completed completed completed"}
			if diff := cmp.Diff(want, told); diff != "" {
				t.Errorf("the plan (-want +got):\n%s", diff)
			}
			ends(t, d.say(tt.answer), tt.kind)
			d.wants("answered", tt.want...)
		})
	}
}

func statuses(p meet.PlanUpdate) string {
	var all []string
	for _, s := range p.Steps {
		all = append(all, s.Status)
	}
	return strings.Join(all, " ")
}

// Later steps see what earlier ones would change, and no others.
func TestStepsSeeEarlierChanges(t *testing.T) {
	t.Parallel()
	again := strings.Replace(mondayIs, `"monday"`, `"left"`, 1)
	for name, c := range map[string]struct {
		steps string
		want  int
	}{
		"listed after":  {mondayIs + "," + clearThem + "," + again, 0},
		"listed before": {again + "," + mondayIs + "," + clearThem, 3},
	} {
		d := newDay(t, nil, monday()...)
		d.reads(planOf(t, "", c.steps))
		got := d.does()
		result, ok := find[meet.ResultUpdate](got)
		var data struct{ Count int }
		if err := json.Unmarshal(result.Response.Data,
			&data); err != nil || !ok || result.Step != "left" || data.Count != c.want {
			t.Errorf("%s: step %s counts %d events (%v), want %d", name, result.Step, data.Count, err, c.want)
		}
	}
}

// What cannot be done is told with the reason, and the rest goes on.
func TestAStepThatFails(t *testing.T) {
	t.Parallel()
	plumber := `{"id":"clear","tool":"calendar_deleteEvents","humanSummary":"Cancel the plumber",
		"arguments":{"selection":{"titleHas":["plumber"],"one":true}}}`
	tuesday := strings.NewReplacer(`"monday"`, `"tuesday"`, "05-05", "05-06", "05-06T00:00\"}",
		"05-07T00:00\"}").Replace(mondayIs)
	free := `{"id":"free","tool":"schedule_createTimeBlock","humanSummary":"Block Wednesday","arguments":{"type":"work",
		"title":"Write","date":"2031-05-07","startTime":"09:00","endTime":"10:00"}}`
	for name, c := range map[string]struct {
		steps    string
		families []string
		statuses string
		text     []string
		kind     meet.OutcomeKind
		changes  int
	}{
		"fails": {plumber + "," + travelling + "," + free, nil, "failed blocked completed",
			[]string{"Not done: Cancel the plumber.", "Not done, because a step before it was not: Block Monday for travel",
				"Write"},
			meet.OutcomeWaiting, 1},
		"finds nothing": {tuesday + "," + strings.Replace(clearThem, `"monday"`, `"tuesday"`, 1) + "," + free, nil,
			"completed skipped completed", []string{"Not done: Clear Monday. There is nothing to do it with."},
			meet.OutcomeWaiting, 1},
		"is not needed": {mondayIs + "," + strings.TrimSuffix(free, "}") + `,"condition":{"$from":"monday","is":"empty"}}`,
			nil,
			"completed skipped", []string{"Not needed: Block Wednesday"}, meet.OutcomeAnswered, 0},
		"may not be used": {plumber + "," + free, []string{"schedule"}, "blocked completed",
			[]string{"Not done: Cancel the plumber. This needs the tools of the family calendar"}, meet.OutcomeWaiting, 1},
		"all fail": {plumber, nil, "", []string{"plumber"}, meet.OutcomeAnswered, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, nil, monday()...)
			d.reads(planOf(t, "", c.steps))
			got := d.does(func(turn *meet.Turn) { turn.Families = c.families })
			ends(t, got, c.kind)
			set, _ := find[meet.ChangesUpdate](got)
			if n := len(set.Changes.Changes); n != c.changes {
				t.Errorf("%d changes, want %d", n, c.changes)
			}
			last := ""
			for _, u := range got.updates {
				if p, ok := u.(meet.PlanUpdate); ok {
					last = statuses(p)
				}
			}
			if last != c.statuses {
				t.Errorf("the steps are %q, want %q", last, c.statuses)
			}
			for _, text := range c.text {
				if !strings.Contains(got.outcome.Message, text) {
					t.Errorf("the message lacks %q:\n%s", text, got.outcome.Message)
				}
			}
			d.wants("asked", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
		})
	}
}

// A step runs for each thing that another one gives, with changes of their own.
func TestForEach(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.reads(planOf(t, "", mondayIs+`,{"id":"prepare","tool":"calendar_createEvents","humanSummary":"Prepare each",
		"arguments":{"events":[{"title":{"$item":"title"},"start":"2031-05-04T10:00","durationMinutes":15}]},
		"forEach":{"$from":"monday"}}`))
	ends(t, d.does(), meet.OutcomeWaiting)
	ends(t, d.say("yes"), meet.OutcomeChanged)
	d.wants("done", "Budget 4 10:00", "Budget 5 12:00", "Dentist 4 10:00", "Dentist 5 10:00", "Sync 4 10:00",
		"Sync 5 15:00")
}

// Guests of events that are deleted are written to, though nobody named their addresses; the letters go with the set.
func TestGuestsOfDeletedEventsAreTold(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, on(3, "10:00", "Budget", "Zoe"))
	d.day.Receives("me")
	d.world.People[0].Email = "mia@example.com"
	d.reads(planOf(t, "", mondayIs+","+people+","+clearThem+","+telling))
	got := d.does()
	ends(t, got, meet.OutcomeWaiting)
	set, _ := find[meet.ChangesUpdate](got)
	if len(set.Changes.Changes) != 2 || !strings.Contains(got.outcome.Message, "zoe@example.com") {
		t.Errorf("%d changes\n%s", len(set.Changes.Changes), got.outcome.Message)
	}
}

// kept is a journal that several steps may write to, in its order.
type kept struct {
	mu    sync.Mutex
	paths []string
	steps map[string][]byte
}

func (k *kept) Begin(path string) ([]byte, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	raw, ok := k.steps[path]
	return raw, ok
}

func (k *kept) Finish(path string, raw []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.steps == nil {
		k.steps = map[string][]byte{}
	}
	k.paths, k.steps[path] = append(k.paths, path), raw
}

func (k *kept) Settle() error { return nil }

// Wherever a process dies, the next one repeats no step, and gives the same updates and the same set.
func TestAPlanIsTakenOverAfterAnyStep(t *testing.T) {
	t.Parallel()
	steps := mondayIs + "," + people + "," + clearThem + "," + travelling +
		`,{"id":"rest","tool":"calendar_findEvents","arguments":{"selection":{"window":{"start":"2031-05-05",
			"end":"2031-05-06"}}}},
		{"id":"each","tool":"calendar_createEvents","forEach":{"$from":"monday"},"arguments":{"events":[
		{"title":{"$item":"title"},"start":"2031-05-04T10:00","durationMinutes":15}]}}`
	attempt := func(journal *kept) []string {
		d := newDay(t, nil, monday()...)
		var drafts []string
		d.ports.Changes = noting{d.day, &drafts}
		d.reads(planOf(t, "Clear Monday", steps))
		d.journal = journal
		got := d.does()
		ends(t, got, meet.OutcomeWaiting)
		var lines []string
		for _, u := range got.updates {
			raw, err := meet.MarshalUpdate(timeless(u))
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(raw))
		}
		return append(lines, drafts...)
	}
	whole := &kept{}
	want := attempt(whole)
	if len(whole.paths) < 12 {
		t.Fatalf("the journal has only %v", whole.paths)
	}
	for n := range whole.paths {
		if whole.paths[n] == "changes" { // from here on the desk has the set
			break
		}
		cut := &kept{}
		for _, path := range whole.paths[:n] {
			cut.Finish(path, whole.steps[path])
		}
		if diff := cmp.Diff(want, attempt(cut)); diff != "" {
			t.Fatalf("taken over after %v (-whole +taken over):\n%s", cut.paths[:n], diff)
		}
		if diff := cmp.Diff(whole.paths, cut.paths); diff != "" {
			t.Fatalf("steps after a takeover (-whole +taken over):\n%s", diff)
		}
	}
}

// noting are change sets whose drafts are noted, with what applying them does.
type noting struct {
	stages.Changes
	drafts *[]string
}

func (n noting) Of(t meet.Turn) stages.OwnChanges { return notingOwn{n.Changes.Of(t), n.drafts} }

type notingOwn struct {
	stages.OwnChanges
	drafts *[]string
}

func (n notingOwn) Propose(ctx context.Context, draft change.Draft) (meet.ChangeSet, *meet.Applied, error) {
	for _, c := range draft.Changes {
		*n.drafts = append(*n.drafts, c.ID+" "+strings.Join(c.DependsOn, ",")+" "+string(c.Deed))
	}
	return n.OwnChanges.Propose(ctx, draft)
}

// timeless is an update without what differs from run to run.
func timeless(u meet.Update) meet.Update {
	switch u := u.(type) {
	case meet.PlanUpdate:
		u.Steps = slices.Clone(u.Steps)
		for i := range u.Steps {
			u.Steps[i].Milliseconds = 0
		}
		return u
	case meet.ResultUpdate:
		u.Response.Metadata.ExecutionTime = 0
		return u
	case meet.ChangesUpdate:
		u.Changes.ExpiresAt, u.Changes.Digest = time.Time{}, ""
		return u
	}
	return u
}

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
func manySteps(families ...string) stagestest.Answer {
	return stagestest.Answer{Function: "classifyIntent", Arguments: map[string]any{
		"intent": "act", "acknowledgment": "Let me have a look.", "language": "en", "families": append([]string{},
			families...),
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
		ports.Plans = func(ground.Message) (plan.Plan, string, bool) { return own, "", true }
	})
	d.model.Say(llm.Classify, manySteps()).Say(llm.Plan, stagestest.Answer{Err: stagestest.Unavailable()})
	got := d.say("clear Monday and block it for travel")
	ends(t, got, meet.OutcomeWaiting)
	if len(got.outcome.Receipt.Degraded) == 0 {
		t.Error("nobody is told that the model failed")
	}
}

// slowly is a day whose calendar takes a while for each reading.
type slowly struct {
	*stagestest.Day
	takes time.Duration
}

func (s slowly) World(ctx context.Context, t meet.Turn, now time.Time, language string) (*world.World, error) {
	w, err := s.Day.World(ctx, t, now, language)
	w.Agenda = agenda.NewCopy(late{s.Day, s.takes}, t.Organizer)
	return w, err
}

type late struct {
	*stagestest.Day
	takes time.Duration
}

func (l late) Events(ctx context.Context, p meet.Person, span interval.Span) ([]meet.Occurrence, error) {
	select {
	case <-time.After(l.takes):
	case <-ctx.Done():
	}
	return l.Day.Events(ctx, p, span)
}

// Twenty independent reads of 100 ms each take about as long as one of them.
func BenchmarkTwentyReads(b *testing.B) {
	var steps []string
	for i := range 20 {
		steps = append(steps, strings.Replace(mondayIs, `"monday"`, fmt.Sprintf(`"s%d"`, i), 1))
	}
	own := planOf(b, "", strings.Join(steps, ","))
	for _, takes := range []time.Duration{0, 100 * time.Millisecond} {
		b.Run(takes.String(), func(b *testing.B) {
			d := newDay(b, nil, monday()...)
			d.remake(b, func(ports *stages.Ports) {
				ports.Worlds = slowly{d.day, takes}
				ports.Plans = func(ground.Message) (plan.Plan, string, bool) { return own, "", true }
			})
			for b.Loop() {
				d.does()
			}
		})
	}
}
