//go:build unix

package redisstore

import (
	"context"
	"crypto/rand"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/turn"
)

// cpuTime is the CPU time of this process so far, user and system.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	check(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// BenchmarkTurns is whole turns of ten updates, each acknowledged before the next one is written.
func BenchmarkTurns(b *testing.B) {
	url := redistest.Start(b)
	for _, writers := range []int{1, 32, 256} {
		b.Run(fmt.Sprintf("%d-writers", writers), func(b *testing.B) {
			l := openStore(b, Config{URL: url, Prefix: rand.Text()}).Log()
			var next atomic.Int64
			before := cpuTime(b)
			b.ResetTimer()
			var all sync.WaitGroup
			for range writers {
				all.Go(func() {
					for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
						writeTurn(b, l, meet.TurnID(fmt.Sprintf("t%d", n)), 10)
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
			b.ReportMetric(micros(cpuTime(b)-before)/float64(b.N), "cpu-µs/turn")
		})
	}
}

func writeTurn(tb testing.TB, l *Log, turn meet.TurnID, entries int) {
	tb.Helper()
	for id := 1; id <= entries; id++ {
		e := entry(id)
		e.Last = id == entries
		if err := l.Append(context.Background(), turn, e); err != nil {
			tb.Error(err)
			return
		}
	}
}

// live is a number of running turns, each with a reader.
type live struct {
	log *Log
	// readers is the log that they follow, of another process in some benchmarks.
	readers *Log
	turns   []meet.TurnID
	written []int
	sent    []atomic.Int64
	// took has the time that each update took to arrive.
	took chan time.Duration
}

func newLive(b *testing.B, writer, readers *Log, turns int) *live {
	b.Helper()
	l := &live{
		log: writer, readers: readers, written: make([]int, turns), sent: make([]atomic.Int64, turns),
		took: make(chan time.Duration, turns),
	}
	ctx, leave := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range turns {
		l.turns = append(l.turns, meet.TurnID("t-"+rand.Text()))
		check(b, l.log.Append(ctx, l.turns[i], entry(1)))
		check(b, l.log.Append(ctx, l.turns[i], entry(2)))
		l.written[i] = 2
		all.Go(func() {
			_ = l.readers.Follow(ctx, l.turns[i], 0, func(entries ...turn.Entry) error {
				for _, e := range entries {
					l.took <- time.Duration(time.Now().UnixNano() - l.sent[i].Load())
					_ = e
				}
				return nil
			})
		})
	}
	for range 2 * turns {
		<-l.took
	}
	b.Cleanup(func() { leave(); all.Wait() })
	return l
}

// publish writes n updates at the rate, to one turn after the other, and collects the times to their receipt.
func (l *live) publish(tb testing.TB, n int, rate time.Duration) []time.Duration {
	tb.Helper()
	tick := time.NewTicker(rate)
	defer tick.Stop()
	var all sync.WaitGroup
	for k := range n {
		<-tick.C
		i := k % len(l.turns)
		l.written[i]++
		all.Go(func() {
			l.sent[i].Store(time.Now().UnixNano())
			if err := l.log.Append(context.Background(), l.turns[i], entry(l.written[i])); err != nil {
				tb.Error(err)
			}
		})
	}
	all.Wait()
	took := make([]time.Duration, n)
	for k := range took {
		took[k] = <-l.took
	}
	slices.Sort(took)
	return took
}

// BenchmarkPublishToReceive is the time from an update's Write to its reader, at 500 updates a second over all live
// turns.
func BenchmarkPublishToReceive(b *testing.B) {
	url := redistest.Start(b)
	for _, readers := range []string{"same-process", "other-process"} {
		for _, turns := range []int{1000, 5000} {
			b.Run(fmt.Sprintf("%s/%d-turns", readers, turns), func(b *testing.B) {
				prefix := rand.Text()
				writer := openStore(b, Config{URL: url, Prefix: prefix}).Log()
				reader := writer
				if readers == "other-process" {
					reader = openStore(b, Config{URL: url, Prefix: prefix}).Log()
				}
				l := newLive(b, writer, reader, turns)
				// Turns that have just begun are a special case.
				l.publish(b, 750, 2*time.Millisecond)
				const updates = 1000
				var took []time.Duration
				before := cpuTime(b)
				for b.Loop() {
					took = l.publish(b, updates, 2*time.Millisecond)
				}
				b.ReportMetric(micros(cpuTime(b)-before)/float64(b.N*updates), "cpu-µs/update")
				b.ReportMetric(micros(took[updates/2]), "p50-µs")
				b.ReportMetric(micros(took[updates*99/100]), "p99-µs")
			})
		}
	}
}

// BenchmarkResume reads a whole turn of 1,000 updates without other readers.
func BenchmarkResume(b *testing.B) {
	url := redistest.Start(b)
	l := openStore(b, Config{URL: url, Prefix: rand.Text()}).Log()
	writeTurn(b, l, "t", 1000)
	var took []time.Duration
	for b.Loop() {
		begun, got := time.Now(), 0
		check(b, l.Follow(b.Context(), "t", 0, func(entries ...turn.Entry) error {
			got += len(entries)
			return nil
		}))
		if took = append(took, time.Since(begun)); got != 1000 {
			b.Fatalf("%d entries, want 1000", got)
		}
	}
	slices.Sort(took)
	b.ReportMetric(micros(took[len(took)/2]), "p50-µs")
}

// BenchmarkIdleFollower is the memory of a waiting reader and its turn.
func BenchmarkIdleFollower(b *testing.B) {
	l := openStore(b, Config{URL: redistest.Start(b), Prefix: rand.Text()}).Log()
	const turns = 2000
	for b.Loop() {
		before := memory()
		idle := newLive(b, l, l, turns)
		b.ReportMetric(float64(memory()-before)/turns, "B/follower")
		runtime.KeepAlive(idle)
	}
}

func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
