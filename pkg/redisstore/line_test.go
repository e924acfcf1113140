package redisstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// acceptFor accepts n turns of a tenant, each of its own conversation.
func acceptFor(tb testing.TB, q *Queue, tenant meet.Tenant, n int) (ids []meet.TurnID) {
	tb.Helper()
	for i := range n {
		id := meet.TurnID(fmt.Sprintf("%s-%03d", tenant, i))
		check(tb, acceptOne(meet.InTenant(tb.Context(), tenant), q, turnOf(id, meet.ConversationID(id))))
		ids = append(ids, id)
	}
	return ids
}

func takeAll(tb testing.TB, q *Queue, n int) (ids []meet.TurnID) {
	tb.Helper()
	for range n {
		job := take(tb, q)
		ids = append(ids, job.Turn.ID)
		check(tb, q.Finish(tb.Context(), job))
	}
	return ids
}

// One tenant has very many turns; others come later with a few.
func TestTenantsAreServedFairly(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q := t.open(Config{}).Queue(QueueConfig{Lease: patient})
		const many = 200
		crowd := acceptFor(t, q, "crowd", many)
		few := acceptFor(t, q, "few", 3)
		first := takeAll(t, q, minReady+2*len(few))
		if at := slices.Index(first, few[0]); at < 0 || at > minReady+1 {
			t.Errorf("the first turn of few is number %d of %v", at+1, first)
		}
		if at := slices.Index(first, few[2]); at < 0 {
			t.Errorf("few is not answered within %v", first)
		}
		late := acceptFor(t, q, "late", 1)
		all := append(first, takeAll(t, q, many+4-len(first))...)
		if at := slices.Index(all, late[0]) - len(first); at > minReady+1 {
			t.Errorf("the last tenant was served after %d others", at)
		}
		crowded := slices.DeleteFunc(slices.Clone(all), func(id meet.TurnID) bool { return !slices.Contains(crowd, id) })
		if diff := cmp.Diff(crowd, crowded); diff != "" {
			t.Errorf("order of the crowd (-want +got):\n%s", diff)
		}
		wantNothing(t, q)
		if n := must(q.store.client.Exists(t.Context(), q.lineKeys()[1:5]...).Result())(t); !q.store.clustered && n > 0 {
			t.Errorf("%d keys are left of an empty line", n)
		}
	})
}

// Without other tenants, turns are served in order of acceptance.
func TestOneTenantIsServedInOrder(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q := t.open(Config{}).Queue(QueueConfig{Lease: patient})
		want := acceptFor(t, q, "", 10)
		got := takeAll(t, q, 5)
		accept(t, q, turnOf("more", "c"))
		want, got = append(want, "more"), append(got, takeAll(t, q, 6)...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
	})
}

// Tenants use the same conversation id; their turns come at once and from the line.
func TestAJobNamesItsTenant(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q := t.open(Config{}).Queue(QueueConfig{Lease: patient})
		want := map[meet.TurnID]meet.Tenant{}
		before := time.Now()
		for n := range 4 {
			for _, tenant := range []meet.Tenant{"", "a", "ב {c}: 1 2"} {
				id := meet.TurnID(fmt.Sprintf("%d of %s", n, tenant))
				turn := turnOf(id, "the same \n{talk}")
				turn.Message = "מחר " + string(id)
				check(t, acceptOne(meet.InTenant(t.Context(), tenant), q, turn))
				want[id] = tenant
			}
		}
		for attempt := 1; attempt < 3; attempt++ {
			jobs := make([]turn.Job, len(want))
			for i := range jobs {
				job := take(t, q)
				jobs[i] = job
				if diff := cmp.Diff("מחר "+string(job.Turn.ID), job.Turn.Message); diff != "" || job.Tenant != want[job.Turn.ID] ||
					job.Turn.Conversation != "the same \n{talk}" || job.Attempt != attempt {
					t.Errorf("got %+v of %q, attempt %d", job.Turn, job.Tenant, job.Attempt)
				}
				if late := job.AcceptedAt.Sub(before); late < -time.Second || late > safetyNet {
					t.Errorf("%s was accepted %v after the call", job.Turn.ID, late)
				}
			}
			slices.SortFunc(jobs, func(a, b turn.Job) int { return strings.Compare(string(a.Turn.ID), string(b.Turn.ID)) })
			for i, job := range jobs {
				// The first of each tenant is first, whatever the others have in the same conversation.
				if first := must(q.First(t.Context(), job))(t); first != (attempt == 2 || i < 3) {
					t.Errorf("%s is first: %t", job.Turn.ID, first)
				}
				if attempt == 1 {
					check(t, q.Release(t.Context(), job))
					continue
				}
				check(t, q.Finish(t.Context(), job))
			}
		}
		wantNothing(t, q)
	})
}

// A turn waits in line before it joins the stream.
func TestTheTimeInLineCounts(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q := t.open(Config{}).Queue(QueueConfig{Lease: patient})
		acceptFor(t, q, "a", minReady+1)
		accepted := time.Now()
		const while = 50 * time.Millisecond
		until(t, "they have waited", func() bool { return time.Since(accepted) > while })
		if n, oldest, err := q.Waiting(t.Context()); err != nil || n != minReady+1 || oldest < while {
			t.Errorf("Waiting = %d, %v, %v, want %d for %v", n, oldest, err, minReady+1, while)
		}
		takeAll(t, q, minReady)
		if n, oldest, err := q.Waiting(t.Context()); err != nil || n != 1 || oldest < while {
			t.Errorf("Waiting = %d, %v, %v, want the last for %v", n, oldest, err, while)
		}
		job := take(t, q)
		if waited := time.Since(job.AcceptedAt); waited < while || waited > time.Minute {
			t.Errorf("the last was accepted %v ago, want %v", waited, while)
		}
	})
}

