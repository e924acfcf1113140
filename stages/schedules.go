package stages

import (
	"context"
	"slices"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// schedules are calendars that are being read while the models think.
type schedules struct {
	span   interval.Span
	except string
	read   map[meet.PersonID]bool
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

// read starts to read the calendars of the people whom the request did not speak for.
func (f finder) read(
	ctx context.Context, turn meet.Turn, people []meet.Person, span interval.Span, except string,
) *schedules {
	ctx, stop := context.WithTimeout(ctx, f.cfg.Patience)
	s := &schedules{span: span, except: except, read: map[meet.PersonID]bool{}, done: make(chan struct{}), stop: stop}
	query := meet.BusyQuery{Span: span, Except: except}
	for _, p := range people {
		if !p.Known() || s.read[p.ID] || given(turn, p.ID) != nil {
			continue
		}
		s.read[p.ID] = true
		query.People = append(query.People, p)
	}
	go func() {
		defer close(s.done)
		s.result, s.err = f.calendars.Busy(ctx, query)
	}()
	return s
}

// readings are everybody's, in order. What was read ahead is used where it reaches far enough; the rest is read now.
func (f finder) readings(ctx context.Context, r *run, draft meet.Draft) ([]meet.Reading, error) {
	needed := slot.Horizon(draft.Template, r.now.Location(), r.now)
	early := r.schedules
	<-early.done
	known := early.result
	if early.err != nil || !early.span.Covers(needed) {
		known = nil
	}
	people := everybody(r.turn.Organizer, draft.People)
	missing := slices.DeleteFunc(slices.Clone(people), func(p meet.Person) bool {
		_, have := known[p.ID]
		return have || !p.Known() || given(r.turn, p.ID) != nil
	})
	late := map[meet.PersonID]meet.Reading{}
	if len(missing) > 0 {
		reading := f.read(ctx, r.turn, missing, needed, early.except)
		<-reading.done
		reading.stop()
		if reading.err != nil {
			return nil, fault.New(fault.CalendarFailed, "The calendars could not be read. Please try again in a moment.").
				Later(0).Because(reading.err)
		}
		late = reading.result
	}
	readings := make([]meet.Reading, len(people))
	for i, p := range people {
		readings[i] = pick(r, p, needed, known, late)
	}
	return readings, nil
}

// pick is one person's reading from wherever it came; from nowhere means unknown.
func pick(r *run, p meet.Person, needed interval.Span, sources ...map[meet.PersonID]meet.Reading) meet.Reading {
	if busy := given(r.turn, p.ID); busy != nil && p.Known() {
		return meet.Reading{
			Availability: interval.Availability{Busy: interval.NewSet(busy.Busy...)},
			Status: meet.CalendarStatus{
				Person: p.ID, Name: p.Name, Provider: "request", State: meet.Checked, AsOf: r.turn.ReceivedAt,
			},
		}
	}
	for _, source := range sources {
		if reading, ok := source[p.ID]; ok && p.Known() {
			return reading
		}
	}
	return meet.Reading{
		Availability: interval.Availability{Unknown: interval.NewSet(needed)},
		Status: meet.CalendarStatus{
			Person: p.ID, Name: p.Name, State: meet.CalendarUnchecked,
			Reason: "nobody by this name is among your contacts",
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
