package redisstore

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/turn"
)

func TestASilentOwnerLosesItsTurn(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		former, next := s.Queue(QueueConfig{Lease: patient}), t.open(Config{}).Queue(QueueConfig{Lease: brief})
		ctx := t.Context()
		accepted := turnOf("t", "c")
		accept(t, former, accepted, turnOf("behind", "c"))
		old := take(t, former)
		behind := take(t, former)
		check(t, former.Finish(ctx, behind))
		check(t, s.Log().Write(ctx, "t", steps("classify", "1")))
		begin := time.Now()
		wantLease(t, former, old, turn.Held)
		job := take(t, next)
		if took := time.Since(begin); took < brief-5*time.Millisecond {
			t.Errorf("taken over after %v, want %v", took, brief)
		}
		if diff := cmp.Diff(accepted, job.Turn); diff != "" || job.Attempt != 2 || !job.AcceptedAt.Equal(old.AcceptedAt) {
			t.Errorf("attempt %d, accepted at %v: (-want +got)\n%s", job.Attempt, job.AcceptedAt, diff)
		}

		wantLease(t, former, old, turn.Lost)
		if err := former.Finish(ctx, old); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Finish by the former owner = %v, want a fault.Conflict", err)
		}
		check(t, former.Release(ctx, old))
		wantLease(t, next, job, turn.Held)
		if !must(next.First(ctx, job))(t) {
			t.Error("the turn has lost its place in the lane")
		}
		if got := must(s.Log().Steps(ctx, "t"))(t); string(got["classify"]) != "1" {
			t.Errorf("steps = %q, want the former owner's", got)
		}
		check(t, next.Finish(ctx, job))
		// Now that it has ended there is nothing to be wrong about.
		check(t, former.Finish(ctx, old))
		wantLease(t, former, old, turn.Lost)
	})
}

// A process takes over a turn from itself: the two attempts differ.
func TestTheSameProcessTakesOver(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q := t.open(Config{}).Queue(QueueConfig{Lease: brief})
		accept(t, q, turnOf("t", "c"))
		old := take(t, q)
		job := take(t, q)
		wantLease(t, q, old, turn.Lost)
		if err := q.Finish(t.Context(), old); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Finish of an earlier attempt = %v, want a fault.Conflict", err)
		}
		if job.Attempt != 2 {
			t.Errorf("attempt = %d, want 2", job.Attempt)
		}
	})
}

// No process takes a turn over that was renewed within its Lease.
func TestRenewKeepsATurn(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		owner := s.Queue(QueueConfig{Lease: patient})
		accept(t, owner, turnOf("t", "c"))
		job := take(t, owner)
		idle := func() time.Duration {
			return must(s.client.XPendingExt(t.Context(), &redis.XPendingExtArgs{
				Stream: s.keys.queue(), Group: queueGroup, Start: "-", End: "+", Count: 1,
			}).Result())(t)[0].Idle
		}
		until(t, "the lease has run for a while", func() bool { return idle() > 50*time.Millisecond })
		for range 3 {
			before := time.Now()
			wantLease(t, owner, job, turn.Held)
			if got, most := idle(), time.Since(before)+time.Millisecond; got > most {
				t.Errorf("behind a renewal the lease has run for %v, want at most %v", got, most)
			}
		}
		wantNothing(t, t.open(Config{}).Queue(QueueConfig{Lease: patient}))
	})
}

func TestALapsedLeaseIsRenewedBeforeATakeover(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		q := s.Queue(QueueConfig{Lease: 10 * time.Millisecond})
		accept(t, q, turnOf("t", "c"))
		job := take(t, q)
		until(t, "the lease has lapsed", func() bool {
			idle := must(s.client.Do(t.Context(), "XPENDING", s.keys.queue(), queueGroup, "IDLE", 20, "-", "+", 1).Slice())(t)
			return len(idle) == 1
		})
		wantLease(t, q, job, turn.Held)
	})
}

func TestReleaseHandsATurnOverAtOnce(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		one, other := t.open(Config{}).Queue(QueueConfig{Lease: patient}), t.open(Config{}).Queue(QueueConfig{Lease: patient})
		accept(t, one, turnOf("t", "c"))
		old := take(t, one)
		check(t, one.Release(t.Context(), old))
		wantLease(t, one, old, turn.Lost)
		job := take(t, other)
		if job.Turn.ID != "t" || job.Attempt != 2 {
			t.Errorf("got attempt %d of %q, want 2 of t", job.Attempt, job.Turn.ID)
		}
		wantLease(t, other, job, turn.Held)
	})
}

