package icalendar

import "time"

// exceptions are the instances that are removed from a series.
type exceptions struct {
	// moments are those given as a time, in Unix seconds, and dates those given as a day, in Unix seconds of its wall
	// time.
	moments map[int64]bool
	dates   map[int64]bool
	// walls are those that an EXRULE removes, in Unix seconds of their wall times.
	walls map[int64]bool
}

// exceptions are the EXDATEs of e and the instances that an override replaces.
func (r *reader) exceptions(e *event, overrides []*event) exceptions {
	var x exceptions
	if len(e.without)+len(e.withoutRules)+len(overrides) == 0 {
		return x
	}
	x = exceptions{moments: map[int64]bool{}, dates: map[int64]bool{}, walls: map[int64]bool{}}
	for _, without := range e.without {
		x.take(without, e, r.owner.Zone)
	}
	for _, o := range overrides {
		if o.replaces.date && !e.start.date && e.severalADay() {
			// It is unknown which of the day's instances it replaces, so all of them stay.
			continue
		}
		x.take(*o.replaces, e, r.owner.Zone)
	}
	return x
}

// has reports whether the instance at wall, in the zone of the series, is removed.
func (x *exceptions) has(wall time.Time, c *clock) bool {
	return len(x.dates) > 0 && x.dates[wall.Truncate(day).Unix()] ||
		len(x.walls) > 0 && x.walls[wall.Unix()] ||
		len(x.moments) > 0 && x.moments[c.moment(wall).Unix()]
}

// severalADay reports whether a rule of e yields more than one time on a day.
func (e *event) severalADay() bool {
	for _, r := range e.rules {
		if r.freq >= hourly || len(r.byHour) > 1 || len(r.byMinute) > 1 || len(r.bySecond) > 1 {
			return true
		}
	}
	return false
}

// take removes the instance of e at a. A date means the instance on that day, and a time without a zone e's zone.
func (x *exceptions) take(a anchor, e *event, owner *time.Location) {
	switch {
	case a.date:
		x.dates[a.wall.Unix()] = true
	case e.start.date:
		x.dates[wholeDay(a, owner).Unix()] = true
	case a.floating:
		x.moments[e.start.zone.moment(a.wall, owner).Unix()] = true
	case a.zone.lost && !e.start.zone.lost:
		// The moment is unknown: nothing is removed.
	default:
		x.moments[a.moment(owner).Unix()] = true
	}
}

// wholeDay is the date of a time that means a whole day: the written date, or the owner's if the time is in UTC and is
// midnight only for the owner.
func wholeDay(a anchor, owner *time.Location) time.Time {
	local := wallOf(a.wall.In(owner))
	if a.utc && local.Equal(local.Truncate(day)) && !a.wall.Equal(a.wall.Truncate(day)) {
		return local
	}
	return a.wall.Truncate(day)
}

// addRules adds the instances that the EXRULEs remove between two wall times. A rule that is too expensive to expand
// removes nothing, so that the time stays busy.
func (x *exceptions) addRules(c *course, from, to time.Time) {
	for _, rule := range c.master.withoutRules {
		rule.until.wall = c.untilWall(rule)
		rule.each(c.master.start.wall, from, to, &c.spent, func(wall time.Time) { x.walls[wall.Unix()] = true })
	}
}
