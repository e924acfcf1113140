package api

import (
	"context"
	"strings"

	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// ownTurn returns a turn's state. A turn that the caller's token is not bound to is not found, whether or not it
// exists.
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

// mayChange returns nil if the caller may confirm or withdraw the proposal. It reads the proposal for bound callers
// only.
func (s *Server) mayChange(ctx context.Context, id meet.ProposalID) error {
	if !auth.CallerOf(ctx).Bound() {
		return nil
	}
	_, err := s.ownProposal(ctx, id)
	return err
}

// converse checks the turn's conversation, or gives it a new one that the caller may begin.
func converse(ctx context.Context, t *meet.Turn) error {
	caller := auth.CallerOf(ctx)
	t.Circle, t.Families, t.NoConfirm = caller.Circle(), caller.Grant.Families, !caller.MayConfirm()
	if t.Conversation != "" {
		if !caller.MayFollow(t.Conversation) {
			return noConversation()
		}
		return nil
	}
	id, ok := caller.NewConversation()
	if !ok {
		return fault.Invalid("conversationId", "is missing: this token can only continue conversations")
	}
	t.Conversation = id
	return nil
}

func noConversation() error {
	return fault.New(fault.NotFound, "There is no conversation with this id.")
}

// checkGuest checks a person whom a bound caller gave as an object. An id of its own could be another person's, and a
// stored person's email means that person, whom the caller must be allowed to name.
func checkGuest(caller auth.Caller, given, found meet.PersonID, may func(meet.PersonID) bool, path string) error {
	stored := !strings.HasPrefix(string(found), inlinePrefix)
	switch {
	case !caller.Bound():
		return nil
	case !caller.MayBringGuests():
		return fault.Invalid(path, "must be the id of a person: this token does not allow people as objects")
	case given != "":
		return fault.Invalid(path, "must have no id: this token names stored people by their id alone")
	case stored && !may(found):
		return fault.Invalid(path, "cannot be named with this token")
	}
	return nil
}

// maySpeakFor reports whether the caller may say when a person is busy. A token may not do so for other stored people,
// because it would replace their calendars.
func maySpeakFor(caller auth.Caller, id meet.PersonID) bool {
	return caller.MayOrganize(id) || strings.HasPrefix(string(id), inlinePrefix)
}
