package calendar

import (
	"context"

	"convene/pkg/meet"
)

// Cache is a provider that answers with earlier readings of another. What is about to be booked is not asked of it but
// of its source.
type Cache interface {
	Provider
	// Source is the provider whose readings are kept. Where that is a Writer, events are written there.
	Source() Provider
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

// timesOf asks p, and where q is about this moment the source behind it.
func timesOf(ctx context.Context, p Provider, person meet.Person, q meet.BusyQuery) (Times, error) {
	if c, cached := p.(Cache); cached && q.Fresh {
		// Somebody is about to write, or has just found a time taken that was free a moment ago. A cache that cannot be
		// told is as it was before, and its readings grow old by themselves.
		_ = c.Forget(ctx, person.ID)
	}
	if q.Fresh {
		p = source(p)
	}
	return p.Times(ctx, person, q.Span, q.Except)
}
