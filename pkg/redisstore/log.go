package redisstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

const (
	// logLife is how long a turn can be followed after its last entry.
	logLife = time.Hour
	// logLength bounds one log against a writer that has gone mad; real turns have some dozens of entries.
	logLength = 10_000
)

// The fields of an entry in the stream. The mark is different for each record, so that one that was sent twice, because its
// answer got lost, is recognized as being there already, and tells which Log appended it.
const (
	fieldData = "d"
	fieldKey  = "k"
	fieldLast = "l"
	fieldMark = "m"
)

// Log implements turn.Log on Redis Streams: entry n of a turn has the id n-0. Entries of several turns share their
// round trips.
// Readers are served from memory that all readers of the turn in this process share: entries appended here get there
// directly; of those of other processes there is news, and they are fetched for all turns together.
type Log struct {
	store *Store
	// name begins the marks of the entries that were appended here, and count makes each of them another.
	name  string
	count atomic.Uint64
	hub   *hub
	tips  tips
	stop  chan struct{}
	done  sync.WaitGroup
}

var _ turn.Log = (*Log)(nil)

// Log is the logs of turns. It is always the same one, since its readers share what was read.
func (s *Store) Log() *Log { return s.log }

func newLog(s *Store) *Log {
	l := &Log{store: s, name: rand.Text() + ":", hub: newHub(), stop: make(chan struct{})}
	l.done.Go(l.load)
	l.done.Go(l.listen)
	l.done.Go(l.look)
	return l
}

// close ends every Follow and Append and waits for the log's own goroutines.
func (l *Log) close() {
	l.hub.close(unavailable("follow", errClosed))
	close(l.stop)
	l.done.Wait()
}

// Append adds the entry, as Write does.
func (l *Log) Append(ctx context.Context, id meet.TurnID, e turn.Entry) error {
	e.Data = slices.Clone(e.Data)
	return l.Write(ctx, id, turn.Record{Entries: []turn.Entry{e}})
}

// Write stores the record, all of it or nothing. Entries that leave a gap, are there already, or come after the last
// one, and another result of a step, are a fault.Conflict; entries that follow a log which has expired are a
// fault.NotFound. After any other error it is not known whether the record is stored. While Redis is away it waits.
//
// A log is kept for an hour after its first and its last entry, and after each record with steps. The steps are kept until
// the last entry.
func (l *Log) Write(ctx context.Context, turn meet.TurnID, r turn.Record) error {
	if !consecutive(r.Entries) {
		return outOfOrder(turn, r)
	}
	newest := r.Newest()
	if newest.ID != 1 {
		// The first entry does not tell who writes the turn: it comes from whichever process accepts it.
		l.tips.begin(turn)
		l.hub.writes(turn, true)
	}
	if err := l.write(ctx, turn, r, l.mark(r)); err != nil {
		l.tips.forget(turn)
		l.hub.writes(turn, false)
		return err
	}
	l.wrote(turn, r)
	return nil
}

// wrote takes note of a record that this process has stored.
func (l *Log) wrote(turn meet.TurnID, r turn.Record) {
	if len(r.Entries) > 0 {
		l.tips.moved(turn, r.Entries)
		l.hub.publish(turn, r.Entries)
	}
}

// consecutive reports whether each of the entries follows the one before, and only the newest is the last.
func consecutive(entries []turn.Entry) bool {
	for i, e := range entries {
		if e.ID < 1 || e.ID != entries[0].ID+i || e.Last && i < len(entries)-1 {
			return false
		}
	}
	return true
}

// Written is all that the turn's log holds so far, none where there is no log: a process that takes a turn over goes on
// with the id behind the last one.
//
// Nothing keeps a former owner from writing until the new one has: then the entry that the former owner would write
// next is there already, and its Append is a fault.Conflict, as is every later one. An owner that meets a Conflict and
// still has the lease reads again what is written and goes on behind it; one that has lost it stops. So a log is always
// what the first owner wrote, and behind it what the second wrote, never the two mixed.
//
// Whoever asks is taken to be about to write, so that readers in this process do not wait for news from elsewhere.
func (l *Log) Written(ctx context.Context, turn meet.TurnID) (entries []turn.Entry, err error) {
	l.tips.begin(turn)
	l.hub.writes(turn, true)
	err = l.store.do(ctx, "read log", func(ctx context.Context) error {
		messages, err := l.store.client.XRange(ctx, l.store.keys.log(turn), "-", "+").Result()
		if err != nil {
			return err
		}
		entries, err = entriesOf(messages)
		return err
	})
	return entries, err
}

