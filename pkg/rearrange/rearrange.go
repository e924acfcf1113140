// Package rearrange moves several events at once: no two overlap, as many as possible fit, and their starts move as
// little as possible in all.
package rearrange

import (
	"context"
	"slices"
	"time"

	"convene/pkg/interval"
)

// Item is an event that is to move.
type Item struct {
	// Span is its time as it stands. It stays there if it fits nowhere.
	Span interval.Span
	// Free is the time that suits it, in which all of it must lie.
	Free interval.Set
}

// Plan is where the items go.
type Plan struct {
	// To are their new times, in their order; the zero span is that of an item that fits nowhere and stays.
	To []interval.Span
	// Minutes are the sum by which starts move.
	Minutes int
	// Least says that no other plan moves more items, nor as many by fewer minutes. Otherwise the work has ended before
	// that was proven.
	Least bool
}

// Solve finds the plan. Events have so much time between them; those that stay may overlap each other, as they do now.
// New starts lie on half hours if all the old ones do, otherwise on quarters of an hour. A start that suits already
// stays.
//
// It is branch and bound. Its bound is that of prices: each time has a price for the item that takes it, so that few
// want the same, and then each item goes where it is cheapest for it alone.
//
// The work is bounded; if that ends before the plan is proven, it is the best one found. It ends with an error if ctx
// does.
func Solve(ctx context.Context, items []Item, apart time.Duration) (Plan, error) {
	const most = 50_000_000 // less than a second
	plan := solve(items, apart, &effort{left: most, ended: func() bool { return ctx.Err() != nil }})
	return plan, context.Cause(ctx)
}

// effort is how many steps may still be taken, and whether nobody waits for them any more.
type effort struct {
	left  int
	ended func() bool
	// since is how many were taken since ended was asked.
	since int
}

// spend takes steps of it.
func (e *effort) spend(steps int) {
	const often = 100_000
	e.left -= steps
	if e.since += steps; e.since > often {
		if e.since = 0; e.ended() {
			e.left = 0
		}
	}
}

// over reports whether nothing more may be done.
func (e *effort) over() bool { return e.left <= 0 }

func solve(items []Item, apart time.Duration, work *effort) Plan {
	all, step := make([][]choice, len(items)), grid(items)
	for i, item := range items {
		choices := choicesOf(item, apart, step)
		all[i] = choices[:min(len(choices), nearest(items, i, apart, step))]
	}
	withStays(all, items, apart)
	picked, least := solveEach(all, work)
	inOrder(picked, items)
	plan := Plan{To: make([]interval.Span, len(items)), Least: least}
	for i, c := range picked {
		if c.stay {
			continue
		}
		span := items[i].Span
		plan.To[i] = interval.From(span.Start.Add(time.Duration(c.start-seconds(span.Start))*time.Second), span.Duration())
		plan.Minutes += c.cost / 60
	}
	return plan
}

// inOrder exchanges the times of two items of one length as long as that moves them by no more and they follow each
// other as they did.
func inOrder(picked []choice, items []Item) {
	swaps := func(i, j int) bool {
		a, b, was, then := picked[i], picked[j], items[i].Span, items[j].Span
		if a.stay || b.stay || was.Duration() != then.Duration() || !was.Start.Before(then.Start) || a.start <= b.start {
			return false
		}
		at := func(c choice, s interval.Span) interval.Span {
			return interval.From(s.Start.Add(time.Duration(c.start-seconds(s.Start))*time.Second), s.Duration())
		}
		if !items[i].Free.Covers(at(b, was)) || !items[j].Free.Covers(at(a, then)) {
			return false
		}
		first, second := b.start-seconds(was.Start), a.start-seconds(then.Start)
		first, second = max(first, -first), max(second, -second)
		if first+second > a.cost+b.cost {
			return false
		}
		picked[i], picked[j] = b, a
		picked[i].cost, picked[j].cost = first, second
		return true
	}
	for again := true; again; {
		again = false
		for i := range picked {
			for j := range picked {
				again = swaps(i, j) || again
			}
		}
	}
}

