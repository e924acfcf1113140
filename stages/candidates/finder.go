// Package candidates finds the times and places that suit everyone: stage 4, which is code only.
//
//	schedules.go  everyone's calendars, which are read ahead while the models think
//	places.go     where to look for a place, and what to give up if nothing is found
//	match.go      which times and places go together
//	wishes.go     which wishes go first, and which places are better
//	more.go       what is left for "what else?", and for a time that has gone
//
// A calendar that cannot be read is unknown, never free. A search for places that fails leaves the event without a
// place.
package candidates

import (
	"cmp"
	"context"
	"slices"
	"time"

	"convene/pkg/meet"
	"convene/pkg/travel"
)

type (
	// Calendars reads busy times. A person whose calendar cannot be read is in the answer as unknown; an error means
	// that nothing at all could be asked. What q.Tell hears before is shown early.
	Calendars interface {
		Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error)
	}
	// Booked reads only what Convene itself has written into calendars; it is asked about people for whom the request
	// speaks.
	Booked interface {
		Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error)
	}
	// Places searches venues, best first.
	Places interface {
		Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error)
	}
)

// Ports are what a Finder asks.
type Ports struct {
	Calendars Calendars
	Booked    Booked
	Places    Places
	// Router knows how long ways take. Defaults to travel.Model.
	Router travel.Router
}

// Config is what may be set; the zero value works.
type Config struct {
	// Notice is how long before its start an event may still be proposed. Defaults to 30 minutes.
	Notice time.Duration
	// Patience bounds the place search and each reading of calendars. Defaults to 5 s.
	Patience time.Duration
	// Grace is how long Find waits for calendars before it tells what it has so far. Defaults to 150 ms.
	Grace time.Duration
}

// WithDefaults is the configuration with what is not set filled in.
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

// New is a finder that asks the ports.
func New(ports Ports, cfg Config) *Finder {
	ports.Places = captioned{ports.Places}
	if ports.Router == nil {
		ports.Router = travel.Model{}
	}
	return &Finder{ports, cfg.WithDefaults()}
}

// Circumstances are what of a turn bears on when and where.
type Circumstances struct {
	Turn meet.Turn
	// Now is when the turn began, in its zone.
	Now time.Time
	// Schedules are the calendars that were read ahead, by Read.
	Schedules *Schedules
	// Offered are starts that are not to be offered again.
	Offered []time.Time
}

// Find finds times and places side by side.
//
// If some calendar keeps everyone waiting, early gets what the others have said until then, with that calendar
// unknown; its error ends the search. Nothing may be chosen from it: the candidates are those that Find returns.
func (f *Finder) Find(
	ctx context.Context, c Circumstances, draft meet.Draft, early func(meet.Candidates) error,
) (meet.Candidates, error) {
	places := f.searchPlaces(ctx, c, draft)
	defer places.wait()
	reading := f.gather(ctx, c, draft)
	defer reading.close()

	if !reading.within(f.cfg.Grace) {
		soFar, venues := reading.soFar(), places.soFar()
		roughly := *f
		roughly.ports.Router = travel.Model{}
		if err := early(f.candidates(c, draft, soFar, venues, roughly.ways(ctx, c, draft, venues.list, soFar))); err != nil {
			return meet.Candidates{}, err
		}
	}
	readings, err := reading.all(ctx)
	if err != nil {
		return meet.Candidates{}, err
	}
	return f.conceding(ctx, places.wait(), func(venues placesFound) meet.Candidates {
		return f.candidates(c, draft, readings, venues, f.ways(ctx, c, draft, venues.list, readings))
	}), nil
}

// conceding is what comes of the places that were found. If none of them goes with the time, more and more of the wish
// for a place is given up; if that does not help either, it stays with the first.
func (f *Finder) conceding(
	ctx context.Context, venues placesFound, candidates func(placesFound) meet.Candidates,
) meet.Candidates {
	asWished := candidates(venues)
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	found := asWished
	for stranded(found) && len(venues.hunt.left) > 0 {
		venues = f.next(ctx, venues.hunt)
		if venues.err != nil || len(venues.list) == 0 {
			return asWished
		}
		found = candidates(venues)
	}
	if stranded(found) {
		return asWished
	}
	return found
}

// stranded reports whether none of the places goes with the time: with one that is pinned, or with any of the others.
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

// Fitting is for each slot whether a place goes with its time: the place is not known to be closed for any of it, and
// everyone can be there, except those of whom the slot itself says that they have too little time for the way.
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
