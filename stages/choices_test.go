package stages_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages"
	"convene/stages/stagestest"
)

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
		t.Helper()
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

// A chosen person takes the place of the name that was asked about, and of no other word of the call.
func TestAChosenPersonIsOnlyWhereTheNameWas(t *testing.T) {
	t.Parallel()
	review := on(3, "10:00", "Sam")
	d := newDay(t, nil, review)
	for i, p := range d.world.People {
		d.world.People[i].Email = string(p.ID) + "@example.com"
	}
	d.plans("act", "calendar_updateEvents",
		`{"selection":{"titleHas":["Sam"],"one":true},"set":{"location":"Sam","addAttendees":["Ada","Sam"]}}`)
	asked, ok := find[meet.ChoicesUpdate](d.say("add Ada and Sam to Sam, at Sam"))
	if !ok || len(asked.Options) != 2 {
		t.Fatalf("asked %+v", asked)
	}
	got := d.say("", func(t *meet.Turn) { t.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[1].ID} })
	ends(t, got, meet.OutcomeWaiting)
	ends(t, d.say("yes"), meet.OutcomeChanged)
	now := d.day.Standing[review.Key()]
	if len(now.Attendees) != 2 || now.Attendees[1].Name != asked.Options[1].Label || now.Location != "Sam" {
		t.Errorf("the event is %+v", now)
	}
}

// A button says nothing itself: what the user said before it are still the user's words, and no others.
func TestAButtonHasTheWordsBeforeIt(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, on(3, "10:00", "Dentist north"), on(4, "10:00", "Dentist south"))
	d.plans("act", moveThem, dentistTo4)
	asked, ok := find[meet.ChoicesUpdate](d.say("move the dentist to 4"))
	if !ok {
		t.Fatal("nothing is asked")
	}
	var said []string
	d.remake(t, func(ports *stages.Ports) { ports.Worlds = saidTo{ports.Worlds, &said} })
	d.say("", func(t *meet.Turn) { t.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[1].ID} })
	if len(said) == 0 || slices.Contains(said, "") || said[0] != "move the dentist to 4" {
		t.Errorf("the user's words are %q", said)
	}
}

// An event that was found while another calendar could not be read may not be the one that is meant.
func TestAChangeBesideACalendarThatCannotBeReadIsAskedFor(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.day.Problem = fault.New(fault.CalendarFailed, "the other calendar is not answering")
	d.plans("act", moveThem, dentistTo4)
	got := d.say("move the dentist to 4", func(t *meet.Turn) { t.AutoConfirm = true })
	ends(t, got, meet.OutcomeWaiting)
	if !strings.Contains(got.outcome.Message, "the other calendar is not answering") {
		t.Errorf("the message is %q", got.outcome.Message)
	}
	d.wants("asked", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}

// Nothing goes to a time that is over without being asked for.
func TestAMoveIntoThePastIsAskedFor(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", moveThem, `{"selection":{"titleHas":["dentist"],"one":true},"to":{"date":"`+
		now.AddDate(0, 0, -3).Format(time.DateOnly)+`"}}`)
	ends(t, d.say("move the dentist to last week", func(t *meet.Turn) { t.AutoConfirm = true }), meet.OutcomeWaiting)
	d.wants("asked", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
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
		t.Helper()
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
		"another event":              {plumberTo4, move(dentistTo4), 0.9, meet.OutcomeWaiting, 0},
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
