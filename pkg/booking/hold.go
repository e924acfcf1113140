package booking

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Waiting for a hold starts with short pauses, because most confirmations take a few milliseconds.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = 250 * time.Millisecond
	releaseTime  = 2 * time.Second
)

// withHold runs do while nobody else can book the same people. do has less time than the hold lasts, so that a slow
// confirmation gives up before another one begins.
func (d *Desk) withHold(ctx context.Context, b booking, do func(context.Context) (meet.Event, error)) (meet.Event, error) {
	release, err := d.hold(ctx, held(b))
	if err != nil {
		return meet.Event{}, err
	}
	defer func() {
		// A hold that cannot be released ends by itself.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
		defer cancel()
		_ = release(ctx)
	}()
	ctx, cancel := context.WithTimeout(ctx, d.cfg.HoldFor-undoTime)
	defer cancel()
	return do(ctx)
}

// hold waits until the people are free to be booked.
func (d *Desk) hold(ctx context.Context, people []meet.PersonID) (func(context.Context) error, error) {
	ctx, cancel := context.WithTimeout(ctx, d.cfg.Patience)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		release, err := d.cfg.Holds.Hold(ctx, people, d.cfg.HoldFor)
		if err == nil || fault.CodeOf(err) != fault.Conflict {
			return release, err
		}
		// Jitter, so that those who wait do not all come back at once.
		wait(ctx, pause/2+rand.N(pause))
		if ctx.Err() != nil {
			return nil, fault.New(fault.Unavailable, "Another booking for the same people is under way. Please try again in a moment.").
				Later(2 * time.Second).Because(ctx.Err())
		}
	}
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// held are the ids to hold, sorted, so that two confirmations never wait for each other. An event of people nobody
// knows is held by its own id.
func held(b booking) []meet.PersonID {
	var ids []meet.PersonID
	events := []meet.Event{b.event}
	if b.moved != nil {
		events = append(events, *b.moved)
	}
	for _, e := range events {
		for _, p := range e.Participants {
			if p.ID != "" {
				ids = append(ids, p.ID)
			}
		}
	}
	if len(ids) == 0 {
		return []meet.PersonID{meet.PersonID("proposal:" + b.event.ID)}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
