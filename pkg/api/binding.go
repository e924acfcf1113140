package api

import (
	"context"
	"strings"

	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// ownTurn is how a turn stands. Whatever a token is not bound to is not found, whether or not it is there.
func (s *Server) ownTurn(ctx context.Context, id meet.TurnID) (meet.TurnState, error) {
	if err := noteOf(ctx).turnedAway; err != nil {
		return meet.TurnState{}, err
	}
	state, err := s.cfg.Turns.State(ctx, id)
	if err != nil {
		return meet.TurnState{}, err
	}
	if !auth.CallerOf(ctx).MayFollow(state.ConversationID) {
		return meet.TurnState{}, noTurn()
	}
	noteOf(ctx).conversation = state.ConversationID
	return state, nil
}

func noTurn() error {
	return fault.New(fault.NotFound, "There is no turn with this id.")
}

func (s *Server) ownProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	event, err := s.cfg.Proposals.Proposal(ctx, id)
	if err != nil {
		return meet.Event{}, err
	}
	if !auth.CallerOf(ctx).MayFollow(event.Conversation) {
		return meet.Event{}, noProposal()
	}
	noteOf(ctx).conversation = event.Conversation
	return event, nil
}

func noProposal() error {
	return fault.New(fault.NotFound, "There is no proposal with this id.")
}

// mayChange is nil where the caller may confirm or withdraw the proposal. Only of those who are held to something the
// proposal has to be asked.
func (s *Server) mayChange(ctx context.Context, id meet.ProposalID) error {
	if !auth.CallerOf(ctx).Bound() {
		return nil
	}
	_, err := s.ownProposal(ctx, id)
	return err
}

// converse gives the turn a conversation that its caller may have it in.
func converse(ctx context.Context, t *meet.Turn) error {
	caller := auth.CallerOf(ctx)
	t.Circle = caller.Circle()
	if t.Conversation != "" {
		if !caller.MayFollow(t.Conversation) {
			return noConversation()
		}
		return nil
	}
	id, ok := caller.NewConversation()
	if !ok {
		return fault.Invalid("conversationId", "is missing: with this token, conversations can be gone on with and not begun")
	}
	t.Conversation = id
	return nil
}

func noConversation() error {
	return fault.New(fault.NotFound, "There is no conversation with this id.")
}

// checkGuest is about somebody who was given as an object by a caller who is held to something. An id would be that of
// somebody else, and with the email of somebody who is stored they are that person, whom the caller has to be allowed
// to name.
func checkGuest(caller auth.Caller, given, found meet.PersonID, may func(meet.PersonID) bool, path string) error {
	stored := !strings.HasPrefix(string(found), inlinePrefix)
	switch {
	case !caller.Bound():
		return nil
	case !caller.MayBringGuests():
		return fault.Invalid(path, "must be the id of a person: with this token, people cannot be given as objects")
	case given != "":
		return fault.Invalid(path, "must have no id: with this token, those who are stored are named by their id alone")
	case stored && !may(found):
		return fault.Invalid(path, "cannot be named with this token")
	}
	return nil
}

// maySpeakFor reports whether the caller may say when a person is busy. A token may not do so of others: what it said
// would take the place of their calendars.
func maySpeakFor(caller auth.Caller, id meet.PersonID) bool {
	return caller.MayOrganize(id) || strings.HasPrefix(string(id), inlinePrefix)
}
