package rearrange

import (
	"math"
	"slices"
)

// group are items that may come into each other's way.
type group struct {
	choices [][]choice
	// cells is how many stretches of time the ends of all choices make.
	cells int
	// step is what all costs are multiples of, and dear what it costs that an item stays.
	step, dear int
	// best is the best plan so far, total its cost, and bound what every plan costs at least.
	best  []choice
	total int
	bound float64
	// prices are those of the cells in all.
	prices float64
	work   *effort
}

func newGroup(choices [][]choice, work *effort) *group {
	g := &group{choices: choices, work: work}
	var ends []int
	for _, list := range choices {
		for _, c := range list {
			ends = append(ends, c.start, c.end)
		}
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	g.cells = len(ends) - 1
	for i, list := range choices {
		for k := range list {
			c := &g.choices[i][k]
			c.from, _ = slices.BinarySearch(ends, c.start)
			c.to, _ = slices.BinarySearch(ends, c.end)
			c.price = float64(c.cost)
		}
	}
	for _, list := range choices { // all stay: that is always a plan
		g.best = append(g.best, list[len(list)-1])
	}
	g.weigh()
	return g
}

// weigh makes it cost more that an item stays than all items together can cost that move, and counts anew with that.
func (g *group) weigh() {
	g.step = 0
	most := 0
	for i, list := range g.choices {
		dearest := 0
		if best := g.best[i]; !best.stay {
			dearest = best.cost // it may be left out of the choices
		}
		for _, c := range list[:len(list)-1] {
			dearest, g.step = max(dearest, c.cost), divisor(g.step, c.cost)
		}
		most += dearest
	}
	g.step = max(g.step, 1)
	g.dear, g.bound = (most/g.step+1)*g.step, 0
	for _, list := range g.choices {
		last := &list[len(list)-1]
		last.cost, last.price = g.dear, float64(g.dear)
		g.bound += slices.MinFunc(list, byPrice).price
	}
	g.total = g.costs(g.best)
}

// costs is what a plan costs.
func (g *group) costs(picked []choice) (total int) {
	for _, c := range picked {
		if c.stay {
			total += g.dear
		} else {
			total += c.cost
		}
	}
	return total
}

// solve finds the best plan, and reports whether nothing is better.
func (g *group) solve() (least bool) {
	g.place(inTurn(len(g.choices)))
	if g.drop(); g.done() {
		return true
	}
	g.weigh()
	g.negotiate()
	if g.drop(); g.done() {
		return true
	}
	if parts := groups(g.choices); len(parts) > 1 {
		picked, all := solveEach(g.choices, g.work)
		g.take(picked)
		return all
	}
	for slack := 1; ; slack *= 4 { // the best plan mostly costs little more than the bound
		limit := min(g.total, g.least(g.bound)+slack*g.step)
		if all := g.search(limit); !all || g.total < limit || limit == g.total {
			return all
		}
	}
}

// take keeps a plan if it is better.
func (g *group) take(picked []choice) {
	if total := g.costs(picked); total < g.total {
		g.best, g.total = slices.Clone(picked), total
	}
}

// least is a bound, as a multiple of the step.
func (g *group) least(bound float64) int {
	const mistake = 1e-6 // of floating point
	return int(math.Ceil((bound-max(mistake, math.Abs(bound)*1e-9))/float64(g.step))) * g.step
}

func (g *group) done() bool { return g.least(g.bound) >= g.total }

// drop leaves out the choices with which no plan is better than the best one. That each item stays is never left out.
func (g *group) drop() {
	for i, list := range g.choices {
		cheapest := slices.MinFunc(list, byPrice).price
		g.choices[i] = slices.DeleteFunc(list, func(c choice) bool {
			return !c.stay && g.least(g.bound+c.price-cheapest) >= g.total
		})
	}
}

func byPrice(a, b choice) int {
	switch {
	case a.price < b.price:
		return -1
	case a.price > b.price:
		return 1
	}
	return 0
}

// place puts each item where it is cheapest among what is left, in an order. Those that fit nowhere stay, and then the
// others keep out of their way.
func (g *group) place(order []int) {
	stays := make([]bool, len(g.choices))
	for range g.choices {
		if picked, ok := g.placeOnce(order, stays); ok {
			g.take(picked)
			return
		}
	}
}

// placeOnce places the items but for those that stay. It is not ok if another one has to stay that is in the way of one
// that was placed before.
func (g *group) placeOnce(order []int, stays []bool) (picked []choice, ok bool) {
	picked, ok = make([]choice, len(g.choices)), true
	room := newRoom(g.cells)
	for i, list := range g.choices {
		if stays[i] {
			picked[i] = list[len(list)-1]
			room.add(picked[i], 1)
		}
	}
	for _, i := range order {
		if stays[i] {
			continue
		}
		picked[i] = cheapest(g.choices[i], room)
		g.work.spend(4 * len(g.choices[i]))
		if stays[i] = picked[i].stay; stays[i] {
			ok = ok && room.has(picked[i])
		}
		room.add(picked[i], 1)
	}
	return picked, ok
}

// cheapest is the cheapest choice for which there is room; otherwise that the item stays.
func cheapest(list []choice, room room) (best choice) {
	best = list[len(list)-1]
	for _, c := range list {
		if c.price < best.price && room.has(c) {
			best = c
		}
	}
	return best
}

// negotiate raises the prices of what several want, and lowers those of what none wants, as long as the bound grows.
func (g *group) negotiate() {
	rounds := max(20, min(2000, g.work.left/20/(1+g.size())))
	prices, best := make([]float64, g.cells), make([]float64, g.cells)
	stride, since := 1.0, 0
	for round := 0; round < rounds && !g.done() && !g.work.over(); round++ {
		bound, wants := g.offer(prices)
		if bound > g.bound {
			g.bound, since = bound, 0
			copy(best, prices)
		} else if since++; since > 30 {
			stride, since = stride/2, 0
			copy(prices, best)
			continue
		}
		if round%8 == 0 {
			order := g.byStart()
			if round%16 == 0 {
				slices.Reverse(order)
			}
			g.place(order)
		}
		if !adjust(prices, wants, stride*(float64(g.total)-bound)) {
			break
		}
	}
	g.bound, _ = g.offer(best)
}

// byStart are the items by their starts in the best plan.
func (g *group) byStart() []int {
	order := inTurn(len(g.choices))
	slices.SortStableFunc(order, func(a, b int) int { return g.best[a].start - g.best[b].start })
	return order
}

func inTurn(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// adjust changes prices by what several want, or none. It is false if nothing calls for another price.
func adjust(prices []float64, wants []int, stride float64) bool {
	norm := 0.0
	for t, n := range wants {
		if n != 1 && (prices[t] > 0 || n > 1) {
			norm += float64((n - 1) * (n - 1))
		}
	}
	for t, n := range wants {
		if norm > 0 {
			prices[t] = max(0, prices[t]+stride/norm*float64(n-1))
		}
	}
	return norm > 0
}

func (g *group) size() (n int) {
	for _, list := range g.choices {
		n += len(list)
	}
	return n
}

// offer prices the choices, and returns the bound and how many items want each cell. One that stays pays nothing.
func (g *group) offer(prices []float64) (bound float64, wants []int) {
	sums := make([]float64, g.cells+1)
	for t, p := range prices {
		sums[t+1] = sums[t] + p
	}
	g.prices, wants = sums[g.cells], make([]int, g.cells)
	bound = -g.prices
	for i, list := range g.choices {
		cheapest := 0
		for k := range list {
			c := &g.choices[i][k]
			if c.price = float64(c.cost); !c.stay {
				c.price += sums[c.to] - sums[c.from]
			}
			if c.price < list[cheapest].price {
				cheapest = k
			}
		}
		bound += list[cheapest].price
		if c := list[cheapest]; !c.stay {
			for t := c.from; t < c.to; t++ {
				wants[t]++
			}
		}
	}
	g.work.spend(g.size())
	return bound, wants
}

// room is how many items are in each cell: those that move, and those that stay.
type room struct{ moved, stayed []int }

func newRoom(cells int) room { return room{make([]int, cells), make([]int, cells)} }

func (r room) add(c choice, n int) {
	cells := r.moved
	if c.stay {
		cells = r.stayed
	}
	for t := c.from; t < c.to; t++ {
		cells[t] += n
	}
}

// has reports whether a choice is in nobody's way.
func (r room) has(c choice) bool {
	for t := c.from; t < c.to; t++ {
		if r.moved[t] > 0 || !c.stay && r.stayed[t] > 0 {
			return false
		}
	}
	return true
}
