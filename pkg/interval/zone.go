package interval

import "time"

// farthest exceeds every zone's distance from UTC, in seconds.
const farthest = 24 * 60 * 60

// moment is the first at which a clock in loc shows wall, given as Unix seconds of a clock that shows UTC. If no clock
// ever does, ok is false and t is the moment of the DST change that skips it.
func moment(wall int64, loc *time.Location) (t time.Time, ok bool) {
	for from := time.Unix(wall-farthest, 0).In(loc); ; {
		_, offset := from.Zone()
		t = time.Unix(wall-int64(offset), 0).In(loc)
		if t.Before(from) {
			return from, false
		}
		change, found := nextChange(from)
		if !found || t.Before(change) {
			return t, true
		}
		from = change
	}
}

// nextChange is the next moment after t at which the clocks in t's zone may change; found is false if there is none. It
// includes some moments at which they do not.
func nextChange(t time.Time) (change time.Time, found bool) {
	_, change = t.ZoneBounds()
	if change.IsZero() {
		return change, false
	}
	if !change.After(t) {
		// ZoneBounds ends every year after 365 days, so on the last day of a leap year it answers with a moment
		// that has passed. No zone changes its clocks on that day.
		change = t.UTC().Truncate(farthest * time.Second).Add(farthest * time.Second).In(t.Location())
	}
	return change, true
}

// Period is a time in which a zone keeps one offset from UTC.
type Period struct {
	Span
	// Offset is the clocks' distance ahead of UTC; it is negative west of Greenwich.
	Offset time.Duration
}

// Periods splits s at the changes of loc's offset, in order.
func Periods(loc *time.Location, s Span) []Period {
	periods := make([]Period, 0, 3)
	for t := s.Start.In(loc); t.Before(s.End); {
		_, seconds := t.Zone()
		offset := time.Duration(seconds) * time.Second
		change, found := nextChange(t)
		if !found || change.After(s.End) {
			change = s.End.In(loc)
		}
		if n := len(periods); n > 0 && periods[n-1].Offset == offset {
			periods[n-1].End = change
		} else {
			periods = append(periods, Period{Span{t, change}, offset})
		}
		t = change
	}
	return periods
}

// clocks is a zone over some days, with its changes looked up once.
type clocks struct {
	loc     *time.Location
	periods []Period
}

// newClocks covers the dates with numbers from first to last, 24:00 included.
func newClocks(loc *time.Location, first, last int) clocks {
	days := Span{time.Unix(int64(first)*secondsPerDay, 0), time.Unix(int64(last+1)*secondsPerDay, 0)}
	return clocks{loc, Periods(loc, days.Widen(farthest*time.Second, farthest*time.Second))}
}

// at is Date.At on the date with the number.
func (k clocks) at(number int, c Clock) (t time.Time) {
	wall := int64(number)*secondsPerDay + int64(c)*60
	for i, p := range k.periods {
		t = time.Unix(wall, 0).Add(-p.Offset).In(k.loc)
		if i > 0 && t.Before(p.Start) {
			return p.Start
		}
		if t.Before(p.End) {
			break
		}
	}
	return t
}
