package stages_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"convene/functions/world"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages"
)

const twoSyncs = `{"id":"sync","tool":"calendar_deleteEvents","humanSummary":"Delete the sync",
	"arguments":{"selection":{"titleHas":["sync"],"one":true}}},
	{"id":"write","tool":"schedule_createTimeBlock","humanSummary":"Block time for writing","arguments":{"type":"work",
	"title":"Write","date":"2031-05-07","startTime":"09:00","endTime":"10:00"},"dependsOn":["sync"]}`

// waitingDay is a day with two events that one name may mean, and a plan about one of them that waits.
func waitingDay(t *testing.T) (*dayHarness, meet.ChoicesUpdate, string) {
	t.Helper()
	d := newDay(t, nil, on(3, "10:00", "Sync design"), on(3, "12:00", "Sync sales"), on(3, "15:00", "Lunch"))
	d.reads(planOf(t, "Sync", twoSyncs))
	got := d.does()
	ends(t, got, meet.OutcomeWaiting)
	asked, _ := find[meet.ChoicesUpdate](got)
	if len(asked.Options) != 2 {
		t.Fatalf("asked %+v", asked)
	}
	p, _ := find[meet.PlanUpdate](got)
	return d, asked, p.PlanID
}

// A plan that asks goes on with the answer, in words or by a button, also after other messages, and once.
func TestAPlanWaitsForAnAnswer(t *testing.T) {
	t.Parallel()
	looks := func(d *dayHarness) {
		d.plans("look", "calendar_findEvents", `{"selection":{"titleHas":["lunch"]}}`)
		got := d.say("when is lunch?")
		ends(d.t, got, meet.OutcomeAnswered)
		if !strings.Contains(got.outcome.Message, "Lunch") {
			d.t.Errorf("the look says %s", got.outcome.Message)
		}
		message, _ := find[meet.MessageUpdate](got)
		if !strings.Contains(message.Text, "still waits for your answer") {
			d.t.Errorf("nobody hears that the plan waits: %s", message.Text)
		}
	}
	for name, c := range map[string]struct {
		between  func(*dayHarness)
		byButton bool
	}{
		"in words": {}, "by a button": {byButton: true},
		"later": {between: looks}, "later by a button": {between: looks, byButton: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, asked, id := waitingDay(t)
			if c.between != nil {
				c.between(d)
			}
			press := func(turn *meet.Turn) { turn.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[1].ID} }
			answer := func() turn { return d.say("the second one") }
			if c.byButton {
				answer = func() turn { return d.say("", press) }
			}
			got := answer()
			ends(t, got, meet.OutcomeWaiting)
			set, _ := find[meet.ChangesUpdate](got)
			p, _ := find[meet.PlanUpdate](got)
			if len(set.Changes.Changes) != 2 || set.Changes.Changes[0].Title != "Sync sales" || p.PlanID != id {
				t.Fatalf("plan %s (began as %s) changes %+v", p.PlanID, id, set.Changes.Changes)
			}
			ends(t, d.say("yes"), meet.OutcomeChanged)
			d.wants("answered", "Lunch 5 15:00", "Sync design 5 10:00", "Write 7 09:00")
			if c.byButton {
				if again := d.say("", press); again.err == nil && again.outcome.Kind == meet.OutcomeWaiting {
					t.Error("the same answer goes on twice")
				}
			}
		})
	}
}

// What is said of an idea or an event that was shown since is no answer to the plan.
func TestAnAnswerIsToWhatWasShownLast(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		show   func(*dayHarness)
		answer string
	}{
		"an idea": {func(d *dayHarness) {
			d.world.Ideas = []meet.Suggestion{idea("Quiz", time.Hour), idea("Film", 2*time.Hour)}
			d.model.Say(llm.Classify, classified("suggest_activities"))
			d.say("what's on this week?")
		}, "the second one"},
		"an event": {func(d *dayHarness) {
			d.arranges()
			d.say("coffee with Ada tomorrow")
		}, "no"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, asked, id := waitingDay(t)
			c.show(d)
			d.model.Say(llm.Classify, classified("converse"))
			if p, told := find[meet.PlanUpdate](d.say(c.answer)); told {
				t.Fatalf("the plan goes on: %+v", p)
			}
			got := d.say("", func(turn *meet.Turn) {
				turn.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[1].ID}
			})
			ends(t, got, meet.OutcomeWaiting)
			if p, _ := find[meet.PlanUpdate](got); p.PlanID != id {
				t.Errorf("the plan no longer waits: %+v", p)
			}
		})
	}
}

// "Never mind" ends a plan that waits; an answer that comes too late hears that it has lapsed.
func TestAPlanThatWaitsEnds(t *testing.T) {
	t.Parallel()
	d, _, _ := waitingDay(t)
	ends(t, d.say("never mind"), meet.OutcomeAnswered)
	d.model.Say(llm.Classify, classified("converse"))
	d.say("the second one")
	d.wants("ended", "Lunch 5 15:00", "Sync design 5 10:00", "Sync sales 5 12:00")

	d, asked, _ := waitingDay(t)
	d.remake(t, func(ports *stages.Ports) { ports.Now = func() time.Time { return now.Add(25 * time.Hour) } })
	got := d.say("", func(turn *meet.Turn) { turn.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[1].ID} })
	ends(t, got, meet.OutcomeWaiting)
	if !strings.Contains(got.outcome.Message, "has lapsed") || !strings.Contains(got.outcome.Message, "Start again") {
		t.Errorf("got %s", got.outcome.Message)
	}
	d.wants("lapsed", "Lunch 5 15:00", "Sync design 5 10:00", "Sync sales 5 12:00")
}

