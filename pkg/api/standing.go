package api

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// standing is the current state of the event that a turn proposed, and its message if it was confirmed, cancelled or
// replaced since. The stored proposal is the truth; a turn's state and its log have the event as it was when the turn
// ended.
type standing struct {
	event   meet.Event
	message meet.MessageUpdate
}

// standingOf returns nil if there is no event, or it has expired.
func (s *Server) standingOf(ctx context.Context, state meet.TurnState) (*standing, error) {
	if !state.Ended() || state.Event == nil {
		return nil, nil
	}
	event, err := s.cfg.Proposals.Proposal(ctx, state.Event.ID)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		return nil, nil
	case err != nil:
		return nil, err
	case event.Status == state.Event.Status || s.cfg.Tell == nil:
		return &standing{event: event}, nil
	}
	return &standing{event, s.cfg.Tell(event)}, nil
}

// current replaces the message and the event in entries of the turn's log by the current ones. The pieces of the old
// message become empty, so that each entry keeps its number.
func (s *standing) current(entries []turn.Entry) ([]turn.Entry, error) {
	if s == nil || s.message.Text == "" {
		return entries, nil
	}
	entries = slices.Clone(entries)
	for i, e := range entries {
		var head struct {
			Type string `json:"type"`
		}
		err := json.Unmarshal(e.Data, &head)
		switch head.Type {
		case meet.TypeOf(meet.MessageDeltaUpdate{}):
			entries[i].Data, err = meet.MarshalUpdate(meet.MessageDeltaUpdate{})
		case meet.TypeOf(meet.MessageUpdate{}):
			entries[i].Data, err = meet.MarshalUpdate(s.message)
		case meet.TypeOf(meet.EventUpdate{}):
			entries[i].Data, err = meet.MarshalUpdate(meet.EventUpdate{Event: s.event})
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", e.ID, err)
		}
	}
	return entries, nil
}

// settledEvent is the response to a confirmation or a cancellation: the event with its message.
type settledEvent struct {
	meet.Event
	Message string `json:"message,omitempty" doc:"What to tell the user about the event now, in Markdown and in its language. It replaces the turn's message."`
	HTML    string `json:"html,omitempty" doc:"The message as sanitized HTML."`
}

func (s *Server) settled(e meet.Event) settledEvent {
	if s.cfg.Tell == nil {
		return settledEvent{Event: e}
	}
	message := s.cfg.Tell(e)
	return settledEvent{e, message.Text, message.HTML}
}
