package calendar

import (
	"context"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Cache is a provider that answers with earlier readings of another. What is about to be booked is not asked of it but
// of its source.
type Cache interface {
	Provider
	// Source is the provider whose readings are kept. Where that is a Writer, events are written there.
	Source() Provider
	// BusyAsOf is Busy with the moment at which the calendars were read.
	BusyAsOf(
		ctx context.Context, person meet.Person, span interval.Span, except string,
	) (interval.Availability, time.Time, error)
	// Forget has the person's next reading come from the source, because what was read is known to have changed.
	Forget(ctx context.Context, person meet.PersonID) error
}

// source is p itself, or what p keeps readings of.
func source(p Provider) Provider {
	if c, ok := p.(Cache); ok {
		return c.Source()
	}
	return p
}

// busyAsOf asks p, and where q is about this moment the source behind it. The time is zero where p asks its calendars
// anew each time.
func busyAsOf(
	ctx context.Context, p Provider, person meet.Person, q meet.BusyQuery,
) (a interval.Availability, asOf time.Time, err error) {
	c, cached := p.(Cache)
	if cached && !q.Fresh {
		return c.BusyAsOf(ctx, person, q.Span, q.Except)
	}
	if cached {
		// Somebody is about to write, or has just found a time taken that was free a moment ago. A cache that cannot be
		// told is as it was before, and its readings grow old by themselves.
		_ = c.Forget(ctx, person.ID)
	}
	a, err = source(p).Busy(ctx, person, q.Span, q.Except)
	return a, asOf, err
}
