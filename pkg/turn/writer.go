package turn

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// writer numbers a turn's updates and writes them to its log, with the results of the turn's steps and its state. It
// writes while the turn runs, one record after the other: updates that the turn emits while a record is being written
// form the next one. So no reader sees an update before the steps before it are stored, and no stage waits for the log.
type writer struct {
	log Log
	now func() time.Time
	// attempt and records, the number of records so far, form the names of the records.
	attempt, records int
	// before has the keys of the updates that earlier attempts wrote; they are not written again. finished has the results
	// of the steps that they finished, by path.
	before   map[string]bool
	finished map[string][]byte
	// wake has a signal when a record is due.
	wake chan struct{}

	mu sync.Mutex
	// counts has the number of updates of each step in this attempt, by path.
	counts map[string]int
	// current is the record that is being written, or nil; next gathers the one after it.
	next    record
	current *record
	// unstored is how many steps are in next and current.
	unstored int
	// stored signals each change of unstored and of the errors: refused is why nothing may be written any more, left why
	// writing has stopped.
	stored        *sync.Cond
	refused, left error

	// state, event and opened belong to the goroutine that writes.
	state meet.TurnState
	// event is the last one emitted.
	event *meet.EventUpdate
	// opened says that this attempt wrote the turn's first update.
	opened bool
}

// record is a Record that is being gathered. Its entries get their ids, and its state is encoded, when its writing
// begins.
type record struct {
	Record
	updates []meet.Update
	// due says that it need not wait for more, stateful that it holds the turn's state.
	due, stateful bool
}

var _ Journal = (*writer)(nil)

func newWriter(r *Runner, job Job) *writer {
	w := &writer{
		log: r.ports.Log, now: r.ports.Now, attempt: job.Attempt, wake: make(chan struct{}, 1), counts: map[string]int{},
		state: queued(job.Turn),
	}
	w.stored = sync.NewCond(&w.mu)
	return w
}

// queued is the state of an accepted turn.
func queued(turn meet.Turn) meet.TurnState {
	return meet.TurnState{
		TurnID: turn.ID, ConversationID: turn.Conversation, Phase: meet.TurnQueued, StartedAt: turn.ReceivedAt,
	}
}

// opening is the first record of a turn: its first update and its state.
func opening(s meet.TurnState) (Record, error) {
	state, err := encodeState(s, nil)
	if err != nil {
		return Record{}, err
	}
	data, err := meet.MarshalUpdate(meet.TurnUpdate{TurnID: s.TurnID, ConversationID: s.ConversationID})
	return Record{State: state, Entries: []Entry{{ID: 1, Data: data}}}, err
}

// work writes records that become due, in a goroutine of its own, until stop is called, which waits for the current
// one. If a record cannot be written, work calls failed and writes no more.
func (w *writer) work(ctx context.Context, hand func(func()), failed func(error)) (stop func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	hand(func() {
		defer close(ended)
		for {
			select {
			case <-w.wake:
			case <-over:
				return
			}
			if err := w.drain(ctx); err != nil {
				failed(err)
				return
			}
		}
	})
	return func() {
		close(over)
		<-ended
	}
}

// running changes the turn's state from queued to running.
func (w *writer) running() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Phase = meet.TurnRunning
	w.next.stateful = true
	w.hasten()
}

// hasten makes the next record due; the caller holds the mutex.
func (w *writer) hasten() {
	w.next.due = true
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Begin implements Journal.
func (w *writer) Begin(path string) (result []byte, finished bool) {
	result, finished = w.finished[path]
	return result, finished
}

// Finish adds the step to the next record.
func (w *writer) Finish(path string, result []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next.Steps = append(w.next.Steps, Step{Path: path, Result: result})
	w.unstored++
}

// Settle implements Journal.
func (w *writer) Settle() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.unstored > 0 && w.refused == nil && w.left == nil {
		if len(w.next.Steps) > 0 {
			w.hasten()
		}
		w.stored.Wait()
	}
	if w.unstored == 0 {
		return w.refused
	}
	return cmp.Or(w.refused, w.left)
}

// write adds updates to the next record, all at once, without those that an earlier attempt wrote. If that attempt
// began a message, no more pieces of it are written: the whole message follows and replaces them.
func (w *writer) write(ctx context.Context, updates ...meet.Update) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	path := PathOf(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range updates {
		key := w.keyOf(path, u)
		if w.before[key] {
			continue
		}
		if err := w.gather(key, u); err != nil {
			return err
		}
	}
	return nil
}

// gather adds an update to the next record; the caller holds the mutex.
func (w *writer) gather(key string, u meet.Update) error {
	data, err := meet.MarshalUpdate(u)
	if err != nil {
		return err
	}
	_, last := u.(meet.DoneUpdate)
	w.next.Entries = append(w.next.Entries, Entry{Key: key, Data: data, Last: last})
	w.next.updates = append(w.next.updates, u)
	w.hasten()
	return nil
}

// keyOf is the next update's key: the path of its step and its ordinal there. An interim update has its type instead of
// the ordinal, because the number of these differs from attempt to attempt. The caller holds the mutex.
func (w *writer) keyOf(path string, u meet.Update) string {
	if meet.Interim(u) {
		return path + " " + meet.TypeOf(u)
	}
	w.counts[path]++
	return path + "#" + strconv.Itoa(w.counts[path])
}

