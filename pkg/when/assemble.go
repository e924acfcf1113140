package when

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// wish is days with the times wanted on them. Each element of times is one alternative; its statements hold together
// ("in the afternoon, after 3").
type wish struct {
	days  []days
	times [][]hours
	// length is of a refused wish whose start and length were said.
	length time.Duration
	// timesLast says that the times stand after the days, so that a further day begins another wish.
	timesLast bool
}

// assembler puts items together, from left to right.
type assembler struct {
	p       *parser
	reading Reading
	wishes  []wish
	// refused are what must not be.
	refused []wish
	// link is what joined the item before; negated, that a negation reaches this far, and the kind of the last item.
	link    link
	negated bool
	// exception says that the negation takes days out of others.
	exception bool
	sawKind   itemKind
	sawAny    bool
	negStart  int
	// lastEnd is the token after the item before.
	lastEnd int
	lengths []time.Duration
	// hint is the half of the day that the whole text suggests for a bare hour.
	hint half
	// sure is the confidence so far, 0 before anything was read.
	sure float64
	// marked is the token after the last entity.
	marked int
	// firstTimed is the first token of the first day or time that is wished.
	firstTimed int
	// lastTime is the token after the time before.
	lastTime int
	// span is how many days the event was said to last.
	span int
}

// maxParts bounds how many wishes, days and times of one text count, so that reading stays linear. No person says more.
const maxParts = 32

func assemble(p *parser, items []item) Reading {
	a := &assembler{p: p, hint: p.mealHint()}
	p.markOrigins(items)
	refused := p.refusedItems(items)
	for n, it := range items {
		if a.negated && (!a.reaches(it) || a.corrects(items, n)) {
			a.negated = false
		}
		if refused[n] && !a.negated {
			a.negated, a.sawAny, a.negStart, a.exception = true, false, it.from, false
		}
		if it.origin {
			a.mark(it)
			a.lastEnd = it.to
			continue
		}
		switch it.kind {
		case linkItem:
			a.linked(it.link)
		case negationItem:
			a.negated, a.sawAny, a.negStart, a.exception = true, false, it.from, it.exception
		case refusalItem:
			a.negated = false
		case busyItem:
			a.busy(it)
		case notThisItem:
			a.notThis()
		case withdrawnItem, correctionItem, unreadItem, zoneItem:
		case dateItem:
			a.date(it)
		case timeItem:
			a.time(it)
		default:
			a.plain(it)
		}
		a.lastEnd = it.to
		if it.kind != linkItem && it.kind != negationItem {
			a.link = noLink
		}
		a.mark(it)
		a.doubt(it)
	}
	a.finish()
	a.reading.Confidence = a.sure
	return a.reading
}

// reaches reports whether the negation before still covers an item: nothing but fillers stands between, and after an
// "and" only what is of the same kind.
func (a *assembler) reaches(it item) bool {
	for i := min(a.lastEnd, it.from); i < it.from; i++ {
		if a.p.at(i).kind != mark && !a.p.has("fillers", i) {
			return false
		}
	}
	if it.kind == linkItem {
		return it.link != stopLink && it.link != butLink
	}
	if a.exception && a.sawAny && a.sawKind == dateItem && it.kind == timeItem && it.times[0].kind == exactly {
		return false
	}
	return a.link != andLink && a.link != commaLink || !a.sawAny || a.sawKind == it.kind && !bounded(it)
}

func bounded(it item) bool {
	return it.kind == timeItem && slices.ContainsFunc(it.times, func(h hours) bool {
		return h.kind == after || h.kind == before
	})
}

func (a *assembler) linked(l link) {
	// "Tuesday, or Wednesday": the stronger link counts.
	if a.link == noLink || l == orLink || l == stopLink || l == butLink {
		a.link = l
	}
}

