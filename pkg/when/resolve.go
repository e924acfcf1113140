package when

import (
	"cmp"
	"slices"
	"time"

	"convene/pkg/interval"
)

// finish turns wishes into days and windows.
func (a *assembler) finish() {
	a.joinTimeless()
	hint := a.hint
	var said []resolved
	for _, w := range a.wishes {
		said = append(said, a.resolve(w, hint))
	}
	a.lasts(said)
	a.lastsAway(said)
	a.blocks(said)
	a.length(said)
	a.exclude(hint)
	for _, s := range said {
		a.reading.Dates = append(a.reading.Dates, s.ranges...)
	}
	a.dropExcluded()
	a.reading.Dates = merged(a.reading.Dates)
	a.hours(said)
}

// lasts gives an event of several days its days, from the one on which it begins. Where a start was named too, it is
// for a single day.
func (a *assembler) lasts(said []resolved) {
	a.reading.Days = a.span
	if len(a.wishes) != 1 || len(a.wishes[0].days) != 1 {
		return
	}
	d, r := a.wishes[0].days[0], &said[0]
	if a.span >= 7 && !d.openEnd && len(r.windows) == 0 && len(r.ranges) == 1 && r.ranges[0].Start != r.ranges[0].End {
		a.reading.AllDay = true // "all week next week"
		return
	}
	if a.span > 0 && (one(d) || d.openEnd) {
		r.ranges = stretch(d.first(), d.first().AddDays(a.span-1)).ranges
		a.reading.AllDay = a.reading.AllDay || len(r.windows) == 0 && a.span > 1
		return
	}
	if d.openEnd && !d.every && len(r.windows) == 1 && r.windows[0].Exact() && a.starts() {
		r.ranges = single(d.first()).ranges
	}
}

// starts reports whether the text speaks of the day on which the event begins, rather than of the first that would do.
func (a *assembler) starts() bool {
	return slices.ContainsFunc(a.p.tokens, func(t token) bool {
		return t.text == "starting" || t.text == "beginning" || t.text == "starts"
	})
}

// joinTimeless gives times without days to the days before them, as alternatives.
func (a *assembler) joinTimeless() {
	var joined []wish
	for _, w := range a.wishes {
		if n := len(joined); n > 0 && len(w.days) == 0 {
			if len(joined[n-1].times) > 0 || len(w.times) > 0 {
				joined[n-1].times = append(joined[n-1].times, w.times...)
			}
			continue
		}
		joined = append(joined, w)
	}
	a.wishes = slices.DeleteFunc(joined, func(w wish) bool { return len(w.days) == 0 && len(w.times) == 0 })
}

// resolved is a wish in dates and windows.
type resolved struct {
	ranges  []interval.DateRange
	windows []interval.Window
	// about says that the windows bound the start only; lengths are those that "from 2 to 4" named.
	about   bool
	lengths []time.Duration
}

func (a *assembler) resolve(w wish, hint half) resolved {
	var r resolved
	for _, d := range w.days {
		r.ranges = append(r.ranges, d.ranges...)
	}
	today := len(r.ranges) == 1 && r.ranges[0].Start == a.p.today && r.ranges[0].End == a.p.today
	for _, together := range w.times {
		window, about, length := a.combine(together, hint, today)
		window, shift := a.local(together, window, r.ranges)
		if smallHours(together) {
			shift++
		}
		if today && window.Exact() && window.Start == 0 {
			shift++ // midnight of today is over, so that the coming one is meant
		}
		if shift != 0 && len(w.times) == 1 {
			r.ranges = moved(r.ranges, shift)
		}
		r.windows = append(r.windows, window)
		r.about = r.about || about
		if length > 0 {
			r.lengths = append(r.lengths, length)
		}
	}
	return r
}

func moved(ranges []interval.DateRange, by int) []interval.DateRange {
	out := make([]interval.DateRange, len(ranges))
	for i, r := range ranges {
		out[i] = interval.DateRange{Start: r.Start.AddDays(by), End: r.End.AddDays(by)}
	}
	return out
}

