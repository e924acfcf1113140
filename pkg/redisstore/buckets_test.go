package redisstore

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"convene/pkg/auth"
	"convene/pkg/fault"
)

func TestBuckets(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s, other := t.open(Config{}).Buckets(), t.open(Config{}).Buckets()
		// Slow enough for nothing to grow back while the test runs.
		mine := auth.Bucket{Policy: "key", Holder: "k1", Rate: auth.Rate{Requests: 3, Window: time.Hour}}
		shared := auth.Bucket{Policy: "address", Holder: "::1/64", Rate: auth.Rate{Requests: 5, Window: time.Hour}}
		take := func(b Buckets, buckets ...auth.Bucket) []auth.Level { return must(b.Take(t.Context(), buckets))(t) }
		for i, from := range []Buckets{s, other, s} {
			got := take(from, mine, shared)
			if got[0].Left != 2-i || got[1].Left != 4-i || got[0].Next != 0 || got[1].Next != 0 {
				t.Errorf("request %d: %+v", i+1, got)
			}
		}
		for range 2 {
			got := take(s, mine, shared)
			if got[0].Left != 0 || got[0].Next <= 19*time.Minute || got[0].Next > 20*time.Minute ||
				got[1].Left != 2 || got[1].Next != 0 {
				t.Errorf("one too many: %+v, want the next in 20 minutes, and nothing taken from the other bucket", got)
			}
		}
		if got := take(s, shared); got[0].Left != 1 || got[0].Full <= 47*time.Minute || got[0].Full > 48*time.Minute {
			t.Errorf("the other alone: %+v", got)
		}
		another := auth.Bucket{Policy: "key", Holder: "k2", Rate: mine.Rate}
		if got := take(s, another); got[0].Left != 2 {
			t.Errorf("another holder's level = %+v", got)
		}
		if got := take(s); got != nil {
			t.Errorf("no limit: %+v", got)
		}
	})
}

// A bucket refills evenly, by Redis's clock, and a full bucket has no key.
func TestBucketsFillAgain(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		const full, window, grows = 500, 100 * time.Second, 200 * time.Millisecond
		bucket := auth.Bucket{Policy: "key", Holder: "k", Rate: auth.Rate{Requests: full, Window: window}}
		take := func() auth.Level { return must(s.Buckets().Take(t.Context(), []auth.Bucket{bucket}))(t)[0] }
		clock := func() time.Time {
			return must(s.client.Time(t.Context()).Result())(t)
		}
		began := clock()
		passed := 1
		take()
		begun := clock()
		for again := 0; again < 3; { // until it was empty, and something grew back, three times
			refused := false
			for take().Next > 0 {
				refused = true
			}
			if passed++; refused {
				again++
			}
		}
		before := clock()
		for take().Next == 0 {
			passed++
			before = clock()
		}
		least, most := full+int(before.Sub(begun)/grows)-1, full+int(clock().Sub(began)/grows)
		if passed < least || passed > most {
			t.Errorf("%d requests passed, want %d at once and what grew back: %d to %d", passed, full, least, most)
		}
		left := must(s.client.PTTL(t.Context(), s.keys.bucket("key", "k")).Result())(t)
		if left <= 0 || left > window+time.Second {
			t.Errorf("the bucket is kept for %v", left)
		}
	})
}

// Each of many requests at the same time counts once.
func TestBucketsCountAtOnce(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{}).Buckets()
		bucket := auth.Bucket{Policy: "token", Holder: "t", Rate: auth.Rate{Requests: 40, Window: time.Hour}}
		var passed atomic.Int32
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if levels, err := s.Take(t.Context(), []auth.Bucket{bucket}); err == nil && levels[0].Next == 0 {
					passed.Add(1)
				}
			})
		}
		all.Wait()
		if got := passed.Load(); got != 40 {
			t.Errorf("%d passed, want 40", got)
		}
	})
}

func TestBucketsWithoutRedis(t *testing.T) {
	t.Parallel()
	s := openStore(t, Config{CommandTimeout: 50 * time.Millisecond})
	s.embedded.close()
	bucket := auth.Bucket{Policy: "key", Holder: "k", Rate: auth.Rate{Requests: 1, Window: time.Hour}}
	if _, err := s.Buckets().Take(t.Context(), []auth.Bucket{bucket}); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("Take = %v", err)
	}
}
