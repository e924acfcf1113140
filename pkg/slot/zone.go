package slot

import (
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	minute = int64(60)
	day    = 24 * 60 * minute
	// step is the grid on which events start, on the local clock.
	step = 15 * minute
)

// clock is a zone over the time of a search. It converts dates and hours by arithmetic, so that the zone's rules are
// consulted once per DST change and not for each start.
type clock struct {
	loc     *time.Location
	periods []period
}

// period has one offset from UTC. Before first it repeats local times, because the clocks have just gone back.
type period struct{ from, to, offset, first int64 }

func newClock(loc *time.Location, span interval.Span) *clock {
	c := &clock{loc: loc}
	found := interval.Periods(loc, span)
	c.periods = make([]period, len(found))
	for i, p := range found {
		now := period{from: p.Start.Unix(), to: p.End.Unix(), offset: int64(p.Offset / time.Second)}
		now.first = now.from
		if i > 0 {
			now.first += max(0, c.periods[i-1].offset-now.offset)
		}
		c.periods[i] = now
	}
	return c
}

// at is the moment of a local time on a day, given by its number; the first of two. If a DST change skips the time, ok
// is false and the moment is that of the change.
func (c *clock) at(dayNumber int, at interval.Clock) (moment int64, ok bool) {
	wall := int64(dayNumber)*day + int64(at)*minute
	for i, p := range c.periods {
		moment = wall - p.offset
		if i > 0 && moment < p.from {
			return p.from, false
		}
		if moment < p.to {
			break
		}
	}
	return moment, true
}

// edge is at for the ends of windows: a skipped end moves to the DST change.
func (c *clock) edge(dayNumber int, at interval.Clock) int64 {
	moment, _ := c.at(dayNumber, at)
	return moment
}

// window is a window on a day. An end before the start is on the next day.
func (c *clock) window(dayNumber int, w interval.Window) stretch {
	end := dayNumber
	if w.End < w.Start {
		end++
	}
	return stretch{c.edge(dayNumber, w.Start), c.edge(end, w.End)}
}

// candidate is a start that may become a slot, with its local day and minute of the day.
type candidate struct {
	at     int64
	day    int
	minute int
	// suits says that nobody is busy, and unknown that a calendar could not be read.
	suits, unknown bool
	// worse is the grade by Query.Reach.
	worse int8
	// In a ranking, tier goes before all else, picked candidates have a rank, and crowded ones are close to a picked one.
	tier            int8
	picked, crowded bool
	// missing counts the people who cannot attend, after markMissing.
	missing int16
}

// show is the local time of a moment.
func (c *clock) show(at int64) candidate {
	last := c.periods[0]
	for _, p := range c.periods[1:] {
		if at < p.from {
			break
		}
		last = p
	}
	return showing(at, last.offset)
}

func showing(at, offset int64) candidate {
	wall := at + offset
	n := floorDiv(wall, day)
	return candidate{at: at, day: int(n), minute: int((wall - n*day) / minute)}
}

// grid calls yield with every grid start in the set, in order, each local time once, until yield returns false.
func (c *clock) grid(set starts, yield func(candidate) bool) {
	i := 0
	for _, s := range set {
		for i < len(c.periods)-1 && c.periods[i].to <= s.from {
			i++
		}
		for k := i; k < len(c.periods) && c.periods[k].from < s.to; k++ {
			p := c.periods[k]
			from, to := max(s.from, p.first), min(s.to, p.to)
			for at := -floorDiv(-(from+p.offset), step)*step - p.offset; at < to; at += step {
				if !yield(showing(at, p.offset)) {
					return
				}
			}
		}
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// zones are the clocks of a search, each loaded once.
type zones struct {
	span   interval.Span
	clocks []*clock
}

func (z *zones) in(loc *time.Location) *clock {
	for _, c := range z.clocks {
		if c.loc.String() == loc.String() {
			return c
		}
	}
	c := newClock(loc, z.span)
	z.clocks = append(z.clocks, c)
	return c
}

// of is the clock of a person's own zone.
func (z *zones) of(p meet.Person) *clock {
	for _, c := range z.clocks {
		if p.Timezone != "" && c.loc.String() == p.Timezone {
			return c
		}
	}
	return z.in(p.Zone())
}
