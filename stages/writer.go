package stages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turnlog"
)

// writer numbers a turn's updates and writes them to its log, and with them what the turn's steps gave and how it stands.
// It writes beside the turn, one record after the other: what the turn tells while a record is under way is the next one.
// So nothing is told before it is stored together with the steps before it, and no stage waits for that.
type writer struct {
	log Log
	now func() time.Time
	// before are the updates that an earlier attempt wrote, by what they are; they are not written again.
	before map[string]bool
	// finished are the steps that an earlier attempt finished.
	finished map[string][]byte
	// wake has a signal when something is due to be written.
	wake chan struct{}

	mu sync.Mutex
	// next gathers what is written after current, which is nil while nothing is under way.
	next    record
	current *record
	// unkept is how many steps of this attempt are in next and current.
	unkept int
	// wrote is closed, and replaced, when a record is stored, and when none is any more.
	wrote chan struct{}
	// err is why nothing may be written any more, and left why nobody writes just now.
	err, left error

	// What follows belongs to the one who writes.

	state meet.TurnState
	// event is the one that was told last.
	event *meet.EventUpdate
	// opened says that this attempt wrote the turn's first update.
	opened bool
	// doubtful are updates, of one record, of which it is not known whether they were stored.
	doubtful []turnlog.Entry
}

// record is what is written at once. Its entries get their ids, and its state is encoded, when that begins.
type record struct {
	turnlog.Record
	updates []meet.Update
	// due says that it is not to wait for more.
	due bool
	// stands says that it tells how the turn stands.
	stands bool
}

var _ Journal = (*writer)(nil)

func newWriter(r *Runner, turn meet.Turn) *writer {
	return &writer{
		log: r.ports.Log, now: r.ports.Now, wake: make(chan struct{}, 1), wrote: make(chan struct{}), state: queued(turn),
	}
}

// queued is how a turn stands that is accepted.
func queued(turn meet.Turn) meet.TurnState {
	return meet.TurnState{
		TurnID: turn.ID, ConversationID: turn.Conversation, Phase: meet.TurnQueued, StartedAt: turn.ReceivedAt,
	}
}

// opening is the first record of a turn: its first update, and that it waits.
func opening(s meet.TurnState) (turnlog.Record, error) {
	state, err := encodeState(s, nil)
	if err != nil {
		return turnlog.Record{}, err
	}
	data, err := meet.MarshalUpdate(meet.TurnUpdate{TurnID: s.TurnID, ConversationID: s.ConversationID})
	return turnlog.Record{State: state, Entries: []turnlog.Entry{{ID: 1, Data: data}}}, err
}

// work writes what becomes due, in a goroutine of its own, until stop is called, which waits for what is under way then.
// Where something cannot be written, failed is called with the reason, and nothing is written any more.
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
				w.leave(err)
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

// leave tells those who wait for Settle that nobody writes.
func (w *writer) leave(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = why
	w.tellWrote()
}

// tellWrote has those who wait for Settle look again; the caller holds the mutex.
func (w *writer) tellWrote() {
	close(w.wrote)
	w.wrote = make(chan struct{})
}

// running says that the turn waits no more.
func (w *writer) running() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Phase = meet.TurnRunning
	w.next.stands = true
	w.hasten()
}

// hasten has the next record written as soon as nothing is under way; the caller holds the mutex.
func (w *writer) hasten() {
	w.next.due = true
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Begin implements Journal.
func (w *writer) Begin(step string) (result []byte, finished bool) {
	result, finished = w.finished[step]
	return result, finished
}

// Finish has the step kept with the next record.
func (w *writer) Finish(step string, result []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next.Steps = append(w.next.Steps, turnlog.Step{Name: step, Result: result})
	w.unkept++
}

// Settle implements Journal.
func (w *writer) Settle(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.unkept > 0 && w.err == nil && w.left == nil && ctx.Err() == nil {
		if len(w.next.Steps) > 0 {
			w.hasten()
		}
		wrote := w.wrote
		w.mu.Unlock()
		select {
		case <-wrote:
		case <-ctx.Done():
		}
		w.mu.Lock()
	}
	switch {
	case w.err != nil:
		return w.err
	case w.unkept == 0:
		return nil
	case w.left != nil:
		return w.left
	default:
		return context.Cause(ctx)
	}
}

// write has updates written in one record, but for those that an earlier attempt has written. Of a message that an
// earlier attempt began no further pieces are written: the whole message follows and takes their place.
func (w *writer) write(ctx context.Context, updates ...meet.Update) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	return w.gather(updates...)
}

