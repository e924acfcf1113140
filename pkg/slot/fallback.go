package slot

import (
	"slices"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	// leastTaken is how many times with a conflict are shown beside free ones, where there are so many.
	leastTaken = 6
	// takenPerDay is how many of them are of one day.
	takenPerDay = 2
)

// asNamed is the start that the user named, where the wish is nothing but starts to the minute and none of them suits
// everybody on any day. It is the first that can be kept: one that is past, does not exist on its date, is excluded or
// was offered before cannot.
func (s *search) asNamed(w wish) (kept candidate, ok bool) {
	if !w.exact || s.Preference != meet.NoPreference {
		return kept, false
	}
	afresh := *s
	afresh.Offered = nil
	if len(afresh.suitable(w)) > 0 {
		return kept, false
	}
	if named := s.candidates(nil, w.named); len(named) > 0 {
		return named[0], true
	}
	return kept, false
}

// besides is the slots nobody is busy at that are nearest to one that was kept as named: those of its day, of other
// days of the wish, of other days.
func (s *search) besides(kept candidate) []candidate {
	return s.sorted(s.outside(), perDay, func(c candidate) key {
		return key{
			bit(c.unknown), bit(c.day != kept.day), bit(s.daysAway(c.day) > 0),
			abs(c.day - kept.day), abs(c.minute - kept.minute),
		}
	})
}

// nearest is what there is to say where nothing in the wish fits: the nearest times outside it that do, and then the
// times in it with the fewest people who cannot. Where there are neither, it is those at which somebody is up at night.
func (s *search) nearest(w wish) []meet.Slot {
	var outside []candidate
	if s.Preference == meet.NoPreference {
		away := s.away()
		outside = s.sorted(s.outside(), perDay, func(c candidate) key { return ahead(bit(c.unknown), away(c)) })
	} else {
		outside = s.onOtherDays(s.outside())
	}
	taken := s.taken(w)
	if len(outside)+len(taken) == 0 {
		if night := s.atNight(); len(night) > 0 {
			return night
		}
		// At least who cannot is to be said, at any time of the days that were wanted.
		anytime := s.allDay(s.Query)
		return anytime.slots(first(anytime.taken(anytime.wish()), MaxSlots))
	}
	outside = first(outside, MaxSlots-min(len(taken), leastTaken))
	return s.slots(append(outside, first(taken, MaxSlots-len(outside))...))
}

// atNight is the usual times of the event's zone in the days around the wish at which nobody is busy, although somebody
// who takes part remotely should be asleep.
func (s *search) atNight() []meet.Slot {
	q := s.Query
	q.Template.Dates, q.Template.Hours = aroundDates(s.days, s.today), nil
	around := s.also(q)
	if !around.anybodySleeps() {
		return nil
	}
	w, sleepless := around.wish(), *around
	sleepless.waking = make([]starts, len(s.waking))
	found := around.candidates(sleepless.suiting(w.grid), nil)
	around.markMissing(found, w.grid)
	away := around.away()
	return around.slots(around.sorted(found, takenPerDay, func(c candidate) key {
		return ahead(int(c.missing), ahead(around.strain(c.at), away(c)))
	}))
}

// onOtherDays is the candidates for somebody who asked for something earlier or later: one of each day first, the
// nearest day first, and of two that are equally near the one on the wished side. The previous day has only the wrong
// side left, so it counts only where no other has anything.
func (s *search) onOtherDays(found []candidate) []candidate {
	previous := s.clock.show(s.Previous.Unix())
	wrong := func(c candidate) bool { return (c.at > previous.at) == (s.Preference == meet.Earlier) }
	others := slices.DeleteFunc(slices.Clone(found), func(c candidate) bool { return c.day == previous.day && wrong(c) })
	if len(others) == 0 {
		others = found
	}
	return s.sorted(others, 1, func(c candidate) key {
		return key{
			bit(c.unknown), bit(s.daysAway(c.day) > 0), abs(c.day - previous.day), bit(wrong(c)),
			abs(c.minute - previous.minute),
		}
	})
}

