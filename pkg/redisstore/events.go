package redisstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Events is the built-in calendar: each person's confirmed events, kept until 90 days after they ended. All people's
// copies of an event are written at once, or none.
type Events struct {
	store *Store
	// claim fences writes; the zero claim does not.
	claim booking.Claim
}

// Events returns the built-in calendar.
func (s *Store) Events() Events { return Events{store: s} }

// Under returns the built-in calendar for the holder of a claim on an event. Once a later claim on the event has
// written, every write of an earlier one is a fault.Conflict: its process may have stood still while others continued
// its work.
func (e Events) Under(c booking.Claim) booking.Pages { return Events{e.store, c} }

// fenced starts a script that writes under a claim. The first of KEYS is the event's fence. The last two of ARGV are
// the claim's term, 0 without a claim, and the life of the fence. If a later claim has written, the script returns 3
// and writes nothing.
const fenced = `
local fence, term = table.remove(KEYS, 1), tonumber(ARGV[#ARGV - 1])
if term > 0 then
	if tonumber(redis.call('GET', fence) or '0') > term then return 3 end
	redis.call('SET', fence, term, 'PX', ARGV[#ARGV])
end
`

// fenceLife is longer than any process stands still and then continues.
const fenceLife = 24 * time.Hour

// bookScript writes one event into every calendar in KEYS, each a hash from uid to "sequence busyFrom busyUntil json",
// in milliseconds. After the arguments for all, ARGV has busyFrom, busyUntil and value for each calendar, in the order
// of KEYS, because busy times differ between people. It writes nothing and returns 1 if a calendar has a newer
// revision, 2 if the event must be alone in its time and is not. It also removes events that ended long ago.
var bookScript = redis.NewScript(fenced + `
local uid, sequence, life = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest, alone = tonumber(ARGV[4]), ARGV[5] == 'alone'
local stale = {}
for i, key in ipairs(KEYS) do
	stale[i] = {}
	local from, till = tonumber(ARGV[3 + 3 * i]), tonumber(ARGV[4 + 3 * i])
	local stored = redis.call('HGETALL', key)
	for j = 1, #stored, 2 do
		local s, f, t = string.match(stored[j + 1], '^(%-?%d+) (%-?%d+) (%-?%d+) ')
		s, f, t = tonumber(s), tonumber(f), tonumber(t)
		if stored[j] == uid then
			if s > sequence then return 1 end
		elseif alone and f < till and from < t then
			return 2
		elseif t < oldest then
			table.insert(stale[i], stored[j])
		end
	end
end
for i, key in ipairs(KEYS) do
	for _, old in ipairs(stale[i]) do redis.call('HDEL', key, old) end
	redis.call('HSET', key, uid, ARGV[5 + 3 * i])
	if redis.call('PTTL', key) < life then redis.call('PEXPIRE', key, life) end
end
return 0`)

// removeScript removes one event from every calendar in KEYS.
var removeScript = redis.NewScript(fenced + `
for _, key in ipairs(KEYS) do redis.call('HDEL', key, ARGV[1]) end
return 0`)

// The results of the scripts that have written nothing.
const (
	bookNewer  = 1
	bookTaken  = 2
	bookFenced = 3
)

// PutAll writes a copy for each of the people, or for none, whatever else is in their calendars. A revision with a
// lower SEQUENCE than a stored one of the same UID is a fault.Conflict.
func (e Events) PutAll(ctx context.Context, people []meet.PersonID, event meet.StoredEvent) error {
	return e.write(ctx, people, event, "beside others")
}

// Book is PutAll if everyone is free: if another event, travel included, takes some of the time, it writes nothing and
// is a fault.SlotGone. Checking and writing are one step, so that no two bookings overlap, even if a hold has expired.
func (e Events) Book(ctx context.Context, people []meet.PersonID, event meet.StoredEvent) error {
	return e.write(ctx, people, event, "alone")
}

