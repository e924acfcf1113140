package candidates

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Schedules are busy times that are read while the models think.
type Schedules struct {
	*Awaited[map[meet.PersonID]meet.Schedule]
	asked meet.BusyQuery
	stop  context.CancelFunc

	mu sync.Mutex
	// early are the readings so far.
	early map[meet.PersonID]meet.Schedule
}

// Close stops the reading and waits for its end.
func (s *Schedules) Close() {
	s.stop()
	_, _ = s.Wait()
}

// note takes a reading as soon as it is there.
func (s *Schedules) note(id meet.PersonID, r meet.Schedule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.early[id] = r
}

// readSoFar are the readings by now.
func (s *Schedules) readSoFar() map[meet.PersonID]meet.Schedule {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.early)
}

// Soon is the time to read before the wanted days are known. It begins a day back, because travel and the zones of
// others reach into the past.
func Soon(now time.Time) interval.Span {
	const ahead, back = 35 * 24 * time.Hour, 24 * time.Hour
	return interval.Span{Start: now.Add(-back), End: now.Add(ahead)}
}

// Read starts to read busy times; the caller must Close what it returns.
func (f *Finder) Read(ctx context.Context, turn meet.Turn, q meet.BusyQuery) *Schedules {
	ctx, stop := context.WithTimeout(ctx, f.cfg.Patience)
	q.People = meet.Distinct(q.People, "")
	s := &Schedules{asked: q, stop: stop, early: map[meet.PersonID]meet.Schedule{}}
	q.Tell = s.note
	s.Awaited = Meanwhile(func() (map[meet.PersonID]meet.Schedule, error) { return f.readAll(ctx, turn, q) })
	return s
}

// readAll asks the calendars of everyone whose busy times are not in the request. For the others the request counts,
// and what Convene itself has booked.
func (f *Finder) readAll(
	ctx context.Context, turn meet.Turn, q meet.BusyQuery,
) (map[meet.PersonID]meet.Schedule, error) {
	calendars, inRequest := q, q
	calendars.People, inRequest.People = nil, nil
	for _, p := range q.People {
		switch {
		case !p.Known():
		case given(turn, p.ID) != nil:
			inRequest.People = append(inRequest.People, p)
		default:
			calendars.People = append(calendars.People, p)
		}
	}
	if len(inRequest.People) == 0 {
		return f.ports.Calendars.Busy(ctx, calendars)
	}
	// Convene's own bookings are read faster than calendars.
	readings, err := f.readGiven(ctx, turn, inRequest)
	if err != nil || len(calendars.People) == 0 {
		return readings, err
	}
	others, err := f.ports.Calendars.Busy(ctx, calendars)
	if err != nil {
		return nil, err
	}
	maps.Copy(readings, others)
	return readings, nil
}

// readGiven are the readings of people whose busy times are in the request.
func (f *Finder) readGiven(
	ctx context.Context, turn meet.Turn, q meet.BusyQuery,
) (map[meet.PersonID]meet.Schedule, error) {
	tell := q.Tell
	q.Tell = nil
	booked, err := f.ports.Booked.Busy(ctx, q)
	if err != nil {
		return nil, err
	}
	readings := make(map[meet.PersonID]meet.Schedule, len(q.People))
	for _, p := range q.People {
		busy := interval.NewSet(given(turn, p.ID).Busy...).Union(booked[p.ID].Availability.Busy)
		readings[p.ID] = meet.Schedule{
			Availability: interval.Availability{Busy: busy},
			Stays:        booked[p.ID].Stays,
			Providers:    booked[p.ID].Providers,
			Status: meet.CalendarStatus{
				Person: p.ID, Name: p.Name, Provider: "request", State: meet.Checked, AsOf: turn.ReceivedAt,
			},
		}
		tell(p.ID, readings[p.ID])
	}
	return readings, nil
}

func given(turn meet.Turn, id meet.PersonID) *meet.GivenAvailability {
	for i := range turn.Availability {
		if turn.Availability[i].Person == id {
			return &turn.Availability[i]
		}
	}
	return nil
}

// gathering collects everyone's busy times for a search: those that were read ahead, if they are for its time and
// event, and the rest, which is read now.
type gathering struct {
	*search
	// ahead is nil if it does not fit the search, late if ahead has everyone. The gathering closes late.
	ahead, late *Schedules
}

