package when

import (
	_ "embed"
	"strconv"
	"strings"
	"time"

	"convene/pkg/holiday/hebrew"
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
