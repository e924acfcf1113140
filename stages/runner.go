package stages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turnlog"
)

// Log keeps what a turn streams; see turnlog.Log for its promises.
type Log interface {
	Append(ctx context.Context, turn meet.TurnID, e turnlog.Entry) error
}

// Ledger keeps where each turn stands.
type Ledger interface {
	PutState(ctx context.Context, id meet.TurnID, state []byte) error
	// State is a fault.NotFound for a turn that nobody started.
	State(ctx context.Context, id meet.TurnID) ([]byte, error)
	// Claim gives the turn that holds the key: this one if it is the first. The same key with another digest is a
	// fault.InvalidRequest.
	Claim(ctx context.Context, key, digest string, turn meet.TurnID) (meet.TurnID, error)
	// Release frees a key that the turn holds.
	Release(ctx context.Context, key string, turn meet.TurnID) error
}

// Turner answers a turn; a Pipeline does.
type Turner interface {
	Run(ctx context.Context, turn meet.Turn, emit Emit) (meet.Outcome, error)
}

// RunnerConfig is what may be set; the zero value works.
type RunnerConfig struct {
	// Deadline bounds a whole turn, waiting included. Defaults to 60 s.
	Deadline time.Duration
	// Most is how many turns may run or wait at the same time. Defaults to 512.
	Most int
}

// Runner starts turns, writes their updates to the log and keeps their state. It is the only writer of a turn's log.
type Runner struct {
	turner Turner
	log    Log
	ledger Ledger
	now    func() time.Time
	cfg    RunnerConfig

	mu      sync.Mutex
	running map[meet.TurnID]context.CancelCauseFunc
	// lanes keep the turns of one conversation one after the other.
	lanes   map[meet.ConversationID]chan struct{}
	stopped bool
	all     sync.WaitGroup
}

// NewRunner makes a runner that is ready to start turns.
func NewRunner(turner Turner, log Log, ledger Ledger, now func() time.Time, cfg RunnerConfig) *Runner {
	if cfg.Deadline == 0 {
		cfg.Deadline = 60 * time.Second
	}
	if cfg.Most == 0 {
		cfg.Most = 512
	}
	return &Runner{
		turner: turner, log: log, ledger: ledger, now: now, cfg: cfg,
		running: map[meet.TurnID]context.CancelCauseFunc{},
		lanes:   map[meet.ConversationID]chan struct{}{},
	}
}

// The two ways in which a turn ends before its time.
var (
	errCancelled = fault.New(fault.Cancelled, "This request was cancelled.")
	errStopping  = fault.New(fault.Unavailable, "The service is restarting. Please try again in a moment.").Later(2 * time.Second)
)

// Start accepts a turn: when it returns, the turn has its ids, its first update stands in the log, and it runs on, whatever
// becomes of ctx. A turn whose idempotency key was seen before is not started; the first one's ids are returned. A turn
// that could not be accepted leaves its key free.
func (r *Runner) Start(ctx context.Context, turn meet.Turn) (meet.Turn, error) {
	turn.ID = meet.TurnID(newID("t"))
	if turn.Conversation == "" {
		turn.Conversation = meet.ConversationID(newID("c"))
	}
	turn.ReceivedAt = r.now()
	running, err := r.admit(ctx, turn)
	if err != nil {
		return turn, err
	}
	w := newWriter(r, turn)
	first, err := r.accept(ctx, turn, w)
	if err != nil || first.ID != turn.ID {
		r.leave(turn.ID)
		return first, err
	}
	go r.run(running, turn, r.line(turn.Conversation), w)
	return turn, nil
}

// accept writes the turn's beginning, unless another turn holds its idempotency key: then it gives that one.
func (r *Runner) accept(ctx context.Context, turn meet.Turn, w *writer) (meet.Turn, error) {
	// The state comes first, so that whoever loses the claim finds the winner's.
	if err := w.save(ctx, w.state); err != nil {
		return turn, err
	}
	if turn.IdempotencyKey != "" {
		winner, err := r.ledger.Claim(ctx, turn.IdempotencyKey, turn.RequestDigest, turn.ID)
		if err != nil {
			return turn, err
		}
		if winner != turn.ID {
			state, err := r.State(ctx, winner)
			turn.ID, turn.Conversation = winner, state.ConversationID
			return turn, err
		}
	}
	err := w.write(ctx, meet.TurnUpdate{TurnID: turn.ID, ConversationID: turn.Conversation}, false)
	if err != nil && turn.IdempotencyKey != "" {
		err = errors.Join(err, r.ledger.Release(context.WithoutCancel(ctx), turn.IdempotencyKey, turn.ID))
	}
	return turn, err
}

