package redisstore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/turn"
)

// process takes turns up to its number of places, and keeps each until the test finishes it.
type process struct {
	queue *Queue
	room  chan struct{}
	taken chan placed
}

// placed is a turn with its process.
type placed struct {
	turn.Job
	by *process
}

func (h placed) finish(tb testing.TB) {
	tb.Helper()
	check(tb, h.by.queue.Finish(tb.Context(), h.Job))
	<-h.by.room
}

// startProcesses starts n processes with places each, which send the turns that they take to the channel.
func startProcesses(t server, n, places int) (one *Queue, taken chan placed) {
	t.Helper()
	taken = make(chan placed, n*places)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range n {
		p := &process{t.open(Config{}).Queue(QueueConfig{Places: places, Lease: patient}), make(chan struct{}, places), taken}
		one = p.queue
		all.Go(func() {
			for ctx.Err() == nil {
				select {
				case p.room <- struct{}{}:
				case <-ctx.Done():
					return
				}
				if job, err := p.queue.Take(ctx); err == nil {
					taken <- placed{job, p}
				}
			}
		})
	}
	t.Cleanup(func() {
		stop()
		all.Wait()
	})
	until(t, "all processes take turns", func() bool {
		known, err := one.store.client.ZCard(t.Context(), one.store.keys.seen()).Result()
		return err == nil && int(known) == n
	})
	return one, taken
}

// some returns the next n turns that are taken.
func some(tb testing.TB, taken <-chan placed, n int) (jobs []placed) {
	tb.Helper()
	for len(jobs) < n {
		select {
		case h := <-taken:
			jobs = append(jobs, h)
		case <-time.After(20 * time.Second):
			tb.Fatalf("%d turns were taken, want %d", len(jobs), n)
		}
	}
	return jobs
}

// inStream is how many turns of the tenant are in the stream: those that have a place or get the next one.
func inStream(tb testing.TB, q *Queue, tenant meet.Tenant) int {
	tb.Helper()
	n := 0
	for _, m := range must(q.store.client.XRange(tb.Context(), q.store.keys.queue(), "-", "+").Result())(tb) {
		if m.Values[jobTenant] == string(tenant) {
			n++
		}
	}
	return n
}

// However many slow turns some tenants have, a turn of another one gets a place at once, and so does the next after it
// has ended: on one or several processes, with one or many noisy tenants.
func TestSlowTurnsLeavePlacesForOtherTenants(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		for _, c := range []struct {
			processes, places, noisy int
			// most is how many places the noisy ones hold together.
			most int
		}{{1, 4, 1, 3}, {1, 16, 1, 14}, {2, 16, 1, 28}, {1, 32, 3, 31}, {2, 32, 5, 63}} {
			t.Run(fmt.Sprintf("%+v", c), func(tb *testing.T) {
				t := server{T: tb, url: t.url, prefix: t.prefix + fmt.Sprint(c)}
				q, taken := startProcesses(t, c.processes, c.places)
				for i := range 3 * c.processes * c.places {
					for n := range c.noisy {
						id := meet.TurnID(fmt.Sprintf("%d of %d", i, n))
						ctx := meet.InTenant(t.Context(), meet.Tenant(fmt.Sprint("noisy", n)))
						check(t, acceptOne(ctx, q, turnOf(id, meet.ConversationID(id))))
					}
				}
				slow := some(t, taken, c.most)
				for round := range 3 {
					id := meet.TurnID(fmt.Sprint("quiet", round))
					check(t, acceptOne(meet.InTenant(t.Context(), "quiet"), q, turnOf(id, "c")))
					quiet := some(t, taken, 1)[0]
					if quiet.Turn.ID != id {
						t.Fatalf("%s got the place that was free for %s", quiet.Turn.ID, id)
					}
					quiet.finish(t)
				}
				// Each turn that ends gives its place to one that waits, so that no more than those stay unused.
				for _, h := range slow {
					h.finish(t)
				}
				some(t, taken, c.most)
				total := 0
				for n := range c.noisy {
					total += inStream(t, q, meet.Tenant(fmt.Sprint("noisy", n)))
				}
				if total != c.most {
					t.Errorf("the noisy tenants hold %d places, want %d of %d", total, c.most, c.processes*c.places)
				}
			})
		}
	})
}

// The tenant without a name is the only one, and may have all places.
func TestATenantWithoutANameMayHaveAllPlaces(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		q, taken := startProcesses(t, 1, 8)
		acceptFor(t, q, "", 10)
		some(t, taken, 8)
	})
}

// Places of dead processes do not count, those of full ones do.
func TestDeadProcessesHaveNoPlaces(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		const lease = 500 * time.Millisecond
		dead := t.open(Config{}).Queue(QueueConfig{Places: 100, Lease: lease})
		acceptFor(t, dead, "gone", 1)
		check(t, dead.Finish(t.Context(), take(t, dead)))
		full := t.open(Config{}).Queue(QueueConfig{Places: 8, Lease: lease})
		acceptFor(t, full, "here", 1)
		job := take(t, full)
		seen := func() []string {
			check(t, func() error { _, err := full.Renew(t.Context(), job); return err }())
			return must(full.store.client.ZRange(t.Context(), full.store.keys.seen(), 0, -1).Result())(t)
		}
		if got := seen(); len(got) != 2 {
			t.Errorf("processes seen = %q, want both", got)
		}
		third := t.open(Config{}).Queue(QueueConfig{Places: 8, Lease: lease})
		until(t, "the dead process is forgotten", func() bool {
			_, err := third.takeOver(t.Context())
			check(t, err)
			third.scan.overdueAt = time.Time{}
			return !slices.Contains(seen(), dead.process())
		})
		want := []string{third.process(), full.process()}
		if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(seen()))); diff != "" {
			t.Errorf("processes seen (-want +got):\n%s", diff)
		}
	})
}

// A count of a tenant's turns that is more than there are does not count for ever.
func TestACountThatIsWrongIsRestarted(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s, ctx := t.open(Config{}), t.Context()
		k, q := s.keys, s.Queue(QueueConfig{Lease: patient})
		check(t, s.client.HSet(ctx, k.held(), k.of("a").waiting(), 500).Err())
		until(t, "the count is restarted", func() bool {
			_, err := q.next(ctx)
			check(t, err)
			q.scan.overdueAt = time.Time{}
			return must(s.client.Exists(ctx, k.held()).Result())(t) == 0
		})
	})
}
