package redisstore

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Turns that nobody can take yet wait in a line, from which tenants are served in turns. Each tenant that waits has a list
// of its own, and the lists stand in a ring: one turn is taken from the first, which goes to the end of the ring where it
// has more. So the turns of one tenant stay in their order, and a tenant with very many holds up nobody.
//
// The stream has, beside the turns that run, no more than the processes can take at once: what is there goes before
// whoever comes later. Being a stream, it wakes processes that wait and knows who took what.
//
// Places at processes are shared too, since turns may be slow: a tenant with a name may hold no more of them than
// placesShare times as many as are free, so that some are free for others, however many tenants there are that would take
// all. The last one is for tenants that hold none. One tenant alone has seven places of eight, two have fourteen of
// fifteen together, and so on.

// fewReady is how many turns stand in the stream to be taken, beside a line. They are one for each process where these are
// more, so that none of them waits while there is a line; and mostReady at most, since processes that have gone are
// counted for a while too.
const (
	fewReady  = 4
	mostReady = 32
)

// placesShare is how many places a tenant may hold for each that is free, and fewPlaces how many there are at least for
// the last to be kept for others.
const (
	placesShare = 7
	fewPlaces   = 4
)

// mostInLane is how many turns of one conversation may be accepted and not have ended. Nobody types that many ahead of the
// answers, and each that waits for its conversation has a place at a process all the while.
const mostInLane = 8

// What acceptScript answers.
const (
	queueFull = iota
	accepted
	laneFull
)

// lining begins the scripts that know the line. Their KEYS begin with Queue.lineKeys and their ARGV with Queue.lineArgs. A
// tenant goes by the key of its list. room is how many turns may join the stream, may whether one of a tenant's may, and
// serve has turns from the line do so; where very many tenants have their share, the next call goes on behind those that
// this one has looked at.
const lining = `
local queue, ring, since, held, everybodys, seen = unpack(KEYS, 1, 6)
local name, few, most, ours, silent, share, least = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]),
	tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])

local function fields(one)
	local is = {}
	for i = 1, #one, 2 do is[one[i]] = one[i + 1] end
	return is
end

local function group()
	local found = {pending = 0, consumers = 0, ['last-delivered-id'] = '0-0'}
	for _, one in ipairs(redis.pcall('XINFO', 'GROUPS', queue)) do
		local is = fields(one)
		if is.name == name then found = is end
	end
	return found, redis.call('XLEN', queue) - found.pending
end

local function room()
	local processes, ready = group()
	return math.min(math.max(processes.consumers, few), most) - ready
end

local function now()
	local t = redis.call('TIME')
	return t[1] * 1000 + math.floor(t[2] / 1000)
end

local all
local function places()
	if not all then
		all = 0
		for _, process in ipairs(redis.call('ZRANGEBYSCORE', seen, now() - silent, '+inf')) do
			all = all + tonumber(string.match(process, '%d+$'))
		end
		all = math.max(all, ours)
	end
	return all
end

local function may(list)
	local mine = tonumber(redis.call('HGET', held, list) or 0)
	if list == everybodys or mine == 0 then return true end
	local free = places() - redis.call('XLEN', queue)
	return mine < share * free and (free > 1 or places() < least)
end

local function join(list, job)
	redis.call('XADD', queue, '*', unpack(job))
	redis.call('HINCRBY', held, list, 1)
end

local function serve()
	local function waiting() return math.min(redis.call('LLEN', ring), 100) end
	local free, left = room(), waiting()
	while free > 0 and left > 0 do
		local list = redis.call('LPOP', ring)
		left = left - 1
		if may(list) then
			local job = cjson.decode(redis.call('LPOP', list))
			redis.call('ZREM', since, job[2])
			join(list, job)
			free, left = free - 1, waiting()
		end
		if redis.call('EXISTS', list) == 1 then redis.call('RPUSH', ring, list) end
	end
end
`

// acceptScript puts a turn at the end of its conversation's lane, once, and into the stream where somebody can take it,
// its tenant may have a place, and nobody waits; otherwise into the line. It answers 0 where the queue is full, or where a
// tenant that shares it with others has as many turns in line as there are places left, and 2 where the lane is full.
var acceptScript = redis.NewScript(lining + `
local lane, mark, list = unpack(KEYS, 7)
local most, live, turn, talk, body, tenant, longest = unpack(ARGV, 8)
if redis.call('EXISTS', mark) == 1 then return 1 end
local before = redis.call('LLEN', lane)
if before >= tonumber(longest) then return 2 end
local free = tonumber(most) - redis.call('XLEN', queue) - redis.call('ZCARD', since)
if free <= 0 then return 0 end
local job = {'t', turn, 'c', talk, 'j', body, 'n', tenant}
if before == 0 then
	table.insert(job, 'f')
	table.insert(job, '1')
end
if redis.call('EXISTS', ring) == 0 and room() > 0 and may(list) then
	redis.call('SET', mark, live)
	join(list, job)
else
	if tenant ~= '' and redis.call('LLEN', list) >= free then return 0 end
	local time = string.format('%.0f', now())
	table.insert(job, 'a')
	table.insert(job, time)
	redis.call('SET', mark, live)
	redis.call('ZADD', since, time, turn)
	if redis.call('RPUSH', list, cjson.encode(job)) == 1 then redis.call('RPUSH', ring, list) end
	serve()
end
redis.call('RPUSH', lane, turn)
return 1`)

// serveScript has turns from the line join the stream, as many as there is room for.
var serveScript = redis.NewScript(lining + `
serve()
return 0`)

// waitingScript answers how many turns nobody has taken, and for how many milliseconds the oldest of them has waited.
var waitingScript = redis.NewScript(lining + `
local processes, ready = group()
local oldest = tonumber(redis.call('ZRANGE', since, 0, 0, 'WITHSCORES')[2])
local entry = ready > 0 and redis.call('XRANGE', queue, '(' .. processes['last-delivered-id'], '+', 'COUNT', 1)[1]
if entry then
	local from = tonumber(fields(entry[2]).a or string.match(entry[1], '^%d+'))
	oldest = math.min(oldest or from, from)
end
if not oldest then return {0, 0} end
return {math.max(ready, 0) + redis.call('ZCARD', since), math.max(now() - oldest, 0)}`)

func (q *Queue) lineKeys() []string {
	k := q.store.keys
	return []string{k.queue(), k.ring(), k.since(), k.held(), k.of("").waiting(), k.seen()}
}

func (q *Queue) lineArgs() []any {
	return []any{queueGroup, fewReady, mostReady, q.cfg.Places, q.silent(), placesShare, fewPlaces}
}

// silent is after how many milliseconds without a word from a process its places do not count.
func (q *Queue) silent() int64 { return (2 * q.cfg.Lease).Milliseconds() }

// Waiting is how many turns no process has taken yet, of all tenants, and for how long the oldest of them has been
// waiting.
func (q *Queue) Waiting(ctx context.Context) (n int, oldest time.Duration, err error) {
	err = q.store.once(ctx, "waiting", func(ctx context.Context) error {
		answer, err := waitingScript.Run(ctx, q.store.client, q.lineKeys(), q.lineArgs()...).Int64Slice()
		if err == nil {
			n, oldest = int(answer[0]), time.Duration(answer[1])*time.Millisecond
		}
		return err
	})
	return n, oldest, err
}
