package icalendar

import (
	"sort"
	"strings"
	"time"

	"convene/pkg/interval"
)

// onset is a change of a zone's offset, in the wall time before the change.
type onset struct {
	wall     time.Time
	from, to time.Duration
}

// moment is when the change happens.
func (o onset) moment() time.Time { return o.wall.Add(-o.from) }

// offset is the offset at the wall time in a zone that the file defines.
func (z zone) offset(wall time.Time) time.Duration {
	next := sort.Search(len(z.onsets), func(i int) bool { return z.onsets[i].wall.After(wall) })
	if next == 0 {
		return z.onsets[0].from
	}
	o := z.onsets[next-1]
	if wall.Sub(o.wall) < o.to-o.from {
		return o.from
	}
	return o.to
}

func (z zone) offsetAt(t time.Time) time.Duration {
	next := sort.Search(len(z.onsets), func(i int) bool { return z.onsets[i].moment().After(t) })
	if next == 0 {
		return z.onsets[0].from
	}
	return z.onsets[next-1].to
}

// periods are the parts of s with one offset, in a zone that the file defines.
func (z zone) periods(s interval.Span) (list []interval.Period) {
	next := interval.Period{Span: s, Offset: z.offsetAt(s.Start)}
	for _, o := range z.onsets {
		if at := o.moment(); at.After(s.Start) && at.Before(s.End) {
			next.End = at
			list = append(list, next)
			next = interval.Period{Span: interval.Span{Start: at, End: s.End}, Offset: o.to}
		}
	}
	return append(list, next)
}

// The changes of a zone that a file defines are computed between these years: most rules begin in 1601, and events
// outside do not matter.
const (
	firstOnset = 1970
	lastOnset  = 2100
)

// partOnsets are the onsets of one STANDARD or DAYLIGHT part.
func partOnsets(part *component, spent *int) ([]onset, bool) {
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
	if first.utc {
		first.wall = first.wall.Add(from)
	}
	walls, ok := onsetWalls(part, first.wall, from, spent)
	if !ok {
		return nil, false
	}
	onsets := make([]onset, 0, len(walls))
	for _, wall := range walls {
		onsets = append(onsets, onset{wall, from, to})
	}
	return onsets, true
}

// onsetWalls are the wall times at which a part takes effect; from is the offset until then.
func onsetWalls(part *component, first time.Time, from time.Duration, spent *int) (walls []time.Time, ok bool) {
	walls = append(walls, first)
	for _, p := range part.props {
		var more []time.Time
		switch p.name {
		case "RDATE":
			more, ok = listedOnsets(p.value, from)
		case "RRULE":
			more, ok = ruledOnsets(p.value, first, from, spent)
		default:
			continue
		}
		if !ok {
			return nil, false
		}
		walls = append(walls, more...)
	}
	return walls, true
}

// listedOnsets are the onsets of an RDATE.
func listedOnsets(list string, from time.Duration) (walls []time.Time, ok bool) {
	for value := range strings.SplitSeq(list, ",") {
		at, err := parseStamp(value)
		if err != nil {
			return nil, false
		}
		if at.utc {
			at.wall = at.wall.Add(from)
		}
		walls = append(walls, at.wall)
	}
	return walls, true
}

// ruledOnsets are the onsets of an RRULE.
func ruledOnsets(text string, first time.Time, from time.Duration, spent *int) (walls []time.Time, ok bool) {
	r, err := parseRule(text)
	if err != nil {
		return nil, false
	}
	if r.until.utc {
		r.until.wall = r.until.wall.Add(from)
	}
	horizon := time.Date(lastOnset, 1, 1, 0, 0, 0, 0, time.UTC)
	ok = r.each(first, onsetsFrom(r, first), horizon, spent, func(wall time.Time) { walls = append(walls, wall) })
	return walls, ok
}

// onsetsFrom is where the expansion of a rule begins. The last onset of a rule that ended long ago still counts.
func onsetsFrom(r rule, first time.Time) time.Time {
	begin := time.Date(firstOnset, 1, 1, 0, 0, 0, 0, time.UTC)
	if r.count > 0 {
		return first
	}
	if last := r.lastWall(); !last.IsZero() && last.Before(begin) {
		return last.AddDate(-2, 0, 0)
	}
	return begin
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
