package stages

import (
	"cmp"
	"slices"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/slot"
	"convene/stages/candidates"
)

// offer is all that stage 5 may choose from, and the facts that its message may state.
type offer struct {
	facts   *message.Facts
	found   meet.Candidates
	path    message.Path
	leisure bool
	// template decides which places are better.
	template  meet.Template
	providers []string
	// ownPlaces says that the model does not rank places.
	ownPlaces bool
	// fitting caches fits by place and slot.
	fitting [][]bool
}

// newOffer gathers what may be chosen and said.
func newOffer(in situation, draft meet.Draft, found meet.Candidates, path message.Path) *offer {
	return &offer{
		found:     found,
		path:      path,
		template:  draft.Template,
		leisure:   draft.Template.Activity == meet.Custom && !in.turn.Organizer.OnWorkCalendar(),
		providers: found.Providers,
		ownPlaces: in.turn.AutoConfirm && draft.Heard != nil,
		facts:     factsOf(in, draft, found),
	}
}

// factsOf are the facts that a message about the candidates may state.
func factsOf(in situation, draft meet.Draft, found meet.Candidates) *message.Facts {
	var unread, unknown []string
	for _, c := range found.Calendars {
		switch {
		case c.State == meet.Checked:
		case c.Person == "":
			unknown = append(unknown, c.Name)
		default:
			unread = append(unread, c.Name)
		}
	}
	organizer := in.turn.Organizer
	return (&message.Facts{
		Language: in.understood.Language, Mode: draft.Mode, Template: draft.Template,
		Organizer: organizer, People: draft.People, Zone: in.now.Location(), Now: in.now,
		Slots: found.Slots, Places: found.Places, Shown: found.Shown, Previous: draft.Previous,
		CalendarType: cmp.Or(organizer.CalendarType, meet.Personal), Unread: unread, Unknown: unknown,
		NoCommonTime: found.HasNoCommonTime, Past: found.Past, Skipped: found.Skipped,
		ExplicitTime: found.HasExplicitTimeConflict, PlacesFailed: found.PlacesFailed, Search: found.Search,
		InTheWay: found.InTheWay,
		Apart:    found.Apart, Pairs: found.Pairs,
		WantsPlace: functions.SeeksPlace(draft.Template) || draft.FixedPlace != nil, KeepsPlace: draft.KeepsPlace(),
		Moves: draft.Mode == meet.ModeEdit && in.conversation.Search.Booked,
	}).Prepared()
}

// mostRanked is how many of each are ranked: the best and three alternatives.
const mostRanked = 4

// correct turns the model's ranks into a valid choice. It drops indices that are out of range or repeated, overrules
// the model where code decides, and fills up from the code's own ranking.
func (o *offer) correct(said meet.Selection, bill *tally) message.Choice {
	slots := valid(said.Slots, len(o.found.Slots), "slot_index", bill)
	if o.path == message.PathAlternatives {
		slots = onePerDay(o.found.Slots, slots)
		slots = o.byState(otherDays(o.found.Slots, slots))
		return message.Choice{Slots: slots[:min(mostRanked-1, len(slots))]}
	}
	slots = o.bestSlotFirst(otherDays(o.found.Slots, slots), bill)
	if len(slots) == 0 {
		return message.Choice{Slots: slots}
	}
	if o.ownPlaces {
		said.Places = nil
	}
	places := valid(said.Places, len(o.found.Places), "place_index", bill)
	choice := message.Choice{Places: o.placesFor(slots[0], places, bill)}
	slots = o.withPlace(slots, choice.Places)
	choice.Slots = slots[:min(mostRanked, len(slots))]
	return choice
}

// valid drops indices that do not exist or are repeated.
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

// otherDays adds the first slot of each day that the chosen ones do not have, and then the rest.
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
	return filledUp(chosen, len(list))
}

// onePerDay keeps the first chosen slot of each day.
func onePerDay(list []meet.Slot, chosen []int) []int {
	days := map[interval.Date]bool{}
	return slices.DeleteFunc(slices.Clone(chosen), func(i int) bool {
		day := interval.DateOf(list[i].Start)
		again := days[day]
		days[day] = true
		return again
	})
}

