package redisstore

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/workflow"
)

// BenchmarkWaitingPlans is a plan that starts to wait and is answered, while others wait. "waiting-B" is the memory of
// this process that each of them takes.
func BenchmarkWaitingPlans(b *testing.B) {
	const most = 10_000
	state := []byte(`{"results":"` + strings.Repeat("x", 4000) + `"}`)
	waiting := func(id string, owner meet.PersonID) workflow.Record {
		until := time.Now().Add(24 * time.Hour)
		return workflow.Record{
			Run: workflow.Run{
				ID: id, Status: workflow.Waiting, Words: "clear Friday and tell everybody", Until: &until,
				Question: &meet.Choices{ID: "q-" + id}, Started: time.Now(), Updated: time.Now(),
			},
			Owner: owner, State: state,
		}
	}
	for _, others := range []int{10, most} {
		b.Run(fmt.Sprintf("others=%d", others), func(b *testing.B) {
			s := openStore(b, Config{URL: redistest.Start(b), Prefix: b.Name()})
			runs := s.Runs()
			before := heap()
			for i := range others {
				check(b, runs.Keep(b.Context(), waiting(fmt.Sprintf("pl_other%d", i), meet.PersonID(fmt.Sprint("p", i%100)))))
			}
			held := max(0, float64(heap())-float64(before)) / float64(others)
			for n := 0; b.Loop(); n++ {
				id := fmt.Sprintf("pl_own%d", n)
				check(b, runs.Keep(b.Context(), waiting(id, "p1")))
				_, err := runs.Change(b.Context(), id, func(r *workflow.Record) error {
					return r.Take("q-"+id, "t_1", time.Now())
				})
				check(b, err)
			}
			b.ReportMetric(held, "waiting-B")
		})
	}
}

// heap is what this process holds.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
