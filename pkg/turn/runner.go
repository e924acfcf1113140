// Package turn runs turns. A turn is accepted once it is in the queue; any process takes it, keeps a lease on it, and
// writes its updates and the results of its steps to its log. If the process dies, another one continues after the last
// stored step, and no update is streamed twice.
package turn

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Turner answers a turn, step by step, as a stages.Pipeline does. It emits all updates but the first and the last,
// which are the runner's. Another process may run the turn again with a journal in which some steps have finished: then
// it does the others, and emits the same updates in the same order.
type Turner interface {
	Run(ctx context.Context, turn meet.Turn, journal Journal, emit Emit) (meet.Outcome, error)
}

// Emit hands updates to the log, all of them or none; ctx has the step that they belong to. Its error ends the turn.
type Emit func(ctx context.Context, updates ...meet.Update) error

// Ports are what a runner needs. All but Observer are required. All processes that share them run turns for each other.
type Ports struct {
	Turner   Turner
	Log      Log
	Queue    Queue
	Leases   Leases
	Ledger   Ledger
	Observer Observer
	// Now is the clock for the times of turns.
	Now func() time.Time
}

// Config holds the settings; the zero value works.
type Config struct {
	// Deadline bounds a whole turn, including its wait in the queue. Defaults to 60 s.
	Deadline time.Duration
	// Most is how many turns this process runs at once. Defaults to 512.
	Most int
	// Renewal is the time between renewals of a lease, a quarter of its life. Defaults to 750 ms.
	Renewal time.Duration
	// Attempts is how many processes may try a turn, since the turn itself may kill them. Defaults to 5.
	Attempts int
	// Handover says that other processes share the queue: they take the turns that have not ended at shutdown.
	Handover bool
}

// Runner accepts turns, runs those in the queue, writes their updates to the log and keeps their state. One process at
// a time writes a turn's log.
type Runner struct {
	ports Ports
	cfg   Config

	stopping chan struct{}
	stop     sync.Once
	all      sync.WaitGroup
	// crew hands work to idle goroutines.
	crew chan func()

	mu      sync.Mutex
	running map[meet.TurnID]context.CancelCauseFunc
}

// NewRunner returns a runner; it runs turns in Work.
func NewRunner(ports Ports, cfg Config) *Runner {
	cfg.Deadline = cmp.Or(cfg.Deadline, 60*time.Second)
	cfg.Most = cmp.Or(cfg.Most, 512)
	cfg.Renewal = cmp.Or(cfg.Renewal, 750*time.Millisecond)
	cfg.Attempts = cmp.Or(cfg.Attempts, 5)
	if ports.Observer == nil {
		ports.Observer = unobserved{}
	}
	return &Runner{
		ports: ports, cfg: cfg, stopping: make(chan struct{}), crew: make(chan func()),
		running: map[meet.TurnID]context.CancelCauseFunc{},
	}
}

// acceptTime bounds the accepting of a turn while the store cannot be reached.
const acceptTime = 5 * time.Second

// The reasons for which a turn ends early.
var (
	errCancelled = fault.New(fault.Cancelled, "This request was cancelled.")
	errStopping  = fault.New(fault.Unavailable, "The service is restarting. Please try again in a moment.").
			Later(2 * time.Second)
	errTooLong     = fault.New(fault.DeadlineExceeded, "This took too long. Please try again.").Later(0)
	errTooOften    = fault.New(fault.Internal, "This request could not be answered. Please try to put it differently.")
	errUnreachable = fault.New(fault.Unavailable, "We cannot take requests just now. Please try again in a moment.").
			Later(5 * time.Second)
	// errLost says that another process has the turn; errHandover that another process should take it.
	errLost     = errors.New("another process has taken the turn over")
	errHandover = errors.New("the turn is handed over")
)

// Start accepts a turn: when it returns, the turn has its ids, its first update is in the log and the turn in the
// queue, and a process will run it, even if ctx ends or this process dies. A turn whose idempotency key was seen before
// is not started; Start returns the first turn's ids. A turn that could not be accepted leaves its key free. A stopped
// runner accepts turns for other processes, and refuses them if there are none.
func (r *Runner) Start(ctx context.Context, turn meet.Turn) (meet.Turn, error) {
	if r.Stopping() && !r.cfg.Handover {
		return turn, errStopping
	}
	turn.ID = meet.TurnID(meet.NewID("t"))
	if turn.Conversation == "" {
		turn.Conversation = meet.ConversationID(meet.NewID("c"))
	}
	turn.ReceivedAt = r.ports.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, acceptTime, errUnreachable)
	defer cancel()
	turn, err := r.accept(ctx, turn)
	if err != nil && errors.Is(context.Cause(ctx), errUnreachable) {
		err = fmt.Errorf("%w (%w)", errUnreachable, err)
	}
	return turn, err
}

