package workflowtest_test

import (
	"testing"

	"convene/pkg/workflow/workflowtest"
)

func TestTheShelf(t *testing.T) {
	t.Parallel()
	workflowtest.Test(t, t.Context(), new(workflowtest.Shelf))
}
