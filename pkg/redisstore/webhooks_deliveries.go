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
	// maxDeliveries is how many of a tenant's deliveries are kept. The oldest go first.
	maxDeliveries = 5000
	// maxExamined is how many deliveries a page examines, pageBatch how many at once.
	maxExamined = 1000
	pageBatch   = 100
	// maxLanes is how many lanes Due returns.
	maxLanes = 1000
)

// The fields of a delivery's hash, besides the body that is sent. term counts the claims on the delivery, and busy is
// when the last one ends, in milliseconds.
const (
	fieldDelivery = "record"
	fieldTerm     = "term"
)

// rescore starts the scripts that change a lane: it sets the lane's due time to that of its first delivery.
const rescore = `
local function rescore(lanes, lane, name)
	local first = redis.call('ZRANGE', lane, 0, 0, 'WITHSCORES')
	if first[2] then redis.call('ZADD', lanes, first[2], name) else redis.call('ZREM', lanes, name) end
end
`

// addDeliveriesScript stores the deliveries that are new, and returns the names that it removed from the index. KEYS
// are the lanes, the index and then, for each delivery, its key and its lane. ARGV are the time at which all are due,
// the life of the index, the first name that is young enough to stay in it, the number of names that it may have, and
// then, for each delivery, its id, its name in the index, its lane's name, its record and its body.
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

// claimDeliveryScript claims a delivery. It returns nothing if the delivery is not due or no longer stored.
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

// settleDeliveryScript stores a delivery's record if its term is the one given and, when now is given, no claim stands.
// The delivery is due again at due, or expires after life. It returns 0 if the term differs, 2 if a claim stands.
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

// The results of settleDeliveryScript when it has written nothing.
const (
	settleOther = 0
	settleBusy  = 2
)

// indexName names a delivery in its tenant's index, sorted by age and then by id. It is also the cursor of Page.
func indexName(d webhook.Delivery) string { return indexTime(d.Created) + "-" + string(d.ID) }

func indexTime(t time.Time) string { return fmt.Sprintf("%013d", max(0, t.UnixMilli())) }

func idIn(indexName string) webhook.DeliveryID {
	_, id, _ := strings.Cut(indexName, "-")
	return webhook.DeliveryID(id)
}

// AddDeliveries stores all the deliveries or none; those that exist stay as they are. It also removes the tenant's
// oldest beyond maxDeliveries, and those older than webhook.Kept.
func (w Webhooks) AddDeliveries(ctx context.Context, parcels []webhook.Parcel, now time.Time) error {
	tenant := meet.TenantOf(ctx)
	names := []string{w.store.keys.webhookLanes(), w.store.keys.webhookIndex(tenant)}
	args := []any{now.UnixMilli(), (2 * webhook.Kept).Milliseconds(), indexTime(now.Add(-webhook.Kept)), maxDeliveries}
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
	removed, err := w.store.reply(ctx, w.store.do, "add webhook deliveries",
		call{addDeliveriesScript, names, args}).StringSlice()
	if err != nil || len(removed) == 0 {
		return err
	}
	return w.remove(ctx, removed)
}

// remove deletes deliveries that have left the index. If that fails, they expire or are sent.
func (w Webhooks) remove(ctx context.Context, indexNames []string) error {
	names := make([]string, len(indexNames))
	for i, name := range indexNames {
		names[i] = w.store.keys.webhookDelivery(meet.TenantOf(ctx), idIn(name))
	}
	return w.store.do(ctx, "forget webhook deliveries", func(ctx context.Context) error {
		return w.store.client.Del(ctx, names...).Err()
	})
}

