package icalendar

import (
	_ "embed" // for the table of zones
	"strings"
	"time"

	"convene/pkg/interval"
)

// windowsTable has a line "Windows name=Area/City" for each zone of Windows. It is the mapping for the whole world of
// windowsZones.json in npm's cldr-core, printed by testdata/recurrence/windows.js.
//
//go:embed windows.txt
var windowsTable string

// WindowsZone is the tz database's name for the Windows zone with that name ("W. Europe Standard Time"), in upper or
// lower case, as Outlook writes it; known is false if Windows has no such zone.
func WindowsZone(id string) (name string, known bool) {
	for line := range strings.Lines(windowsTable) {
		if theirs, ours, _ := strings.Cut(strings.TrimSpace(line), "="); strings.EqualFold(theirs, id) {
			return ours, true
		}
	}
	return "", false
}

// WindowsName is the Windows name of loc. Windows has some 140 zones and no name for most zones of the tz database; one
// of those gets the name of a zone with the same time throughout the year around at. known is false if there is none.
func WindowsName(loc *time.Location, at time.Time) (name string, known bool) {
	if loc == time.UTC {
		return "UTC", true
	}
	alike := ""
	for line := range strings.Lines(windowsTable) {
		theirs, iana, _ := strings.Cut(strings.TrimSpace(line), "=")
		if iana == loc.String() {
			return theirs, true
		}
		if other, err := interval.Zone(iana); alike == "" && err == nil && sameClocks(loc, other, at) {
			alike = theirs
		}
	}
	return alike, alike != ""
}

// sameClocks compares two zones every two weeks of the year around at.
func sameClocks(a, b *time.Location, at time.Time) bool {
	const fortnight = 14 * 24 * time.Hour
	for n := range 27 {
		t := at.Add(time.Duration(n-13) * fortnight)
		_, first := t.In(a).Zone()
		_, second := t.In(b).Zone()
		if first != second {
			return false
		}
	}
	return true
}
