package redisstore

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Turns that no process can take yet wait in a line, which serves one turn of each tenant at a time. Each waiting
// tenant has its own list, and the lists form a ring: one turn is taken from the first list, which then goes to the end
// of the ring if it has more. So the turns of one tenant keep their order, and a tenant with very many delays no other.
//
// The stream has the running turns, and no more waiting ones than the processes can take at once, because turns in it
// go before all that come later. A stream wakes waiting processes and knows which of them took a turn.
//
// Places at processes are shared too, because turns may be slow: a tenant with a name may hold at most placesShare
// times as many places as are free, so that some stay free however many tenants would take all. The last one is for
// tenants that hold none. One tenant alone has seven of eight places, two together have fourteen of fifteen, and so on.

// The stream has at least minReady turns to take while there is a line, or one for each process if there are more
// processes, so that none of them waits; and at most maxReady, because dead processes count for a while too.
const (
	minReady = 4
	maxReady = 32
)

const (
	// placesShare is how many places a tenant may hold for each free one.
	placesShare = 7
	// minPlaces is the number of places from which the last is kept for other tenants.
	minPlaces = 4
)

// maxInLane is how many turns of one conversation may be unfinished. Nobody types that many ahead of the answers, and
// each that waits for its conversation occupies a place at a process.
const maxInLane = 8

// The results of acceptScript.
const (
	queueFull = iota
	accepted
	laneFull
)

// lineFunctions starts the scripts that use the line. Their KEYS start with Queue.lineKeys and their ARGV with
// Queue.lineArgs. A tenant is known by the key of its list. room is the number of turns that may join the stream, may
// whether one of the tenant's may, and serve moves turns from the line to the stream. serve examines at most a hundred
// lists after the last turn that it moved; the next call continues after them.
const lineFunctions = `
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

// acceptScript puts a turn at the end of its conversation's lane, once. The turn joins the stream if a process can take
// it, its tenant may have a place and there is no line; otherwise it joins the line. The result is 0 if the queue is
// full, or if a tenant with a name has as many turns in line as the queue has room for, and 2 if the lane is full.
var acceptScript = redis.NewScript(lineFunctions + `
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

// serveScript moves turns from the line to the stream, as many as there is room for.
var serveScript = redis.NewScript(lineFunctions + `
serve()
return 0`)

// waitingScript returns the number of turns that no process has taken, and how many milliseconds the oldest has waited.
var waitingScript = redis.NewScript(lineFunctions + `
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
	return []any{queueGroup, minReady, maxReady, q.cfg.Places, q.silent(), placesShare, minPlaces}
}

// silent is how many milliseconds after a process was last seen its places stop counting.
func (q *Queue) silent() int64 { return (2 * q.cfg.Lease).Milliseconds() }

// Waiting returns how many turns, of all tenants, no process has taken yet, and how long the oldest has waited.
func (q *Queue) Waiting(ctx context.Context) (n int, oldest time.Duration, err error) {
	waiting, err := q.store.reply(ctx, q.store.once, "waiting",
		call{waitingScript, q.lineKeys(), q.lineArgs()}).Int64Slice()
	if err != nil {
		return 0, 0, err
	}
	return int(waiting[0]), time.Duration(waiting[1]) * time.Millisecond, nil
}
