package slot

import (
	"cmp"
	"slices"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	// turns is how many days take turns in a ranking: three times of each fill it.
	turns = 8
	// apart is the minimum distance in minutes between two times of a day, while the day has such times.
	apart = 60
	// perDay is how many times of one day come before those of other days in a list of the nearest.
	perDay = 6
)

// ranked is the best of the candidates, which come in order of time; at most MaxSlots.
func (s *search) ranked(found []candidate) []candidate {
	if s.Preference != meet.NoPreference {
		previous := s.clock.show(s.Previous.Unix())
		return s.sorted(found, perDay, func(c candidate) key {
			return key{bit(c.unknown), bit(c.day != previous.day), int(abs(c.at - previous.at))}
		})
	}
	return s.spread(found)
}

// spread takes the candidates tier by tier. In each tier days take turns, soonest first.
func (s *search) spread(found []candidate) []candidate {
	var tiers [tierCount]bool
	for i, c := range found {
		found[i].tier = s.tier(c)
		tiers[found[i].tier] = true
	}
	days := byDay(found)
	best := make([]candidate, 0, MaxSlots)
	for tier := range int8(tierCount) {
		if !tiers[tier] {
			continue
		}
		for i := 0; i < len(days) && len(best) < MaxSlots; {
			var taking [turns][]candidate
			n := 0
			for ; i < len(days) && n < turns; i++ {
				if slices.ContainsFunc(days[i], func(c candidate) bool { return c.tier == tier }) {
					taking[n] = days[i]
					n++
				}
			}
			best = s.takeTurns(best, taking[:n], tier)
		}
	}
	return best
}

// takeTurns adds the days' best times of a tier, one of each day per round, until best is full or none is left.
func (s *search) takeTurns(best []candidate, days [][]candidate, tier int8) []candidate {
	for more := true; more; {
		more = false
		for _, d := range days {
			if len(best) == MaxSlots {
				return best
			}
			if i, ok := s.pick(d, tier); ok {
				best, more = append(best, d[i]), true
			}
		}
	}
	return best
}

// pick takes the best remaining time of a day, preferably apart from those taken.
func (s *search) pick(day []candidate, tier int8) (best int, ok bool) {
	least := 0
	for i, c := range day {
		if c.picked || c.tier != tier {
			continue
		}
		awkward := s.awkward(c)
		if c.crowded {
			awkward += 4 * int(interval.EndOfDay)
		}
		if s.isNight(c.at) {
			awkward += 8 * int(interval.EndOfDay)
		}
		if !ok || awkward < least {
			best, least, ok = i, awkward, true
		}
	}
	if ok {
		day[best].picked = true
		for i := range day {
			day[i].crowded = day[i].crowded || abs(day[i].minute-day[best].minute) < apart
		}
	}
	return best, ok
}

// awkward orders the times of a day by the hours that the user named for it, and otherwise by the activity; the best is
// first. One that leaves no time before or after it is a little worse.
func (s *search) awkward(c candidate) int {
	awkward := awkwardness(s.Template.Activity, c.minute)
	weekday := interval.WeekdayOf(c.day)
	if at, ok := s.around(weekday); ok {
		awkward = abs(c.minute - at)
	} else if at, ok := s.since(weekday); ok {
		awkward = c.minute%30*int(interval.EndOfDay) + abs(c.minute-at)
	}
	if s.hurries(c) || s.isNoon(c.minute, weekday) {
		awkward += hurry
	}
	return awkward
}

// around is the full hour in the middle of the hours that the user named for a day of the week, if they are wider than
// the event by half an hour on either side: "around 8".
func (s *search) around(day time.Weekday) (at int, ok bool) {
	const either = 30
	if s.Template.Hours == nil {
		return 0, false
	}
	windows := s.Template.Hours.Week[day]
	if len(windows) != 1 || int(windows[0].End-windows[0].Start) != s.Template.Duration+2*either {
		return 0, false
	}
	at = int(windows[0].Start) + either
	return at, at%60 == 0
}

