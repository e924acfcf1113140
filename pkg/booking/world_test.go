package booking_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// world is everything a desk reaches, in memory: proposals, calendars that can be read, Convene's book, mailboxes that
// invite, holds and sagas. Holds and claims end when their time is over.
type world struct {
	mu        sync.Mutex
	proposals map[meet.ProposalID]meet.Event
	turns     map[meet.ProposalID]meet.Turn
	calendars map[meet.PersonID]map[string]interval.Span // by UID
	sequences map[string]int
	holds     map[meet.PersonID]taken
	claims    map[string]taken
	rests     map[string]time.Time
	sagas     map[string]booking.Saga
	// terms counts the claims, and fences are the terms under which each event was written last.
	terms   int64
	fences  map[string]int64
	outside mailboxes
	// told is what the outbox was told, as often as it was; failTell, where set, fails it.
	told     []booking.Notice
	failTell error
	unread   map[meet.PersonID]bool
	stays    map[meet.PersonID][]meet.Stay
	kept     map[meet.PersonID]interval.Span // what the last event that was written keeps busy
	now      time.Time
	fresh    []meet.Slot
	writes   int

	// Each of these, where set, fails a call.
	failWrite, failUpdate, failRecord, failRemove error
	// storesAnyway makes a failing update store its change all the same.
	storesAnyway bool
}

// taken is a hold or a claim.
type taken struct {
	token string
	until time.Time
}

func (t taken) by(token string) bool   { return t.token == token && time.Now().Before(t.until) }
func (t taken) from(token string) bool { return t.token != token && time.Now().Before(t.until) }

var errBroken = errors.New("broken pipe")

func newWorld() *world {
	return &world{
		proposals: map[meet.ProposalID]meet.Event{},
		turns:     map[meet.ProposalID]meet.Turn{},
		calendars: map[meet.PersonID]map[string]interval.Span{},
		sequences: map[string]int{},
		holds:     map[meet.PersonID]taken{},
		claims:    map[string]taken{},
		rests:     map[string]time.Time{},
		sagas:     map[string]booking.Saga{},
		fences:    map[string]int64{},
		outside:   mailboxes{boxes: map[string]letter{}, gone: map[string]int{}},
		unread:    map[meet.PersonID]bool{},
		stays:     map[meet.PersonID][]meet.Stay{},
		kept:      map[meet.PersonID]interval.Span{},
		now:       at(8, 0),
		fresh:     []meet.Slot{slot(17)},
	}
}

func (w *world) config() booking.Config {
	return booking.Config{
		Proposals: w, Calendars: w, Book: book{w}, Holds: w, Sagas: sagas{w}, Courier: &w.outside, Outbox: outbox{w},
		Now: func() time.Time { return w.now },
		Fresh: func(context.Context, meet.Turn, meet.Event) ([]meet.Slot, error) {
			return w.fresh, nil
		},
		Links: func(e meet.Event) meet.Links { return meet.Links{Google: "google?" + e.Start.Format("1504")} },
	}
}

func (w *world) desk() *booking.Desk { return booking.New(w.config()) }

func (w *world) LoadProposal(_ context.Context, id meet.ProposalID) (meet.Event, meet.Turn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, ok := w.proposals[id]
	if !ok {
		return e, meet.Turn{}, fault.New(fault.NotFound, "There is no such proposal.")
	}
	return e, w.turns[id], nil
}

func (w *world) UpdateProposal(
	_ context.Context, id meet.ProposalID, change func(*meet.Event) error,
) (meet.Event, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, before := w.proposals[id], w.proposals[id].Status
	w.mu.Unlock() // change may ask whether the claim still stands
	err := change(&e)
	w.mu.Lock()
	if err != nil {
		return meet.Event{}, err
	}
	if w.failRecord != nil && e.Status != before {
		return meet.Event{}, w.failRecord
	}
	if w.failUpdate == nil || w.storesAnyway {
		w.proposals[id] = e
	}
	return e, w.failUpdate
}

func (w *world) Busy(_ context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	readings := map[meet.PersonID]meet.Schedule{}
	for _, p := range q.People {
		r := meet.Schedule{Status: meet.CalendarStatus{State: meet.Checked}}
		for uid, span := range w.calendars[p.ID] {
			if uid != q.Except {
				r.Availability.Busy = r.Availability.Busy.Union(interval.NewSet(span))
			}
		}
		for _, s := range w.stays[p.ID] {
			if s.Span.Overlaps(q.Span) {
				r.Stays = append(r.Stays, s)
			}
		}
		if w.unread[p.ID] {
			r.Availability.Unknown = interval.NewSet(q.Span)
			r.Status = meet.CalendarStatus{State: meet.CalendarUnchecked, Reason: "reconnect the calendar"}
		}
		readings[p.ID] = r
	}
	return readings, nil
}

// book is Convene's book in the world.
type book struct{ *world }

// pages are the book as it is written under a claim.
type pages struct {
	*world
	claim booking.Claim
}

func (b book) Under(c booking.Claim) booking.Pages { return pages{b.world, c} }

// fenced refuses what is written under a claim that another one has followed.
func (p pages) fenced() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fences[p.claim.ID] > p.claim.Term {
		return fault.New(fault.Conflict, "others have taken over")
	}
	p.fences[p.claim.ID] = p.claim.Term
	return nil
}

func (p pages) Book(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error {
	if err := p.fenced(); err != nil {
		return err
	}
	return p.world.Book(ctx, people, e)
}

func (p pages) PutAll(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error {
	if err := p.fenced(); err != nil {
		return err
	}
	return p.world.PutAll(ctx, people, e)
}

func (p pages) Remove(ctx context.Context, people []meet.PersonID, uid string) error {
	if err := p.fenced(); err != nil {
		return err
	}
	return p.world.Remove(ctx, people, uid)
}

func (w *world) Book(_ context.Context, people []meet.PersonID, e meet.StoredEvent) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range people {
		for uid, span := range w.calendars[p] {
			if uid != e.UID && !strings.HasPrefix(uid, "own-") && span.Overlaps(e.Busy()) {
				return fault.New(fault.SlotGone, "taken")
			}
		}
	}
	return w.enter(people, e)
}

func (w *world) PutAll(_ context.Context, people []meet.PersonID, e meet.StoredEvent) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.enter(people, e)
}

func (w *world) enter(people []meet.PersonID, e meet.StoredEvent) error {
	if len(people) == 0 {
		return nil
	}
	if w.sequences[e.UID] > e.Sequence {
		return fault.New(fault.Conflict, "a newer version stands there")
	}
	w.writes++
	for i, p := range people {
		if w.failWrite != nil && i > 0 {
			return w.failWrite // in the middle, so that there is something to undo
		}
		w.put(p, e.UID, e.Span())
		w.kept[p] = e.For(p).Busy()
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

func (w *world) Remove(_ context.Context, people []meet.PersonID, uid string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failRemove != nil {
		return w.failRemove
	}
	for _, p := range people {
		delete(w.calendars[p], uid)
	}
	return nil
}

func (w *world) Hold(_ context.Context, h booking.Hold) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.ContainsFunc(h.People, func(p meet.PersonID) bool { return w.holds[p].from(h.Token) }) {
		return fault.New(fault.Conflict, "held").Later(0)
	}
	for _, p := range h.People {
		w.holds[p] = taken{h.Token, time.Now().Add(h.For)}
	}
	return nil
}

func (w *world) Renew(_ context.Context, h booking.Hold) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range h.People {
		if !w.holds[p].by(h.Token) {
			return fault.New(fault.Conflict, "lapsed")
		}
		w.holds[p] = taken{h.Token, time.Now().Add(h.For)}
	}
	return nil
}

func (w *world) Release(_ context.Context, h booking.Hold) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range h.People {
		if w.holds[p].by(h.Token) {
			delete(w.holds, p)
		}
	}
	return nil
}

// sagas are the world's records.
type sagas struct{ *world }

func (s sagas) Claim(_ context.Context, c booking.Claim) (booking.Saga, int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.claims[c.ID].from(c.Token) {
		return booking.Saga{}, 0, fault.New(fault.Conflict, "claimed").Later(0)
	}
	s.claims[c.ID] = taken{c.Token, time.Now().Add(c.For)}
	delete(s.rests, c.ID)
	s.terms++
	return s.sagas[c.ID], s.terms, nil
}

func (s sagas) mine(c booking.Claim) error {
	if !s.claims[c.ID].by(c.Token) {
		return fault.New(fault.Conflict, "claimed by another")
	}
	return nil
}

func (s sagas) Renew(_ context.Context, c booking.Claim) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.mine(c); err != nil {
		return err
	}
	s.claims[c.ID] = taken{c.Token, time.Now().Add(c.For)}
	return nil
}

func (s sagas) Save(_ context.Context, c booking.Claim, saga booking.Saga) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.mine(c); err != nil {
		return err
	}
	if delete(s.sagas, c.ID); !saga.Over() {
		s.sagas[c.ID] = saga
	}
	return nil
}

func (s sagas) Release(_ context.Context, c booking.Claim, pause time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.mine(c); err != nil {
		return err
	}
	delete(s.claims, c.ID)
	s.rests[c.ID] = time.Now().Add(pause)
	return nil
}

func (s sagas) Due(context.Context) ([]booking.Due, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var due []booking.Due
	for uid, saga := range s.sagas {
		if saga.Open() && !saga.Stuck && !s.claims[uid].from("") && !time.Now().Before(s.rests[uid]) {
			due = append(due, booking.Due{ID: uid})
		}
	}
	return due, nil
}

// propose stores a proposal for me and Al at 14:00, as change leaves it.
func (w *world) propose(id meet.ProposalID, change ...func(*meet.Event)) meet.ProposalID {
	e := meet.Event{
		ID: id, Status: meet.Proposed, Title: "Coffee with Al", EventType: meet.InPerson,
		Start: at(14, 0), End: at(14, 30), Timezone: "UTC", UID: string(id) + "@convene",
		Participants: []meet.Participant{
			{ID: "me", Name: "Mia"}, {ID: "al", Name: "Al", Email: "al@example.com", Timezone: "Europe/Berlin"},
		},
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

// busy gives a person an event of their own.
func (w *world) busy(p meet.PersonID, from, until time.Time) {
	w.put(p, "own-"+from.String(), interval.Span{Start: from, End: until})
}

// stay gives a person an event of their own at a place.
func (w *world) stay(p meet.PersonID, from, until time.Time, at geo.Point) {
	w.busy(p, from, until)
	w.stays[p] = append(w.stays[p], meet.Stay{Span: interval.Span{Start: from, End: until}, At: at})
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
