package redisstore

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Turns that nobody can take yet wait in a line, from which tenants are served in turns: in each round one turn of each
// tenant that waits, however many it has sent. A turn gets its round when it is accepted: the one after its tenant's last,
// and none that is over. So the turns of one tenant stay in their order, and where there is one tenant only they wait as
// if there were no rounds.
//
// The stream has, beside the turns that run, no more than the processes can take at once: what is there goes before
// whoever comes later. Being a stream, it wakes processes that wait and knows who took what.

// fewReady is how many turns stand in the stream to be taken, beside a line. They are one for each process where these are
// more, so that none of them waits while there is a line; and mostReady at most, since processes that have gone are
// counted for a while too.
const (
	fewReady  = 4
	mostReady = 32
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

// lining begins the scripts that know the line. Their KEYS begin with Queue.lineKeys and their ARGV with Queue.lineArgs.
// room is how many turns may join the stream.
const lining = `
local function group()
	local found = {pending = 0, consumers = 0, ['last-delivered-id'] = '0-0'}
	for _, one in ipairs(redis.pcall('XINFO', 'GROUPS', KEYS[1])) do
		local is = {}
		for i = 1, #one, 2 do is[one[i]] = one[i + 1] end
		if is.name == ARGV[1] then found = is end
	end
	return found, redis.call('XLEN', KEYS[1]) - found.pending
end

local function room()
	local processes, ready = group()
	return math.min(math.max(processes.consumers, tonumber(ARGV[2])), tonumber(ARGV[3])) - ready
end

local function now()
	local t = redis.call('TIME')
	return t[1] * 1000 + math.floor(t[2] / 1000)
end
`

// acceptScript puts a turn at the end of its conversation's lane, once, and into the stream where somebody can take it and
// nobody waits; otherwise into the line. It answers 0 where the queue is full, or where a tenant that shares it with
// others has as many turns in line as there are places left, and 2 where the lane is full. What a turn in line is, is kept as the lengths of its tenant
// and its conversation, and then these two and its body.
var acceptScript = redis.NewScript(lining + `
local most, live, turn, talk, body, tenant, lane = unpack(ARGV, 4)
if redis.call('EXISTS', KEYS[7]) == 1 then return 1 end
if redis.call('LLEN', KEYS[6]) >= tonumber(lane) then return 2 end
local inLine = redis.call('ZCARD', KEYS[2])
local free = tonumber(most) - redis.call('XLEN', KEYS[1]) - inLine
if free <= 0 then return 0 end
if inLine == 0 and room() > 0 then
	local job = {'t', turn, 'c', talk, 'j', body, 'n', tenant}
	if redis.call('EXISTS', KEYS[6]) == 0 then
		table.insert(job, 'f')
		table.insert(job, '1')
	end
	redis.call('SET', KEYS[7], live)
	redis.call('XADD', KEYS[1], '*', unpack(job))
else
	local serving = tonumber(redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]) or 1
	local round = math.max(tonumber(redis.call('HGET', KEYS[5], tenant) or 0) + 1, serving)
	if tenant ~= '' and round - serving >= free then return 0 end
	redis.call('SET', KEYS[7], live)
	redis.call('HSET', KEYS[4], turn, #tenant .. ' ' .. #talk .. ' ' .. tenant .. talk .. body)
	redis.call('HSET', KEYS[5], tenant, round)
	redis.call('ZADD', KEYS[3], now(), turn)
	redis.call('ZADD', KEYS[2], round, turn)
end
redis.call('RPUSH', KEYS[6], turn)
return 1`)

// serveScript has turns from the line join the stream, as many as there is room for, and forgets the rounds with the last.
var serveScript = redis.NewScript(lining + `
for _ = 1, room() do
	local turn = redis.call('ZPOPMIN', KEYS[2])[1]
	if not turn then break end
	local since, job = redis.call('ZSCORE', KEYS[3], turn), redis.call('HGET', KEYS[4], turn)
	redis.call('ZREM', KEYS[3], turn)
	redis.call('HDEL', KEYS[4], turn)
	if job then
		local name, talk, rest = string.match(job, '^(%d+) (%d+) (.*)$')
		local named, told = tonumber(name), tonumber(name) + tonumber(talk)
		redis.call('XADD', KEYS[1], '*', 't', turn, 'c', string.sub(rest, named + 1, told), 'j', string.sub(rest, told + 1),
			'n', string.sub(rest, 1, named), 'a', string.format('%.0f', tonumber(since)))
	end
end
if redis.call('ZCARD', KEYS[2]) == 0 then redis.call('DEL', KEYS[5]) end
return 0`)

// waitingScript answers how many turns nobody has taken, and for how many milliseconds the oldest of them has waited.
var waitingScript = redis.NewScript(lining + `
local processes, ready = group()
local oldest = tonumber(redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2])
local entry = ready > 0 and redis.call('XRANGE', KEYS[1], '(' .. processes['last-delivered-id'], '+', 'COUNT', 1)[1]
if entry then
	local since = tonumber(string.match(entry[1], '^%d+'))
	for i = 1, #entry[2], 2 do
		if entry[2][i] == 'a' then since = tonumber(entry[2][i + 1]) end
	end
	oldest = math.min(oldest or since, since)
end
if not oldest then return {0, 0} end
return {math.max(ready, 0) + redis.call('ZCARD', KEYS[2]), math.max(now() - oldest, 0)}`)

func (q *Queue) lineKeys() []string {
	k := q.store.keys
	return []string{k.queue(), k.line(), k.since(), k.jobs(), k.rounds()}
}

func (q *Queue) lineArgs() []any { return []any{queueGroup, fewReady, mostReady} }

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
