package stages_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/meet"
	"convene/stages"
	"convene/stages/stagestest"
)

// on is an event of an hour of the organizer's own calendar, so many days after today.
func on(day int, clock, title string, guests ...string) meet.Occurrence {
	c, err := interval.ParseClock(clock)
	if err != nil {
		panic(err)
	}
	start := time.Date(now.Year(), now.Month(), now.Day()+day, 0, int(c), 0, 0, now.Location())
	e := meet.Occurrence{
		Provider: "local", Calendar: "work", UID: "uid-" + strings.ToLower(title), Title: title, Version: "v1",
		Span: interval.From(start, time.Hour),
	}
	for _, g := range guests {
		e.Attendees = append(e.Attendees, meet.Attendee{Name: g, Email: strings.ToLower(g) + "@example.com"})
	}
	return e
}

// dayHarness runs turns about the organizer's own day. Rules is the reader beside the model; nil for none.
type dayHarness struct {
	*harness
	day *stagestest.Day
	// sure is how probable each intent is.
	sure  float64
	ports stages.Ports
}

func newDay(tb testing.TB, rules stages.Model, own ...meet.Occurrence) *dayHarness {
	tb.Helper()
	w := newWorld()
	d := &dayHarness{
		harness: &harness{t: tb, world: w, model: stagestest.NewModel(tb), journal: forgetful{}},
		day:     stagestest.NewDay(w, own...), sure: 0.9,
	}
	d.ports = stages.Ports{
		Model: d.model, Reader: rules, Calendars: stagestest.Calendars{World: w}, Agenda: w,
		Booked: stagestest.Booked{World: w}, Places: w, Activities: w, Contacts: w, Memory: w,
		Proposals: w, Confirmer: w, Worlds: d.day, Changes: d.day, Runs: &d.day.Runs, Reply: replyOf,
		Now: func() time.Time { return now },
		Language: func(text string, earlier []meet.Exchange) string {
			before := make([]offline.Exchange, len(earlier))
			for i, e := range earlier {
				before[i] = offline.Exchange{User: e.User, Assistant: e.Assistant}
			}
			return offline.Language(text, before)
		},
		Sure: func(string, []meet.Exchange, bool, meet.Intent) float64 { return d.sure },
	}
	d.remake(tb, func(*stages.Ports) {})
	return d
}

// replyOf reads answers as the server does.
func replyOf(message string, asked stages.Asked) stages.Reply {
	kind := offline.WaitingChanges
	switch {
	case asked.Choices:
		kind = offline.WaitingChoices
	case asked.Event:
		kind = offline.WaitingEvent
	}
	a := offline.Reply(message, offline.Waiting{Kind: kind, Options: asked.Options, Details: asked.Details})
	if a.Kind == offline.AnswerOther {
		return stages.Reply{Denies: a.Denies}
	}
	return stages.Reply{Kind: stages.ReplyKind(a.Kind), Indices: a.Indices, Sends: a.Sends}
}

// plans is a turn whose message the model reads as one call.
func (d *dayHarness) plans(intent, tool, arguments string) {
	d.t.Helper()
	d.model.Say(llm.Classify, classified(intent)).Say(llm.Plan, called(d.t, tool, arguments))
}

// toolbox has all tools.
var toolbox = sync.OnceValue(func() *functions.Toolbox {
	box, err := functions.NewToolbox(functions.Tools())
	if err != nil {
		panic(err)
	}
	return box
})

// called is a call of a tool, with all arguments that strict mode requires.
func called(tb testing.TB, tool, arguments string) stagestest.Answer {
	tb.Helper()
	if one, known := toolbox().Tool(tool); known {
		var err error
		if arguments, err = stagestest.Whole(one.Offer(), arguments); err != nil {
			tb.Fatal(err)
		}
	}
	return stagestest.Answer{Function: tool, Raw: arguments}
}

const (
	deleteThem   = "calendar_deleteEvents"
	moveThem     = "calendar_moveEvents"
	dentistTo4   = `{"selection":{"titleHas":["dentist"],"one":true},"to":{"time":"16:00"}}`
	dentistTo430 = `{"selection":{"titleHas":["dentist"],"one":true},"to":{"time":"16:30"}}`
	plumberTo4   = `{"selection":{"titleHas":["plumber"],"one":true},"to":{"time":"16:00"}}`
	dentistTo6   = `{"selection":{"titleHas":["dentist"],"one":true},"to":{"time":"18:00"}}`
	clearMonday  = `{"selection":{"window":{"start":"2031-05-05T00:00","end":"2031-05-06T00:00"}}}`
	syncGone     = `{"selection":{"titleHas":["sync"],"one":true}}`
)

