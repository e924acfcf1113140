package when

import (
	"math"
	"time"

	"convene/pkg/interval"
)

// islamic is the first day in a Gregorian year that has this date in the tabular Islamic calendar: years of 354 days,
// of which eleven in thirty have one more, and months of 30 and 29 days in turn. Where the moon is watched for, a
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
