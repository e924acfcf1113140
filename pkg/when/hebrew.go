package when

import (
	"time"

	"convene/pkg/interval"
)

// The Hebrew calendar, by its own arithmetic: a month is 29 days, 12 hours and 793 parts of 1080 to the hour, nineteen
// years have 235 months, and New Year's Day gives way where holy days would meet the sabbath.

const (
	partsADay = 25920
	// creation is the day before the first of the first year, counted from 1970-01-01.
	creation = -1373428 - 719162
)

// elapsed is how many days have gone by before the year, but for the two rules that keep years from being too long or
// too short.
func elapsed(year int) int {
	months := (235*year - 234) / 19
	days := 29*months + (12084+13753*months)/partsADay
	if 3*(days+1)%7 < 3 {
		days++
	}
	return days
}

// roshHashana is the first day of a Hebrew year.
func roshHashana(year int) interval.Date {
	before, this, next := elapsed(year-1), elapsed(year), elapsed(year+1)
	switch {
	case next-this == 356:
		this += 2
	case this-before == 382:
		this++
	}
	return interval.DateNumber(creation + this)
}

// autumn is the New Year's Day that falls into a Gregorian year, and the length of the Hebrew year that it begins.
func autumn(year int) (first interval.Date, length int) {
	first = roshHashana(year + 3761)
	return first, first.DaysUntil(roshHashana(year + 3762))
}

// passover is the first day of Passover in a Gregorian year: New Year's Day is always 163 days later.
func passover(year int) interval.Date { return roshHashana(year + 3761).AddDays(-163) }

// fromPassover and fromNewYear are the holidays so many days after these two.
func fromPassover(n int) holiday {
	return func(year int) interval.Date { return passover(year).AddDays(n) }
}

func fromNewYear(n int) holiday {
	return func(year int) interval.Date {
		first, _ := autumn(year)
		return first.AddDays(n)
	}
}

// hanukkah is 25 Kislev, behind a Heshvan of 29 or 30 days.
func hanukkah(year int) interval.Date {
	first, length := autumn(year)
	heshvan := 29
	if length%10 == 5 {
		heshvan = 30
	}
	return first.AddDays(30 + heshvan + 24)
}

// tuBishvat is 15 Shevat, 59 days before Passover, or 89 in a leap year.
func tuBishvat(year int) interval.Date {
	if hebrew := year + 3760; (7*hebrew+1)%19 < 7 {
		return passover(year).AddDays(-89)
	}
	return passover(year).AddDays(-59)
}

// holocaustDay is 27 Nisan, moved away from the sabbath.
func holocaustDay(year int) interval.Date {
	return shifted(passover(year).AddDays(12), map[time.Weekday]int{time.Friday: -1, time.Sunday: 1})
}

// israelIndependence is 5 Iyar, moved away from the sabbath together with the memorial day before it.
func israelIndependence(year int) interval.Date {
	return shifted(passover(year).AddDays(20), map[time.Weekday]int{time.Friday: -1, time.Saturday: -2, time.Monday: 1})
}

// tishaBav is 9 Av, or the day behind it where that is a sabbath.
func tishaBav(year int) interval.Date {
	return shifted(passover(year).AddDays(112), map[time.Weekday]int{time.Saturday: 1})
}

func shifted(d interval.Date, by map[time.Weekday]int) interval.Date {
	return d.AddDays(by[d.Weekday()])
}
