package stages_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages"
)

// asks lets the model read what a message of these tests asks for. An answer is read by no model, but for a no to an
// event.
func (d *dayHarness) asks(message string) {
	title, arranges := strings.CutPrefix(message, "arrange ")
	gone, deletes := strings.CutPrefix(message, "delete ")
	switch {
	case arranges:
		wish := coffee()
		wish.Title = title + " with ada"
		d.script(template(wish), first())
	case deletes:
		d.plans("act", deleteThem, `{"selection":{"titleHas":["`+gone+`"],"one":true}}`)
	case message == "look":
		d.plans("look", "calendar_findEvents", clearMonday)
	case message == "hello", message == "never mind", message == "both?":
		d.model.Say(llm.Classify, classified("converse"))
	}
}

// done is what has come of the messages: what is deleted and what is booked, in order.
func (d *dayHarness) done() (done []string) {
	standing := strings.Join(d.at(), " ")
	for _, title := range []string{"Budget", "Dentist", "Sync"} {
		if !strings.Contains(standing, title) {
			done = append(done, "no "+title)
		}
	}
	for _, e := range d.world.Proposals() {
		if e.Status == meet.Confirmed {
			done = append(done, e.Title)
		}
	}
	slices.Sort(done)
	return done
}

// told is the message of a turn.
func told(got turn) string {
	message, _ := find[meet.MessageUpdate](got)
	return message.Text
}

