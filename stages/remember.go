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
	"convene/pkg/preference"
	"convene/stages/candidates"
)

// memoryOf names the conversation in memory. It is the organizer's own: another caller sees an empty conversation.
func memoryOf(turn meet.Turn) meet.ConversationID {
	return meet.ConversationID(string(turn.Organizer.ID) + "/" + string(turn.Conversation))
}

// notebook remembers a conversation from one turn to the next.
type notebook struct {
	memory    Memory
	contacts  Contacts
	proposals Proposals
	// preferences may be nil.
	preferences Preferences
	now         func() time.Time
}

// recalled is what a turn starts from.
type recalled struct {
	talk     meet.Conversation
	contacts Names
	prefers  preference.Preferences
}

// recall reads the conversation, the contacts and the preferences side by side.
func (n notebook) recall(ctx context.Context, turn meet.Turn) (r recalled, err error) {
	contacts := candidates.Meanwhile(func() (Names, error) { return n.contacts.Of(ctx, turn.Organizer.ID) })
	prefers := candidates.Meanwhile(func() (preference.Preferences, error) { return n.prefers(ctx, turn.Organizer.ID) })
	r.talk, err = n.memory.Load(ctx, memoryOf(turn))
	var unknown, unread error
	r.contacts, unknown = contacts.Wait()
	r.prefers, unread = prefers.Wait()
	return r, errors.Join(err, unknown, unread)
}

// prefers are a person's preferences.
func (n notebook) prefers(ctx context.Context, person meet.PersonID) (p preference.Preferences, err error) {
	if n.preferences == nil {
		return p, nil
	}
	values, err := n.preferences.Of(ctx, person)
	return preference.Read(values), err
}

// catchUp begins to look up the conversation's event: it may have been confirmed at another time, or withdrawn, and
// then only the wish is left. Wait waits for that and updates the conversation.
func (n notebook) catchUp(ctx context.Context, talk *meet.Conversation) (wait func() error) {
	if talk.Search == nil || talk.Search.Event == nil {
		return func() error { return nil }
	}
	id := talk.Search.Event.ID
	standing := candidates.Meanwhile(func() (*meet.Event, error) { return n.standing(ctx, id) })
	return sync.OnceValue(func() error {
		event, err := standing.Wait()
		if err != nil {
			return err
		}
		search := *unchanged(talk.Search, event)
		search.Event = event
		search.Booked = event != nil && (search.Booked || event.Status == meet.Confirmed)
		talk.Search = &search
		if event != nil {
			talk.History = retold(talk.History, *event, n.now())
		}
		return nil
	})
}

// retold is the history in which the answer that proposed the event says how it stands now, for models to read.
func retold(history []meet.Exchange, e meet.Event, now time.Time) []meet.Exchange {
	history = slices.Clone(history)
	for i := range history {
		if text := message.Settled(e, now); text != "" && history[i].Turn.Proposal() == e.ID {
			history[i].Assistant = text
		}
	}
	return history
}

// longestChain bounds how far a chain of changes is followed back; booking.Desk goes no farther.
const longestChain = 50

