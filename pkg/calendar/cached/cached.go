// Package cached answers for a calendar with a recent reading, so that a turn need not wait for a vendor that was asked
// a minute before.
//
// A young snapshot answers at once. An older one answers at once too and is renewed meanwhile, from its marks. One that
// is too old, or known to be wrong, does not answer at all. A booking asks the source itself; see calendar.Cache.
package cached

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Snapshots keeps the snapshots of one provider for the tenant of ctx, shared by all processes with the same store. A
// lost snapshot is read again.
type Snapshots interface {
	// Load is the last snapshot of the person's time in the window, nil if there is none, and the revision: how often the
	// person's snapshots have been forgotten.
	Load(ctx context.Context, person meet.PersonID, window interval.Span) (raw []byte, revision int64, err error)
	// Save keeps a snapshot that was read at the revision; it does nothing if the revision has changed.
	Save(ctx context.Context, person meet.PersonID, window interval.Span, raw []byte, revision int64) error
	// Forget erases all snapshots of the person.
	Forget(ctx context.Context, person meet.PersonID) error
	// Claim reports whether the caller is the first within ttl to claim the person; the first one renews the snapshot.
	Claim(ctx context.Context, person meet.PersonID, ttl time.Duration) (bool, error)
}

// Config configures a Calendar. Source and Snapshots are required.
type Config struct {
	Source    calendar.Syncer
	Snapshots Snapshots
	// Fresh is how long a snapshot answers without a renewal. Defaults to 60 s.
	Fresh time.Duration
	// Stale is how long a snapshot may answer at all. Defaults to 15 min.
	Stale time.Duration
	// Deadline bounds one reading of the source, which continues when its caller no longer waits. Defaults to 10 s.
	Deadline time.Duration
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
	// Notify, if set, is called with each error of the source and the store. It must not block.
	Notify func(ctx context.Context, err error)
}

// Calendar is a cached source. It is safe for concurrent use.
type Calendar struct {
	cfg     Config
	reading sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	flights map[flightKey]*flight
}

// New makes a Calendar; its owner closes it.
func New(cfg Config) *Calendar {
	cfg.Fresh = cmp.Or(cfg.Fresh, time.Minute)
	cfg.Stale = cmp.Or(cfg.Stale, 15*time.Minute)
	cfg.Deadline = cmp.Or(cfg.Deadline, 10*time.Second)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Notify == nil {
		cfg.Notify = func(context.Context, error) {}
	}
	return &Calendar{cfg: cfg, flights: map[flightKey]*flight{}}
}

// Name is the source's name.
func (c *Calendar) Name() string { return c.cfg.Source.Name() }

// Source is the calendar that is cached.
func (c *Calendar) Source() calendar.Provider { return c.cfg.Source }

// Times is a reading of the person's time that began at most Config.Stale ago. An error is the source's own; it occurs
// only if no snapshot may answer.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	window := around(span)
	kept, revision := c.load(ctx, person.ID, window)
	key := flightKey{meet.TenantOf(ctx), person.ID, window.Start.Unix(), window.End.Unix(), revision}
	age := c.cfg.Now().Sub(kept.at)
	switch {
	case !kept.complete(window) || age >= c.cfg.Stale:
		now, err := c.join(ctx, key, person, kept.Snapshot).wait(ctx)
		return now.within(span, except), err
	case age >= c.cfg.Fresh:
		c.renew(ctx, key, person, kept.Snapshot)
	}
	return kept.within(span, except), nil
}

// Forget makes the person's next reading come from the source, even if one is under way.
func (c *Calendar) Forget(ctx context.Context, person meet.PersonID) error {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	return c.cfg.Snapshots.Forget(ctx, person)
}

// Close ends the readings in the background and waits for them. Later readings fail.
func (c *Calendar) Close() {
	c.mu.Lock()
	c.closed = true
	for _, f := range c.flights {
		f.cancel()
	}
	c.mu.Unlock()
	c.reading.Wait()
}

// storeTime bounds each call of the store: reading the source is faster than waiting for a store that is down.
const storeTime = time.Second

// load is the last snapshot of the window; empty if the store cannot be reached.
func (c *Calendar) load(ctx context.Context, person meet.PersonID, window interval.Span) (reading, int64) {
	bounded, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	raw, revision, err := c.cfg.Snapshots.Load(bounded, person, window)
	var kept reading
	if err == nil && raw != nil {
		kept, err = unmarshal(raw)
	}
	if err != nil {
		c.cfg.Notify(ctx, fmt.Errorf("load snapshot of %s: %w", c.Name(), err))
		return reading{}, revision
	}
	return kept, revision
}

// save keeps a reading unless it was forgotten meanwhile.
func (c *Calendar) save(ctx context.Context, key flightKey, now reading) {
	raw, err := now.marshal()
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, storeTime)
		defer cancel()
		err = c.cfg.Snapshots.Save(ctx, key.person, key.window(), raw, key.revision)
	}
	if err != nil {
		c.cfg.Notify(ctx, fmt.Errorf("save snapshot of %s: %w", c.Name(), err))
	}
}

// renew reads the source while an older snapshot answers, unless this or another process does so already.
func (c *Calendar) renew(ctx context.Context, key flightKey, person meet.Person, last calendar.Snapshot) {
	bounded, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	first, err := c.cfg.Snapshots.Claim(bounded, person.ID, c.cfg.Deadline)
	if err != nil {
		c.cfg.Notify(ctx, fmt.Errorf("claim snapshot of %s: %w", c.Name(), err))
	}
	if first {
		c.join(ctx, key, person, last)
	}
}
