// Package candidates finds the times and places that suit everyone: stage 4, which is code only.
//
//	schedules.go  everyone's calendars, which are read ahead while the models think
//	places.go     where to look for a place, and what to give up if nothing is found
//	venue.go      the venue of a suggestion
//	match.go      which times and places go together
//	wishes.go     which wishes are given up first, and which places are better
//	more.go       further options for "what else?", and for a time that has gone
//
// A calendar that cannot be read is unknown, never free. A search for places that fails leaves the event without a
// place.
package candidates

import (
	"cmp"
	"context"
	"slices"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
	"convene/pkg/travel"
)

type (
	// Calendars reads busy times. A person whose calendar cannot be read is unknown in the answer; an error means that
	// no calendar could be asked. Readings that q.Tell gets before are shown early.
	Calendars interface {
		Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error)
	}
	// Booked reads only what Convene itself has written into calendars; it is asked about people whose busy times are in
	// the request.
	Booked interface {
		Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error)
	}
	// Places searches venues, best first.
	Places interface {
		Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error)
	}
)

// Ports are the sources of a Finder.
type Ports struct {
	Calendars Calendars
	Booked    Booked
	Places    Places
	// Router knows how long ways take. Defaults to travel.Model.
	Router travel.Router
}

// Config holds the settings; the zero value works.
type Config struct {
	// Notice is how long before its start an event may still be proposed. Defaults to 30 minutes.
	Notice time.Duration
	// Patience bounds the place search and each reading of calendars. Defaults to 5 s.
	Patience time.Duration
	// Grace is how long Find waits for calendars before it shows what it has so far. Defaults to 150 ms.
	Grace time.Duration
}

// WithDefaults returns the configuration with its defaults filled in.
func (c Config) WithDefaults() Config {
	return Config{
		Notice: cmp.Or(c.Notice, 30*time.Minute), Patience: cmp.Or(c.Patience, 5*time.Second),
		Grace: cmp.Or(c.Grace, 150*time.Millisecond),
	}
}

// Finder finds candidates. It is safe for concurrent use.
type Finder struct {
	ports Ports
	cfg   Config
}

// New returns a finder that asks the ports.
func New(ports Ports, cfg Config) *Finder {
	ports.Places = captioned{ports.Places}
	if ports.Router == nil {
		ports.Router = travel.Model{}
	}
	return &Finder{ports, cfg.WithDefaults()}
}

// Query is a draft, and what else of its turn bears on times and places.
type Query struct {
	Turn  meet.Turn
	Draft meet.Draft
	// Now is when the turn began, in its zone.
	Now time.Time
	// Schedules are the calendars that Read reads ahead.
	Schedules *Schedules
	// Offered are starts that are not offered again.
	Offered []time.Time
	// Kept is the time of a span that the organizer keeps free. Nil keeps none.
	Kept func(interval.Span) interval.Set
	// Buffer is time that the organizer keeps free around each event.
	Buffer meet.TravelBuffer
	// Home and Office are the organizer's in words, for one without a location or without an office.
	Home, Office string
}

// search is a query under way: what it asks, and what follows from it.
type search struct {
	Finder
	Query
	// everyone takes part, the organizer first.
	everyone []meet.Person
	// there are the same as they meet: see inTown.
	there []meet.Person
	// middle lies between them; nil if no location is known.
	middle *geo.Point
	// horizon is the time that bears on the query.
	horizon interval.Span
}

func (f *Finder) begin(ctx context.Context, q Query) *search {
	q.Turn.Organizer = f.located(ctx, q.Turn.Organizer, q.Home, q.Office)
	everyone := q.Draft.Everyone(q.Turn.Organizer)
	there := everyone
	if !q.Draft.Template.Remote() {
		there = inTown(everyone, q.Now.Location().String())
	}
	return &search{
		Finder: *f, Query: q, everyone: everyone, there: there, middle: meet.Midpoint(there),
		horizon: slot.Horizon(q.Draft.Template, q.Now.Location(), q.Now),
	}
}

// Find finds times and places side by side.
//
// If a calendar keeps the others waiting, early gets the candidates without it, as if it were unknown; an error of
// early ends the search. Nothing may be chosen from these: the candidates are those that Find returns.
func (f *Finder) Find(ctx context.Context, q Query, early func(meet.Candidates) error) (meet.Candidates, error) {
	s := f.begin(ctx, q)
	places := Meanwhile(func() (placesFound, error) { return s.places(ctx), nil })
	defer func() { _, _ = places.Wait() }()
	reading := s.gather(ctx)
	defer reading.close()

	if !reading.within(f.cfg.Grace) {
		roughly := *s
		roughly.ports.Router = travel.Model{}
		if err := early(roughly.candidates(ctx, reading.soFar(), places.soFar())); err != nil {
			return meet.Candidates{}, err
		}
	}
	readings, err := reading.all(ctx)
	if err != nil {
		return meet.Candidates{}, err
	}
	venues, err := places.Wait()
	if err != nil {
		return meet.Candidates{}, err
	}
	return s.concede(ctx, readings, venues), nil
}

// concede is the candidates at the places that were found. If no place goes with the time, it gives up more and more of
// the wish for a place; if that does not help either, it keeps the first places.
func (s *search) concede(ctx context.Context, readings []meet.Schedule, venues placesFound) meet.Candidates {
	asWished := s.candidates(ctx, readings, venues)
	patient, cancel := context.WithTimeout(ctx, s.cfg.Patience)
	defer cancel()
	found := asWished
	for stranded(found) {
		venues = s.next(patient, venues.hunt)
		if venues.err != nil || len(venues.list) == 0 {
			return asWished
		}
		found = s.candidates(ctx, readings, venues)
	}
	return found
}

// stranded reports whether no place goes with the time: with the pinned one if there is one, or else with any.
func stranded(found meet.Candidates) bool {
	slots := len(found.Slots)
	if found.PinnedSlot {
		slots = min(1, slots)
	}
	if slots == 0 || found.PlacesFailed {
		return false
	}
	for place := range found.Places {
		if slices.Contains(Fitting(&found, place)[:slots], true) {
			return false
		}
	}
	return true
}

// Fitting reports for each slot whether a place goes with its time: the place is not known to be closed during any part
// of it, and everyone can be there, except those who have too little time for the way as a conflict of the slot says.
func Fitting(found *meet.Candidates, place int) []bool {
	fits := make([]bool, len(found.Slots))
	if len(fits) == 0 {
		return fits
	}
	around := found.Slots[0].Span()
	for _, s := range found.Slots {
		around = around.Hull(s.Span())
	}
	open, known := found.Places[place].OpenTimes(around) // worked out once for all slots
	for i, s := range found.Slots {
		fits[i] = (!known || open.Covers(s.Span())) && !found.Pair(i, place).Late
	}
	return fits
}
