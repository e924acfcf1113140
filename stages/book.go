package stages

import (
	"context"
	"encoding/json"
	"slices"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// freshEvent is the event that the turn before showed; empty if there is none.
func freshEvent(s *meet.Search) meet.ProposalID {
	if s == nil || s.Event == nil || !s.Fresh {
		return ""
	}
	return s.Event.ID
}

// booking is what a message orders of the event that was arranged.
type booking struct {
	// Books says that it orders to book the proposed event, and Asks that it is asked first, since it is in doubt, or
	// another turn came between and it only says yes, or may mean the free time that was listed.
	// Undoes says that the event was just booked, and is to be taken back.
	Books, Asks, Undoes bool
}

// book confirms the proposed event if the message orders that in plain words; if the turn before was about something
// else, it asks. "Undo" after a new event was booked means that event. Ends says that the turn ends with it.
func (p *Pipeline) book(ctx context.Context, r *run) (outcome meet.Outcome, ends bool, err error) {
	search := r.conversation.Search
	answers := r.turn.Answer != nil || r.asks != nil || r.turn.Message != r.asked // a question of stage 3
	if search == nil || search.Event == nil || answers {
		return outcome, false, nil
	}
	reply, kind := r.order, r.order.Kind
	if kind == again {
		kind = Yes // which is asked for once more
	}
	if kind == No && r.was.Event != nil {
		r.decline()
	}
	if kind != Yes && kind != Undo {
		return outcome, false, nil
	}
	if err := r.catchUp(); err != nil {
		return outcome, false, err
	}
	event := r.conversation.Search.Event
	said, err := once(ctx, r, "book", func(context.Context) (said booking, err error) {
		if event != nil && kind == Yes && event.Status == meet.Proposed {
			said = booking{Books: true, Asks: reply.Kind == again || r.meant != event.ID && (!reply.Books || r.offersTimes())}
		}
		said.Undoes = event != nil && kind == Undo && event.Status == meet.Confirmed && search.Standing == nil &&
			r.meant == event.ID && p.ports.Worlds != nil
		return said, nil
	})
	if err != nil || event == nil || !said.Books && !said.Undoes {
		return outcome, false, err
	}
	r.acknowledge(meet.HandleEvent, message.Look(event.Language), event.Language)
	if said.Books {
		outcome, err = p.booked(ctx, r, *event, said)
		return outcome, true, err
	}
	r.understood.Intent, r.steps = meet.Act, workSteps
	outcome, err = p.answerer.carry(ctx, r, planned{Call: &meet.PlannedCall{
		Tool: "calendar_deleteEvents", Arguments: json.RawMessage(`{"selection":{"from":["event"]}}`),
	}})
	return outcome, true, err
}

// ofProposed asks for an answer to a proposed event.
func ofProposed(s *meet.Search) Asked { return Asked{Event: true, Alone: len(s.People) == 0} }

// ordered is what the message says to the event that is proposed.
func (p *Pipeline) ordered(r *run) (order Reply) {
	if s := r.conversation.Search; s != nil && s.Event != nil && p.ports.Reply != nil {
		order = p.ports.Reply(r.turn.Message, ofProposed(s))
	}
	return order
}

// booked books the event, or says why not: then it still waits, with other times if its own has gone.
func (p *Pipeline) booked(ctx context.Context, r *run, event meet.Event, said booking) (meet.Outcome, error) {
	v := r.voice()
	switch {
	case r.turn.NoConfirm:
		return r.say(ctx, meet.OutcomeAnswered, v.OtherKey())
	case said.Asks:
		r.shown = true
		return r.say(ctx, meet.OutcomeQuestion, v.Book(event.Title, event.Start))
	}
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	confirmed, err := p.ports.Confirmer.ConfirmProposal(ctx, event.ID)
	switch {
	case err == nil:
		ctx = context.WithoutCancel(ctx) // the user must learn of it
		text := message.Settled(confirmed, r.now)
		r.conversation.Search.Event, r.conversation.Search.Booked = &confirmed, true
		r.answers, r.did = true, true
		if r.conversation.Waiting != nil {
			open := aged(*r.conversation.Waiting, meet.HandleEvent) // "undo" means the event
			left := func(l meet.Left) bool { return l.ID() == string(event.ID) }
			open.Left, r.conversation.Waiting = slices.DeleteFunc(slices.Clone(open.Left), left), open
		}
		err := r.emit(ctx, r.message(text, meet.ByCode), meet.EventUpdate{Event: confirmed})
		return meet.Outcome{Kind: meet.OutcomeConfirmed, Event: &confirmed, Message: text}, err
	case fault.CodeOf(err) == fault.SlotGone:
		return p.gone(ctx, r, event)
	}
	if refusal, ok := refusalOf(err); ok {
		return r.say(ctx, meet.OutcomeAnswered, refusal.Message)
	}
	return meet.Outcome{}, err
}

// gone tells that the event's time is no longer free, with times that are.
func (p *Pipeline) gone(ctx context.Context, r *run, event meet.Event) (meet.Outcome, error) {
	slots, err := p.Fresh(ctx, r.turn, event)
	if err != nil {
		return meet.Outcome{}, err
	}
	search := r.conversation.Search
	search.OfferedSlots, search.OfferedPlaces = slots, nil
	search.ShowSlots(slots)
	v := r.voice()
	text := v.Gone(event.Title, event.Start, each(slots, func(s meet.Slot) string { return v.When(s.Start) }))
	err = r.emit(ctx, r.message(text, meet.ByCode), meet.AlternativesUpdate{
		Slots: orEmpty(slots), Reasons: []meet.Reason{},
	})
	return meet.Outcome{Kind: meet.OutcomeAlternatives, Message: text}, err
}
