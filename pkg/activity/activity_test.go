package activity_test

import (
	"errors"
	"strings"
	"testing"

	"convene/pkg/activity"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

func TestLimit(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]int{-1: 5, 0: 5, 3: 3, 50: 50, 51: 50} {
		if got := activity.Limit(meet.ActivityQuery{Limit: limit}); got != want {
			t.Errorf("limit %d gives %d, want %d", limit, got, want)
		}
	}
}

func TestUnavailable(t *testing.T) {
	t.Parallel()
	cause := errors.New("dial tcp 10.0.0.7: refused")
	err := activity.Unavailable(cause)
	f := fault.As(err)
	if f.Code != fault.Unavailable || !f.Retryable || !errors.Is(err, cause) || strings.Contains(f.Message, "10.0.0.7") {
		t.Errorf("got %+v, want a retryable fault with its cause and nothing internal in its message", f)
	}
}