func TestTakeEndsWithItsContext(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q := t.open(Config{}).Queue(QueueConfig{Lease: patient})
		for range 3 {
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				_, err := q.Take(ctx)
				ended <- err
			}()
			until(t, "Take is reading", func() bool { return len(q.taking) == 1 })
			cancel()
			begin := time.Now()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("Take = %v, want context.Canceled", err)
			}
			if took := time.Since(begin); took > q.block()/2 {
				t.Errorf("Take ended %v after its context", took)
			}
		}
		// The read that is still under way takes this turn without a caller, and hands it back.
		accept(t, q, turnOf("t", "c"))
		if job := take(t, q); job.Attempt != 1 {
			t.Errorf("attempt = %d, want 1: it has not run", job.Attempt)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := q.Take(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Take = %v, want context.Canceled", err)
		}
	})
}

func TestCloseEndsTake(t *testing.T) {
	t.Parallel()
	s := must(Open(t.Context(), Config{}))(t)
	q := s.Queue(QueueConfig{})
	ended := make(chan error)
	go func() {
		_, err := q.Take(t.Context())
		ended <- err
	}()
	until(t, "Take is reading", func() bool { return len(q.taking) == 1 })
	check(t, s.Close())
	if err := <-ended; fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("Take of a closed store = %v, want a fault.Unavailable", err)
	}
	for _, q := range []*Queue{q, s.Queue(QueueConfig{})} {
		if _, err := q.Take(t.Context()); fault.CodeOf(err) != fault.Unavailable {
			t.Errorf("Take after Close = %v, want a fault.Unavailable", err)
		}
	}
}

func TestQueueSurvivesAFlush(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		s := t.open(Config{})
		q, ctx := s.Queue(QueueConfig{}), t.Context()
		accept(t, q, turnOf("t1", "c"))
		lost := take(t, q)
		check(t, s.client.FlushAll(ctx).Err())
		wantLease(t, q, lost, turn.Lost)
		check(t, q.Release(ctx, lost))
		check(t, q.Finish(ctx, lost))
		accept(t, q, turnOf("t2", "c"))
		if job := take(t, q); job.Turn.ID != "t2" || !must(q.First(ctx, job))(t) {
			t.Errorf("got %q, want t2, which is first", job.Turn.ID)
		}
	})
}

func TestTakeSurvivesABrokenNetwork(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		const lease = 200 * time.Millisecond
		owner := t.open(Config{}).Queue(QueueConfig{Lease: lease})
		network, address := startProxy(t, owner.store.config.URL)
		q := openStore(t, Config{URL: address, Prefix: owner.store.config.Prefix}).Queue(QueueConfig{Lease: lease})
		accept(t, owner, turnOf("old", "c"))
		take(t, owner)
		network.off()
		got := make(chan turn.Job)
		go func() {
			job, _ := q.Take(t.Context())
			got <- job
		}()
		<-network.refused
		off := time.Now()
		until(t, "the lease has lapsed", func() bool { return time.Since(off) > 2*lease })
		network.on()
		on := time.Now()
		if job := <-got; job.Turn.ID != "old" || time.Since(on) < lease-20*time.Millisecond {
			t.Errorf("took %q over %v after Redis was back, want old, and its owner to have %v",
				job.Turn.ID, time.Since(on), lease)
		}
	})
}

// Redis is killed before, between and during Accept, Take and Finish.
func TestTurnsSurviveAKilledRedis(t *testing.T) {
	t.Parallel()
	redis := redistest.StartDurable(t)
	const lease = 1500 * time.Millisecond
	open := func() *Queue {
		cfg := Config{URL: redis.URL, CommandTimeout: 300 * time.Millisecond, Patience: time.Millisecond}
		return openStore(t, cfg).Queue(QueueConfig{Lease: lease})
	}
	one, other, ctx := open(), open(), t.Context()
	accept(t, one, turnOf("running", "c1"), turnOf("dead", "c2"), turnOf("waiting", "c1"))
	running, dead := take(t, one), take(t, one)
	redis.Kill()
	err := acceptOne(ctx, one, turnOf("refused", "c3"))
	if fault.CodeOf(err) != fault.Unavailable || !fault.As(err).Retryable {
		t.Errorf("Accept without Redis = %v, want a fault.Unavailable to try again", err)
	}
	if _, err := one.Renew(ctx, running); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("Renew without Redis = %v, want a fault.Unavailable", err)
	}
	found := make(chan turn.Job)
	go func() {
		defer close(found)
		for range 2 {
			job, err := other.Take(ctx)
			if err != nil {
				t.Errorf("Take: %v", err)
			}
			found <- job
		}
	}()
	until(t, "Take is reading", func() bool { return len(other.taking) == 1 })
	off := time.Now()
	until(t, "all leases have lapsed", func() bool { return time.Since(off) > 2*lease })
	redis.Restart()
	wantLease(t, one, running, turn.Held)
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	attempts := map[meet.TurnID]int{}
	for open := true; open; {
		select {
		case <-ticker.C:
			wantLease(t, one, running, turn.Held)
		case job, ok := <-found:
			if open = ok; ok {
				attempts[job.Turn.ID] = job.Attempt
			}
		}
	}
	if diff := cmp.Diff(map[meet.TurnID]int{"waiting": 1, "dead": 2}, attempts); diff != "" {
		t.Errorf("attempts (-want +got):\n%s", diff)
	}
	wantLease(t, one, dead, turn.Lost)
	if !must(one.First(ctx, running))(t) {
		t.Error("the turn that ran on has lost its place in the lane")
	}
	check(t, one.Finish(ctx, running))
}

