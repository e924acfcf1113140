package stages_test

import (
	"context"
	"testing"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages"
)

// confirms counts confirmations, and fails them with an error if there is one.
type confirms struct {
	world interface {
		ConfirmProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error)
		CancelProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error)
	}
	fail error
	n    int
}

func (c *confirms) ConfirmProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	c.n++
	if c.fail != nil {
		return meet.Event{}, c.fail
	}
	return c.world.ConfirmProposal(ctx, id)
}

func (c *confirms) CancelProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	return c.world.CancelProposal(ctx, id)
}

// proposing is a day on which an event is proposed.
func proposing(t *testing.T) (*dayHarness, *confirms) {
	t.Helper()
	d := newDay(t, nil, monday()...)
	c := &confirms{world: d.world}
	d.ports.Confirmer = c
	d.remake(t, func(*stages.Ports) {})
	d.proposed()
	return d, c
}

// Only an order in plain words books the event that was shown.
func TestTheEventIsBookedInWords(t *testing.T) {
	t.Parallel()
	for message, books := range map[string]bool{
		"yes": true, "book it": true, "Yes, book it please!": true, "ok book it": true, "confirm": true, "go ahead": true,
		"sí, resérvalo": true, "כן, תקבע": true,
		"ok": false, "great": false, "perfect, thanks": false, "vale": false, "סבבה": false, "no": false,
	} {
		t.Run(message, func(t *testing.T) {
			t.Parallel()
			d, c := proposing(t)
			want := meet.OutcomeConfirmed
			if !books {
				d.model.Say(llm.Classify, classified("converse"))
				want = meet.OutcomeAnswered
			}
			got := d.say(message)
			ends(t, got, want)
			if (c.n == 1) != books {
				t.Errorf("confirmed %d times", c.n)
			}
			if e, ok := find[meet.EventUpdate](got); ok != books || ok && e.Event.Status != meet.Confirmed {
				t.Errorf("event %v %+v", ok, e.Event.Status)
			}
			if !books {
				// A nod shows nothing else, so that a yes still means the event; after a no it is asked about first.
				want = meet.OutcomeConfirmed
				if message == "no" {
					want = meet.OutcomeQuestion
				}
				ends(t, d.say("book it"), want)
			}
		})
	}
}

// After something else was shown, the event is named before it is booked.
func TestAnEventIsAskedAboutAgain(t *testing.T) {
	t.Parallel()
	d, c := proposing(t)
	d.plans("look", "calendar_findEvents", clearMonday)
	ends(t, d.say("what is on monday?"), meet.OutcomeAnswered)
	ends(t, d.say("book it"), meet.OutcomeQuestion)
	if c.n != 0 {
		t.Error("it was booked before it was named")
	}
	ends(t, d.say("yes"), meet.OutcomeConfirmed)
}

// A key that cannot confirm cannot do so in words either.
func TestAKeyThatCannotConfirmBooksNothing(t *testing.T) {
	t.Parallel()
	d, c := proposing(t)
	ends(t, d.say("book it", func(turn *meet.Turn) { turn.NoConfirm = true }), meet.OutcomeAnswered)
	if c.n != 0 {
		t.Error("it was booked")
	}
}

// If the time has gone, nothing is booked, and other times are offered, of which one can be chosen in words.
func TestTheTimeOfAnOrderHasGone(t *testing.T) {
	t.Parallel()
	d, c := proposing(t)
	c.fail = fault.New(fault.SlotGone, "Ada is no longer free.")
	got := d.say("book it")
	ends(t, got, meet.OutcomeAlternatives)
	if others, ok := find[meet.AlternativesUpdate](got); !ok || len(others.Slots) == 0 {
		t.Errorf("others %+v", others)
	}
	c.fail = fault.New(fault.Unavailable, "The calendar cannot be read.")
	ends(t, d.say("book it"), meet.OutcomeQuestion) // the other times were shown last
}

// A process that takes the turn over after the event was booked tells the same.
func TestAnOrderIsTakenOver(t *testing.T) {
	t.Parallel()
	d, c := proposing(t)
	var journal kept
	d.journal = &journal
	ends(t, d.say("book it"), meet.OutcomeConfirmed)
	d.turns--
	again := d.say("book it")
	ends(t, again, meet.OutcomeConfirmed)
	if c.n != 2 {
		t.Errorf("confirmed %d times: the desk makes one event of both", c.n)
	}
}

// Undo after the booking of a new event means that event, which others hear of: it is asked for.
func TestUndoAfterABooking(t *testing.T) {
	t.Parallel()
	d, _ := proposing(t)
	ends(t, d.say("book it"), meet.OutcomeConfirmed)
	got := d.say("undo that")
	if call, ok := find[meet.ResultUpdate](got); !ok || call.Response.Metadata.ToolName != deleteThem {
		t.Errorf("%+v", got.outcome)
	}
}
