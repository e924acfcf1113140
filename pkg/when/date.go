package when

import (
	"time"

	"convene/pkg/interval"
)

// days is what a phrase says about which days.
type days struct {
	ranges []interval.DateRange
	// weekdays are set where the phrase names days of the week and no week, so that another phrase may name it.
	weekdays []time.Weekday
	// weekly says that the phrase names the next of something that comes every week ("the weekend").
	weekly bool
	// of is the stretch that the days were said to lie in ("next Monday", "in June"), in which weekdays listed with them
	// lie too. Its zero value is none.
	of interval.DateRange
	// whole is all of a stretch whose past days were left out; its zero value is none.
	whole interval.DateRange
	// openEnd says that only the first day was named ("starting Monday"); openStart, that only the last was, and limit
	// is the bound as it was said: Friday in "before Friday".
	openEnd, openStart bool
	limit              interval.Date
	// run says that the first and the last day of several were named.
	run bool
	// monthless says that only the number of the day was named ("the 3rd"), so that another phrase may name the month.
	monthless bool
	// every says that all such days are meant ("Mondays").
	every bool
}

func (d days) empty() bool { return len(d.ranges) == 0 }

func single(d interval.Date) days { return stretch(d, d) }

// longestStretch is how many days one range can have. Nobody plans further, and what walks over the days of a range
// stays quick.
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

func (d days) last() interval.Date { return d.ranges[len(d.ranges)-1].End }

// maxDepth bounds how deeply dates may lean on others: "the day after the day after …".
const maxDepth = 4

// datePhrase reads days with their prepositions: single ones, runs, and those bounded on one side.
func datePhrase(p *parser, i int) (item, int) {
	j := p.past("dateLeads", i)
	j = p.past("dateArticles", j)
	starts := []int{i, j}
	if i == j {
		starts = starts[:1]
	} else if p.is(j-1, "the") && j-1 > i {
		starts = append(starts, j-1)
	}
	for _, start := range starts {
		if d, end := dateRange(p, start); end > start {
			return item{kind: dateItem, days: d}, end
		}
	}
	for _, start := range starts {
		if d, end := p.readDays("bounded", start); end > start {
			return item{kind: dateItem, days: d}, end
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
	best, end = p.orNext(best, p.past("vagueWords", end))
	best, end = p.openedAfter(best, end)
	return item{kind: dateItem, days: best}, end
}

// named reports whether the word of a date is a person's name: "with April", "see May".
func (p *parser) named(from, to int) bool {
	if to != from+1 {
		return false
	}
	// Nobody is called February, and a month that is all there is is no name.
	if m := months[p.at(from).text]; m == 0 || len(p.tokens) == 1 || m > time.August || m == time.February ||
		m == time.July {
		return false
	}
	return !p.besideMonth(from) && !p.is(from-1, "in", "this", "next", "during", "until", "by", "before", "after",
		"of", "to", "early", "late", "mid", "through", "throughout")
}

// date reads one day or one named stretch of days, without prepositions. depth counts how far it leans on others.
func (p *parser) date(i, depth int) (days, int) {
	if depth > maxDepth || !p.opens(i) || p.at(i).kind == mark {
		return days{}, i
	}
	if p.dates[depth] == nil {
		p.dates[depth] = new([8]memo)
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
	best, end := p.plainDate(i)
	before := p.depth
	p.depth = depth
	if d, e := p.readDays("leanings", i); e > end {
		best, end = d, e
	}
	p.depth = before
	return best, end
}

// plainDate reads a date that leans on no other one.
func (p *parser) plainDate(i int) (days, int) {
	m := &p.plain[i%len(p.plain)]
	if m.known && m.from == i {
		return m.days, m.end
	}
	best, end := p.readDays("days", i)
	for _, r := range []func(*parser, int) (days, int){monthDay, ordinalDay} {
		if d, e := r(p, i); e > end {
			best, end = d, e
		}
	}
	*m = memo{true, i, end, best}
	return best, end
}
