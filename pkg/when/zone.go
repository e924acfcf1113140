package when

import (
	"time"

	"convene/pkg/interval"
)

// zones are the ways of saying in whose time a clock is meant. A city has to be followed by "time".
var zones = index(map[string]string{
	"et|est|edt|eastern|eastern time|east coast time|eastern standard time|eastern daylight time|new york time|nyc " +
		"time|boston time|miami time|toronto time": "America/New_York",
	"ct|cst|cdt|central|central time|central standard time|central daylight time|chicago time|austin time": "America/" +
		"Chicago",
	"mt|mst|mdt|mountain|mountain time|mountain standard time|denver time": "America/Denver",
	"pt|pst|pdt|pacific|pacific time|west coast time|pacific standard time|pacific daylight time|sf time|la time|san " +
		"francisco time|seattle time|california time": "America/Los_Angeles",
	"utc|gmt|z|zulu|utc time|greenwich time|greenwich mean time": "UTC",
	"bst|london time|uk time|british time":                       "Europe/London",
	"cet|cest|paris time|french time":                            "Europe/Paris",
	"berlin time|german time|munich time":                        "Europe/Berlin",
	"amsterdam time":                                             "Europe/Amsterdam",
	"madrid time|barcelona time":                                 "Europe/Madrid",
	"rome time":                                                  "Europe/Rome",
	"zurich time":                                                "Europe/Zurich",
	"dublin time":                                                "Europe/Dublin",
	"lisbon time":                                                "Europe/Lisbon",
	"stockholm time":                                             "Europe/Stockholm",
	"israel time|ist time|israeli time|tel aviv time|jerusalem time": "Asia/Jerusalem",
	"dubai time": "Asia/Dubai",
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

// offset reads how far a zone is from Greenwich, as it stands behind the seconds of a clock: "16:30:00-07:00". It is
// nil where none stands at token i.
func (p *parser) offset(i int) *time.Location {
	hours, minutes := p.at(i+1), p.at(i+3)
	if !p.is(i, "-", "+") || !p.at(i).glued || !p.is(i-2, ":") || !p.is(i-4, ":") || hours.digits != 2 || !hours.glued ||
		!p.is(i+2, ":") ||
		minutes.digits != 2 || hours.value > 14 {
		return nil
	}
	seconds := (hours.value*60 + minutes.value) * 60
	if p.is(i, "-") {
		seconds = -seconds
	}
	return time.FixedZone("", seconds)
}

// zone reads in whose time a clock is meant; nil means the reader's own.
func (p *parser) zone(i int) (*time.Location, int) {
	if start := p.skip(i, "("); p.setting.Theirs != nil && p.is(start, "his", "her", "their") && p.is(start+1, "time") {
		return p.setting.Theirs, p.skip(start+2, ")")
	}
	if zone := p.offset(i); zone != nil {
		return zone, i + 4
	}
	name, end := zones.at(p, p.skip(i, "("))
	if end <= p.skip(i, "(") || p.is(i, "z") && !p.at(i).glued || p.is(i, "central", "mountain") && end == i+1 &&
		p.at(end).capital {
		return nil, i
	}
	loc, err := interval.Zone(name)
	if err != nil {
		return nil, i
	}
	return loc, p.skip(end, ")")
}
