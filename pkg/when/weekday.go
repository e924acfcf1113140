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

// comesBack reports whether an item is of weekdays on which something is again and again: the phrase says when that
// ends ("Tuesdays until June"), or another weekday follows, and nothing else is said of them ("Mondays and Fridays").
func (p *parser) comesBack(it item) bool {
	first := p.skip(it.from, "on")
	if it.kind != dateItem || !it.days.every && !strings.HasSuffix(p.at(first).text, "days") {
		return false
	}
	for i := first + 1; i < it.to; i++ {
		if p.is(i, "until", "till", "through") {
			return true
		}
	}
	next := p.skip(it.to+1, "on")
	day := strings.TrimSuffix(p.at(next).text, "s")
	_, another := weekdays[day]
	offers := p.is(first-1, "do", "can", "free", "only", "available", "prefer", "are", "is", "either", "both", "all")
	return p.is(it.to, "and") && another && !offers && (p.ends(next+1) || p.is(next+1, "at", "from", "until", "till"))
}
