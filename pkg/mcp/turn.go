package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// cancelTime is how long it may take to cancel the turn of a call that was given up.
const cancelTime = 5 * time.Second

// turn answers propose and edit, which both say something in a conversation.
func (s *Server) turn(ctx context.Context, args arguments, told progress) (r result, err error) {
	key, err := args.take("idempotencyKey")
	if err != nil {
		return r, err
	}
	body, err := json.Marshal(args)
	if err != nil {
		return r, fmt.Errorf("arguments of a turn: %w", err)
	}
	request, err := s.cfg.ReadTurn(ctx, body, key)
	if err != nil {
		return r, ownWords(err)
	}
	started, err := s.cfg.Turns.Start(ctx, request)
	if err != nil {
		return r, ownWords(err)
	}
	r.turn, r.ConversationID = started.ID, started.Conversation
	err = s.cfg.Log.Follow(ctx, started.ID, 0, func(entries ...turn.Entry) error {
		for _, e := range entries {
			if err := r.add(e.Data, told); err != nil {
				return fmt.Errorf("update %d: %w", e.ID, err)
			}
		}
		return nil
	})
	if err == nil {
		return s.asItStands(ctx, r, key), r.failure
	}
	if ctx.Err() == nil {
		return r, err
	}
	s.giveUp(ctx, started.ID, key)
	return r, reason(ctx)
}

// asItStands is the result of a turn as its event stands now: a call with the same key may come again after the event
// was booked.
func (s *Server) asItStands(ctx context.Context, r result, key string) result {
	if key == "" || r.ProposalID == "" {
		return r
	}
	event, err := s.cfg.Desk.Proposal(ctx, r.ProposalID)
	if err == nil && event.Status != meet.Proposed {
		s.stand(&r, event)
	}
	return r
}

// ownWords names the key as the tools name it.
func ownWords(err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Field == meet.IdempotencyKeyField {
		return fault.Invalid("idempotencyKey", "%s", f.Message).Because(err)
	}
	return err
}

// giveUp cancels a turn whose result nobody waits for. Whoever gave it a key may come back for the result after their
// connection broke off, and then it goes on.
func (s *Server) giveUp(ctx context.Context, id meet.TurnID, key string) {
	cause := context.Cause(ctx)
	if key != "" && !errors.Is(cause, errCancelled) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer cancel()
	_ = s.cfg.Turns.Cancel(ctx, id) // where it cannot be reached it ends at its deadline
}

// reason is why the call ended before its turn.
func reason(ctx context.Context) error {
	cause := context.Cause(ctx)
	if f, ok := errors.AsType[*fault.Error](cause); ok {
		return f
	}
	return fault.New(fault.Cancelled, "The call was given up before it was answered.").Because(cause)
}

// progress tells the client what is being waited for.
type progress func(meet.ProgressUpdate)

// progressOf tells a client that asked for it. It is best effort. The protocol wants each number to be higher than the
// one before; a turn that another process goes on with may repeat a step.
func progressOf(ctx context.Context, req *sdk.CallToolRequest) progress {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func(meet.ProgressUpdate) {}
	}
	last := 0
	return func(u meet.ProgressUpdate) {
		if u.Step <= last {
			return
		}
		last = u.Step
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(u.Step), Total: float64(u.Of), Message: u.Text,
		})
	}
}

// add takes up what the turn has streamed. Types that are not known say nothing to an agent.
func (r *result) add(data []byte, told progress) error {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	switch head.Type {
	case "turn":
		return taken(data, func(u meet.TurnUpdate) { r.turn, r.ConversationID = u.TurnID, u.ConversationID })
	case "acknowledgment":
		return taken(data, func(u meet.AcknowledgmentUpdate) { r.Message = u.Text })
	case "progress":
		return taken(data, told)
	case "message":
		return taken(data, func(u meet.MessageUpdate) { r.Message = u.Text })
	case "event":
		return taken(data, func(u meet.EventUpdate) { r.propose(u.Event) })
	case "alternatives":
		return taken(data, r.offer)
	case "activities":
		return taken(data, func(u meet.ActivitiesUpdate) { r.Activities = u.Activities })
	case "navigate":
		return taken(data, func(u meet.NavigateUpdate) { r.URL = u.URL })
	case "error":
		return taken(data, r.fail)
	case "done":
		return taken(data, r.finish)
	}
	return nil
}

// taken reads an update and hands it on.
func taken[U any, F ~func(U)](data []byte, to F) error {
	var u U
	if err := json.Unmarshal(data, &u); err != nil {
		return err
	}
	to(u)
	return nil
}
