package stages

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// memoryOf names the conversation in memory. It is the organizer's own: who knows another's conversation id gets an empty
// one.
func memoryOf(turn meet.Turn) meet.ConversationID {
	return meet.ConversationID(string(turn.Organizer.ID) + "/" + string(turn.Conversation))
}

// recall reads the conversation and who may be meant by a name, side by side.
func (p *Pipeline) recall(ctx context.Context, turn meet.Turn) (meet.Conversation, Names, error) {
	contacts := meanwhile(func() (Names, error) { return p.ports.Contacts.Of(ctx, turn.Organizer.ID) })
	talk, err := p.ports.Memory.Load(ctx, memoryOf(turn))
	names, unknown := contacts()
	return talk, names, errors.Join(err, unknown)
}

// catchUp begins to look up what has become of the conversation's event: it may have been confirmed at another time, or
// withdrawn, and then only the wish is left of it. What it returns waits for that and brings the conversation up to it.
func (p *Pipeline) catchUp(ctx context.Context, talk *meet.Conversation) (wait func() error) {
	if talk.Search == nil || talk.Search.Event == nil {
		return func() error { return nil }
	}
	id := talk.Search.Event.ID
	standing := meanwhile(func() (*meet.Event, error) { return p.standing(ctx, id) })
	return sync.OnceValue(func() error {
		event, err := standing()
		if err != nil {
			return err
		}
		search := *unchanged(talk.Search, event)
		search.Event = event
		search.Booked = event != nil && (search.Booked || event.Status == meet.Confirmed)
		talk.Search = &search
		if event != nil {
			talk.History = retold(talk.History, *event, p.ports.Now())
		}
		return nil
	})
}

// retold is the history in which the turn that proposed the event says what has become of it: models read what was said
// before.
func retold(history []meet.Exchange, e meet.Event, now time.Time) []meet.Exchange {
	history = slices.Clone(history)
	for i := range history {
		if text := message.Settled(e, now); text != "" && proposalOf(meet.Turn{ID: history[i].Turn}) == e.ID {
			history[i].Assistant = text
		}
	}
	return history
}

// longestChain bounds how far a chain of changes is followed back; booking.Desk goes no farther.
const longestChain = 50

// standing is the proposal as it is now. Of a change that was withdrawn it is the event that it would have changed, if
// that is confirmed: the next change is one of that event, and not a second event. Nil is that there is none.
func (p *Pipeline) standing(ctx context.Context, id meet.ProposalID) (*meet.Event, error) {
	latest := id
	for range longestChain {
		event, _, err := p.ports.Proposals.LoadProposal(ctx, id)
		switch {
		case fault.CodeOf(err) == fault.NotFound:
			return nil, nil
		case err != nil:
			return nil, err
		case event.Status == meet.Confirmed, event.Status == meet.Proposed && id == latest:
			return &event, nil
		case event.Replaces == "":
			return nil, nil
		}
		id = event.Replaces
	}
	return nil, nil
}

// unchanged is the search of the event that stands, where the change that was searched for last was withdrawn: what that
// wished for goes with it. What was shown stays shown.
func unchanged(s *meet.Search, standing *meet.Event) *meet.Search {
	if standing == nil || standing.ID == s.Event.ID || s.Standing == nil || s.Standing.Event.ID != standing.ID {
		return s
	}
	before := *s.Standing
	before.ShownSlots, before.ShownPlaces = s.ShownSlots, s.ShownPlaces
	before.OfferedSlots, before.OfferedPlaces = s.OfferedSlots, s.OfferedPlaces
	return &before
}

// asBooked is the search of the event as it is booked; nil where it is not.
func asBooked(s *meet.Search) *meet.Search {
	if s.Event == nil || s.Event.Status != meet.Confirmed {
		return s.Standing
	}
	booked := *kept(s)
	booked.Slots, booked.Standing = nil, nil
	return &booked
}

