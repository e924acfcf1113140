// Package slot finds the times that suit everyone. It is pure: calendars and the current time come in with the query;
// the same query always gives the same answer.
//
// A search asks four questions, each in a file. request.go: which starts does the request allow, on a grid of 15
// minutes and on the local clock? people.go and night.go: who is busy, unknown, outside working hours or asleep then?
// reach.go: can everyone be at a place then? rank.go: which of the rest come first? If none is left, fallback.go finds
// the nearest times and reason.go the smallest changes that would help.
package slot

import (
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// MaxSlots is how many slots Find gives at most.
const MaxSlots = 24

// Attendee is a person with the availability that their calendars show.
type Attendee struct {
	Person       meet.Person
	Availability interval.Availability
}

// Query is a request with everything that bounds it. The zero value asks for any half hour of leisure in the two weeks
// after the zero time, in UTC, without attendees.
type Query struct {
	Template meet.Template
	// Zone is the zone of the template's dates and hours; nil means UTC.
	Zone *time.Location
	Now  time.Time
	// Notice is the minimum time from Now to the start, on top of the travel there.
	Notice time.Duration
	// Attendees are all participants, the organizer first.
	Attendees []Attendee
	// Kept is time that the organizer keeps free: only a start that the user names to the minute may lie there.
	Kept interval.Set
	// Offered are starts not to offer again.
	Offered []time.Time
	// Preference limits the starts to those before or after Previous.
	Preference meet.TimePreference
	Previous   time.Time
	// Reach, if set, says whether the attendees can reach a place for an event at that time. It is called often.
	Reach func(at interval.Span, without Absent) Reach
	// absent is the attendee left out by a granted reason.
	absent Absent
}

// Result is the outcome of a search.
type Result struct {
	// Slots are ranked, at most MaxSlots.
	Slots []meet.Slot
	// HasNoCommonTime says that no requested time suits everyone: Slots are then the nearest free times, followed by
	// requested times with their conflicts, and Reasons say what would help.
	HasNoCommonTime bool
	// Past says that HasNoCommonTime holds because all requested starts lie before Now. It is never set for a request with
	// a Preference.
	Past bool
	// Missing says that HasNoCommonTime holds because a DST change skips every start, all of them named to the minute.
	Missing bool
	// HasExplicitTimeConflict says that the user named a time that does not suit everyone, or days and hours that are
	// outside somebody's working hours: it is the first slot, as requested, with its conflicts; free ones follow.
	HasExplicitTimeConflict bool
	Reasons                 []meet.Reason
	// InTheWay are the attendees whom no requested start suits, whatever the others do, and why. It is empty unless
	// HasNoCommonTime, and may be empty then too.
	InTheWay []meet.Conflict
}

// Find lists the best slots for the request, ranked, or the nearest ones if there are none: see Result. It reads
// nothing outside Horizon.
//
// Free slots come before those that could not be checked. Within each group the soonest days come first and take turns,
// each with its best time for the activity. With a preference, the day of the previous event comes first, and then the
// nearest time. Leisure on a personal calendar prefers weekends and evenings. Of a day's times at one place, those that
// are night for no attendee come first. Of the times at which someone can be on time at some place, only those
// with the best grade of Query.Reach remain.
//
// Days and hours that the user named, and that lie outside somebody's working hours altogether, are kept: the best of
// them comes first, with its conflicts.
//
// If nothing earlier or later than the previous event suits everyone, the free slots are those of other days, one of
// each day first: the nearest requested days, then the nearest others, the preferred side first of two that are equally
// near, each at the time of day nearest to the previous one. Times of the previous day on the other side appear only if
// no other day has any. Times on the preferred side with conflicts come last.
func Find(q Query) Result {
	s := newSearch(q)
	w := s.request()
	if found := s.best(s.suitable(w)); len(found) > 0 {
		return Result{Slots: s.slots(s.ranked(found))}
	}
	if kept, ok := s.asNamed(w); ok {
		others := s.besidesMeal(kept)
		return Result{
			Slots:                   append([]meet.Slot{s.slot(kept)}, s.slots(first(others, MaxSlots-1))...),
			HasExplicitTimeConflict: true,
		}
	}
	if late := s.overtime(w); len(late) > 0 {
		others := append(first(s.besides(late[0]), MaxSlots-leastTaken), late[1:]...)
		return Result{
			Slots:                   append([]meet.Slot{s.slot(late[0])}, s.slots(first(others, MaxSlots-1))...),
			HasExplicitTimeConflict: true,
		}
	}
	return Result{
		Slots: s.nearest(w), HasNoCommonTime: true, Reasons: s.reasons(),
		Past: s.isPast(), Missing: w.missing, InTheWay: s.inTheWay(),
	}
}

// All lists every requested slot that suits everyone or could not be checked, in order of time, whatever its grade by
// Query.Reach.
func All(q Query) []meet.Slot {
	s := newSearch(q)
	return s.slots(s.suitable(s.request()))
}

func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }
