package fault_test

import (
	"errors"
	"testing"

	"convene/pkg/fault"
)

func TestGuard(t *testing.T) {
	t.Parallel()
	if err := fault.Guard(func() error { panic("broken") }); err == nil || err.Error() != "panic: broken" {
		t.Errorf("a panic gives %v", err)
	}
	broken := errors.New("broken")
	if err := fault.Guard(func() error { return broken }); !errors.Is(err, broken) {
		t.Errorf("an error becomes %v", err)
	}
	if err := fault.Guard(func() error { return nil }); err != nil {
		t.Errorf("success gives %v", err)
	}
}
