package icalendar

import (
	"slices"
	"strings"
	"time"
)

// A wall time is what a clock on the wall shows, in no zone. It is kept as a time.Time in UTC, where adding days and
// hours is exact. Recurrences are computed on wall times and turned into moments at the very end, so that a daily
// stand-up stays at nine through every change of the clocks.

// The offsets in use on earth lie between UTC-12 and UTC+14. A wall time in a zone that nobody knows is a moment
// somewhere between these bounds.
const (
	farthestEast = 14 * time.Hour
	farthestWest = 12 * time.Hour
)

// zone turns wall times into moments. The zero value is the floating zone, which is wherever the owner is.
type zone struct {
	// loc is set for zones of the tz database.
	loc *time.Location
	// onsets are set for zones that the file itself defines, in order.
	onsets []onset
	// lost marks a zone that is named and cannot be found.
	lost bool
}

// onset is the moment from which a zone has another offset, as the clocks showed it before the change.
type onset struct {
	wall     time.Time
	from, to time.Duration
}

// moment is when a clock of the zone shows wall; owner stands in for the floating zone. A time that a change of the
// clocks repeats means the first of the two, one that it skips is read with the offset before the change (RFC 5545,
// 3.3.5). In a lost zone the moment is the one that UTC clocks would give.
func (z zone) moment(wall time.Time, owner *time.Location) time.Time {
	switch {
	case z.lost:
		return wall
	case z.onsets != nil:
		return wall.Add(-z.offset(wall))
	case z.loc != nil:
		return momentIn(wall, z.loc)
	default:
		return momentIn(wall, owner)
	}
}

// wall is what the zone's clocks show at moment t.
func (z zone) wall(t time.Time, owner *time.Location) time.Time {
	switch {
	case z.lost:
		return wallOf(t.UTC())
	case z.onsets != nil:
		// An onset's wall time minus the offset before it is its moment.
		offset := z.onsets[0].from
		for _, o := range z.onsets {
			if t.Before(o.wall.Add(-o.from)) {
				break
			}
			offset = o.to
		}
		return wallOf(t.UTC().Add(offset))
	case z.loc != nil:
		return wallOf(t.In(z.loc))
	default:
		return wallOf(t.In(owner))
	}
}

// offset is the offset in force when the clocks of a zone that the file defines show wall.
func (z zone) offset(wall time.Time) time.Duration {
	next, _ := slices.BinarySearchFunc(z.onsets, wall, func(o onset, w time.Time) int {
		if o.wall.After(w) {
			return 1
		}
		return -1
	})
	if next == 0 {
		return z.onsets[0].from
	}
	o := z.onsets[next-1]
	if wall.Sub(o.wall) < o.to-o.from {
		return o.from
	}
	return o.to
}

// momentIn tries the offsets before and after any change near wall. Where neither shows wall, it is skipped.
func momentIn(wall time.Time, loc *time.Location) time.Time {
	_, before := wall.Add(-24 * time.Hour).In(loc).Zone()
	_, after := wall.Add(24 * time.Hour).In(loc).Zone()
	first := wall.Add(-time.Duration(before) * time.Second).In(loc)
	if before == after || wallOf(first).Equal(wall) {
		return first
	}
	if second := wall.Add(-time.Duration(after) * time.Second).In(loc); wallOf(second).Equal(wall) {
		return second
	}
	return first
}

