package redisstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
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
	// logLength bounds a log against a runaway writer; real turns have some dozens of entries.
	logLength = 10_000
)

// The fields of an entry in the stream. Each record has its own mark: it shows that a record sent again, because the
// reply was lost, is already stored, and which Log appended it.
const (
	fieldData = "d"
	fieldKey  = "k"
	fieldLast = "l"
	fieldMark = "m"
)

// Log implements turn.Log on Redis Streams: entry n of a turn has the id n-0. Entries of several turns share their
// round trips.
//
// A turn's readers in this process share one copy of its log in memory. Entries appended here go there directly; those
// of other processes are announced, and fetched for all turns together.
type Log struct {
	store *Store
	// name starts the marks of entries that were appended here, and count makes each mark unique.
	name  string
	count atomic.Uint64
	hub   *hub
	tips  tips
	done  sync.WaitGroup
}

var _ turn.Log = (*Log)(nil)

// Log returns the logs of turns, always the same one: its readers share what was read.
func (s *Store) Log() *Log { return s.log }

func newLog(s *Store) *Log {
	l := &Log{store: s, name: rand.Text() + ":", hub: newHub()}
	l.done.Go(l.load)
	l.done.Go(l.listen)
	l.done.Go(l.maintain)
	return l
}

// close ends every Follow and waits for the log's goroutines.
func (l *Log) close() {
	l.hub.close(unavailable("follow", errClosed))
	l.done.Wait()
}

// Write stores the record, all of it or nothing. Entries that leave a gap, are stored already or come after the last
// one, and another result of a step, are a fault.Conflict; entries that follow an expired log are a fault.NotFound.
// After any other error it is unknown whether the record is stored. While Redis is away, Write waits.
//
// A log is kept for an hour after its first and its last entry, and after each record with steps. Steps are kept until
// the last entry.
func (l *Log) Write(ctx context.Context, turn meet.TurnID, r turn.Record) error {
	if !consecutive(r.Entries) {
		return outOfOrder(turn, r)
	}
	newest := r.Newest()
	if newest.ID != 1 {
		// The first entry comes from the process that accepts the turn, which may not be the one that runs it.
		l.tips.begin(turn)
		l.hub.setLocal(turn, true)
	}
	if err := l.write(ctx, turn, r, l.mark(r)); err != nil {
		l.tips.forget(turn)
		l.hub.setLocal(turn, false)
		return err
	}
	l.stored(turn, r)
	return nil
}

// stored passes a record that this process has stored to the turn's readers.
func (l *Log) stored(turn meet.TurnID, r turn.Record) {
	if len(r.Entries) > 0 {
		l.tips.advance(turn, r.Entries)
		l.hub.publish(turn, r.Entries)
	}
}

// consecutive reports whether each entry follows the one before, and none but the newest is the last.
func consecutive(entries []turn.Entry) bool {
	for i, e := range entries {
		if e.ID < 1 || e.ID != entries[0].ID+i || e.Last && i < len(entries)-1 {
			return false
		}
	}
	return true
}

// Written returns the entries of the turn's log so far, none if there is no log: a process that takes a turn over
// continues with the next id.
//
// A former owner can write until the new owner has written: then the former owner's next entry is stored already, and
// its Write is a fault.Conflict, as is every later one. An owner that meets a Conflict and still has the lease reads
// the log again and continues after it; one that has lost the lease stops. So a log has the first owner's entries, and
// then the second owner's, never a mix.
//
// The caller is assumed to write next, so that readers in this process do not wait for announcements of other
// processes.
func (l *Log) Written(ctx context.Context, id meet.TurnID) ([]turn.Entry, error) {
	l.tips.begin(id)
	l.hub.setLocal(id, true)
	return ask(ctx, l.store.do, "read log", func(ctx context.Context) ([]turn.Entry, error) {
		messages, err := l.store.client.XRange(ctx, l.store.keys.log(id), "-", "+").Result()
		if err != nil {
			return nil, err
		}
		return entriesOf(messages)
	})
}

// Steps returns the results of the turn's finished steps, by their paths, so that a process that takes the turn over
// continues after them. They are kept as long as the turn's log. It is empty for a turn that has none, or has ended.
func (l *Log) Steps(ctx context.Context, turn meet.TurnID) (map[string][]byte, error) {
	stored, err := ask(ctx, l.store.do, "steps", func(ctx context.Context) (map[string]string, error) {
		return l.store.client.HGetAll(ctx, l.store.keys.steps(turn)).Result()
	})
	results := make(map[string][]byte, len(stored))
	for path, result := range stored {
		results[path] = []byte(result)
	}
	return results, err
}

// write stores a record. A single entry after one that this process wrote needs no check: it leaves no gap, and Redis
// refuses an id that is not above the highest. But a server that replaced another may lack the entry before. If Redis
// refuses the entry, the script decides.
func (l *Log) write(ctx context.Context, turn meet.TurnID, r turn.Record, mark string) error {
	e := r.Newest()
	bare := len(r.Entries) == 1 && e.ID > 1 && !e.Last && len(r.Steps) == 0 && len(r.State) == 0
	follows := bare && !l.store.replaceable && l.tips.at(turn, e.ID-1)
	return l.store.do(ctx, "append", func(ctx context.Context) error {
		if follows {
			err := l.add(ctx, turn, e, mark)
			if _, refused := errorReply(err); !refused {
				return err
			}
		}
		answer, err := l.store.run(ctx, l.writeCall(ctx, turn, r, mark)).Int()
		switch {
		case err != nil:
			return err
		case answer == writeRefused:
			return outOfOrder(turn, r)
		case answer == writeUnknown:
			return unknownTurn()
		default:
			return nil
		}
	})
}

