package redisstore

import (
	"context"
	"errors"
	"fmt"

	"convene/pkg/booking"
	"convene/pkg/claim"
)

// Sagas keeps the records of changes to events. A finished one is kept as long as its event.
type Sagas struct{ claims }

// Sagas returns the records of bookings and cancellations.
func (s *Store) Sagas() Sagas {
	return Sagas{claims{
		store: s, what: "saga", busy: "This event is being booked or cancelled right now; please try again in a moment.",
		of: func(own tenantKeys, uid string) claimKeys {
			return claimKeys{own.saga(uid), own.sagaClaim(uid), own.sagaRest(uid)}
		},
		open: s.keys.openSagas(), terms: s.keys.sagaTerms(),
	}}
}

// Claim claims the event's record for the claim's time, and reads it. If another token has it, the error is a retryable
// fault.Conflict.
func (s Sagas) Claim(ctx context.Context, c claim.Claim) (saga booking.Saga, term int64, err error) {
	raw, term, err := s.take(ctx, c)
	if err != nil || raw == "" {
		return booking.Saga{}, term, err
	}
	if saga, err = decode[booking.Saga](raw); err != nil {
		return booking.Saga{}, 0, errors.Join(fmt.Errorf("saga of event %s: %w", c.ID, err), s.Release(ctx, c, 0))
	}
	restoreZones(&saga.Event)
	if saga.Moved != nil {
		restoreZones(saga.Moved)
	}
	for i := range saga.Owed {
		restoreZones(&saga.Owed[i].Event)
	}
	return saga, term, nil
}

// Save stores the record, if the claim still stands.
func (s Sagas) Save(ctx context.Context, c claim.Claim, saga booking.Saga) error {
	return s.save(ctx, c, saga, sagaStatus(saga), settledLife+max(0, saga.Event.End.Sub(s.store.config.Now())))
}

func sagaStatus(s booking.Saga) string {
	switch {
	case s.Over():
		return recordOver
	case !s.Open():
		return recordFinished
	case s.Stuck:
		return recordStuck
	default:
		return recordOpen
	}
}