// A step that asks for a fact gives what the next message says.
func TestAPlanAsksForAFact(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ ask, answer, want string }{
		"in words": {`"system_askFor","arguments":{"question":"What is it called?"}`, "Deep work", "Deep work 7 09:00"},
		"a choice": {`"system_presentChoices","arguments":{"question":"Which?","options":[{"label":"Reading"},
			{"label":"Writing"}]}`,
			"Writing", "Writing 7 09:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, nil)
			d.reads(planOf(t, "", `{"id":"name","tool":`+c.ask+`},{"id":"block","tool":"schedule_createTimeBlock",
				"arguments":{"type":"work","title":{"$from":"name"},"date":"2031-05-07","startTime":"09:00","endTime":"10:00"}}`))
			ends(t, d.does(), meet.OutcomeWaiting)
			ends(t, d.say(c.answer), meet.OutcomeWaiting)
			ends(t, d.say("yes"), meet.OutcomeChanged)
			d.wants("answered", c.want)
		})
	}
}

// A turn that continues a plan is taken over after any of its steps, too.
func TestAnAnswerIsTakenOver(t *testing.T) {
	t.Parallel()
	answers := func(journal *kept) string {
		d, _, _ := waitingDay(t)
		d.journal = journal
		got := d.say("the second one")
		ends(t, got, meet.OutcomeWaiting)
		set, _ := find[meet.ChangesUpdate](got)
		return set.Changes.Changes[0].Title + " " + got.outcome.Message
	}
	whole := &kept{}
	want := answers(whole)
	for n := range whole.paths {
		cut := &kept{}
		for _, path := range whole.paths[:n] {
			cut.Finish(path, whole.steps[path])
		}
		if got := answers(cut); got != want {
			t.Fatalf("taken over after %v: %s\nwant %s", cut.paths[:n], got, want)
		}
	}
}

// What was shown when a plan was made is what it means, also after other things were shown.
func TestAPlanMeansWhatWasShownBefore(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, on(3, "10:00", "Sync design"), on(3, "12:00", "Sync sales"), on(3, "15:00", "Lunch"),
		on(3, "16:00", "Gym"))
	looks := func(title string) {
		d.plans("look", "calendar_findEvents", `{"selection":{"titleHas":["`+title+`"]}}`)
		ends(t, d.say("when is "+title+"?"), meet.OutcomeAnswered)
	}
	looks("lunch")
	d.reads(planOf(t, "Sync", twoSyncs+`,{"id":"shown","tool":"calendar_deleteEvents","dependsOn":["sync"],
		"arguments":{"selection":{"from":["shown"]}}}`))
	ends(t, d.does(), meet.OutcomeWaiting)
	looks("gym")
	ends(t, d.say("the second one"), meet.OutcomeWaiting)
	ends(t, d.say("yes"), meet.OutcomeChanged)
	d.wants("answered", "Gym 5 16:00", "Sync design 5 10:00", "Write 7 09:00")
}

// saidTo notes what the worlds of turns take for the user's own words.
type saidTo struct {
	stages.Worlds
	said *[]string
}

func (s saidTo) World(ctx context.Context, t meet.Turn, now time.Time, language string) (*world.World, error) {
	*s.said = append(*s.said, t.Message)
	return s.Worlds.World(ctx, t, now, language)
}

// A plan that goes on knows what the user said for it: only from there it may take an address, also after a button.
func TestAPlanKnowsWhatWasSaidForIt(t *testing.T) {
	t.Parallel()
	d, asked, _ := waitingDay(t)
	var said []string
	d.remake(t, func(ports *stages.Ports) { ports.Worlds = saidTo{ports.Worlds, &said} })
	got := d.say("", func(turn *meet.Turn) { turn.Answer = &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[1].ID} })
	ends(t, got, meet.OutcomeWaiting)
	if len(said) == 0 || said[len(said)-1] != "do this, then that" {
		t.Errorf("the plan goes on with the words %q", said)
	}
}

// An answer that is given again because its turn broke off after the deed does nothing more.
func TestAPlanIsDoneOnce(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil)
	d.reads(planOf(t, "", `{"id":"name","tool":"system_presentChoices","arguments":{"question":"Which?","options":[
		{"label":"Reading"},{"label":"Writing"}]}},{"id":"block","tool":"schedule_createTimeBlock","arguments":{
		"type":"work","title":{"$from":"name"},"date":"2031-05-07","startTime":"09:00","endTime":"10:00"}}`))
	asked, _ := find[meet.ChoicesUpdate](d.does())
	answer := func(turn *meet.Turn) {
		turn.AutoConfirm, turn.Answer = true, &meet.ChoiceAnswer{ID: asked.ID, Option: asked.Options[1].ID}
	}
	in := meet.Turn{
		ID: "t_broken", Conversation: "c", Organizer: d.world.People[0], Timezone: zone, ReceivedAt: now,
	}
	answer(&in)
	_, err := d.pipeline.Run(t.Context(), in, d.journal, func(_ context.Context, told ...meet.Update) error {
		for _, u := range told {
			if _, done := u.(meet.AppliedUpdate); done {
				return errors.New("broken off")
			}
		}
		return nil
	})
	if err == nil {
		t.Fatal("the turn does not break off")
	}
	d.say("", answer)
	d.wants("answered twice", "Writing 7 09:00")
}
