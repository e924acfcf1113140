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

// cancelTime bounds how long cancelling the turn of an abandoned call may take.
const cancelTime = 5 * time.Second

// turn answers propose and edit.
func (s *Server) turn(ctx context.Context, args arguments, notify progress) (r result, err error) {
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
			if err := r.add(e.Data, notify); err != nil {
				return fmt.Errorf("update %d: %w", e.ID, err)
			}
		}
		return nil
	})
	if err == nil {
		return s.current(ctx, r, key), r.failure
	}
	if ctx.Err() == nil {
		return r, err
	}
	s.giveUp(ctx, started.ID, key)
	return r, reason(ctx)
}

// current updates the result to the current state of its event, because a call with the same key may come again after
// the event was booked.
func (s *Server) current(ctx context.Context, r result, key string) result {
	if key == "" || r.ProposalID == "" {
		return r
	}
	event, err := s.cfg.Desk.Proposal(ctx, r.ProposalID)
	if err == nil && event.Status != meet.Proposed {
		s.settle(&r, event)
	}
	return r
}

// ownWords gives a fault of the key the tools' name for it.
func ownWords(err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Field == meet.IdempotencyKeyField {
		return fault.Invalid("idempotencyKey", "%s", f.Message).Because(err)
	}
	return err
}

// giveUp cancels the turn of an abandoned call. With a key the turn continues after a broken connection, because the
// client may come back for its result.
func (s *Server) giveUp(ctx context.Context, id meet.TurnID, key string) {
	cause := context.Cause(ctx)
	if key != "" && !errors.Is(cause, errCancelled) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer cancel()
	_ = s.cfg.Turns.Cancel(ctx, id) // otherwise it ends at its deadline
}

// reason is why the call ended before its turn.
func reason(ctx context.Context) error {
	cause := context.Cause(ctx)
	if f, ok := errors.AsType[*fault.Error](cause); ok {
		return f
	}
	return fault.New(fault.Cancelled, "The call was cancelled before it was answered.").Because(cause)
}

// progress notifies the client of a turn's progress.
type progress func(meet.ProgressUpdate)

// progressOf notifies a client that asked for it, best effort. The protocol requires increasing numbers, and a turn
// that another process continues may repeat a step.
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

// add adds an update of the turn to the result. It ignores unknown types.
func (r *result) add(data []byte, notify progress) error {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	switch head.Type {
	case "turn":
		return decoded(data, func(u meet.TurnUpdate) { r.turn, r.ConversationID = u.TurnID, u.ConversationID })
	case "acknowledgment":
		return decoded(data, func(u meet.AcknowledgmentUpdate) { r.Message = u.Text })
	case "progress":
		return decoded(data, notify)
	case "message":
		return decoded(data, func(u meet.MessageUpdate) { r.Message = u.Text })
	case "event":
		return decoded(data, func(u meet.EventUpdate) { r.propose(u.Event) })
	case "alternatives":
		return decoded(data, r.offer)
	case "activities":
		return decoded(data, func(u meet.ActivitiesUpdate) { r.Activities = u.Activities })
	case "navigate":
		return decoded(data, func(u meet.NavigateUpdate) { r.URL = u.URL })
	case "result":
		return decoded(data, func(u meet.ResultUpdate) { r.Results = append(r.Results, u.Response) })
	case "changes":
		return decoded(data, func(u meet.ChangesUpdate) { r.Changes = &u.Changes })
	case "applied":
		return decoded(data, func(u meet.AppliedUpdate) { r.Applied = &u.Applied })
	case "choices":
		return decoded(data, func(u meet.ChoicesUpdate) { r.Choices = &u.Choices })
	case "error":
		return decoded(data, r.fail)
	case "done":
		return decoded(data, r.finish)
	}
	return nil
}

// decoded decodes an update and passes it on.
func decoded[U any, F ~func(U)](data []byte, to F) error {
	var u U
	if err := json.Unmarshal(data, &u); err != nil {
		return err
	}
	to(u)
	return nil
}
