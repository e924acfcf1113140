package icalendar

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// A wall time is a local time without a zone. It is kept as a time.Time in UTC, where adding days and hours is exact.
// Recurrences are computed in wall times and turned into moments at the very end, so that a daily stand-up stays at
// nine through every DST change.

// All offsets in use are between UTC-12 and UTC+14. A wall time in an unknown zone is a moment between these bounds.
const (
	farthestEast = 14 * time.Hour
	farthestWest = 12 * time.Hour
)

// zone turns wall times into moments. The zero value is the floating zone, which is the owner's.
type zone struct {
	// loc is set for zones of the tz database.
	loc *time.Location
	// onsets are set for zones that the file itself defines, in order.
	onsets []onset
	// lost marks a named zone that cannot be found.
	lost bool
}

// moment is the moment of the wall time; owner replaces the floating zone. A wall time that a DST change repeats means
// the first of the two; one that it skips is read with the offset before the change (RFC 5545, 3.3.5). A lost zone
// counts as UTC.
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

// wall is the wall time in the zone at moment t.
func (z zone) wall(t time.Time, owner *time.Location) time.Time {
	switch {
	case z.lost:
		return wallOf(t.UTC())
	case z.onsets != nil:
		return wallOf(t.UTC().Add(z.offsetAt(t)))
	case z.loc != nil:
		return wallOf(t.In(z.loc))
	default:
		return wallOf(t.In(owner))
	}
}

// momentIn tries the offsets before and after any change near wall. If neither gives wall, it is skipped.
func momentIn(wall time.Time, loc *time.Location) time.Time {
	_, before := wall.Add(-24 * time.Hour).In(loc).Zone()
	_, after := wall.Add(24 * time.Hour).In(loc).Zone()
	first := wall.Add(-time.Duration(before) * time.Second)
	if before == after || wallOf(first.In(loc)).Equal(wall) {
		return first
	}
	if second := wall.Add(-time.Duration(after) * time.Second); wallOf(second.In(loc)).Equal(wall) {
		return second
	}
	return first
}

func wallOf(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// clock is a zone with cached changes near a span, for series with many instances there.
type clock struct {
	zone  zone
	owner *time.Location
	// near is the span of wall times that periods cover; empty if there are none.
	near    interval.Span
	periods []interval.Period
}

// newClock caches the changes of z around span.
func newClock(z zone, owner *time.Location, span interval.Span) *clock {
	c := &clock{zone: z, owner: owner}
	if z.lost {
		return c
	}
	c.near = span.Widen(2*day, 2*day)
	c.near.Start, c.near.End = c.near.Start.UTC(), c.near.End.UTC()
	// A wall time, taken as UTC, is less than a day away from its moment.
	known := c.near.Widen(day, day)
	switch {
	case z.onsets != nil:
		c.periods = z.periods(known)
	case z.loc != nil:
		c.periods = interval.Periods(z.loc, known)
	default:
		c.periods = interval.Periods(owner, known)
	}
	return c
}

func (c *clock) moment(wall time.Time) time.Time {
	if !c.near.Contains(wall) {
		return c.zone.moment(wall, c.owner)
	}
	skipped := wall
	for _, p := range c.periods {
		t := wall.Add(-p.Offset)
		if t.Before(p.Start) {
			// Neither this period nor the one before it has wall.
			return skipped
		}
		if t.Before(p.End) {
			return t
		}
		skipped = t
	}
	return c.zone.moment(wall, c.owner)
}

// zones finds the zones of a calendar's times.
type zones struct {
	found map[string]zone
	// defined are the calendar's VTIMEZONE components by TZID.
	defined map[string]*component
	// spent is the part of maxWork that was used to find zones.
	spent int
	// fallback is the X-WR-TIMEZONE of the calendar, for its floating times.
	fallback *time.Location
}

func newZones(calendar *component) *zones {
	z := &zones{found: map[string]zone{}, defined: map[string]*component{}}
	for _, c := range calendar.children {
		if id := c.first("TZID"); c.name == "VTIMEZONE" && id != nil {
			z.defined[cleanID(id.value)] = c
		}
	}
	if p := calendar.first("X-WR-TIMEZONE"); p != nil {
		z.fallback = z.named(p.value).loc
	}
	return z
}

const (
	// longestID is longer than the name of any zone.
	longestID = 200
	// workPerName is the cost of looking up a name, in steps.
	workPerName = 10_000
)

func cleanID(id string) string { return strings.Trim(strings.TrimSpace(id), `"`) }

// named is the zone with that TZID.
//
// A name of the tz database with an area, as Europe/Rome, means the database's zone: the definitions in files are often
// stale or incomplete, and every large calendar ignores them. For any other name the file's definition comes first,
// because "EST" and "Pacific Standard Time" mean different zones to different programs.
func (z *zones) named(id string) zone {
	if known, ok := z.found[id]; ok {
		return known
	}
	found := z.find(cleanID(id))
	z.found[id] = found
	return found
}

func (z *zones) find(id string) zone {
	if z.spent += workPerName; z.spent >= maxWork || len(id) > longestID {
		return zone{lost: true}
	}
	loc := database(id)
	if loc != nil && strings.Contains(loc.String(), "/") {
		return zone{loc: loc}
	}
	if c := z.defined[id]; c != nil {
		if defined := definedZone(c, &z.spent); !defined.lost {
			return defined
		}
	}
	if loc = cmp.Or(loc, windows(id)); loc != nil {
		return zone{loc: loc}
	}
	return zone{lost: true}
}

// database finds a zone of the tz database, also after a vendor's prefix ("/example.org/20250101/Europe/Rome"); nil if
// there is none.
func database(id string) *time.Location {
	parts := strings.Split(strings.Trim(id, "/"), "/")
	for i := range parts {
		name := strings.Join(parts[i:], "/")
		if name == "" || strings.HasPrefix(name, "local") {
			// A machine's name for its local time is not a zone.
			continue
		}
		if loc, err := interval.Zone(name); err == nil {
			return loc
		}
	}
	return nil
}

// windows finds a zone by its Windows name, which Outlook and Exchange use; nil if there is none.
func windows(id string) *time.Location {
	name, known := WindowsZone(strings.TrimPrefix(id, "tzone://Microsoft/"))
	if !known {
		return nil
	}
	loc, err := interval.Zone(name)
	if err != nil {
		return nil
	}
	return loc
}

// definedZone computes the onsets of a VTIMEZONE. One that cannot be parsed is lost.
func definedZone(c *component, spent *int) zone {
	var onsets []onset
	for _, part := range c.children {
		more, ok := partOnsets(part, spent)
		if !ok {
			return zone{lost: true}
		}
		onsets = append(onsets, more...)
	}
	if len(onsets) == 0 {
		return zone{lost: true}
	}
	slices.SortStableFunc(onsets, func(a, b onset) int { return a.moment().Compare(b.moment()) })
	return zone{onsets: onsets}
}
