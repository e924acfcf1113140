package when

import (
	"time"

	"convene/pkg/interval"
)

// holiday tells its date of a year.
type holiday func(year int) interval.Date

func fixedDay(m time.Month, day int) holiday {
	return func(year int) interval.Date { return interval.Date{Year: year, Month: m, Day: day} }
}

func nthDay(m time.Month, day time.Weekday, n int) holiday {
	return func(year int) interval.Date { return nthOf(interval.Date{Year: year, Month: m, Day: 1}, day, n) }
}

func off(h holiday, n int) holiday {
	return func(year int) interval.Date { return h(year).AddDays(n) }
}

// easter is Easter Sunday by the Gregorian computus (the form that Meeus gives).
func easter(year int) interval.Date {
	a, b, c := year%19, year/100, year%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	return interval.Date{Year: year, Month: time.Month((h + l - 7*m + 114) / 31), Day: (h+l-7*m+114)%31 + 1}
}

// orthodoxEaster is Easter Sunday by the Julian computus, in today's calendar.
func orthodoxEaster(year int) interval.Date {
	d := (19*(year%19) + 15) % 30
	e := (2*(year%4) + 4*(year%7) - d + 34) % 7
	julian := interval.Date{Year: year, Month: time.Month((d + e + 114) / 31), Day: (d+e+114)%31 + 1}
	return julian.AddDays(year/100 - year/400 - 2)
}

// advent is the fourth Sunday before Christmas.
func advent(year int) interval.Date {
	christmas := interval.Date{Year: year, Month: time.December, Day: 25}
	return christmas.AddDays(-21 - (int(christmas.Weekday())+6)%7 - 1)
}

// victoriaDay is the last Monday before 25 May.
func victoriaDay(year int) interval.Date {
	last := interval.Date{Year: year, Month: time.May, Day: 24}
	return last.AddDays(-((int(last.Weekday()) + 6) % 7))
}

// secretariesDay is the Wednesday of the last full week of April.
func secretariesDay(year int) interval.Date {
	saturday := nthOf(interval.Date{Year: year, Month: time.April, Day: 1}, time.Saturday, -1)
	return saturday.AddDays(-3)
}

// holiday is a holiday or the day before it: the next one, or that of the year behind it.
func (m *match) holiday() days {
	on := func(year int) interval.Date { return m.holidays[m.stretch](year).AddDays(m.n) }
	switch d := on(m.today.Year); {
	case len(m.counts) > 0:
		return single(on(m.counts[0]))
	case d.Before(m.today):
		return single(on(m.today.Year + 1))
	default:
		return single(d)
	}
}