func (r *Runner) accept(ctx context.Context, turn meet.Turn) (meet.Turn, error) {
	first, err := opening(queued(turn))
	if err != nil {
		return turn, err
	}
	if turn.IdempotencyKey != "" {
		// The state comes first, so that a request that loses the claim finds the winner's.
		if err := r.ports.Ledger.PutState(ctx, turn.ID, first.State); err != nil {
			return turn, err
		}
		winner, err := r.ports.Ledger.Claim(ctx, turn.IdempotencyKey, turn.RequestDigest, turn.ID)
		if err != nil {
			return turn, err
		}
		if winner != turn.ID {
			state, err := r.State(ctx, winner)
			turn.ID, turn.Conversation = winner, state.ConversationID
			return turn, err
		}
	}
	r.ports.Observer.Accepted(ctx, turn.ID)
	err = r.ports.Queue.Accept(ctx, turn, first)
	if err != nil && turn.IdempotencyKey != "" {
		err = errors.Join(err, r.ports.Ledger.Release(context.WithoutCancel(ctx), turn.IdempotencyKey, turn.ID))
	}
	return turn, err
}

// Work takes turns from the queue and runs them, until ctx ends or the runner is stopped. It returns when it has taken
// the last one; Stop waits for those that run.
func (r *Runner) Work(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var listening sync.WaitGroup
	defer listening.Wait()
	listening.Go(func() { r.listen(ctx) })
	listening.Go(func() {
		select {
		case <-r.stopping:
			cancel()
		case <-ctx.Done():
		}
	})
	room := make(chan struct{}, r.cfg.Most)
	for {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			return
		}
		job, err := r.ports.Queue.Take(ctx)
		if job.Turn.ID == "" {
			<-room
			if ctx.Err() != nil || err != nil {
				return
			}
			continue
		}
		if !r.enter() {
			// Another process takes the turn, at once or when its lease ends.
			_ = r.ports.Queue.Release(context.WithoutCancel(ctx), job)
			return
		}
		r.hand(func() {
			defer r.all.Done()
			defer func() { <-room }()
			r.run(meet.InTenant(context.WithoutCancel(ctx), job.Tenant), job, err)
		})
	}
}

// idleTime is how long a goroutine waits for more work after it has run or written a turn.
const idleTime = time.Second

// hand gives work on a turn to an idle goroutine, or else to a new one. Turns need deep stacks, and a goroutine that
// has run one has grown its stack already.
func (r *Runner) hand(turn func()) {
	select {
	case r.crew <- turn:
		return
	default:
	}
	// The turn is counted in r.all, so Stop still waits.
	r.all.Go(func() {
		rest := time.NewTimer(idleTime)
		defer rest.Stop()
		for {
			turn()
			rest.Reset(idleTime)
			select {
			case turn = <-r.crew:
			case <-rest.C:
				return
			case <-r.stopping:
				return
			}
		}
	})
}

// enter counts a turn that begins to run; false if the runner has stopped.
func (r *Runner) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Stopping() {
		return false
	}
	r.all.Add(1)
	return true
}

// listen cancels turns as soon as their cancellation is published; otherwise the next renewal would.
func (r *Runner) listen(ctx context.Context) {
	err := r.ports.Leases.Cancelled(ctx, func(id meet.TurnID) { r.interrupt(id, errCancelled) })
	if err != nil && ctx.Err() == nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("cancellations are noticed later")
	}
}

func (r *Runner) interrupt(id meet.TurnID, cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel, ok := r.running[id]; ok {
		cancel(cause)
	}
}

// Cancel ends a turn on any process; a turn that has ended does not change. An unknown turn is a fault.NotFound.
func (r *Runner) Cancel(ctx context.Context, id meet.TurnID) error {
	state, err := r.State(ctx, id)
	if err != nil || state.Ended() {
		return err
	}
	return r.ports.Leases.Cancel(ctx, id)
}

// State is the state of a turn: queued, running or ended, with its message and event so far.
func (r *Runner) State(ctx context.Context, id meet.TurnID) (state meet.TurnState, err error) {
	raw, err := r.ports.Ledger.State(ctx, id)
	if err != nil {
		return state, err
	}
	if err := json.Unmarshal(raw, &state); err != nil {
		return state, fmt.Errorf("state of turn %s: %w", id, err)
	}
	return state, nil
}

// Stopping reports whether Stop was called: then no other turn begins.
func (r *Runner) Stopping() bool {
	select {
	case <-r.stopping:
		return true
	default:
		return false
	}
}

// Stop takes no more turns and waits for those that run. If ctx ends first, they are handed over to other processes or,
// without Handover, end with a message that says to try again.
func (r *Runner) Stop(ctx context.Context) {
	r.mu.Lock()
	r.stop.Do(func() { close(r.stopping) })
	r.mu.Unlock()
	ended := make(chan struct{})
	go func() { r.all.Wait(); close(ended) }()
	select {
	case <-ended:
		return
	case <-ctx.Done():
	}
	cause := error(errStopping)
	if r.cfg.Handover {
		cause = errHandover
	}
	r.mu.Lock()
	for _, cancel := range r.running {
		cancel(cause)
	}
	r.mu.Unlock()
	<-ended
}