// choice is a time for an item, in seconds, with the time to keep after it.
type choice struct {
	start, end int
	// cost is by how much the start moves, and more than anything for an item that stays.
	cost int
	stay bool
	// from and to are its cells, and price is its cost with what these cost.
	from, to int
	price    float64
}

func (c choice) overlaps(o choice) bool {
	return c.start < o.end && o.start < c.end && (!c.stay || !o.stay)
}

func seconds(t time.Time) int { return int(t.Unix()) }

// grid is what the new starts are multiples of, on the clock.
func grid(items []Item) time.Duration {
	const half = 30 * time.Minute
	for _, item := range items {
		if t := item.Span.Start; pastGrid(t, half) != 0 {
			return half / 2
		}
	}
	return half
}

// pastGrid is how long before t a multiple of a step was, on the clock.
func pastGrid(t time.Time, step time.Duration) time.Duration {
	hour := time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second
	return (hour + time.Duration(t.Nanosecond())) % step
}

// choicesOf are the times for an item, those that are nearest to its own first.
func choicesOf(item Item, apart, step time.Duration) (all []choice) {
	length, zone := item.Span.Duration(), item.Span.Start.Location()
	add := func(start time.Time) {
		s := seconds(start)
		cost := s - seconds(item.Span.Start)
		all = append(all, choice{start: s, end: seconds(start.Add(length + apart)), cost: max(cost, -cost)})
	}
	for _, gap := range item.Free {
		start := gap.Start.In(zone)
		if past := pastGrid(start, step); past > 0 {
			start = start.Add(step - past)
		}
		for ; !start.Add(length).After(gap.End); start = start.Add(step) {
			if !start.Equal(item.Span.Start) {
				add(start)
			}
		}
	}
	if item.Free.Covers(item.Span) {
		add(item.Span.Start)
	}
	slices.SortFunc(all, func(a, b choice) int {
		if a.cost != b.cost {
			return a.cost - b.cost
		}
		return a.start - b.start
	})
	return all
}

// nearest is how many of the times that are nearest to an item's own may matter to it: each other item is in the way of
// so many that, of one more, it could have a nearer one.
func nearest(items []Item, i int, apart, step time.Duration) int {
	n := 2
	for j, other := range items {
		if j != i {
			n += int((items[i].Span.Duration()+other.Span.Duration()+2*apart)/step) + 1
		}
	}
	return n
}

// withStays adds to each item that it stays, as its last choice.
func withStays(all [][]choice, items []Item, apart time.Duration) {
	for i, item := range items {
		all[i] = append(all[i], choice{
			start: seconds(item.Span.Start), end: seconds(item.Span.End.Add(apart)), stay: true,
		})
	}
}

// divisor is the greatest common one.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// groups are items that may come into each other's way, by their indices.
func groups(all [][]choice) [][]int {
	type stretch struct{ start, end, item int }
	var list []stretch
	for i, choices := range all {
		for _, c := range choices {
			list = append(list, stretch{c.start, c.end, i})
		}
	}
	slices.SortFunc(list, func(a, b stretch) int { return a.start - b.start })
	parent := make([]int, len(all))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for k, end, last := 0, 0, 0; k < len(list); k++ {
		s := list[k]
		if k > 0 && s.start < end {
			parent[root(s.item)] = root(last)
		}
		if k == 0 || s.end > end {
			end, last = s.end, s.item
		}
	}
	at, found := map[int]int{}, [][]int{}
	for i := range all {
		r := root(i)
		if _, known := at[r]; !known {
			at[r] = len(found)
			found = append(found, nil)
		}
		found[at[r]] = append(found[at[r]], i)
	}
	return found
}

// solveEach solves each group of items on its own.
func solveEach(all [][]choice, work *effort) (picked []choice, least bool) {
	picked, least = make([]choice, len(all)), true
	for _, members := range groups(all) {
		part := make([][]choice, len(members))
		for k, i := range members {
			part[k] = slices.Clone(all[i])
		}
		g := newGroup(part, work)
		least = g.solve() && least
		for k, i := range members {
			picked[i] = g.best[k]
		}
	}
	return picked, least
}