// A tenant cannot fill the queue.
func TestATenantLeavesRoomForOthers(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		const most = 20
		q := t.open(Config{}).Queue(QueueConfig{Most: most, Lease: patient})
		sent := 0
		flood := func(tenant meet.Tenant) (accepted int) {
			ctx := meet.InTenant(t.Context(), tenant)
			for {
				id := meet.TurnID(fmt.Sprint("t", sent))
				sent++
				err := acceptOne(ctx, q, turnOf(id, meet.ConversationID(id)))
				if fault.CodeOf(err) == fault.Overloaded {
					return accepted
				}
				check(t, err)
				accepted++
			}
		}
		first, second, third := flood("a"), flood("b"), flood("c")
		if first < most/2 || first > most-4 || second < 2 || third < 1 || first+second+third > most {
			t.Errorf("accepted %d, %d and %d of %d", first, second, third, most)
		}
		if rest := flood(""); rest+first+second+third != most {
			t.Errorf("the tenant without a name has %d beside %d, want all of %d", rest, first+second+third, most)
		}
		if diff := cmp.Diff(most, len(takeAll(t, q, most))); diff != "" {
			t.Error(diff)
		}
		wantNothing(t, q)
	})
}

// One conversation has more turns than may wait for each other: each waiting one occupies a place at a process.
func TestAConversationDelaysNoOther(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q := t.open(Config{}).Queue(QueueConfig{Lease: patient})
		talk := func(tenant meet.Tenant, n int) error {
			return acceptOne(meet.InTenant(t.Context(), tenant), q, turnOf(meet.TurnID(fmt.Sprint(tenant, n)), "c"))
		}
		for n := range maxInLane {
			check(t, talk("a", n))
		}
		err := talk("a", maxInLane)
		if f := fault.As(err); f.Code != fault.Overloaded || f.RetryAfter == 0 {
			t.Errorf("one more: %v, want it to be asked to come back", err)
		}
		check(t, talk("a", maxInLane-1)) // it was accepted already
		check(t, talk("b", 0))
		acceptFor(t, q, "a", 1)
		check(t, q.Finish(t.Context(), take(t, q)))
		check(t, talk("a", maxInLane))
		if got := len(takeAll(t, q, maxInLane+2)); got != maxInLane+2 {
			t.Errorf("%d turns were taken", got)
		}
		wantNothing(t, q)
	})
}

// Some processes die while they own turns.
func TestALineIsServedByAllProcesses(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		queues := make([]*Queue, 6)
		for i := range queues {
			queues[i] = t.open(Config{}).Queue(QueueConfig{Lease: 400 * time.Millisecond})
		}
		const each = 60
		tenants := []meet.Tenant{"", "a", "b"}
		ctx, stop := context.WithTimeout(t.Context(), safetyNet)
		defer stop()
		var mu sync.Mutex
		ended, newest := map[meet.TurnID]int{}, map[meet.TurnID]int{}
		run := func(q *Queue, job turn.Job, n int) {
			mu.Lock()
			newest[job.Turn.ID] = max(newest[job.Turn.ID], job.Attempt)
			mu.Unlock()
			if n%10 == 3 && job.Attempt == 1 {
				return // it dies with it
			}
			if err := q.Finish(context.WithoutCancel(ctx), job); err != nil {
				return // it was taken over meanwhile
			}
			mu.Lock()
			defer mu.Unlock()
			if job.Attempt < newest[job.Turn.ID] {
				return // it was taken over, and has ended
			}
			if ended[job.Turn.ID]++; len(ended) == each*len(tenants) {
				stop()
			}
		}
		var all sync.WaitGroup
		for _, q := range queues {
			all.Go(func() {
				for n := 0; ; n++ {
					job, err := q.Take(ctx)
					if err != nil {
						return
					}
					run(q, job, n)
				}
			})
		}
		for _, tenant := range tenants {
			all.Go(func() {
				for i := range each {
					id := meet.TurnID(fmt.Sprintf("%s-%d", tenant, i))
					ctx := meet.InTenant(t.Context(), tenant)
					if err := acceptOne(ctx, queues[0], turnOf(id, meet.ConversationID(id))); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if len(ended) != each*len(tenants) {
			t.Errorf("%d turns ended, want %d", len(ended), each*len(tenants))
		}
		for id, n := range ended {
			if n != 1 {
				t.Errorf("%s ended %d times", id, n)
			}
		}
	})
}

// A turn that starts its lane needs no check of the lane.
func TestATurnKnowsThatItIsTheFirst(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q := t.open(Config{}).Queue(QueueConfig{})
		accept(t, q, turnOf("a", "c"), turnOf("b", "c"), turnOf("d", "e"))
		var first []meet.TurnID
		for range 3 {
			job := take(t, q)
			if job.First {
				first = append(first, job.Turn.ID)
			}
			if asked := must(q.First(t.Context(), job))(t); job.First && !asked {
				t.Errorf("%s takes itself for the first", job.Turn.ID)
			}
		}
		if diff := cmp.Diff([]meet.TurnID{"a", "d"}, first); diff != "" {
			t.Errorf("first (-want +got):\n%s", diff)
		}
	})
}
