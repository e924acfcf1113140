package slot

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// Reach says whether attendees can be at a place on time. The zero value is the best grade, with nobody late.
type Reach struct {
	// Late are the indices, among those who take part, of the attendees who cannot be at any place for all of the time.
	// The time does not suit them.
	Late []int
	// Worse grades a time at which nobody is late: times of a higher grade are offered only if there are none of a lower
	// one.
	Worse int8
}

// Absent is an attendee of the query who does not take part. The zero value is nobody; the organizer always takes part.
type Absent struct{ index int }

// Index is the attendee's in the query; ok is false for nobody.
func (a Absent) Index() (index int, ok bool) { return a.index, a.index > 0 }

// reach grades a start by Query.Reach.
func (s *search) reach(at int64) Reach {
	if s.Reach == nil || s.Template.Remote() {
		return Reach{}
	}
	start := time.Unix(at, 0).In(s.Zone)
	return s.Reach(interval.From(start, time.Duration(s.lengths.event)*time.Second), s.absent)
}

// reached is the candidates at which nobody is late, graded.
func (s *search) reached(found []candidate) []candidate {
	if s.Reach == nil || s.Template.Remote() {
		return found
	}
	kept := found[:0]
	for _, c := range found {
		r := s.reach(c.at)
		if c.worse = r.Worse; len(r.Late) == 0 {
			kept = append(kept, c)
		}
	}
	return kept
}

// best is the candidates with the best grade, separately for checked ones and those that could not be checked.
func (s *search) best(found []candidate) []candidate {
	if s.Reach == nil {
		return found
	}
	least := [2]int8{-1, -1}
	for _, c := range found {
		if l := &least[bit(c.unknown)]; *l < 0 || c.worse < *l {
			*l = c.worse
		}
	}
	return slices.DeleteFunc(found, func(c candidate) bool { return c.worse > least[bit(c.unknown)] })
}
