package icalendar

import (
	"time"

	"convene/pkg/interval"
)

// extent is an event's length, computed once for all instances: wall in wall time, then rest in exact time, and at
// least least in exact time. An end before the start gives a negative least.
//
// The length of an event with a DTEND is exact by RFC 5545, but many calendars keep the wall time of the end over a DST
// change: the later of the two counts.
type extent struct {
	wall, rest, least time.Duration
}

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

// end is the end of an instance that starts at the moment start, which is wall in c's zone.
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

// wrongDate bounds the distance of a mistaken date: a month.
const wrongDate = 31 * day

// around is the possible time of an event whose end is before its start, which RFC 5545, 3.8.2.2, forbids: it is
// unknown which of the two is wrong. If they are less than a day apart, a time of day is wrong, or the end is on the
// next day; otherwise a date is wrong.
func around(start, end time.Time) interval.Span {
	margin := day
	if start.Sub(end) >= day {
		margin = wrongDate
	}
	return interval.Span{Start: end, End: start}.Widen(margin, margin)
}

// farthest bounds the distance of an instance from its place in the series. A time.Duration ends at three times that.
const farthest = 100 * 366 * day

// longest bounds the length of every instance, or its doubtful time around the start, or is farthest.
func (x extent) longest() time.Duration {
	lasts := max(min(x.wall.Abs(), farthest)+min(x.rest.Abs(), farthest), x.least.Abs())
	if x.least < 0 {
		lasts = min(lasts, farthest) + wrongDate
	}
	return min(lasts, farthest)
}
