package booking_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// world is everything a desk reaches, in memory: proposals, calendars that can be read and written, and holds.
type world struct {
	mu        sync.Mutex
	proposals map[meet.ProposalID]meet.Event
	turns     map[meet.ProposalID]meet.Turn
	calendars map[meet.PersonID]map[string]interval.Span // by UID
	sequences map[string]int
	held      map[meet.PersonID]bool
	unread    map[meet.PersonID]bool
	now       time.Time
	fresh     []meet.Slot
	writes    int

	// Each of these, where set, fails a call.
	failWrite, failUpdate, failRemove error
	// storesAnyway makes a failing update store its change all the same.
	storesAnyway bool
}

var errBroken = errors.New("broken pipe")

func newWorld() *world {
	return &world{
		proposals: map[meet.ProposalID]meet.Event{},
		turns:     map[meet.ProposalID]meet.Turn{},
		calendars: map[meet.PersonID]map[string]interval.Span{},
		sequences: map[string]int{},
		held:      map[meet.PersonID]bool{},
		unread:    map[meet.PersonID]bool{},
		now:       at(8, 0),
		fresh:     []meet.Slot{slot(17)},
	}
}

func (w *world) desk() *booking.Desk {
	return booking.New(booking.Config{
		Proposals: w, Calendars: w, Writer: w, Holds: w,
		Now: func() time.Time { return w.now },
		Fresh: func(context.Context, meet.Turn, meet.Event) ([]meet.Slot, error) {
			return w.fresh, nil
		},
		Links: func(e meet.Event) meet.Links { return meet.Links{Google: "google?" + e.Start.Format("1504")} },
	})
}

func (w *world) LoadProposal(_ context.Context, id meet.ProposalID) (meet.Event, meet.Turn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, ok := w.proposals[id]
	if !ok {
		return e, meet.Turn{}, fault.New(fault.NotFound, "There is no such proposal.")
	}
	return e, w.turns[id], nil
}

func (w *world) UpdateProposal(_ context.Context, id meet.ProposalID, change func(*meet.Event) error) (meet.Event, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.proposals[id]
	if err := change(&e); err != nil {
		return meet.Event{}, err
	}
	if w.failUpdate == nil || w.storesAnyway {
		w.proposals[id] = e
	}
	return e, w.failUpdate
}

func (w *world) Busy(_ context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Reading, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	readings := map[meet.PersonID]meet.Reading{}
	for _, p := range q.People {
		r := meet.Reading{Status: meet.CalendarStatus{State: meet.Checked}}
		for uid, span := range w.calendars[p.ID] {
			if uid != q.Except {
				r.Availability.Busy = r.Availability.Busy.Union(interval.NewSet(span))
			}
		}
		if w.unread[p.ID] {
			r = meet.Reading{Status: meet.CalendarStatus{State: meet.CalendarUnchecked}}
			r.Availability.Unknown = interval.NewSet(q.Span)
		}
		readings[p.ID] = r
	}
	return readings, nil
}

func (w *world) Write(_ context.Context, e meet.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes++
	for i, p := range e.Participants {
		if w.failWrite != nil && i > 0 {
			return w.failWrite // in the middle, so that there is something to undo
		}
		w.put(p.ID, e.UID, e.Span())
	}
	w.sequences[e.UID] = e.Sequence
	return nil
}

func (w *world) put(p meet.PersonID, uid string, span interval.Span) {
	if w.calendars[p] == nil {
		w.calendars[p] = map[string]interval.Span{}
	}
	w.calendars[p][uid] = span
}

func (w *world) Remove(_ context.Context, e meet.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failRemove != nil {
		return w.failRemove
	}
	for _, p := range e.Participants {
		delete(w.calendars[p.ID], e.UID)
	}
	return nil
}

func (w *world) Hold(_ context.Context, people []meet.PersonID, _ time.Duration) (func(context.Context) error, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.ContainsFunc(people, func(p meet.PersonID) bool { return w.held[p] }) {
		return nil, fault.New(fault.Conflict, "held").Later(0)
	}
	for _, p := range people {
		w.held[p] = true
	}
	return func(context.Context) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, p := range people {
			delete(w.held, p)
		}
		return nil
	}, nil
}

// propose stores a proposal for me and Al at 14:00, as change leaves it.
func (w *world) propose(id meet.ProposalID, change ...func(*meet.Event)) meet.ProposalID {
	e := meet.Event{
		ID: id, Status: meet.Proposed, Title: "Coffee with Al", EventType: meet.InPerson,
		Start: at(14, 0), End: at(14, 30), Timezone: "UTC", UID: string(id) + "@convene",
		Participants: []meet.Participant{{ID: "me", Name: "Mia"}, {ID: "al", Name: "Al", Timezone: "Europe/Berlin"}},
		Place:        &meet.Place{Name: "Philz"},
		TravelBuffer: meet.TravelBuffer{BeforeMinutes: 30, AfterMinutes: 30},
		Alternatives: meet.AlternativeOffer{
			Slots:  []meet.Slot{slot(10), slot(16)},
			Places: []meet.Place{{Name: "Blue Bottle"}, {Name: "Night Owl", Timezone: "UTC", OpeningHours: &interval.Week{}}},
		},
		Links: meet.Links{Google: "google?1400"},
	}
	for _, c := range change {
		c(&e)
	}
	w.proposals[id] = e
	w.turns[id] = meet.Turn{Organizer: meet.Person{ID: "me", Name: "Mia"}}
	return id
}

// busy gives somebody an event of their own.
func (w *world) busy(p meet.PersonID, from, until time.Time) {
	w.put(p, "own-"+from.String(), interval.Span{Start: from, End: until})
}

// booked lists a person's events as "start uid", without those of their own.
func (w *world) booked(t *testing.T, p meet.PersonID) []string {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	list := []string{}
	for uid, span := range w.calendars[p] {
		if uid[:4] != "own-" {
			list = append(list, span.Start.Format("15:04 ")+uid)
		}
	}
	slices.Sort(list)
	return list
}

func at(hour, minute int) time.Time { return time.Date(2026, 3, 10, hour, minute, 0, 0, time.UTC) }

func slot(hour int) meet.Slot {
	return meet.Slot{Start: at(hour, 0), End: at(hour, 30), State: meet.SlotFree}
}

func index(i int) *int { return &i }
