package icalendar

import "time"

// extent is how long an event lasts, worked out once for all of its instances: wall by the clock, then rest in exact
// time, and no less than least in exact time.
//
// The length of an event with a DTEND is exact by RFC 5545, but many calendars keep the clock time of the end when the
// clocks change overnight: the later of the two counts.
type extent struct {
	wall, rest, least time.Duration
}

// extent is the event's own.
func (r *reader) extent(e *event) extent {
	owner := r.owner.Zone
	if e.end == nil {
		return extent{wall: time.Duration(e.lasts.days) * day, rest: e.lasts.exact}
	}
	x := extent{wall: e.end.wallIn(e.start.zone, owner).Sub(e.start.wall)}
	if !e.start.date {
		x.least = e.end.moment(owner).Sub(e.start.moment(owner))
	}
	return x
}

// end is when an instance ends that starts at the moment start, when c shows wall.
func (x extent) end(start, wall time.Time, c *clock) time.Time {
	end := start
	if x.wall != 0 {
		end = c.moment(wall.Add(x.wall))
	}
	end = end.Add(x.rest)
	if least := start.Add(x.least); least.After(end) {
		return least
	}
	return end
}

// farthest is how far from its place in a series an instance is looked for. A time.Duration ends at three times that.
const farthest = 100 * 366 * day

// longest is no less than any instance lasts, or farthest.
func (x extent) longest() time.Duration {
	return min(max(min(x.wall.Abs(), farthest)+min(x.rest.Abs(), farthest), x.least.Abs()), farthest)
}
