// Package holiday tells on which days a country keeps a public holiday, so that opening hours of an ordinary week may
// not be those of that day.
//
// Countries are those of github.com/rickar/cal, by the zone in which a clock is (zone.tab of the tz database), and
// Israel. Holidays that only a part of a country keeps are known for Australia's states and for no others.
package holiday

import (
	_ "embed"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rickar/cal/v2"
)

// zoneTab and linksTab say in which country a zone is and what else it is called. Both are of the tz database, version
// 2025b, and so are the columns: country, coordinates and zone; zone and other name.
var (
	//go:embed zone.tab
	zoneTab string
	//go:embed links.tab
	linksTab string
)

// Public reports whether the day that t's clock shows is a public holiday where t's zone is, or the day on which one is
// kept instead. It is false as well where the holidays of the country are not known.
func Public(t time.Time) bool {
	calendar, known := calendars()[t.Location().String()]
	return known && calendar.keeps(t)
}

// calendar is the holidays of a country or state. Of each day of a year it remembers what was worked out last: searches
// ask for the same few weeks again and again.
type calendar struct {
	days   cal.Calendar
	worked [367]atomic.Pointer[workedOut] // by day of the year, from 1
}

// workedOut says whether a day is a holiday in a year.
type workedOut struct {
	year    int
	holiday bool
}

func newCalendar(days []*cal.Holiday) *calendar {
	return &calendar{days: cal.Calendar{Holidays: days}}
}

// keeps reports whether the day that t's clock shows is a holiday, or the day on which one is kept instead.
func (c *calendar) keeps(t time.Time) bool {
	day := &c.worked[t.YearDay()]
	if known := day.Load(); known != nil && known.year == t.Year() {
		return known.holiday
	}
	actual, observed, _ := c.days.IsHoliday(t)
	day.Store(&workedOut{year: t.Year(), holiday: actual || observed})
	return actual || observed
}

// calendars are those of all zones whose holidays are known, made once.
var calendars = sync.OnceValue(func() map[string]*calendar {
	countries := make(map[string]*calendar)
	for code, days := range national() {
		countries[code] = newCalendar(days)
	}
	zones := make(map[string]*calendar)
	for columns := range rows(zoneTab) {
		if calendar := countries[columns[0]]; calendar != nil {
			zones[columns[2]] = calendar
		}
	}
	for zone, days := range states() {
		zones[zone] = newCalendar(days)
	}
	for columns := range rows(linksTab) {
		if calendar := zones[columns[0]]; calendar != nil && zones[columns[1]] == nil {
			zones[columns[1]] = calendar
		}
	}
	return zones
})

// rows are the lines of a table without its comments, cut at tabs.
func rows(table string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(table) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			if !yield(strings.Split(strings.TrimSuffix(line, "\n"), "\t")) {
				return
			}
		}
	}
}
