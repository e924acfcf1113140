package stages_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/stages"
	"convene/stages/stagestest"
)

// planOf is a plan of these steps.
func planOf(tb testing.TB, name, steps string) plan.Plan {
	tb.Helper()
	var p plan.Plan
	if err := json.Unmarshal([]byte(`{"name":"`+name+`","steps":[`+steps+`]}`), &p); err != nil {
		tb.Fatal(err)
	}
	return p
}

// reads is a day whose rules read this plan in each message that has the word "then".
func (d *dayHarness) reads(p plan.Plan) {
	d.t.Helper()
	d.remake(d.t, func(ports *stages.Ports) {
		ports.Plans = func(_ context.Context, m ground.Message) (plan.Plan, string, bool) {
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
			if first, last := told[0], told[len(told)-1]; first != "running pending pending" ||
				last != "completed completed completed" {
				t.Errorf("the plan is told as %q", told)
			}
			ends(t, d.say(tt.answer), tt.kind)
			d.wants("answered", tt.want...)
		})
	}
}

// What a program's user has said whole is done at once, also if a branch of it is not needed.
func TestAPlanWithABranchIsDoneAtOnce(t *testing.T) {
	t.Parallel()
	for title, want := range map[string][]string{
		"yoga":    {"Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00", "Yoga 7 09:00"},
		"dentist": {"Budget 5 12:00", "Sync 5 15:00"},
	} {
		d := newDay(t, nil, monday()...)
		d.reads(planOf(t, "", `{"id":"there","tool":"calendar_findEvents","arguments":{"selection":{
			"titleHas":["`+title+`"]}}},
			{"id":"gone","tool":"calendar_deleteEvents","condition":{"$from":"there","is":"not empty"},
			"arguments":{"selection":{"titleHas":["`+title+`"],"one":true}}},
			{"id":"new","tool":"calendar_createEvents","condition":{"$from":"there","is":"empty"},"arguments":{"events":[
			{"title":"Yoga","start":"2031-05-07T09:00","durationMinutes":30}]}}`))
		ends(t, d.does(func(t *meet.Turn) { t.AutoConfirm = true }), meet.OutcomeChanged)
		d.wants(title, want...)
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

// What could not all be read is told, and no condition of it holds.
func TestStepsOfWhatIsUnread(t *testing.T) {
	t.Parallel()
	free := `,{"id":"free","tool":"schedule_createTimeBlock","humanSummary":"Block Wednesday","arguments":{"type":"work",
		"title":"Write","date":"2031-05-07","startTime":"09:00","endTime":"10:00"},
		"condition":{"$from":"monday","is":"not empty"}}`
	d := newDay(t, nil, monday()...)
	d.ports.Worlds = partly{d.day}
	d.reads(planOf(t, "", mondayIs+","+clearThem+free))
	got := d.does()
	ends(t, got, meet.OutcomeWaiting)
	for _, want := range []string{
		"Find what is on Monday. Not all of it could be read.", "Not done: Block Wednesday. Not all of it could be read.",
	} {
		if !strings.Contains(got.outcome.Message, want) {
			t.Errorf("the message lacks %q:\n%s", want, got.outcome.Message)
		}
	}
}

// partly is a day with a calendar that cannot be read beside another one.
type partly struct{ *stagestest.Day }

func (p partly) World(ctx context.Context, t meet.Turn, now time.Time, language string) (*world.World, error) {
	w, err := p.Day.World(ctx, t, now, language)
	w.Agenda = agenda.NewCopy(half(p), t.Organizer)
	return w, err
}

type half partly

func (h half) Events(ctx context.Context, p meet.Person, span interval.Span) ([]meet.Occurrence, error) {
	events, err := h.Day.Events(ctx, p, span)
	return events, errors.Join(err, errors.New("a calendar could not be reached"))
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

// reading is a day whose calendar is read through a function, for the spans of a plan's steps.
type reading struct {
	*stagestest.Day
	read func(context.Context) error
}

func (r reading) World(ctx context.Context, t meet.Turn, now time.Time, language string) (*world.World, error) {
	w, err := r.Day.World(ctx, t, now, language)
	w.Agenda = agenda.NewCopy(through(r), t.Organizer)
	return w, err
}

type through reading

func (r through) Events(ctx context.Context, p meet.Person, span interval.Span) ([]meet.Occurrence, error) {
	if span.Duration() <= 24*time.Hour {
		if err := r.read(ctx); err != nil {
			return nil, err
		}
	}
	return r.Day.Events(ctx, p, span)
}

// What fails for a moment is tried again; what takes too long fails alone, and so does a turn whose step panics.
func TestAStepIsTriedAgain(t *testing.T) {
	t.Parallel()
	down := errors.New("the calendar could not be reached")
	for name, c := range map[string]struct {
		read  func(tries int) func(context.Context) error
		want  string
		fails bool
	}{
		"once":   {func(n int) func(context.Context) error { return failing(n == 1, down) }, "completed", false},
		"always": {func(int) func(context.Context) error { return failing(true, down) }, "failed", false},
		"hangs": {func(int) func(context.Context) error {
			return func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		}, "failed", false},
		"panics": {func(int) func(context.Context) error { return func(context.Context) error { panic("no") } }, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d, tries := newDay(t, nil, monday()...), 0
				d.ports.Worlds = reading{d.day, func(ctx context.Context) error {
					tries++
					return c.read(tries)(ctx)
				}}
				d.reads(planOf(t, "", mondayIs+`,{"id":"rest","tool":"items_count","arguments":{"items":[]}}`))
				got := d.does()
				if c.fails != (got.err != nil) {
					t.Fatalf("the turn ends with %v", got.err)
				}
				last := ""
				for _, u := range got.updates {
					if p, ok := u.(meet.PlanUpdate); ok && !meet.Interim(u) {
						last = p.Steps[0].Status
					}
				}
				if last != c.want {
					t.Errorf("the step is %q after %d tries, want %q", last, tries, c.want)
				}
			})
		})
	}
}