// What waits is named once in the answer to something else, and asked about once that is answered; a yes never means
// anything but what the turn before asked about, and both are done only if the user says so.
func TestWhatWaitsIsNotLost(t *testing.T) {
	t.Parallel()
	type step struct {
		say string
		// tells is what the message has, done what has been done after it.
		tells string
		done  []string
	}
	const open = "still open: "
	for name, steps := range map[string][]step{
		"a set, then an event": {
			{say: "delete sync"}, {say: "arrange coffee", tells: open + "Delete **Sync**"},
			{say: "yes", tells: "Delete **Sync**", done: []string{"Coffee with Ada"}},
			{say: "yes", tells: "Deleted **Sync**", done: []string{"Coffee with Ada", "no Sync"}},
		},
		"a set, then an event that is not wanted": {
			{say: "delete sync"}, {say: "arrange coffee"},
			{say: "never mind", tells: "Shall I?"},
			{say: "yes", tells: "Deleted **Sync**", done: []string{"no Sync"}},
		},
		"a set, then an event, and neither": {
			{say: "delete sync"}, {say: "arrange coffee"}, {say: "never mind"}, {say: "no", tells: "nothing was changed"},
		},
		"both": {
			{say: "delete sync"}, {say: "arrange coffee"},
			{say: "both", tells: "Deleted **Sync**", done: []string{"Coffee with Ada", "no Sync"}},
		},
		"both of what is only asked again": {
			{say: "delete sync"}, {say: "arrange coffee"}, {say: "both?"},
		},
		"los dos": {
			{say: "arrange coffee"}, {say: "delete sync", tells: open + "**Coffee with Ada**"},
			{say: "los dos", done: []string{"Coffee with Ada", "no Sync"}},
		},
		"שניהם": {
			{say: "arrange coffee"}, {say: "arrange lunch", tells: open + "**Coffee with Ada**"},
			{say: "כן, את שניהם", done: []string{"Coffee with Ada", "Lunch with Ada"}},
		},
		"an event, then another one": {
			{say: "arrange coffee"}, {say: "arrange lunch", tells: open + "**Coffee with Ada**"},
			{say: "yes", tells: "Shall I book **Coffee with Ada**", done: []string{"Lunch with Ada"}},
			{say: "yes", done: []string{"Coffee with Ada", "Lunch with Ada"}},
		},
		"an event, then another one, and only that": {
			{say: "arrange coffee"}, {say: "arrange lunch"}, {say: "yes", done: []string{"Lunch with Ada"}},
			{say: "no", done: []string{"Lunch with Ada"}}, {say: "hello", done: []string{"Lunch with Ada"}},
		},
		"the older one by its name": {
			{say: "arrange coffee"}, {say: "arrange lunch"}, {say: "the coffee too", tells: "Shall I book **Coffee with Ada**"},
			{say: "yes", tells: "Shall I book **Lunch with Ada**", done: []string{"Coffee with Ada"}},
			{say: "yes", done: []string{"Coffee with Ada", "Lunch with Ada"}},
		},
		"an event, then a set": {
			{say: "arrange coffee"}, {say: "delete sync"},
			{say: "no", tells: "Shall I book **Coffee with Ada**"},
			{say: "yes", done: []string{"Coffee with Ada"}},
		},
		"an event by its name while a set is shown": { // the yes is for what was asked about last
			{say: "arrange coffee"}, {say: "delete sync", tells: open + "**Coffee with Ada**"},
			{say: "the coffee", tells: "Shall I book **Coffee with Ada**"},
			{say: "yes", tells: "Delete **Sync**", done: []string{"Coffee with Ada"}},
		},
		"a no to the event that was asked about after sets": {
			{say: "delete sync"}, {say: "arrange coffee"},
			{say: "yes", tells: "Delete **Sync**", done: []string{"Coffee with Ada"}},
			{say: "arrange lunch", done: []string{"Coffee with Ada"}},
			{say: "delete budget", done: []string{"Coffee with Ada"}},
			{say: "no", tells: "Shall I book **Lunch with Ada**", done: []string{"Coffee with Ada"}},
			{say: "never mind", done: []string{"Coffee with Ada"}},
			{say: "hello", done: []string{"Coffee with Ada"}},
		},
		"two sets": {
			{say: "delete sync"}, {say: "delete budget", tells: open + "Delete **Sync**"},
			{say: "both", done: []string{"no Budget", "no Sync"}},
		},
		"two sets, and a no": {
			{say: "delete sync"}, {say: "delete budget"}, {say: "no", tells: "Delete **Sync**"},
			{say: "yes", done: []string{"no Sync"}},
		},
		"two sets, and the question which": {
			{say: "delete sync"}, {say: "delete budget"}, {say: "yes", tells: "Which one"},
			{say: "the second one", tells: "Delete **Sync**", done: []string{"no Budget"}},
			{say: "yes", done: []string{"no Budget", "no Sync"}},
		},
		"two sets, and both of the question which": {
			{say: "delete sync"}, {say: "delete budget"}, {say: "yes", tells: "Which one"},
			{say: "both", done: []string{"no Budget", "no Sync"}},
		},
		"something else in between": {
			{say: "delete sync"}, {say: "hello", tells: open + "Delete **Sync**"}, {say: "look"},
			{say: "yes", tells: "Shall I?"}, {say: "yes", done: []string{"no Sync"}},
		},
		"an event that is asked about after something else": {
			{say: "arrange coffee"}, {say: "arrange lunch"}, {say: "look", tells: open + "**Lunch with Ada**"},
			{say: "book it", tells: "Shall I book **Lunch with Ada**"},
			{say: "yes", tells: "Shall I book **Coffee with Ada**", done: []string{"Lunch with Ada"}},
		},
		"three things": {
			{say: "delete sync"}, {say: "arrange coffee"}, {say: "arrange lunch", tells: open + "**Coffee with Ada**"},
			{say: "yes", tells: "Delete **Sync**", done: []string{"Lunch with Ada"}},
			{say: "no", tells: "Shall I book **Coffee with Ada**", done: []string{"Lunch with Ada"}},
			{say: "yes", done: []string{"Coffee with Ada", "Lunch with Ada"}},
		},
		"asked about once": {
			{say: "arrange coffee"}, {say: "delete sync"}, {say: "no", tells: "Shall I book **Coffee with Ada**"},
			{say: "delete budget", tells: open + "**Coffee with Ada**"}, {say: "no", tells: "nothing was changed."},
			{say: "yes", tells: "Shall I book **Coffee with Ada**"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, nil, monday()...)
			for i, s := range steps {
				d.asks(s.say)
				got := d.say(s.say)
				if got.err != nil {
					t.Fatalf("%d %s: %v", i+1, s.say, got.err)
				}
				again := s.say == "look" && s.tells == ""
				if text := told(got); !strings.Contains(text, s.tells) || again && strings.Contains(text, open) {
					t.Errorf("%d %s: it tells %q, want %q", i+1, s.say, text, s.tells)
				}
				if all := strings.Contains("both los dos כן, את שניהם", s.say); all && strings.Contains(told(got), "Shall I") {
					t.Errorf("%d %s: it asks again: %s", i+1, s.say, told(got))
				}
				if done := d.done(); !slices.Equal(done, s.done) {
					t.Fatalf("%d %s: done is %q, want %q", i+1, s.say, done, s.done)
				}
			}
		})
	}
}

// What has expired or begun meanwhile, or was booked by a button, is neither named nor asked about.
func TestWhatWaitsNoLongerIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	for _, message := range []string{"delete sync", "arrange coffee"} {
		d.asks(message)
		d.say(message)
	}
	d.day.Late = 10 * time.Minute
	if got := d.say("yes"); strings.Contains(told(got), "Sync") {
		t.Errorf("it asks about a set that has expired: %s", told(got))
	}
	for _, message := range []string{"arrange tea", "arrange lunch"} {
		d.asks(message)
		d.say(message)
	}
	for _, e := range d.world.Proposals() {
		if e.Title == "Tea with Ada" {
			d.book(e)
		}
	}
	if got := d.say("yes"); strings.Contains(told(got), "Tea") {
		t.Errorf("it asks about an event that is booked: %s", told(got))
	}
}