// resume continues after the entries of earlier attempts; errEnded if these include the end.
func (w *writer) resume(entries []Entry) error {
	w.before = map[string]bool{}
	for _, e := range entries {
		var u struct {
			Type    string           `json:"type"`
			Text    string           `json:"text"`
			Event   *meet.Event      `json:"event"`
			Outcome meet.OutcomeKind `json:"outcome"`
		}
		if err := json.Unmarshal(e.Data, &u); err != nil {
			return fmt.Errorf("log of turn %s: %w", w.state.TurnID, err)
		}
		w.before[e.Key] = true
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
	return nil
}

// drain writes what is due. If the log cannot be reached while ctx lasts, it keeps the rest for the end of the turn; if
// the log refuses a record, it drops the rest.
func (w *writer) drain(ctx context.Context) error {
	for {
		r := w.take()
		if r == nil {
			return nil
		}
		err := w.put(ctx, r)
		w.mu.Lock()
		switch {
		case err == nil:
			w.current, w.unstored = nil, w.unstored-len(r.Steps)
		case ctx.Err() != nil || fault.CodeOf(err) == fault.Unavailable:
			w.left = err
		default:
			w.current, w.next, w.refused = nil, record{}, err
		}
		w.stored.Broadcast()
		w.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

// take returns the record to write now, nil if none is due.
func (w *writer) take() *record {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.current == nil && w.next.due {
		r := w.next
		w.records++
		r.Name = fmt.Sprintf("%d.%d", w.attempt, w.records)
		w.current, w.next = &r, record{}
	}
	return w.current
}

// number gives the record's entries their ids, and returns the turn's state after them.
func (w *writer) number(r *record) (after meet.TurnState, err error) {
	after = w.state
	for i := range r.Entries {
		after.LastUpdate++
		r.Entries[i].ID = after.LastUpdate
	}
	for _, u := range r.updates {
		switch u := u.(type) {
		case meet.MessageUpdate:
			after.Message = u.Text
		case meet.EventUpdate:
			w.event, after.Event = &u, &u.Event
		}
	}
	if r.stateful {
		r.State, err = encodeState(after, w.event)
	}
	return after, err
}

// put writes a record; errLost if another process writes the turn.
func (w *writer) put(ctx context.Context, r *record) error {
	after, err := w.number(r)
	if err != nil {
		return err
	}
	err = w.log.Write(ctx, w.state.TurnID, r.Record)
	if fault.CodeOf(err) == fault.NotFound && !w.opened && w.state.LastUpdate == 1 {
		// The turn was accepted, but its first update was not stored.
		if err = w.open(ctx); err == nil || fault.CodeOf(err) == fault.Conflict {
			err = w.log.Write(ctx, w.state.TurnID, r.Record)
		}
	}
	switch {
	case fault.CodeOf(err) == fault.Conflict:
		return errLost
	case err == nil:
		w.state = after
	}
	return err
}

// open writes the first update.
func (w *writer) open(ctx context.Context) error {
	w.opened, w.state.LastUpdate = true, 1
	first, err := opening(w.state)
	if err != nil {
		return err
	}
	return w.log.Write(ctx, w.state.TurnID, first)
}

// end writes the rest, the error, if any, and always done, together with the state: a reader of done finds that the
// turn has ended.
func (w *writer) end(ctx context.Context, outcome meet.Outcome, failed error) error {
	w.state.Phase, w.state.Outcome, w.state.EndedAt = meet.TurnDone, outcome.Kind, w.now()
	last := w.fail(failed)
	done := meet.DoneUpdate{Outcome: w.state.Outcome, Receipt: outcome.Receipt}
	if done.Receipt.Stages == nil {
		done.Receipt.Stages = []meet.StageTime{} // [] in JSON rather than null
	}
	w.mu.Lock()
	w.next.stateful = true
	var err error
	for _, u := range append(last, done) {
		err = errors.Join(err, w.gather("", u))
	}
	w.mu.Unlock()
	if err != nil {
		return err
	}
	return w.drain(ctx)
}

// fail is the update of a turn that failed, if it did.
func (w *writer) fail(failed error) []meet.Update {
	if failed == nil {
		return nil
	}
	f := fault.As(failed)
	w.state.Outcome = meet.OutcomeFailed
	if f.Code == fault.Cancelled {
		w.state.Outcome = meet.OutcomeCancelled
		return nil
	}
	w.state.Error = &meet.TurnError{Code: string(f.Code), Message: f.Message}
	return []meet.Update{meet.ErrorUpdate{
		Code: string(f.Code), Message: f.Message, Retryable: f.Retryable,
		RetryAfterSeconds: int(math.Ceil(f.RetryAfter.Seconds())),
	}}
}

// flush writes all the rest, so that another process continues after it.
func (w *writer) flush(ctx context.Context) error {
	w.mu.Lock()
	w.next.due = len(w.next.Entries)+len(w.next.Steps) > 0
	w.mu.Unlock()
	return w.drain(ctx)
}

// encodeState is the state in JSON; its event is the JSON that was emitted.
func encodeState(s meet.TurnState, emitted *meet.EventUpdate) (raw []byte, err error) {
	if emitted != nil && emitted.JSON != nil && s.Event == &emitted.Event {
		s.Event = nil
		raw, err = meet.AppendWith(nil, s, meet.Member{Name: "event", JSON: emitted.JSON})
	} else {
		raw, err = json.Marshal(s)
	}
	if err != nil {
		return nil, fmt.Errorf("state of turn %s: %w", s.TurnID, err)
	}
	return raw, nil
}
