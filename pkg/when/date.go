package when

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// days is what a phrase says about which days.
type days struct {
	ranges []interval.DateRange
	// weekdays are set where the phrase names days of the week and no week, so that another phrase may say of which.
	weekdays []time.Weekday
	// weekly says that the phrase names the next of something that comes every week ("the weekend").
	weekly bool
	// of is the stretch that the days were said to lie in ("next Monday", "in June"), in which weekdays listed with them
	// lie too. Its zero value is none.
	of interval.DateRange
	// every says that all such days are meant ("Mondays").
	every bool
}

func (d days) empty() bool { return len(d.ranges) == 0 }

func single(d interval.Date) days { return stretch(d, d) }

// longestStretch is how many days one range can have. Nobody plans further, and what walks over the days of a range stays
// quick.
const longestStretch = 366

func stretch(a, b interval.Date) days {
	if b.Before(a) {
		a, b = b, a
	}
	if a.DaysUntil(b) >= longestStretch {
		b = a.AddDays(longestStretch - 1)
	}
	return days{ranges: []interval.DateRange{{Start: a, End: b}}}
}

func dateOf(t time.Time) interval.Date { return interval.DateOf(t) }

// first and last are the ends of all that the phrase names.
func (d days) first() interval.Date { return d.ranges[0].Start }
func (d days) last() interval.Date  { return d.ranges[len(d.ranges)-1].End }

var weekdays = map[string]time.Weekday{
	"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday,
	"thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
}

// maxDepth bounds how deeply dates may lean on others: "the day after the day after …".
const maxDepth = 4

// openDays is how far a wish with no end reaches ("after the 28th"), in days.
const openDays = 28

// datePhrase reads days with their prepositions: single ones, runs, and those bounded on one side.
func datePhrase(p *parser, i int) (item, int) {
	j := dateLeads.end(p, i)
	j = dateArticles.end(p, j)
	starts := []int{i, j}
	if i == j {
		starts = starts[:1]
	}
	for _, r := range []func(*parser, int) (days, int){dateRange, dateBound} {
		for _, start := range starts {
			if d, end := r(p, start); end > start {
				return item{kind: dateItem, days: d}, end
			}
		}
	}
	best, end := days{}, i
	for _, start := range starts {
		if d, e := p.date(start, 0); e > max(start, end) && !p.named(start, e) {
			best, end = d, e
		}
	}
	if end == i {
		return item{}, i
	}
	return item{kind: dateItem, days: best}, vagueWords.end(p, end)
}

// named reports whether the word of a date is somebody's name: "with April", "see May".
func (p *parser) named(from, to int) bool {
	if to != from+1 {
		return false
	}
	_, month := months[p.at(from).text]
	if !month {
		return false
	}
	return !p.is(from-1, "in", "this", "next", "during", "until", "by", "before", "after", "of", "to", "early", "late", "mid", "through")
}

// dateRange reads "Monday to Wednesday", "between Dec 3 and Dec 10", "from the 3rd through the 5th".
func dateRange(p *parser, i int) (days, int) {
	j := p.skip(i, "from", "between", "starting")
	first, k := p.date(j, 1)
	if k == j || first.empty() {
		return days{}, i
	}
	l := p.skip(k, "to", "through", "until", "-", "–", "—", "and")
	if l == k || p.is(k, "and") && !p.is(i, "between") {
		return days{}, i
	}
	second, end := p.date(p.skip(l, "the"), 1)
	if end <= l || second.empty() || second.every {
		return days{}, i
	}
	last := second.last()
	if behind := last.DaysUntil(first.first()); second.weekly && behind > 0 {
		last = last.AddDays((behind + 6) / 7 * 7)
	}
	return stretch(first.first(), last), end
}