// plain takes what goes with no day.
func (a *assembler) plain(it item) {
	switch it.kind {
	case lengthItem:
		a.lengths = append(a.lengths, it.length)
	case travelItem:
		a.reading.Travel, a.reading.TravelSide = it.length, it.side
	case shiftItem:
		if w := a.current(); it.shift == (Shift{Days: 1}) && (a.link == orLink || a.link == andLink) && len(w.days) > 0 {
			w.days = append(w.days, single(w.days[len(w.days)-1].last().AddDays(1))) // "tomorrow or the day after"
			return
		}
		if !a.besideRefused(it.shift.Days) {
			a.reading.Shift = it.shift
		}
	case soonItem:
		a.reading.Soonest = true
	case allDayItem:
		a.reading.AllDay = true
	case spanItem:
		a.span = it.count
	case nowItem:
		a.reading.Moment = &it.moment
	case noDayItem:
		if len(a.reading.NoSuchDays) < maxParts {
			a.reading.NoSuchDays = append(a.reading.NoSuchDays, it.name)
		}
	default:
	}
}

var entityKinds = map[itemKind]Kind{
	dateItem: KindDate, timeItem: KindTime, lengthItem: KindDuration, travelItem: KindTravel, shiftItem: KindShift,
	soonItem: KindTime, allDayItem: KindTime, spanItem: KindDuration, refusalItem: KindExclusion, noDayItem: KindNoDay,
	correctionItem: KindWithdrawn, withdrawnItem: KindWithdrawn, busyItem: KindExclusion, unreadItem: KindUnexpressed,
	zoneItem: KindTime,
}

// mark notes the item's place in the text.
func (a *assembler) mark(it item) {
	kind, ok := entityKinds[it.kind]
	if !ok {
		return
	}
	from := it.from
	if a.negated && (it.kind == dateItem || it.kind == timeItem) {
		kind = KindExclusion
		if !a.sawMarked() {
			from = a.negStart
		}
	}
	every := a.p.comesBack(it)
	for i := from - 1; i <= from+1; i++ { // also after a preposition
		every = every || a.p.is(i, "every", "each")
	}
	for from > a.marked && a.p.is(from-1, "only", "any", "every", "each", "all", "day") &&
		(!a.p.is(from-1, "day") || a.p.is(from-2, "any", "every")) {
		from--
	}
	a.marked = it.to
	e := Entity{Kind: kind, Start: a.p.tokens[from].start, End: a.p.tokens[it.to-1].end, Days: it.days.whole, Every: every}
	if n := len(a.reading.Entities); n > 0 {
		// Words of another order share their place in the text.
		e.Start = max(e.Start, a.reading.Entities[n-1].End)
	}
	if e.Start < e.End {
		a.reading.Entities = append(a.reading.Entities, e)
	}
}

// sawMarked reports whether the running negation is in an entity already.
func (a *assembler) sawMarked() bool {
	n := len(a.reading.Entities)
	return n > 0 && a.reading.Entities[n-1].End > a.p.tokens[a.negStart].start
}

// date puts days where they belong: into what is refused, into the wish that runs, or into a new one.
func (a *assembler) date(it item) {
	d := it.days
	if a.negated && (a.frames(d) || a.sawAny && a.p.is(it.to, "instead", "works", "rather")) {
		a.negated = false
	}
	if a.negated {
		if len(a.refused) < maxParts {
			a.refused = append(a.refused, wish{days: []days{d}})
		}
		a.sawAny, a.sawKind = true, dateItem
		return
	}
	if d.openStart && a.reading.Before == nil {
		a.reading.Before = &d.limit
	}
	if len(a.wishes) == 0 {
		a.firstTimed = it.from
	}
	w := a.current()
	switch {
	case len(w.days) >= maxParts || len(a.wishes) >= maxParts:
	case a.closes(w, d):
	case len(w.days) == 0:
		w.days = append(w.days, d)
	case a.narrows(w, d):
	case a.frame(w, d):
	case len(w.times) > 0 && w.timesLast:
		a.wishes = append(a.wishes, wish{days: []days{a.sameWeek(w, d)}})
	default:
		w.days = append(w.days, a.sameWeek(w, d))
	}
}

