// Package slot finds the times that suit everybody. It is pure: what the calendars said comes in with the query,
// and so does the time that counts as now; the same query always gives the same answer.
//
// A search goes through some questions, each a file. wish.go: which starts does the wish allow, on a grid of 15
// minutes and on the local clock? people.go and night.go: for whom is such a start taken, unknown, outside working
// hours or in the night? reach.go: can everybody be at a place then?
// rank.go: which of the rest come first? Where nothing is left, fallback.go has the nearest times and reason.go the
// smallest changes that would help.
package slot

import (
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// MaxSlots is how many slots Find gives at most.
const MaxSlots = 24

// Attendee is a person with what their calendars said.
type Attendee struct {
	Person       meet.Person
	Availability interval.Availability
}

// Query is a wish and all that bounds it. The zero value asks for any half hour of leisure in the two weeks after the
// zero time, in UTC, of nobody.
type Query struct {
	Template meet.Template
	// Zone is where the dates and hours of the template are meant; nil means UTC.
	Zone *time.Location
	Now  time.Time
	// Notice is how long before the start the event must be known, on top of the travel there.
	Notice time.Duration
	// Attendees are everybody who takes part, the organizer first.
	Attendees []Attendee
	// Offered are starts that are not to be offered again.
	Offered []time.Time
	// Preference asks for starts before or after Previous only.
	Preference meet.TimePreference
	Previous   time.Time
	// Reach, where set, says what the places make of an event's time. It is asked of many times.
	Reach func(at interval.Span, without Absent) Reach
	// absent is whom a granted reason leaves out.
	absent Absent
}

// Result is what a search came to.
type Result struct {
	// Slots are ranked, at most MaxSlots.
	Slots []meet.Slot
	// HasNoCommonTime says that nothing in the wish suits everybody: Slots are then the nearest free times outside
	// the wish and after them times in the wish with who conflicts, and Reasons what would help.
	HasNoCommonTime bool
	// Past says that HasNoCommonTime comes of the wish alone, because all its starts lie before Now. It is never set
	// for a wish with a Preference.
	Past bool
	// Missing says the same of starts named to the minute, none of which the clocks show on its day, because they
	// are put forward over it.
	Missing bool
	// HasExplicitTimeConflict says that the user named a time that does not suit somebody: it is the first slot, as
	// asked, with its conflicts; free ones follow.
	HasExplicitTimeConflict bool
	Reasons                 []meet.Reason
}

// Find is the best slots for the wish, ranked, or what to do where there are none: see Result. It looks at no time
// outside Horizon.
//
// Free slots come before those that nobody could check. Within each, the soonest days come first and take turns, each
// with its best time for the activity. With a preference it is the day of the previous event and then the nearest
// time. Leisure on a personal calendar goes to weekends and evenings first. Of the times of a day at which people meet
// in one place, those go first at which nobody's own clock shows the night. Only those are there that Query.Reach finds
// no worse than any other, and at which nobody is late at all places.
//
// Where nothing earlier or later than the previous event suits everybody, the free slots are those of other days, one
// of each day first: the nearest days of the wish, then the nearest others, the wished side of two that are equally
// near, each at the time of day that is nearest to the previous one. Times of the previous day on the side that was
// not wished for are there only where no other day has any. Times on the wished side with who conflicts come last.
func Find(q Query) Result {
	s := newSearch(q)
	w := s.wish()
	if found := s.leastWorse(s.suitable(w)); len(found) > 0 {
		return Result{Slots: s.slots(s.ranked(found))}
	}
	if kept, ok := s.asNamed(w); ok {
		others := s.besides(kept)
		return Result{
			Slots:                   append([]meet.Slot{s.slot(kept)}, s.slots(first(others, MaxSlots-1))...),
			HasExplicitTimeConflict: true,
		}
	}
	return Result{
		Slots: s.nearest(w), HasNoCommonTime: true, Reasons: s.reasons(),
		Past: s.isPast(), Missing: w.missing,
	}
}

// All is every slot in the wish that suits everybody or that nobody could check, in order of time, however much worse
// than others Query.Reach finds some of them.
func All(q Query) []meet.Slot {
	s := newSearch(q)
	return s.slots(s.answer())
}

func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }
