package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// patient is a lease that does not lapse within a test.
const patient = time.Minute

// brief is a lease that tests wait for.
const brief = 60 * time.Millisecond

func turnOf(id meet.TurnID, conversation meet.ConversationID) meet.Turn {
	return meet.Turn{ID: id, Conversation: conversation, Message: "Lunch with Sam"}
}

// until polls until the condition holds.
func until(tb testing.TB, what string, yes func() bool) {
	tb.Helper()
	deadline := time.After(safetyNet)
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for !yes() {
		select {
		case <-ticker.C:
		case <-deadline:
			tb.Fatalf("%s: not so after %v", what, safetyNet)
		}
	}
}

// acceptOne accepts a turn with an empty log.
func acceptOne(ctx context.Context, q *Queue, id meet.Turn) error {
	return q.Accept(ctx, id, turn.Record{})
}

func accept(tb testing.TB, q *Queue, turns ...meet.Turn) {
	tb.Helper()
	for _, turn := range turns {
		check(tb, acceptOne(tb.Context(), q, turn))
	}
}

func take(tb testing.TB, q *Queue) turn.Job {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), safetyNet)
	defer cancel()
	return must(q.Take(ctx))(tb)
}

// wantNothing checks that the queue has no turn for a moment.
func wantNothing(tb testing.TB, q *Queue) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), brief)
	defer cancel()
	if job, err := q.Take(ctx); !errors.Is(err, context.DeadlineExceeded) {
		tb.Errorf("Take = %s, %v, want nothing for %v", job.Turn.ID, err, brief)
	}
}

func wantLease(tb testing.TB, q *Queue, job turn.Job, want turn.Lease) {
	tb.Helper()
	if got := must(q.Renew(tb.Context(), job))(tb); got != want {
		tb.Errorf("Renew of attempt %d = %d, want %d", job.Attempt, got, want)
	}
}

func TestTakeReturnsTheAcceptedTurn(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		q, other, ctx := s.Queue(QueueConfig{}), t.open(Config{}).Queue(QueueConfig{}), t.Context()
		at := time.Date(2031, 3, 30, 0, 30, 0, 0, time.UTC)
		want := meet.Turn{
			ID: "t:1", Conversation: "c {1}", Message: "מחר ב-3", Timezone: "Asia/Jerusalem", AutoConfirm: true, ReceivedAt: at,
			Organizer:    meet.Person{ID: "me", Name: "Maya", WorkingHours: &interval.Week{}},
			Participants: []meet.Person{{Name: "Sam"}},
			Availability: []meet.GivenAvailability{{Person: "me", Busy: []interval.Span{{Start: at, End: at.Add(time.Hour)}}}},
		}
		before := time.Now()
		accept(t, q, want)
		job := take(t, other)
		if diff := cmp.Diff(want, job.Turn); diff != "" {
			t.Errorf("turn (-want +got):\n%s", diff)
		}
		if late := job.AcceptedAt.Sub(before); job.Attempt != 1 || late < -time.Second || late > time.Minute {
			t.Errorf("attempt %d, accepted %v after the call, want 1 and soon", job.Attempt, late)
		}
		if !must(other.First(ctx, job))(t) {
			t.Error("the only turn of its conversation is not the first")
		}
		wantLease(t, other, job, turn.Held)
		check(t, other.Finish(ctx, job))
		check(t, other.Finish(ctx, job))
		wantLease(t, other, job, turn.Lost)
		wantLife(t, s, s.keys.mark(want.ID), endedLife)
		if n := must(s.client.Exists(ctx, s.keys.of("").lane(want.Conversation)).Result())(t); n > 0 {
			t.Error("the lane outlives its turns")
		}
		if n := must(s.client.XLen(ctx, s.keys.queue()).Result())(t); n > 0 {
			t.Errorf("%d turns are in the queue, want none", n)
		}
		wantNothing(t, q)
	})
}

func TestATurnIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q := t.open(Config{}).Queue(QueueConfig{})
		turn := turnOf("t", "c")
		accept(t, q, turn, turn)
		job := take(t, q)
		accept(t, q, turn)
		check(t, q.Finish(t.Context(), job))
		accept(t, q, turn)
		wantNothing(t, q)
		for _, turn := range []meet.Turn{{}, {ID: "t"}, {Conversation: "c"}} {
			if err := acceptOne(t.Context(), q, turn); err == nil {
				t.Errorf("%+v is accepted without its ids", turn)
			}
		}
	})
}

