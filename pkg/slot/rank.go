package slot

import (
	"cmp"
	"slices"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	// turns is how many days take turns in a ranking: three times of each make a full one.
	turns = 8
	// apart is how many minutes two times of one day lie apart, as long as the day has such.
	apart = 60
	// perDay is how many times of one day come before those of other days where the nearest are wanted.
	perDay = 6
)

// ranked is the best candidates, at most MaxSlots. They come in order of time.
func (s *search) ranked(found []candidate) []candidate {
	if s.Preference != meet.NoPreference {
		previous := s.clock.show(s.Previous.Unix())
		return s.sorted(found, perDay, func(c candidate) key {
			return key{bit(c.unknown), bit(c.day != previous.day), int(abs64(c.at - previous.at))}
		})
	}
	return s.spread(found)
}

// spread takes the candidates tier by tier, and in each tier gives days their turns, soonest first.
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

// takeTurns adds the days' best times of a tier, one of each day in every round, until all are taken or best is full.
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

// pick takes the best time of a day that is not taken yet, one that is apart from those taken if possible.
func (s *search) pick(day []candidate, tier int8) (best int, ok bool) {
	least := 0
	for i, c := range day {
		if c.picked || c.tier != tier {
			continue
		}
		awkward := awkwardness(s.Template.Activity, c.minute)
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

// tierCount is how many tiers there are: free before unknown, and within each, for leisure on a personal calendar,
// weekends and evenings before working hours.
const tierCount = 4

func (s *search) tier(c candidate) int8 { return int8(2*bit(c.unknown) + s.tedium(c)) }

// tedium is 1 where leisure would fall into working hours.
func (s *search) tedium(c candidate) int {
	return bit(s.leisure && !atLeisure(weekday(c.day), c.minute))
}

// byDay splits candidates, which are in order of time, into those of each day.
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

// sorted is the candidates with the least keys, the sooner before the later, at most MaxSlots of them. Among those
// that share the first number of their keys no day has more than most, as long as there are other days.
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

func abs64(n int64) int64 { return max(n, -n) }
