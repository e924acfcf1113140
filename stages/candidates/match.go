package candidates

import (
	"context"
	"slices"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
	"convene/pkg/travel"
)

// candidates is what the readings and the places found come to.
func (f *Finder) candidates(
	c Circumstances, draft meet.Draft, readings []meet.Schedule, places placesFound, w ways,
) meet.Candidates {
	found := f.slots(c, draft, readings, w)
	if draft.OnlyThen {
		found = onlyThen(found, draft.Template, c.Now.Location())
	}
	found.Places, found.PlacesFailed, found.Search = w.places(), places.err != nil, places.notes
	found.RouterFailed, found.Apart = w.failed, draft.Apart
	found.Shown = determineAlternativesToShow(draft.Template, !found.HasExplicitTimeConflict, draft.Edit)
	if found.HasNoCommonTime {
		// The wish cannot be met as it stands: what helps is other times, and a warning where even the best has a
		// conflict.
		conflict := len(found.Slots) > 0 && found.Slots[0].State == meet.SlotConflict
		found.Shown = meet.Shown{Times: true, ConflictWarning: conflict}
	}
	found.Pairs = w.pairs(found.Slots, draft.Template.TravelBuffer)
	return pinPlace(found, draft)
}

// onlyThen are the candidates at the one time that was asked for. Nothing else would help either.
func onlyThen(found meet.Candidates, t meet.Template, zone *time.Location) meet.Candidates {
	found.Reasons = nil
	found.Slots = slices.DeleteFunc(slices.Clone(found.Slots), func(s meet.Slot) bool {
		day, at, exact := t.ExactStart()
		return exact && (interval.DateOf(s.Start.In(zone)) != day || interval.ClockOf(s.Start.In(zone)) != at)
	})
	return found
}

// determineAlternativesToShow decides which alternatives the message lists: the first case that holds.
func determineAlternativesToShow(t meet.Template, hasValidTime bool, edit *meet.Edit) meet.Shown {
	changed := meet.Edit{}
	if edit != nil {
		changed = *edit
	}
	switch {
	case !hasValidTime:
		return meet.Shown{Times: true, ConflictWarning: true}
	case changed.ChangedTime && changed.ChangedPlace:
		return meet.Shown{}
	case changed.ChangedTime:
		return meet.Shown{Times: true}
	case changed.ChangedPlace:
		return meet.Shown{Places: true}
	case t.NamesTime() && t.NamesPlace():
		return meet.Shown{}
	case t.NamesTime():
		return meet.Shown{Places: true}
	case t.NamesPlace():
		return meet.Shown{Times: true}
	default:
		return meet.Shown{Places: true}
	}
}

// slots is the times that suit everybody by their readings and by their ways.
func (f *Finder) slots(c Circumstances, draft meet.Draft, readings []meet.Schedule, w ways) meet.Candidates {
	query := slot.Query{
		Template: draft.Template,
		Zone:     c.Now.Location(),
		Now:      c.Now,
		Notice:   f.cfg.Notice,
		Offered:  c.Offered,
	}
	if w.m != nil {
		query.Reach = w.reach
	}
	found := meet.Candidates{Providers: readings[0].Providers}
	for i, person := range draft.Everyone(c.Turn.Organizer) {
		query.Attendees = append(query.Attendees, slot.Attendee{Person: person, Availability: readings[i].Availability})
		found.Calendars = append(found.Calendars, readings[i].Status)
	}
	if draft.Edit != nil && draft.Previous != nil {
		query.Preference, query.Previous = draft.Edit.Preference, draft.Previous.Start
	}
	result := slot.Find(query)
	found.Slots = result.Slots
	found.HasNoCommonTime, found.Past, found.Skipped = result.HasNoCommonTime, result.Past, result.Missing
	found.HasExplicitTimeConflict = result.HasExplicitTimeConflict
	found.Reasons = result.Reasons
	return pinSlot(found, draft, func() []meet.Slot { return slot.All(query) })
}

// Some choices are not the model's to make. They are pinned: put first, and kept there whatever the model ranks. The
// time is pinned that the user named though it is taken, and the previous one where an edit says nothing about when;
// the place that the user named, and the previous one where an edit says nothing about where.

// pinSlot pins the time. All gives every slot that meets the wish, among which the previous one may be though it is not
// among the best.
func pinSlot(found meet.Candidates, draft meet.Draft, all func() []meet.Slot) meet.Candidates {
	if found.HasExplicitTimeConflict {
		found.PinnedSlot = true
		return found
	}
	if draft.Edit == nil || draft.Edit.ChangedTime || draft.Previous == nil {
		return found
	}
	at := func(s meet.Slot) bool { return s.Start.Equal(draft.Previous.Start) }
	among := found.Slots
	if !slices.ContainsFunc(among, at) && !found.HasNoCommonTime {
		among = all()
	}
	i := slices.IndexFunc(among, at)
	if i < 0 {
		return found
	}
	first := among[i]
	others := slices.DeleteFunc(slices.Clone(found.Slots), at)
	found.Slots = append([]meet.Slot{first}, others[:min(len(others), slot.MaxSlots-1)]...)
	found.PinnedSlot = true
	return found
}

// pinPlace pins the place, where it was found.
func pinPlace(found meet.Candidates, draft meet.Draft) meet.Candidates {
	i := pinnedPlace(found.Places, draft)
	if i < 0 {
		return found
	}
	first := found.Places[i]
	found.Places = append([]meet.Place{first}, slices.Delete(slices.Clone(found.Places), i, i+1)...)
	found.PinnedPlace = true
	return found
}