func TestATurnThatCannotBeReadCanBeFinished(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		q, ctx := s.Queue(QueueConfig{Lease: patient}), t.Context()
		accept(t, q, turnOf("t1", "c"))
		check(t, q.Finish(ctx, take(t, q)))
		check(t, s.client.XAdd(ctx, xadd(s.keys.queue(), jobTurn, "t2", jobConversation, "c", jobBody, "7:?")).Err())
		for attempt := 1; attempt < 3; attempt++ {
			job, err := q.Take(ctx)
			want := meet.Turn{ID: "t2", Conversation: "c"}
			if diff := cmp.Diff(want, job.Turn); diff != "" || job.Attempt != attempt || fault.CodeOf(err) != fault.Internal {
				t.Errorf("attempt %d, %v: (-want +got)\n%s", job.Attempt, err, diff)
			}
			if attempt == 1 {
				check(t, q.Release(ctx, job))
				continue
			}
			check(t, q.Finish(ctx, job))
		}
		wantNothing(t, q)
	})
}

// This needs a real Redis: the embedded one, which serves a single process, does not report idle times.
func TestDeadProcessesAreForgotten(t *testing.T) {
	t.Parallel()
	s := openStore(t, Config{URL: redistest.Start(t)})
	ctx := t.Context()
	consumers := func() map[string]time.Duration {
		idle := map[string]time.Duration{}
		for _, c := range must(s.client.XInfoConsumers(ctx, s.keys.queue(), queueGroup).Result())(t) {
			idle[c.Name] = c.Idle
		}
		return idle
	}
	gone, owner := s.Queue(QueueConfig{name: "gone"}), s.Queue(QueueConfig{name: "owner", Lease: patient})
	accept(t, gone, turnOf("t1", "c"), turnOf("t2", "c"), turnOf("t3", "c"))
	check(t, gone.Finish(ctx, take(t, gone)))
	kept := take(t, owner)
	until(t, "a moment has passed", func() bool { return consumers()["gone"] > time.Millisecond })
	take(t, s.Queue(QueueConfig{name: "new", Lease: patient, forgetAfter: time.Millisecond}))
	names := slices.Sorted(maps.Keys(consumers()))
	if diff := cmp.Diff([]string{"new", "owner"}, names); diff != "" {
		t.Errorf("processes (-want +got):\n%s", diff)
	}
	wantLease(t, owner, kept, turn.Held)
}

// BenchmarkAcceptToTake is the time from calling Accept to having the job, in the same process.
func BenchmarkAcceptToTake(b *testing.B) {
	for name, url := range map[string]string{"embedded": "", "redis-server": redistest.Start(b)} {
		b.Run(name, func(b *testing.B) {
			q := openStore(b, Config{URL: url, Prefix: b.Name()}).Queue(QueueConfig{})
			jobs := make(chan turn.Job)
			ctx, stop := context.WithCancel(b.Context())
			go func() {
				defer close(jobs)
				for {
					job, err := q.Take(ctx)
					if err != nil {
						return
					}
					jobs <- job
				}
			}()
			for n := 0; b.Loop(); n++ {
				check(b, acceptOne(ctx, q, turnOf(meet.TurnID(time.Now().String()), "c")))
				job := <-jobs
				b.StopTimer()
				check(b, q.Finish(ctx, job))
				b.StartTimer()
			}
			stop()
			for range jobs {
				b.Error("a turn too many")
			}
		})
	}
}