func wallOf(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// zones finds the zones that a calendar's times name.
type zones struct {
	found map[string]zone
	// defined are the calendar's VTIMEZONE components by TZID.
	defined map[string]*component
	// fallback is the X-WR-TIMEZONE of the calendar, for floating times of an owner whose own zone is not known.
	fallback *time.Location
}

func newZones(calendar *component) *zones {
	z := &zones{found: map[string]zone{}, defined: map[string]*component{}}
	for _, c := range calendar.children {
		if id := c.first("TZID"); c.name == "VTIMEZONE" && id != nil {
			z.defined[id.value] = c
		}
	}
	if p := calendar.first("X-WR-TIMEZONE"); p != nil {
		z.fallback, _ = loadLocation(p.value)
	}
	return z
}

// named is the zone with that TZID: of the tz database, else as the calendar defines it, else lost.
func (z *zones) named(id string) zone {
	if known, ok := z.found[id]; ok {
		return known
	}
	found := zone{lost: true}
	if loc, ok := loadLocation(id); ok {
		found = zone{loc: loc}
	} else if c := z.defined[id]; c != nil {
		found = definedZone(c)
	}
	z.found[id] = found
	return found
}

// loadLocation finds a zone of the tz database, also behind a vendor's prefix ("/example.org/20250101/Europe/Rome").
func loadLocation(id string) (*time.Location, bool) {
	parts := strings.Split(strings.Trim(strings.TrimSpace(id), "/"), "/")
	for i := range parts {
		name := strings.Join(parts[i:], "/")
		if name == "" || name == "Local" {
			continue
		}
		if loc, err := time.LoadLocation(name); err == nil {
			return loc, true
		}
	}
	return nil, false
}

// lastOnset bounds the changes that are worked out for a zone that a file defines.
const lastOnset = 2100

// definedZone works out the onsets of a VTIMEZONE. One that cannot be understood is lost.
func definedZone(c *component) zone {
	var onsets []onset
	for _, part := range c.children {
		more, ok := partOnsets(part)
		if !ok {
			return zone{lost: true}
		}
		onsets = append(onsets, more...)
	}
	if len(onsets) == 0 {
		return zone{lost: true}
	}
	slices.SortFunc(onsets, func(a, b onset) int { return a.wall.Compare(b.wall) })
	return zone{onsets: onsets}
}

// partOnsets are the onsets of one STANDARD or DAYLIGHT part.
func partOnsets(part *component) ([]onset, bool) {
	start := part.first("DTSTART")
	if start == nil {
		return nil, false
	}
	first, err := parseStamp(start.value)
	from, fromOK := parseOffset(part.text("TZOFFSETFROM"))
	to, toOK := parseOffset(part.text("TZOFFSETTO"))
	if err != nil || !fromOK || !toOK {
		return nil, false
	}
	walls, ok := onsetWalls(part, first.wall, from)
	if !ok {
		return nil, false
	}
	onsets := make([]onset, 0, len(walls))
	for _, wall := range walls {
		onsets = append(onsets, onset{wall, from, to})
	}
	return onsets, true
}

// onsetWalls are the wall times at which a part comes into force; from is the offset until then.
func onsetWalls(part *component, first time.Time, from time.Duration) (walls []time.Time, ok bool) {
	walls = append(walls, first)
	for _, p := range part.props {
		switch p.name {
		case "RDATE":
			for value := range strings.SplitSeq(p.value, ",") {
				at, err := parseStamp(value)
				if err != nil {
					return nil, false
				}
				walls = append(walls, at.wall)
			}
		case "RRULE":
			r, err := parseRule(p.value)
			if err != nil {
				return nil, false
			}
			if r.until.utc {
				r.until.wall = r.until.wall.Add(from)
			}
			horizon := time.Date(lastOnset, 1, 1, 0, 0, 0, 0, time.UTC)
			if !r.each(first, first, horizon, func(wall time.Time) { walls = append(walls, wall) }) {
				return nil, false
			}
		}
	}
	return walls, true
}

// parseOffset reads +hhmm or -hhmmss.
func parseOffset(s string) (time.Duration, bool) {
	if len(s) != 5 && len(s) != 7 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	layout := "150405"[:len(s)-1]
	at, err := time.Parse(layout, s[1:])
	if err != nil {
		return 0, false
	}
	d := time.Duration(at.Hour()*3600+at.Minute()*60+at.Second()) * time.Second
	if s[0] == '-' {
		d = -d
	}
	return d, true
}
