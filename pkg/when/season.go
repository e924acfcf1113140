package when

import (
	"time"

	"convene/pkg/interval"
)

// seasons are by the day on which they begin in the north.
var seasons = map[string]struct{ first, last calendarDay }{
	"spring": {calendarDay{month: time.March, first: 20}, calendarDay{month: time.June, first: 20}},
	"summer": {calendarDay{month: time.June, first: 21}, calendarDay{month: time.September, first: 23}},
	"autumn": {calendarDay{month: time.September, first: 23}, calendarDay{month: time.December, first: 20}},
	"winter": {calendarDay{month: time.December, first: 21}, calendarDay{month: time.March, first: 20}},
}

// season reads "this summer", "next winter": the one that is not over yet. A bare word is no date, unless a year stands
// after it or a part of it is meant.
func (p *parser) season(i int, partial bool) (days, int) {
	j := p.skip(p.past("seasonLeads", i), "the", "on")
	s, ok := seasons[p.at(j).text]
	if !ok || p.at(j).kind != word {
		return days{}, i
	}
	first := interval.Date{Year: p.today.Year, Month: s.first.month, Day: s.first.first}
	last := interval.Date{Year: p.today.Year, Month: s.last.month, Day: s.last.first}
	if last.Before(first) {
		last.Year++
	}
	year, end := p.year(p.skip(j+1, "of", ","))
	if e := p.past("ofNextYear", j+1); e > j+1 {
		year, end = p.today.Year+1, e
	}
	switch {
	case year > 0:
		last.Year += year - first.Year
		first.Year = year
		return stretch(first, last), end
	case j == i && !partial:
		return days{}, i
	}
	if before := addMonths(last, -12); !before.Before(p.today) {
		first, last = addMonths(first, -12), before
	}
	if last.Before(p.today) || p.is(j-1, "next", "coming", "upcoming") && first.Before(p.today) {
		first.Year, last.Year = first.Year+1, last.Year+1
	}
	return stretch(first, last), j + 1
}

// yearPart reads quarters, halves and years. partial says that a part of it is meant, so that "the year" and "2028" are
// enough.
func (p *parser) yearPart(i int, partial bool) (days, int) {
	d, end := p.readDays("years", i)
	if end == i && partial {
		d, end = p.readDays("partYears", i)
	}
	if end == i {
		return p.plainYear(i, partial)
	}
	return d, end
}

// thisYear is the first day of the year that runs.
func (p *parser) thisYear() interval.Date {
	return interval.Date{Year: p.today.Year, Month: time.January, Day: 1}
}

// nthQuarter is "Q3 2027", "the second quarter", halfYear "H2".
func (m *match) nthQuarter() (d days) {
	digit := m.at(m.to - 1)
	if m.counts[0] < 1 || m.counts[0] > 4 || !m.is(m.to-1, "quarter") && (!digit.glued || m.labels(m.to-2, m.to)) {
		return d
	}
	d, m.to = m.partOfYear(m.counts[0], 3, m.to)
	return d
}

func (m *match) halfYear() (d days) {
	if m.counts[0] < 1 || m.counts[0] > 2 || !m.at(m.to-1).glued || !m.at(m.to-2).capital {
		return d
	}
	d, m.to = m.partOfYear(m.counts[0], 6, m.to)
	return d
}

// labels reports whether a quarter in tokens i to end says of what something is, rather than when: "Q2 planning".
func (p *parser) labels(i, end int) bool {
	switch {
	case p.is(i-1, "about") && !p.is(i-2, "how", "what"):
		return true
	case i > 0 && (p.at(i-1).kind == mark || p.opens(i-1)):
		return false
	}
	t := p.at(end)
	return t.kind == word && !p.opens(end) && !p.ends(end) &&
		!p.is(end, "of", "works", "work", "is", "would", "sounds", "but", "maybe", "if", "with", "when", "was")
}

// plainYear reads the number of a year, where what stands around it says that it is one.
func (p *parser) plainYear(i int, partial bool) (days, int) {
	j := p.phrase(i, "the year")
	if j == i {
		j = p.skip(i, "year")
	}
	year, end := p.year(j)
	if year < p.today.Year || p.at(j).kind != number {
		return days{}, i
	}
	q := p.at(end)
	if half := p.at(end + 1); p.is(end, "q") && half.glued && half.kind == number && half.value >= 1 && half.value <= 4 &&
		(!q.glued || q.capital) {
		return monthsFrom(interval.Date{Year: year, Month: time.Month(3*half.value - 2), Day: 1}, 3), end + 2
	}
	// Where hours are written with a colon, such a number after "at" is a year.
	spoken := p.tongue != english && p.is(i-1, "at", "on") && year%5 != 0
	if !partial && j == i && !p.is(i-1, "in", "during", "of", "throughout") && !spoken {
		return days{}, i
	}
	return yearFrom(interval.Date{Year: year, Month: time.January, Day: 1}), end
}

// partOfYear is the nth stretch of so many months in the year that may be written at token i, or else the one that is
// not over.
func (p *parser) partOfYear(n, months, i int) (days, int) {
	first := interval.Date{Year: p.today.Year, Month: time.Month(months*(n-1) + 1), Day: 1}
	if year, end := p.year(p.skip(i, "of", "in")); year > 0 {
		first.Year = year
		return monthsFrom(first, months), end
	}
	if end := p.past("ofNextYear", i); end > i {
		first.Year++
		return monthsFrom(first, months), end
	}
	if addMonths(first, months).AddDays(-1).Before(p.today) {
		first.Year++
	}
	return monthsFrom(first, months), i
}

func yearFrom(first interval.Date) days { return monthsFrom(first, 12) }

func monthsFrom(first interval.Date, n int) days {
	return stretch(first, addMonths(first, n).AddDays(-1))
}
