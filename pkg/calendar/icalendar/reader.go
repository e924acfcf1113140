package icalendar

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// slack widens the span for comparisons with wall times: no two zones are farther apart.
const slack = farthestEast + farthestWest

// maxWork bounds the work of one reading of a file, in the steps of rules. The rest is unknown.
const maxWork = 10_000_000

// stepsPerException is the cost of an exception of a series.
const stepsPerException = 20

// reader collects the time that events take within a span.
type reader struct {
	span    interval.Span
	owner   Owner
	busy    []interval.Span
	unknown []interval.Span
	// origins has the origin of each of busy.
	origins []origin
	// lists counts each event that is not cancelled, whether or not it takes time.
	lists bool
	// spent is the used part of maxWork.
	spent  int
	clocks map[clockKey]*clock
}

// origin is the source of an instance: its event, and its start in the series, which is zero for an event that does
// not repeat, and unless the reader lists. A reported time has none.
type origin struct {
	event    *event
	instance time.Time
}

// add counts a span as busy. If its zone is unknown, or its end is before its start,
// all its possible time is unknown.
func (r *reader) add(start, end time.Time, uncertain bool, from origin) {
	s := interval.Span{Start: start, End: end}
	reversed := end.Before(start)
	if reversed {
		s = around(start, end)
	}
	if uncertain {
		s = s.Widen(farthestEast, farthestWest)
	}
	switch {
	case !s.Overlaps(r.span):
	case reversed || uncertain:
		r.unknown = append(r.unknown, s)
	default:
		r.busy, r.origins = append(r.busy, s), append(r.origins, from)
	}
}

// openEnded makes all time from start on unknown.
func (r *reader) openEnded(start time.Time) {
	r.unknown = append(r.unknown, interval.Span{Start: start, End: r.span.End})
}

// report counts a period of a VFREEBUSY.
func (r *reader) report(p period) {
	r.add(p.start.moment(r.owner.Zone), r.endOf(p), p.uncertain(), origin{})
}

func (r *reader) readSeries(s series) {
	for _, master := range s.masters {
		if r.spent += stepsPerException * (len(s.overrides) + len(master.without)); r.spent >= maxWork {
			r.openEnded(r.span.Start)
			return
		}
		r.readMaster(master, s.overrides)
	}
	for _, override := range s.overrides {
		r.readSingle(override)
	}
}

// takesTime reports whether the event takes its owner's time, or is to be listed.
func (r *reader) takesTime(e *event) bool {
	if r.lists {
		return !e.cancelled
	}
	return e.blocks && (r.owner.Email == "" || !slices.Contains(e.declinedBy, address(r.owner.Email)))
}

// readSingle counts the event's own time without its repeats.
func (r *reader) readSingle(e *event) {
	if !r.takesTime(e) {
		return
	}
	switch e.lost {
	case allLost:
		r.openEnded(r.span.Start)
		return
	case endLost:
		r.openEnded(r.earliest(e.start.zone, e.start.wall))
		return
	case repeatsLost:
		r.openEnded(r.earliest(e.start.zone, e.start.wall))
	case nothingLost:
	}
	v := r.version(e)
	v.instance(e.start.wall, r.replaced(e))
}

// replaced is the start in the series of the instance that e replaces; zero if it replaces none.
func (r *reader) replaced(e *event) time.Time {
	if e.replaces == nil {
		return time.Time{}
	}
	return e.replaces.moment(r.owner.Zone)
}

func (r *reader) readMaster(e *event, overrides []*event) {
	if e.lost == allLost || e.lost == endLost {
		r.readSingle(e)
		return
	}
	s := r.course(e, overrides)
	if !s.takesTime() {
		return
	}
	if e.lost == repeatsLost {
		r.openEnded(r.earliest(e.start.zone, e.start.wall))
	}
	s.read()
}

// earliest is the first possible moment of the wall time in the zone, which may be lost.
func (r *reader) earliest(z zone, wall time.Time) time.Time {
	start := z.moment(wall, r.owner.Zone)
	if z.lost {
		return start.Add(-farthestEast)
	}
	return start
}

// clockOf is the zone with its changes around the span cached.
func (r *reader) clockOf(z zone) *clock {
	key := clockKey{loc: z.loc, lost: z.lost}
	if z.onsets != nil {
		key.first = &z.onsets[0]
	}
	c, known := r.clocks[key]
	if !known {
		c = newClock(z, r.owner.Zone, r.span)
		if r.clocks == nil {
			r.clocks = map[clockKey]*clock{}
		}
		r.clocks[key] = c
	}
	return c
}

// clockKey identifies a zone.
type clockKey struct {
	loc   *time.Location
	first *onset
	lost  bool
}

// endOf is the end of a period with an end or a length of its own.
func (r *reader) endOf(p period) time.Time {
	if p.end != nil {
		return p.end.moment(r.owner.Zone)
	}
	days := p.start.wall.AddDate(0, 0, p.lasts.days)
	return p.start.zone.moment(days, r.owner.Zone).Add(p.lasts.exact)
}

// uncertain reports whether the period's zone is unknown.
func (p period) uncertain() bool { return p.start.zone.lost || p.end != nil && p.end.zone.lost }
