package icalendar

import (
	"time"

	"convene/pkg/interval"
)

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

// Shift moves the occurrences of a series on the clocks of the zone in which it repeats.
type Shift struct {
	Zone *time.Location
	// By is how much later they begin. Lasting is how long they last then; zero if that stays.
	By, Lasting time.Duration
}

// ShiftOf moves an occurrence from one span to another.
func ShiftOf(from, to interval.Span, loc *time.Location) Shift {
	s := Shift{Zone: loc}
	s.By, s.Lasting = s.Lasts(interval.Span{Start: from.Start, End: to.Start}), s.Lasts(to)
	return s
}

// Lasts is how long a span is on the clocks.
func (s Shift) Lasts(span interval.Span) time.Duration {
	return wallOf(span.End.In(s.Zone)).Sub(wallOf(span.Start.In(s.Zone)))
}

// Later is the moment so much later on the clocks.
func (s Shift) Later(t time.Time, by time.Duration) time.Time {
	return momentIn(wallOf(t.In(s.Zone)).Add(by), s.Zone).In(s.Zone)
}

// Moved is the span of an occurrence once it is shifted.
func (s Shift) Moved(span interval.Span) interval.Span {
	lasts := s.Lasting
	if lasts == 0 {
		lasts = s.Lasts(span)
	}
	start := s.Later(span.Start, s.By)
	return interval.Span{Start: start, End: s.Later(start, lasts)}
}
