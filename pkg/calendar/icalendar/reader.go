package icalendar

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// slack is added around the span when wall times are compared with it: no zone is farther from another.
const slack = farthestEast + farthestWest

// reader collects the time that events take within a span.
type reader struct {
	span    interval.Span
	owner   Owner
	busy    []interval.Span
	unknown []interval.Span
}

// add counts a stretch as busy, or where its zone is not known, everything that it may be as unknown.
func (r *reader) add(s interval.Span, uncertain bool) {
	if uncertain {
		if s = s.Widen(farthestEast, farthestWest); s.Overlaps(r.span) {
			r.unknown = append(r.unknown, s)
		}
		return
	}
	if s.Overlaps(r.span) {
		r.busy = append(r.busy, s)
	}
}

// openEnded makes all time from start on unknown.
func (r *reader) openEnded(start time.Time) {
	r.unknown = append(r.unknown, interval.Span{Start: start, End: r.span.End})
}

// report counts a period of a published free-busy answer.
func (r *reader) report(p period) {
	r.add(ordered(p.start.moment(r.owner.Zone), r.endOf(nil, p)), p.uncertain())
}

func (r *reader) readSeries(s series) {
	for _, master := range s.masters {
		if r.takesTime(master) {
			r.readMaster(master, s.overrides)
		}
	}
	for _, override := range s.overrides {
		if r.takesTime(override) {
			r.readSingle(override)
		}
	}
}

// takesTime reports whether the event keeps its owner busy.
func (r *reader) takesTime(e *event) bool {
	return e.blocks && (r.owner.Email == "" || !slices.Contains(e.declinedBy, address(r.owner.Email)))
}

// readSingle counts the event's own time and none of its repeats.
func (r *reader) readSingle(e *event) {
	switch e.lost {
	case allLost:
		r.openEnded(r.span.Start)
	case endLost:
		r.openEnded(r.earliest(e.start.zone, e.start.wall))
	default:
		r.instance(e, e.start.wall)
	}
}

func (r *reader) readMaster(e *event, overrides []*event) {
	if e.lost == allLost || e.lost == endLost {
		r.readSingle(e)
		return
	}
	if e.lost == repeatsLost {
		r.openEnded(r.earliest(e.start.zone, e.start.wall))
	}
	skip := r.exceptions(e, overrides)
	visit := func(wall time.Time) {
		if !skip.has(wall) {
			r.instance(e, wall)
		}
	}
	visit(e.start.wall)
	for _, p := range e.extra {
		r.extraInstance(e, p, skip)
	}
	from := e.start.zone.wall(r.span.Start, r.owner.Zone).Add(-r.wallLength(e).Abs() - slack)
	to := e.start.zone.wall(r.span.End, r.owner.Zone).Add(slack)
	for _, rule := range e.rules {
		rule.until.wall = r.untilWall(rule, e)
		if !rule.each(e.start.wall, from, to, visit) {
			r.beyondWork(rule, e)
		}
	}
	if !skip.later.IsZero() {
		r.openEnded(r.earliest(e.start.zone, skip.later))
	}
}

// beyondWork makes the whole time of a rule unknown that is too much work to follow.
func (r *reader) beyondWork(rule rule, e *event) {
	possible := interval.Span{Start: r.earliest(e.start.zone, e.start.wall), End: r.span.End}
	if last := rule.lastWall(); !last.IsZero() {
		possible.End = last.Add(r.wallLength(e) + slack)
	}
	r.unknown = append(r.unknown, possible.Intersect(r.span))
}

// untilWall is UNTIL on the clocks of the event's zone. For whole days the date counts as it is written.
func (r *reader) untilWall(rule rule, e *event) time.Time {
	if rule.until.utc && !e.start.date {
		return e.start.zone.wall(rule.until.wall, r.owner.Zone)
	}
	return rule.until.wall
}

// earliest is the first moment at which clocks of the zone, which may be lost, can show wall.
func (r *reader) earliest(z zone, wall time.Time) time.Time {
	start := z.moment(wall, r.owner.Zone)
	if z.lost {
		return start.Add(-farthestEast)
	}
	return start
}

// instance counts the event as it takes place when the clocks show wall.
func (r *reader) instance(e *event, wall time.Time) {
	start := e.start.zone.moment(wall, r.owner.Zone)
	own := period{start: anchor{stamp: stamp{wall: wall}, zone: e.start.zone}, bare: true}
	r.add(ordered(start, r.endOf(e, own)), e.start.zone.lost || e.end != nil && e.end.zone.lost)
}

