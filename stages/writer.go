package stages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turnlog"
)

// writer numbers a turn's updates and appends them to its log.
type writer struct {
	log    Log
	ledger Ledger
	now    func() time.Time
	state  meet.TurnState
	// unsure says that it is not known whether the last append was stored.
	unsure bool
}

func newWriter(r *Runner, turn meet.Turn) *writer {
	return &writer{log: r.log, ledger: r.ledger, now: r.now, state: meet.TurnState{
		TurnID: turn.ID, ConversationID: turn.Conversation, Phase: meet.TurnRunning, StartedAt: turn.ReceivedAt,
	}}
}

// write appends one update. Once begun an append is not given up, because nobody could tell whether it had been stored.
// What the state tells of the turn follows from what was written.
func (w *writer) write(ctx context.Context, u meet.Update, last bool) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	data, err := meet.MarshalUpdate(u)
	if err != nil {
		return err
	}
	next := turnlog.Entry{ID: w.state.LastUpdate + 1, Data: data, Last: last}
	err = w.log.Append(context.WithoutCancel(ctx), w.state.TurnID, next)
	if w.unsure && fault.CodeOf(err) == fault.Conflict {
		// The append before this one failed, and was stored all the same.
		next.ID++
		err = w.log.Append(context.WithoutCancel(ctx), w.state.TurnID, next)
	}
	if w.unsure = err != nil; err != nil {
		return err
	}
	w.state.LastUpdate = next.ID
	switch u := u.(type) {
	case meet.MessageUpdate:
		w.state.Message = u.Text
	case meet.EventUpdate:
		w.state.Event = &u.Event
	}
	return nil
}

// end writes the error, where there is one, and in every case done. The state is kept first: whoever has read done finds
// that the turn has ended.
func (w *writer) end(ctx context.Context, outcome meet.Outcome, failed error) error {
	w.state.Phase, w.state.Outcome, w.state.EndedAt = meet.TurnDone, outcome.Kind, w.now()
	var errs []error
	if failed != nil {
		errs = append(errs, w.fail(ctx, fault.As(failed)))
	}
	done := meet.DoneUpdate{Outcome: w.state.Outcome, Receipt: outcome.Receipt}
	ended := w.state
	ended.LastUpdate++
	return errors.Join(append(errs, w.save(ctx, ended), w.write(ctx, done, true))...)
}

func (w *writer) fail(ctx context.Context, f *fault.Error) error {
	w.state.Outcome = meet.OutcomeFailed
	if f.Code == fault.Cancelled {
		w.state.Outcome = meet.OutcomeCancelled
		return nil
	}
	w.state.Error = &meet.TurnError{Code: string(f.Code), Message: f.Message}
	return w.write(ctx, meet.ErrorUpdate{
		Code: string(f.Code), Message: f.Message, Retryable: f.Retryable,
		RetryAfterSeconds: int(math.Ceil(f.RetryAfter.Seconds())),
	}, false)
}

func (w *writer) save(ctx context.Context, state meet.TurnState) error {
	raw, err := json.Marshal(state)
	if err != nil {
		return fmt.Errorf("state of turn %s: %w", state.TurnID, err)
	}
	return w.ledger.PutState(ctx, state.TurnID, raw)
}
