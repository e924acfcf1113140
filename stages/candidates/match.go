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

// candidates combines the readings and the places that were found.
func (s *search) candidates(ctx context.Context, readings []meet.Schedule, places placesFound) meet.Candidates {
	w := s.survey(ctx, places.list, readings)
	found := s.slots(readings, w)
	draft := s.Draft
	if draft.OnlyThen {
		found = onlyThen(found, draft.Template, s.Now.Location())
	}
	found.Places, found.PlacesFailed, found.Search = w.places(), places.err != nil, places.notes
	found.RouterFailed, found.Apart = w.failed, draft.Apart
	found.Shown = determineAlternativesToShow(draft.Template, !found.HasExplicitTimeConflict, draft.Edit)
	if found.HasNoCommonTime {
		// The wish cannot be met as it stands: other times help, and a warning if even the best has a conflict.
		conflict := len(found.Slots) > 0 && found.Slots[0].State == meet.SlotConflict
		found.Shown = meet.Shown{Times: true, ConflictWarning: conflict}
	}
	found.Pairs = w.pairs(found.Slots, draft.Template.TravelBuffer)
	return pinPlace(found, draft)
}

// onlyThen keeps the candidates at the one time that was asked for, and no reasons: no change would help.
func onlyThen(found meet.Candidates, t meet.Template, zone *time.Location) meet.Candidates {
	day, at, exact := t.ExactStart()
	found.Reasons = nil
	found.Slots = slices.DeleteFunc(slices.Clone(found.Slots), func(s meet.Slot) bool {
		return exact && (interval.DateOf(s.Start.In(zone)) != day || interval.ClockOf(s.Start.In(zone)) != at)
	})
	return found
}

// determineAlternativesToShow decides which alternatives the message lists. Without a valid time these are other times.
// After an edit of the time or the place, they are more of what it changed; otherwise, more of what the wish leaves
// open, places before times.
func determineAlternativesToShow(t meet.Template, hasValidTime bool, edit *meet.Edit) meet.Shown {
	switch {
	case !hasValidTime:
		return meet.Shown{Times: true, ConflictWarning: true}
	case edit != nil && (edit.ChangedTime || edit.ChangedPlace):
		return meet.Shown{Times: !edit.ChangedPlace, Places: !edit.ChangedTime}
	default:
		return meet.Shown{Times: t.NamesPlace() && !t.NamesTime(), Places: !t.NamesPlace()}
	}
}

// slots are the times that suit everyone by their readings and by their ways.
func (s *search) slots(readings []meet.Schedule, w ways) meet.Candidates {
	draft := s.Draft
	query := slot.Query{
		Template: draft.Template,
		Zone:     s.Now.Location(),
		Now:      s.Now,
		Notice:   s.cfg.Notice,
		Offered:  s.Offered,
	}
	if w.m != nil {
		query.Reach = w.reach
	}
	var kept interval.Set
	if s.Kept != nil {
		kept = s.Kept(s.horizon)
	}
	beside := s.beside(readings[0].Availability.Busy)
	query.Kept = kept.Union(beside)
	found := meet.Candidates{Providers: readings[0].Providers}
	for i, person := range s.there {
		query.Attendees = append(query.Attendees, slot.Attendee{Person: person, Availability: readings[i].Availability})
		found.Calendars = append(found.Calendars, readings[i].Status)
	}
	if draft.Edit != nil && draft.Previous != nil {
		query.Preference, query.Previous = draft.Edit.Preference, draft.Previous.Start
	}
	result := slot.Find(query)
	if len(kept) > 0 && draft.KeptStart().IsZero() {
		query := query
		query.Kept = beside
		found.GaveWay = gaveWay(slot.Find(query), result)
	}
	found.Slots = result.Slots
	found.HasNoCommonTime, found.Past, found.Skipped = result.HasNoCommonTime, result.Past, result.Missing
	found.HasExplicitTimeConflict = result.HasExplicitTimeConflict
	found.Reasons, found.InTheWay = result.Reasons, result.InTheWay
	return pinSlot(found, draft, func() []meet.Slot { return slot.All(query) })
}

// gaveWay is the first slot of a search that keeps no time free, if it is none of those that are found otherwise.
func gaveWay(open, found slot.Result) *interval.Span {
	if len(open.Slots) == 0 || open.HasNoCommonTime || open.HasExplicitTimeConflict {
		return nil
	}
	at := open.Slots[0].Span()
	if slices.ContainsFunc(found.Slots, func(s meet.Slot) bool { return s.Start.Equal(at.Start) }) {
		return nil
	}
	return &at
}

// beside is the organizer's buffer before and after busy times. The longer side counts: it is kept around the new event
// as well as around the others.
func (s *search) beside(busy interval.Set) interval.Set {
	gap := max(s.Buffer.Before(), s.Buffer.After())
	if gap == 0 {
		return nil
	}
	var wide []interval.Span
	for _, span := range busy {
		wide = append(wide, interval.Span{Start: span.Start.Add(-gap), End: span.End.Add(gap)})
	}
	return interval.NewSet(wide...).Minus(busy)
}

