package stages

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

// A turn that is taken over when it had been remembered already is remembered once.
func TestATurnIsRememberedOnce(t *testing.T) {
	t.Parallel()
	before := []meet.Exchange{{User: "coffee", Turn: "t_1"}, {User: "of old"}}
	once := withExchange(before, meet.Exchange{User: "lunch", Assistant: "Noon?", Turn: "t_2"})
	again := withExchange(once, meet.Exchange{User: "lunch", Assistant: "Noon?", Turn: "t_2"})
	if diff := cmp.Diff(once, again); diff != "" || len(once) != 3 {
		t.Errorf("(-once +again):\n%s", diff)
	}
}
