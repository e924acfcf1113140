package slot

import (
	"slices"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// People in one place keep one clock. Where they meet remotely, everyone keeps their own, and an hour that is usual
// for one is the middle of the night for another. So the hours in which people are awake bound a remote event for all
// whose clock shows something else than the event's, unless working hours bound it for them already.

// wakingHours are acceptable for a remote event at a time that we choose.
func wakingHours() interval.Window {
	return interval.Window{Start: interval.At(7, 0), End: interval.At(22, 0)}
}

// bearableHours are acceptable at a time that the user named to the minute.
func bearableHours() interval.Window {
	return interval.Window{Start: interval.At(6, 0), End: interval.At(23, 0)}
}

// readWaking computes, for each attendee in another zone than the event, the starts at which they are awake.
func (s *search) readWaking() {
	s.waking = make([]starts, len(s.Attendees))
	if len(s.days) == 0 {
		return
	}
	hours := wakingHours()
	if s.namesOnlyStarts() {
		hours = bearableHours()
	}
	var days []int
	known := map[*clock]starts{}
	for i, a := range s.Attendees {
		c := s.clockOf(a.Person)
		if c == s.clock || s.working[i] != nil {
			continue
		}
		if days == nil {
			days = s.dayRun(2, 4)
		}
		if known[c] == nil {
			known[c] = merged(slices.Concat(s.within(hours, c, days), c.agreeing(s.clock)))
		}
		s.waking[i] = known[c]
	}
}

// namesOnlyStarts reports whether all hours of the request are starts to the minute.
func (s *search) namesOnlyStarts() bool {
	windows := namedWindows(s.Template, s.days)
	return len(windows) > 0 && !slices.ContainsFunc(windows, func(w interval.Window) bool { return !w.Exact() })
}

// anyoneSleeps reports whether the event is remote and must avoid an attendee's night.
func (s *search) anyoneSleeps() bool {
	return s.Template.Remote() && slices.ContainsFunc(s.waking, func(w starts) bool { return w != nil })
}

// sleeps reports whether a start falls into the i-th attendee's night.
func (s *search) sleeps(i int, at int64) bool { return s.waking[i] != nil && !s.waking[i].contain(at) }

// isNight reports whether a start falls into any attendee's night.
func (s *search) isNight(at int64) bool {
	for i := range s.Attendees {
		if s.sleeps(i, at) {
			return true
		}
	}
	return false
}

// awake is the part of a set at which no remote attendee sleeps.
func (s *search) awake(set starts) starts {
	if !s.Template.Remote() {
		return set
	}
	for _, w := range s.waking {
		if w != nil {
			set = set.and(w)
		}
	}
	return set
}

// strain is the number of minutes by which a remote event begins outside the waking hours of those asleep, summed up.
func (s *search) strain(at int64) (minutes int) {
	if !s.Template.Remote() {
		return 0
	}
	for i, a := range s.Attendees {
		if s.sleeps(i, at) {
			shown := s.clockOf(a.Person).show(at).minute
			before := minutesAway(shown, wakingHours())
			minutes += min(before, minutesAway(shown+int(interval.EndOfDay), wakingHours()))
		}
	}
	return minutes
}

// clockOf is a person's clock; the event's if the person's zone is unknown.
func (s *search) clockOf(p meet.Person) *clock {
	if p.Timezone == "" {
		return s.clock
	}
	return s.zones.of(p)
}

// agreeing is the moments at which two clocks show the same.
func (c *clock) agreeing(other *clock) []stretch {
	var same []stretch
	for _, p := range c.periods {
		for _, o := range other.periods {
			if from, to := max(p.from, o.from), min(p.to, o.to); p.offset == o.offset && from < to {
				same = append(same, stretch{from, to})
			}
		}
	}
	return same
}
