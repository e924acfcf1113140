package travel

import (
	"time"

	"convene/pkg/geo"
)

// Far is the longest way between two people of the same or a nearby city. Beyond it, meeting in the middle is a day's
// journey for one of them, and a video call is better.
const Far = 2 * time.Hour

// Apart finds the two people who live farthest from each other, by index, if that is farther than Far: the first person
// with the one farthest away, or else two others. ok is false if there are none. It uses Model, so that the answer does
// not depend on a router. Nil homes are unknown and count as near.
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
