package cached

import (
	"context"
	"errors"
	"fmt"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// flightKey names a reading that several callers may wait for. Forgetting the person's snapshots changes the key.
type flightKey struct {
	tenant     meet.Tenant
	person     meet.PersonID
	start, end int64
	revision   int64
}

func (k flightKey) window() interval.Span {
	return interval.Span{Start: time.Unix(k.start, 0).UTC(), End: time.Unix(k.end, 0).UTC()}
}

// flight is a reading of the source that is under way. It continues without its caller, because it serves the next one.
type flight struct {
	cancel context.CancelFunc
	// result and err are set when done is closed.
	done   chan struct{}
	result reading
	err    error
}

// wait returns the result of the reading, unless ctx ends first.
func (f *flight) wait(ctx context.Context) (reading, error) {
	select {
	case <-f.done:
		return f.result, f.err
	case <-ctx.Done():
		return reading{}, ctx.Err()
	}
}

var errClosed = errors.New("the calendar is closed")

// join is the flight of that key: the one under way, or a new one that continues last.
func (c *Calendar) join(ctx context.Context, key flightKey, person meet.Person, last calendar.Snapshot) *flight {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.flights[key]; ok {
		return f
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.cfg.Deadline)
	f := &flight{cancel: cancel, done: make(chan struct{})}
	if c.closed {
		cancel()
		f.err = errClosed
		close(f.done)
		return f
	}
	c.flights[key] = f
	c.reading.Go(func() {
		defer cancel()
		f.result, f.err = c.read(ctx, person, key.window(), last)
		close(f.done)
		c.settle(ctx, key, f, last)
		c.mu.Lock()
		delete(c.flights, key) // only now, so that callers find it until its result is saved
		c.mu.Unlock()
	})
	return f
}

// read asks the source. A panic in it fails the reading and nothing else.
func (c *Calendar) read(
	ctx context.Context, person meet.Person, window interval.Span, last calendar.Snapshot,
) (now reading, err error) {
	defer func() {
		if p := recover(); p != nil {
			now, err = reading{}, fmt.Errorf("provider panicked: %v", p)
		}
	}()
	now.at = c.cfg.Now() // before the source is asked: it may miss changes made meanwhile
	now.Snapshot, err = c.cfg.Source.Sync(ctx, person, window, last)
	return now, err
}

// settle saves a flight's result. If there is no calendar any more, it forgets the snapshots.
func (c *Calendar) settle(ctx context.Context, key flightKey, f *flight, last calendar.Snapshot) {
	switch {
	case f.err == nil:
		c.save(ctx, key, f.result)
	case errors.Is(f.err, calendar.ErrNoCalendar) && last.Span.Empty(): // there was none before
	case errors.Is(f.err, calendar.ErrNoCalendar):
		if err := c.Forget(ctx, key.person); err != nil {
			c.cfg.Notify(ctx, fmt.Errorf("forget snapshot of %s: %w", c.Name(), err))
		}
	default:
		c.cfg.Notify(ctx, fmt.Errorf("read %s anew: %w", c.Name(), f.err))
	}
}
