package change_test

import (
	"strings"
	"testing"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// A set that no record should hold is refused: it is saved after each of its changes.
func TestASetThatIsTooLarge(t *testing.T) {
	t.Parallel()
	w := newWorld(1)
	c := w.retitle("t0", strings.Repeat("x", 5<<20))
	_, _, err := w.desk().Propose(t.Context(), change.Draft{Owner: me, Key: "1", Changes: []meet.Change{c}, Heard: true})
	if fault.CodeOf(err) != change.Refused {
		t.Errorf("got %v", err)
	}
}
