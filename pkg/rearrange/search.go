package rearrange

import "slices"

// search looks through the plans of a group that cost less than a limit.
type search struct {
	*group
	limit  int
	room   room
	picked []choice
	taken  []bool
	// cut says that the work ended before all were looked at.
	cut bool
}

// search keeps the best plan that costs less than a limit, and reports whether it has looked at all of them.
func (g *group) search(limit int) (all bool) {
	few := *g
	few.choices = make([][]choice, len(g.choices))
	for i, list := range g.choices {
		few.choices[i] = slices.Clone(list)
		slices.SortStableFunc(few.choices[i], byPrice)
	}
	n := len(g.choices)
	s := &search{group: &few, limit: limit, room: newRoom(g.cells), picked: make([]choice, n), taken: make([]bool, n)}
	s.from(-g.prices)
	g.take(few.best)
	return !s.cut
}

// from looks through the plans with the choices that are taken, whose price is base.
func (s *search) from(base float64) {
	s.work.spend(node * len(s.choices))
	if s.cut = s.cut || s.work.over(); s.cut || s.limit <= s.least(s.bound) {
		return
	}
	bound, first, ok := s.ahead(base)
	if !ok {
		return
	}
	next, ok := s.narrowest(bound, first)
	switch {
	case !ok:
		return
	case next < 0:
		s.take(s.picked)
		s.limit = min(s.limit, s.total)
		return
	}
	s.taken[next] = true
	list := s.choices[next][first[next]:]
	for _, c := range list {
		if s.tooDear(bound, c, list[0]) {
			break
		}
		if s.room.has(c) {
			s.picked[next] = c
			s.room.add(c, 1)
			s.from(base + c.price)
			s.room.add(c, -1)
		}
	}
	s.taken[next] = false
}

// node and look are what it takes of the work to come to an item, and to look at a choice.
const node, look = 40, 8

// ahead are the first choices for which there is room, and what a plan costs at least. It is not ok if an item has
// none.
func (s *search) ahead(base float64) (bound float64, first []int, ok bool) {
	bound, first = base, make([]int, len(s.choices))
	for i, list := range s.choices {
		if s.taken[i] {
			continue
		}
		if first[i] = slices.IndexFunc(list, s.room.has); first[i] < 0 {
			return bound, first, false
		}
		s.work.spend(look * first[i])
		bound += list[first[i]].price
	}
	return bound, first, true
}

// narrowest is the item with the fewest choices, and -1 if all are taken. It is not ok if one has none.
func (s *search) narrowest(bound float64, first []int) (next int, ok bool) {
	fewest := 0
	next = -1
	for i, list := range s.choices {
		if s.taken[i] {
			continue
		}
		n := 0
		for _, c := range list[first[i]:] {
			if s.tooDear(bound, c, list[first[i]]) {
				break
			}
			if s.work.spend(look); s.room.has(c) {
				n++
			}
		}
		if n == 0 {
			return next, false
		}
		if next < 0 || n < fewest {
			next, fewest = i, n
		}
	}
	return next, true
}

// tooDear reports whether no plan with a choice in place of the cheapest one is better than the best.
func (s *search) tooDear(bound float64, c, cheapest choice) bool {
	return s.least(bound+c.price-cheapest.price) >= s.limit
}