// combine makes one window of statements that hold together. A start settles everything else.
func (a *assembler) combine(
	together []hours, hint half, today bool,
) (w interval.Window, about bool, length time.Duration) {
	for _, h := range together {
		if h.kind == during && h.hint != open {
			hint = h.hint
		}
	}
	w = interval.Window{Start: 0, End: interval.EndOfDay}
	bounded := slices.ContainsFunc(together, func(h hours) bool { return h.kind == between })
	for _, h := range together {
		hint := cmp.Or(h.meal, hint)
		switch h.kind {
		case exactly:
			start := a.begins(h.from, together, hint, today)
			if h.from.minutes == int(interval.EndOfDay) {
				start = 0
			}
			return interval.Window{Start: start, End: start}, false, lasting(h.from, together, hint)
		case around:
			mid := a.begins(h.from, together, hint, today)
			return interval.Window{Start: max(mid-slack, 0), End: min(mid+slack, interval.EndOfDay)}, true, 0
		case fromTo:
			span := clocks(h.from, h.to, hint)
			minutes := int(span.End - span.Start)
			if minutes < 0 {
				minutes += int(interval.EndOfDay)
			}
			return interval.Window{Start: span.Start, End: span.Start}, false, time.Duration(minutes) * time.Minute
		case between:
			w = clocks(h.from, h.to, hint)
		case after:
			w.Start = max(w.Start, a.notPast(h.from, hint, today))
		case before, until:
			w.End = min(w.End, h.to.ending(hint))
		case during:
			if !bounded {
				w = overlap(w, h.part)
			}
		}
	}
	if w.End <= w.Start && w.End != 0 {
		// "after 8 in the afternoon": the bound counts, the part does not.
		w.End = interval.EndOfDay
	}
	return w, false, 0
}

// ending is a clock before which something is to be over: nobody who says "done by 7" means the morning.
func (c clock) ending(hint half) interval.Clock {
	if c.half == open && hint == open && c.minutes >= 7*60 && c.minutes < 8*60 {
		return c.in(pm)
	}
	return c.in(hint)
}

// lasting is how long an event is whose start and end were said apart: "start at 2, end at 3:30". It is 0 where no end
// was.
func lasting(from clock, together []hours, hint half) time.Duration {
	for _, h := range together {
		if h.kind != until {
			continue
		}
		if w := clocks(from, h.to, hint); w.Start < w.End {
			return time.Duration(w.End-w.Start) * time.Minute
		}
	}
	return 0
}

func overlap(a, b interval.Window) interval.Window {
	o := interval.Window{Start: max(a.Start, b.Start), End: min(a.End, b.End)}
	if o.End <= o.Start {
		return b
	}
	return o
}

// notPast is a clock said without am or pm, in the evening where its morning is over today.
func (a *assembler) notPast(c clock, hint half, today bool) interval.Clock {
	at := c.in(hint)
	if at >= interval.EndOfDay {
		return interval.EndOfDay - 1
	}
	if today && c.half == open && (hint == open || hint == fed) && at < interval.At(12, 0) &&
		at <= interval.ClockOf(a.p.now) {
		return at + interval.At(12, 0)
	}
	return at
}

// clocks resolves a start and an end together: "from 2-4", "11 to 1pm", "9-5".
func clocks(from, to clock, hint half) interval.Window {
	if from.minutes == int(interval.EndOfDay) {
		from.minutes = 0
	}
	if from.half == open && to.half != open {
		end := to.in(hint)
		for _, h := range []half{pm, am} {
			if start := from.in(h); start < end {
				return interval.Window{Start: start, End: end}
			}
		}
		return interval.Window{Start: from.in(am), End: end}
	}
	start := from.in(hint)
	if to.half != open {
		return interval.Window{Start: start, End: min(to.in(hint), interval.EndOfDay)}
	}
	for _, h := range []half{am, pm} {
		if end := to.in(h); end > start {
			return interval.Window{Start: start, End: end}
		}
	}
	return interval.Window{Start: start, End: to.in(am)}
}

// local moves a window said in another zone's time into the reader's, and says by how many days its start moved.
func (a *assembler) local(together []hours, w interval.Window, ranges []interval.DateRange) (interval.Window, int) {
	var zone *time.Location
	for _, h := range together {
		zone = cmp.Or(zone, h.from.zone, h.to.zone)
	}
	if zone == nil {
		return w, 0
	}
	day := a.p.today
	if len(ranges) > 0 {
		day = ranges[0].Start
	}
	there, _ := day.At(min(w.Start, interval.EndOfDay-1), zone)
	here := there.In(a.p.now.Location())
	if slices.ContainsFunc(together, func(h hours) bool { return h.suits }) {
		if local, ok := awake(interval.ClockOf(here), w); ok {
			return local, 0
		}
		return w, 0
	}
	by := interval.ClockOf(here) - w.Start
	turn := func(c interval.Clock) interval.Clock { return (c + by + 2*interval.EndOfDay) % interval.EndOfDay }
	return interval.Window{Start: turn(w.Start), End: turn(w.End)}, day.DaysUntil(interval.DateOf(here))
}

