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

// longPhrase reads a season, a quarter or a year, or a part of one: "this summer", "Q3", "early 2027", "the second half
// of the year".
func longPhrase(p *parser, i int) (days, int) {
	part, j := p.means("stretchParts", i)
	j = p.skip(j, "-")
	whole, end := p.season(j, j > i)
	if end == j {
		whole, end = p.yearPart(j, j > i)
	}
	if end == j {
		return days{}, i
	}
	d := p.notYetPast(stretchOf(part, whole.first(), whole.last()))
	if part != "" {
		d.whole = interval.DateRange{}
	}
	return d, end
}

// season reads "this summer", "next winter": the one that is not over yet. A bare word is no date, unless a year stands
// behind it or a part of it is meant.
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

// yearPart reads quarters, halves and years: "next quarter", "Q3 2027", "H2", "the second quarter", "next year", "in
// 2028". partial says that a part of it is meant, so that "the year" and "2028" are enough.
func (p *parser) yearPart(i int, partial bool) (days, int) {
	j := p.skip(i, "the")
	january := interval.Date{Year: p.today.Year, Month: time.January, Day: 1}
	n, k := p.ordinal(j)
	digit := p.at(j + 1)
	switch next := p.is(j, "next", "coming", "following", "upcoming"); {
	case (next || p.is(j, "this", "current")) && p.is(p.skip(j+1, "calendar"), "year"):
		if next {
			january.Year++
		}
		return yearFrom(january), p.skip(j+1, "calendar") + 1
	case (next || p.is(j, "this", "current")) && p.is(j+1, "quarter"):
		q := (int(p.today.Month) - 1) / 3
		if next {
			q++
		}
		return monthsFrom(addMonths(january, 3*q), 3), j + 2
	case k > j && p.is(k, "quarter") && n >= 1 && n <= 4 && !p.is(k+1, "hours") && !p.is(k+2, "an", "hours"):
		return p.partOfYear(n, 3, k+1)
	case p.is(j, "q") && digit.glued && digit.kind == number && digit.value >= 1 && digit.value <= 4 && !p.labels(j, j+2):
		return p.partOfYear(digit.value, 3, j+2)
	case p.is(j, "h") && digit.glued && digit.kind == number && digit.value >= 1 && digit.value <= 2 && p.at(j).capital:
		return p.partOfYear(digit.value, 6, j+2)
	case partial && p.is(j, "year", "quarter") && j > i:
		if p.is(j, "quarter") {
			return monthsFrom(addMonths(january, (int(p.today.Month)-1)/3*3), 3), j + 1
		}
		return yearFrom(january), j + 1
	}
	return p.plainYear(i, partial)
}

// labels reports whether a quarter in tokens i to end says of what something is, rather than when: "Q2 planning".
func (p *parser) labels(i, end int) bool {
	if i > 0 && (p.at(i-1).kind == mark || p.opens(i-1)) {
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
	// Where hours are written with a colon, such a number behind "at" is a year.
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