// add appends an entry to an existing log.
func (l *Log) add(ctx context.Context, turn meet.TurnID, e turn.Entry, mark string) error {
	_, err := l.store.shared.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.XAdd(ctx, &redis.XAddArgs{
			Stream: l.store.keys.log(turn), ID: streamID(e.ID), NoMkStream: true, MaxLen: logLength, Approx: true,
			Values: []any{fieldData, e.Data, fieldKey, e.Key, fieldLast, e.Last, fieldMark, mark},
		})
		pipe.Publish(ctx, l.store.keys.news(turn), e.ID)
		return nil
	})
	return err
}

// writeScript stores a record if its entries, if any, follow the newest entry, which is not the last, and its steps
// have no other result. The last entry removes the steps. It returns 1 if the record is stored, by this or an earlier
// try, 0 if it does not fit, 2 if the log that it should follow does not exist.
//
// KEYS are the log, the turn's state and its steps. ARGV are the first entry's id (0 without entries), the number of
// entries, whether the newest is the last, the record's mark, the life of the log, the news channel, the state, its
// life, data and key of each entry, and path and result of each step.
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

// The results of writeScript other than success.
const (
	writeRefused = 0
	writeUnknown = 2
)

// writeCall is the call of writeScript that stores the record.
func (l *Log) writeCall(ctx context.Context, turn meet.TurnID, r turn.Record, mark string) call {
	k, newest := l.store.keys, r.Newest()
	args := []any{
		newest.ID - max(len(r.Entries)-1, 0), len(r.Entries), newest.Last, mark,
		logLife.Milliseconds(), k.news(turn), r.State, turnLife.Milliseconds(),
	}
	for _, e := range r.Entries {
		args = append(args, e.Data, e.Key)
	}
	for _, step := range r.Steps {
		args = append(args, step.Path, step.Result)
	}
	return call{writeScript, []string{k.log(turn), l.store.own(ctx).state(turn), k.steps(turn)}, args}
}

// mark returns a new mark for the record. Each try to store it uses the same one.
func (l *Log) mark(r turn.Record) string {
	return l.name + cmp.Or(r.Name, strconv.FormatUint(l.count.Add(1), 36))
}

// appended reports whether this Log appended the entry.
func (l *Log) appended(m redis.XMessage) bool {
	mark, _ := m.Values[fieldMark].(string)
	return strings.HasPrefix(mark, l.name)
}

func outOfOrder(turn meet.TurnID, r turn.Record) error {
	return fault.New(fault.Conflict, "The answer to this message is already being written elsewhere.").
		Because(fmt.Errorf("write: %d entries up to %d, %d steps of turn %s do not fit the log",
			len(r.Entries), r.Newest().ID, len(r.Steps), turn))
}

// brokenLog reports a gap in a log: Redis has lost an entry that it had confirmed.
func brokenLog(turn meet.TurnID) error {
	return fault.New(fault.Internal, "A part of this answer was lost. Please send your message again.").
		Because(fmt.Errorf("log of turn %s: an entry is missing", turn))
}

func streamID(n int) string { return strconv.Itoa(n) + "-0" }

// entriesOf parses the messages of a stream.
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

// tips has the newest entry that this process has written of each turn, so that the next one needs no check of the log.
// The zero value is ready for use.
type tips struct {
	mu   sync.Mutex
	tips map[meet.TurnID]tip
}

type tip struct {
	// id is that of the newest entry, 0 before this process has written one.
	id      int
	changed time.Time
	// ours says that this process runs the turn.
	ours bool
	// opening is the first entry until this process has written another, and opened the time of that entry.
	opening []turn.Entry
	opened  time.Time
}

// at reports whether this process wrote the entry with this id, and none after it.
func (t *tips) at(turn meet.TurnID, id int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tips[turn].id == id
}

// local reports whether this process writes the turn, as far as it knows. The first entry does not count: it comes from
// the process that accepts the turn.
func (t *tips) local(turn meet.TurnID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	tip := t.tips[turn]
	return tip.ours || tip.id > 1
}

// opened returns the log of a turn that this process has just accepted, nil for any other turn. Another process may
// have added to it since.
func (t *tips) opened(turn meet.TurnID) []turn.Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	tip := t.tips[turn]
	if time.Since(tip.opened) > listenAfter {
		return nil
	}
	return tip.opening
}

// begin notes that this process runs the turn from now on.
func (t *tips) begin(turn meet.TurnID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.tips[turn]; !known.ours {
		known.ours = true
		t.put(turn, known)
	}
}

// advance notes that this process has written the entries.
func (t *tips) advance(turn meet.TurnID, entries []turn.Entry) {
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

// put replaces a turn's tip; the caller holds the mutex.
func (t *tips) put(turn meet.TurnID, known tip) {
	if t.tips == nil {
		t.tips = map[meet.TurnID]tip{}
	}
	known.changed = time.Now()
	t.tips[turn] = known
}

func (t *tips) forget(turn meet.TurnID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.tips, turn)
}

// prune drops turns whose logs have expired without a last entry.
func (t *tips) prune() {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.tips, func(_ meet.TurnID, known tip) bool { return time.Since(known.changed) > logLife })
}