// dateBound reads "after the 28th", "starting Dec 1", "before Friday", "by the end of the month".
func dateBound(p *parser, i int) (days, int) {
	lower := afterDay.end(p, i)
	from := fromDay.end(p, i)
	upper := beforeDay.end(p, i)
	through := throughDay.end(p, i)
	j := max(lower, from, upper, through)
	if j == i {
		return days{}, i
	}
	d, end := p.date(p.skip(j, "the"), 1)
	if end <= p.skip(j, "the") || d.empty() {
		return days{}, i
	}
	switch j {
	case lower:
		start := d.last().AddDays(1)
		return stretch(start, start.AddDays(openDays-1)), end
	case from:
		return stretch(d.first(), d.first().AddDays(openDays-1)), p.skip(end, "on", "onwards", "onward", "forward")
	case upper:
		return p.untilDay(d.first().AddDays(-1)), end
	}
	return p.untilDay(d.last()), end
}

func (p *parser) untilDay(d interval.Date) days {
	if d.Before(p.today) {
		return single(d)
	}
	return stretch(p.today, d)
}

// date reads one day or one named stretch of days, without prepositions. depth counts how far it leans on others.
func (p *parser) date(i, depth int) (days, int) {
	if depth > maxDepth || !p.opens(i) || p.at(i).kind == mark {
		return days{}, i
	}
	m := &p.dates[depth][i%len(p.dates[depth])]
	if m.known && m.from == i {
		return m.days, m.end
	}
	d, end := p.readDate(i, depth)
	*m = memo{true, i, end, d}
	return d, end
}

// memo is what date read at a token.
type memo struct {
	known     bool
	from, end int
	days      days
}

func (p *parser) readDate(i, depth int) (days, int) {
	var best days
	end := i
	for _, r := range []func(*parser, int) (days, int){
		dayWord, weekdayDate, monthDay, ordinalDay, holidayDate, weekPhrase, weekendPhrase, monthPhrase,
		nextDays, nthWeekday,
	} {
		if d, e := r(p, i); e > end {
			best, end = d, e
		}
	}
	if d, e := p.leaning(i, depth); e > end {
		best, end = d, e
	}
	return best, end
}

// dayWord reads "today", "tomorrow", "day after tomorrow", "yesterday".
func dayWord(p *parser, i int) (days, int) {
	switch {
	case p.is(i, "today"):
		return single(p.today), i + 1
	case p.is(i, "tomorrow"):
		return single(p.today.AddDays(1)), i + 1
	case p.is(i, "yesterday"):
		return single(p.today.AddDays(-1)), i + 1
	}
	return days{}, i
}

// weekdayDate reads "Tuesday", "next Friday", "this coming Monday", "Mondays".
func weekdayDate(p *parser, i int) (days, int) {
	j := weekdayLeads.end(p, i)
	t := p.at(j)
	if t.kind != word {
		return days{}, i
	}
	name, plural := t.text, false
	day, ok := weekdays[name]
	if !ok && len(name) > 1 && name[len(name)-1] == 's' {
		if day, ok = weekdays[name[:len(name)-1]]; ok {
			plural = true
		}
	}
	if !ok || p.is(j-1, "the") && !t.capital && p.at(j).end-p.at(j).start == 3 {
		return days{}, i
	}
	nearest := p.meant(day)
	switch {
	case plural || p.is(i, "every"):
		return p.everyWeekday(day), j + 1
	case j > i && p.is(i, "next", "following"):
		monday := p.monday(p.today).AddDays(7)
		d := single(monday.AddDays((int(day) + 6) % 7))
		d.of = interval.DateRange{Start: monday, End: monday.AddDays(6)}
		return d, j + 1
	case j > i && p.is(i, "last"):
		return single(nearest.AddDays(-7)), j + 1
	case j > i && p.is(j-1, "this") && p.today.Weekday() == day:
		return single(p.today), j + 1
	}
	if d, end := p.numberedWeekday(day, j+1); end > j+1 {
		return d, end
	}
	d := single(nearest)
	d.weekdays, d.weekly = []time.Weekday{day}, true
	return d, j + 1
}

