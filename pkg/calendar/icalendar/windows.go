package icalendar

import (
	_ "embed" // for the table of zones
	"strings"
)

// windowsTable has a line "Windows name=Area/City" for each zone of Windows. It is the mapping for the whole world of
// windowsZones.json in npm's cldr-core, printed by testdata/recurrence/windows.js.
//
//go:embed windows.txt
var windowsTable string

// windowsZone is the tz database's name for a Windows zone.
func windowsZone(id string) (name string, known bool) {
	for line := range strings.Lines(windowsTable) {
		if theirs, ours, _ := strings.Cut(strings.TrimSpace(line), "="); strings.EqualFold(theirs, id) {
			return ours, true
		}
	}
	return "", false
}