// remember keeps what the next turn of the conversation starts from. What the user has been told stands whether it can be
// kept or not. The steps before are kept first, because what they gave depends on the conversation as it was.
func (p *Pipeline) remember(ctx context.Context, r *run, outcome meet.Outcome) {
	talk := r.conversation
	talk.ID, talk.Search = memoryOf(r.turn), kept(r.conversation.Search)
	talk.History = withExchange(talk.History, meet.Exchange{User: r.asked, Assistant: outcome.Message, Turn: r.turn.ID})
	ctx = context.WithoutCancel(ctx)
	if r.journal.Settle() != nil {
		return // the turn does not end here
	}
	if err := p.ports.Memory.Save(ctx, talk); err != nil {
		zerolog.Ctx(ctx).Error().Err(err).Msg("the conversation could not be kept")
		r.receipt.degraded("the conversation could not be kept; the next message starts anew")
	}
}

// kept is a search as it is remembered: of its event only which one it is, since catchUp looks up what has become of it.
func kept(s *meet.Search) *meet.Search {
	if s == nil || s.Event == nil {
		return s
	}
	only := *s
	only.Event, only.Zone = &meet.Event{ID: s.Event.ID, UID: s.Event.UID}, cmp.Or(s.Zone, s.Event.Timezone)
	return &only
}

// withExchange adds an exchange to those before, once: a process that died may have kept it without coming to say so.
func withExchange(history []meet.Exchange, e meet.Exchange) []meet.Exchange {
	before := slices.DeleteFunc(slices.Clone(history), func(h meet.Exchange) bool { return h.Turn != "" && h.Turn == e.Turn })
	return append(before, e)
}

// goOn has an edit that was taken over go on where its conversation has been forgotten meanwhile: with what the draft keeps
// of it.
func (r *run) goOn(draft meet.Draft) {
	if r.conversation.Search != nil || draft.Before == nil {
		return
	}
	before := *draft.Before
	before.Event, before.Places = draft.Previous, draft.CachedPlaces
	r.conversation.Search = &before
}

// searchOf is what an edit or "show more" starts from. Only alternatives that the message listed can be meant by "the
// second one".
func (r *run) searchOf(draft meet.Draft, found meet.Candidates, chosen selected, e *meet.Event) *meet.Search {
	s := &meet.Search{
		Template: draft.Template, People: draft.People, Places: found.Places, Around: draft.Around, Slots: found.Slots,
		Lists: found.Lists,
		Event: e, OnlyThen: draft.OnlyThen, Organizer: r.turn.Organizer.ID, At: r.now, Zone: r.now.Location().String(),
	}
	s.Apart = draft.Apart != nil && draft.Apart.Video || r.calledForDistance(draft)
	s.Wished = slices.Clone(draft.Older)
	for _, w := range draft.Template.Wishes.Each() {
		if !slices.Contains(s.Wished, w) {
			s.Wished = append(s.Wished, w)
		}
	}
	if before := r.conversation.Search; before != nil {
		if draft.Mode == meet.ModeEdit {
			s.Booked, s.Standing = before.Booked, asBooked(before)
		}
		s.ShownPlaces = slices.Clone(before.ShownPlaces[max(0, len(before.ShownPlaces)-mostRemembered):])
	}
	for _, i := range chosen.Choice.Slots {
		s.ShownSlots = append(s.ShownSlots, found.Slots[i].Start)
	}
	for _, i := range chosen.Choice.Places {
		s.ShownPlaces = withShown(s.ShownPlaces, found.Places[i])
	}
	if e != nil && found.Shown.Times {
		s.OfferedSlots = e.Alternatives.Slots
	}
	if e != nil && found.Shown.Places {
		s.OfferedPlaces = e.Alternatives.Places
	}
	return s
}

// mostRemembered is how many of the places that were shown are kept.
const mostRemembered = 200

// withTimes are the starts that were shown with those of more slots, each once.
func withTimes(shown []time.Time, slots []meet.Slot) []time.Time {
	for _, s := range slots {
		if !slices.ContainsFunc(shown, s.Start.Equal) {
			shown = append(shown, s.Start)
		}
	}
	return shown
}

// withShown are the places shown with one more. Another branch of it counts as the same, unless people asked for it by
// name.
func withShown(shown []string, p meet.Place) []string {
	marks := []string{p.Key()}
	if !p.Named {
		marks = append(marks, p.Name)
	}
	for _, mark := range marks {
		if !slices.Contains(shown, mark) {
			shown = append(shown, mark)
		}
	}
	return shown
}

func shownBefore(search *meet.Search, p meet.Place) bool {
	return slices.Contains(search.ShownPlaces, p.Key()) || !p.Named && slices.Contains(search.ShownPlaces, p.Name)
}