func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q, ctx := t.open(Config{}).Queue(QueueConfig{Most: 2}), t.Context()
		accept(t, q, turnOf("t1", "c"), turnOf("t2", "c"))
		job := take(t, q)
		// One that runs still counts, and one that is in there is no further one.
		accept(t, q, turnOf("t2", "c"))
		err := fault.As(acceptOne(ctx, q, turnOf("t3", "c")))
		if err.Code != fault.Overloaded || !err.Retryable || err.RetryAfter != 2*time.Second {
			t.Errorf("one too many = %+v, want a fault.Overloaded to try again after 2s", err)
		}
		check(t, q.Finish(ctx, job))
		accept(t, q, turnOf("t3", "c"))
		// What was refused left nothing in the lane.
		second, third := take(t, q), take(t, q)
		check(t, q.Finish(ctx, second))
		if !must(q.First(ctx, third))(t) {
			t.Error("the lane has more than was accepted")
		}
	})
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q := t.open(Config{}).Queue(QueueConfig{Lease: patient})
		want := func(want int) {
			t.Helper()
			n, oldest, err := q.Waiting(t.Context())
			check(t, err)
			if n != want || oldest < 0 || oldest > time.Minute || (n == 0 && oldest > 0) {
				t.Errorf("Waiting = %d, %v, want %d for a moment", n, oldest, want)
			}
		}
		want(0)
		accept(t, q, turnOf("t1", "c"), turnOf("t2", "c"), turnOf("t3", "c"))
		want(3)
		job := take(t, q)
		want(2)
		check(t, q.Finish(t.Context(), job))
		want(2)
		until(t, "the oldest has waited for 20ms", func() bool {
			_, oldest, err := q.Waiting(t.Context())
			return err == nil && oldest > 20*time.Millisecond
		})
		take(t, q)
		take(t, q)
		want(0)
	})
}

// Four processes take what two accept.
func TestEachTurnRunsOnce(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		one, other := t.open(Config{}), t.open(Config{})
		queues := []*Queue{
			one.Queue(QueueConfig{name: "a", Lease: patient}), one.Queue(QueueConfig{name: "b", Lease: patient}),
			other.Queue(QueueConfig{name: "c", Lease: patient}), other.Queue(QueueConfig{name: "d", Lease: patient}),
		}
		const jobs = 200
		ctx, stop := context.WithTimeout(t.Context(), safetyNet)
		defer stop()
		var mu sync.Mutex
		ran := map[meet.TurnID]int{}
		run := func(q *Queue) error {
			job, err := q.Take(ctx)
			if err != nil {
				return err
			}
			mu.Lock()
			ran[job.Turn.ID]++
			if len(ran) == jobs {
				stop()
			}
			mu.Unlock()
			return q.Finish(context.WithoutCancel(ctx), job)
		}
		var all sync.WaitGroup
		for i, q := range queues {
			all.Go(func() {
				for n := i; n < jobs; n += len(queues) {
					accepted := turnOf(meet.TurnID(fmt.Sprint("t", n)), meet.ConversationID(fmt.Sprint("c", n)))
					if err := acceptOne(t.Context(), q, accepted); err != nil {
						t.Errorf("Accept: %v", err)
					}
				}
			})
			all.Go(func() {
				for {
					if err := run(q); errors.Is(err, context.Canceled) {
						return
					} else if err != nil {
						t.Errorf("run: %v", err)
						return
					}
				}
			})
		}
		all.Wait()
		if len(ran) != jobs {
			t.Errorf("%d turns ran, want %d", len(ran), jobs)
		}
		for id, n := range ran {
			if n != 1 {
				t.Errorf("%s ran %d times", id, n)
			}
		}
		wantNothing(t, queues[0])
	})
}

// awaitFirst waits until all earlier turns of the job's conversation have ended.
func awaitFirst(ctx context.Context, q *Queue, job turn.Job) error {
	ctx, cancel := context.WithTimeout(ctx, safetyNet)
	defer cancel()
	for {
		if first, err := q.First(ctx, job); first || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Four processes run the turns of three conversations, each conversation in order.
func TestLanes(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		stores := []*Store{t.open(Config{}), t.open(Config{})}
		const conversations, turns = 3, 8
		first := stores[0].Queue(QueueConfig{})
		for n := range turns {
			for c := range conversations {
				accept(t, first, turnOf(meet.TurnID(fmt.Sprintf("c%d-%d", c, n)), meet.ConversationID(fmt.Sprint("c", c))))
			}
		}
		var mu sync.Mutex
		ended := map[meet.ConversationID][]meet.TurnID{}
		run := func(q *Queue, job turn.Job) error {
			if err := awaitFirst(t.Context(), q, job); err != nil {
				return err
			}
			mu.Lock()
			ended[job.Turn.Conversation] = append(ended[job.Turn.Conversation], job.Turn.ID)
			mu.Unlock()
			return q.Finish(t.Context(), job)
		}
		var all sync.WaitGroup
		for i := range 4 {
			q := stores[i%2].Queue(QueueConfig{Lease: patient})
			for range conversations * turns / 4 {
				job := take(t, q)
				all.Go(func() {
					if err := run(q, job); err != nil {
						t.Errorf("run %s: %v", job.Turn.ID, err)
					}
				})
			}
		}
		all.Wait()
		want := map[meet.ConversationID][]meet.TurnID{}
		for c := range conversations {
			for n := range turns {
				id := meet.ConversationID(fmt.Sprint("c", c))
				want[id] = append(want[id], meet.TurnID(fmt.Sprintf("c%d-%d", c, n)))
			}
		}
		if diff := cmp.Diff(want, ended); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
	})
}

