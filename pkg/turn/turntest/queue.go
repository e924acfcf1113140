package turntest

import (
	"context"
	"slices"
	"sync"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// Queue is a queue of turns in memory, with its leases. Several runners may share one.
type Queue struct {
	// Log takes the opening records of accepted turns.
	Log interface {
		Write(ctx context.Context, turn meet.TurnID, r turn.Record) error
	}
	// Most is how many turns it holds; 0 sets no limit.
	Most int

	mu      sync.Mutex
	changed bell
	waiting []turn.Job
	// owners has the attempt that owns each turn of the queue, 0 for none.
	owners   map[meet.TurnID]int
	running  map[meet.TurnID]turn.Job
	lanes    map[meet.ConversationID][]meet.TurnID
	cancel   map[meet.TurnID]bool
	watchers []func(meet.TurnID)
}

// Accept opens a turn's log, and puts the turn at the end of the queue.
func (q *Queue) Accept(ctx context.Context, accepted meet.Turn, opening turn.Record) error {
	if err := q.Log.Write(ctx, accepted.ID, opening); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.owners == nil {
		q.running = map[meet.TurnID]turn.Job{}
		q.owners, q.cancel = map[meet.TurnID]int{}, map[meet.TurnID]bool{}
		q.lanes = map[meet.ConversationID][]meet.TurnID{}
	}
	if q.Most > 0 && len(q.owners) >= q.Most {
		return fault.New(fault.Overloaded, "There is too much to do.").Later(2 * time.Second)
	}
	q.owners[accepted.ID] = 0
	q.lanes[accepted.Conversation] = append(q.lanes[accepted.Conversation], accepted.ID)
	q.put(turn.Job{Turn: accepted, Tenant: meet.TenantOf(ctx), AcceptedAt: time.Now()})
	return nil
}

func (q *Queue) put(job turn.Job) {
	q.waiting = append(q.waiting, job)
	q.changed.ring()
}

// Take waits for a turn, and takes the first.
func (q *Queue) Take(ctx context.Context) (turn.Job, error) {
	for {
		q.mu.Lock()
		if len(q.waiting) > 0 {
			job := q.waiting[0]
			q.waiting = q.waiting[1:]
			job.Attempt++
			q.owners[job.Turn.ID] = job.Attempt
			q.running[job.Turn.ID] = job
			q.mu.Unlock()
			return job, nil
		}
		changed := q.changed.wait()
		q.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return turn.Job{}, ctx.Err()
		}
	}
}

// StealAll puts the running turns back into the queue, as if their processes had died.
func (q *Queue) StealAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, job := range q.running {
		q.putBack(job)
	}
}

// Release hands a turn back.
func (q *Queue) Release(_ context.Context, job turn.Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.putBack(job)
	return nil
}

func (q *Queue) putBack(job turn.Job) {
	q.owners[job.Turn.ID] = 0
	delete(q.running, job.Turn.ID)
	q.put(job)
}

// Finish takes a turn off the queue.
func (q *Queue) Finish(_ context.Context, job turn.Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.owners[job.Turn.ID] != job.Attempt {
		return fault.New(fault.Conflict, "Another process has the turn.")
	}
	id := job.Turn.ID
	delete(q.owners, id)
	delete(q.running, id)
	lane := q.lanes[job.Turn.Conversation]
	q.lanes[job.Turn.Conversation] = slices.DeleteFunc(lane, func(t meet.TurnID) bool { return t == id })
	return nil
}

// Renew reports whether the job's attempt still owns the turn, and whether the turn was cancelled.
func (q *Queue) Renew(_ context.Context, job turn.Job) (turn.Lease, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.owners[job.Turn.ID] != job.Attempt:
		return turn.Lost, nil
	case q.cancel[job.Turn.ID]:
		return turn.Cancelled, nil
	default:
		return turn.Held, nil
	}
}

// First reports whether all earlier turns of the conversation are finished.
func (q *Queue) First(_ context.Context, job turn.Job) (bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	lane := q.lanes[job.Turn.Conversation]
	return len(lane) == 0 || lane[0] == job.Turn.ID, nil
}

// Cancel marks the turn as cancelled and calls every function given to Cancelled.
func (q *Queue) Cancel(_ context.Context, id meet.TurnID) error {
	q.mu.Lock()
	q.cancel[id] = true
	watchers := slices.Clone(q.watchers)
	q.mu.Unlock()
	for _, notify := range watchers {
		notify(id)
	}
	return nil
}

// Cancelled calls fn for each cancellation until ctx ends.
func (q *Queue) Cancelled(ctx context.Context, fn func(meet.TurnID)) error {
	q.mu.Lock()
	q.watchers = append(q.watchers, fn)
	q.mu.Unlock()
	<-ctx.Done()
	return ctx.Err()
}