// write stores a record that is only an entry behind what this process wrote without looking: it cannot leave a gap, and
// Redis takes no id that is not above the highest. A server that replaced another may lack the entry before. What Redis
// refused, for lack of the script too, is looked at.
func (l *Log) write(ctx context.Context, turn meet.TurnID, r turn.Record, mark string) error {
	e := r.Newest()
	bare := len(r.Entries) == 1 && e.ID > 1 && !e.Last && len(r.Steps) == 0 && len(r.State) == 0
	follows := bare && !l.store.replaceable && l.tips.is(turn, e.ID-1)
	return l.store.do(ctx, "append", func(ctx context.Context) error {
		if follows {
			err := l.add(ctx, turn, e, mark)
			if _, refused := answerOf(err); !refused {
				return err
			}
		}
		answer, err := l.store.run(ctx, l.writing(ctx, turn, r, mark)).Int()
		if err != nil {
			return err
		}
		return written(answer, turn, r)
	})
}

// add puts an entry at the end of a log that is there.
func (l *Log) add(ctx context.Context, turn meet.TurnID, e turn.Entry, mark string) error {
	_, err := l.store.shared.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.XAdd(ctx, &redis.XAddArgs{
			Stream: l.store.keys.log(turn), ID: streamID(e.ID), NoMkStream: true, MaxLen: logLength, Approx: true,
			Values: []any{fieldData, e.Data, fieldKey, e.Key, fieldLast, flag(e.Last), fieldMark, mark},
		})
		pipe.Publish(ctx, l.store.keys.news(turn), e.ID)
		return nil
	})
	return err
}

// writeScript stores a record whose entries, where there are any, come behind the highest, which is not the last, and
// whose steps have no other result. Behind the last entry nothing is done any more, and the steps go. It answers 1 where
// the record is there now, put by this or an earlier try, 0 where it does not fit, 2 where there is nothing that it could
// follow.
// KEYS are the log, the turn's state and its steps. ARGV are the first entry's id, 0 for none, how many there are, whether
// the newest is the last, the mark of all, the life of the log, the channel of news, the state, its life, data and key of
// each entry, and path and result of each step.
var writeScript = redis.NewScript(`
local id, many = tonumber(ARGV[1]), tonumber(ARGV[2])
if id > 0 then
	local top = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
	local highest = 0
	if top then
		local entry = {}
		for i = 1, #top[2], 2 do entry[top[2][i]] = top[2][i + 1] end
		if entry.m == ARGV[4] then return 1 end
		if entry.l == '1' then return 0 end
		highest = tonumber(string.match(top[1], '^%d+'))
	elseif id ~= 1 then
		return 2
	end
	if highest + 1 ~= id then return 0 end
end
local steps = 9 + 2 * many
for i = steps, #ARGV, 2 do
	local kept = redis.call('HGET', KEYS[3], ARGV[i])
	if kept and kept ~= ARGV[i + 1] then return 0 end
end
if ARGV[3] == '1' then
	redis.call('DEL', KEYS[3])
elseif #ARGV >= steps then
	for i = steps, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
	redis.call('PEXPIRE', KEYS[3], ARGV[5])
end
if ARGV[7] ~= '' then redis.call('SET', KEYS[2], ARGV[7], 'PX', ARGV[8]) end
if id > 0 then
	local newest = id + many - 1
	for n = id, newest do
		local last = n == newest and ARGV[3] or '0'
		local at = 9 + 2 * (n - id)
		redis.call('XADD', KEYS[1], n .. '-0', 'd', ARGV[at], 'k', ARGV[at + 1], 'l', last, 'm', ARGV[4])
	end
	redis.call('PEXPIRE', KEYS[1], ARGV[5])
	if newest > 1 then redis.call('PUBLISH', ARGV[6], newest) end
end
return 1`)

// What writeScript answers beside success.
const (
	writeRefused = 0
	writeUnknown = 2
)

// writing is the call that stores a record.
func (l *Log) writing(ctx context.Context, turn meet.TurnID, r turn.Record, mark string) call {
	k, newest := l.store.keys, r.Newest()
	args := []any{
		newest.ID - max(len(r.Entries)-1, 0), len(r.Entries), flag(newest.Last), mark, logLife.Milliseconds(), k.news(turn), r.State,
		turnLife.Milliseconds(),
	}
	for _, e := range r.Entries {
		args = append(args, e.Data, e.Key)
	}
	for _, step := range r.Steps {
		args = append(args, step.Path, step.Result)
	}
	return call{writeScript, []string{k.log(turn), l.store.own(ctx).state(turn), k.steps(turn)}, args}
}

