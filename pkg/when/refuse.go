package when

import (
	"cmp"
	"slices"
	"time"

	"convene/pkg/interval"
)

// refusedItems tells which items a refusal after them turns down: the days and times right before it, as in "Monday or
// Friday afternoon is out". A whole week or month before them is not part of it.
func (p *parser) refusedItems(items []item) map[int]bool {
	refused := map[int]bool{}
	for n, it := range items {
		if it.kind != refusalItem {
			continue
		}
		end := it.from
		if n > 0 && items[n-1].to == end-1 && p.subject(end-1) {
			end-- // "Tuesday I can't"
		}
		for m := n - 1; m >= 0 && n-m <= maxParts && items[m].to == end && refusable(items[m]); m-- {
			refused[m] = items[m].kind != linkItem
			end = items[m].from
		}
	}
	return refused
}

func refusable(it item) bool {
	switch it.kind {
	case dateItem:
		return len(it.days.weekdays) > 0 || one(it.days)
	case timeItem:
		return true
	case linkItem:
		return it.link == andLink || it.link == orLink
	default:
		return false
	}
}

// refuseHours notes unwanted hours: of the unwanted day right before ("Friday afternoon"), or of every day. A refused
// bound is the opposite bound: "not after 6".
func (a *assembler) refuseHours(it item) {
	if len(a.refused) >= maxParts {
		return
	}
	if n := len(a.refused); n > 0 && a.sawAny && a.sawKind == dateItem && a.link == noLink {
		for _, h := range it.times {
			a.refused[n-1].times = append(a.refused[n-1].times, []hours{h})
		}
		return
	}
	w := wish{}
	if !it.days.empty() {
		w.days = []days{it.days}
	}
	for _, h := range it.times {
		w.times = append(w.times, []hours{h})
	}
	a.refused = append(a.refused, w)
}

// exclude turns what was refused into excluded days and hours.
func (a *assembler) exclude(hint half) {
	for _, w := range a.refused {
		r := a.resolve(w, hint)
		if len(r.windows) == 0 {
			a.excludeDays(w.days)
			continue
		}
		windows := blocked(r, w.length)
		for _, d := range w.days {
			a.excludeHours(d, windows)
		}
		if len(w.days) == 0 {
			for day := range a.reading.ExcludedHours.Week {
				a.reading.ExcludedHours.Week[day] = append(a.reading.ExcludedHours.Week[day], windows...)
			}
		}
	}
}

// blocked widens an unwanted start to the length that was said, or else to the hour that it begins.
func blocked(r resolved, length time.Duration) []interval.Window {
	out := slices.Clone(r.windows)
	for i, w := range out {
		if w.Exact() {
			minutes := cmp.Or(interval.Clock(length/time.Minute), 60)
			if len(r.lengths) == len(out) {
				minutes = interval.Clock(r.lengths[i] / time.Minute)
			}
			out[i].End = min(w.Start+minutes, interval.EndOfDay)
		}
	}
	return out
}

func (a *assembler) excludeDays(all []days) {
	for _, d := range all {
		if len(d.weekdays) > 0 && (d.every || !a.datesSaid() || a.saidWide()) {
			a.reading.ExcludedWeekdays = append(a.reading.ExcludedWeekdays, d.weekdays...)
			continue
		}
		a.reading.ExcludedDates = append(a.reading.ExcludedDates, d.ranges...)
	}
	slices.Sort(a.reading.ExcludedWeekdays)
	a.reading.ExcludedWeekdays = slices.Compact(a.reading.ExcludedWeekdays)
}

func (a *assembler) excludeHours(d days, windows []interval.Window) {
	if len(d.weekdays) > 0 {
		for _, day := range d.weekdays {
			week := &a.reading.ExcludedHours.Week
			week[day] = append(week[day], windows...)
		}
		return
	}
	for _, r := range d.ranges {
		for day := r.Start; !r.End.Before(day) && r.Start.DaysUntil(day) < openDays; day = day.AddDays(1) {
			a.reading.ExcludedHours.On = append(a.reading.ExcludedHours.On, DateHours{day, windows})
		}
	}
}

// besideRefused wishes for the day so many days from the one that was refused last, in a text about no event that
// stands: "Thursday is bad, how about the day after?". It reports whether there is one.
func (a *assembler) besideRefused(n int) bool {
	if n == 0 || len(a.refused) == 0 || !a.p.setting.Start.IsZero() {
		return false
	}
	refused := a.refused[len(a.refused)-1].days
	if len(refused) != 1 || !one(refused[0]) {
		return false
	}
	w, day := a.current(), refused[0].first()
	w.days = slices.DeleteFunc(w.days, func(d days) bool { return one(d) && d.first() == day })
	w.days = append(w.days, single(day.AddDays(n)))
	return true
}