// at is when the day's events begin, as "title day hour:minute", in order.
func (d *dayHarness) at() (list []string) {
	for _, e := range d.day.Standing {
		list = append(list, e.Title+" "+e.Span.Start.In(now.Location()).Format("2 15:04"))
	}
	slices.Sort(list)
	return list
}

func (d *dayHarness) wants(when string, want ...string) {
	d.t.Helper()
	if got := d.at(); !slices.Equal(got, want) {
		d.t.Errorf("%s: the calendar has %q, want %q", when, got, want)
	}
}

// ends checks the outcome of a turn.
func ends(tb testing.TB, got turn, want meet.OutcomeKind) {
	tb.Helper()
	if got.err != nil || got.outcome.Kind != want {
		tb.Fatalf("outcome %q %q, error %v; want %q", got.outcome.Kind, got.outcome.Message, got.err, want)
	}
}

// monday are three events: one without guests, and two with.
func monday() []meet.Occurrence {
	return []meet.Occurrence{on(3, "10:00", "Dentist"), on(3, "12:00", "Budget", "Ada"), on(3, "15:00", "Sync", "Sam")}
}

func TestALook(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("look", "calendar_findEvents", clearMonday)
	got := d.say("what's on Monday?")
	ends(t, got, meet.OutcomeAnswered)
	result, ok := find[meet.ResultUpdate](got)
	if !ok || !strings.Contains(string(result.Response.Data), "Budget") {
		t.Errorf("result %s", result.Response.Data)
	}
	if !strings.Contains(got.outcome.Message, "Sync") {
		t.Errorf("the message is %q", got.outcome.Message)
	}
}

func TestWhatIsTheOwnersAloneIsDoneAtOnceAndUndone(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", moveThem, dentistTo4)
	got := d.say("move the dentist to 4")
	ends(t, got, meet.OutcomeChanged)
	if applied, ok := find[meet.AppliedUpdate](got); !ok || applied.Outcome != meet.AllApplied {
		t.Errorf("applied %+v", applied)
	}
	d.wants("moved", "Budget 5 12:00", "Dentist 5 16:00", "Sync 5 15:00")
	ends(t, d.say("undo"), meet.OutcomeChanged)
	d.wants("undone", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
	ends(t, d.say("undo"), meet.OutcomeAnswered)
	d.wants("nothing to undo", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}

func TestAnswersToChanges(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		answer string
		kind   meet.OutcomeKind
		want   []string
	}{
		{"yes", meet.OutcomeChanged, nil},
		{"no", meet.OutcomeAnswered, []string{"Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00"}},
		{"undo", meet.OutcomeAnswered, []string{"Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00"}},
		{"only the first two", meet.OutcomeChanged, []string{"Sync 5 15:00"}},
		{"not the dentist", meet.OutcomeChanged, []string{"Dentist 5 10:00"}},
	} {
		t.Run(tt.answer, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, nil, monday()...)
			d.plans("act", deleteThem, clearMonday)
			ends(t, d.say("clear Monday"), meet.OutcomeWaiting)
			d.wants("asked", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
			ends(t, d.say(tt.answer), tt.kind)
			d.wants("answered", tt.want...)
			d.model.Say(llm.Classify, classified("converse"))
			d.say("yes") // what was not confirmed can never be confirmed later
			d.wants("said again", tt.want...)
		})
	}
}

// A set that was not shown last is shown again, and not applied.
func TestAYesToSomethingElse(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]func(d *dayHarness){
		"a look": func(d *dayHarness) {
			d.plans("look", "calendar_findEvents", clearMonday)
			ends(d.t, d.say("what's on Monday?"), meet.OutcomeAnswered)
		},
		"a question": func(d *dayHarness) {
			d.plans("act", "clarify", `{"question":"Which meeting do you mean?"}`)
			ends(d.t, d.say("move the meeting"), meet.OutcomeQuestion)
		},
		"small talk": func(d *dayHarness) {
			d.model.Say(llm.Classify, classified("converse"))
			ends(d.t, d.say("thanks"), meet.OutcomeAnswered)
		},
		"several steps": func(d *dayHarness) {
			answer := classified("act")
			arguments := answer.Arguments.(functions.ClassifyArguments)
			arguments.RequiresPlan = true
			answer.Arguments = arguments
			d.model.Say(llm.Classify, answer)
			ends(d.t, d.say("clear Tuesday and write to Ada"), meet.OutcomeQuestion)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, nil, monday()...)
			d.plans("act", deleteThem, syncGone)
			ends(t, d.say("delete the sync"), meet.OutcomeWaiting)
			between(d)
			got := d.say("yes")
			ends(t, got, meet.OutcomeWaiting)
			if _, shown := find[meet.ChangesUpdate](got); !shown {
				t.Error("the set is not shown again")
			}
			d.wants("said something else", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
			ends(t, d.say("yes"), meet.OutcomeChanged)
			d.wants("shown again", "Budget 5 12:00", "Dentist 5 10:00")
		})
	}
}

