// Package hebrew reckons the days of the Hebrew calendar that are kept at one date of it, in the Gregorian calendar.
//
// It is the calendar's own arithmetic: a month is 29 days, 12 hours and 793 parts of 1080 to the hour, nineteen years
// have 235 months, and New Year's Day gives way where holy days would meet the sabbath. A day of it begins on the
// evening before the date that is given here.
package hebrew

import (
	"time"

	"convene/pkg/interval"
)

const (
	partsADay = 25920
	// creation is the day before the first day of the first year, counted from 1970-01-01.
	creation = -1373428 - 719162
)

// elapsed is the number of days before the year, without the two rules that limit the length of years.
func elapsed(year int) int {
	months := (235*year - 234) / 19
	days := 29*months + (12084+13753*months)/partsADay
	if 3*(days+1)%7 < 3 {
		days++
	}
	return days
}

// newYear is the first day of a Hebrew year.
func newYear(year int) interval.Date {
	before, this, next := elapsed(year-1), elapsed(year), elapsed(year+1)
	switch {
	case next-this == 356:
		this += 2
	case this-before == 382:
		this++
	}
	return interval.DateNumber(creation + this)
}

// NewYear is the first day of Rosh Hashanah in a Gregorian year.
func NewYear(year int) interval.Date { return newYear(year + 3761) }

// Passover is the first day of Passover in a Gregorian year: the next New Year's Day is always 163 days later.
func Passover(year int) interval.Date { return NewYear(year).AddDays(-163) }

// Hanukkah is 25 Kislev, after a Heshvan of 29 or 30 days.
func Hanukkah(year int) interval.Date {
	first := NewYear(year)
	heshvan := 29
	if first.DaysUntil(newYear(year+3762))%10 == 5 {
		heshvan = 30
	}
	return first.AddDays(30 + heshvan + 24)
}

// TuBishvat is 15 Shevat, 59 days before Passover, or 89 in a leap year.
func TuBishvat(year int) interval.Date {
	if hebrew := year + 3760; (7*hebrew+1)%19 < 7 {
		return Passover(year).AddDays(-89)
	}
	return Passover(year).AddDays(-59)
}

// HolocaustDay is 27 Nisan, moved away from the sabbath.
func HolocaustDay(year int) interval.Date {
	return shifted(Passover(year).AddDays(12), map[time.Weekday]int{time.Friday: -1, time.Sunday: 1})
}

// IndependenceDay is 5 Iyar, moved away from the sabbath together with the memorial day before it.
func IndependenceDay(year int) interval.Date {
	return shifted(Passover(year).AddDays(20), map[time.Weekday]int{time.Friday: -1, time.Saturday: -2, time.Monday: 1})
}

// TishaBav is 9 Av, or the day after it if that is a sabbath.
func TishaBav(year int) interval.Date {
	return shifted(Passover(year).AddDays(112), map[time.Weekday]int{time.Saturday: 1})
}

func shifted(d interval.Date, by map[time.Weekday]int) interval.Date {
	return d.AddDays(by[d.Weekday()])
}
