package travel

import (
	"cmp"
	"context"
	"slices"
	"time"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// Person is somebody who comes.
type Person struct {
	// At is where they come from; nil where that is not known, and then they count as being with the others.
	At *geo.Point
	// Mode is how they come. Defaults to Transit.
	Mode Mode
}

// Far is how long a way between two people may be for them to be in one city, or in two that are close. Where it is
// longer, meeting in the middle is a day's journey for somebody, and a video call is what helps.
const Far = 2 * time.Hour

// Apart reports which two people live farthest from each other, by their indexes, where that is farther than Far; ok is
// false where nobody does. People go by car or train there, whatever they use in town.
func Apart(people []Person) (one, other int, ok bool) {
	longest := Far
	for i, p := range people {
		for j := i + 1; j < len(people); j++ {
			if p.At == nil || people[j].At == nil {
				continue
			}
			fastest := min(Model{}.Between(Drive, *p.At, *people[j].At), Model{}.Between(Transit, *p.At, *people[j].At))
			if fastest > longest {
				one, other, ok, longest = i, j, true, fastest
			}
		}
	}
	return one, other, ok
}

// Ways is how long each person takes to each place: a row for each person, nil for one whose location is not known.
type Ways [][]time.Duration

// Find asks the router once for each mode that somebody uses.
func Find(ctx context.Context, router Router, people []Person, places []meet.Place) Ways {
	to := make([]geo.Point, len(places))
	for i, p := range places {
		to[i] = p.Location
	}
	ways := make(Ways, len(people))
	for _, mode := range []Mode{Transit, Walk, Drive} {
		var from []geo.Point
		var who []int
		for i, p := range people {
			if p.At != nil && cmp.Or(p.Mode, Transit) == mode {
				from, who = append(from, *p.At), append(who, i)
			}
		}
		if len(who) == 0 || len(to) == 0 {
			continue
		}
		for n, row := range router.Times(ctx, mode, from, to) {
			ways[who[n]] = row
		}
	}
	return ways
}

// Longest is the longest way that anybody has to the place with that index; 0 where nobody's is known.
func (w Ways) Longest(at int) (longest time.Duration) {
	for _, row := range w {
		if at < len(row) {
			longest = max(longest, row[at])
		}
	}
	return longest
}

// total is what all ways to a place take together.
func (w Ways) total(at int) (total time.Duration) {
	for _, row := range w {
		if at < len(row) {
			total += row[at]
		}
	}
	return total
}

// minutesPerStar is how much longer somebody is on the way for a place that is a star better.
const minutesPerStar = 15

// Fairness is the order of places that is fair: by what the longest way of anybody takes, against which a star of rating
// weighs a quarter of an hour; an unrated place counts as one of place.MinRating. Of two that are as good, the one to
// which all together take less comes first, and then the earlier in the list. What the user named stays first, and what
// lies where they said, ahead of all else. It gives indexes of places; the order of the people does not matter.
func Fairness(places []meet.Place, ways Ways) []int {
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(
			first(places[a].Named, places[b].Named),
			first(places[a].InArea, places[b].InArea),
			cmp.Compare(cost(places[a], ways.Longest(a)), cost(places[b], ways.Longest(b))),
			cmp.Compare(ways.total(a), ways.total(b)))
	})
	return order
}

// first orders what is ahead of what is not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

// cost is in minutes.
func cost(p meet.Place, longest time.Duration) float64 {
	return longest.Minutes() - minutesPerStar*cmp.Or(p.Rating, place.MinRating)
}
