package icalendar

import "time"

const day = 24 * time.Hour

// civilDay is a date with all parts that rules use. The next day costs a few additions, while a time.Time would compute
// each part anew.
type civilDay struct {
	// number counts days; that of the 1st of January 1970 is 0.
	number  int
	year    int
	month   time.Month
	day     int
	yearDay int
	weekday time.Weekday
	// inMonth is the number of days of the month.
	inMonth int
}

const secondsPerDay = 24 * 60 * 60

// numberOf is the number of the wall time's date.
func numberOf(wall time.Time) int {
	seconds := wall.Unix()
	number := seconds / secondsPerDay
	if seconds%secondsPerDay < 0 {
		number--
	}
	return int(number)
}

func dayOf(number int) civilDay {
	wall := time.Unix(int64(number)*secondsPerDay, 0).UTC()
	y, m, d := wall.Date()
	return civilDay{
		number: number, year: y, month: m, day: d, yearDay: wall.YearDay(),
		weekday: wall.Weekday(), inMonth: daysInMonth(y, m),
	}
}

// wall is the date's midnight as a wall time.
func (d *civilDay) wall() time.Time { return time.Unix(int64(d.number)*secondsPerDay, 0).UTC() }

// advance makes d the day after it.
func (d *civilDay) advance() {
	d.number++
	d.day++
	d.yearDay++
	if d.weekday++; d.weekday > time.Saturday {
		d.weekday = time.Sunday
	}
	if d.day > d.inMonth {
		d.nextMonth()
	}
}

// nextMonth makes d, which is one day past its month, the first of the next one.
func (d *civilDay) nextMonth() {
	d.day = 1
	d.month++
	if d.month > time.December {
		d.year, d.month, d.yearDay = d.year+1, time.January, 1
	}
	d.inMonth = daysInMonth(d.year, d.month)
}

// week is the number of d's week, with weeks that begin on first, and the year of that week. Weeks count as in ISO
// 8601: a year's first week is the first with at least four days in it.
func (d *civilDay) week(first time.Weekday) (number, year int) {
	into := int(d.weekday-first+7) % 7
	fourth := dayOf(d.number + 3 - into)
	return (fourth.yearDay-1)/7 + 1, fourth.year
}

// weeksInYear is the number of weeks of a year, with weeks that begin on first: the 28th of December is always in the
// last one.
func weeksInYear(year int, first time.Weekday) (number int) {
	last := dayOf(numberOf(time.Date(year, time.December, 28, 0, 0, 0, 0, time.UTC)))
	number, _ = last.week(first)
	return number
}

func daysInMonth(year int, month time.Month) int {
	switch month {
	case time.April, time.June, time.September, time.November:
		return 30
	case time.February:
		return daysInYear(year) - 337
	default:
		return 31
	}
}

func daysInYear(year int) int {
	if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		return 366
	}
	return 365
}
