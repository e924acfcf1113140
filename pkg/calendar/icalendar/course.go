package icalendar

import (
	"slices"
	"sort"
	"time"

	"convene/pkg/interval"
)

// course is a series with its versions: the master's, and one from each override of all later instances. Its instances
// are those of the master's rule without the exceptions.
type course struct {
	*reader
	master *event
	// versions are in order; the first is the master's own.
	versions []version
	skip     exceptions
	// opaque is the wall time from which all is unknown; zero if there is none.
	opaque time.Time
}

// version is a part of a series with one time and length.
type version struct {
	*reader
	event *event
	// from is the first wall time of the master's to which it applies.
	from time.Time
	// shift is how much later than the master's its instances begin, in wall time of its own zone.
	shift  time.Duration
	clock  *clock
	extent extent
	takes  bool
}

func (r *reader) version(e *event) version {
	return version{
		reader: r, event: e, clock: r.clockOf(e.start.zone), extent: r.extent(e), takes: r.takesTime(e),
	}
}

// instance counts the instance at the master's wall time. It stands for the one that the series has at recurrence.
func (v *version) instance(wall, recurrence time.Time) {
	if !v.takes {
		return
	}
	wall = wall.Add(v.shift)
	start := v.clock.moment(wall)
	end := v.extent.end(start, wall, v.clock)
	e := v.event
	if e.end != nil && wall.Equal(e.start.wall) {
		// As it is written; an extent does not reach farther than 292 years.
		end = e.end.moment(v.owner.Zone)
	}
	v.add(start, end, e.start.zone.lost || e.end != nil && e.end.zone.lost, origin{e, recurrence})
}

// course combines the master and its overrides.
func (r *reader) course(e *event, overrides []*event) *course {
	c := &course{reader: r, master: e, versions: []version{r.version(e)}}
	c.skip = r.exceptions(e, overrides)
	for _, o := range overrides {
		if o.andLater {
			c.change(o)
		}
	}
	slices.SortStableFunc(c.versions[1:], func(a, b version) int { return a.from.Compare(b.from) })
	return c
}

// change applies an override of all later instances: each is shifted as the first one is. If the override cannot be
// applied, the rest of the series is unknown.
func (c *course) change(o *event) {
	start := c.master.start
	from := o.replaces.wallIn(start.zone, c.owner.Zone)
	if o.replaces.date && !start.date {
		from = from.Add(start.wall.Sub(start.wall.Truncate(day)))
	}
	shift := o.start.wall.Sub(from)
	followable := o.lost == nothingLost && len(o.rules) == 0 && len(o.extra) == 0 && o.start.date == start.date &&
		!o.replaces.zone.lost && (o.replaces.date || !start.date) && shift.Abs() <= farthest
	if followable {
		v := c.version(o)
		v.from, v.shift = from, shift
		c.versions = append(c.versions, v)
		return
	}
	if moved := o.start.wallIn(start.zone, c.owner.Zone); o.lost != allLost && moved.Before(from) {
		from = moved
	}
	if c.opaque.IsZero() || from.Before(c.opaque) {
		c.opaque = from
	}
}

// takesTime reports whether any version takes time.
func (c *course) takesTime() bool {
	return slices.ContainsFunc(c.versions, func(v version) bool { return v.takes }) || !c.opaque.IsZero()
}

// read counts all instances that overlap the reader's span.
func (c *course) read() {
	e := c.master
	from, to := c.window()
	c.skip.addRules(c, from, to)
	c.visit(e.start.wall)
	for _, p := range e.extra {
		c.extraInstance(p)
	}
	for _, rule := range e.rules {
		rule.until.wall = c.untilWall(rule)
		whole := rule.each(e.start.wall, from, to, &c.spent, func(wall time.Time) {
			if !wall.Equal(e.start.wall) {
				c.visit(wall)
			}
		})
		if !whole {
			c.beyondWork(rule)
		}
	}
	if !c.opaque.IsZero() {
		c.openEnded(c.earliest(e.start.zone, c.opaque))
	}
}

// window bounds the master's wall times of instances that may overlap the span.
func (c *course) window() (from, to time.Time) {
	var early, late time.Duration
	for _, v := range c.versions {
		early = max(early, v.extent.longest()+v.shift)
		late = max(late, v.extent.longest()-v.shift)
	}
	zone, owner := c.master.start.zone, c.owner.Zone
	from = zone.wall(c.span.Start, owner).Add(-early - slack)
	to = zone.wall(c.span.End, owner).Add(late + slack)
	return from, to
}

// visit counts the instance at wall by its version.
func (c *course) visit(wall time.Time) {
	if c.skip.has(wall, c.versions[0].clock) || !c.opaque.IsZero() && !wall.Before(c.opaque) {
		return
	}
	later := c.versions[1:]
	n := sort.Search(len(later), func(i int) bool { return later[i].from.After(wall) })
	c.versions[n].instance(wall, c.recurrence(wall))
}

// recurrence is the RECURRENCE-ID of the instance at wall; zero if the event does not repeat, or no one asks.
func (c *course) recurrence(wall time.Time) time.Time {
	if !c.lists || len(c.master.rules)+len(c.master.extra) == 0 {
		return time.Time{}
	}
	return c.versions[0].clock.moment(wall)
}

// extraInstance counts an RDATE, which may have an end of its own.
func (c *course) extraInstance(p period) {
	start := c.master.start
	wall := p.start.wallIn(start.zone, c.owner.Zone)
	switch {
	case p.start.date && !start.date:
		// A bare date added to an event with a time means that time on that date.
		wall = wall.Add(start.wall.Sub(start.wall.Truncate(day)))
	case start.date:
		wall = wall.Truncate(day)
	}
	switch {
	case c.skip.has(wall, c.versions[0].clock):
	case p.bare:
		c.visit(wall)
	case c.versions[0].takes:
		c.add(p.start.moment(c.owner.Zone), c.endOf(p), p.uncertain(), origin{c.master, c.recurrence(wall)})
	}
}

// beyondWork makes all time of a rule unknown that is too expensive to expand.
func (c *course) beyondWork(rule rule) {
	possible := interval.Span{Start: c.earliest(c.master.start.zone, c.master.start.wall), End: c.span.End}
	if last := rule.lastWall(); !last.IsZero() && len(c.versions) == 1 {
		possible.End = last.Add(c.versions[0].extent.longest() + slack)
	}
	c.unknown = append(c.unknown, possible.Intersect(c.span))
}

// untilWall is UNTIL as wall time of the event's zone. For whole days it is a date, which some calendars write as
// midnight in UTC, and others as the end of their own last day: if both readings make sense, the later one counts.
func (c *course) untilWall(rule rule) time.Time {
	written, start := rule.until.wall, c.master.start
	if !rule.until.utc {
		return written
	}
	if !start.date {
		return start.zone.wall(written, c.owner.Zone)
	}
	local := wallOf(written.In(c.owner.Zone))
	next := local.Add(time.Second)
	if next.Equal(next.Truncate(day)) || local.After(written) {
		return local
	}
	return written
}