func TestCancel(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		owner, other, ctx := s.Queue(QueueConfig{}), t.open(Config{}).Queue(QueueConfig{}), t.Context()
		heard := make(chan meet.TurnID, 10)
		listening, stop := context.WithCancel(ctx)
		ended := make(chan error)
		go func() { ended <- owner.Cancelled(listening, func(id meet.TurnID) { heard <- id }) }()
		until(t, "the owner listens", func() bool {
			return s.client.PubSubNumSub(ctx, s.keys.cancelled()).Val()[s.keys.cancelled()] == 1
		})

		check(t, other.Cancel(ctx, "unknown"))
		if id := <-heard; id != "unknown" {
			t.Errorf("heard of %s", id)
		}
		accept(t, other, turnOf("unknown", "c0"), turnOf("t1", "c1"), turnOf("t2", "c2"))
		free, running := take(t, owner), take(t, owner)
		wantLease(t, owner, free, turn.Held)
		wantLease(t, owner, running, turn.Held)
		check(t, other.Cancel(ctx, "t1"))
		check(t, other.Cancel(ctx, "t2"))
		for _, want := range []meet.TurnID{"t1", "t2"} {
			if got := <-heard; got != want {
				t.Errorf("heard of %s, want %s", got, want)
			}
		}
		wantLease(t, owner, running, turn.Cancelled)
		wantLease(t, owner, running, turn.Cancelled)
		wantLease(t, owner, take(t, owner), turn.Cancelled)

		check(t, owner.Finish(ctx, running))
		check(t, other.Cancel(ctx, "t1"))
		wantLife(t, s, s.keys.mark("t1"), endedLife)
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Cancelled = %v, want context.Canceled", err)
		}
	})
}

func TestQueueSurvivesLostReplies(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		direct := t.open(Config{})
		network, address := startProxy(t, direct.config.URL)
		s := openStore(t, Config{URL: address, Prefix: direct.config.Prefix})
		q, there, ctx := s.Queue(QueueConfig{Lease: patient}), direct.Queue(QueueConfig{Lease: patient}), t.Context()
		losing := func(do func() error) {
			t.Helper()
			check(t, s.Ping(ctx))
			network.loseNext()
			check(t, do())
		}
		losing(func() error { return acceptOne(ctx, q, turnOf("t", "c")) })
		job := take(t, q)
		losing(func() error { wantLease(t, q, job, turn.Held); return nil })
		losing(func() error { return q.Cancel(ctx, "t") })
		losing(func() error { return q.Release(ctx, job) })
		job = take(t, there)
		check(t, there.Release(ctx, job))
		job = take(t, q)
		losing(func() error { return q.Finish(ctx, job) })
		wantNothing(t, there)
		if got := network.repliesLost(); got != 5 {
			t.Errorf("%d answers got lost, want 5", got)
		}
	})
}

// The keys of a script must be on one node of a cluster.
func TestQueueKeysShareASlot(t *testing.T) {
	t.Parallel()
	k := keys{"convene:"}
	for _, key := range []string{
		k.queue(), k.of("").lane("c{1}:"), k.of("").lane(""), k.of("a{b}:c").lane("c"), k.mark("t}2{"), k.cancelled(),
		k.ping(),
		k.ring(), k.since(), k.held(), k.seen(), k.of("a").waiting(), k.of("").waiting(),
	} {
		_, rest, _ := strings.Cut(key, "{")
		if got, _, ok := strings.Cut(rest, "}"); !ok || got != "queue" {
			t.Errorf("%s has the tag %q, want queue", key, got)
		}
	}
}

// Accept opens the log in the same round trip, even if Redis has lost the scripts.
func TestAcceptOpensTheLog(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s, ctx := t.open(Config{}), t.Context()
		q := s.Queue(QueueConfig{})
		for _, id := range []meet.TurnID{"t1", "t2"} {
			opening := turn.Record{State: []byte("{}"), Entries: []turn.Entry{entry(1)}}
			check(t, q.Accept(ctx, turnOf(id, meet.ConversationID(id)), opening))
			check(t, q.Accept(ctx, turnOf(id, meet.ConversationID(id)), opening)) // because the answer got lost, say
			written := must(s.Log().Written(ctx, id))(t)
			if diff := cmp.Diff([]turn.Entry{entry(1)}, written); diff != "" {
				t.Errorf("%s (-want +got):\n%s", id, diff)
			}
			if got := string(must(s.Turns().State(ctx, id))(t)); got != "{}" {
				t.Errorf("the state of %s is %q", id, got)
			}
			if got := take(t, q).Turn.ID; got != id {
				t.Errorf("took %s, want %s", got, id)
			}
			check(t, s.client.ScriptFlush(ctx).Err())
		}
		wantNothing(t, q)
	})
}