// outside is the candidates in the days around the wish at any usual time, on either side of a previous event. Where
// there is no usual time, it is any time of the waking day.
func (s *search) outside() []candidate {
	q := s.Query
	if q.Preference != meet.NoPreference {
		q.Preference = meet.NoPreference
		q.Offered = append(slices.Clone(q.Offered), q.Previous)
	}
	q.Template.Dates, q.Template.Hours = aroundDates(s.days, s.today), nil
	usual := s.also(q)
	if found := usual.suitable(usual.wish()); len(found) > 0 {
		return s.leastWorse(found)
	}
	anytime := s.allDay(q)
	return s.leastWorse(anytime.suitable(anytime.wish()))
}

// allDay is the search for a query at any time of the waking day, usual or not.
func (s *search) allDay(q Query) *search {
	q.Template.Hours = &meet.Hours{Week: interval.EveryDay(wakingHours())}
	anytime := s.also(q)
	anytime.anyHour = true
	return anytime
}

// taken is the times in the wish, each with somebody who cannot: the fewest people first, and of those who would have
// to be up at night the ones who are nearest to their waking hours.
func (s *search) taken(w wish) []candidate {
	w.named = w.named.between(s.earliest, s.earliest+forever)
	found := s.candidates(w.grid, w.named)
	s.markMissing(found, merged(slices.Concat(w.grid, w.named)))
	for i, c := range found {
		found[i].missing += int16(len(s.reach(c.at).Late))
	}
	away := s.away()
	return s.sorted(found, takenPerDay, func(c candidate) key {
		return ahead(int(c.missing), ahead(s.strain(c.at), away(c)))
	})
}

// markMissing counts how many people cannot come at each of the candidates, which are in order and lie in the set.
func (s *search) markMissing(found []candidate, set starts) {
	for i := range s.Attendees {
		suits, j := s.suitingOne(set, i), 0
		for k, c := range found {
			for j < len(suits) && suits[j].to <= c.at {
				j++
			}
			if j == len(suits) || c.at < suits[j].from {
				found[k].missing++
			}
		}
	}
}

// away is how far a candidate is from the wish: from the previous event, where something earlier or later was wanted,
// otherwise from the days and then from the hours of the wish.
func (s *search) away() func(candidate) key {
	if s.Preference != meet.NoPreference {
		previous := s.clock.show(s.Previous.Unix())
		return func(c candidate) key {
			return key{bit(s.daysAway(c.day) > 0), bit(c.day != previous.day), int(abs64(c.at - previous.at))}
		}
	}
	windows := namedWindows(s.Template, s.days)
	for i, w := range windows {
		if length := interval.Clock(s.lengths.event / minute); w.Start+length <= w.End {
			windows[i].End -= length // the event lies inside, so its start may not be later
		}
	}
	return func(c candidate) key {
		minutes := 0
		for i, w := range windows {
			if m := minutesAway(c.minute, w); i == 0 || m < minutes {
				minutes = m
			}
		}
		return key{s.tedium(c), s.daysAway(c.day), minutes, awkwardness(s.Template.Activity, c.minute)}
	}
}

// ahead is a key with a number ahead of it.
func ahead(head int, tail key) (k key) {
	k[0] = head
	copy(k[1:], tail[:])
	return k
}

// daysAway is how far a day is from the nearest one of the wish.
func (s *search) daysAway(n int) int {
	if len(s.days) == 0 {
		return n - s.today + 1
	}
	i, ok := slices.BinarySearch(s.days, n)
	switch {
	case ok:
		return 0
	case i == 0:
		return s.days[0] - n
	case i == len(s.days):
		return n - s.days[i-1]
	default:
		return min(n-s.days[i-1], s.days[i]-n)
	}
}

// minutesAway is how far a time of day is from a window.
func minutesAway(at int, w interval.Window) int {
	from, to := int(w.Start), int(w.End)
	switch {
	case from <= to && at < from:
		return from - at
	case from <= to && at > to:
		return at - to
	case from > to && at > to && at < from:
		return min(at-to, from-at)
	default:
		return 0
	}
}

// namedWindows are the hours of the wish on its days, each once.
func namedWindows(t meet.Template, days []int) []interval.Window {
	if t.Hours == nil {
		return nil
	}
	var named []interval.Window
	for _, n := range days {
		for _, w := range t.Hours.For(interval.DateNumber(n)) {
			if !slices.Contains(named, w) {
				named = append(named, w)
			}
		}
	}
	return named
}