// frames reports whether the days say in which stretch the refused weekdays before them lie: "any day but Tuesday next
// week" wants next week.
func (a *assembler) frames(d days) bool {
	n := len(a.refused)
	return a.sawAny && a.sawKind == dateItem && n > 0 && a.link != andLink && a.link != orLink &&
		wide(d) && len(d.weekdays) == 0 && weekdaysOf(a.refused[n-1].days) != nil
}

// closes gives a stretch whose first day was named its last: "starting Monday and ending on Friday".
func (a *assembler) closes(w *wish, d days) bool {
	n := len(w.days)
	if n == 0 || !d.openStart || !w.days[n-1].openEnd {
		return false
	}
	first := w.days[n-1].first()
	last := d.last()
	for last.Before(first) {
		last = last.AddDays(7)
	}
	w.days[n-1] = stretch(first, last)
	return true
}

// current is the wish that runs.
func (a *assembler) current() *wish {
	if len(a.wishes) == 0 {
		a.wishes = append(a.wishes, wish{})
	}
	return &a.wishes[len(a.wishes)-1]
}

// sameWeek moves a weekday into the stretch that the one listed before it was said to lie in.
func (a *assembler) sameWeek(w *wish, d days) days {
	before := w.days[len(w.days)-1]
	d = a.p.everyOne(before, d)
	if before.of.Start.IsZero() || len(d.weekdays) == 0 || !d.of.Start.IsZero() {
		return d
	}
	moved := onWeekdays(before.of, d.weekdays)
	moved.of = before.of
	return moved
}

// narrows combines days of the week with the stretch that names the week: "Tuesday or Wednesday next week". It
// reports whether it did.
func (a *assembler) narrows(w *wish, d days) bool {
	if a.link == orLink || len(w.days) == 0 {
		return false
	}
	if a.link == andLink && wide(d) && len(d.weekdays) == 0 {
		return a.goesOn(w, d)
	}
	if named := weekdaysOf(w.days); named != nil && wide(d) && len(d.weekdays) == 0 {
		narrowed := inStretch(d, named)
		if narrowed.empty() {
			return false
		}
		w.days = []days{narrowed}
		return true
	}
	last := len(w.days) - 1
	if within := a.within(w.days[last], d); !within.empty() {
		w.days[last] = within
		return true
	}
	if stretch := w.days[last]; len(d.weekdays) > 0 && wide(stretch) && len(stretch.weekdays) == 0 {
		narrowed := inStretch(stretch, d.weekdays)
		if narrowed.empty() {
			return false
		}
		w.days[last] = narrowed
		return true
	}
	// "Thursday, December 3rd" is one day, and the date says which.
	if a.link == orLink || a.link == andLink || a.p.is(a.lastEnd-1, "and") {
		return false
	}
	before := w.days[last]
	if len(before.weekdays) == 1 && !before.every && one(d) && len(d.weekdays) == 0 &&
		(a.link == noLink || d.first().Weekday() == before.weekdays[0]) {
		w.days[last] = d
		return true
	}
	if len(d.weekdays) == 1 && !d.every && one(before) && before.first().Weekday() == d.weekdays[0] {
		return true
	}
	return slices.Equal(before.ranges, d.ranges)
}

// within is the part of a stretch that days after it name: "next month, starting on the 12th", "this weekend, on
// Saturday". It is empty where they name none.
func (a *assembler) within(stretch, d days) days {
	switch {
	case d.monthless && one(d) && wide(stretch) && stretch.first().DaysUntil(stretch.last()) < 31 && a.link == noLink:
		for day := range (resolved{ranges: stretch.ranges}).days {
			if day.Day == d.first().Day {
				return single(day)
			}
		}
	case d.openEnd && wide(stretch) && !d.first().Before(stretch.first()) && !stretch.last().Before(d.first()):
		return d
	case d.openEnd && len(d.weekdays) == 0 && wide(stretch) && d.first().Before(stretch.first()):
		first := stretch.first()
		first.Day = d.first().Day
		if first.Before(stretch.first()) || stretch.last().Before(first) {
			return days{}
		}
		return from(first)
	case len(d.weekdays) == 1 && a.link != orLink && a.link != andLink && len(stretch.weekdays) == 2 && stretch.weekly &&
		slices.Contains(stretch.weekdays, d.weekdays[0]):
		return onWeekdays(interval.DateRange{Start: stretch.first(), End: stretch.last()}, d.weekdays)
	}
	return days{}
}