// gather adds updates to the next record; the caller holds the mutex.
func (w *writer) gather(updates ...meet.Update) error {
	for _, u := range updates {
		if w.before[keyOf(u)] {
			continue
		}
		data, err := meet.MarshalUpdate(u)
		if err != nil {
			return err
		}
		_, last := u.(meet.DoneUpdate)
		w.next.Entries = append(w.next.Entries, turnlog.Entry{Data: data, Last: last})
		w.next.updates = append(w.next.updates, u)
		w.hasten()
	}
	return nil
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

// preliminary is a suffix to the type of candidates that others take the place of.
const preliminary = " preliminary"

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

// resume goes on after the entries that earlier attempts wrote; errEnded where they wrote the end.
func (w *writer) resume(entries []turnlog.Entry) error {
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
	return nil
}

// drain writes what is due. It stops where ctx ends before the log can be reached, and keeps what is left for the end of
// the turn; where the log refuses a record, nothing is left.
func (w *writer) drain(ctx context.Context) error {
	for {
		r, err := w.take()
		if r == nil || err != nil {
			return err
		}
		stored, err := w.put(ctx, r)
		w.mu.Lock()
		switch {
		case stored:
			w.current, w.unkept = nil, w.unkept-len(r.Steps)
		case err != nil:
			w.current, w.next, w.err = nil, record{}, err
		default:
			err = context.Cause(ctx)
		}
		w.tellWrote()
		w.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

// take is the record to be written now, nil where nothing is due.
func (w *writer) take() (*record, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.current == nil && w.next.due {
		r := w.next
		w.current, w.next = &r, record{}
	}
	return w.current, w.err
}

// number gives the record's entries their ids, and is how the turn stands with them.
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
	if r.stands {
		r.State, err = encodeState(after, w.event)
	}
	return after, err
}

// put writes a record. Once begun it is not given up, because nobody could tell whether it had been stored; while the log
// cannot be reached it is tried again until ctx ends.
func (w *writer) put(ctx context.Context, r *record) (stored bool, err error) {
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		after, err := w.number(r)
		if err != nil {
			return false, err
		}
		err = w.log.Write(context.WithoutCancel(ctx), w.state.TurnID, r.Record)
		conflict := fault.CodeOf(err) == fault.Conflict
		switch {
		case err == nil, conflict && w.doubts(r.Record):
			w.state = after
			if len(r.Entries) > 0 {
				w.doubtful = nil
			}
			return true, nil
		case w.catchUp(ctx, r, err):
			continue
		case conflict:
			return false, errLost
		}
		if len(r.Entries) > 0 {
			w.doubtful = slices.Clone(r.Entries)
		}
		if fault.CodeOf(err) != fault.Unavailable {
			return false, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return false, nil
		}
	}
}

// catchUp reports whether a record that was refused fits now: what failed before was stored all the same, so that this
// comes after it, or the first update was not stored with the turn, and is written now.
func (w *writer) catchUp(ctx context.Context, r *record, refused error) bool {
	switch code := fault.CodeOf(refused); {
	case code == fault.Conflict && len(w.doubtful) > 0 && len(r.Entries) > 0:
		w.state.LastUpdate += len(w.doubtful)
		w.doubtful = nil
		return true
	case code == fault.NotFound && !w.opened && w.state.LastUpdate == 1:
		err := w.open(ctx)
		return err == nil || fault.CodeOf(err) == fault.Conflict
	default:
		return false
	}
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

// doubts reports whether the record's updates are those of which it is not known whether they were stored.
func (w *writer) doubts(r turnlog.Record) bool {
	return len(w.doubtful) > 0 && slices.EqualFunc(w.doubtful, r.Entries, func(a, b turnlog.Entry) bool {
		return bytes.Equal(a.Data, b.Data)
	})
}

// end writes what is left, the error, where there is one, and in every case done, together with the state: whoever has
// read done finds that the turn has ended. Where what is left is refused, the turn has failed.
func (w *writer) end(ctx context.Context, outcome meet.Outcome, failed error) error {
	err := w.conclude(ctx, outcome, failed)
	if err == nil || failed != nil || errors.Is(err, errLost) || ctx.Err() != nil {
		return err
	}
	return w.conclude(ctx, outcome, err)
}

func (w *writer) conclude(ctx context.Context, outcome meet.Outcome, failed error) error {
	w.state.Phase, w.state.Outcome, w.state.EndedAt = meet.TurnDone, outcome.Kind, w.now()
	var last []meet.Update
	if failed != nil {
		last = w.fail(fault.As(failed))
	}
	done := meet.DoneUpdate{Outcome: w.state.Outcome, Receipt: outcome.Receipt}
	done.Receipt.Stages = orEmpty(done.Receipt.Stages)
	w.mu.Lock()
	w.err, w.next.stands = nil, true
	err := w.gather(append(last, done)...)
	w.mu.Unlock()
	if err != nil {
		return err
	}
	return w.drain(ctx)
}

// fail is what is told of a turn that failed.
func (w *writer) fail(f *fault.Error) []meet.Update {
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

// flush writes all that is left, for another process to go on after it.
func (w *writer) flush(ctx context.Context) error {
	w.mu.Lock()
	w.next.due = len(w.next.Entries)+len(w.next.Steps) > 0
	w.mu.Unlock()
	return w.drain(ctx)
}

// encodeState is the state in JSON; its event is taken as it was encoded when it was told.
func encodeState(s meet.TurnState, told *meet.EventUpdate) (raw []byte, err error) {
	if told != nil && told.JSON != nil && s.Event == &told.Event {
		s.Event = nil
		raw, err = meet.AppendWith(nil, s, meet.Member{Name: "event", JSON: told.JSON})
	} else {
		raw, err = json.Marshal(s)
	}
	if err != nil {
		return nil, fmt.Errorf("state of turn %s: %w", s.TurnID, err)
	}
	return raw, nil
}