// since is when leisure best begins in hours of a day that the user named: at once after a time, "after 4", and in the
// middle of the afternoon.
func (s *search) since(day time.Weekday) (at int, ok bool) {
	switch w, named := s.namedOn(day); {
	case !named || s.Template.Activity != meet.Custom:
		return 0, false
	case isAfternoon(w):
		return int(interval.At(15, 0)), true
	default:
		return int(w.Start), w.Start > interval.At(12, 0) && w.End >= interval.At(23, 0)
	}
}

// isNoon reports whether people who meet for coffee in the afternoon would rather eat at that time of day.
func (s *search) isNoon(at int, day time.Weekday) bool {
	w, named := s.namedOn(day)
	return named && isAfternoon(w) && s.Template.Activity == meet.Coffee && at < int(interval.At(14, 0))
}

// namedOn is the only window that the user named for a day of the week.
func (s *search) namedOn(day time.Weekday) (w interval.Window, named bool) {
	if s.Template.Hours == nil || len(s.Template.Hours.Week[day]) != 1 {
		return w, false
	}
	return s.Template.Hours.Week[day][0], true
}

func isAfternoon(w interval.Window) bool {
	return w.Start == interval.At(12, 0) && w.End > interval.At(15, 0) && w.End <= interval.At(20, 0)
}

// hurry is by how many minutes a time is worse that leaves the organizer none between it and another event, or none to
// eat.
const hurry = 45

// hurries reports whether the organizer comes right from another event to one in person, or goes right on to one, and
// the hours that the user named do not begin or end with that: "right after yoga".
func (s *search) hurries(c candidate) bool {
	if s.Template.Remote() || len(s.Attendees) == 0 {
		return false
	}
	end := interval.Clock(c.minute + int(s.lengths.event/minute))
	wanted := func(w interval.Window) bool { return int(w.Start) == c.minute || w.End == end }
	if h := s.Template.Hours; h != nil && slices.ContainsFunc(h.For(interval.DateNumber(c.day)), wanted) {
		return false
	}
	return slices.ContainsFunc(s.Attendees[0].Availability.Busy, func(b interval.Span) bool {
		return b.End.Unix() == c.at || b.Start.Unix() == c.at+s.lengths.event
	})
}

// tierCount is the number of tiers: free before unknown, and within each, for leisure on a personal calendar, weekends
// and evenings before working hours.
const tierCount = 4

func (s *search) tier(c candidate) int8 { return int8(2*bit(c.unknown) + s.tedium(c)) }

// tedium is 1 if leisure would fall into working hours.
func (s *search) tedium(c candidate) int {
	return bit(s.leisure && !atLeisure(interval.WeekdayOf(c.day), c.minute))
}

// byDay splits candidates, which are in order of time, by day.
func byDay(found []candidate) [][]candidate {
	days := make([][]candidate, 0, 32)
	for len(found) > 0 {
		n := slices.IndexFunc(found, func(c candidate) bool { return c.day != found[0].day })
		if n < 0 {
			n = len(found)
		}
		days = append(days, found[:n])
		found = found[n:]
	}
	return days
}

// key orders candidates, its first number before its second.
type key [6]int

// sorted is the candidates with the least keys, sooner ones first, at most MaxSlots. Among those with the same first
// number no day has more than most, while there are other days.
func (s *search) sorted(found []candidate, most int, keyOf func(candidate) key) []candidate {
	type keyed struct {
		candidate
		key
	}
	list := make([]keyed, len(found))
	for i, c := range found {
		list[i] = keyed{c, keyOf(c)}
	}
	slices.SortFunc(list, func(a, b keyed) int {
		return cmp.Or(slices.Compare(a.key[:], b.key[:]), cmp.Compare(a.at, b.at))
	})
	best, rest := make([]candidate, 0, MaxSlots), []candidate(nil)
	taken := make(map[int]int)
	for i, k := range list {
		if i > 0 && k.key[0] != list[i-1].key[0] {
			best, rest = append(best, rest...), nil
			clear(taken)
		}
		if taken[k.day]++; taken[k.day] <= most {
			best = append(best, k.candidate)
		} else {
			rest = append(rest, k.candidate)
		}
	}
	return first(append(best, rest...), MaxSlots)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
