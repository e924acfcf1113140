package meet_test

import (
	"testing"

	"convene/pkg/meet"
)

func TestNeedsPresence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		template meet.Template
		want     bool
	}{
		{meet.Template{Activity: meet.Lunch, EventType: meet.InPerson}, true},
		{meet.Template{Activity: meet.Lunch, EventType: meet.Video}, false},
		{meet.Template{Activity: meet.Coffee}, false},
		{meet.Template{Activity: meet.Coffee, Wishes: meet.Wishes{Where: meet.Whereabouts{Area: "Mitte"}}}, true},
		{meet.Template{Activity: meet.Custom}, false},
		{meet.Template{Activity: meet.Custom, SuggestedPlaceTypes: []string{"park"}}, true},
		{meet.Template{Activity: meet.Meeting, ActivitySearchQuery: "ramen"}, true},
	} {
		if got := c.template.NeedsPresence(); got != c.want {
			t.Errorf("%+v: %v", c.template, got)
		}
	}
}