// gather starts to read what is missing. The caller must close what it returns.
func (s *search) gather(ctx context.Context) *gathering {
	g := &gathering{search: s}
	q := meet.BusyQuery{Span: s.horizon, Fresh: s.Schedules.asked.Fresh}
	switch {
	case s.Draft.Previous != nil:
		q.Except = s.Draft.Previous.UID
	case s.Draft.During() != nil:
		q.Except = s.Draft.During().UID
	}
	if usual := Soon(s.Now); usual.Covers(q.Span) {
		q.Span = usual // others ask the same
	}
	if ahead := s.Schedules; ahead.asked.Except == q.Except && ahead.asked.Span.Covers(s.horizon) {
		g.ahead = ahead
	}
	q.People = slices.DeleteFunc(slices.Clone(s.everyone), func(p meet.Person) bool {
		return !p.Known() || g.ahead != nil && slices.ContainsFunc(g.ahead.asked.People, func(asked meet.Person) bool {
			return asked.ID == p.ID
		})
	})
	if len(q.People) > 0 {
		g.late = s.Read(ctx, s.Turn, q)
	}
	return g
}

// close stops what only the gathering reads.
func (g *gathering) close() {
	if g.late != nil {
		g.late.Close()
	}
}

// parts are the readings under way that bear on the search.
func (g *gathering) parts() []*Schedules {
	return slices.DeleteFunc([]*Schedules{g.ahead, g.late}, func(s *Schedules) bool { return s == nil })
}

// within reports whether all calendars answer within the grace.
func (g *gathering) within(grace time.Duration) bool {
	over := time.NewTimer(grace)
	defer over.Stop()
	for _, part := range g.parts() {
		select {
		case <-part.done:
		case <-over.C:
			return false
		}
	}
	return true
}

// soFar is everyone's reading by now, in order; unknown if the calendar has not answered yet.
func (g *gathering) soFar() []meet.Schedule {
	known := map[meet.PersonID]meet.Schedule{}
	for _, part := range g.parts() {
		maps.Copy(known, part.readSoFar())
	}
	return g.pick(known, reasonReading)
}

// all is everyone's reading, in order, when each calendar has answered or had its time.
func (g *gathering) all(ctx context.Context) ([]meet.Schedule, error) {
	known := map[meet.PersonID]meet.Schedule{}
	for _, part := range g.parts() {
		readings, err := part.Wait()
		if err != nil && part == g.ahead {
			// It was read before it was known to matter, so it is asked for again.
			again := g.Read(ctx, g.Turn, part.asked)
			defer again.Close()
			readings, err = again.Wait()
		}
		if err != nil {
			return nil, fault.New(fault.CalendarFailed, "The calendars could not be read. Please try again in a moment.").
				Later(0).Because(err)
		}
		maps.Copy(known, readings)
	}
	return g.pick(known, reasonUnread), nil
}

// Why a person's time is unknown if no calendar said so.
const (
	reasonReading = "the calendar is still being read"
	reasonUnread  = "the calendar could not be read"
	reasonUnknown = "nobody by this name is among your contacts"
)

// pick is everyone's reading; a person without one is unknown, for the given reason.
func (s *search) pick(known map[meet.PersonID]meet.Schedule, missing string) []meet.Schedule {
	readings := make([]meet.Schedule, len(s.everyone))
	for i, p := range s.everyone {
		reading, ok := known[p.ID]
		switch {
		case !p.Known():
			reading = unread(p, s.horizon, reasonUnknown)
		case !ok:
			reading = unread(p, s.horizon, missing)
		}
		readings[i] = reading
	}
	return readings
}

// unread is the reading of a person for whom nothing was read.
func unread(p meet.Person, needed interval.Span, reason string) meet.Schedule {
	return meet.Schedule{
		Availability: interval.Availability{Unknown: interval.NewSet(needed)},
		Status: meet.CalendarStatus{
			Person: p.ID, Name: p.Name, State: meet.CalendarUnchecked, Reason: reason,
		},
	}
}

// readings are everyone's, in order.
func (s *search) readings(ctx context.Context) ([]meet.Schedule, error) {
	g := s.gather(ctx)
	defer g.close()
	return g.all(ctx)
}
