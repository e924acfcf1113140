package redisstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/change"
	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// changesLife is how long a change set is kept that is not being worked on: as long as it can be undone, and as long
// again, so that one that has expired can be told from an unknown one.
const changesLife = 48 * time.Hour

// Changes keeps change sets.
type Changes struct{ claims }

// Changes returns the change sets.
func (s *Store) Changes() Changes {
	return Changes{claims{
		store: s, what: "changes", busy: "These changes are being made right now; please try again in a moment.",
		of: tenantKeys.changes, open: s.keys.openChanges(), terms: s.keys.changesTerms(),
	}}
}

// Claim claims the set's record for the claim's time, and reads it. If another token has it, the error is a retryable
// fault.Conflict.
func (c Changes) Claim(ctx context.Context, by claim.Claim) (r change.Record, term int64, err error) {
	raw, term, err := c.take(ctx, by)
	if err != nil || raw == "" {
		return r, term, err
	}
	if r, err = decode[change.Record](raw); err != nil {
		return r, 0, errors.Join(fmt.Errorf("changes %s: %w", by.ID, err), c.Release(ctx, by, 0))
	}
	return r, term, nil
}

// Load reads a record.
func (c Changes) Load(ctx context.Context, id meet.ChangesID) (change.Record, error) {
	raw, err := ask(ctx, c.store.do, "load changes", func(ctx context.Context) (string, error) {
		return c.store.client.Get(ctx, c.own(ctx, string(id)).record).Result()
	})
	if errors.Is(err, redis.Nil) {
		return change.Record{}, fault.New(fault.NotFound, "There are no changes with this id.")
	}
	if err != nil {
		return change.Record{}, err
	}
	r, err := decode[change.Record](raw)
	fault.Wrap(&err, "changes %s", id)
	return r, err
}

// Save stores the record, if the claim still stands.
func (c Changes) Save(ctx context.Context, by claim.Claim, r change.Record) error {
	status := recordFinished
	if r.Open() {
		status = recordOpen
	}
	return c.save(ctx, by, r, status, changesLife)
}
