package stages

import (
	"bytes"
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

// writer numbers a turn's updates and appends them to its log, and keeps the turn's state.
type writer struct {
	log    Log
	ledger Ledger
	now    func() time.Time
	state  meet.TurnState
	// doubtful is an update of which it is not known whether it was stored.
	doubtful []byte
	// before are the updates that an earlier attempt wrote, by what they are; they are not written again.
	before map[string]bool
}

func newWriter(r *Runner, turn meet.Turn) *writer {
	return &writer{log: r.ports.Log, ledger: r.ports.Ledger, now: r.ports.Now, state: meet.TurnState{
		TurnID: turn.ID, ConversationID: turn.Conversation, Phase: meet.TurnQueued, StartedAt: turn.ReceivedAt,
	}}
}

// begin writes the first update.
func (w *writer) begin(ctx context.Context) error {
	return w.write(ctx, meet.TurnUpdate{TurnID: w.state.TurnID, ConversationID: w.state.ConversationID}, false)
}

// written is what of an update tells whether it was written before.
type written struct {
	Type  string      `json:"type"`
	Stage string      `json:"stage"`
	Text  string      `json:"text"`
	Event *meet.Event `json:"event"`
	// Preliminary tells the first of two candidates updates from the one that counts.
	Preliminary bool `json:"preliminary"`
	// Outcome is that of the last one.
	Outcome meet.OutcomeKind `json:"outcome"`
}

// key is that of keyOf.
func (u written) key() string {
	if u.Preliminary {
		return u.Type + preliminary
	}
	return u.Type + u.Stage
}

// preliminary is behind the type of candidates that others take the place of.
const preliminary = " preliminary"

// resume goes on behind the entries that earlier attempts wrote; errEnded where they wrote the end.
func (w *writer) resume(ctx context.Context, entries []turnlog.Entry) error {
	w.before = map[string]bool{}
	for _, e := range entries {
		var u written
		if err := json.Unmarshal(e.Data, &u); err != nil {
			return fmt.Errorf("log of turn %s: %w", w.state.TurnID, err)
		}
		w.before[u.key()] = true
		w.state.LastUpdate = e.ID
		if e.Last {
			w.state.Phase, w.state.Outcome, w.state.EndedAt = meet.TurnDone, u.Outcome, w.now()
			return errEnded
		}
		switch u.Type {
		case "message":
			w.state.Message = u.Text
		case "event":
			w.state.Event = u.Event
		}
	}
	if len(entries) == 0 {
		return w.begin(ctx)
	}
	return nil
}

// write appends one update, unless an earlier attempt has. Of a message that an earlier attempt began no further pieces
// are written: the whole message follows and takes their place.
func (w *writer) write(ctx context.Context, u meet.Update, last bool) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	data, err := meet.MarshalUpdate(u)
	if err != nil {
		return err
	}
	if w.before[keyOf(u)] {
		return nil
	}
	if err := w.append(ctx, turnlog.Entry{ID: w.state.LastUpdate + 1, Data: data, Last: last}); err != nil {
		return err
	}
	switch u := u.(type) {
	case meet.MessageUpdate:
		w.state.Message = u.Text
	case meet.EventUpdate:
		w.state.Event = &u.Event
	}
	return nil
}

// keyOf is what an update of the turn is known by: its type, of progress the stage, and of candidates whether they count.
func keyOf(u meet.Update) string {
	switch u := u.(type) {
	case meet.ProgressUpdate:
		return meet.TypeOf(u) + u.Stage
	case meet.CandidatesUpdate:
		if u.Preliminary {
			return meet.TypeOf(u) + preliminary
		}
	}
	return meet.TypeOf(u)
}

// append adds an entry. Once begun it is not given up, because nobody could tell whether it had been stored; while the
// log cannot be reached it is tried again until ctx ends.
func (w *writer) append(ctx context.Context, e turnlog.Entry) error {
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := w.log.Append(context.WithoutCancel(ctx), w.state.TurnID, e)
		conflict := fault.CodeOf(err) == fault.Conflict
		switch {
		case err == nil, conflict && bytes.Equal(w.doubtful, e.Data):
			w.state.LastUpdate, w.doubtful = e.ID, nil
			return nil
		case conflict && w.doubtful != nil:
			// What failed before was stored all the same, so this comes behind it.
			w.doubtful = nil
			e.ID++
			continue
		case conflict:
			return errLost
		}
		w.doubtful = e.Data
		if fault.CodeOf(err) != fault.Unavailable {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
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
