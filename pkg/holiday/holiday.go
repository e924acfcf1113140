// Package holiday tells on which days a country keeps a public holiday, so that opening hours of an ordinary week may not
// be those of that day.
//
// Countries are those of github.com/rickar/cal, by the zone in which a clock is (zone.tab of the tz database), and Israel.
// Holidays that only a part of a country keeps are known for Australia's states and for no others.
package holiday

import (
	_ "embed"
	"iter"
	"strings"
	"sync"
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
	if !known {
		return false
	}
	actual, observed, _ := calendar.IsHoliday(t)
	return actual || observed
}

// calendars are those of all zones whose holidays are known, made once.
var calendars = sync.OnceValue(func() map[string]*cal.Calendar {
	countries := make(map[string]*cal.Calendar)
	for code, days := range national() {
		countries[code] = &cal.Calendar{Holidays: days}
	}
	zones := make(map[string]*cal.Calendar)
	for columns := range rows(zoneTab) {
		if calendar := countries[columns[0]]; calendar != nil {
			zones[columns[2]] = calendar
		}
	}
	for zone, days := range states() {
		zones[zone] = &cal.Calendar{Holidays: days}
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
