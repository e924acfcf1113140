package rearrange

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/interval"
)

var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return monday.Add(time.Duration(minutes) * time.Minute) }

func span(from, to int) interval.Span { return interval.Span{Start: at(from), End: at(to)} }

// brute is the best of all plans: how many items move, and by how many minutes.
func brute(items []Item, apart time.Duration) (moved, minutes int) {
	step := grid(items)
	all := make([][]choice, len(items))
	for i, item := range items {
		all[i] = append(choicesOf(item, apart, step), choice{
			start: seconds(item.Span.Start), end: seconds(item.Span.End.Add(apart)), stay: true,
		})
	}
	moved, minutes = -1, 0
	var try func(picked []choice, n, cost int)
	try = func(picked []choice, n, cost int) {
		if len(picked) == len(items) {
			if n > moved || n == moved && cost < minutes {
				moved, minutes = n, cost
			}
			return
		}
	next:
		for _, c := range all[len(picked)] {
			for _, o := range picked {
				if c.overlaps(o) {
					continue next
				}
			}
			if c.stay {
				try(append(picked, c), n, cost)
			} else {
				try(append(picked, c), n+1, cost+c.cost/60)
			}
		}
	}
	try(nil, 0, 0)
	return moved, minutes
}

// check fails unless a plan keeps all that it must keep, and returns how many items move.
func check(t *testing.T, items []Item, apart time.Duration, plan Plan) (moved int) {
	t.Helper()
	minutes := 0
	for i, to := range plan.To {
		if to.Empty() {
			continue
		}
		moved++
		minutes += int(to.Start.Sub(items[i].Span.Start).Abs().Minutes())
		if to.Duration() != items[i].Span.Duration() || !items[i].Free.Covers(to) {
			t.Errorf("item %d of %v goes to %v, which is not in %v", i, items[i].Span, to, items[i].Free)
		}
		for j, other := range plan.To {
			if other.Empty() {
				other = items[j].Span
			}
			if i != j && to.Widen(apart, apart).Overlaps(other) {
				t.Errorf("items %d and %d are both at %v and %v", i, j, to, other)
			}
		}
	}
	if minutes != plan.Minutes {
		t.Errorf("the plan says %d minutes, and moves by %d", plan.Minutes, minutes)
	}
	return moved
}

// some are items of some days: each may go to some stretches of a few hours.
func some(r *rand.Rand, n, days, quarters int) []Item {
	items := make([]Item, n)
	for i := range items {
		start, length := r.IntN(days)*1440+12*60+r.IntN(20)*15*(1+r.IntN(2)), 15*(1+r.IntN(6))
		items[i].Span = span(start, start+length)
		var free []interval.Span
		for range 1 + r.IntN(3) {
			from := r.IntN(days)*1440 + 8*60 + r.IntN(quarters)*15
			if r.IntN(6) == 0 {
				from = start - 15*r.IntN(4) // near where it stands
			}
			free = append(free, span(from, from+length+15*r.IntN(quarters)))
		}
		items[i].Free = interval.NewSet(free...)
	}
	return items
}

// mornings are events of the afternoons of a year, each of which may go to any of its mornings.
func mornings(n int) []Item {
	var free []interval.Span
	for day := range 365 {
		free = append(free, span(day*1440+8*60, day*1440+12*60))
	}
	items := make([]Item, n)
	for i := range items {
		start := i*365/n*1440 + 14*60
		items[i] = Item{Span: span(start, start+60), Free: interval.NewSet(free...)}
	}
	return items
}

func solved(tb testing.TB, items []Item, apart time.Duration) Plan {
	tb.Helper()
	plan, err := Solve(tb.Context(), items, apart)
	if err != nil {
		tb.Fatal(err)
	}
	return plan
}

// A plan that nobody waits for any more ends at once, with why.
func TestSolveEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	r := rand.New(rand.NewPCG(7, 7))
	if _, err := Solve(ctx, some(r, 200, 5, 40), 0); !errors.Is(err, gone) {
		t.Errorf("it ends with %v", err)
	}
}

func TestSolveIsAsGoodAsTryingAll(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		items, apart := some(r, 1+r.IntN(5), 1+r.IntN(2), 8), time.Duration(r.IntN(2)*10)*time.Minute
		plan := solved(t, items, apart)
		moved, minutes := brute(items, apart)
		if got := check(t, items, apart, plan); got != moved || plan.Minutes != minutes || !plan.Least {
			t.Errorf("seed %d: %d moved by %d minutes (least: %t), want %d by %d", seed, got, plan.Minutes, plan.Least,
				moved, minutes)
		}
		if t.Failed() {
			return
		}
	}
}

func TestSolve(t *testing.T) {
	t.Parallel()
	morning := interval.NewSet(span(9*60, 12*60))
	for name, c := range map[string]struct {
		items []Item
		apart time.Duration
		want  []interval.Span
	}{
		"none": {nil, 0, []interval.Span{}},
		"the latest hours of the morning": {
			[]Item{{span(14*60, 15*60), morning}, {span(16*60, 17*60), morning}}, 0,
			[]interval.Span{span(10*60, 11*60), span(11*60, 12*60)},
		},
		"with time between": {
			[]Item{{span(14*60, 15*60), morning}, {span(16*60, 17*60), morning}}, 10 * time.Minute,
			[]interval.Span{span(9*60+30, 10*60+30), span(11*60, 12*60)},
		},
		"one fits": {
			[]Item{{span(14*60, 16*60), morning}, {span(16*60, 18*60), morning}}, 0,
			[]interval.Span{span(10*60, 12*60), {}},
		},
		"where it is already": {[]Item{{span(9*60+20, 10*60), morning}}, 0, []interval.Span{span(9*60+20, 10*60)}},
		"on quarters":         {[]Item{{span(12*60+45, 13*60+30), morning}}, 0, []interval.Span{span(11*60+15, 12*60)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := solved(t, c.items, c.apart)
			check(t, c.items, c.apart, got)
			if diff := cmp.Diff(c.want, got.To); diff != "" || !got.Least {
				t.Errorf("least: %t, %s", got.Least, diff)
			}
		})
	}
}

// TestSolveIsBounded: so many events take no longer than the work that is allowed, and the plan says if that was not
// enough.
func TestSolveIsBounded(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	items := some(r, 200, 5, 40)
	for _, work := range []int{1, 1_000_000} {
		plan := solve(items, 0, &effort{left: work, ended: func() bool { return false }})
		check(t, items, 0, plan)
		if work == 1 && plan.Least {
			t.Error("without any work the plan cannot be proven")
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 7))
	for name, items := range map[string][]Item{
		"20 in 20 days": some(r, 20, 20, 16), "60 in 20 days": some(r, 60, 20, 16), "200 in 20 days": some(r, 200, 20, 16),
		"200 in 5 days": some(r, 200, 5, 40), "200 anywhere in a year": mornings(200), "8 in a day": some(r, 8, 1, 16),
	} {
		b.Run(name, func(b *testing.B) {
			var plan Plan
			for b.Loop() {
				plan = solved(b, items, 0)
			}
			least := 0.0
			if plan.Least {
				least = 1
			}
			b.ReportMetric(least, "least")
		})
	}
}
