package offline

import (
	"slices"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// settled reports whether the template follows the negation at word i: it rules out the day or hour that the negation
// is about, or does not have the person, the place or the activity.
func (a *account) settled(i int, e Expressed) bool {
	if e.Leaves {
		return true
	}
	direct := true
	from := i + a.of("negation", i)
	for j := from; j < len(a.tokens) && j < from+reach && !a.tokens[j].opens && a.of("but", j) == 0; j++ {
		switch t := a.tokens[j]; {
		case t.timed:
			return a.ruledOut(j, e)
		case t.use == expressed && (t.capital || a.of("idle", j) == 0):
			return t.old || e.Excludes // what it names is wanted, unless it is a refused place
		case t.use == unread && direct && (t.capital || a.knows(j) || a.absent[singular(t.lower)]):
			a.mark(j, 1, expressed)
			return true
		}
		direct = direct && a.tokens[j].use == idle
	}
	for j := i - 1; j >= max(0, i-reach) && !a.tokens[j+1].opens; j-- {
		if a.tokens[j].timed {
			return a.ruledOut(j, e)
		}
	}
	return direct && e.Excludes
}

// ruledOut reports whether the template does not want the days of the phrase of time at word i, or lasts as long as it
// says.
func (a *account) ruledOut(i int, e Expressed) bool {
	if e.Excludes {
		return true
	}
	from, to := i, i+1
	for from > 0 && a.tokens[from-1].timed {
		from--
	}
	for to < len(a.tokens) && a.tokens[to].timed {
		to++
	}
	r := when.Read(a.text[a.tokens[from].start:a.tokens[to-1].end], e.Now)
	if len(r.Dates) == 0 && r.Duration > 0 && r.Exact == nil && r.Hours.Empty() {
		return int(r.Duration/time.Minute) == e.Minutes // "no more than an hour"
	}
	if len(r.Dates) == 0 {
		return len(e.Hours) > 0 && !slices.ContainsFunc(slices.Concat(r.Hours.Week[:]...), func(w interval.Window) bool {
			return slices.ContainsFunc(e.Hours, func(o interval.Window) bool {
				return w == o || w.Start < o.End && o.Start < w.End
			})
		})
	}
	return len(e.Days) > 0 && !slices.ContainsFunc(r.Dates, func(d interval.DateRange) bool {
		return overlaps(e.Days, d)
	})
}

// deniesAll reports whether the words from one to another, of which the first is a negation, are all that the message
// says: "I don't want to meet Al this week" wishes for nothing.
func (a *account) deniesAll(from, to int) bool {
	if a.of("negation", from) == 0 || to-from <= 1 {
		return false
	}
	for i, t := range a.tokens {
		if (i < from || i >= to) && t.use != idle && !t.timed {
			return false
		}
	}
	return true
}

// reach is how many words behind a negation what it negates may stand.
const reach = 4
