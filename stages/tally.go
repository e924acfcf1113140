package stages

import (
	"slices"
	"sync"
	"time"

	"convene/pkg/llm"
	"convene/pkg/meet"
)

// tally collects a turn's receipt. Stages that run side by side may use it at the same time.
type tally struct {
	mu       sync.Mutex
	receipt  meet.Receipt
	repaired bool
	// fellBack says that the last call was not answered by the configured model.
	fellBack bool
}

// stage times one stage, until end is called.
func (t *tally) stage(name string) (end func()) {
	begun := time.Now()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		ms := float64(time.Since(begun).Microseconds()) / 1000
		t.receipt.Stages = append(t.receipt.Stages, meet.StageTime{Name: name, Ms: ms})
	}
}

// resume goes on with the bill of an earlier attempt.
func (t *tally) resume(kept meet.Receipt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.receipt = kept
}

// called counts a model call, and notes if another model than the configured one answered.
func (t *tally) called(reply llm.Reply) {
	t.mu.Lock()
	t.receipt.ModelCalls++
	t.fellBack = reply.Degraded == llm.FellBack
	t.receipt.Tokens.Input += reply.Usage.Input
	t.receipt.Tokens.Cached += reply.Usage.Cached
	t.receipt.Tokens.Output += reply.Usage.Output
	t.mu.Unlock()
	if reply.Degraded != "" {
		t.degraded(reply.Degraded)
	}
}

// lastFellBack reports whether the built-in model answered the last call in place of the configured one.
func (t *tally) lastFellBack() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fellBack
}

// mayRepair allows one repair a turn.
func (t *tally) mayRepair() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	may := !t.repaired
	t.repaired = true
	return may
}

// removed counts something that a check rejected.
func (t *tally) removed(reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.receipt.Removed == nil {
		t.receipt.Removed = map[string]int{}
	}
	t.receipt.Removed[reason]++
}

// degraded notes a failure, once each.
func (t *tally) degraded(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.receipt.Degraded, what) {
		t.receipt.Degraded = append(t.receipt.Degraded, what)
	}
}

func (t *tally) total() meet.Receipt {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.receipt
}