// filledUp adds the other indices below n.
func filledUp(chosen []int, n int) []int {
	for i := range n {
		if !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// bestSlotFirst decides what the model may not: a pinned time stays first; a time with unread calendars is not first if
// a checked one exists; and leisure on a personal calendar belongs in the evening or at the weekend.
func (o *offer) bestSlotFirst(ranked []int, bill *tally) []int {
	if len(ranked) == 0 {
		return ranked
	}
	if o.found.PinnedSlot {
		ranked = toFront(ranked, 0)
		return append(ranked[:1:1], o.byState(ranked[1:])...)
	}
	if best := o.best(ranked); best != ranked[0] {
		bill.removed("unsuitable_slot")
		ranked = toFront(ranked, best)
	}
	return append(ranked[:1:1], o.byState(ranked[1:])...)
}

// byState puts checked times before unknown ones and those before conflicts, and keeps the order among equals.
func (o *offer) byState(ranked []int) []int {
	sorted := slices.Clone(ranked)
	slices.SortStableFunc(sorted, func(a, b int) int { return stateRank(o.found.Slots[a]) - stateRank(o.found.Slots[b]) })
	return sorted
}

// best is the first slot with the best grade.
func (o *offer) best(ranked []int) int {
	return slices.MinFunc(ranked, func(a, b int) int { return o.grade(a) - o.grade(b) })
}

// grade is lower for a better slot: free before unknown before conflict; then those with which the pinned place goes;
// then those that suit leisure.
func (o *offer) grade(i int) int {
	grade := 4 * stateRank(o.found.Slots[i])
	if o.found.PinnedPlace && !o.fits(i, 0) {
		grade += 2
	}
	if o.leisure && !slot.SuitsLeisure(o.found.Slots[i]) {
		grade++
	}
	return grade
}

// fits reports whether a place goes with the time of a slot; see candidates.Fitting.
func (o *offer) fits(slot, place int) bool {
	if o.fitting == nil {
		o.fitting = make([][]bool, len(o.found.Places))
	}
	if o.fitting[place] == nil {
		o.fitting[place] = candidates.Fitting(&o.found, place)
	}
	return o.fitting[place][slot]
}

// stateRank is lower for a better state.
func stateRank(s meet.Slot) int {
	return slices.Index([]meet.SlotState{meet.SlotFree, meet.SlotUnknown, meet.SlotConflict}, s.State)
}

func toFront(ranked []int, i int) []int {
	others := slices.DeleteFunc(slices.Clone(ranked), func(j int) bool { return j == i })
	return append([]int{i}, others...)
}

// placesFor ranks the places that go with a slot: a pinned one first, and branches of a named venue before others.
func (o *offer) placesFor(slot int, ranked []int, bill *tally) []int {
	unfit := func(i int) bool { return !o.fits(slot, i) }
	for _, i := range ranked {
		if unfit(i) {
			bill.removed("unfit_place")
		}
	}
	ranked = slices.DeleteFunc(filledUp(ranked, len(o.found.Places)), unfit)
	ranked = candidates.Arranged(o.found.Places, ranked, o.template)
	if o.found.PinnedPlace {
		pinned := o.found.Places[0]
		slices.SortStableFunc(ranked, func(a, b int) int {
			return branchRank(pinned, a, o.found.Places[a]) - branchRank(pinned, b, o.found.Places[b])
		})
	}
	// Only the first place may be one to which a participant must hurry.
	if len(ranked) > 0 {
		rushed := func(i int) bool { return o.found.Pair(slot, i).Rushed }
		ranked = append(ranked[:1:1], slices.DeleteFunc(ranked[1:], rushed)...)
	}
	return ranked[:min(mostRanked, len(ranked))]
}

// branchRank is 0 for the pinned place, which is the first, 1 for its branches if it was named, and 2 for others.
func branchRank(pinned meet.Place, i int, p meet.Place) int {
	switch {
	case i == 0:
		return 0
	case pinned.Named && p.BranchOf(pinned):
		return 1
	default:
		return 2
	}
}

// withPlace keeps the first slot and those with which any of the places goes: an alternative is confirmed with one of
// these.
func (o *offer) withPlace(slots, places []int) []int {
	if len(places) == 0 {
		return slots
	}
	return slices.DeleteFunc(slots, func(s int) bool {
		return s != slots[0] && !slices.ContainsFunc(places, func(p int) bool {
			return o.fits(s, p) && (p == places[0] || !o.found.Pair(s, p).Rushed)
		})
	})
}
