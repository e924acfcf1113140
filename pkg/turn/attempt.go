package turn

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/meet"
)

// run is one attempt at a turn, for ctx's tenant. It ends the turn, always with exactly one done, unless another
// process has it or should take it. unread is why the turn could not be read, or nil.
func (r *Runner) run(ctx context.Context, job Job, unread error) {
	turn := job.Turn
	begun := time.Now()
	logger := zerolog.Ctx(ctx).With().
		Str("turn", string(turn.ID)).Str("conversation", string(turn.Conversation)).Int("attempt", job.Attempt).Logger()
	ctx, observed := r.ports.Observer.Turn(logger.WithContext(ctx), job)
	var kind meet.OutcomeKind
	var err error
	defer func() { observed(kind, err) }()
	held, release := r.hold(ctx, job)
	defer release()

	w := newWriter(r, job)
	outcome, err := r.answer(held, job, w, unread)
	if cause := context.Cause(held); err != nil && cause != nil {
		err = cause
	}
	switch {
	case errors.Is(err, errLost):
		logger.Info().Msg("another process has taken the turn over")
		return
	case errors.Is(err, errEnded): // a process wrote the end and died before it took the turn off the queue
	case errors.Is(err, errUnread):
		logger.Warn().Err(err).Msg("the log of the turn cannot be read; it is tried again when its lease ends")
		if job.Attempt <= r.cfg.Attempts {
			return
		}
	case errors.Is(err, errHandover):
		if err := r.ports.Queue.Release(ctx, job); err != nil {
			logger.Warn().Err(err).Msg("the turn could not be handed over; another process takes it when its lease ends")
		}
		return
	default:
		if ending := r.end(ctx, w, outcome, err); ending != nil {
			logger.Error().Err(ending).Msg("the end of the turn could not be written")
			if job.Attempt <= r.cfg.Attempts {
				return
			}
		}
		kind = w.state.Outcome
	}
	if err := r.ports.Queue.Finish(ctx, job); err != nil {
		logger.Warn().Err(err).Msg("the turn could not be taken off the queue")
	}
	done := logger.Info()
	if err != nil && !errors.Is(err, errCancelled) {
		done = logger.Error().Err(err)
	}
	done.Str("outcome", string(w.state.Outcome)).Dur("took", time.Since(begun)).
		Int("modelCalls", outcome.Receipt.ModelCalls).Int("degraded", len(outcome.Receipt.Degraded)).Msg("turn ended")
}

// endTime bounds the writing of a turn's end. If the log cannot be reached for longer, the turn stays in the queue, and
// the next process that takes it writes its end.
const endTime = 10 * time.Second

func (r *Runner) end(ctx context.Context, w *writer, outcome meet.Outcome, failed error) error {
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	return w.end(ctx, outcome, failed)
}

// errEnded says that an earlier attempt wrote the turn's end.
var errEnded = errors.New("the turn has ended")

// errUnread says that the log could not be read, so that earlier attempts' updates are unknown.
var errUnread = errors.New("the log of the turn cannot be read")

// answer waits for earlier turns of the conversation, resumes after the updates of earlier attempts, and runs the
// pipeline. A panic fails the turn, not the server.
func (r *Runner) answer(ctx context.Context, job Job, w *writer, unread error) (outcome meet.Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("turn %s: panic: %v\n%s", job.Turn.ID, p, debug.Stack())
		}
	}()
	left := r.cfg.Deadline - time.Since(job.AcceptedAt)
	if err := r.resume(ctx, job, w, left); err != nil {
		return outcome, err
	}
	switch {
	case unread != nil:
		return outcome, unread
	case job.Attempt > r.cfg.Attempts:
		return outcome, errTooOften
	}
	bounded, cancel := context.WithTimeoutCause(ctx, left, errTooLong)
	defer cancel()
	outcome, err = r.inTurn(bounded, job, w)
	if w.refused != nil {
		err = w.refused
	}
	if errors.Is(err, errHandover) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
		defer cancel()
		err = errors.Join(err, w.flush(ctx))
	}
	return outcome, err
}

// resume lets the writer continue after the first update, which is in the log before a turn can be taken, or after the
// updates of earlier attempts. It waits for the log as long as the turn may still take. If the log cannot be read,
// nothing is written, and the next process that takes the turn tries again.
func (r *Runner) resume(ctx context.Context, job Job, w *writer, left time.Duration) error {
	if job.Attempt <= 1 {
		w.state.LastUpdate = 1
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, max(left, endTime))
	defer cancel()
	entries, err := r.ports.Log.Written(ctx, w.state.TurnID)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	if w.finished, err = r.ports.Log.Steps(ctx, w.state.TurnID); err != nil {
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	if len(entries) == 0 {
		return w.open(ctx)
	}
	return w.resume(entries)
}

// inTurn runs the pipeline after the conversation's earlier turns. Updates are written meanwhile; if that fails, the
// turn ends.
func (r *Runner) inTurn(ctx context.Context, job Job, w *writer) (meet.Outcome, error) {
	if err := r.await(ctx, job); err != nil {
		return meet.Outcome{}, err
	}
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	stop := w.work(ctx, r.hand, abort)
	defer stop()
	w.running()
	outcome, err := r.ports.Turner.Run(WithSteps(ctx), job.Turn, w, w.write)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return outcome, err
}

// await returns when all processes have answered the conversation's earlier turns.
func (r *Runner) await(ctx context.Context, job Job) error {
	if job.First {
		return nil
	}
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		first, err := r.ports.Leases.First(ctx, job)
		if err != nil || first {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hold keeps the lease on a turn until release is called. The context ends, with its cause, if the lease is lost or the
// turn is cancelled.
func (r *Runner) hold(ctx context.Context, job Job) (held context.Context, release func()) {
	held, cancel := context.WithCancelCause(ctx)
	r.mu.Lock()
	r.running[job.Turn.ID] = cancel
	r.mu.Unlock()
	done := make(chan struct{})
	var renewing sync.WaitGroup
	renewing.Go(func() { r.renew(held, job, cancel, done) })
	return held, func() {
		close(done)
		cancel(nil)
		renewing.Wait()
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.running, job.Turn.ID)
	}
}

// renew renews the lease until done is closed, also while the end of a cancelled turn is written.
func (r *Runner) renew(ctx context.Context, job Job, cancel context.CancelCauseFunc, done <-chan struct{}) {
	commands := context.WithoutCancel(ctx)
	tick := time.NewTicker(r.cfg.Renewal)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		lease, err := r.ports.Leases.Renew(commands, job)
		switch {
		case err != nil: // Redis is away; the next tick tries again
		case lease == Lost:
			cancel(errLost)
			return
		case lease == Cancelled:
			cancel(errCancelled)
		}
	}
}
