package when

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"time"

	"convene/pkg/holiday/hebrew"
	"convene/pkg/interval"
)

// holidayNames are the days with a name of their own; what a line means is told in the file.
//
//go:embed en/holidays.txt
var holidayNames string

// movable are the days from which others are counted.
var movable = map[string]holiday{
	"easter": easter, "orthodox": orthodoxEaster, "advent": advent, "victoria": victoriaDay, "secretaries": secretariesDay,
	"chinese": chineseNewYear, "newyear": hebrew.NewYear, "passover": hebrew.Passover, "hanukkah": hebrew.Hanukkah,
	"tubishvat": hebrew.TuBishvat, "holocaust": hebrew.HolocaustDay, "independence": hebrew.IndependenceDay,
	"tishabav": hebrew.TishaBav,
}

// holidayOf reads a day of the file: "july 4", "november thursday 4 +1", "easter -2", "islamic 9/1".
func holidayOf(words []string) holiday {
	var days []int
	for _, w := range words[1:] {
		for n := range strings.SplitSeq(w, "/") {
			if number, err := strconv.Atoi(n); err == nil {
				days = append(days, number)
			}
		}
	}
	days = append(days, 0, 0)
	month, named := months[words[0]]
	weekday, nth := time.Sunday, false
	if len(words) > 1 {
		weekday, nth = weekdays[words[1]]
	}
	switch {
	case nth:
		return off(nthDay(month, weekday, days[0]), days[1])
	case named:
		return off(fixedDay(month, days[0]), days[1])
	case words[0] == "islamic":
		return islamic(days[0], days[1])
	default:
		return off(movable[words[0]], days[0])
	}
}

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

// holiday is a holiday or the day before it: the next one, or that of the year after it.
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

// islamic is the first day in a Gregorian year that has this date in the tabular Islamic calendar: years of 354 days,
// eleven in thirty with one more, and months of 30 and 29 days in turn. Where the moon is watched for, a
// holiday may be a day earlier or later.
func islamic(month, day int) holiday {
	return func(year int) interval.Date {
		first := interval.Date{Year: year, Month: time.January, Day: 1}
		for lunar := (year - 622) * 33 / 32; ; lunar++ {
			if d := islamicDay(lunar, month, day); !d.Before(first) {
				return d
			}
		}
	}
}

// islamicEpoch is the day before the first of the first year, counted from 1970-01-01.
const islamicEpoch = -492149

func islamicDay(year, month, day int) interval.Date {
	return interval.DateNumber(islamicEpoch + 354*(year-1) + (3+11*year)/30 + 29*(month-1) + month/2 + day)
}

// chineseNewYear is the new moon from 21 January to 20 February, in the time of Beijing.
func chineseNewYear(year int) interval.Date {
	for k := math.Floor((float64(year) - 2000) * 12.3685); ; k++ {
		d := newMoon(k)
		if from := (interval.Date{Year: year, Month: time.January, Day: 21}); !d.Before(from) {
			return d
		}
	}
}

// newMoon is the day in Beijing of the kth new moon since that of 6 January 2000, by the largest terms of Meeus's
// formula. They are right to some minutes.
func newMoon(k float64) interval.Date {
	const degree = math.Pi / 180
	t := k / 1236.85
	sun := (2.5534 + 29.1053567*k) * degree
	moon := (201.5643 + 385.81693528*k + 0.0107582*t*t) * degree
	node := (160.7108 + 390.67050284*k - 0.0016118*t*t) * degree
	julian := 2451550.09766 + 29.530588861*k + 0.00015437*t*t -
		0.40720*math.Sin(moon) + 0.17241*math.Sin(sun) + 0.01608*math.Sin(2*moon) + 0.01039*math.Sin(2*node) +
		0.00739*math.Sin(moon-sun) - 0.00514*math.Sin(moon+sun) + 0.00208*math.Sin(2*sun)
	// The clock of the formula runs a good minute ahead; Beijing is eight hours ahead of Greenwich.
	const beijing, ahead = 8.0 / 24, 70.0 / 86400
	return interval.DateNumber(int(math.Floor(julian - 2440587.5 + beijing - ahead)))
}