// Some choices are not the model's to make. They are pinned: put first, and kept there whatever the model ranks. Pinned
// are a time that the user named although it is taken, a place that the user named, and the previous time or place if
// an edit does not change it or takes a change back.

// pinSlot pins the time. All returns every slot that meets the wish; the previous one may be among these and not among
// the best.
func pinSlot(found meet.Candidates, draft meet.Draft, all func() []meet.Slot) meet.Candidates {
	if found.HasExplicitTimeConflict {
		found.PinnedSlot = true
		return found
	}
	start := draft.KeptStart()
	if start.IsZero() {
		return found
	}
	at := func(s meet.Slot) bool { return s.Start.Equal(start) }
	slots := found.Slots
	if !slices.ContainsFunc(slots, at) && !found.HasNoCommonTime {
		slots = all()
	}
	i := slices.IndexFunc(slots, at)
	if i < 0 {
		return found
	}
	first := slots[i]
	others := slices.DeleteFunc(slices.Clone(found.Slots), at)
	found.Slots = append([]meet.Slot{first}, others[:min(len(others), slot.MaxSlots-1)]...)
	found.PinnedSlot = true
	return found
}

// pinPlace pins the place if it was found.
func pinPlace(found meet.Candidates, draft meet.Draft) meet.Candidates {
	i := pinnedPlace(found.Places, draft)
	if i < 0 {
		return found
	}
	found.Places = slices.Concat(found.Places[i:i+1], found.Places[:i], found.Places[i+1:])
	found.PinnedPlace = true
	return found
}

// pinnedPlace is the index of the place to pin, -1 if there is none.
func pinnedPlace(places []meet.Place, draft meet.Draft) int {
	if draft.KeepsPlace() {
		return slices.IndexFunc(places, draft.Previous.Place.Same)
	}
	return slices.IndexFunc(places, func(p meet.Place) bool { return p.Named })
}

// ways are how everyone gets to the places that were found, and on from there. The zero value is for an event without
// places: it rules out no time.
type ways struct {
	m *travel.Map
	// people are everyone, the organizer first.
	people []meet.Person
	// bound is how many of the first places the event is bound to: the venue that was named with its branches, or the
	// one that an edit keeps. 0 if any place will do.
	bound int
	// failed says that the router did not answer, so that the ways are estimates.
	failed bool
}

// survey puts the places into their fair order, a pinned one and those that meet more of the wish first, and works out
// who can be where when. It asks the router once.
func (s *search) survey(ctx context.Context, list []meet.Place, readings []meet.Schedule) ways {
	w := ways{people: s.there}
	if s.Draft.Template.Remote() || len(list) == 0 {
		return w
	}
	guests := make([]travel.Guest, len(w.people))
	for i, p := range w.people {
		guests[i] = travel.Guest{Availability: readings[i].Availability, Stays: readings[i].Stays}
		if p.Location != nil {
			guests[i].Home = &p.Location.Point
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Patience)
	defer cancel()
	m, err := travel.Survey(ctx, s.ports.Router, guests, list)
	w.failed = err != nil
	m = m.Arranged(Arranged(m.Places(), m.Order(), s.Draft.Template))
	if i := pinnedPlace(m.Places(), s.Draft); i >= 0 {
		m = m.Arranged(withFirst(i, len(list)))
		w.bound = 1
		for first := m.Places()[0]; first.Named && w.bound < len(list) && m.Places()[w.bound].BranchOf(first); {
			w.bound++
		}
	}
	w.m = m.Over(s.horizon)
	return w
}

// withFirst are the indices below n, i first.
func withFirst(i, n int) []int {
	order := []int{i}
	for j := range n {
		if j != i {
			order = append(order, j)
		}
	}
	return order
}

// How much worse a time is if only a place goes with it that was not meant, or no place.
const (
	otherPlace = 1
	noPlace    = 2
)

// reach grades a time by its places. Best is a time at which everyone can come to an open place. If places are open and
// a person cannot be at any of them, the time does not suit that person.
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

// fewestLate are the people who are late at the place with the fewest of them, among the open places or the closed
// ones.
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

// places are in order, each with everyone's way to it.
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

// pairs say for each slot and place whether everyone can be there, and what the organizer needs to get there unless a
// buffer was asked for. Nil if no location is known.
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

// saysTravel reports whether a conflict of the slot says that it leaves the person no time for the way.
func saysTravel(s meet.Slot, p meet.Person) bool {
	return slices.ContainsFunc(s.Conflicts, func(c meet.Conflict) bool {
		return c.Person == p.ID && (c.Kind == meet.ConflictTravel || c.Kind == meet.ConflictBusy)
	})
}

// derived marks a buffer that was not asked for.
func derived(b meet.TravelBuffer, ok bool) meet.TravelBuffer {
	if !ok || b == (meet.TravelBuffer{}) {
		return meet.TravelBuffer{}
	}
	b.Derived = true
	return b
}
