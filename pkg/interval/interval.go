// Package interval is the arithmetic of time that everything else stands on: half-open spans of absolute
// time, sets of them, the three states of a calendar, and civil dates and clock times with their exact
// meaning in a zone. It knows no people and no events, and imports the standard library only.
package interval

import (
	"slices"
	"sort"
	"time"
)

// Span is a half-open stretch of time: it contains Start but not End. Adjacent spans do not overlap. A span with End
// not after Start is empty.
type Span struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

// From is the span of length d that begins at start.
func From(start time.Time, d time.Duration) Span { return Span{start, start.Add(d)} }

// Empty reports whether the span contains no time.
func (s Span) Empty() bool { return !s.Start.Before(s.End) }

// Duration is the elapsed time, whatever the clocks show; negative if the span is backwards.
func (s Span) Duration() time.Duration { return s.End.Sub(s.Start) }

// Contains reports whether t is in the span.
func (s Span) Contains(t time.Time) bool { return !t.Before(s.Start) && t.Before(s.End) }

// Overlaps reports whether the two spans share any time.
func (s Span) Overlaps(o Span) bool {
	return s.Start.Before(o.End) && o.Start.Before(s.End) && !s.Empty() && !o.Empty()
}

// Covers reports whether all of o lies within s.
func (s Span) Covers(o Span) bool { return !o.Start.Before(s.Start) && !o.End.After(s.End) }

// Intersect is the time that both spans share; empty if there is none.
func (s Span) Intersect(o Span) Span {
	if o.Start.After(s.Start) {
		s.Start = o.Start
	}
	if o.End.Before(s.End) {
		s.End = o.End
	}
	if s.Empty() {
		return Span{}
	}
	return s
}

// Hull is the shortest span that covers both.
func (s Span) Hull(o Span) Span {
	if o.Start.Before(s.Start) {
		s.Start = o.Start
	}
	if o.End.After(s.End) {
		s.End = o.End
	}
	return s
}

// Widen is the span, longer by before at its start and by after at its end.
func (s Span) Widen(before, after time.Duration) Span {
	return Span{s.Start.Add(-before), s.End.Add(after)}
}

// Set is spans sorted by start, none empty, none touching another. Build one with NewSet; the zero value is the empty
// set.
type Set []Span

// NewSet sorts and merges spans, and drops empty ones. It does not change its arguments.
func NewSet(spans ...Span) Set {
	if spans == nil {
		return nil
	}
	var set Set
	if slices.IsSortedFunc(spans, byStart) {
		set = make(Set, 0, len(spans))
	} else {
		spans = sorted(spans)
		set = spans[:0] // never ahead of what is read
	}
	for _, s := range spans {
		if !s.Empty() {
			set = set.with(s)
		}
	}
	return set
}

// indexBits are the bits of a sort key for a span's index; its start in seconds has the other bits.
const indexBits = 20

// sorted is the spans by start. It mostly sorts numbers, each a second and an index, because a span is six times as
// large and contains pointers.
func sorted(spans []Span) []Span {
	list := make([]Span, len(spans))
	if len(spans) >= 1<<indexBits {
		copy(list, spans)
	} else {
		keys := make([]int64, len(spans))
		for i, s := range spans {
			keys[i] = s.Start.Unix()<<indexBits | int64(i)
		}
		slices.Sort(keys)
		for i, k := range keys {
			list[i] = spans[k&(1<<indexBits-1)]
		}
	}
	if !slices.IsSortedFunc(list, byStart) { // within a second, or too many for numbers
		slices.SortFunc(list, byStart)
	}
	return list
}

func byStart(a, b Span) int { return a.Start.Compare(b.Start) }

// with appends a span that starts no earlier than the set's last one. It may write into the set's array.
func (s Set) with(next Span) Set {
	n := len(s)
	if n == 0 || s[n-1].End.Before(next.Start) {
		return append(s, next)
	}
	if next.End.After(s[n-1].End) {
		s[n-1].End = next.End
	}
	return s
}

