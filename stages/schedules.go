package stages

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// schedules are busy times that are being read while the models think.
type schedules struct {
	asked meet.BusyQuery
	done  chan struct{}
	stop  context.CancelFunc
	// result and err are there when done is closed.
	result map[meet.PersonID]meet.Reading
	err    error

	mu sync.Mutex
	// early are the readings that have come so far.
	early map[meet.PersonID]meet.Reading
}

// close stops reading and waits until nothing of it is left.
func (s *schedules) close() {
	s.stop()
	<-s.done
}

// wait gives what was read.
func (s *schedules) wait() (map[meet.PersonID]meet.Reading, error) {
	<-s.done
	return s.result, s.err
}

// tell takes a reading as soon as it is there.
func (s *schedules) tell(id meet.PersonID, r meet.Reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.early[id] = r
}

// soFar is what has been read by now.
func (s *schedules) soFar() map[meet.PersonID]meet.Reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.early)
}

// soon is what is read before it is known which days are wanted. It begins a day back, because travel and the zones of
// others reach behind now.
func soon(now time.Time) interval.Span {
	const ahead, back = 35 * 24 * time.Hour, 24 * time.Hour
	return interval.Span{Start: now.Add(-back), End: now.Add(ahead)}
}

// read starts to read busy times. Whoever reads must close.
func (f finder) read(ctx context.Context, turn meet.Turn, q meet.BusyQuery) *schedules {
	ctx, stop := context.WithTimeout(ctx, f.cfg.Patience)
	q.People = distinct(q.People, "")
	s := &schedules{asked: q, done: make(chan struct{}), stop: stop, early: map[meet.PersonID]meet.Reading{}}
	q.Tell = s.tell
	go func() {
		defer close(s.done)
		s.err = guarded(func() (err error) {
			s.result, err = f.readAll(ctx, turn, q)
			return err
		})
	}()
	return s
}

// readAll asks the calendars of everybody for whom the request does not speak. Of those for whom it does, what Convene
// itself has booked counts beside what it says.
func (f finder) readAll(
	ctx context.Context, turn meet.Turn, q meet.BusyQuery,
) (map[meet.PersonID]meet.Reading, error) {
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
		return f.calendars.Busy(ctx, calendars)
	}
	// What was booked is known sooner than what calendars say.
	said, err := f.readGiven(ctx, turn, spoken)
	if err != nil || len(calendars.People) == 0 {
		return said, err
	}
	readings, err := f.calendars.Busy(ctx, calendars)
	if err != nil {
		return nil, err
	}
	maps.Copy(said, readings)
	return said, nil
}

// readGiven is the readings of people for whom the request speaks.
func (f finder) readGiven(
	ctx context.Context, turn meet.Turn, q meet.BusyQuery,
) (map[meet.PersonID]meet.Reading, error) {
	tell := q.Tell
	q.Tell = nil
	booked, err := f.booked.Busy(ctx, q)
	if err != nil {
		return nil, err
	}
	readings := make(map[meet.PersonID]meet.Reading, len(q.People))
	for _, p := range q.People {
		busy := interval.NewSet(given(turn, p.ID).Busy...).Union(booked[p.ID].Availability.Busy)
		readings[p.ID] = meet.Reading{
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

// meanwhile does something while the caller goes on, who must wait for what comes of it.
func meanwhile[T any](do func() (T, error)) (wait func() (T, error)) {
	var result T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = guarded(func() (err error) {
			result, err = do()
			return err
		})
	}()
	return func() (T, error) {
		<-done
		return result, err
	}
}

// guarded turns a panic into an error: a broken adapter fails its turn, not the server.
func guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return do()
}