// weekdaysOf are the days of the week that all of ds name; nil where one of them names something else.
func weekdaysOf(ds []days) []time.Weekday {
	var named []time.Weekday
	for _, d := range ds {
		if len(d.weekdays) == 0 {
			return nil
		}
		named = append(named, d.weekdays...)
	}
	return named
}

// wide reports whether the days are a stretch that a weekday can narrow.
func wide(d days) bool { return len(d.ranges) == 1 && d.first().DaysUntil(d.last()) >= 3 }

// one reports whether the days are a single one.
func one(d days) bool { return len(d.ranges) == 1 && d.first() == d.last() }

// time puts hours where they belong: a refinement of the hours before, an alternative to them, or those of a new wish.
func (a *assembler) time(it item) {
	if a.negated {
		a.refuseHours(it)
		a.sawAny, a.sawKind = true, timeItem
		return
	}
	if len(it.times) == 1 && it.times[0].kind == until && len(a.wishes) == 0 {
		end := it.times[0].to.in(open)
		a.reading.EndsAt = &end
	}
	a.served(it)
	if len(a.wishes) == 0 {
		a.firstTimed = it.from
	}
	if !it.moment.IsZero() {
		a.reading.Moment = &it.moment
	}
	w := a.current()
	if len(w.times) >= maxParts || len(a.wishes) >= maxParts || len(a.last(w)) >= maxParts {
		return
	}
	alternative := len(w.times) > 0 && (a.link == orLink || (a.link == andLink || a.link == commaLink) &&
		sameSort(w.times, it.times))
	if alternative && len(w.days) > 0 {
		a.wishes = append(a.wishes, wish{})
		w = a.current()
	}
	if !it.days.empty() {
		w.days = addDays(w.days, it.days)
	}
	if len(w.times) == 0 || alternative {
		for _, h := range it.times {
			w.times = append(w.times, []hours{h})
		}
	} else {
		for n := range w.times {
			w.times[n] = append(w.times[n], it.times...)
		}
	}
	w.timesLast = len(w.days) > 0
}

// served notes the meal of a time. The first time of a text goes with whatever the text is about; a further one, with
// the meal right before it.
func (a *assembler) served(it item) {
	if a.lastTime > 0 {
		meal := a.p.mealBefore(a.lastTime, it.from)
		for n := range it.times {
			it.times[n].meal = meal
		}
	}
	a.lastTime = it.to
}

// last are the statements of the wish's last alternative.
func (a *assembler) last(w *wish) []hours {
	if len(w.times) == 0 {
		return nil
	}
	return w.times[len(w.times)-1]
}

func addDays(all []days, d days) []days {
	for _, before := range all {
		if slices.Equal(before.ranges, d.ranges) {
			return all
		}
	}
	return append(all, d)
}

// sameSort reports whether two times side by side are alternatives rather than refinements: two starts, or two parts of
// the day.
func sameSort(times [][]hours, more []hours) bool {
	last := times[len(times)-1]
	return len(last) > 0 && len(more) > 0 && last[len(last)-1].kind == more[0].kind && more[0].kind != after &&
		more[0].kind != before
}

// notThis moves the last wish for something that comes every week on by a week.
func (a *assembler) notThis() {
	w := a.current()
	n := len(w.days)
	if n == 0 {
		return
	}
	switch last := &w.days[n-1]; {
	case last.weekly:
		last.ranges = moved(last.ranges, 7)
	case last.every:
		next := a.p.weekOf(a.p.today).AddDays(7)
		last.ranges = slices.DeleteFunc(last.ranges, func(r interval.DateRange) bool { return r.Start.Before(next) })
	}
}
