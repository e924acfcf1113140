package redisstore

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
	"convene/pkg/notice"
	"convene/pkg/turn"
)

const (
	// noticesKept is how many of a person's notices can be read again, and noticesLife for how long after the newest.
	noticesKept = 1000
	noticesLife = 7 * 24 * time.Hour
	// noticesAgain is how often a stream is read without an announcement, which may be lost.
	noticesAgain = 15 * time.Second
)

// Notices keeps alarms and people's notices. It is a notice.Store. Entry n of a person's stream has the id n-0.
type Notices struct{ store *Store }

// Notices returns the alarms and notices.
func (s *Store) Notices() Notices { return Notices{s} }

// Set keeps the alarm instead of an earlier one of its thing.
func (n Notices) Set(ctx context.Context, a notice.Alarm) error {
	a.Tenant = meet.TenantOf(ctx)
	raw, err := encode(a)
	if err != nil {
		return fmt.Errorf("set alarm: %w", err)
	}
	k := n.store.keys
	return n.store.do(ctx, "set alarm", func(ctx context.Context) error {
		_, err := n.store.client.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			pipe.HSet(ctx, k.alarms(), alarmName(a), raw)
			pipe.ZAdd(ctx, k.due(), redis.Z{Score: float64(a.Due.UnixMilli()), Member: alarmName(a)})
			return nil
		})
		return err
	})
}

// alarmName is the name of a thing's alarm.
func alarmName(a notice.Alarm) string {
	return part(a.Tenant) + ":" + part(a.Person) + ":" + part(a.Thing)
}

// dueScript returns the alarms that are due, oldest first.
var dueScript = redis.NewScript(`
local names = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
if #names == 0 then return {} end
return redis.call('HMGET', KEYS[2], unpack(names))`)

// Due are alarms that have fallen due.
func (n Notices) Due(ctx context.Context, now time.Time, most int) ([]notice.Alarm, error) {
	keys := []string{n.store.keys.due(), n.store.keys.alarms()}
	stored, err := n.store.reply(ctx, n.store.do, "due alarms",
		call{dueScript, keys, []any{now.UnixMilli(), most}}).StringSlice()
	if err != nil {
		return nil, err
	}
	alarms := make([]notice.Alarm, len(stored))
	for i, raw := range stored {
		if alarms[i], err = decode[notice.Alarm](raw); err != nil {
			return nil, fmt.Errorf("alarm: %w", err)
		}
	}
	return alarms, nil
}

// tellScript removes an alarm that is as it was. If there is a notice, it is appended to the person's stream.
//
// KEYS are the due times, the alarms, the person's stream and the count of what was appended to it. ARGV are the
// alarm's name and due time, the notice, how many are kept, their life, and the channel of news.
var tellScript = redis.NewScript(`
local due = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not due or tonumber(due) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
if ARGV[3] == '' then return 1 end
local id = redis.call('INCR', KEYS[4])
redis.call('XADD', KEYS[3], 'MAXLEN', ARGV[4], id .. '-0', 'd', ARGV[3])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
redis.call('PUBLISH', ARGV[6], KEYS[3])
return 1`)

// Tell removes the alarm and appends the notice.
func (n Notices) Tell(ctx context.Context, a notice.Alarm, told notice.Notice) (bool, error) {
	data, err := json.Marshal(told)
	if err != nil {
		return false, fmt.Errorf("tell: %w", err)
	}
	return n.settle(ctx, a, string(data))
}

// Drop removes the alarm.
func (n Notices) Drop(ctx context.Context, a notice.Alarm) error {
	_, err := n.settle(ctx, a, "")
	return err
}

func (n Notices) settle(ctx context.Context, a notice.Alarm, data string) (bool, error) {
	a.Tenant = meet.TenantOf(ctx)
	all, own := n.store.keys, n.store.own(ctx)
	keys := []string{all.due(), all.alarms(), own.notices(a.Person), own.noticeCount(a.Person)}
	return ask(ctx, n.store.do, "tell", func(ctx context.Context) (bool, error) {
		return tellScript.Run(ctx, n.store.client, keys, alarmName(a), a.Due.UnixMilli(), data, noticesKept,
			noticesLife.Milliseconds(), all.noticeNews()).Bool()
	})
}

// Follow calls fn with the person's notices after the one numbered after, as they come, until ctx ends or fn fails.
func (n Notices) Follow(
	ctx context.Context, person meet.PersonID, after int, fn func(...turn.Entry) error,
) error {
	key := n.store.own(ctx).notices(person)
	for {
		news := n.store.bells.next(n.store, key) //nolint:contextcheck // the subscription outlives its first reader
		entries, err := ask(ctx, n.store.do, "notices", func(ctx context.Context) ([]turn.Entry, error) {
			messages, err := n.store.client.XRange(ctx, key, streamID(after+1), "+").Result()
			if err != nil {
				return nil, err
			}
			return entriesOf(messages)
		})
		if err != nil {
			return err
		}
		if len(entries) > 0 {
			if err := fn(entries...); err != nil {
				return err
			}
			after = entries[len(entries)-1].ID
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-n.store.closed:
			return unavailable("notices", errClosed)
		case <-news:
		case <-time.After(noticesAgain):
		}
	}
}

// bells wake the readers of streams in this process. One subscription serves them all; it begins with the first reader.
type bells struct {
	begin sync.Once
	mu    sync.Mutex
	// rung are closed when something is appended, by the stream's key.
	rung map[string]chan struct{}
}

// next is closed when the stream has something new, or may have.
func (b *bells) next(s *Store, key string) <-chan struct{} {
	b.begin.Do(func() { go b.listen(s) })
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung == nil {
		b.rung = map[string]chan struct{}{}
	}
	if b.rung[key] == nil {
		b.rung[key] = make(chan struct{})
	}
	return b.rung[key]
}

func (b *bells) listen(s *Store) {
	sub := s.client.Subscribe(context.Background(), s.keys.noticeNews())
	defer func() { _ = sub.Close() }() // nothing can be done about an error
	news := sub.ChannelWithSubscriptions(redis.WithChannelSize(maxNews))
	for {
		select {
		case <-s.closed:
			return
		case m, ok := <-news:
			if !ok {
				return
			}
			if message, announced := m.(*redis.Message); announced {
				b.ring(message.Payload)
			} else {
				b.ring("") // what came before the subscription was not announced
			}
		}
	}
}

// ring wakes the readers of a stream; all if the key is empty.
func (b *bells) ring(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, c := range b.rung {
		if key == "" || k == key {
			close(c)
			delete(b.rung, k)
		}
	}
}