// length settles how long the event is. "From 2 to 4" names it, unless another length was said: then it names the hours
// between which the event has to lie.
func (a *assembler) length(said []resolved) {
	if len(a.lengths) > 0 {
		a.reading.Duration = a.lengths[0]
	}
	for n := range said {
		r := &said[n]
		if len(r.lengths) == 0 || len(r.windows) != len(r.lengths) {
			continue
		}
		if a.reading.Duration == 0 {
			a.reading.Duration = r.lengths[0]
		}
		for m, l := range r.lengths {
			if l != a.reading.Duration {
				r.windows[m].End = (r.windows[m].Start + interval.Clock(l/time.Minute)) % (interval.EndOfDay + 1)
			}
		}
	}
}

func (a *assembler) datesSaid() bool {
	return slices.ContainsFunc(a.wishes, func(w wish) bool { return len(w.days) > 0 })
}

// saidWide reports whether the days wanted are a stretch of several days that includes a refused weekday.
func (a *assembler) saidWide() bool {
	for _, w := range a.wishes {
		for _, d := range w.days {
			if d.first().DaysUntil(d.last()) >= 2 {
				return true
			}
		}
	}
	return false
}

// dropExcluded moves a wish for something that comes every week on by a week where its next occurrence was refused:
// "a weekend, but not this one".
func (a *assembler) dropExcluded() {
	for _, w := range a.wishes {
		for _, d := range w.days {
			if d.weekly && slices.ContainsFunc(a.reading.ExcludedDates, func(r interval.DateRange) bool {
				return r == d.ranges[0]
			}) {
				i := slices.Index(a.reading.Dates, d.ranges[0])
				if i >= 0 {
					a.reading.Dates[i] = moved(d.ranges[:1], 7)[0]
				}
			}
		}
	}
}

// merged is ranges in order, those that touch or overlap as one. Single days stay apart from each other.
func merged(ranges []interval.DateRange) []interval.DateRange {
	sorted := slices.Clone(ranges)
	slices.SortFunc(sorted, func(a, b interval.DateRange) int {
		return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End))
	})
	var out []interval.DateRange
	for _, r := range sorted {
		if n := len(out); n > 0 && !out[n-1].End.AddDays(1).Before(r.Start) &&
			out[n-1].Start.DaysUntil(r.End) < longestStretch {
			if out[n-1].End.Before(r.End) {
				out[n-1].End = r.End
			}
			continue
		}
		out = append(out, r)
	}
	return out
}

// hours says which windows hold on which days: the same for all where the wishes agree, else by weekday, or by date
// where two wishes speak of the same weekday.
func (a *assembler) hours(said []resolved) {
	var timed []resolved
	for _, s := range said {
		if len(s.windows) > 0 {
			timed = append(timed, s)
			a.reading.About = a.reading.About || s.about
		}
	}
	if len(timed) == 0 {
		return
	}
	first := timed[0].windows
	if len(timed) == len(said) && !slices.ContainsFunc(timed, func(s resolved) bool {
		return !slices.Equal(s.windows, first)
	}) {
		a.reading.Hours.Week = interval.EveryDay(first...)
		if len(first) == 1 && first[0].Exact() {
			a.reading.Exact = &first[0].Start
		}
		return
	}
	if a.byWeekday(said) {
		return
	}
	a.byDate(said)
}

// wholeDay is the window of a day when any time will do.
var wholeDay = interval.Window{Start: 0, End: interval.EndOfDay}

func (r resolved) allowed() []interval.Window {
	if len(r.windows) == 0 {
		return []interval.Window{wholeDay}
	}
	return r.windows
}

// byWeekday sets the hours by weekday, and reports whether no weekday has two different wishes.
func (a *assembler) byWeekday(said []resolved) bool {
	var week interval.Week
	for _, s := range said {
		for day := range s.days {
			if len(week[day.Weekday()]) > 0 && !slices.Equal(week[day.Weekday()], s.allowed()) {
				return false
			}
			week[day.Weekday()] = s.allowed()
		}
	}
	a.reading.Hours.Week = week
	return true
}

func (a *assembler) byDate(said []resolved) {
	for _, s := range said {
		for day := range s.days {
			i := slices.IndexFunc(a.reading.Hours.On, func(h DateHours) bool { return h.Date == day })
			if i < 0 {
				a.reading.Hours.On = append(a.reading.Hours.On, DateHours{day, s.allowed()})
				continue
			}
			a.reading.Hours.On[i].Windows = append(slices.Clone(a.reading.Hours.On[i].Windows), s.allowed()...)
		}
	}
}

// days yields each day of the wish, at most openDays of a range.
func (r resolved) days(yield func(interval.Date) bool) {
	for _, span := range r.ranges {
		for day := span.Start; !span.End.Before(day) && span.Start.DaysUntil(day) < openDays; day = day.AddDays(1) {
			if !yield(day) {
				return
			}
		}
	}
}
