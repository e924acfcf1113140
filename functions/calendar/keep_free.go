package calendar

import (
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// keeping is what the user has asked to keep free while events move.
type keeping struct {
	// time is free besides what the owner keeps free anyway, keys are its names, and events are meant by it.
	time   interval.Set
	keys   []string
	events []meet.Occurrence
	// notes say at which time something is kept that nobody has told, and what is not known. Missed are names that no
	// event has.
	notes, missed []string
}

// has reports whether an event is meant by what is kept free.
func (k keeping) has(o meet.Occurrence) bool {
	return slices.ContainsFunc(k.events, func(other meet.Occurrence) bool { return other.Key() == o.Key() })
}

// usualLunch is the time for lunch of an owner who has not told it.
var usualLunch = interval.Window{Start: interval.At(12, 0), End: interval.At(13, 0)}

const lunchHours = "lunch_hours"

// keep finds what the user has asked to keep free: among what they keep free anyway, and among their events.
func keep(w *world.World, said []string, events []meet.Occurrence, span interval.Span) (k keeping) {
	for _, what := range said {
		key, called := keyOf(w, what), calledSo(events, what)
		k.events = append(k.events, called...)
		switch {
		case keeps(w, key):
		case key == lunchHours:
			k.time = k.time.Union(interval.EveryDay(usualLunch).Around(span, w.Zone()))
			k.keys = append(k.keys, key)
			at := usualLunch.On(interval.DateOf(w.Now), w.Zone())
			k.notes = append(k.notes, say(w, "lunchKept", "from", w.Voice().Clock(at.Start), "to", w.Voice().Clock(at.End)))
		case len(called) == 0 && key == "":
			k.missed = append(k.missed, w.Voice().Title(what))
		case len(called) == 0:
			k.notes = append(k.notes, say(w, "unknownKept", "what", w.Voice().Title(what)))
		}
	}
	return k
}

// calledSo are the events with such a title.
func calledSo(events []meet.Occurrence, what string) []meet.Occurrence {
	if len(agenda.CallingOf(what).Names) == 0 {
		return nil
	}
	return agenda.Called(events, []string{what}, false, func(o meet.Occurrence) meet.Occurrence { return o })
}

// keeps reports whether the owner keeps time free by a preference.
func keeps(w *world.World, key string) bool {
	for _, p := range w.Preferred().Protected {
		if p.Key == key {
			return true
		}
	}
	return false
}

// keyOf is the preference that people call so; empty if it is none.
func keyOf(w *world.World, what string) string {
	for _, key := range []string{lunchHours, "gym_schedule", "writing_block_config", "protected_times"} {
		for name := range strings.SplitSeq(say(w, "called."+key), "|") {
			if what == key || strings.Contains(" "+strings.ToLower(what), " "+strings.TrimSpace(name)) {
				return key
			}
		}
	}
	return ""
}
