package icalendar

import (
	"time"

	"convene/pkg/interval"
)

// extent is how long an event lasts, worked out once for all of its instances: wall by the clock, then rest in exact
// time, and no less than least in exact time. One whose end lies before its start has a least below nothing.
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
		wall := time.Duration(e.lasts.days) * day
		return extent{wall: wall, rest: e.lasts.exact, least: min(0, wall+e.lasts.exact)}
	}
	x := extent{wall: e.end.wallIn(e.start.zone, owner).Sub(e.start.wall)}
	if x.least = min(0, x.wall); !e.start.date {
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

// wrongDate is how far a date that was written for another one is from it at most: a month.
const wrongDate = 31 * day

// around is all the time that an event may take whose end lies before its start (RFC 5545, 3.8.2.2, forbids that): one
// of the two is wrong, and which is not known. If they are less than a day apart, an hour is wrong, or the end is on
// the next day; otherwise a date is wrong.
func around(start, end time.Time) interval.Span {
	margin := day
	if start.Sub(end) >= day {
		margin = wrongDate
	}
	return interval.Span{Start: end, End: start}.Widen(margin, margin)
}

// farthest is how far from its place in a series an instance is looked for. A time.Duration ends at three times that.
const farthest = 100 * 366 * day

// longest is no less than any instance lasts, or is in doubt around its start, or farthest.
func (x extent) longest() time.Duration {
	lasts := max(min(x.wall.Abs(), farthest)+min(x.rest.Abs(), farthest), x.least.Abs())
	if x.least < 0 {
		lasts = min(lasts, farthest) + wrongDate
	}
	return min(lasts, farthest)
}
