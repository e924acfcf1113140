package workflowtest_test

import (
	"testing"

	"convene/pkg/workflow/workflowtest"
)

func TestTheShelf(t *testing.T) {
	t.Parallel()
	workflowtest.Test(t.Context(), t, new(workflowtest.Shelf))
}
