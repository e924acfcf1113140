package when

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

var weekdays = map[string]time.Weekday{
	"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday,
	"thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
}

// dayOfWeekday reads a day with its weekday: "Monday the 24th", "Friday, June 5", "Sunday 8 October". Where the two do
// not go together the date counts.
func dayOfWeekday(p *parser, i int) (days, int) {
	start := i
	i = weekdayLeads.end(p, i)
	if _, ok := weekdays[p.at(i).text]; !ok || p.at(i).kind != word {
		return days{}, start
	}
	if monday, end := p.week(p.skip(p.skip(i+1, "of", "in", "during"), "the"), false); i == start && end > i+1 &&
		thisOrLast(p, end) {
		if d := monday.AddDays(p.inWeek(weekdays[p.at(i).text])); d.Before(p.today) || p.is(end-2, "following") {
			return single(d), end
		}
	}
	j := p.skip(p.skip(i+1, ".", ","), "the")
	for _, r := range []func(*parser, int) (days, int){monthDay, ordinalDay} {
		if d, end := r(p, j); end > j && one(d) {
			return d.falling(weekdays[p.at(i).text]), end
		}
		if p.is(j-1, "the") {
			if d, end := r(p, j-1); end > j && one(d) {
				return d.falling(weekdays[p.at(i).text]), end
			}
		}
	}
	return days{}, start
}

// falling is a day said without its month on the next such weekday, where one is near: "Thursday the 9th" in a month
// whose ninth is no Thursday.
func (d days) falling(day time.Weekday) days {
	if !d.monthless || d.first().Weekday() == day {
		return d
	}
	month := interval.Date{Year: d.first().Year, Month: d.first().Month, Day: 1}
	for range nearMonths {
		month = addMonths(month, 1)
		if n := d.first().Day; n <= monthLength(month.Year, month.Month) && month.AddDays(n-1).Weekday() == day {
			return single(month.AddDays(n - 1))
		}
	}
	return d
}

// nearMonths is how many months ahead such a day is looked for.
const nearMonths = 3

// thisOrLast reports whether a week that ends before token i is this one or the last, whose days may be past.
func thisOrLast(p *parser, i int) bool {
	return p.is(i-1, "week") && p.is(i-2, "this", "last", "previous", "past", "current", "following")
}

// weekdayDate reads "Tuesday", "next Friday", "this coming Monday", "Mondays".
func weekdayDate(p *parser, i int) (days, int) {
	j := weekdayLeads.end(p, i)
	t := p.at(j)
	if t.kind != word {
		return days{}, i
	}
	day, plural, ok := weekdayNamed(t.text)
	if !ok || !t.capital && t.end-t.start == 3 && p.verbal(j) || i == j && p.house(j) {
		return days{}, i
	}
	nearest := p.meant(day)
	switch {
	case plural || p.is(i, "every", "each", "alternate"):
		return p.everyWeekday(day), j + 1
	case j > i && p.is(i, "next", "following"):
		monday := p.weekOf(p.today).AddDays(7)
		d := single(monday.AddDays(p.inWeek(day)))
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
	if p.is(j+1, "next") && p.ends(j+2) && j == i {
		return single(p.weekOf(p.today).AddDays(7 + p.inWeek(day))), j + 2
	}
	if ahead := map[string]int{"week": 7, "fortnight": 14}[p.at(j+1).text]; ahead > 0 &&
		(p.ends(j+2) || p.is(j+2, "at", "from")) {
		return single(nearest.AddDays(ahead)), j + 2
	}
	if p.is(j+1, "after") && p.is(j+2, "next") && j == i {
		return single(nearest.AddDays(7)), j + 3
	}
	return d, j + 1
}

// weekdayNamed is the weekday of a name, which may be in the plural.
func weekdayNamed(name string) (day time.Weekday, plural, ok bool) {
	if day, ok = weekdays[name]; ok {
		return day, false, true
	}
	singular, plural := strings.CutSuffix(name, "s")
	day, ok = weekdays[singular]
	return day, plural, ok && plural
}

// house reports whether the day at token i is the name of a house: "at Friday's on Monday".
func (p *parser) house(i int) bool {
	t := p.at(i)
	return p.is(i-1, "at") && t.end-t.start > len(t.text)+1 && (p.ends(i+1) || p.opens(i+1) || p.is(i+1, "with"))
}

// verbal reports whether the three letters at token i are a word of their own rather than a day: "he sat", "the sun".
func (p *parser) verbal(i int) bool {
	return p.is(i-1, "the", "he", "she", "i", "we", "they", "who", "you", "a", "sur") || p.is(i+1, "down", "screen")
}

// numberedWeekday reads the number behind "Monday 21": the next such day. A number up to 12 is an hour.
func (p *parser) numberedWeekday(day time.Weekday, i int) (days, int) {
	t := p.at(i)
	if t.kind != number || t.digits != 2 || t.value <= 12 || t.value > 31 || p.at(i+1).glued && p.at(i+1).kind != mark ||
		p.is(i+1, ":", "/", "-") && p.at(i+1).glued || p.is(i+1, ".") && p.at(i+2).kind == number && p.at(i+2).glued ||
		p.otherNumber(i+1) {
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
		if d := p.weekOf(week).AddDays(p.inWeek(day)); p.today.Before(d) {
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

// weekdayBy is the closest such weekday after or before the anchor.
func (p *parser) weekdayBy(day time.Weekday, anchor days, sign int) interval.Date {
	if sign > 0 {
		from := anchor.last()
		return from.AddDays((int(day)-int(from.Weekday())+6)%7 + 1)
	}
	from := anchor.first()
	return from.AddDays(-((int(from.Weekday())-int(day)+6)%7 + 1))
}

// nthWeekday reads "the last Friday of the month", "first Monday in December".
func nthWeekday(p *parser, i int) (days, int) {
	j := p.skip(i, "the")
	n, k := p.ordinal(j)
	if p.is(j, "last") {
		n, k = -1, j+1
	}
	day, ok := weekdays[p.at(k).text]
	if ok && p.is(k+1, "from") && p.is(k+2, "now") {
		return days{}, i
	}
	if k == j || !ok || p.at(k).kind != word || n > 5 {
		return days{}, i
	}
	l := p.skip(k+1, "of", "in")
	first, end := p.month(p.skipArticle(l))
	if end == p.skipArticle(l) || l == k+1 && !p.is(end-1, "month") {
		return days{}, i
	}
	d := nthOf(first, day, n)
	if d.Before(p.today) && p.is(p.skipArticle(l), "the", "month", "this") {
		d = nthOf(monthEnd(first.Year, first.Month).AddDays(1), day, n)
	}
	return single(d), end
}

func (p *parser) skipArticle(i int) int {
	if p.phrase(i, "the month") > i {
		return i
	}
	return p.skip(i, "the")
}

// nthOf is the nth such weekday of the month that begins at first; -1 is the last.
func nthOf(first interval.Date, day time.Weekday, n int) interval.Date {
	if n > 0 {
		return first.AddDays((int(day)-int(first.Weekday())+7)%7 + 7*(n-1))
	}
	last := interval.Date{Year: first.Year, Month: first.Month, Day: monthLength(first.Year, first.Month)}
	return last.AddDays(-((int(last.Weekday()) - int(day) + 7) % 7))
}
