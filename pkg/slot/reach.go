package slot

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// Reach is what the places make of a time. The zero value says that there is no better one.
type Reach struct {
	// Late are those who cannot be there for all of the time, whichever place it is, by their index among those who take
	// part. Such a time does not suit them.
	Late []int
	// Worse grades a time at which nobody is late: where there are times of one grade, those of a higher one are not
	// offered beside them.
	Worse int8
}

// Absent is an attendee of the query who does not take part. The zero value is nobody; the organizer always takes part.
type Absent struct{ index int }

// Index is the attendee's in the query; ok is false for nobody.
func (a Absent) Index() (index int, ok bool) { return a.index, a.index > 0 }

// reach asks what the places make of a start.
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

// leastWorse is the candidates of the lowest grade, of those that were checked and of those that nobody could check.
func (s *search) leastWorse(found []candidate) []candidate {
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