// written is what an answer of writeScript means.
func written(answer int, turn meet.TurnID, r turn.Record) error {
	switch answer {
	case writeRefused:
		return outOfOrder(turn, r)
	case writeUnknown:
		return unknownTurn()
	default:
		return nil
	}
}

// mark is the record's in the log, by which it is recognized: the same for each try to store it.
func (l *Log) mark(r turn.Record) string {
	return l.name + cmp.Or(r.Name, strconv.FormatUint(l.count.Add(1), 36))
}

// appended reports whether the entry was appended here.
func (l *Log) appended(m redis.XMessage) bool {
	mark, _ := m.Values[fieldMark].(string)
	return strings.HasPrefix(mark, l.name)
}

func outOfOrder(turn meet.TurnID, r turn.Record) error {
	return fault.New(fault.Conflict, "The answer to this message is already being written elsewhere.").
		Because(fmt.Errorf("write: %d entries up to %d, %d steps of turn %s do not fit what is there",
			len(r.Entries), r.Newest().ID, len(r.Steps), turn))
}

// brokenLog is about a log from the middle of which something is missing: Redis has lost what it had confirmed.
func brokenLog(turn meet.TurnID) error {
	return fault.New(fault.Internal, "A part of this answer was lost. Please send your message again.").
		Because(fmt.Errorf("log of turn %s: an entry is missing", turn))
}

func streamID(n int) string { return strconv.Itoa(n) + "-0" }

func flag(last bool) string {
	if last {
		return "1"
	}
	return "0"
}

// entriesOf reads what a stream holds.
func entriesOf(messages []redis.XMessage) ([]turn.Entry, error) {
	entries := make([]turn.Entry, 0, len(messages))
	for _, m := range messages {
		number, _, _ := strings.Cut(m.ID, "-")
		id, err := strconv.Atoi(number)
		data, ok := m.Values[fieldData].(string)
		if err != nil || !ok {
			return nil, fmt.Errorf("entry %q: %w", m.ID, errFormat)
		}
		key, _ := m.Values[fieldKey].(string)
		entries = append(entries, turn.Entry{ID: id, Key: key, Data: []byte(data), Last: m.Values[fieldLast] == "1"})
	}
	return entries, nil
}

// tips remember up to where this process has written each turn, so that the next entry needs no look at the log.
// The zero value is ready for use.
type tips struct {
	mu   sync.Mutex
	tips map[meet.TurnID]tip
}

type tip struct {
	// id is 0 where this process has not written yet.
	id int
	at time.Time
	// ours says that this process runs the turn.
	ours bool
	// opening is the first entry, for as long as this process has written no other, and opened when it was written.
	opening []turn.Entry
	opened  time.Time
}

func (t *tips) is(turn meet.TurnID, id int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tips[turn].id == id
}

// goesOn reports whether this process is the one that writes the turn, as far as it knows. The first entry does not tell:
// it comes from whichever process accepts the turn.
func (t *tips) goesOn(turn meet.TurnID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	tip := t.tips[turn]
	return tip.ours || tip.id > 1
}

// opened is the whole log of a turn that this process has just accepted, as far as it can know; none of any other turn.
func (t *tips) opened(turn meet.TurnID) []turn.Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	tip := t.tips[turn]
	if time.Since(tip.opened) > listenAfter {
		return nil
	}
	return tip.opening
}

// begin says that this process runs the turn from now on.
func (t *tips) begin(turn meet.TurnID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.tips[turn]; !known.ours {
		known.ours = true
		t.put(turn, known)
	}
}

// moved says that this process has written the entries.
func (t *tips) moved(turn meet.TurnID, entries []turn.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	newest := entries[len(entries)-1]
	if newest.Last {
		delete(t.tips, turn)
		return
	}
	known := t.tips[turn]
	known.id, known.opening = newest.ID, nil
	if newest.ID == 1 {
		known.opening, known.opened = entries, time.Now()
	}
	t.put(turn, known)
}

// put replaces what is known of a turn; the caller holds the mutex.
func (t *tips) put(turn meet.TurnID, known tip) {
	if t.tips == nil {
		t.tips = map[meet.TurnID]tip{}
	}
	known.at = time.Now()
	t.tips[turn] = known
}

func (t *tips) forget(turn meet.TurnID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.tips, turn)
}

// prune drops turns whose log has expired without an end.
func (t *tips) prune() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for turn, tip := range t.tips {
		if time.Since(tip.at) > logLife {
			delete(t.tips, turn)
		}
	}
}
