package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// maxDue is how many unfinished sagas Due examines at once.
const maxDue = 100

// Sagas keeps the records of changes to events. An unfinished record does not expire, so a Redis that evicts only keys
// with an expiry keeps it; a finished one is kept as long as its event.
type Sagas struct{ store *Store }

// Sagas returns the records of bookings and cancellations.
func (s *Store) Sagas() Sagas { return Sagas{s} }

// claimSagaScript takes the claim, unless another token has it, ends the pause of earlier work, and returns the record
// and the claim's term. A claim that the caller already has counts as taken: the first reply may have been lost. One
// counter numbers all terms. It does not expire, so later claims have higher terms even if the record was removed in
// between.
var claimSagaScript = redis.NewScript(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return {0} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('DEL', KEYS[4])
return {1, redis.call('GET', KEYS[2]) or '', redis.call('INCR', KEYS[3])}`)

// saveSagaScript stores the record without an expiry and in the set of open ones, or for a while, or removes it. Only
// the holder of the claim may run it.
var saveSagaScript = redis.NewScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == 'over' then
	redis.call('DEL', KEYS[2])
elseif ARGV[3] == 'finished' then
	redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[4])
else
	redis.call('SET', KEYS[2], ARGV[2])
end
if ARGV[3] == 'open' then
	redis.call('SADD', KEYS[3], ARGV[5])
else
	redis.call('SREM', KEYS[3], ARGV[5])
end
return 1`)

// releaseSagaScript ends the claim and starts the pause.
var releaseSagaScript = redis.NewScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if tonumber(ARGV[2]) > 0 then
	redis.call('SET', KEYS[2], '', 'PX', ARGV[2])
else
	redis.call('DEL', KEYS[2])
end
redis.call('DEL', KEYS[1])
return 1`)

// The ways in which saveSagaScript keeps a record. A stuck one has no expiry and is not in the set of open ones.
const (
	sagaOpen     = "open"
	sagaStuck    = "stuck"
	sagaFinished = "finished"
	sagaOver     = "over"
)

// Claim claims the event's record for the claim's time, and reads it. If another token has it, the error is a retryable
// fault.Conflict.
func (s Sagas) Claim(ctx context.Context, c booking.Claim) (saga booking.Saga, term int64, err error) {
	own := s.store.own(ctx)
	keys := []string{own.sagaClaim(c.UID), own.saga(c.UID), s.store.keys.sagaTerms(), own.sagaRest(c.UID)}
	claimed, err := ask(ctx, s.store.do, "claim saga", func(ctx context.Context) ([]any, error) {
		return claimSagaScript.Run(ctx, s.store.client, keys, c.Token, c.For.Milliseconds()).Slice()
	})
	if err == nil && len(claimed) < 3 {
		err = fault.New(fault.Conflict,
			"This event is being booked or cancelled right now; please try again in a moment.").Later(time.Second)
	}
	if err != nil {
		return booking.Saga{}, 0, err
	}
	raw, _ := claimed[1].(string)
	if term, _ = claimed[2].(int64); raw == "" {
		return booking.Saga{}, term, nil
	}
	if saga, err = decode[booking.Saga](raw); err != nil {
		return booking.Saga{}, 0, errors.Join(fmt.Errorf("saga of event %s: %w", c.UID, err), s.Release(ctx, c, 0))
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

// Renew restarts the claim's time. A claim that has expired is a fault.Conflict, even if there is no other claim.
func (s Sagas) Renew(ctx context.Context, c booking.Claim) error {
	return s.store.once(ctx, "renew claim", func(ctx context.Context) error {
		keys := []string{s.store.own(ctx).sagaClaim(c.UID)}
		return asClaimant(renewLockScript.Run(ctx, s.store.client, keys, c.Token, c.For.Milliseconds()))
	})
}

// Save stores the record, if the claim still stands.
func (s Sagas) Save(ctx context.Context, c booking.Claim, saga booking.Saga) error {
	raw, err := encode(saga)
	if err != nil {
		return fmt.Errorf("save saga: %w", err)
	}
	own := s.store.own(ctx)
	keys := []string{own.sagaClaim(c.UID), own.saga(c.UID), s.store.keys.openSagas()}
	life := settledLife + max(0, saga.Event.End.Sub(s.store.config.Now()))
	args := []any{c.Token, raw, sagaStatus(saga), life.Milliseconds(), openMember(meet.TenantOf(ctx), c.UID)}
	return s.store.do(ctx, "save saga", func(ctx context.Context) error {
		return asClaimant(saveSagaScript.Run(ctx, s.store.client, keys, args...))
	})
}

func sagaStatus(s booking.Saga) string {
	switch {
	case s.Over():
		return sagaOver
	case !s.Open():
		return sagaFinished
	case s.Stuck:
		return sagaStuck
	default:
		return sagaOpen
	}
}

// Release ends the claim, and keeps the saga from Due for pause. Releasing it again is a fault.Conflict: there is
// nothing to release.
func (s Sagas) Release(ctx context.Context, c booking.Claim, pause time.Duration) error {
	own := s.store.own(ctx)
	keys := []string{own.sagaClaim(c.UID), own.sagaRest(c.UID)}
	return s.store.do(ctx, "release claim", func(ctx context.Context) error {
		return asClaimant(releaseSagaScript.Run(ctx, s.store.client, keys, c.Token, pause.Milliseconds()))
	})
}

// asClaimant is the result of a script that only the holder of the claim may run.
func asClaimant(answer *redis.Cmd) error {
	done, err := answer.Bool()
	if err == nil && !done {
		return fault.New(fault.Conflict, "This event is being booked or cancelled elsewhere.")
	}
	return err
}

// openMember names a saga in the set of open ones: the UID, after the tenant if that has a name. dueOf parses it.
func openMember(t meet.Tenant, uid string) string {
	if t == "" {
		return uid
	}
	return part(t) + " " + uid
}

func dueOf(member string) booking.Due {
	escaped, uid, named := strings.Cut(member, " ")
	tenant, err := url.QueryUnescape(escaped)
	if !named || err != nil {
		return booking.Due{UID: member}
	}
	return booking.Due{Tenant: meet.Tenant(tenant), UID: uid}
}

// Due returns events of all tenants whose records are open, not claimed and not pausing. It examines at most a hundred
// records, a random choice if there are more.
func (s Sagas) Due(ctx context.Context) ([]booking.Due, error) {
	return ask(ctx, s.store.once, "due sagas", func(ctx context.Context) ([]booking.Due, error) {
		open, err := s.store.client.SRandMemberN(ctx, s.store.keys.openSagas(), maxDue).Result()
		if err != nil || len(open) == 0 {
			return nil, err
		}
		busy := make([]*redis.IntCmd, len(open))
		_, err = s.store.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			for i, member := range open {
				one := dueOf(member)
				own := s.store.keys.of(one.Tenant)
				busy[i] = p.Exists(ctx, own.sagaClaim(one.UID), own.sagaRest(one.UID))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		var due []booking.Due
		for i, member := range open {
			if busy[i].Val() == 0 {
				due = append(due, dueOf(member))
			}
		}
		return due, nil
	})
}