// standing is the proposal as it is now; for a withdrawn change, the event that it would have changed if that is
// confirmed, so that the next change makes no second event. Nil if there is none.
func (n notebook) standing(ctx context.Context, id meet.ProposalID) (*meet.Event, error) {
	latest := id
	for range longestChain {
		event, _, err := n.proposals.LoadProposal(ctx, id)
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

// unchanged is the search of the standing event if the latest change was withdrawn, together with its wishes. What was
// shown stays shown.
func unchanged(s *meet.Search, standing *meet.Event) *meet.Search {
	if standing == nil || standing.ID == s.Event.ID || s.Standing == nil || s.Standing.Event.ID != standing.ID {
		return s
	}
	before := *s.Standing
	before.ShownSlots, before.ShownPlaces = s.ShownSlots, s.ShownPlaces
	before.OfferedSlots, before.OfferedPlaces = s.OfferedSlots, s.OfferedPlaces
	return &before
}

// asBooked is the search of the event as it is booked; nil if it is not.
func asBooked(s *meet.Search) *meet.Search {
	if s.Event == nil || s.Event.Status != meet.Confirmed {
		return s.Standing
	}
	booked := *storedSearch(s)
	booked.Slots, booked.Standing, booked.Past = nil, nil, nil
	return &booked
}

// remember keeps what the next turn of the conversation starts from. A failure does not undo the answer. The journal is
// settled first, because its results depend on the conversation as it was.
func (n notebook) remember(ctx context.Context, r *run, outcome meet.Outcome) {
	talk := r.conversation
	talk.ID, talk.Search = memoryOf(r.turn), storedSearch(r.conversation.Search)
	if talk.Search != nil {
		search := *talk.Search
		idle := len(r.aspects) > 0 || r.understood.Intent == meet.Converse || outcome.Memo == "(people)"
		search.Fresh = r.shown || outcome.Event != nil || idle && r.meant != ""
		talk.Search = &search
	}
	told := cmp.Or(outcome.Memo, outcome.Message)
	talk.History = withExchange(talk.History, meet.Exchange{User: r.asked, Assistant: told, Turn: r.turn.ID})
	ctx = context.WithoutCancel(ctx)
	if r.journal.Settle() != nil {
		return // the turn does not end here
	}
	if err := n.memory.Save(ctx, talk); err != nil {
		zerolog.Ctx(ctx).Error().Err(err).Msg("the conversation could not be kept")
		r.receipt.degraded("the conversation could not be kept; the next message starts anew")
	}
}

// interrupt keeps that a message came after the changes that wait, though its turn failed: no word confirms them now.
func (n notebook) interrupt(ctx context.Context, r *run) {
	if ctx.Err() != nil || r.turn.Answer != nil {
		return
	}
	talk, err := n.memory.Load(ctx, memoryOf(r.turn))
	if err == nil && (talk.Waiting != nil || freshEvent(talk.Search) != "") {
		if talk.Waiting != nil {
			talk.Waiting.Fresh, talk.Waiting.Choices, talk.Waiting.Means = false, nil, nil
			talk.Waiting.Named, talk.Waiting.Back = "", ""
		}
		if talk.Waiting != nil && talk.Waiting.Plan != nil {
			talk.Waiting.Plan.Fresh = false
		}
		if talk.Search != nil {
			talk.Search.Fresh = false
		}
		err = n.memory.Save(ctx, talk)
	}
	if err != nil {
		zerolog.Ctx(ctx).Error().Err(err).Msg("the conversation could not be kept")
	}
}

// storedSearch is a search as it is remembered: its event has only its ids, since catchUp looks it up.
func storedSearch(s *meet.Search) *meet.Search {
	if s == nil || s.Event == nil {
		return s
	}
	only := *s
	only.Event, only.Zone = &meet.Event{ID: s.Event.ID, UID: s.Event.UID}, cmp.Or(s.Zone, s.Event.Timezone)
	return &only
}

// withExchange appends an exchange, once: a process that died may have kept it already.
func withExchange(history []meet.Exchange, e meet.Exchange) []meet.Exchange {
	before := slices.DeleteFunc(slices.Clone(history), func(h meet.Exchange) bool {
		return h.Turn != "" && h.Turn == e.Turn
	})
	return append(before, e)
}

// restore gives an edit that another process began the conversation's search from its draft, if the conversation has
// expired meanwhile.
func restore(talk *meet.Conversation, draft meet.Draft) {
	if talk.Search != nil || draft.Before == nil {
		return
	}
	before := *draft.Before
	before.Event, before.Places = draft.Previous, draft.CachedPlaces
	talk.Search = &before
}

// searchOf is what an edit or "show more" starts from. "The second one" can mean only alternatives that the message
// listed.
func searchOf(
	in situation, draft meet.Draft, found meet.Candidates, choice message.Choice, e *meet.Event,
) *meet.Search {
	s := &meet.Search{
		Template: draft.Template, People: draft.People, Places: found.Places, Around: draft.Around, Slots: found.Slots,
		Lists: found.Lists,
		Event: e, OnlyThen: draft.OnlyThen, Organizer: in.turn.Organizer.ID, At: in.now, Zone: in.now.Location().String(),
	}
	s.Apart = draft.Apart != nil && draft.Apart.Video || calledForDistance(in.conversation.Search, draft)
	s.Wished = slices.Clone(draft.Older)
	for _, w := range draft.Template.Wishes.Each() {
		if !slices.Contains(s.Wished, w) {
			s.Wished = append(s.Wished, w)
		}
	}
	if before := in.conversation.Search; before != nil {
		if draft.Mode == meet.ModeEdit {
			s.Booked, s.Standing, s.Past = before.Booked, asBooked(before), before.Grown(*draft.Edit, e)
		}
		s.ShownPlaces = slices.Clone(before.ShownPlaces[max(0, len(before.ShownPlaces)-mostRemembered):])
	}
	s.ShowSlots(picked(found.Slots, choice.Slots))
	for _, i := range choice.Places {
		s.ShowPlace(found.Places[i])
	}
	if e != nil && found.Shown.Times {
		s.OfferedSlots = e.Alternatives.Slots
	}
	if e != nil && found.Shown.Places {
		s.OfferedPlaces = e.Alternatives.Places
	}
	return s
}

// mostRemembered is how many of the shown places are kept.
const mostRemembered = 200