// A yes to an event that was asked about once more, and was booked by a button meanwhile, books no other one.
func TestAYesToWhatNoLongerWaits(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	for _, message := range []string{"arrange coffee", "arrange tea", "arrange lunch", "yes"} {
		d.asks(message)
		d.say(message)
	}
	for _, e := range d.world.Proposals() {
		if e.Title == "Tea with Ada" {
			d.book(e)
		}
	}
	d.asks("hello")
	d.say("yes")
	if want := []string{"Lunch with Ada", "Tea with Ada"}; !slices.Equal(d.done(), want) {
		t.Errorf("done is %q, want %q", d.done(), want)
	}
}

// What others wrote of the things that both are of goes into no history.
func TestBothTellsModelsNothing(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	for _, message := range []string{"delete sync", "arrange coffee"} {
		d.asks(message)
		d.say(message)
	}
	if got := d.say("both"); got.outcome.Memo == "" || strings.Contains(got.outcome.Memo, "Sync") {
		t.Errorf("the conversation remembers %q", got.outcome.Memo)
	}
}

// A caller who may not confirm does both no more than one.
func TestBothWithAKeyThatCannotConfirm(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	for _, message := range []string{"delete sync", "arrange coffee"} {
		d.asks(message)
		d.say(message)
	}
	got := d.say("both", func(turn *meet.Turn) { turn.NoConfirm = true })
	if done := d.done(); len(done) > 0 || got.err != nil {
		t.Errorf("done is %q, error %v", done, got.err)
	}
}

// A request whose question was not answered is gone on with after a yes.
func TestAQuestionThatWasLeftIsAskedAgain(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, on(3, "10:00", "Sync design"), on(3, "12:00", "Sync sales"))
	d.plans("act", moveThem, `{"selection":{"titleHas":["sync"],"one":true},"to":{"time":"16:00"}}`)
	asked, ok := find[meet.ChoicesUpdate](d.say("move the sync to 4"))
	if !ok {
		t.Fatal("nothing is asked")
	}
	d.asks("arrange coffee")
	if got := d.say("coffee with Ada"); !strings.Contains(told(got), "still open: **move the sync to 4**") {
		t.Errorf("nobody hears that the question waits: %s", told(got))
	}
	if got := d.say("yes"); !strings.Contains(told(got), "“move the sync to 4”. Shall I go on") {
		t.Errorf("the request is not asked about: %s", told(got))
	}
	d.plans("act", moveThem, `{"selection":{"titleHas":["sync"],"one":true},"to":{"time":"16:00"}}`)
	if again, ok := find[meet.ChoicesUpdate](d.say("yes")); !ok || again.Question != asked.Question {
		t.Errorf("asked %+v", again)
	}
}

// A plan that waits is named once, and asked about again after what came between is answered.
func TestAPlanIsAskedAboutAgain(t *testing.T) {
	t.Parallel()
	d, asked, id := waitingDay(t)
	waits := func(got turn) bool { return strings.Contains(told(got), "still waits for your answer") }
	d.asks("arrange coffee")
	if got := d.say("coffee with Ada"); !waits(got) {
		t.Errorf("nobody hears that the plan waits: %s", told(got))
	}
	d.asks("look")
	if got := d.say("what's on Monday?"); waits(got) {
		t.Errorf("it is said again: %s", told(got))
	}
	d.say("book it")
	if got := d.say("yes"); !waits(got) {
		t.Errorf("the plan is not asked about: %s", told(got))
	}
	got := d.say("the second one")
	if p, _ := find[meet.PlanUpdate](got); p.PlanID != id {
		t.Errorf("the answer to %q does not reach the plan: %s", asked.Question, told(got))
	}
}

// A process that takes over the turn that does both does neither twice, and tells the same.
func TestBothIsTakenOver(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	c := &confirms{world: d.world}
	d.ports.Confirmer = c
	d.remake(t, func(*stages.Ports) {})
	for _, message := range []string{"delete sync", "arrange coffee", "arrange lunch"} {
		d.asks(message)
		d.say(message)
	}
	var journal kept
	d.journal = &journal
	got := d.say("both")
	d.turns--
	again := d.say("both")
	if told(got) == "" || told(got) != told(again) {
		t.Errorf("told %q, then %q", told(got), told(again))
	}
	if want := []string{"Coffee with Ada", "Lunch with Ada"}; !slices.Equal(d.done(), want) {
		t.Errorf("done is %q, want %q", d.done(), want)
	}
}