// pinnedPlace is the index of the place that is not the model's to choose, -1 where there is none.
func pinnedPlace(places []meet.Place, draft meet.Draft) int {
	if draft.KeepsPlace() {
		return slices.IndexFunc(places, draft.Previous.Place.Same)
	}
	return slices.IndexFunc(places, func(p meet.Place) bool { return p.Named })
}

// ways are how everybody gets to the places that were found, and on from there. The zero value is of an event that
// takes place nowhere: then nothing is said against any time.
type ways struct {
	m *travel.Map
	// people are everybody, the organizer first.
	people []meet.Person
	// bound is how many of the first places the event is bound to: the venue that was named with its branches, or the
	// one that an edit keeps. 0 where any place will do.
	bound int
	// failed says that the router did not answer, so that the ways are estimates.
	failed bool
}

// ways puts the places into their fair order, those that meet more of the wish and a pinned one first, and works out
// who can be where when. The router is asked once for them.
func (f *Finder) ways(
	ctx context.Context, c Circumstances, draft meet.Draft, list []meet.Place, readings []meet.Schedule,
) ways {
	w := ways{people: draft.Everyone(c.Turn.Organizer)}
	if draft.Template.Remote() || len(list) == 0 {
		return w
	}
	guests := make([]travel.Guest, len(w.people))
	for i, p := range w.people {
		guests[i] = travel.Guest{Availability: readings[i].Availability, Stays: readings[i].Stays}
		if p.Location != nil {
			guests[i].Home = &p.Location.Point
		}
	}
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	m, err := travel.Survey(ctx, f.ports.Router, guests, list)
	w.failed = err != nil
	m = m.Arranged(Arranged(m.Places(), m.Order(), draft.Template))
	if i := pinnedPlace(m.Places(), draft); i >= 0 {
		m = m.Arranged(withFirst(i, len(list)))
		w.bound = 1
		for first := m.Places()[0]; first.Named && w.bound < len(list) && m.Places()[w.bound].BranchOf(first); {
			w.bound++
		}
	}
	w.m = m.Over(slot.Horizon(draft.Template, c.Now.Location(), c.Now))
	return w
}

// withFirst are the indexes below n, one of them first.
func withFirst(i, n int) []int {
	order := []int{i}
	for j := range n {
		if j != i {
			order = append(order, j)
		}
	}
	return order
}

// How much worse than the best a time is to meet at: with a place that is not the one that was meant, and with none.
const (
	otherPlace = 1
	noPlace    = 2
)

// reach is what the places make of a time: best one at which a place is open that everybody can come to. A time at
// which places are open, and somebody cannot be at any of them, does not suit that somebody.
func (w ways) reach(at interval.Span, without slot.Absent) slot.Reach {
	m := w.m
	if i, gone := without.Index(); gone {
		m = m.Without(i)
	}
	moment, other, open := m.At(at), false, false
	for i := range m.Places() {
		if !moment.Open(i) {
			continue
		}
		open = true
		if moment.AnyLate(i) {
			continue
		}
		if i < w.bound || w.bound == 0 {
			return slot.Reach{}
		}
		other = true
	}
	switch {
	case other:
		return slot.Reach{Worse: otherPlace}
	case open:
		return slot.Reach{Late: fewestLate(moment, m, true)}
	default:
		return slot.Reach{Late: fewestLate(moment, m, false), Worse: noPlace}
	}
}

// fewestLate is who is late at that one of the places, those that are open or those that are not, at which the fewest
// are.
func fewestLate(at travel.Moment, m *travel.Map, open bool) (late []int) {
	some := false
	for i := range m.Places() {
		if at.Open(i) != open {
			continue
		}
		if l := at.Late(i); !some || len(l) < len(late) {
			late, some = l, true
		}
	}
	return late
}

// places are in order, each with how long everybody takes to get there.
func (w ways) places() []meet.Place {
	if w.m == nil {
		return nil
	}
	places := slices.Clone(w.m.Places())
	for i := range places {
		places[i].TravelMinutes = make([]meet.Way, 0, len(w.people))
		for g, p := range w.people {
			if way, known := w.m.FromHome(g, i); known {
				places[i].TravelMinutes = append(places[i].TravelMinutes, meet.Way{
					Person: p.ID, Name: p.Name, Minutes: int(way.Minutes()),
				})
			}
		}
	}
	return places
}

// pairs say of each place at the time of each slot whether everybody can be there, and what the organizer needs to get
// there where nobody has asked for a buffer. Nil where nobody's whereabouts are known.
func (w ways) pairs(slots []meet.Slot, asked meet.TravelBuffer) [][]meet.Pair {
	if w.m == nil || !w.m.Located() {
		return nil
	}
	pairs := make([][]meet.Pair, len(slots))
	for i, s := range slots {
		moment := w.m.At(s.Span())
		pairs[i] = make([]meet.Pair, len(w.m.Places()))
		for j := range pairs[i] {
			for _, g := range moment.Late(j) {
				if saysTravel(s, w.people[g]) {
					pairs[i][j].Rushed = true
				} else {
					pairs[i][j].Late = true
				}
			}
			if asked == (meet.TravelBuffer{}) {
				pairs[i][j].Travel = derived(moment.Legs(0, j))
			}
		}
	}
	return pairs
}

// saysTravel reports whether the slot itself says that it leaves somebody no time for the way.
func saysTravel(s meet.Slot, p meet.Person) bool {
	return slices.ContainsFunc(s.Conflicts, func(c meet.Conflict) bool {
		return c.Person == p.ID && (c.Kind == meet.ConflictTravel || c.Kind == meet.ConflictBusy)
	})
}

// derived marks a buffer that nobody asked for.
func derived(b meet.TravelBuffer, ok bool) meet.TravelBuffer {
	if !ok || b == (meet.TravelBuffer{}) {
		return meet.TravelBuffer{}
	}
	b.Derived = true
	return b
}
