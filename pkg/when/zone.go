package when

import (
	"time"

	"convene/pkg/interval"
)

// zones are the ways of saying in whose time a clock is meant. A city has to be followed by "time".
var zones = index(map[string]string{
	"et|est|edt|eastern|eastern time|new york time|nyc time|boston time|miami time|toronto time":      "America/New_York",
	"ct|cst|cdt|central time|chicago time|austin time":                                                "America/Chicago",
	"mt|mst|mdt|mountain time|denver time":                                                            "America/Denver",
	"pt|pst|pdt|pacific|pacific time|sf time|la time|san francisco time|seattle time|california time": "America/Los_Angeles",
	"utc|gmt":                                  "UTC",
	"bst|london time|uk time|british time":     "Europe/London",
	"cet|cest|paris time|french time":          "Europe/Paris",
	"berlin time|german time|munich time":      "Europe/Berlin",
	"amsterdam time":                           "Europe/Amsterdam",
	"madrid time|barcelona time":               "Europe/Madrid",
	"rome time":                                "Europe/Rome",
	"zurich time":                              "Europe/Zurich",
	"dublin time":                              "Europe/Dublin",
	"lisbon time":                              "Europe/Lisbon",
	"stockholm time":                           "Europe/Stockholm",
	"israel time|tel aviv time|jerusalem time": "Asia/Jerusalem",
	"dubai time":                               "Asia/Dubai",
	"india time|mumbai time|delhi time|bangalore time|indian time": "Asia/Kolkata",
	"singapore time|sgt":                        "Asia/Singapore",
	"hong kong time|hkt":                        "Asia/Hong_Kong",
	"beijing time|shanghai time|china time":     "Asia/Shanghai",
	"tokyo time|jst|japan time":                 "Asia/Tokyo",
	"seoul time|kst|korea time":                 "Asia/Seoul",
	"sydney time|aest|aedt|melbourne time":      "Australia/Sydney",
	"auckland time|new zealand time":            "Pacific/Auckland",
	"sao paulo time|brazil time|são paulo time": "America/Sao_Paulo",
	"mexico city time":                          "America/Mexico_City",
	"hawaii time|honolulu time":                 "Pacific/Honolulu",
})

// zone reads in whose time a clock is meant; nil means the reader's own.
func (p *parser) zone(i int) (*time.Location, int) {
	if start := p.skip(i, "("); p.setting.Theirs != nil && p.is(start, "his", "her", "their") && p.is(start+1, "time") {
		return p.setting.Theirs, p.skip(start+2, ")")
	}
	name, end := zones.at(p, p.skip(i, "("))
	if end <= p.skip(i, "(") {
		return nil, i
	}
	loc, err := interval.Zone(name)
	if err != nil {
		return nil, i
	}
	return loc, p.skip(end, ")")
}
