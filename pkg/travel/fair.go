package travel

import (
	"cmp"
	"slices"
	"time"

	"convene/pkg/meet"
)

// minutesPerStar is how much longer the longest way may be for a place that is a star better. A place's merit counts as
// its rating does; an unrated place counts as one of meet.MinRating.
const minutesPerStar = 15

// Order ranks places fairly: by the longest way from anyone's home, less the worth of rating and merit. Of two equal
// ones the smaller sum of all ways comes first, and then the earlier in the list. Venues that the user named stay
// first, ranked among themselves by the same rule, and places in the requested area come next. It returns indexes of
// places; the order of the guests does not matter.
//
// No place that is nearer to everyone, better rated and a better match is ranked after another of its group.
func (m *Map) Order() []int {
	order := make([]int, len(m.places))
	costs := m.costs()
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(m.standing(a), m.standing(b)),
			cmp.Compare(costs[a].minutes, costs[b].minutes),
			cmp.Compare(costs[a].together, costs[b].together))
	})
	return order
}

// cost is a place's cost to the guests: the longest way less the place's worth, and the sum of all ways.
type cost struct {
	minutes  float64
	together time.Duration
}

// costs are those of all places. A place without a known location counts as the farthest.
func (m *Map) costs() []cost {
	longest, together := make([]time.Duration, len(m.places)), make([]time.Duration, len(m.places))
	farthest := time.Duration(0)
	for i := range m.places {
		for _, g := range m.guests {
			if g.home != nil {
				longest[i] = max(longest[i], g.home[i])
				together[i] += g.home[i]
			}
		}
		farthest = max(farthest, longest[i])
	}
	costs := make([]cost, len(m.places))
	for i, p := range m.places {
		if nowhere(p) {
			longest[i], together[i] = farthest, farthest*time.Duration(len(m.guests))
		}
		worth := cmp.Or(p.Rating, meet.MinRating) + p.Merit
		costs[i] = cost{longest[i].Minutes() - minutesPerStar*worth, together[i]}
	}
	return costs
}

// standing is 0 for the venue that the user named and its branches, 1 for others of like names, 2 for places in the
// requested area, and 3 for the others.
func (m *Map) standing(at int) int {
	switch p := m.places[at]; {
	case p.Named && p.Name == m.named:
		return 0
	case p.Named:
		return 1
	case p.InArea:
		return 2
	default:
		return 3
	}
}