// admit makes room for a turn and gives it a life of its own, apart from the request that brought it.
func (r *Runner) admit(ctx context.Context, turn meet.Turn) (context.Context, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return nil, errStopping
	}
	if len(r.running) >= r.cfg.Most {
		return nil, fault.New(fault.Overloaded, "Too many requests are being answered right now. Please try again in a moment.").
			Later(2 * time.Second)
	}
	running, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	r.running[turn.ID] = cancel
	r.all.Add(1)
	return running, nil
}

func (r *Runner) leave(id meet.TurnID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running[id](nil)
	delete(r.running, id)
	r.all.Done()
}

// run answers the turn and records how it ended, in every case with exactly one done.
func (r *Runner) run(ctx context.Context, turn meet.Turn, at lane, w *writer) {
	defer r.leave(turn.ID)
	defer r.unline(at)
	begun := time.Now()
	logger := zerolog.Ctx(ctx).With().
		Str("turn", string(turn.ID)).Str("conversation", string(turn.Conversation)).Logger()
	bounded, cancel := context.WithTimeoutCause(ctx, r.cfg.Deadline,
		fault.New(fault.DeadlineExceeded, "This took too long. Please try again.").Later(0))
	defer cancel()

	outcome, err := r.inTurn(logger.WithContext(bounded), turn, at, w)
	if cause := context.Cause(bounded); err != nil && cause != nil {
		err = cause
	}
	if err := w.end(context.WithoutCancel(ctx), outcome, err); err != nil {
		logger.Error().Err(err).Msg("the end of the turn could not be written")
	}
	done := logger.Info()
	if err != nil && !errors.Is(err, errCancelled) {
		done = logger.Error().Err(err)
	}
	done.Str("outcome", string(w.state.Outcome)).Dur("took", time.Since(begun)).
		Int("modelCalls", outcome.Receipt.ModelCalls).Int("degraded", len(outcome.Receipt.Degraded)).Msg("turn ended")
}

// inTurn waits until the conversation's earlier turns have ended. A panic is a failed turn, not a dead server.
func (r *Runner) inTurn(ctx context.Context, turn meet.Turn, at lane, w *writer) (outcome meet.Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("turn %s: panic: %v\n%s", turn.ID, p, debug.Stack())
		}
	}()
	if err := at.wait(ctx); err != nil {
		return meet.Outcome{}, err
	}
	return r.turner.Run(ctx, turn, func(ctx context.Context, u meet.Update) error { return w.write(ctx, u, false) })
}

// lane is a turn's place among those of its conversation, which run one after the other in the order of their starts.
type lane struct {
	id     meet.ConversationID
	before <-chan struct{} // closed when the turn before has ended; nil where there is none
	mine   chan struct{}
}

// line puts a turn behind those of its conversation.
func (r *Runner) line(id meet.ConversationID) lane {
	mine := make(chan struct{})
	r.mu.Lock()
	defer r.mu.Unlock()
	l := lane{id: id, before: r.lanes[id], mine: mine}
	r.lanes[id] = mine
	return l
}

// wait returns when the turns before have ended, or with ctx's error.
func (l lane) wait(ctx context.Context) error {
	if l.before == nil {
		return nil
	}
	select {
	case <-l.before:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// unline lets the next turn of the conversation go on. A turn that gave up waiting still keeps its place, so that nobody
// overtakes whoever it waited for.
func (r *Runner) unline(l lane) {
	if l.before != nil {
		<-l.before
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lanes[l.id] == l.mine {
		delete(r.lanes, l.id)
	}
	close(l.mine)
}

// Cancel ends a running turn; one that has ended stays as it is. An unknown turn is a fault.NotFound.
func (r *Runner) Cancel(ctx context.Context, id meet.TurnID) error {
	r.mu.Lock()
	cancel, ok := r.running[id]
	r.mu.Unlock()
	if ok {
		cancel(errCancelled)
		return nil
	}
	_, err := r.State(ctx, id)
	return err
}

// State is where a turn stands.
func (r *Runner) State(ctx context.Context, id meet.TurnID) (state meet.TurnState, err error) {
	raw, err := r.ledger.State(ctx, id)
	if err != nil {
		return state, err
	}
	if err := json.Unmarshal(raw, &state); err != nil {
		return state, fmt.Errorf("state of turn %s: %w", id, err)
	}
	return state, nil
}

// Stop takes no more turns and waits for those that run. When ctx ends first they are cancelled, and end with a message
// that says to try again.
func (r *Runner) Stop(ctx context.Context) {
	r.mu.Lock()
	r.stopped = true
	r.mu.Unlock()
	ended := make(chan struct{})
	go func() { r.all.Wait(); close(ended) }()
	select {
	case <-ended:
		return
	case <-ctx.Done():
	}
	r.mu.Lock()
	for _, cancel := range r.running {
		cancel(errStopping)
	}
	r.mu.Unlock()
	<-ended
}
