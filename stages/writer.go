package stages

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turnlog"
	"convene/pkg/turnqueue"
)

// writer numbers a turn's updates and writes them to its log, and with them what the turn's steps gave and how it stands.
// It writes beside the turn, one record after the other: what the turn tells while a record is under way is the next one.
// So nothing is told before it is stored together with the steps before it, and no stage waits for that.
type writer struct {
	log Log
	now func() time.Time
	// attempt and records name the records.
	attempt, records int
	// before are the updates that an earlier attempt wrote, by what they are; they are not written again. Finished are the
	// steps that it finished.
	before   map[string]bool
	finished map[string][]byte
	// wake has a signal when something is due to be written.
	wake chan struct{}

	mu sync.Mutex
	// next gathers what is written after current, which is nil while nothing is under way.
	next    record
	current *record
	// unkept is how many steps of this attempt are in next and current.
	unkept int
	// stored is told when that or one of the errors changes: refused is why nothing may be written any more, left why
	// nobody writes just now.
	stored        *sync.Cond
	refused, left error

	// state and what follows belong to the one who writes.
	state meet.TurnState
	// event is the one that was told last.
	event *meet.EventUpdate
	// opened says that this attempt wrote the turn's first update.
	opened bool
}

// record is what is written at once. Its entries get their ids, and its state is encoded, when that begins.
type record struct {
	turnlog.Record
	updates []meet.Update
	// due says that it is not to wait for more, stands that it tells how the turn stands.
	due, stands bool
}

var _ Journal = (*writer)(nil)

func newWriter(r *Runner, job turnqueue.Job) *writer {
	w := &writer{
		log: r.ports.Log, now: r.ports.Now, attempt: job.Attempt, wake: make(chan struct{}, 1), state: queued(job.Turn),
	}
	w.stored = sync.NewCond(&w.mu)
	return w
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
func (w *writer) Settle() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.unkept > 0 && w.refused == nil && w.left == nil {
		if len(w.next.Steps) > 0 {
			w.hasten()
		}
		w.stored.Wait()
	}
	if w.unkept == 0 {
		return w.refused
	}
	return cmp.Or(w.refused, w.left)
}

// write has updates written in one record, but for those that an earlier attempt has written. Of a message that an
// earlier attempt began no further pieces are written: the whole message follows and takes their place.
func (w *writer) write(ctx context.Context, updates ...meet.Update) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
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

// drain writes what is due. It stops where the log cannot be reached for as long as ctx lasts, and keeps what is left for
// the end of the turn; where the log refuses a record, nothing is left.
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
			w.current, w.unkept = nil, w.unkept-len(r.Steps)
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

// take is the record to be written now, nil where nothing is due.
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

// put writes a record; errLost where another process writes the turn.
func (w *writer) put(ctx context.Context, r *record) error {
	after, err := w.number(r)
	if err != nil {
		return err
	}
	err = w.log.Write(ctx, w.state.TurnID, r.Record)
	if fault.CodeOf(err) == fault.NotFound && !w.opened && w.state.LastUpdate == 1 {
		// The turn was accepted, and its first update was not stored.
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

// end writes what is left, the error, where there is one, and in every case done, together with the state: whoever has
// read done finds that the turn has ended.
func (w *writer) end(ctx context.Context, outcome meet.Outcome, failed error) error {
	w.state.Phase, w.state.Outcome, w.state.EndedAt = meet.TurnDone, outcome.Kind, w.now()
	var last []meet.Update
	if failed != nil {
		last = w.fail(fault.As(failed))
	}
	done := meet.DoneUpdate{Outcome: w.state.Outcome, Receipt: outcome.Receipt}
	done.Receipt.Stages = orEmpty(done.Receipt.Stages)
	w.mu.Lock()
	w.next.stands = true
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
