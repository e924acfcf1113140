//go:build unix

package redisstore

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/turn"
)

// BenchmarkWholeTurn runs all the commands of a turn, from its request to its end, and reports the CPU time of this
// process and of the server. Values and records are as large as a real turn's.
func BenchmarkWholeTurn(b *testing.B) {
	url := redistest.Start(b)
	for _, clients := range []int{1, 32} {
		b.Run(fmt.Sprintf("%d-clients", clients), func(b *testing.B) {
			s := openStore(b, Config{URL: url, Prefix: rand.Text()})
			w := asking{store: s, queue: s.Queue(QueueConfig{}), work: make([]byte, 120_000), sink: &atomic.Int64{}}
			for i := range 16 {
				id := meet.PersonID(fmt.Sprintf("p%d", i))
				al := meet.Person{ID: id, Name: "Al " + string(id), Email: string(id) + "@example.com"}
				check(b, s.People().Put(b.Context(), al))
			}
			var next atomic.Int64
			before, served := cpuTime(b), serverTime(b, s)
			b.ReportAllocs()
			b.ResetTimer()
			var all sync.WaitGroup
			for range clients {
				all.Go(func() {
					for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
						if err := w.turn(b.Context(), fmt.Sprintf("t_%026d", n)); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			b.ReportMetric(micros(cpuTime(b)-before)/float64(b.N), "cpu-µs/turn")
			b.ReportMetric(micros(serverTime(b, s)-served)/float64(b.N), "redis-µs/turn")
		})
	}
}

// serverTime is the server's CPU time so far.
func serverTime(tb testing.TB, s *Store) time.Duration {
	tb.Helper()
	used := 0.0
	for line := range strings.Lines(must(s.client.Info(tb.Context(), "cpu").Result())(tb)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "used_cpu_sys" || name == "used_cpu_user" {
			var seconds float64
			must(fmt.Sscan(value, &seconds))(tb)
			used += seconds
		}
	}
	return time.Duration(used * float64(time.Second))
}

// asking is what a turn asks.
type asking struct {
	store *Store
	queue *Queue
	// work is computed at each record, so that the processors are as busy as a server's.
	work []byte
	sink *atomic.Int64
}

func text(n int) string { return `{"v":"` + strings.Repeat("x", n) + `"}` }

func (w asking) turn(ctx context.Context, id string) error {
	accepted := meet.Turn{ID: meet.TurnID(id), Conversation: meet.ConversationID("c" + id), Message: text(900)}
	next := 1
	compute := func() {
		sum := sha256.Sum256(w.work)
		w.sink.Add(int64(sum[0]))
	}
	record := func(state int, step string, result int, data ...int) error {
		compute()
		r := turn.Record{}
		if state > 0 {
			r.State = []byte(text(state))
		}
		if step != "" {
			r.Steps = []turn.Step{{Path: step, Result: []byte(text(result))}}
		}
		for _, n := range data {
			r.Entries = append(r.Entries, turn.Entry{ID: next, Data: []byte(text(n)), Last: step == "remember"})
			next++
		}
		return w.store.Log().Write(ctx, accepted.ID, r)
	}
	if _, err := w.store.People().Person(ctx, "p1"); err != nil {
		return err
	}
	if err := record(170, "", 0, 90); err != nil {
		return err
	}
	if err := acceptOne(ctx, w.queue, accepted); err != nil {
		return err
	}
	job, err := w.queue.Take(ctx)
	if err != nil {
		return err
	}
	if err := record(170, "", 0); err != nil {
		return err
	}
	if err := w.read(ctx, accepted.Conversation); err != nil {
		return err
	}
	for _, err := range []error{
		record(0, "classify", 400, 120, 80), record(0, "template", 900, 700, 90), record(0, "candidates", 17000, 400, 90),
		record(0, "", 0, 40), record(0, "", 0, 40), record(0, "", 0, 40), record(0, "", 0, 40), record(0, "", 0, 40),
		record(0, "select", 1500), w.propose(ctx, accepted), record(0, "proposal", 600, 2200, 5200),
		w.remember(ctx, accepted.Conversation), record(6500, "remember", 10, 600),
		w.queue.Finish(ctx, job),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// read reads the state before the turn: the conversation, the people, their accounts and calendars.
func (w asking) read(ctx context.Context, id meet.ConversationID) error {
	if _, err := w.store.Conversations().Load(ctx, id); err != nil {
		return err
	}
	if _, err := w.store.People().All(ctx); err != nil {
		return err
	}
	var both sync.WaitGroup
	for _, p := range []meet.PersonID{"p1", "p2"} {
		both.Go(func() {
			_, _ = w.store.Accounts().RecordsOf(ctx, p)
			_, _ = w.store.Events().Between(ctx, p, interval.Span{Start: time.Now(), End: time.Now().Add(time.Hour)})
		})
	}
	both.Wait()
	return nil
}

func (w asking) propose(ctx context.Context, turn meet.Turn) error {
	return w.store.Proposals().SaveProposal(ctx, meet.Event{
		ID: meet.ProposalID("p" + turn.ID), Status: meet.Proposed, Title: text(5000),
	}, nil, turn)
}

func (w asking) remember(ctx context.Context, id meet.ConversationID) error {
	return w.store.Conversations().Save(ctx, meet.Conversation{
		ID: id, History: []meet.Exchange{{User: text(40), Assistant: text(1000)}},
		Search: &meet.Search{Organizer: "p1", Zone: text(20000)},
	})
}
