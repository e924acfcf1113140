package stages_test

import (
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

func newDay(t *testing.T, rules stages.Model, own ...meet.Occurrence) *dayHarness {
	t.Helper()
	w := newWorld()
	d := &dayHarness{
		harness: &harness{t: t, world: w, model: stagestest.NewModel(t), journal: forgetful{}},
		day:     stagestest.NewDay(w, own...), sure: 0.9,
	}
	d.ports = stages.Ports{
		Model: d.model, Reader: rules, Calendars: stagestest.Calendars{World: w}, Agenda: w,
		Booked: stagestest.Booked{World: w}, Places: w, Activities: w, Contacts: w, Memory: w,
		Proposals: w, Confirmer: w, Worlds: d.day, Changes: d.day, Reply: replyOf, Now: func() time.Time { return now },
		Sure: func(string, []meet.Exchange, bool, meet.Intent) float64 { return d.sure },
	}
	d.remake(t, func(*stages.Ports) {})
	return d
}

// replyOf reads answers as the server does.
func replyOf(message string, asked stages.Asked) stages.Reply {
	kind := offline.WaitingChanges
	if asked.Choices {
		kind = offline.WaitingChoices
	}
	a := offline.Reply(message, offline.Waiting{Kind: kind, Options: asked.Options})
	if a.Kind == offline.AnswerOther {
		return stages.Reply{}
	}
	return stages.Reply{Kind: stages.ReplyKind(a.Kind), Indices: a.Indices}
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
func called(t *testing.T, tool, arguments string) stagestest.Answer {
	t.Helper()
	if one, known := toolbox().Tool(tool); known {
		whole, err := one.Whole([]byte(arguments))
		if err != nil {
			t.Fatal(err)
		}
		arguments = string(whole)
	}
	return stagestest.Answer{Function: tool, Raw: arguments}
}

const (
	deleteThem   = "calendar_deleteEvents"
	moveThem     = "calendar_moveEvents"
	dentistTo4   = `{"selection":{"titleHas":["dentist"],"one":true},"to":{"time":"16:00"}}`
	dentistTo430 = `{"selection":{"titleHas":["dentist"],"one":true},"to":{"time":"16:30"}}`
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
func ends(t *testing.T, got turn, want meet.OutcomeKind) {
	t.Helper()
	if got.err != nil || got.outcome.Kind != want {
		t.Fatalf("outcome %q %q, error %v; want %q", got.outcome.Kind, got.outcome.Message, got.err, want)
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
	d.model.Say(llm.Classify, classified("converse"))
	ends(t, d.say("yes"), meet.OutcomeAnswered)
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
		ends(t, d.say("yes"), meet.OutcomeWaiting) // the other is shown again
		ends(t, d.say("yes"), meet.OutcomeChanged)
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

// A caller who may not confirm is told so, and what waits still waits for another one.
func TestACallerWhoMayNotConfirm(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	weak := func(t *meet.Turn) { t.NoConfirm = true }
	d.plans("act", moveThem, dentistTo4)
	ends(t, d.say("move the dentist to 4", weak), meet.OutcomeWaiting)
	got := d.say("yes", weak)
	ends(t, got, meet.OutcomeAnswered)
	if !strings.Contains(got.outcome.Message, "another key") {
		t.Errorf("the message is %q", got.outcome.Message)
	}
	d.wants("refused", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
	ends(t, d.say("yes"), meet.OutcomeChanged)
	d.wants("with another key", "Budget 5 12:00", "Dentist 5 16:00", "Sync 5 15:00")
	got = d.say("undo", weak)
	ends(t, got, meet.OutcomeAnswered)
	d.wants("an undo is refused too", "Budget 5 12:00", "Dentist 5 16:00", "Sync 5 15:00")
}

func TestAFamilyThatTheCallerMayNotUse(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", moveThem, dentistTo4)
	got := d.say("move the dentist to 4", func(t *meet.Turn) { t.Families = []string{"preference"} })
	ends(t, got, meet.OutcomeAnswered)
	result, _ := find[meet.ResultUpdate](got)
	if result.Response.Error == nil || !strings.Contains(got.outcome.Message, "calendar") {
		t.Errorf("the message is %q, the error %+v", got.outcome.Message, result.Response.Error)
	}
	d.wants("blocked", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}

// Of several things that fit, the user chooses: by its button or by words; never twice, and nothing that was not shown.
func TestChoices(t *testing.T) {
	t.Parallel()
	two := []meet.Occurrence{on(3, "10:00", "Dentist north"), on(4, "10:00", "Dentist south")}
	ask := func(t *testing.T) (*dayHarness, meet.ChoicesUpdate) {
		d := newDay(t, nil, two...)
		d.plans("act", moveThem, dentistTo4)
		got := d.say("move the dentist to 4")
		ends(t, got, meet.OutcomeWaiting)
		asked, ok := find[meet.ChoicesUpdate](got)
		if !ok || len(asked.Options) != 2 {
			t.Fatalf("asked %+v", asked)
		}
		return d, asked
	}
	press := func(d *dayHarness, id, option string) turn {
		return d.say("", func(t *meet.Turn) { t.Answer = &meet.ChoiceAnswer{ID: id, Option: option} })
	}
	d, asked := ask(t)
	if got := press(d, "q_other", "1"); got.err == nil {
		t.Error("an answer to another question passes")
	}
	if got := press(d, asked.ID, "none"); got.err == nil {
		t.Error("an option that was not shown passes")
	}
	ends(t, press(d, asked.ID, asked.Options[1].ID), meet.OutcomeChanged)
	d.wants("pressed", "Dentist north 5 10:00", "Dentist south 6 16:00")
	if got := press(d, asked.ID, asked.Options[0].ID); got.err == nil {
		t.Error("a question is answered twice")
	}
	d, _ = ask(t)
	ends(t, d.say("the north one"), meet.OutcomeChanged)
	d.wants("said", "Dentist north 5 16:00", "Dentist south 6 10:00")
	d, _ = ask(t)
	ends(t, d.say("never mind"), meet.OutcomeAnswered)
	d.wants("declined", "Dentist north 5 10:00", "Dentist south 6 10:00")
}

// A button of a question of the event's path still answers that one.
func TestAButtonOfAnEventsQuestion(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil)
	with := coffee()
	with.Participants = []string{"Sam"}
	d.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(with))
	asked, ok := find[meet.ChoicesUpdate](d.say("coffee with Sam next week"))
	if !ok {
		t.Fatal("the event's path asks nothing")
	}
	d.script(template(with), first())
	got := d.say("", func(t *meet.Turn) { t.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: "2"} })
	if e := event(t, got); len(e.Participants) != 2 || e.Participants[1].Name != "Sam Roe" {
		t.Errorf("proposed to %+v", e.Participants)
	}
}

// What the model reads otherwise than the rules is asked for, or offered as a choice if the intent is not probable.
func TestAModelThatDisagreesWithTheRules(t *testing.T) {
	t.Parallel()
	rules := func(t *testing.T, answers ...stagestest.Answer) *stagestest.Model {
		m := stagestest.NewModel(t)
		for range 3 {
			m.Say(llm.Classify, classified("act"))
		}
		return m.Say(llm.Plan, answers...)
	}
	move := func(arguments string) stagestest.Answer { return called(t, moveThem, arguments) }
	unread := stagestest.Answer{Function: "clarify", Raw: `{"question":"What do you mean?"}`}
	for name, tt := range map[string]struct {
		model string
		ruled stagestest.Answer
		sure  float64
		kind  meet.OutcomeKind
		asks  int
	}{
		"as the rules":               {dentistTo4, move(dentistTo4), 0.5, meet.OutcomeChanged, 0},
		"another time":               {dentistTo6, move(dentistTo4), 0.9, meet.OutcomeWaiting, 0},
		"another event":              {`{"selection":{"titleHas":["plumber"],"one":true},"to":{"time":"16:00"}}`, move(dentistTo4), 0.9, meet.OutcomeWaiting, 0},
		"an event that nobody named": {dentistTo4, unread, 0.9, meet.OutcomeWaiting, 0},
		"not probable":               {dentistTo6, move(dentistTo4), 0.5, meet.OutcomeWaiting, 3},
		"not probable and not read":  {dentistTo4, unread, 0.5, meet.OutcomeWaiting, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, rules(t, tt.ruled), on(3, "10:00", "Dentist"), on(3, "12:00", "Plumber"))
			d.sure = tt.sure
			d.plans("act", moveThem, tt.model)
			got := d.say("move the dentist to 4")
			ends(t, got, tt.kind)
			if asked, _ := find[meet.ChoicesUpdate](got); len(asked.Options) != tt.asks {
				t.Errorf("%d options, want %d: %+v", len(asked.Options), tt.asks, asked)
			}
			if tt.kind == meet.OutcomeChanged {
				d.wants("heard", "Dentist 5 16:00", "Plumber 5 12:00")
				return
			}
			d.wants("asked", "Dentist 5 10:00", "Plumber 5 12:00")
			switch tt.asks {
			case 3:
				ends(t, d.say("the second one"), meet.OutcomeChanged)
				d.wants("chosen", "Dentist 5 16:00", "Plumber 5 12:00")
			case 2:
				ends(t, d.say("none of these"), meet.OutcomeAnswered)
				d.wants("neither", "Dentist 5 10:00", "Plumber 5 12:00")
			}
		})
	}
}

// A choice between events does not make the model's words the user's.
func TestAChoiceKeepsTheDoubt(t *testing.T) {
	t.Parallel()
	rules := stagestest.NewModel(t)
	rules.Say(llm.Plan, called(t, moveThem, dentistTo4))
	d := newDay(t, rules, on(3, "10:00", "Dentist north"), on(4, "10:00", "Dentist south"))
	d.plans("act", moveThem, dentistTo6)
	ends(t, d.say("move the dentist to 4"), meet.OutcomeWaiting)
	ends(t, d.say("the north one"), meet.OutcomeWaiting)
	d.wants("asked", "Dentist north 5 10:00", "Dentist south 6 10:00")
}

// What others wrote reaches no request to a model, in no turn of the conversation.
func TestWhatOthersWroteReachesNoModel(t *testing.T) {
	t.Parallel()
	secret := on(3, "10:00", "Zanzibar dentist", "Quagmire")
	secret.UID, secret.Location, secret.Description = "Xylophone", "Timbuktu", "Abracadabra"
	other := on(4, "10:00", "Zanzibar plumber")
	d := newDay(t, nil, secret, other)
	d.plans("look", "calendar_findEvents", `{"selection":{}}`)
	d.say("what's on?")
	d.plans("act", moveThem, dentistTo4)
	ends(t, d.say("move the dentist to 4"), meet.OutcomeWaiting)
	d.plans("act", moveThem, `{"selection":{"from":["shown"]},"to":{"time":"16:30"}}`)
	ends(t, d.say("make it 4:30 instead"), meet.OutcomeWaiting)
	ends(t, d.say("yes"), meet.OutcomeChanged)
	d.plans("act", deleteThem, `{"selection":{"titleHas":["zanzibar"],"one":true}}`)
	ends(t, d.say("delete the one in the list"), meet.OutcomeWaiting)
	ends(t, d.say("the second one"), meet.OutcomeWaiting)
	d.plans("look", "calendar_findEvents", `{"selection":{}}`)
	d.say("and what's on now?")
	requests := d.model.Requests()
	if len(requests) < 10 {
		t.Fatalf("%d requests", len(requests))
	}
	for _, req := range requests {
		for _, word := range []string{"zanzibar", "xylophone", "timbuktu", "abracadabra", "quagmire", "plumber"} {
			if strings.Contains(strings.ToLower(req.System+req.Data), word) {
				t.Errorf("stage %s is told %q: %s", req.Stage, word, req.Data)
			}
		}
	}
}

// "Cancel that" withdraws a proposal that is not booked.
func TestAProposalIsWithdrawn(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	proposed := d.proposed()
	d.plans("act", deleteThem, `{"selection":{"from":["event"]}}`)
	got := d.say("cancel that")
	ends(t, got, meet.OutcomeChanged)
	if e, _, err := d.world.LoadProposal(t.Context(), proposed.ID); err != nil || e.Status != meet.Cancelled {
		t.Errorf("the proposal is %s, %v", e.Status, err)
	}
	if got.outcome.Message == "" {
		t.Error("nothing is said")
	}
	d.wants("withdrawn", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}

// The gaps that were listed are shown to the model that reads the next event, and to no later one.
func TestGapsAreHandedOver(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("look", "schedule_findGaps", `{"date":"2031-05-05"}`)
	ends(t, d.say("when am I free on Monday?"), meet.OutcomeAnswered)
	d.proposed()
	d.proposed()
	var told []bool
	for _, req := range d.model.Requests() {
		if req.Stage == llm.Template {
			told = append(told, strings.Contains(req.Data, `"freeTimes":[{"start":"2031-05-05T`))
		}
	}
	if !slices.Equal(told, []bool{true, false}) {
		t.Errorf("told %v", told)
	}
}
