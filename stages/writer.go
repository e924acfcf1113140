package stages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turnlog"
)

// writer numbers a turn's updates and writes them to its log, and with them what the turn's steps gave and how it stands.
type writer struct {
	log    Log
	ledger Ledger
	now    func() time.Time
	state  meet.TurnState
	// doubtful are updates, of one record, of which it is not known whether they were stored.
	doubtful []turnlog.Entry
	// before are the updates that an earlier attempt wrote, by what they are; they are not written again.
	before map[string]bool
	// finished are the steps that an earlier attempt finished; steps, those that this one has and that are not kept yet.
	finished map[string][]byte
	steps    []turnlog.Step
}

var _ Journal = (*writer)(nil)

func newWriter(r *Runner, turn meet.Turn) *writer {
	return &writer{log: r.ports.Log, ledger: r.ports.Ledger, now: r.ports.Now, state: meet.TurnState{
		TurnID: turn.ID, ConversationID: turn.Conversation, Phase: meet.TurnQueued, StartedAt: turn.ReceivedAt,
	}}
}

// begin writes the first update, and that the turn waits.
func (w *writer) begin(ctx context.Context) error {
	state, err := encodeState(w.state)
	if err != nil {
		return err
	}
	first := meet.TurnUpdate{TurnID: w.state.TurnID, ConversationID: w.state.ConversationID}
	return w.write(ctx, state, first)
}

// running says that the turn waits no more.
func (w *writer) running(ctx context.Context) error {
	w.state.Phase = meet.TurnRunning
	state, err := encodeState(w.state)
	if err != nil {
		return err
	}
	return w.put(ctx, turnlog.Record{State: state})
}

// Begin keeps what earlier steps gave, where no update has told of it.
func (w *writer) Begin(ctx context.Context, step string) (result []byte, finished bool, err error) {
	if err := w.settle(ctx); err != nil {
		return nil, false, err
	}
	result, finished = w.finished[step]
	return result, finished, nil
}

// Finish has the step kept with the next record.
func (w *writer) Finish(step string, result []byte) {
	w.steps = append(w.steps, turnlog.Step{Name: step, Result: result})
}

// settle keeps what the finished steps gave.
func (w *writer) settle(ctx context.Context) error {
	if len(w.steps) == 0 {
		return nil
	}
	return w.put(ctx, turnlog.Record{})
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

// write writes updates in one record, with the turn's state where there is one, but for those that an earlier attempt
// has written. Of a message that an earlier attempt began no further pieces are written: the whole message follows and
// takes their place.
func (w *writer) write(ctx context.Context, state []byte, updates ...meet.Update) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	updates = slices.DeleteFunc(slices.Clone(updates), func(u meet.Update) bool { return w.before[keyOf(u)] })
	if len(updates) == 0 {
		return nil
	}
	record := turnlog.Record{State: state}
	for i, u := range updates {
		data, err := meet.MarshalUpdate(u)
		if err != nil {
			return err
		}
		_, last := u.(meet.DoneUpdate)
		record.Entries = append(record.Entries, turnlog.Entry{ID: w.state.LastUpdate + 1 + i, Data: data, Last: last})
	}
	if err := w.put(ctx, record); err != nil {
		return err
	}
	for _, u := range updates {
		w.note(u)
	}
	return nil
}

// note takes into the state what a written update says.
func (w *writer) note(u meet.Update) {
	switch u := u.(type) {
	case meet.MessageUpdate:
		w.state.Message = u.Text
	case meet.EventUpdate:
		w.state.Event = &u.Event
	}
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

// put writes a record, and with it what the finished steps gave. Once begun it is not given up, because nobody could tell
// whether it had been stored; while the log cannot be reached it is tried again until ctx ends.
func (w *writer) put(ctx context.Context, r turnlog.Record) error {
	r.Steps = w.steps
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := w.log.Write(context.WithoutCancel(ctx), w.state.TurnID, r)
		conflict := fault.CodeOf(err) == fault.Conflict
		switch {
		case err == nil, conflict && w.doubts(r):
			w.steps = nil
			if len(r.Entries) > 0 {
				w.state.LastUpdate, w.doubtful = r.Newest().ID, nil
			}
			return nil
		case conflict && len(w.doubtful) > 0 && len(r.Entries) > 0:
			// What failed before was stored all the same, so this comes behind it.
			for i := range r.Entries {
				r.Entries[i].ID += len(w.doubtful)
			}
			w.doubtful = nil
			continue
		case conflict:
			return errLost
		}
		if len(r.Entries) > 0 {
			w.doubtful = r.Entries
		}
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

// doubts reports whether the record's updates are those of which it is not known whether they were stored.
func (w *writer) doubts(r turnlog.Record) bool {
	return len(w.doubtful) > 0 && slices.EqualFunc(w.doubtful, r.Entries, func(a, b turnlog.Entry) bool {
		return bytes.Equal(a.Data, b.Data)
	})
}

// end writes the error, where there is one, and in every case done, together with the state: whoever has read done finds
// that the turn has ended.
func (w *writer) end(ctx context.Context, outcome meet.Outcome, failed error) error {
	w.state.Phase, w.state.Outcome, w.state.EndedAt = meet.TurnDone, outcome.Kind, w.now()
	var errs []error
	if failed != nil {
		errs = append(errs, w.fail(ctx, fault.As(failed)))
	}
	ended := w.state
	ended.LastUpdate++
	state, err := encodeState(ended)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	done := meet.DoneUpdate{Outcome: w.state.Outcome, Receipt: outcome.Receipt}
	done.Receipt.Stages = orEmpty(done.Receipt.Stages)
	return errors.Join(append(errs, w.write(ctx, state, done))...)
}

func (w *writer) fail(ctx context.Context, f *fault.Error) error {
	w.state.Outcome = meet.OutcomeFailed
	if f.Code == fault.Cancelled {
		w.state.Outcome = meet.OutcomeCancelled
		return nil
	}
	w.state.Error = &meet.TurnError{Code: string(f.Code), Message: f.Message}
	return w.write(ctx, nil, meet.ErrorUpdate{
		Code: string(f.Code), Message: f.Message, Retryable: f.Retryable,
		RetryAfterSeconds: int(math.Ceil(f.RetryAfter.Seconds())),
	})
}

// save keeps the state of a turn that has no log yet.
func (w *writer) save(ctx context.Context) error {
	state, err := encodeState(w.state)
	if err != nil {
		return err
	}
	return w.ledger.PutState(ctx, w.state.TurnID, state)
}

func encodeState(s meet.TurnState) ([]byte, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("state of turn %s: %w", s.TurnID, err)
	}
	return raw, nil
}
