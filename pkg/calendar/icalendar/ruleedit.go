package icalendar

import "time"

// SplitRule is the RRULE of a series before and from one of its occurrences; a COUNT becomes as many less. The times
// are in the zone in which the series repeats. An occurrence that the rule does not have is ErrInexpressible.
func SplitRule(rrule string, start, cut time.Time, allDay bool) (before, after string, err error) {
	e, as := ruled(rrule, start, allDay)
	return e.splitRules(as, wallOf(cut))
}

// MoveRule is the RRULE of a series that moves on the clock, as far as from one time to another; both are in the zone
// in which it repeats. A rule that cannot be moved so is ErrInexpressible.
func MoveRule(rrule string, from, to time.Time, allDay bool) (string, error) {
	e, as := ruled(rrule, from, allDay)
	return e.shiftedRule(as, as, wallOf(to).Sub(wallOf(from)))
}

// ruled is a series that starts then.
func ruled(rrule string, start time.Time, allDay bool) (*edition, form) {
	loc := start.Location()
	as := form{
		params: ";TZID=" + loc.String(), owner: loc,
		anchor: anchor{stamp: stamp{wall: wallOf(start), date: allDay}, zone: zone{loc: loc}},
	}
	if allDay {
		as.params = ";VALUE=DATE"
	}
	e := &edition{master: &component{name: "VEVENT"}, zones: newZones(&component{})}
	e.master.put(as.on("DTSTART", as.wall))
	e.master.put("RRULE:" + rrule)
	return e, as
}
