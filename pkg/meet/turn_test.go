package meet

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An empty circle differs from none, also after the turn was stored.
func TestWhoMayBeMeant(t *testing.T) {
	t.Parallel()
	people := []Person{{ID: "al", Name: "Al"}, {ID: "priya", Name: "Priya"}}
	for _, test := range []struct {
		name   string
		circle []PersonID
		want   []Person
	}{
		{"everybody", nil, people},
		{"some", []PersonID{"priya", "zoe"}, people[1:]},
		{"nobody", []PersonID{}, []Person{}},
	} {
		stored, err := json.Marshal(Turn{Circle: test.circle})
		if err != nil {
			t.Fatal(err)
		}
		var turn Turn
		if err := json.Unmarshal(stored, &turn); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, turn.Within(people)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
