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
}

// begin writes the first update.
func (w *writer) begin(ctx context.Context) error {
	if err := w.save(ctx); err != nil {
		return err
	}
	return w.write(ctx, meet.TurnUpdate{TurnID: w.state.TurnID, ConversationID: w.state.ConversationID}, false)
}

// write appends one update. What the state tells of the turn follows from what was written.
func (w *writer) write(ctx context.Context, u meet.Update, last bool) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	data, err := meet.MarshalUpdate(u)
	if err != nil {
		return err
	}
	w.state.LastUpdate++
	switch u := u.(type) {
	case meet.MessageUpdate:
		w.state.Message = u.Text
	case meet.EventUpdate:
		w.state.Event = &u.Event
	}
	return w.log.Append(ctx, w.state.TurnID, turnlog.Entry{ID: w.state.LastUpdate, Data: data, Last: last})
}

// end writes the error, where there is one, and done.
func (w *writer) end(ctx context.Context, outcome meet.Outcome, failed error) error {
	w.state.Phase, w.state.Outcome, w.state.EndedAt = meet.TurnDone, outcome.Kind, w.now()
	if failed != nil {
		if err := w.fail(ctx, fault.As(failed)); err != nil {
			return err
		}
	}
	done := meet.DoneUpdate{Outcome: w.state.Outcome, Receipt: outcome.Receipt}
	return errors.Join(w.write(ctx, done, true), w.save(ctx))
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

func (w *writer) save(ctx context.Context) error {
	raw, err := json.Marshal(w.state)
	if err != nil {
		return fmt.Errorf("state of turn %s: %w", w.state.TurnID, err)
	}
	return w.ledger.PutState(ctx, w.state.TurnID, raw)
}
