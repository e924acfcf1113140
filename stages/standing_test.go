package stages_test

import (
	"testing"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/meet"
	"convene/stages"
)

// Whatever a model makes of it, a request about an event that stands in the calendar becomes no new one: it is asked,
// and the choices do what they say.
func TestWhatStandsBecomesNoNewEvent(t *testing.T) {
	t.Parallel()
	ask := func(t *testing.T) *dayHarness {
		t.Helper()
		d := newDay(t, nil, monday()...)
		d.world.Own = map[meet.PersonID][]meet.Occurrence{"me": monday()}
		d.remake(t, func(p *stages.Ports) { p.Standing = offline.Standing })
		d.model.Say(llm.Classify, classified("handle_event"))
		got := d.say("the dentist ought to come to me")
		ends(t, got, meet.OutcomeWaiting)
		if asked, ok := find[meet.ChoicesUpdate](got); !ok || len(asked.Options) != 3 {
			t.Fatalf("asked %+v", asked)
		}
		return d
	}
	d := ask(t)
	ends(t, d.say("1"), meet.OutcomeAnswered)
	d.wants("shown", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
	d = ask(t)
	ends(t, d.say("2"), meet.OutcomeWaiting)
	ends(t, d.say("yes"), meet.OutcomeChanged)
	d.wants("deleted", "Budget 5 12:00", "Sync 5 15:00")
	d = ask(t)
	d.arranges()
	if got := d.say("3"); got.outcome.Kind == meet.OutcomeWaiting {
		t.Error("a new event that the user chose is asked about again")
	}
}

// What a message makes, and what it only says beside something new, is arranged as before.
func TestAProposalIsNoRequestAboutWhatStands(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		"let's grab coffee with Ada next week", "coffee with Ada after the dentist", "schedule the budget talk with Ada",
	} {
		d := newDay(t, nil, monday()...)
		d.world.Own = map[meet.PersonID][]meet.Occurrence{"me": append(monday(), on(4, "10:00", "Coffee with Ada"))}
		d.remake(t, func(p *stages.Ports) { p.Standing = offline.Standing })
		d.arranges()
		if got, ok := find[meet.ChoicesUpdate](d.say(message)); ok {
			t.Errorf("%q is asked about: %+v", message, got)
		}
	}
}

// arranges is a turn whose message the model reads as a new event.
func (d *dayHarness) arranges() {
	d.model.Say(llm.Classify, classified("handle_event")).
		Say(llm.Template, template(coffee())).
		Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}, RankedPlaceIndices: []int{0}}))
}
