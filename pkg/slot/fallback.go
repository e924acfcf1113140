package slot

import (
	"slices"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	// leastTaken is the minimum number of times with a conflict beside free ones, if there are so many.
	leastTaken = 6
	// takenPerDay is the maximum of them on one day.
	takenPerDay = 2
)

// asNamed is the start that the user named, if the request has only starts to the minute and none of them suits
// everyone. It is the first that can be kept: not past, skipped, excluded or offered before.
func (s *search) asNamed(w request) (kept candidate, ok bool) {
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

// mostNamed is how many days a request has at most that names them one by one: a day, or a weekend.
const mostNamed = 2

// overtime is the candidates that suit everyone apart from working hours, if none of the days and hours that the user
// named lies in those of some attendee: a walk on Saturday, drinks after six. Hours that are night for an attendee in
// another zone are kept as well. A call or meeting with somebody in another zone is not: it is found other times.
func (s *search) overtime(w request) []candidate {
	t := s.Template
	asked := t.Hours != nil || len(s.days) <= mostNamed
	work := t.Remote() && (t.Activity == meet.Meeting || t.Activity == meet.Call)
	if !asked || s.Preference != meet.NoPreference || work {
		return nil
	}
	lifted, set, late := *s, merged(slices.Concat(w.grid, w.named)), false
	lifted.working, lifted.waking = slices.Clone(s.working), slices.Clone(s.waking)
	for i := range s.Attendees {
		if hours := s.working[i]; hours != nil && len(set.and(hours)) == 0 {
			lifted.working[i], late = nil, true
		}
		if up := s.waking[i]; up != nil && t.Hours != nil && t.Remote() && len(set.and(up)) == 0 {
			lifted.waking[i], late = nil, true
		}
	}
	if !late {
		return nil
	}
	found := lifted.ranked(lifted.best(lifted.suitable(w)))
	for i := range found {
		found[i].suits = false
	}
	return found
}

// besides is the free slots nearest to one kept as named: those of its day, of other requested days, of other days.
func (s *search) besides(kept candidate) []candidate { return s.nearestTo(kept, s.outside()) }

// besidesMeal is the same beside a start to the minute. A meal is at its usual hours, if need be outside somebody's
// working hours: a breakfast at noon is none.
func (s *search) besidesMeal(kept candidate) []candidate {
	found := s.outside()
	if s.isMeal() && !s.Template.Remote() && !slices.ContainsFunc(found, s.isUsual) {
		late := slices.DeleteFunc(s.afterHours(), func(c candidate) bool { return c.at == kept.at })
		if len(late) > 0 {
			found = late
		}
	}
	return s.nearestTo(kept, found)
}

func (s *search) nearestTo(kept candidate, found []candidate) []candidate {
	return s.sorted(found, perDay, func(c candidate) key {
		return key{
			bit(c.unknown), bit(c.day != kept.day), bit(s.daysAway(c.day) > 0),
			abs(c.day - kept.day), abs(c.minute - kept.minute),
		}
	})
}

// isMeal reports whether the event is something to eat, which has its hours.
func (s *search) isMeal() bool {
	switch s.Template.Activity {
	case meet.Breakfast, meet.Brunch, meet.Lunch, meet.Dinner:
		return true
	default:
		return false
	}
}

// isUsual reports whether a candidate is at the usual hours of the activity.
func (s *search) isUsual(c candidate) bool {
	return Usual(s.Template.Activity, interval.Clock(c.minute))
}

// afterHours is the candidates around the request at the usual hours that suit everyone apart from working hours.
func (s *search) afterHours() []candidate {
	q := s.Query
	q.Template.Dates, q.Template.Hours = aroundDates(s.days, s.today), nil
	usual := s.also(q)
	usual.working = make([]starts, len(s.Attendees))
	found := s.best(usual.suitable(usual.request()))
	for i := range found {
		found[i].suits = false
	}
	return found
}

// nearest is the fallback if no requested time fits: the nearest other times that do, and then the requested times with
// the fewest conflicts. If there are neither, it is times at which someone is up at night.
func (s *search) nearest(w request) []meet.Slot {
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
		return anytime.slots(first(anytime.taken(anytime.request()), MaxSlots))
	}
	outside = first(outside, MaxSlots-min(len(taken), leastTaken))
	return s.slots(append(outside, first(taken, MaxSlots-len(outside))...))
}

// atNight is the usual times of the event's zone around the requested days at which nobody is busy, although a remote
// attendee should be asleep.
func (s *search) atNight() []meet.Slot {
	q := s.Query
	q.Template.Dates, q.Template.Hours = aroundDates(s.days, s.today), nil
	around := s.also(q)
	if !around.anyoneSleeps() {
		return nil
	}
	w, sleepless := around.request(), *around
	sleepless.waking = make([]starts, len(s.waking))
	found := around.candidates(sleepless.suiting(w.grid), nil)
	around.markMissing(found, w.grid)
	away := around.away()
	return around.slots(around.sorted(found, takenPerDay, func(c candidate) key {
		return ahead(int(c.missing), ahead(around.strain(c.at), away(c)))
	}))
}

// onOtherDays is the fallback for "earlier" and "later": one candidate of each day first, the nearest day first, and of
// two equally near ones that on the preferred side. The previous day has only its other side left, so it counts only if
// no other day has any.
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

// outside is the candidates in the days around the request at usual times, on either side of a previous event. If there
// is none, it is any time of the waking day.
func (s *search) outside() []candidate {
	q := s.Query
	if q.Preference != meet.NoPreference {
		q.Preference = meet.NoPreference
		q.Offered = append(slices.Clone(q.Offered), q.Previous)
	}
	q.Template.Dates, q.Template.Hours = aroundDates(s.days, s.today), nil
	usual := s.also(q)
	if found := usual.suitable(usual.request()); len(found) > 0 {
		return s.best(found)
	}
	anytime := s.allDay(q)
	return s.best(anytime.suitable(anytime.request()))
}

// allDay is the search at any time of the waking day, usual or not.
func (s *search) allDay(q Query) *search {
	q.Template.Hours = &meet.Hours{Week: interval.EveryDay(wakingHours())}
	anytime := s.also(q)
	anytime.anyHour = true
	return anytime
}

// taken is the requested times with a conflict: those with the fewest people first, and of those at night the nearest
// to waking hours.
func (s *search) taken(w request) []candidate {
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

// markMissing counts the people who cannot attend each candidate. The candidates are in order and lie in the set.
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

// away is the distance of a candidate from the request: from the previous event for "earlier" and "later", otherwise
// from the days and then the hours.
func (s *search) away() func(candidate) key {
	if s.Preference != meet.NoPreference {
		previous := s.clock.show(s.Previous.Unix())
		return func(c candidate) key {
			return key{bit(s.daysAway(c.day) > 0), bit(c.day != previous.day), int(abs(c.at - previous.at))}
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

// ahead puts a number in front of a key.
func ahead(head int, tail key) (k key) {
	k[0] = head
	copy(k[1:], tail[:])
	return k
}

// daysAway is a day's distance from the nearest requested one.
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

// minutesAway is the distance of a time of day from a window.
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

// namedWindows are the hours of the request on its days, each once.
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
