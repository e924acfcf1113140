package stages

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// schedules are busy times that are being read while the models think.
type schedules struct {
	span   interval.Span
	except string
	done   chan struct{}
	stop   context.CancelFunc
	result map[meet.PersonID]meet.Reading
	err    error
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

// soon is what is read before it is known which days are wanted. It begins a day back, because travel and the zones of
// others reach behind now.
func soon(now time.Time) interval.Span {
	const ahead, back = 35 * 24 * time.Hour, 24 * time.Hour
	return interval.Span{Start: now.Add(-back), End: now.Add(ahead)}
}

// read starts to read the busy times of people, but for the event with the UID except. Whoever reads must close.
func (f finder) read(
	ctx context.Context, turn meet.Turn, people []meet.Person, span interval.Span, except string,
) *schedules {
	ctx, stop := context.WithTimeout(ctx, f.cfg.Patience)
	s := &schedules{span: span, except: except, done: make(chan struct{}), stop: stop}
	people = distinct(people, "")
	go func() {
		defer close(s.done)
		s.err = guarded(func() (err error) {
			s.result, err = f.readAll(ctx, turn, people, meet.BusyQuery{Span: span, Except: except})
			return err
		})
	}()
	return s
}

// readAll asks the calendars of everybody for whom the request does not speak. Of those for whom it does, what Convene
// itself has booked counts beside what it says.
func (f finder) readAll(
	ctx context.Context, turn meet.Turn, people []meet.Person, q meet.BusyQuery,
) (map[meet.PersonID]meet.Reading, error) {
	spoken := q
	for _, p := range people {
		switch {
		case !p.Known():
		case given(turn, p.ID) != nil:
			spoken.People = append(spoken.People, p)
		default:
			q.People = append(q.People, p)
		}
	}
	readings, err := f.calendars.Busy(ctx, q)
	if err != nil || len(spoken.People) == 0 {
		return readings, err
	}
	readings = maps.Clone(readings)
	if readings == nil {
		readings = map[meet.PersonID]meet.Reading{}
	}
	booked, err := f.booked.Busy(ctx, spoken)
	if err != nil {
		return nil, err
	}
	for _, p := range spoken.People {
		busy := interval.NewSet(given(turn, p.ID).Busy...).Union(booked[p.ID].Availability.Busy)
		readings[p.ID] = meet.Reading{
			Availability: interval.Availability{Busy: busy},
			Status: meet.CalendarStatus{
				Person: p.ID, Name: p.Name, Provider: "request", State: meet.Checked, AsOf: turn.ReceivedAt,
			},
		}
	}
	return readings, nil
}

// readings are everybody's, in order. What was read ahead is used where it is of the right time and event; the rest is
// read now.
func (f finder) readings(ctx context.Context, c circumstances, draft meet.Draft) ([]meet.Reading, error) {
	needed := slot.Horizon(draft.Template, c.now.Location(), c.now)
	except := ""
	if draft.Previous != nil {
		except = draft.Previous.UID
	}
	known, err := c.schedules.wait()
	if err != nil || c.schedules.except != except || !c.schedules.span.Covers(needed) {
		known = nil
	}
	people := everybody(c.turn.Organizer, draft.People)
	missing := slices.DeleteFunc(slices.Clone(people), func(p meet.Person) bool {
		_, have := known[p.ID]
		return have || !p.Known()
	})
	late := map[meet.PersonID]meet.Reading{}
	if len(missing) > 0 {
		reading := f.read(ctx, c.turn, missing, needed, except)
		defer reading.close()
		if late, err = reading.wait(); err != nil {
			return nil, fault.New(fault.CalendarFailed, "The calendars could not be read. Please try again in a moment.").
				Later(0).Because(err)
		}
	}
	readings := make([]meet.Reading, len(people))
	for i, p := range people {
		readings[i] = pick(p, needed, known, late)
	}
	return readings, nil
}

// pick is one person's reading from wherever it came; from nowhere means unknown.
func pick(p meet.Person, needed interval.Span, sources ...map[meet.PersonID]meet.Reading) meet.Reading {
	for _, source := range sources {
		if reading, ok := source[p.ID]; ok && p.Known() {
			return reading
		}
	}
	reason := "the calendar could not be read"
	if !p.Known() {
		reason = "nobody by this name is among your contacts"
	}
	return meet.Reading{
		Availability: interval.Availability{Unknown: interval.NewSet(needed)},
		Status: meet.CalendarStatus{
			Person: p.ID, Name: p.Name, State: meet.CalendarUnchecked, Reason: reason,
		},
	}
}

func given(turn meet.Turn, id meet.PersonID) *meet.GivenAvailability {
	for i := range turn.Availability {
		if turn.Availability[i].Person == id {
			return &turn.Availability[i]
		}
	}
	return nil
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
