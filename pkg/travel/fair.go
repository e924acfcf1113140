package travel

import (
	"cmp"
	"slices"
	"time"

	"convene/pkg/meet"
)

// minutesPerStar is how much longer a way whoever has the longest may have for a place that is a star better. A place's
// merit counts as its rating does; an unrated place counts as one of meet.MinRating.
const minutesPerStar = 15

// Order is the order of places that is fair: by the longest way that anybody has from home, less what rating and merit
// are worth. Of two that are as good, the one to which all together take less comes first, and then the earlier in the
// list. What the user named stays first, branches of one venue among themselves by the same rule, and what lies where
// they said comes ahead of all else. It gives indexes of places; the order of the guests does not matter.
//
// No place that is nearer to everybody, better rated and more what was looked for stands behind another of its kind.
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

// cost is what a place costs those who come: the longest way less what the place is worth, and all ways together.
type cost struct {
	minutes  float64
	together time.Duration
}

// costs are those of all places. To a place of which it is not known where it is, everybody has as far as anybody to
// any.
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

// standing is 0 for the venue that the user named and its branches, 1 for others of like names, 2 for what lies where
// they said, and 3 for all else.
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
