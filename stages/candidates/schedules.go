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
	"convene/pkg/slot"
)

// Schedules are busy times that are being read while the models think.
type Schedules struct {
	asked meet.BusyQuery
	done  chan struct{}
	stop  context.CancelFunc
	// result and err are there when done is closed.
	result map[meet.PersonID]meet.Schedule
	err    error

	mu sync.Mutex
	// early are the readings that have come so far.
	early map[meet.PersonID]meet.Schedule
}

// Close stops reading and waits until nothing of it is left.
func (s *Schedules) Close() {
	s.stop()
	<-s.done
}

// wait gives what was read.
func (s *Schedules) wait() (map[meet.PersonID]meet.Schedule, error) {
	<-s.done
	return s.result, s.err
}

// tell takes a reading as soon as it is there.
func (s *Schedules) tell(id meet.PersonID, r meet.Schedule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.early[id] = r
}

// soFar is what has been read by now.
func (s *Schedules) soFar() map[meet.PersonID]meet.Schedule {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.early)
}

// Soon is what is read before it is known which days are wanted. It begins a day back, because travel and the zones of
// others reach behind now.
func Soon(now time.Time) interval.Span {
	const ahead, back = 35 * 24 * time.Hour, 24 * time.Hour
	return interval.Span{Start: now.Add(-back), End: now.Add(ahead)}
}

// Read starts to read busy times; the caller must Close what it returns.
func (f *Finder) Read(ctx context.Context, turn meet.Turn, q meet.BusyQuery) *Schedules {
	ctx, stop := context.WithTimeout(ctx, f.cfg.Patience)
	q.People = meet.Distinct(q.People, "")
	s := &Schedules{asked: q, done: make(chan struct{}), stop: stop, early: map[meet.PersonID]meet.Schedule{}}
	q.Tell = s.tell
	go func() {
		defer close(s.done)
		s.err = fault.Guard(func() (err error) {
			s.result, err = f.readAll(ctx, turn, q)
			return err
		})
	}()
	return s
}

// readAll asks the calendars of everybody for whom the request does not speak. Of those for whom it does, what Convene
// itself has booked counts beside what it says.
func (f *Finder) readAll(
	ctx context.Context, turn meet.Turn, q meet.BusyQuery,
) (map[meet.PersonID]meet.Schedule, error) {
	calendars, spoken := q, q
	calendars.People, spoken.People = nil, nil
	for _, p := range q.People {
		switch {
		case !p.Known():
		case given(turn, p.ID) != nil:
			spoken.People = append(spoken.People, p)
		default:
			calendars.People = append(calendars.People, p)
		}
	}
	if len(spoken.People) == 0 {
		return f.ports.Calendars.Busy(ctx, calendars)
	}
	// What was booked is known sooner than what calendars say.
	said, err := f.readGiven(ctx, turn, spoken)
	if err != nil || len(calendars.People) == 0 {
		return said, err
	}
	readings, err := f.ports.Calendars.Busy(ctx, calendars)
	if err != nil {
		return nil, err
	}
	maps.Copy(said, readings)
	return said, nil
}

// readGiven is the readings of people for whom the request speaks.
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

// gathering is everybody's busy times on their way to a search: what was read ahead, where it is of the right time and
// event, and the rest, which is read now.
type gathering struct {
	finder *Finder
	turn   meet.Turn
	// people are everybody, the organizer first; needed is the time that bears on the search.
	people []meet.Person
	needed interval.Span
	// ahead is nil where it is of no use, late where nobody is missing in it. The gathering closes late.
	ahead, late *Schedules
}

// gather starts to read what is missing. Whoever gathers must close.
func (f *Finder) gather(ctx context.Context, c Circumstances, draft meet.Draft) *gathering {
	g := &gathering{
		finder: f, turn: c.Turn, people: draft.Everyone(c.Turn.Organizer),
		needed: slot.Horizon(draft.Template, c.Now.Location(), c.Now),
	}
	q := meet.BusyQuery{Span: g.needed, Fresh: c.Schedules.asked.Fresh}
	if draft.Previous != nil {
		q.Except = draft.Previous.UID
	}
	if usual := Soon(c.Now); usual.Covers(q.Span) {
		q.Span = usual // others ask the same
	}
	if ahead := c.Schedules; ahead.asked.Except == q.Except && ahead.asked.Span.Covers(g.needed) {
		g.ahead = ahead
	}
	q.People = slices.DeleteFunc(slices.Clone(g.people), func(p meet.Person) bool {
		return !p.Known() || g.ahead != nil && slices.ContainsFunc(g.ahead.asked.People, func(asked meet.Person) bool {
			return asked.ID == p.ID
		})
	})
	if len(q.People) > 0 {
		g.late = f.Read(ctx, c.Turn, q)
	}
	return g
}

// close waits until nothing is read any more that only the gathering needs.
func (g *gathering) close() {
	if g.late != nil {
		g.late.Close()
	}
}

// parts are the readings under way that bear on the search.
func (g *gathering) parts() []*Schedules {
	return slices.DeleteFunc([]*Schedules{g.ahead, g.late}, func(s *Schedules) bool { return s == nil })
}

// within reports whether all calendars answer before the time is over.
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

// soFar is everybody's reading by now, in order. Whose calendar has not answered yet is unknown.
func (g *gathering) soFar() []meet.Schedule {
	known := map[meet.PersonID]meet.Schedule{}
	for _, part := range g.parts() {
		maps.Copy(known, part.soFar())
	}
	return g.pick(known, reasonReading)
}

// all is everybody's reading, in order, when each calendar has answered or had its time.
func (g *gathering) all(ctx context.Context) ([]meet.Schedule, error) {
	known := map[meet.PersonID]meet.Schedule{}
	for _, part := range g.parts() {
		readings, err := part.wait()
		if err != nil && part == g.ahead {
			// It was read for whatever the message might be about; now it matters, so it is asked for again.
			again := g.finder.Read(ctx, g.turn, part.asked)
			defer again.Close()
			readings, err = again.wait()
		}
		if err != nil {
			return nil, fault.New(fault.CalendarFailed, "The calendars could not be read. Please try again in a moment.").
				Later(0).Because(err)
		}
		maps.Copy(known, readings)
	}
	return g.pick(known, reasonUnread), nil
}

// Why somebody's time is not known where no calendar said so.
const (
	reasonReading = "the calendar is still being read"
	reasonUnread  = "the calendar could not be read"
	reasonUnknown = "nobody by this name is among your contacts"
)

// pick is everybody's reading; one who has none is unknown, for the reason given.
func (g *gathering) pick(known map[meet.PersonID]meet.Schedule, missing string) []meet.Schedule {
	readings := make([]meet.Schedule, len(g.people))
	for i, p := range g.people {
		reading, ok := known[p.ID]
		switch {
		case !p.Known():
			reading = unread(p, g.needed, reasonUnknown)
		case !ok:
			reading = unread(p, g.needed, missing)
		}
		readings[i] = reading
	}
	return readings
}

// unread is the reading of somebody of whom nothing was read.
func unread(p meet.Person, needed interval.Span, reason string) meet.Schedule {
	return meet.Schedule{
		Availability: interval.Availability{Unknown: interval.NewSet(needed)},
		Status: meet.CalendarStatus{
			Person: p.ID, Name: p.Name, State: meet.CalendarUnchecked, Reason: reason,
		},
	}
}

// readings are everybody's, in order.
func (f *Finder) readings(ctx context.Context, c Circumstances, draft meet.Draft) ([]meet.Schedule, error) {
	g := f.gather(ctx, c, draft)
	defer g.close()
	return g.all(ctx)
}
