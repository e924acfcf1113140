package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/webhook"
)

const (
	// mostDeliveries is how many of a tenant's deliveries are kept. The oldest go first.
	mostDeliveries = 5000
	// mostExamined is how many deliveries one page looks at, pageBatch how many at once.
	mostExamined = 1000
	pageBatch    = 100
	// mostLanes is how many lanes are looked at in one go.
	mostLanes = 1000
)

// A delivery is a hash: its record, and the body that is sent. term counts the claims on it, and busy is until when the
// last one stands, in milliseconds.
const (
	fieldDelivery = "record"
	fieldTerm     = "term"
)

// rescore ends the scripts that change a lane: it stands among the lanes by what is due first in it.
const rescore = `
local function rescore(lanes, lane, name)
	local first = redis.call('ZRANGE', lane, 0, 0, 'WITHSCORES')
	if first[2] then redis.call('ZADD', lanes, first[2], name) else redis.call('ZREM', lanes, name) end
end
`

// addDeliveriesScript keeps deliveries that are not there yet. KEYS are the lanes, the index and then a delivery and its
// lane, again and again; ARGV when they are due, for how long the index stands, the first name in it that is young
// enough, how many names it may have, and then for each delivery its id, its name in the index, its lane's name, its
// record and its body. It answers with the names that had to go.
var addDeliveriesScript = redis.NewScript(rescore + `
local lanes, index, due = KEYS[1], KEYS[2], ARGV[1]
for i = 3, #KEYS, 2 do
	local a = 5 + (i - 3) / 2 * 5
	if redis.call('EXISTS', KEYS[i]) == 0 then
		redis.call('HSET', KEYS[i], 'record', ARGV[a + 3], 'body', ARGV[a + 4], 'term', 0)
		redis.call('ZADD', index, 0, ARGV[a + 1])
		redis.call('ZADD', KEYS[i + 1], due, ARGV[a])
		rescore(lanes, KEYS[i + 1], ARGV[a + 2])
	end
end
redis.call('PEXPIRE', index, ARGV[2])
local old = redis.call('ZRANGEBYLEX', index, '-', '(' .. ARGV[3])
local excess = redis.call('ZCARD', index) - #old - tonumber(ARGV[4])
if excess > 0 then
	for _, name in ipairs(redis.call('ZRANGE', index, #old, #old + excess - 1)) do table.insert(old, name) end
end
for _, name in ipairs(old) do redis.call('ZREM', index, name) end
return old`)

// claimDeliveryScript takes one delivery that is due. It answers nothing where it is not, or not there any more.
var claimDeliveryScript = redis.NewScript(rescore + `
local lanes, lane, delivery = KEYS[1], KEYS[2], KEYS[3]
local name, id, now, till = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local due = redis.call('ZSCORE', lane, id)
if not due or tonumber(due) > now then return {} end
local stored = redis.call('HMGET', delivery, 'record', 'body')
if not stored[1] then
	redis.call('ZREM', lane, id)
	rescore(lanes, lane, name)
	return {}
end
local term = redis.call('HINCRBY', delivery, 'term', 1)
redis.call('HSET', delivery, 'busy', till)
redis.call('ZADD', lane, till, id)
rescore(lanes, lane, name)
return {stored[1], stored[2], term}`)

// settleDeliveryScript keeps what became of a delivery, if it is of the term that is told, and nobody is at it where
// that is asked for. It is due again at a time, or its life begins to run out. It answers 0 where the term is another,
// 2 where somebody is at it.
var settleDeliveryScript = redis.NewScript(rescore + `
local lanes, lane, delivery = KEYS[1], KEYS[2], KEYS[3]
local name, id, term, record, due, life, now = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
if redis.call('HGET', delivery, 'term') ~= term then return 0 end
if now ~= '' and tonumber(redis.call('HGET', delivery, 'busy') or '0') > tonumber(now) then return 2 end
redis.call('HSET', delivery, 'record', record)
redis.call('HDEL', delivery, 'busy')
if due ~= '' then
	redis.call('PERSIST', delivery)
	redis.call('ZADD', lane, due, id)
else
	redis.call('PEXPIRE', delivery, life)
	redis.call('ZREM', lane, id)
end
rescore(lanes, lane, name)
return 1`)

