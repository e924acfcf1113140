package candidates

import (
	"testing"

	"convene/pkg/meet"
)

func TestNearMeNamesTheLocation(t *testing.T) {
	t.Parallel()
	home := meet.Person{Location: &meet.Location{Label: "Old Harbor, Springfield"}}
	for _, c := range []struct {
		me         meet.Person
		text, want string
	}{
		{home, "near me", "near Old Harbor"},
		{home, "quiet closer to me not Zuni", "quiet near Old Harbor not Zuni"},
		{home, "near Mendel Park", "near Mendel Park"},
		{meet.Person{}, "cheap near me", "cheap"},
		{home, "", ""},
	} {
		if got := whereaboutsOf(c.me, c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}
