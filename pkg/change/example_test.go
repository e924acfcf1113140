package change_test

import (
	"context"
	"fmt"

	"convene/pkg/change"
	"convene/pkg/meet"
)

func Example() {
	w, ctx := newWorld(1), context.Background()
	d := w.desk()
	brunch := []meet.Change{w.retitle("t0", "Brunch")}
	set, _, err := d.Propose(ctx, change.Draft{Owner: me, Key: "turn-1", Changes: brunch})
	fmt.Println(set.Status, w.titles()["t0"], err)
	applied, err := d.Confirm(ctx, set.ID, change.Confirmation{Digest: set.Digest})
	fmt.Println(applied.Outcome, w.titles()["t0"], err)
	_, err = d.Undo(ctx, set.ID)
	fmt.Println(w.titles()["t0"], err)
	// Output:
	// pending Thing 0 <nil>
	// applied Brunch <nil>
	// Thing 0 <nil>
}
