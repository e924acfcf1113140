package redisstore

import (
	"testing"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/workflow"
	"convene/pkg/workflow/workflowtest"
)

var _ workflow.Store = Runs{}

func TestRuns(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		store := t.open(Config{}).Runs()
		workflowtest.Test(t.Context(), t, store)
		other := meet.InTenant(t.Context(), "other")
		if _, err := store.Run(other, "pl_1"); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("another tenant finds the run: %v", err)
		}
	})
}
