// Package agendatest has a calendar in memory that can be changed, for tests.
package agendatest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Diary is one calendar in memory. It makes an amendment once, and only of the version that was read.
type Diary struct {
	// Standing are its events, by key. No turn may be under way while a test reads or changes it.
	Standing map[string]meet.Occurrence
	// Made are the results of the amendments so far, by key.
	Made map[string]agenda.Amended
	// Problem is the error of reading, beside the events.
	Problem error
	// Forgets makes it give no Former, as calendars do whose answer was lost.
	Forgets bool

	mu sync.Mutex
}

// NewDiary is a calendar with these events.
func NewDiary(events ...meet.Occurrence) *Diary {
	d := &Diary{Standing: map[string]meet.Occurrence{}, Made: map[string]agenda.Amended{}}
	for _, e := range events {
		d.Standing[e.Key()] = e
	}
	return d
}

// Events are those that overlap span.
func (d *Diary) Events(_ context.Context, _ meet.Person, span interval.Span) (events []meet.Occurrence, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.Standing {
		if e.Span.Overlaps(span) {
			events = append(events, e)
		}
	}
	return events, d.Problem
}

// Apply makes an amendment.
func (d *Diary) Apply(_ context.Context, _ meet.Person, a agenda.Amendment) (done agenda.Amended, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if done, repeated := d.Made[a.Key]; repeated {
		return done, nil
	}
	if a.Kind == agenda.Create && a.Event.UID == "" {
		a.Event.UID = "of " + a.Key
	}
	now, there := d.Standing[a.Event.Key()]
	if there && now.Version != a.Event.Version || !there && a.Kind != agenda.Create && a.Kind != agenda.Restore {
		return done, fault.New(fault.Conflict, "The event has changed meanwhile.")
	}
	if there && !d.Forgets {
		if done.Former, err = json.Marshal(now); err != nil {
			return done, err
		}
	}
	next := a.After()
	if a.Kind == agenda.Restore {
		if err := json.Unmarshal(a.Former, next); err != nil {
			return done, err
		}
	}
	delete(d.Standing, a.Event.Key())
	if next != nil {
		next.Version = fmt.Sprint("v", len(d.Made)+2)
		d.Standing[next.Key()], done.Event = *next, *next
	}
	d.Made[a.Key] = done
	return done, nil
}
