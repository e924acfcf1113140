package redisstore

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/auth"
)

// Buckets counts requests against limits, over all processes.
type Buckets struct{ store *Store }

// Buckets returns the counts of requests.
func (s *Store) Buckets() Buckets { return Buckets{s} }

// takeScript counts one request in every bucket or, if one is empty, in none. A bucket is the time, in microseconds of
// Redis's clock, at which it is full again. Each request puts that off by its share of the window, and is refused if
// the bucket would then be full later than a window from now. For each bucket it returns the microseconds until it is
// full, and until it allows a request.
var takeScript = redis.NewScript(`
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local full, answer, refused = {}, {}, false
for i, key in ipairs(KEYS) do
	local requests, window = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
	local before = math.max(tonumber(redis.call('GET', key) or '0'), now)
	full[i] = before + window / requests
	local wait = full[i] - window - now
	if wait > 0 then
		refused = true
		full[i] = before
	else
		wait = 0
	end
	answer[2 * i - 1], answer[2 * i] = math.ceil(full[i] - now), math.ceil(wait)
end
for i, key in ipairs(KEYS) do
	local requests, window = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
	if not refused then
		redis.call('SET', key, string.format('%.0f', full[i]), 'PX', math.ceil((full[i] - now) / 1000) + 1)
	elseif answer[2 * i] == 0 then
		answer[2 * i - 1] = math.max(0, math.ceil(answer[2 * i - 1] - window / requests))
	end
end
return answer`)

// Take counts a request in all the buckets, or in none if one is empty. It does not wait for a Redis that is away.
func (b Buckets) Take(ctx context.Context, buckets []auth.Bucket) (levels []auth.Level, err error) {
	if len(buckets) == 0 {
		return nil, nil
	}
	var names []string
	var args []any
	for _, bucket := range buckets {
		names = append(names, b.store.keys.bucket(bucket.Policy, bucket.Holder))
		args = append(args, bucket.Rate.Requests, bucket.Rate.Window.Microseconds())
	}
	answer, err := b.store.reply(ctx, b.store.once, "count request", call{takeScript, names, args}).Int64Slice()
	if err != nil {
		return nil, err
	}
	if len(answer) != 2*len(buckets) {
		return nil, fmt.Errorf("count request: %d numbers for %d buckets: %w", len(answer), len(buckets), errFormat)
	}
	for i, bucket := range buckets {
		full := time.Duration(answer[2*i]) * time.Microsecond
		share := bucket.Rate.Window / time.Duration(bucket.Rate.Requests)
		levels = append(levels, auth.Level{
			Left: max(0, int((bucket.Rate.Window-full)/max(share, 1))), Full: full,
			Next: time.Duration(answer[2*i+1]) * time.Microsecond,
		})
	}
	return levels, nil
}
