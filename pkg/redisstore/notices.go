package redisstore

import (
	"context"
	"encoding/json"
	"errors"
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

// keepAlarm starts the scripts that keep an alarm or none. KEYS begin with the due times and the alarms, ARGV with the
// alarm's name.
const keepAlarm = `
local function keep(due, alarm)
	if alarm == '' then
		redis.call('ZREM', KEYS[1], ARGV[1])
		redis.call('HDEL', KEYS[2], ARGV[1])
	else
		redis.call('ZADD', KEYS[1], due, ARGV[1])
		redis.call('HSET', KEYS[2], ARGV[1], alarm)
	end
end
`

// setScript keeps an alarm, or the next one if the first was told. KEYS end with the mark of that; ARGV have time and
// alarm of both, and whether an alarm that is set already stays.
var setScript = redis.NewScript(keepAlarm + `
if ARGV[6] == '1' and redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 1 end
if ARGV[3] == '' or redis.call('EXISTS', KEYS[3]) == 1 then keep(ARGV[4], ARGV[5]) else keep(ARGV[2], ARGV[3]) end
return 1`)

// Set keeps the alarm instead of an earlier one of its thing, or its next one if it was told within a week.
func (n Notices) Set(ctx context.Context, a notice.Alarm) error { return n.set(ctx, a, 0) }

// Expect is Set for a thing that has no alarm.
func (n Notices) Expect(ctx context.Context, a notice.Alarm) error { return n.set(ctx, a, 1) }

func (n Notices) set(ctx context.Context, a notice.Alarm, unless int) error {
	due, alarm, err := stored(ctx, &a)
	if a.Due.IsZero() {
		alarm = ""
	}
	again, next, err2 := stored(ctx, a.Next)
	if err = errors.Join(err, err2); err != nil {
		return fmt.Errorf("set alarm: %w", err)
	}
	k, name := n.store.keys, alarmName(a)
	return n.store.reply(ctx, n.store.do, "set alarm", call{
		setScript, []string{k.due(), k.alarms(), k.told(name, due)}, []any{name, due, alarm, again, next, unless},
	}).Err()
}

// stored is an alarm of the tenant as it is kept, with its time; empty if there is none.
func stored(ctx context.Context, a *notice.Alarm) (due int64, alarm string, err error) {
	if a == nil {
		return 0, "", nil
	}
	a.Tenant = meet.TenantOf(ctx)
	alarm, err = encode(*a)
	return a.Due.UnixMilli(), alarm, err
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

// tellScript replaces an alarm that is as it was by the next one, if there is one. If there is a notice, it is appended
// to the person's stream, and the alarm is marked as told.
//
// KEYS are the due times, the alarms, the mark, the person's stream and the count of what was appended to it. ARGV are
// the alarm's name and due time, the notice, how many are kept, their life, the channel of news, and the next time and
// alarm.
var tellScript = redis.NewScript(keepAlarm + `
local due = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not due or tonumber(due) ~= tonumber(ARGV[2]) then return 0 end
keep(ARGV[7], ARGV[8])
if ARGV[3] == '' then return 1 end
redis.call('SET', KEYS[3], '', 'PX', ARGV[5])
local id = redis.call('INCR', KEYS[5])
redis.call('XADD', KEYS[4], 'MAXLEN', ARGV[4], id .. '-0', 'd', ARGV[3])
redis.call('PEXPIRE', KEYS[4], ARGV[5])
redis.call('PUBLISH', ARGV[6], KEYS[4])
return 1`)

// Tell replaces the alarm by the next one and appends the notice.
func (n Notices) Tell(ctx context.Context, a notice.Alarm, told notice.Notice, next *notice.Alarm) (bool, error) {
	data, err := json.Marshal(told)
	if err != nil {
		return false, fmt.Errorf("tell: %w", err)
	}
	return n.settle(ctx, a, string(data), next)
}

// Drop removes the alarm.
func (n Notices) Drop(ctx context.Context, a notice.Alarm) error {
	_, err := n.settle(ctx, a, "", nil)
	return err
}

func (n Notices) settle(ctx context.Context, a notice.Alarm, data string, next *notice.Alarm) (bool, error) {
	due, _, err := stored(ctx, &a)
	again, alarm, err2 := stored(ctx, next)
	if err = errors.Join(err, err2); err != nil {
		return false, fmt.Errorf("tell: %w", err)
	}
	all, own, name := n.store.keys, n.store.own(ctx), alarmName(a)
	keys := []string{
		all.due(), all.alarms(), all.told(name, due), own.notices(a.Person), own.noticeCount(a.Person),
	}
	return n.store.reply(ctx, n.store.do, "tell", call{tellScript, keys, []any{
		name, due, data, noticesKept, noticesLife.Milliseconds(), all.noticeNews(), again, alarm,
	}}).Bool()
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