// Page returns the tenant's deliveries that the filter takes after the cursor, newest first, and the next cursor, empty
// after the last page. It examines at most a thousand deliveries, so a page may have fewer than most and not be the
// last.
func (w Webhooks) Page(
	ctx context.Context, f webhook.Filter, after string, most int,
) (page []webhook.Delivery, next string, err error) {
	for range maxExamined / pageBatch {
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

// batch returns the next names of the index with their deliveries, nil for one that is no longer stored.
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
			return nil // a delivery is no longer stored
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

// Delivery returns the delivery with that id; an unknown id is a fault.NotFound.
func (w Webhooks) Delivery(ctx context.Context, id webhook.DeliveryID) (webhook.Delivery, error) {
	d, _, err := w.readDelivery(ctx, id)
	return d, err
}

func (w Webhooks) readDelivery(ctx context.Context, id webhook.DeliveryID) (d webhook.Delivery, term int64, err error) {
	key := w.store.keys.webhookDelivery(meet.TenantOf(ctx), id)
	stored, err := ask(ctx, w.store.do, "webhook delivery", func(ctx context.Context) ([]any, error) {
		return w.store.client.HMGet(ctx, key, fieldDelivery, fieldTerm).Result()
	})
	if err != nil {
		return d, 0, err
	}
	raw, ok := stored[0].(string)
	if !ok {
		return d, 0, fault.New(fault.NotFound, "There is no webhook delivery with this id.")
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

// Reopen changes a delivery that no process is attempting; one that is being attempted is a retryable fault.Conflict.
// change may be called several times.
func (w Webhooks) Reopen(
	ctx context.Context, id webhook.DeliveryID, now time.Time, change func(*webhook.Delivery),
) (webhook.Delivery, error) {
	return versioned[webhook.Delivery, int64]{
		read: func() (webhook.Delivery, int64, error) { return w.readDelivery(ctx, id) },
		swap: func(term int64, d webhook.Delivery) (bool, error) {
			lane := webhook.Lane{Tenant: meet.TenantOf(ctx), Endpoint: d.Endpoint}
			job := webhook.Job{Lane: lane, Parcel: webhook.Parcel{Delivery: d}, Term: term}
			result, err := w.settle(ctx, job, now, strconv.FormatInt(now.UnixMilli(), 10))
			if err == nil && result == settleBusy {
				err = fault.New(fault.Conflict, "This is being delivered right now.").Later(5 * time.Second)
			}
			return result != settleOther, err
		},
		crowded: "This delivery is being changed by several people at once; please try again.",
	}.update(func(d *webhook.Delivery) error {
		change(d)
		return nil
	})
}

// Settle stores the job's delivery, unless there is a later claim, which is a fault.Conflict.
func (w Webhooks) Settle(ctx context.Context, job webhook.Job, now time.Time) error {
	result, err := w.settle(ctx, job, now, "")
	if err == nil && result == settleOther {
		return fault.New(fault.Conflict, "This is being delivered elsewhere.")
	}
	return err
}

func (w Webhooks) settle(ctx context.Context, job webhook.Job, now time.Time, unlessBusyAt string) (int, error) {
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
	return w.store.reply(ctx, w.store.do, "settle webhook",
		call{settleDeliveryScript, w.laneKeys(job.Lane, d.ID), args}).Int()
}

func (w Webhooks) laneKeys(l webhook.Lane, id webhook.DeliveryID) []string {
	k := w.store.keys
	return []string{k.webhookLanes(), k.webhookLane(l), k.webhookDelivery(l.Tenant, id)}
}

// Due returns the lanes of all tenants with a delivery due now, the longest due first, at most a thousand.
func (w Webhooks) Due(ctx context.Context, now time.Time) ([]webhook.Lane, error) {
	names, err := ask(ctx, w.store.once, "due webhooks", func(ctx context.Context) ([]string, error) {
		return w.store.client.ZRangeByScore(ctx, w.store.keys.webhookLanes(), upTo(now, maxLanes)).Result()
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

// Claim claims at most most deliveries of the lane that are due, the longest due first. If a reply is lost, its
// delivery is due again at until.
func (w Webhooks) Claim(
	ctx context.Context, l webhook.Lane, most int, now, until time.Time,
) (jobs []webhook.Job, err error) {
	ids, err := ask(ctx, w.store.once, "due webhooks of a lane", func(ctx context.Context) ([]string, error) {
		return w.store.client.ZRangeByScore(ctx, w.store.keys.webhookLane(l), upTo(now, most)).Result()
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
		return jobs, nil // the next call meets the error again
	}
	return nil, err
}

func (w Webhooks) claim(
	ctx context.Context, l webhook.Lane, id webhook.DeliveryID, now, until time.Time,
) (job webhook.Job, mine bool, err error) {
	args := []any{laneName(l), string(id), now.UnixMilli(), until.UnixMilli()}
	stored, err := w.store.reply(ctx, w.store.once, "claim webhook",
		call{claimDeliveryScript, w.laneKeys(l, id), args}).Slice()
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
