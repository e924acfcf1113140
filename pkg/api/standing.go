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

// standing is the event that a turn proposed as it stands, and what is to be said of it now that it is confirmed,
// cancelled or replaced; nothing where the turn left it so. The stored proposal is the truth; a turn's state and its
// log say how it was when the turn ended.
type standing struct {
	event   meet.Event
	message meet.MessageUpdate
}

// standingOf is nil where there is no event, or it is kept no longer.
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

// retold are entries of the turn's log as what stands has them. Pieces of the message that was are empty, so that each
// entry keeps its number.
func (s *standing) retold(entries []turn.Entry) ([]turn.Entry, error) {
	if s == nil || s.message.Text == "" {
		return entries, nil
	}
	told := slices.Clone(entries)
	for i := range told {
		var head struct {
			Type string `json:"type"`
		}
		err := json.Unmarshal(told[i].Data, &head)
		switch head.Type {
		case meet.TypeOf(meet.MessageDeltaUpdate{}):
			told[i].Data, err = meet.MarshalUpdate(meet.MessageDeltaUpdate{})
		case meet.TypeOf(meet.MessageUpdate{}):
			told[i].Data, err = meet.MarshalUpdate(s.message)
		case meet.TypeOf(meet.EventUpdate{}):
			told[i].Data, err = meet.MarshalUpdate(meet.EventUpdate{Event: s.event})
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", told[i].ID, err)
		}
	}
	return told, nil
}

// settledEvent is the answer to a confirmation or a cancellation: the event as it stands, with what is to be said of
// it.
type settledEvent struct {
	meet.Event
	Message string `json:"message,omitempty" doc:"What is to be said of the event now, in Markdown and in its language. It takes the place of the turn's message."`
	HTML    string `json:"html,omitempty" doc:"The message as a page may show it without looking further."`
}

func (s *Server) settled(e meet.Event) settledEvent {
	if s.cfg.Tell == nil {
		return settledEvent{Event: e}
	}
	told := s.cfg.Tell(e)
	return settledEvent{e, told.Text, told.HTML}
}
