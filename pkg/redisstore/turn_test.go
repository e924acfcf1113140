package redisstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/turn"
)

// losing is a Log whose process is cut off when Redis has stored the record with this number, before it gets the reply;
// 0 means never. If repeats is set, each reply is lost, and the process is not cut off: it sends each record again.
type losing struct {
	*Log
	network *proxy
	cutOff  func()
	at      int64
	repeats bool
	writes  atomic.Int64
}

func (l *losing) Write(ctx context.Context, id meet.TurnID, r turn.Record) error {
	switch n := l.writes.Add(1); {
	case l.repeats:
		_ = l.store.Ping(ctx) // the greeting of a new connection would be lost instead
		l.network.loseNext()
	case n == l.at:
		_ = l.store.Ping(ctx)
		l.network.loseNextAnd(l.cutOff)
	}
	return l.Log.Write(ctx, id, r)
}

// threeSteps is a pipeline that emits preliminary candidates inside each step, and the final ones after it.
type threeSteps struct{}

func (threeSteps) Run(
	ctx context.Context, _ meet.Turn, journal turn.Journal, emit turn.Emit,
) (meet.Outcome, error) {
	for i, name := range []string{"one", "two", "three"} {
		in := turn.Enter(ctx, name)
		if _, finished := journal.Begin(turn.PathOf(in)); !finished {
			if err := emit(in, meet.CandidatesUpdate{Slots: i, Preliminary: true}); err != nil {
				return meet.Outcome{}, err
			}
			journal.Finish(turn.PathOf(in), []byte(name))
		}
		if err := emit(ctx, meet.CandidatesUpdate{Slots: i}); err != nil {
			return meet.Outcome{}, err
		}
		if err := journal.Settle(); err != nil {
			return meet.Outcome{}, err
		}
	}
	return meet.Outcome{Kind: meet.OutcomeAnswered}, nil
}

// lostTurn runs a turn on a process that loses the replies to its writes, then on a second one if the first is cut off.
// It returns the turn's updates after the first process, too, has learned how the turn went, and how many records the
// first process wrote.
func lostTurn(t server, at int64, repeats bool) (updates []string, writes int64) {
	t.Helper()
	direct := t.open(Config{})
	var proxies [2]*proxy
	var stores [2]*Store
	for i := range proxies {
		network, address := startProxy(t, direct.config.URL)
		proxies[i], stores[i] = network, openStore(t, Config{URL: address, Prefix: direct.config.Prefix})
	}
	writing, leasing := proxies[0], proxies[1]
	dead := make(chan struct{})
	log := &losing{Log: stores[0].Log(), network: writing, at: at, repeats: repeats, cutOff: func() {
		go func() { // the proxy holds its mutex
			writing.off()
			leasing.off()
			close(dead)
		}()
	}}
	run := func(log turn.Log, s *Store) *turn.Runner {
		queue := s.Queue(QueueConfig{Lease: brief})
		return turn.NewRunner(turn.Ports{
			Turner: threeSteps{}, Log: log, Queue: queue, Leases: queue, Ledger: s.Turns(), Now: time.Now,
		}, turn.Config{Renewal: brief / 4})
	}
	var working sync.WaitGroup
	work := func(r *turn.Runner) { working.Go(func() { r.Work(t.Context()) }) }
	first, second := run(log, stores[1]), run(direct.Log(), direct)
	started := must(second.Start(t.Context(), meet.Turn{Message: "m"}))(t)
	_, wait := followAll(t, direct.Log(), started.ID)
	work(first)
	if at > 0 {
		<-dead
		work(second)
	}
	got := must(wait())(t)
	writing.on()
	leasing.on()
	first.Stop(t.Context())
	second.Stop(t.Context())
	working.Wait()
	if diff := cmp.Diff(got, must(direct.Log().Written(t.Context(), started.ID))(t)); diff != "" {
		t.Errorf("the first process wrote after the end (-streamed +log):\n%s", diff)
	}
	if repeats && int64(writing.repliesLost()) != log.writes.Load() {
		t.Errorf("%d replies to %d writes were lost", writing.repliesLost(), log.writes.Load())
	}
	for _, e := range got[1:] {
		updates = append(updates, string(e.Data))
	}
	return updates, log.writes.Load()
}

// Redis stores a record, and its writer does not learn of it: each update is in the log once, whether the writer sends
// the record again or another process continues the turn.
func TestAnUpdateIsWrittenOnceAlthoughTheReplyIsLost(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		want, _ := lostTurn(t, 0, false)
		if len(want) != 7 {
			t.Fatalf("updates %q, want two of each step and done", want)
		}
		got, writes := lostTurn(t, 0, true)
		if diff := cmp.Diff(lasting(t, want), lasting(t, got)); diff != "" {
			t.Errorf("each reply is lost (-want +got):\n%s", diff)
		}
		for at := int64(1); at <= writes; at++ {
			t.Run(fmt.Sprint("cut off at ", at), func(*testing.T) {
				got, _ := lostTurn(t, at, false)
				if diff := cmp.Diff(lasting(t, want), lasting(t, got)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	})
}

// lasting are the updates without the preliminary ones, which must each come once at most, and before its final one.
func lasting(tb testing.TB, updates []string) (final []string) {
	tb.Helper()
	for i, update := range updates {
		var u meet.CandidatesUpdate
		check(tb, json.Unmarshal([]byte(update), &u))
		if !u.Preliminary {
			final = append(final, update)
		} else if u.Slots != len(final) || slices.Contains(updates[:i], update) {
			tb.Errorf("preliminary candidates of step %d again, or after %d final ones", u.Slots, len(final))
		}
	}
	return final
}