func (e Events) write(ctx context.Context, people []meet.PersonID, event meet.StoredEvent, company string) error {
	if event.UID == "" {
		return fault.Invalid("uid", "An event needs a UID to be stored.")
	}
	if event.Span().Empty() {
		return fault.Invalid("end", "An event must end after it starts.")
	}
	people = e.keepers(ctx, people)
	if len(people) == 0 {
		return nil
	}
	now := e.store.config.Now()
	args := []any{
		event.UID, event.Sequence, (settledLife + max(0, event.Busy().End.Sub(now))).Milliseconds(),
		now.Add(-settledLife).UnixMilli(), company,
	}
	for _, person := range people {
		own := event.For(person)
		body, err := encode(own)
		if err != nil {
			return fmt.Errorf("write event: %w", err)
		}
		from, until := own.Busy().Start.UnixMilli(), own.Busy().End.UnixMilli()
		args = append(args, from, until, fmt.Sprintf("%d %d %d %s", own.Sequence, from, until, body))
	}
	return e.store.do(ctx, "write event", e.run(bookScript, people, event.UID, args))
}

// keepers returns the people with an id, without duplicates, in the order of their keys.
func (e Events) keepers(ctx context.Context, people []meet.PersonID) []meet.PersonID {
	own := e.store.own(ctx)
	known := slices.DeleteFunc(slices.Clone(people), func(p meet.PersonID) bool { return p == "" })
	slices.SortFunc(known, func(a, b meet.PersonID) int {
		return strings.Compare(own.calendar(a), own.calendar(b))
	})
	return slices.Compact(known)
}

// Remove removes the people's copies with that UID, all or, if Redis fails, none. People may have no copy.
func (e Events) Remove(ctx context.Context, people []meet.PersonID, uid string) error {
	return e.store.do(ctx, "remove event", e.run(removeScript, people, uid, []any{uid}))
}

// run runs a script that starts with fenced, and turns its result into an error.
func (e Events) run(script *redis.Script, people []meet.PersonID, uid string, args []any) func(context.Context) error {
	args = append(args, e.claim.Term, fenceLife.Milliseconds())
	return func(ctx context.Context) error {
		own := e.store.own(ctx)
		keys := append([]string{own.fence(uid)}, own.calendars(people)...)
		answer, err := script.Run(ctx, e.store.client, keys, args...).Int()
		switch {
		case err != nil:
			return err
		case answer == bookNewer:
			return fault.New(fault.Conflict, "This event has been changed in the meantime.")
		case answer == bookTaken:
			return fault.New(fault.SlotGone, "That time has just been taken.")
		case answer == bookFenced:
			return fault.New(fault.Conflict, "This event is being booked or cancelled elsewhere.")
		}
		return nil
	}
}

// Between returns the person's events that take any time of span, travel included, earliest first. An event that cannot
// be decoded is an error, never free time.
func (e Events) Between(ctx context.Context, person meet.PersonID, span interval.Span) ([]meet.StoredEvent, error) {
	stored, err := ask(ctx, e.store.do, "events", func(ctx context.Context) (map[string]string, error) {
		return e.store.hash(ctx, e.store.own(ctx).calendar(person))
	})
	if err != nil {
		return nil, err
	}
	var found []meet.StoredEvent
	for uid, raw := range stored {
		event, err := decodeStored(raw)
		if err != nil {
			return nil, fmt.Errorf("event %s: %w", uid, err)
		}
		if event.Busy().Overlaps(span) {
			found = append(found, event)
		}
	}
	slices.SortFunc(found, func(a, b meet.StoredEvent) int {
		return cmp.Or(a.Start.Compare(b.Start), strings.Compare(a.UID, b.UID))
	})
	return found, nil
}

// decodeStored decodes the event after the three numbers for the script.
func decodeStored(raw string) (meet.StoredEvent, error) {
	fields := strings.SplitN(raw, " ", 4)
	if len(fields) != 4 {
		return meet.StoredEvent{}, errFormat
	}
	return decode[meet.StoredEvent](fields[3])
}