// extraInstance counts an RDATE, which may have an end of its own.
func (r *reader) extraInstance(e *event, p period, skip exceptions) {
	wall := p.start.wallIn(e.start.zone, r.owner.Zone)
	if p.start.date && !e.start.date {
		// A bare date added to an event with a time means that time on that date.
		wall = wall.Add(e.start.wall.Sub(e.start.wall.Truncate(day)))
	}
	switch {
	case skip.has(wall):
	case p.bare:
		r.instance(e, wall)
	default:
		r.add(ordered(p.start.moment(r.owner.Zone), r.endOf(e, p)), p.uncertain())
	}
}

// ordered is the time between two moments. An end before the start is a mistake in the file; both times are taken.
func ordered(a, b time.Time) interval.Span {
	if b.Before(a) {
		a, b = b, a
	}
	return interval.Span{Start: a, End: b}
}

// endOf is when the instance p of e ends; e may be nil for a period that is not bare. The length of an event with a DTEND is exact by RFC 5545, but many
// calendars keep the clock time of the end when the clocks change overnight: the later of the two counts.
func (r *reader) endOf(e *event, p period) time.Time {
	owner := r.owner.Zone
	switch {
	case p.end != nil:
		return p.end.moment(owner)
	case !p.bare:
		return after(p.start, p.lasts, owner)
	case e.end == nil:
		return after(p.start, e.lasts, owner)
	}
	byClock := p.start.zone.moment(p.start.wall.Add(r.wallLength(e)), owner)
	if e.start.date {
		return byClock
	}
	exact := p.start.moment(owner).Add(e.end.moment(owner).Sub(e.start.moment(owner)))
	if exact.After(byClock) {
		return exact
	}
	return byClock
}

// after is the moment l after start: first the days, by the clock, then the rest.
func after(start anchor, l length, owner *time.Location) time.Time {
	return start.zone.moment(start.wall.AddDate(0, 0, l.days), owner).Add(l.exact)
}

// wallLength is how long the event lasts by the clocks of its zone.
func (r *reader) wallLength(e *event) time.Duration {
	if e.end == nil {
		return time.Duration(e.lasts.days)*day + e.lasts.exact
	}
	return e.end.wallIn(e.start.zone, r.owner.Zone).Sub(e.start.wall)
}

// uncertain reports whether the period's zone is not known.
func (p period) uncertain() bool { return p.start.zone.lost || p.end != nil && p.end.zone.lost }

// exceptions are the instances of a series that do not take place as the rule says.
type exceptions struct {
	walls map[time.Time]bool
	dates map[time.Time]bool
	// later is the wall time from which nothing is known of the series; zero where there is none.
	later time.Time
}

func (x exceptions) has(wall time.Time) bool {
	return x.walls[wall] || x.dates[wall.Truncate(day)] || !x.later.IsZero() && !wall.Before(x.later)
}

// exceptions are the EXDATEs of e and the instances that an override replaces. An override of all later instances
// leaves the rest of the series open.
func (r *reader) exceptions(e *event, overrides []*event) exceptions {
	if len(e.without) == 0 && len(overrides) == 0 {
		return exceptions{}
	}
	x := exceptions{walls: map[time.Time]bool{}, dates: map[time.Time]bool{}}
	for _, without := range e.without {
		x.take(without, e, r.owner.Zone)
	}
	for _, o := range overrides {
		x.take(*o.replaces, e, r.owner.Zone)
		if !o.andLater {
			continue
		}
		from := o.replaces.wallIn(e.start.zone, r.owner.Zone)
		if moved := o.start.wallIn(e.start.zone, r.owner.Zone); o.lost != allLost && moved.Before(from) {
			from = moved
		}
		if x.later.IsZero() || from.Before(x.later) {
			x.later = from
		}
	}
	return x
}

// take leaves out the instance of e at a. A date stands for the instance on that day, and for a whole-day event the
// date counts whatever time is written with it.
func (x exceptions) take(a anchor, e *event, owner *time.Location) {
	switch {
	case a.date || e.start.date:
		x.dates[a.wall.Truncate(day)] = true
	default:
		x.walls[a.wallIn(e.start.zone, owner)] = true
	}
}
