package redisstore

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// maxDue is how many open records Due examines at once.
const maxDue = 100

// claims keeps records of one kind, and lets one process at a time work on each. An open record does not expire, so a
// Redis that evicts only keys with an expiry keeps it.
type claims struct {
	store *Store
	// what names the kind in operations, and busy says that a record is claimed.
	what, busy string
	// of spells the keys of a record. open lists the open ones, and terms counts the claims on all.
	of          func(own tenantKeys, id string) claimKeys
	open, terms string
}

// claimKeys are the keys of one record: itself, the token of the process that works on it, and what keeps others from
// picking it up.
type claimKeys struct{ record, claim, rest string }

func (k claims) own(ctx context.Context, id string) claimKeys { return k.of(k.store.own(ctx), id) }

// claimScript takes the claim, unless another token has it, ends the pause of earlier work, and returns the record
// and the claim's term. A claim that the caller already has counts as taken: the first reply may have been lost. One
// counter numbers all terms. It does not expire, so later claims have higher terms even if the record was removed in
// between.
var claimScript = redis.NewScript(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return {0} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('DEL', KEYS[4])
return {1, redis.call('GET', KEYS[2]) or '', redis.call('INCR', KEYS[3])}`)

// saveClaimedScript stores the record without an expiry and in the set of open ones, or for a while, or removes it.
// Only the holder of the claim may run it.
var saveClaimedScript = redis.NewScript(`
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

// releaseClaimScript ends the claim and starts the pause.
var releaseClaimScript = redis.NewScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if tonumber(ARGV[2]) > 0 then
	redis.call('SET', KEYS[2], '', 'PX', ARGV[2])
else
	redis.call('DEL', KEYS[2])
end
redis.call('DEL', KEYS[1])
return 1`)

// The ways in which saveClaimedScript keeps a record. A stuck one has no expiry and is not in the set of open ones.
const (
	recordOpen     = "open"
	recordStuck    = "stuck"
	recordFinished = "finished"
	recordOver     = "over"
)

// take claims the record for the claim's time, and reads it; it is empty if there is none. If another token has it, the
// error is a retryable fault.Conflict.
func (k claims) take(ctx context.Context, c claim.Claim) (raw string, term int64, err error) {
	own := k.own(ctx, c.ID)
	keys := []string{own.claim, own.record, k.terms, own.rest}
	claimed, err := k.store.reply(ctx, k.store.do, "claim "+k.what,
		call{claimScript, keys, []any{c.Token, c.For.Milliseconds()}}).Slice()
	if err == nil && len(claimed) < 3 {
		err = k.claimedByOthers().Later(time.Second)
	}
	if err != nil {
		return "", 0, err
	}
	raw, _ = claimed[1].(string)
	term, _ = claimed[2].(int64)
	return raw, term, nil
}

// Renew restarts the claim's time. A claim that has expired is a fault.Conflict, even if there is no other claim.
func (k claims) Renew(ctx context.Context, c claim.Claim) error {
	return k.store.once(ctx, "renew claim", func(ctx context.Context) error {
		keys := []string{k.own(ctx, c.ID).claim}
		return k.asClaimant(renewLockScript.Run(ctx, k.store.client, keys, c.Token, c.For.Milliseconds()))
	})
}

// save stores the record, if the claim still stands; for life, if it is finished.
func (k claims) save(ctx context.Context, c claim.Claim, record any, status string, life time.Duration) error {
	raw, err := encode(record)
	if err != nil {
		return err
	}
	own := k.own(ctx, c.ID)
	keys := []string{own.claim, own.record, k.open}
	args := []any{c.Token, raw, status, life.Milliseconds(), openMember(meet.TenantOf(ctx), c.ID)}
	return k.store.do(ctx, "save "+k.what, func(ctx context.Context) error {
		return k.asClaimant(saveClaimedScript.Run(ctx, k.store.client, keys, args...))
	})
}

// Release ends the claim, and keeps the record from Due for pause. Releasing it again is a fault.Conflict: there is
// nothing to release.
func (k claims) Release(ctx context.Context, c claim.Claim, pause time.Duration) error {
	own := k.own(ctx, c.ID)
	keys := []string{own.claim, own.rest}
	return k.store.do(ctx, "release claim", func(ctx context.Context) error {
		return k.asClaimant(releaseClaimScript.Run(ctx, k.store.client, keys, c.Token, pause.Milliseconds()))
	})
}

// asClaimant is the result of a script that only the holder of the claim may run.
func (k claims) asClaimant(answer *redis.Cmd) error {
	done, err := answer.Bool()
	if err == nil && !done {
		return k.claimedByOthers()
	}
	return err
}

func (k claims) claimedByOthers() *fault.Error { return fault.New(fault.Conflict, "%s", k.busy) }

// openMember names a record in the set of open ones: the id, after the tenant if that has a name. dueOf parses it.
func openMember(t meet.Tenant, id string) string {
	if t == "" {
		return id
	}
	return part(t) + " " + id
}

func dueOf(member string) claim.Due {
	escaped, id, named := strings.Cut(member, " ")
	tenant, err := url.QueryUnescape(escaped)
	if !named || err != nil {
		return claim.Due{ID: member}
	}
	return claim.Due{Tenant: meet.Tenant(tenant), ID: id}
}

// Due returns records of all tenants that are open, not claimed and not pausing. It examines at most a hundred
// records, a random choice if there are more.
func (k claims) Due(ctx context.Context) ([]claim.Due, error) {
	return ask(ctx, k.store.once, "due "+k.what, func(ctx context.Context) ([]claim.Due, error) {
		open, err := k.store.client.SRandMemberN(ctx, k.open, maxDue).Result()
		if err != nil || len(open) == 0 {
			return nil, err
		}
		busy := make([]*redis.IntCmd, len(open))
		_, err = k.store.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			for i, member := range open {
				one := dueOf(member)
				own := k.of(k.store.keys.of(one.Tenant), one.ID)
				busy[i] = p.Exists(ctx, own.claim, own.rest)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		var due []claim.Due
		for i, member := range open {
			if busy[i].Val() == 0 {
				due = append(due, dueOf(member))
			}
		}
		return due, nil
	})
}