// After a turn about an event, a yes is the event's.
func TestAYesAfterAProposal(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", deleteThem, syncGone)
	ends(t, d.say("delete the sync"), meet.OutcomeWaiting)
	d.proposed()
	ends(t, d.say("yes"), meet.OutcomeConfirmed)
	d.wants("a yes to the proposal", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}

// Of two pending sets the user chooses one, by words or by its button.
func TestTwoPendingSets(t *testing.T) {
	t.Parallel()
	for _, byButton := range []bool{false, true} {
		d := newDay(t, nil, monday()...)
		d.plans("act", deleteThem, syncGone)
		ends(t, d.say("delete the sync"), meet.OutcomeWaiting)
		d.plans("act", deleteThem, `{"selection":{"titleHas":["budget"],"one":true}}`)
		ends(t, d.say("delete the budget meeting"), meet.OutcomeWaiting)
		got := d.say("yes")
		ends(t, got, meet.OutcomeWaiting)
		asked, ok := find[meet.ChoicesUpdate](got)
		if !ok || len(asked.Options) != 2 {
			t.Fatalf("asked %+v", asked)
		}
		d.wants("asked", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
		if byButton {
			got = d.say("", func(t *meet.Turn) { t.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[0].ID} })
		} else {
			got = d.say("the first one")
		}
		ends(t, got, meet.OutcomeChanged)
		d.wants("chosen", "Budget 5 12:00", "Dentist 5 10:00")
		ends(t, d.say("yes"), meet.OutcomeChanged) // the other was shown again
		d.wants("the other", "Dentist 5 10:00")
	}
}

func TestASetExpires(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", deleteThem, syncGone)
	ends(t, d.say("delete the sync"), meet.OutcomeWaiting)
	d.day.Late = 10 * time.Minute
	got := d.say("yes")
	ends(t, got, meet.OutcomeAnswered)
	if !strings.Contains(got.outcome.Message, "over") {
		t.Errorf("the message is %q", got.outcome.Message)
	}
	d.wants("expired", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}

// What has changed meanwhile is shown as it would be now, and waits.
func TestASetThatHasChangedMeanwhile(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", deleteThem, syncGone)
	ends(t, d.say("delete the sync"), meet.OutcomeWaiting)
	e := d.day.Standing["uid-sync"]
	e.Version, e.Span = "v2", interval.From(e.Span.Start.Add(time.Hour), time.Hour)
	d.day.Standing["uid-sync"] = e
	got := d.say("yes")
	ends(t, got, meet.OutcomeWaiting)
	if _, fresh := find[meet.ChangesUpdate](got); !fresh {
		t.Error("the fresh set is not shown")
	}
	d.wants("changed", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 16:00")
	ends(t, d.say("yes"), meet.OutcomeChanged)
	d.wants("confirmed", "Budget 5 12:00", "Dentist 5 10:00")
}

// What is gone cannot be changed, and nothing waits any more.
func TestASetWhoseThingIsGone(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", deleteThem, syncGone)
	ends(t, d.say("delete the sync"), meet.OutcomeWaiting)
	delete(d.day.Standing, "uid-sync")
	got := d.say("yes")
	ends(t, got, meet.OutcomeAnswered)
	if _, shown := find[meet.ChangesUpdate](got); shown || got.outcome.Message == "" {
		t.Errorf("a set without changes is shown: %q", got.outcome.Message)
	}
}

// "Make it 4:30 instead" replaces the set that was shown.
func TestASetIsReplaced(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, on(3, "10:00", "Dentist", "Ada"), on(3, "12:00", "Budget", "Ada"))
	d.plans("act", moveThem, dentistTo4)
	first, _ := find[meet.ChangesUpdate](d.say("move the dentist to 4"))
	d.plans("act", moveThem, dentistTo430)
	ends(t, d.say("make it 4:30 instead"), meet.OutcomeWaiting)
	if set, _, err := d.day.Of(meet.Turn{}).Get(t.Context(), first.Changes.ID); err != nil ||
		set.Status != meet.ChangesReplaced {
		t.Errorf("the first set is %s, %v", set.Status, err)
	}
	ends(t, d.say("yes"), meet.OutcomeChanged)
	d.wants("replaced", "Budget 5 12:00", "Dentist 5 16:30")
}

// A no with another wish takes the place of what waits, so that a yes means the new one alone.
func TestANoWithAnotherWishReplaces(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", deleteThem, syncGone)
	ends(t, d.say("delete the sync"), meet.OutcomeWaiting)
	d.plans("act", deleteThem, `{"selection":{"titleHas":["budget"],"one":true}}`)
	ends(t, d.say("no, delete the budget meeting"), meet.OutcomeWaiting)
	ends(t, d.say("yes"), meet.OutcomeChanged)
	d.wants("replaced", "Dentist 5 10:00", "Sync 5 15:00")
}

// A message whose turn failed may have changed what was wanted: what waited is shown again, and no yes confirms it.
func TestAFailedTurnLeavesNothingToConfirm(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", deleteThem, clearMonday)
	ends(t, d.say("clear monday"), meet.OutcomeWaiting)
	d.model.Say(llm.Classify, stagestest.Answer{Err: errors.New("no answer")})
	if got := d.say("but leave what is important"); got.err == nil {
		t.Fatal("the turn does not fail")
	}
	ends(t, d.say("yes"), meet.OutcomeWaiting)
	d.wants("shown again", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
	ends(t, d.say("yes"), meet.OutcomeChanged)
}

// What is named without a day is that of the list that the user has just seen.
func TestANameMeansWhatWasListed(t *testing.T) {
	t.Parallel()
	other := on(1, "07:00", "Gym")
	other.UID = "another"
	d := newDay(t, nil, other, on(3, "07:00", "Gym"))
	d.plans("look", "schedule_viewSchedule", `{"date":"`+now.AddDate(0, 0, 3).Format(time.DateOnly)+`"}`)
	ends(t, d.say("what's on that day?"), meet.OutcomeAnswered)
	d.plans("act", moveThem, `{"selection":{"titleHas":["gym"],"one":true},"to":{"time":"08:00"}}`)
	ends(t, d.say("move the gym to 8"), meet.OutcomeChanged)
	d.wants("moved", "Gym 3 07:00", "Gym 5 08:00")
}

// A process that dies anywhere is followed by another one, which does nothing twice and tells the same.
func TestATurnThatRunsAgainDoesNothingTwice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, before, message string
		want                  []string
	}{
		{"done at once", "", "move the dentist to 4", []string{"Budget 5 12:00", "Dentist 5 16:00", "Sync 5 15:00"}},
		{"asked", "", "delete the sync", []string{"Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00"}},
		{"confirmed", "delete the sync", "yes", []string{"Budget 5 12:00", "Dentist 5 10:00"}},
		{"called off", "delete the sync", "no", []string{"Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00"}},
		{"undone", "move the dentist to 4", "undo", []string{"Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, nil, monday()...)
			script := func(message string) {
				switch message {
				case "move the dentist to 4":
					d.plans("act", moveThem, dentistTo4)
				case "delete the sync":
					d.plans("act", deleteThem, syncGone)
				}
			}
			if tt.before != "" {
				script(tt.before)
				d.say(tt.before)
			}
			script(tt.message)
			d.journal = recorded{}
			once := d.say(tt.message)
			d.turns-- // the same turn, after the conversation was kept
			again := d.say(tt.message)
			if again.err != nil || once.err != nil || once.outcome.Message != again.outcome.Message ||
				once.outcome.Kind != again.outcome.Kind || len(once.updates) != len(again.updates) {
				t.Errorf("first %+v %v\nagain %+v %v", once.outcome, once.err, again.outcome, again.err)
			}
			d.wants("twice", tt.want...)
			talk, err := d.world.Load(t.Context(), "me/c")
			if err != nil || talk.Waiting != nil && len(talk.Waiting.Changes) > 1 {
				t.Errorf("%v; waiting %+v", err, talk.Waiting)
			}
		})
	}
}
