package turn_test

import (
	"context"
	"testing"
	"time"

	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
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

// The cost of a turn beside its work, one turn after the other.
func BenchmarkRunner(b *testing.B) {
	store := &turntest.Store{}
	queue := &turntest.Queue{Log: store}
	ended := make(chan struct{})
	r := turn.NewRunner(turn.Ports{
		Turner: turner(func(context.Context, meet.Turn, turn.Emit) (meet.Outcome, error) {
			descend(50)
			ended <- struct{}{}
			return meet.Outcome{Kind: meet.OutcomeAnswered}, nil
		}),
		Log: store, Ledger: store, Queue: queue, Leases: queue, Now: time.Now,
	}, turn.Config{})
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