// numberedWeekday reads the number behind "Monday 21": the next such day. A number up to 12 is an hour.
func (p *parser) numberedWeekday(day time.Weekday, i int) (days, int) {
	t := p.at(i)
	if t.kind != number || t.digits != 2 || t.value <= 12 || t.value > 31 || p.at(i+1).glued && p.at(i+1).kind != mark ||
		p.is(i+1, ":", "/", "-") && p.at(i+1).glued || p.is(i+1, ".") && p.at(i+2).kind == number && p.at(i+2).glued || p.otherNumber(i+1) {
		return days{}, i
	}
	if _, e := p.meridiem(clock{}, i+1); e > i+1 {
		return days{}, i
	}
	for d, tries := p.today, 0; tries < 400; d, tries = d.AddDays(1), tries+1 {
		if d.Day == t.value && d.Weekday() == day {
			return single(d), i + 1
		}
	}
	return days{}, i
}

// meant is the day that a mere weekday names: that of the week which is talked about, or else the next.
func (p *parser) meant(day time.Weekday) interval.Date {
	if week := p.setting.Week; !week.IsZero() {
		if d := p.monday(week).AddDays((int(day) + 6) % 7); p.today.Before(d) {
			return d
		}
	}
	return p.upcoming(day)
}

// upcoming is the next such weekday after today.
func (p *parser) upcoming(day time.Weekday) interval.Date {
	ahead := (int(day) - int(p.today.Weekday()) + 6) % 7
	return p.today.AddDays(ahead + 1)
}

// everyWeekday is all such weekdays of the coming weeks.
func (p *parser) everyWeekday(named ...time.Weekday) days {
	d := onWeekdays(interval.DateRange{Start: p.today.AddDays(1), End: p.today.AddDays(openDays)}, named)
	d.weekdays, d.every = named, true
	return d
}

// onWeekdays is the days of r that are one of the weekdays.
func onWeekdays(r interval.DateRange, named []time.Weekday) days {
	var d days
	for day := r.Start; !r.End.Before(day); day = day.AddDays(1) {
		if slices.Contains(named, day.Weekday()) {
			d.ranges = append(d.ranges, interval.DateRange{Start: day, End: day})
		}
	}
	return d
}

// monday is the first day of the week of d.
func (p *parser) monday(d interval.Date) interval.Date { return d.AddDays(-(int(d.Weekday()) + 6) % 7) }

// leaning reads dates that are told from another: "the day after Thanksgiving", "the week of Nov 30", "two weeks from
// Monday", "Wednesday before Christmas".
func (p *parser) leaning(i, depth int) (days, int) {
	j := p.skip(i, "the")
	if d, end := p.counted(j, depth); end > j {
		return d, end
	}
	sign, k := 0, j+1
	switch {
	case p.is(k, "after", "following"):
		sign = 1
	case p.is(k, "before", "preceding"):
		sign = -1
	case p.is(k, "of", "containing", "beginning", "starting"):
	default:
		return days{}, i
	}
	day, isWeekday := weekdays[p.at(j).text]
	if !isWeekday && !p.is(j, "day", "week", "weekend") || p.at(j).kind != word {
		return days{}, i
	}
	anchor, end := p.date(p.skip(k+1, "the"), depth+1)
	if end <= p.skip(k+1, "the") || anchor.empty() {
		return days{}, i
	}
	switch {
	case p.is(j, "week"):
		monday := p.monday(anchor.first()).AddDays(7 * sign)
		return stretch(monday, monday.AddDays(6)), end
	case p.is(j, "day") && sign > 0:
		return single(anchor.last().AddDays(1)), end
	case p.is(j, "day") && sign < 0:
		return single(anchor.first().AddDays(-1)), end
	case p.is(j, "day"):
		return anchor, end
	case p.is(j, "weekend"):
		return p.weekendBy(anchor, sign), end
	case sign == 0:
		return onWeekdays(interval.DateRange{Start: anchor.first(), End: anchor.last()}, []time.Weekday{day}), end
	}
	return single(p.weekdayBy(day, anchor, sign)), end
}

