package stages

import (
	"slices"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/slot"
)

// most is how many of each are ranked: the best and three alternatives.
const most = 4

// correct makes the model's ranks into a choice that holds. What is out of range or repeated is dropped, what is not
// the model's to decide is put right, and the rest is filled up from the code's own ranking.
func (o offer) correct(said meet.Selection, bill *tally) message.Choice {
	slots := valid(said.Slots, len(o.found.Slots), "slot_index", bill)
	if o.path == message.PathAlternatives {
		slots = onePerDay(o.found.Slots, slots)
		slots = o.byState(otherDays(o.found.Slots, slots))
		return message.Choice{Slots: slots[:min(most-1, len(slots))]}
	}
	slots = o.bestSlotFirst(otherDays(o.found.Slots, slots), bill)
	choice := message.Choice{Slots: slots[:min(most, len(slots))]}
	if len(choice.Slots) == 0 {
		return choice
	}
	places := valid(said.Places, len(o.found.Places), "place_index", bill)
	choice.Places = o.placesFor(o.found.Slots[choice.Slots[0]], places, bill)
	return choice
}

// valid drops indices that do not exist or were said before.
func valid(said []int, n int, what string, bill *tally) []int {
	var kept []int
	for _, i := range said {
		if i < 0 || i >= n || slices.Contains(kept, i) {
			bill.removed(what)
			continue
		}
		kept = append(kept, i)
	}
	return kept
}

// otherDays adds to the chosen slots the first of each day that is not among them, and then the rest.
func otherDays(list []meet.Slot, chosen []int) []int {
	days := map[interval.Date]bool{}
	for _, i := range chosen {
		days[interval.DateOf(list[i].Start)] = true
	}
	for i, s := range list {
		if day := interval.DateOf(s.Start); !days[day] {
			days[day] = true
			chosen = append(chosen, i)
		}
	}
	return rest(chosen, len(list))
}

// onePerDay are the chosen slots without a second one of any day.
func onePerDay(list []meet.Slot, chosen []int) []int {
	days := map[interval.Date]bool{}
	return slices.DeleteFunc(slices.Clone(chosen), func(i int) bool {
		day := interval.DateOf(list[i].Start)
		again := days[day]
		days[day] = true
		return again
	})
}

// rest adds the indices below n that are not among the chosen.
func rest(chosen []int, n int) []int {
	for i := range n {
		if !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// bestSlotFirst puts right what the model may not decide: a pinned time stays first; nobody is booked on an assumption
// while a checked time exists; and leisure on a personal calendar belongs in the evening or at the weekend.
func (o offer) bestSlotFirst(ranked []int, bill *tally) []int {
	if len(ranked) == 0 {
		return ranked
	}
	if o.found.PinnedSlot {
		ranked = toFront(ranked, 0)
		return append(ranked[:1:1], o.byState(ranked[1:])...)
	}
	best := slices.MinFunc(ranked, func(a, b int) int { return o.worse(a) - o.worse(b) })
	if o.worse(best) < o.worse(ranked[0]) {
		bill.removed("unsuitable_slot")
		ranked = toFront(ranked, best)
	}
	return append(ranked[:1:1], o.byState(ranked[1:])...)
}

// byState puts checked times before unknown ones and those before conflicts, and keeps the order among equals.
func (o offer) byState(ranked []int) []int {
	sorted := slices.Clone(ranked)
	slices.SortStableFunc(sorted, func(a, b int) int { return stateRank(o.slot(a)) - stateRank(o.slot(b)) })
	return sorted
}

func (o offer) slot(i int) meet.Slot { return o.found.Slots[i] }

// worse grades a slot: checked before unknown before taken; among those, times at which the pinned place is open first;
// and among those, suitable ones for leisure.
func (o offer) worse(i int) int {
	grade := 4 * stateRank(o.slot(i))
	if o.found.PinnedPlace && closed(o.found.Places[0], o.slot(i).Span()) {
		grade += 2
	}
	if o.leisure && !slot.SuitsLeisure(o.slot(i)) {
		grade++
	}
	return grade
}

// closed reports whether a place is known not to be open for all of a time.
func closed(p meet.Place, at interval.Span) bool {
	open, known := p.OpenDuring(at)
	return known && !open
}

func stateRank(s meet.Slot) int {
	return slices.Index([]meet.SlotState{meet.SlotFree, meet.SlotUnknown, meet.SlotConflict}, s.State)
}

func toFront(ranked []int, i int) []int {
	others := slices.DeleteFunc(slices.Clone(ranked), func(j int) bool { return j == i })
	return append([]int{i}, others...)
}

// placesFor ranks the places for one time: none that is closed then, a pinned one first.
func (o offer) placesFor(at meet.Slot, ranked []int, bill *tally) []int {
	shut := func(i int) bool { return closed(o.found.Places[i], at.Span()) }
	for _, i := range ranked {
		if shut(i) {
			bill.removed("closed_place")
		}
	}
	ranked = slices.DeleteFunc(rest(o.nearFirst(ranked), len(o.found.Places)), shut)
	if o.open {
		ranked = kindsApart(o.found.Places, ranked)
	}
	ranked = fittestFirst(o.found.Places, ranked)
	if o.found.PinnedPlace && slices.Contains(ranked, 0) {
		ranked = toFront(ranked, 0)
	}
	return ranked[:min(most, len(ranked))]
}

// near is how far from the midpoint a place may be to be preferred, in kilometres.
const near = 3.0

// nearFirst adds the near places of the code's ranking behind those that the model chose. Where the user named an area,
// near is what lies in it.
func (o offer) nearFirst(ranked []int) []int {
	inArea := slices.ContainsFunc(o.found.Places, func(p meet.Place) bool { return p.InArea })
	for i, p := range o.found.Places {
		preferred := p.InArea || !inArea && p.DistanceFromMidpointKm <= near
		if preferred && !slices.Contains(ranked, i) {
			ranked = append(ranked, i)
		}
	}
	return ranked
}
