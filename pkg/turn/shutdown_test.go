package turn_test

import (
	"testing"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
)

// A request that was let in before a shutdown may be accepted after it. Nothing of it is lost where others run it.
func TestATurnAcceptedAtShutdownIsRunByOthers(t *testing.T) {
	t.Parallel()
	store := &turntest.Store{}
	queue := &turntest.Queue{Log: store}
	alone := working(t, turner(answering), &turntest.Store{}, turn.Config{})
	first := working(t, turner(answering), store, turn.Config{Handover: true}, queue)
	second := working(t, turner(answering), store, turn.Config{Handover: true}, queue)
	alone.Stop(t.Context())
	if _, err := alone.Start(t.Context(), meet.Turn{}); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("without others: %v", err)
	}
	first.Stop(t.Context())
	started, err := first.Start(t.Context(), meet.Turn{})
	if err != nil {
		t.Fatal(err)
	}
	if _, outcome := types(t, store, started.ID); outcome != "answered" {
		t.Errorf("outcome %s", outcome)
	}
	second.Stop(t.Context())
}
