package travel

import (
	"time"

	"convene/pkg/geo"
)

// Far is how long a way between two people may be for them to be in one city, or in two that are close. Where it is
// longer, meeting in the middle is a day's journey for somebody, and a video call is what helps.
const Far = 2 * time.Hour

// Apart reports which two people live farthest from each other, by their indexes, where that is farther than Far: the
// first of them with whoever lives farthest from them, and only where nobody lives far from the first, two others. ok
// is false where nobody does. It goes by Model, so that the answer does not depend on whether a router answers. Nil is
// somebody of whom it is not known where they live, who counts as being near the others.
func Apart(homes []*geo.Point) (one, other int, ok bool) {
	longest := Far
	for i, from := range homes {
		if i == 1 && ok {
			return one, other, ok
		}
		for j := i + 1; j < len(homes); j++ {
			if from == nil || homes[j] == nil {
				continue
			}
			if took, _ := (Model{}).Between(*from, *homes[j]); took > longest {
				one, other, ok, longest = i, j, true, took
			}
		}
	}
	return one, other, ok
}