// Normal makes a proper set of one that was not built with NewSet. It returns s itself if nothing has to be done.
func (s Set) Normal() Set {
	for i, span := range s {
		if span.Empty() || i > 0 && !s[i-1].End.Before(span.Start) {
			return NewSet(s...)
		}
	}
	return s
}

// Union is all time in either set. If one is empty it is the other, not a copy.
func (s Set) Union(o Set) Set {
	if len(s) == 0 {
		return o
	}
	if len(o) == 0 {
		return s
	}
	either := make(Set, 0, len(s)+len(o))
	for len(s) > 0 && len(o) > 0 {
		if o[0].Start.Before(s[0].Start) {
			s, o = o, s
		}
		either, s = either.with(s[0]), s[1:]
	}
	for _, span := range s {
		either = either.with(span)
	}
	for _, span := range o {
		either = either.with(span)
	}
	return either
}

// Intersect is all time in both sets.
func (s Set) Intersect(o Set) Set {
	var both Set
	for i, j := 0, 0; i < len(s) && j < len(o); {
		if shared := s[i].Intersect(o[j]); !shared.Empty() {
			both = append(both, shared)
		}
		if s[i].End.Before(o[j].End) {
			i++
		} else {
			j++
		}
	}
	return both
}

// Within is the part of the set in span. It shares the set's array if nothing has to be cut.
func (s Set) Within(span Span) Set {
	first := s.after(span.Start)
	end := first
	for end < len(s) && s[end].Start.Before(span.End) {
		end++
	}
	if first == end || span.Empty() {
		return nil
	}
	part := s[first:end:end]
	if last := len(part) - 1; !span.Covers(part[0]) || !span.Covers(part[last]) {
		part = slices.Clone(part)
		part[0], part[last] = part[0].Intersect(span), part[last].Intersect(span)
	}
	return part
}

// Minus is all time of s that is not in o.
func (s Set) Minus(o Set) Set {
	var left Set
	j := 0
	for _, span := range s {
		for j < len(o) && !o[j].End.After(span.Start) {
			j++
		}
		for k := j; k < len(o) && o[k].Start.Before(span.End); k++ {
			if span.Start.Before(o[k].Start) {
				left = append(left, Span{span.Start, o[k].Start})
			}
			span.Start = o[k].End
		}
		if !span.Empty() {
			left = append(left, span)
		}
	}
	return left
}

// Overlaps reports whether the set shares any time with span.
func (s Set) Overlaps(span Span) bool {
	i := s.after(span.Start)
	return i < len(s) && s[i].Overlaps(span)
}

// Covers reports whether all of span is in the set.
func (s Set) Covers(span Span) bool {
	i := s.after(span.Start)
	return i < len(s) && s[i].Covers(span)
}

// after is the index of the first span that ends after t.
func (s Set) after(t time.Time) int {
	return sort.Search(len(s), func(i int) bool { return s[i].End.After(t) })
}

// State is whether a person is free, according to a calendar.
type State string

const (
	// Free means that the calendar was read and has no event.
	Free State = "free"
	// Busy means that the calendar was read and has an event.
	Busy State = "busy"
	// Unknown means that the calendar could not be read. It is never treated as free.
	Unknown State = "unknown"
)

// Availability is one person's time, merged over all calendars. Time in neither set is free.
type Availability struct {
	Busy    Set `json:"busy"`
	Unknown Set `json:"unknown,omitempty"`
}

// State is the worst state anywhere in span: busy before unknown before free.
func (a Availability) State(span Span) State {
	switch {
	case a.Busy.Overlaps(span):
		return Busy
	case a.Unknown.Overlaps(span):
		return Unknown
	default:
		return Free
	}
}

// Merge is the availability of a person with both calendars: busy in either is busy, and otherwise unknown in either is
// unknown.
func (a Availability) Merge(o Availability) Availability {
	return Availability{Busy: a.Busy.Union(o.Busy), Unknown: a.Unknown.Union(o.Unknown)}
}