// What settleDeliveryScript answers where it has written nothing.
const (
	settleOther = 0
	settleBusy  = 2
)

// indexName is a delivery among its tenant's: by age, and then by id. It is a cursor too.
func indexName(d webhook.Delivery) string { return indexTime(d.Created) + "-" + string(d.ID) }

func indexTime(t time.Time) string { return fmt.Sprintf("%013d", max(0, t.UnixMilli())) }

func idIn(indexName string) webhook.DeliveryID {
	_, id, _ := strings.Cut(indexName, "-")
	return webhook.DeliveryID(id)
}

// AddDeliveries keeps all of them or none, those that are there already as they are. The oldest of more than a few
// thousand, and those that ended a week ago, are forgotten by the way.
func (w Webhooks) AddDeliveries(ctx context.Context, parcels []webhook.Parcel, now time.Time) error {
	tenant := meet.TenantOf(ctx)
	names := []string{w.store.keys.webhookLanes(), w.store.keys.webhookIndex(tenant)}
	args := []any{now.UnixMilli(), (2 * webhook.Kept).Milliseconds(), indexTime(now.Add(-webhook.Kept)), mostDeliveries}
	for _, p := range parcels {
		d := p.Delivery
		record, err := encode(d)
		if err != nil {
			return fmt.Errorf("add deliveries: %w", err)
		}
		lane := webhook.Lane{Tenant: tenant, Endpoint: d.Endpoint}
		names = append(names, w.store.keys.webhookDelivery(tenant, d.ID), w.store.keys.webhookLane(lane))
		args = append(args, string(d.ID), indexName(d), laneName(lane), record, p.Body)
	}
	var gone []string
	err := w.store.do(ctx, "add webhook deliveries", func(ctx context.Context) (err error) {
		gone, err = addDeliveriesScript.Run(ctx, w.store.client, names, args...).StringSlice()
		return err
	})
	if err != nil || len(gone) == 0 {
		return err
	}
	return w.forget(ctx, gone)
}

// forget drops deliveries that are not in the index any more. Those of which that fails end by themselves, or are sent.
func (w Webhooks) forget(ctx context.Context, indexNames []string) error {
	names := make([]string, len(indexNames))
	for i, name := range indexNames {
		names[i] = w.store.keys.webhookDelivery(meet.TenantOf(ctx), idIn(name))
	}
	return w.store.do(ctx, "forget webhook deliveries", func(ctx context.Context) error {
		return w.store.client.Del(ctx, names...).Err()
	})
}

// Page is the tenant's deliveries that the filter takes, the newest first, behind the cursor. It looks at a thousand at
// most, so that it may have fewer than most and still not be the last.
func (w Webhooks) Page(
	ctx context.Context, f webhook.Filter, after string, most int,
) (page []webhook.Delivery, next string, err error) {
	for range mostExamined / pageBatch {
		names, found, err := w.batch(ctx, after)
		if err != nil {
			return nil, "", err
		}
		for i, name := range names {
			after = name
			if found[i] == nil || !f.Takes(*found[i]) {
				continue
			}
			if page = append(page, *found[i]); len(page) == most {
				return page, after, nil
			}
		}
		if len(names) < pageBatch {
			return page, "", nil
		}
	}
	return page, after, nil
}

