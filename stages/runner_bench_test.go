package stages_test

import (
	"context"
	"testing"
	"time"

	"convene/pkg/meet"
	"convene/stages"
	"convene/stages/stagestest"
)

// descend goes as deep as a turn does, whose stack takes some 50 KB.
func descend(kilobytes int) (sum int) {
	var frame [1024]byte
	frame[kilobytes] = byte(kilobytes)
	if kilobytes > 0 {
		sum = descend(kilobytes - 1)
	}
	for _, b := range frame {
		sum += int(b)
	}
	return sum
}

// What a turn costs beside what it does, one after the other.
func BenchmarkRunner(b *testing.B) {
	store := &stagestest.Store{}
	queue := &stagestest.Queue{Log: store}
	ended := make(chan struct{})
	r := stages.NewRunner(stages.RunnerPorts{
		Turner: turner(func(context.Context, meet.Turn, stages.Emit) (meet.Outcome, error) {
			descend(50)
			ended <- struct{}{}
			return meet.Outcome{Kind: meet.OutcomeAnswered}, nil
		}),
		Log: store, Ledger: store, Queue: queue, Leases: queue, Now: time.Now,
	}, stages.RunnerConfig{})
	go r.Work(b.Context())
	defer r.Stop(b.Context())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Start(b.Context(), meet.Turn{Message: "coffee"}); err != nil {
			b.Fatal(err)
		}
		<-ended
	}
}
