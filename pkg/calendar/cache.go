package calendar

import (
	"context"

	"convene/pkg/meet"
)

// Cache is a provider that answers with earlier readings of another. A booking asks its source instead.
type Cache interface {
	Provider
	// Source is the provider whose readings are kept. If it is a Writer, events are written there.
	Source() Provider
	// Forget drops the person's readings, so that the next one comes from the source.
	Forget(ctx context.Context, person meet.PersonID) error
}

// source is p itself, or the source of the cache p.
func source(p Provider) Provider {
	if c, ok := p.(Cache); ok {
		return c.Source()
	}
	return p
}

// timesOf asks p, or its source if q must be fresh.
func timesOf(ctx context.Context, p Provider, person meet.Person, q meet.BusyQuery) (Times, error) {
	if c, cached := p.(Cache); cached && q.Fresh {
		// The caller is about to write, or has just found a time taken that was free a moment ago. If forgetting fails,
		// the readings still expire.
		_ = c.Forget(ctx, person.ID)
	}
	if q.Fresh {
		p = source(p)
	}
	return p.Times(ctx, person, q.Span, q.Except)
}
