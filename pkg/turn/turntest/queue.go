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
	// Log is where turns are opened that are accepted.
	Log interface {
		Write(ctx context.Context, turn meet.TurnID, r turn.Record) error
	}
	// Most, where not zero, is how many turns it holds.
	Most int

	mu       sync.Mutex
	changed  chan struct{}
	waiting  []turn.Job
	owners   map[meet.TurnID]int
	running  map[meet.TurnID]turn.Job
	lanes    map[meet.ConversationID][]meet.TurnID
	cancel   map[meet.TurnID]bool
	watchers []func(meet.TurnID)
}

// Accept opens a turn's log, and puts the turn behind the others.
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
	if q.changed != nil {
		close(q.changed)
		q.changed = nil
	}
}

// Take gives the first turn that waits.
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
		if q.changed == nil {
			q.changed = make(chan struct{})
		}
		changed := q.changed
		q.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return turn.Job{}, ctx.Err()
		}
	}
}

// StealAll gives the turns that are being run to whoever takes next, as if their processes had died.
func (q *Queue) StealAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for id, job := range q.running {
		q.owners[id] = 0
		delete(q.running, id)
		q.put(job)
	}
}

// Release hands a turn back.
func (q *Queue) Release(_ context.Context, job turn.Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.owners[job.Turn.ID] = 0
	delete(q.running, job.Turn.ID)
	q.put(job)
	return nil
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

// Renew tells whose the turn is.
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

// First reports whether the turn is the first of its conversation.
func (q *Queue) First(_ context.Context, job turn.Job) (bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	lane := q.lanes[job.Turn.Conversation]
	return len(lane) == 0 || lane[0] == job.Turn.ID, nil
}

// Cancel tells everybody that the turn is to end.
func (q *Queue) Cancel(_ context.Context, id meet.TurnID) error {
	q.mu.Lock()
	q.cancel[id] = true
	watchers := slices.Clone(q.watchers)
	q.mu.Unlock()
	for _, tell := range watchers {
		tell(id)
	}
	return nil
}

// Cancelled tells fn of each cancellation until ctx ends.
func (q *Queue) Cancelled(ctx context.Context, fn func(meet.TurnID)) error {
	q.mu.Lock()
	q.watchers = append(q.watchers, fn)
	q.mu.Unlock()
	<-ctx.Done()
	return ctx.Err()
}
