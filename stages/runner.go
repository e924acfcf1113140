package stages

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
	// Claim gives the turn that holds the key: this one if it is the first.
	Claim(ctx context.Context, key string, turn meet.TurnID) (meet.TurnID, error)
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
// becomes of ctx. A turn whose idempotency key was seen before is not started; the first one's ids are returned.
func (r *Runner) Start(ctx context.Context, turn meet.Turn) (meet.Turn, error) {
	turn.ID = meet.TurnID(newID("t"))
	if turn.Conversation == "" {
		turn.Conversation = meet.ConversationID(newID("c"))
	}
	turn.ReceivedAt = r.now()
	if first, err := r.repeated(ctx, turn); err != nil || first != nil {
		return *cmp.Or(first, &turn), err
	}
	running, err := r.admit(ctx, turn)
	if err != nil {
		return turn, err
	}
	w := &writer{log: r.log, ledger: r.ledger, now: r.now, state: meet.TurnState{
		TurnID: turn.ID, ConversationID: turn.Conversation, Phase: meet.TurnRunning, StartedAt: turn.ReceivedAt,
	}}
	if err := w.begin(ctx); err != nil {
		r.leave(turn.ID)
		return turn, err
	}
	go r.run(running, turn, w)
	return turn, nil
}

// repeated is the turn that was started earlier under the same idempotency key; nil where this is the first.
func (r *Runner) repeated(ctx context.Context, turn meet.Turn) (*meet.Turn, error) {
	if turn.IdempotencyKey == "" {
		return nil, nil
	}
	winner, err := r.ledger.Claim(ctx, turn.IdempotencyKey, turn.ID)
	if err != nil || winner == turn.ID {
		return nil, err
	}
	state, err := r.State(ctx, winner)
	if err != nil {
		return nil, err
	}
	turn.ID, turn.Conversation = winner, state.ConversationID
	return &turn, nil
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
func (r *Runner) run(ctx context.Context, turn meet.Turn, w *writer) {
	defer r.leave(turn.ID)
	begun := time.Now()
	logger := zerolog.Ctx(ctx).With().
		Str("turn", string(turn.ID)).Str("conversation", string(turn.Conversation)).Logger()
	bounded, cancel := context.WithTimeoutCause(ctx, r.cfg.Deadline,
		fault.New(fault.DeadlineExceeded, "This took too long. Please try again.").Later(0))
	defer cancel()

	outcome, err := r.inTurn(logger.WithContext(bounded), turn, w)
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
		Int("modelCalls", outcome.Receipt.ModelCalls).Strs("degraded", outcome.Receipt.Degraded).Msg("turn ended")
}

// inTurn waits until the conversation's earlier turns have ended. A panic is a failed turn, not a dead server.
func (r *Runner) inTurn(ctx context.Context, turn meet.Turn, w *writer) (outcome meet.Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("turn %s: panic: %v", turn.ID, p)
		}
	}()
	leave, err := r.enter(ctx, turn.Conversation)
	if err != nil {
		return meet.Outcome{}, err
	}
	defer leave()
	return r.turner.Run(ctx, turn, func(u meet.Update) error { return w.write(ctx, u, false) })
}

// enter waits for the conversation's lane. Whoever waited longest goes first.
func (r *Runner) enter(ctx context.Context, id meet.ConversationID) (leave func(), err error) {
	mine := make(chan struct{})
	r.mu.Lock()
	before := r.lanes[id]
	r.lanes[id] = mine
	r.mu.Unlock()
	leave = func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.lanes[id] == mine {
			delete(r.lanes, id)
		}
		close(mine)
	}
	if before == nil {
		return leave, nil
	}
	select {
	case <-before:
		return leave, nil
	case <-ctx.Done():
		// Whoever waits behind this turn must still wait for the one before it.
		go func() { <-before; leave() }()
		return nil, ctx.Err()
	}
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