// batch is the next names in the index with their deliveries, nil for one that is not there any more.
func (w Webhooks) batch(ctx context.Context, after string) (names []string, found []*webhook.Delivery, err error) {
	tenant, newest := meet.TenantOf(ctx), "+"
	if after != "" {
		newest = "(" + after
	}
	var replies []*redis.StringCmd
	err = w.store.do(ctx, "webhook deliveries", func(ctx context.Context) error {
		names, err = w.store.client.ZRevRangeByLex(ctx, w.store.keys.webhookIndex(tenant),
			&redis.ZRangeBy{Max: newest, Min: "-", Count: pageBatch}).Result()
		if err != nil || len(names) == 0 {
			return err
		}
		replies = make([]*redis.StringCmd, len(names))
		_, err = w.store.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			for i, name := range names {
				replies[i] = p.HGet(ctx, w.store.keys.webhookDelivery(tenant, idIn(name)), fieldDelivery)
			}
			return nil
		})
		if errors.Is(err, redis.Nil) {
			return nil // one of them is gone
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	found = make([]*webhook.Delivery, len(names))
	for i, reply := range replies {
		raw, err := reply.Result()
		if errors.Is(err, redis.Nil) {
			continue
		}
		if err != nil {
			return nil, nil, unavailable("webhook deliveries", err)
		}
		d, err := decode[webhook.Delivery](raw)
		if err != nil {
			return nil, nil, fmt.Errorf("webhook delivery %s: %w", names[i], err)
		}
		found[i] = &d
	}
	return names, found, nil
}

// Delivery is the one with that id; none is a fault.NotFound.
func (w Webhooks) Delivery(ctx context.Context, id webhook.DeliveryID) (webhook.Delivery, error) {
	d, _, err := w.readDelivery(ctx, id)
	return d, err
}

func (w Webhooks) readDelivery(ctx context.Context, id webhook.DeliveryID) (d webhook.Delivery, term int64, err error) {
	var stored []any
	err = w.store.do(ctx, "webhook delivery", func(ctx context.Context) (err error) {
		stored, err = w.store.client.HMGet(ctx, w.store.keys.webhookDelivery(meet.TenantOf(ctx), id), fieldDelivery, fieldTerm).Result()
		return err
	})
	if err != nil {
		return d, 0, err
	}
	raw, ok := stored[0].(string)
	if !ok {
		return d, 0, unknownDelivery()
	}
	if d, err = decode[webhook.Delivery](raw); err != nil {
		return d, 0, fmt.Errorf("webhook delivery %s: %w", id, err)
	}
	count, _ := stored[1].(string)
	term, err = strconv.ParseInt(count, 10, 64)
	if err != nil {
		return d, 0, fmt.Errorf("webhook delivery %s: %w", id, err)
	}
	return d, term, nil
}

// Reopen changes a delivery that nobody is attempting; one that is being attempted is a retryable fault.Conflict.
func (w Webhooks) Reopen(
	ctx context.Context, id webhook.DeliveryID, now time.Time, change func(*webhook.Delivery),
) (webhook.Delivery, error) {
	for range updateTries {
		d, term, err := w.readDelivery(ctx, id)
		if err != nil {
			return webhook.Delivery{}, err
		}
		change(&d)
		job := webhook.Job{
			Lane: webhook.Lane{Tenant: meet.TenantOf(ctx), Endpoint: d.Endpoint}, Parcel: webhook.Parcel{Delivery: d}, Term: term,
		}
		answer, err := w.settle(ctx, job, now, strconv.FormatInt(now.UnixMilli(), 10))
		switch {
		case err != nil:
			return webhook.Delivery{}, err
		case answer == settleBusy:
			return webhook.Delivery{}, fault.New(fault.Conflict, "This is being delivered right now.").Later(5 * time.Second)
		case answer != settleOther:
			return d, nil
		}
	}
	return webhook.Delivery{}, fault.New(fault.Overloaded,
		"This delivery is being changed by several at once; please try again.").Later(time.Second)
}

// Settle keeps the job's delivery, if nobody has claimed it since; otherwise it is a fault.Conflict.
func (w Webhooks) Settle(ctx context.Context, job webhook.Job, now time.Time) error {
	answer, err := w.settle(ctx, job, now, "")
	if err == nil && answer == settleOther {
		return fault.New(fault.Conflict, "This is being delivered elsewhere.")
	}
	return err
}

func (w Webhooks) settle(ctx context.Context, job webhook.Job, now time.Time, unlessBusyAt string) (answer int, err error) {
	d := job.Parcel.Delivery
	record, err := encode(d)
	if err != nil {
		return 0, fmt.Errorf("settle webhook: %w", err)
	}
	due := ""
	if d.State == webhook.Pending {
		due = strconv.FormatInt(d.Next.UnixMilli(), 10)
	}
	life := max(time.Hour, d.Created.Add(webhook.Kept).Sub(now))
	args := []any{laneName(job.Lane), string(d.ID), job.Term, record, due, life.Milliseconds(), unlessBusyAt}
	err = w.store.do(ctx, "settle webhook", func(ctx context.Context) (err error) {
		answer, err = settleDeliveryScript.Run(ctx, w.store.client, w.laneKeys(job.Lane, d.ID), args...).Int()
		return err
	})
	return answer, err
}

func (w Webhooks) laneKeys(l webhook.Lane, id webhook.DeliveryID) []string {
	k := w.store.keys
	return []string{k.webhookLanes(), k.webhookLane(l), k.webhookDelivery(l.Tenant, id)}
}

// Due names lanes of any tenant in which something is due now, the longest due first: a thousand at most.
func (w Webhooks) Due(ctx context.Context, now time.Time) ([]webhook.Lane, error) {
	var names []string
	err := w.store.once(ctx, "due webhooks", func(ctx context.Context) (err error) {
		names, err = w.store.client.ZRangeByScore(ctx, w.store.keys.webhookLanes(), upTo(now, mostLanes)).Result()
		return err
	})
	lanes := make([]webhook.Lane, 0, len(names))
	for _, name := range names {
		if l, ok := laneOf(name); ok {
			lanes = append(lanes, l)
		}
	}
	return lanes, err
}

func upTo(now time.Time, most int) *redis.ZRangeBy {
	return &redis.ZRangeBy{Min: "-inf", Max: strconv.FormatInt(now.UnixMilli(), 10), Count: int64(most)}
}

// Claim takes deliveries of the lane that are due, the longest due first. Where an answer gets lost, the delivery is due
// again at until.
func (w Webhooks) Claim(ctx context.Context, l webhook.Lane, most int, now, until time.Time) (jobs []webhook.Job, err error) {
	var ids []string
	err = w.store.once(ctx, "due webhooks of a lane", func(ctx context.Context) (err error) {
		ids, err = w.store.client.ZRangeByScore(ctx, w.store.keys.webhookLane(l), upTo(now, most)).Result()
		return err
	})
	for _, id := range ids {
		if err != nil {
			break
		}
		var job webhook.Job
		var mine bool
		if job, mine, err = w.claim(ctx, l, webhook.DeliveryID(id), now, until); mine {
			jobs = append(jobs, job)
		}
	}
	if len(jobs) > 0 {
		return jobs, nil // what is wrong comes again with the next
	}
	return nil, err
}

func (w Webhooks) claim(
	ctx context.Context, l webhook.Lane, id webhook.DeliveryID, now, until time.Time,
) (job webhook.Job, mine bool, err error) {
	var stored []any
	args := []any{laneName(l), string(id), now.UnixMilli(), until.UnixMilli()}
	err = w.store.once(ctx, "claim webhook", func(ctx context.Context) (err error) {
		stored, err = claimDeliveryScript.Run(ctx, w.store.client, w.laneKeys(l, id), args...).Slice()
		return err
	})
	if err != nil || len(stored) < 3 {
		return job, false, err
	}
	record, _ := stored[0].(string)
	body, _ := stored[1].(string)
	term, _ := stored[2].(int64)
	d, err := decode[webhook.Delivery](record)
	if err != nil {
		return job, false, fmt.Errorf("webhook delivery %s: %w", id, err)
	}
	return webhook.Job{Lane: l, Parcel: webhook.Parcel{Delivery: d, Body: []byte(body)}, Term: term}, true, nil
}
