package world

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/preference"
)

// Working is the owner's working time in a span.
func (w *World) Working(span interval.Span) interval.Set {
	return w.Preferred().For(w.Owner).WorkingWeek().Around(span, w.Zone()).Within(span)
}

// Hours says where hours come from.
type Hours string

// UsualHours are those of the owner's preferences, NamedHours those of the owner's words.
const (
	UsualHours Hours = "usual"
	NamedHours Hours = "named"
)

// Spare is what is left of free time after what the owner keeps free. Kept are the keys of the preferences that take
// some of it. Hours that the owner names now count for more than those for meetings.
func (w *World) Spare(free interval.Set, span interval.Span, named Hours) (left interval.Set, kept []string) {
	likes := w.Preferred()
	left, kept = free, []string{}
	keep := func(key string, rest interval.Set) {
		if !slices.Equal(rest, left) && !slices.Contains(kept, key) {
			kept = append(kept, key)
		}
		left = rest
	}
	for _, p := range likes.Protected {
		keep(p.Key, left.Minus(p.Week.Around(span, w.Zone())))
	}
	if likes.MeetingHours != nil && named == UsualHours {
		keep(preference.MeetingHours, left.Intersect(likes.MeetingHours.Around(span, w.Zone())))
	}
	return left, kept
}

// TellKept is a sentence about what the owner keeps free; empty if nothing is.
func (w *World) TellKept(phrase string, kept []string) string {
	var names []string
	for _, key := range kept {
		names = append(names, w.Say(key))
	}
	if len(names) == 0 {
		return ""
	}
	return w.Say(phrase, "list", w.Voice().List(names))
}

// YesOrNo tells the owner that a time is free, or which of the events are in the way.
func (w *World) YesOrNo(events []meet.Occurrence, span interval.Span) string {
	var list []string
	var busy []interval.Span
	for _, o := range events {
		if !o.Transparent && !o.Declined() && o.Span.Overlaps(span) {
			busy = append(busy, o.Span)
			list = append(list, w.Say("is", "title", w.Voice().Title(o.Title), "when", w.Voice().During(o, span)))
		}
	}
	name := "inTheWay"
	switch taken := interval.NewSet(busy...); {
	case len(list) == 0:
		_, kept := w.Spare(interval.NewSet(span), span, NamedHours)
		return strings.TrimSpace(w.Say("free", "when", w.Period(span)) + " " + w.TellKept("keptToo", kept))
	case span.Duration() > time.Hour && !taken.Covers(span):
		name = "partly"
	}
	return w.Say(name, "list", w.Voice().List(list))
}

// Apart is busy time with the minutes that the owner wants to have between events.
func (w *World) Apart(busy interval.Set) interval.Set {
	rest := w.Preferred().Between()
	spans := make([]interval.Span, len(busy))
	for i, s := range busy {
		spans[i] = s.Widen(rest, rest)
	}
	return interval.NewSet(spans...)
}

// near is how far from now events are looked at to learn which calendars can be written.
const near = 31 * 24 * time.Hour