// What a step costs beside its tool: the turns differ in the number of steps that do nothing.
func BenchmarkSteps(b *testing.B) {
	took := map[int]time.Duration{}
	for _, n := range []int{2, 40} {
		steps := make([]string, n)
		for i := range steps {
			steps[i] = fmt.Sprintf(`{"id":"s%d","tool":"items_count","arguments":{"items":[]}}`, i)
		}
		d := newDay(b, nil, monday()...)
		d.reads(planOf(b, "", strings.Join(steps, ",")))
		b.Run(fmt.Sprint(n, " steps"), func(b *testing.B) {
			for b.Loop() {
				d.does()
			}
			took[n] = b.Elapsed() / time.Duration(b.N)
		})
	}
	b.Logf("%v a step", (took[40]-took[2])/38)
}

func failing(fails bool, err error) func(context.Context) error {
	return func(context.Context) error {
		if fails {
			return err
		}
		return nil
	}
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
				ports.Worlds = reading{d.day, func(ctx context.Context) error {
					select {
					case <-time.After(takes):
					case <-ctx.Done():
					}
					return ctx.Err()
				}}
				ports.Plans = func(context.Context, ground.Message) (plan.Plan, string, bool) { return own, "", true }
			})
			for b.Loop() {
				d.does()
			}
		})
	}
}

// Later steps change what earlier ones make or change, and all of it is written in order.
func TestStepsChangeTheSameThing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps string
		want  []string
	}{
		"moved, then renamed": {`{"id":"a","tool":"calendar_moveEvents","arguments":` + dentistTo4 + `},
			{"id":"b","tool":"calendar_updateEvents","arguments":{"selection":{"titleHas":["dentist"],"one":true},
			"set":{"title":"Dr. Katz"}}}`, []string{"Budget 5 12:00", "Dr. Katz 5 16:00", "Sync 5 15:00"}},
		"made, then moved": {`{"id":"a","tool":"calendar_createEvents","arguments":{"events":[{"title":"Plumber",
			"start":"2031-05-07T09:00","durationMinutes":30}]}},{"id":"b","tool":"calendar_moveEvents",
			"arguments":` + plumberTo4 + `}`,
			[]string{"Budget 5 12:00", "Dentist 5 10:00", "Plumber 7 16:00", "Sync 5 15:00"}},
		"made, then deleted": {`{"id":"a","tool":"calendar_createEvents","arguments":{"events":[{"title":"Plumber",
			"start":"2031-05-07T09:00","durationMinutes":30}]}},{"id":"b","tool":"calendar_deleteEvents",
			"arguments":{"selection":{"titleHas":["plumber"],"one":true}}}`,
			[]string{"Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, nil, monday()...)
			d.reads(planOf(t, "", c.steps))
			ends(t, d.does(), meet.OutcomeWaiting)
			ends(t, d.say("yes"), meet.OutcomeChanged)
			d.wants("done", c.want...)
		})
	}
}