// weekdayBy is the closest such weekday after or before the anchor.
func (p *parser) weekdayBy(day time.Weekday, anchor days, sign int) interval.Date {
	if sign > 0 {
		from := anchor.last()
		return from.AddDays((int(day)-int(from.Weekday())+6)%7 + 1)
	}
	from := anchor.first()
	return from.AddDays(-((int(from.Weekday())-int(day)+6)%7 + 1))
}

// weekendBy is the weekend of the anchor, or the closest after or before it.
func (p *parser) weekendBy(anchor days, sign int) days {
	saturday := p.monday(anchor.first()).AddDays(5)
	switch {
	case sign > 0:
		saturday = p.weekdayBy(time.Saturday, anchor, 1)
	case sign < 0:
		saturday = p.weekdayBy(time.Saturday, days{ranges: []interval.DateRange{{Start: anchor.first().AddDays(-1), End: anchor.last()}}}, -1)
	}
	return stretch(saturday, saturday.AddDays(1))
}

// counted reads distances: "in three days", "two weeks from today", "a week after Thanksgiving", "in two weeks".
func (p *parser) counted(i, depth int) (days, int) {
	j := p.skip(i, "in")
	n, k := p.count(j)
	if k == j || n > 500 {
		return days{}, i
	}
	unit, within := p.at(k).text, 0
	switch unit {
	case "day", "days":
	case "week", "weeks":
		n, within = n*7, 7
	case "month", "months":
		within = 7
	default:
		return days{}, i
	}
	k++
	anchor, end := single(p.today), k
	sign := 1
	switch {
	case p.is(k, "from", "after", "following"):
		if end = fromNow.end(p, k); end == k {
			if anchor, end = p.date(p.skip(k+1, "the"), depth+1); end <= k+1 || anchor.empty() {
				return days{}, i
			}
			within = 0
		}
	case p.is(k, "before"):
		if anchor, end = p.date(p.skip(k+1, "the"), depth+1); end <= k+1 || anchor.empty() {
			return days{}, i
		}
		sign, within = -1, 0
	case p.is(k, "out", "hence"):
		end = k + 1
	case j == i:
		return days{}, i
	}
	at := anchor.last().AddDays(sign * n)
	if unit == "month" || unit == "months" {
		at = interval.DateOf(time.Date(anchor.last().Year, anchor.last().Month, anchor.last().Day, 12, 0, 0, 0, time.UTC).AddDate(0, sign*n, 0))
	}
	if within == 7 {
		monday := p.monday(at)
		return stretch(monday, monday.AddDays(6)), end
	}
	return single(at), end
}

// What the rules of this file look for: expressions of one or more words.
var (
	dateLeads = anyOf("on the|on|in the|in|for the|for|at the|over the|over|during the|during|sometime|" +
		"some time|any time|anytime|any day|the|later|maybe|say|to|of|either|any|a")
	dateArticles = anyOf("on the|on|in the|in|during|over the|over|the|either|either on")
	vagueWords   = anyOf("- ish|ish|or so|only")
	afterDay     = anyOf("any time after|anytime after|any day after|sometime after|some time after|after|" +
		"later than|past")
	fromDay = anyOf("starting from|starting on|starting|from|beginning|as of|since|not before|" +
		"no earlier than|any time from|anytime from|on or after")
	beforeDay = anyOf("any time before|anytime before|any day before|sometime before|before|earlier than|" +
		"prior to")
	throughDay   = anyOf("by|until|no later than|not after|not later than|through|up to|on or before")
	weekdayLeads = anyOf("this coming|this upcoming|the coming|coming|upcoming|this|next|following|every|any|" +
		"last")
	fromNow = anyOf("from now|after now")
)
