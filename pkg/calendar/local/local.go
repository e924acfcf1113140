// Package local is the calendar that needs no account: it reads .ics files and writes confirmed events to a store.
package local

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Store keeps what is not in files: the confirmed events, and what people changed over their files. Its methods may be
// called by many goroutines at once.
type Store interface {
	// PutAll gives a copy of e to each of the people, or to none of them. It replaces a copy with the same UID; one with
	// a higher sequence is a fault.Conflict.
	PutAll(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error
	// Remove removes the copies with that UID; people without one are no error.
	Remove(ctx context.Context, people []meet.PersonID, uid string) error
	// Between lists the person's events whose busy time, travel included, overlaps span.
	Between(ctx context.Context, person meet.PersonID, span interval.Span) ([]meet.StoredEvent, error)
	// Objects are the person's own calendar objects by their names, which stand over those of the files, and their
	// revision. An empty object is one that was deleted.
	Objects(ctx context.Context, person meet.PersonID) (objects map[string]string, revision string, err error)
	// SwapObjects keeps these objects, and all others, if the revision is still the latest, and reports whether it is.
	SwapObjects(ctx context.Context, person meet.PersonID, revision string, objects map[string]string) (bool, error)
}

// Calendar is a calendar.Amender and calendar.Writer. A person with a file, even an empty one, has a calendar here.
// The time of others is unknown. The files belong to the zero tenant, and are never written: what a person changes
// stands in the store and wins. The same id in another tenant is another person.
type Calendar struct {
	// Now is the clock of what is written. Defaults to time.Now.
	Now func() time.Time
	// Bookings are told of changes of confirmed events. Without it these can only be read.
	Bookings calendar.Bookings

	store    Store
	people   map[meet.PersonID][]*source
	problems []error
}

var _ calendar.Amender = (*Calendar)(nil)

// kinds are the suffixes that distinguish several calendars of one person: ann.ics, ann-work.ics.
var kinds = [...]string{"-work", "-personal", "-home", "-family", "-school"}

// New reads files, which are named <person>.ics or, for one of several, <person>-work.ics, -personal, -home, -family
// or -school, or <person>/<calendar>.ics. A damaged file makes the whole time of its owner unknown and is listed in
// Problems; others are unaffected.
func New(store Store, files map[string][]byte) *Calendar {
	c := &Calendar{store: store, people: map[meet.PersonID][]*source{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		schedule, err := icalendar.Parse(files[name])
		if err != nil {
			c.problems = append(c.problems, fmt.Errorf("%s: %w", name, err))
			schedule = nil
		} else {
			for _, problem := range schedule.Problems {
				c.problems = append(c.problems, fmt.Errorf("%s: %w", name, problem))
			}
		}
		owner := OwnerOf(name)
		c.people[owner] = append(c.people[owner], &source{
			name: strings.TrimSuffix(path.Base(name), ".ics"), data: files[name], schedule: schedule,
		})
	}
	return c
}

// called is what the owner calls the calendar of a file: its own name, or that of the file without the owner's; empty
// if nothing is left.
func (s *source) called() string {
	if s.schedule != nil && s.schedule.Name != "" {
		return s.schedule.Name
	}
	rest := strings.TrimSuffix(strings.TrimPrefix(s.name, string(OwnerOf(s.name))), ".ics")
	return strings.Trim(rest, "-/")
}

// Calendars are the person's files as calendars. One that has no name of its own is called after its file, and one
// whose file is damaged can only be read.
func (c *Calendar) Calendars(ctx context.Context, person meet.PersonID) (all []meet.OwnCalendar) {
	for _, s := range c.filesOf(ctx, person) {
		all = append(all, meet.OwnCalendar{
			Provider: c.Name(), Calendar: s.name, Name: cmp.Or(s.called(), s.name), ReadOnly: s.schedule == nil,
		})
	}
	return all
}

// OwnerOf is the owner of the file with that name, with which the name begins.
func OwnerOf(name string) meet.PersonID {
	if owner, _, inFolder := strings.Cut(name, "/"); inFolder {
		return meet.PersonID(owner)
	}
	id := strings.TrimSuffix(name, ".ics")
	for _, kind := range kinds {
		if owner, found := strings.CutSuffix(id, kind); found && owner != "" {
			return meet.PersonID(owner)
		}
	}
	return meet.PersonID(id)
}

// Problems are the files and parts of files that could not be parsed, each with its name and line, for the operator.
func (c *Calendar) Problems() []error { return c.problems }

// Name is "local".
func (*Calendar) Name() string { return "local" }

// Times merges the person's files with the confirmed events in the store. If one of them cannot be read, the busy times
// of the others come with the error; a person without a file has the confirmed events with calendar.ErrNoCalendar,
// unless these could not be read either. Stays are those of the files' events with coordinates, and of all confirmed
// events with a place.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	var own view
	var wg sync.WaitGroup
	wg.Go(func() { own = c.view(ctx, person.ID) })
	all, err := c.confirmed(ctx, person.ID, span, except)
	wg.Wait()
	errs := []error{err, own.err}
	for _, s := range own.sources {
		one, err := s.times(ctx, person, span, except)
		all.Availability, errs = all.Merge(one.Availability), append(errs, err)
		all.Stays = append(all.Stays, one.Stays...)
	}
	if !own.file && calendar.Join(errs...) == nil {
		return all, calendar.ErrNoCalendar
	}
	return all, calendar.Join(errs...)
}

// Events are those of the person's files, with what the person changed, and the confirmed events in the store.
func (c *Calendar) Events(
	ctx context.Context, person meet.Person, span interval.Span,
) ([]meet.Occurrence, error) {
	var own view
	var wg sync.WaitGroup
	wg.Go(func() { own = c.view(ctx, person.ID) })
	stored, err := c.store.Between(ctx, person.ID, span)
	wg.Wait()
	if err != nil {
		err = fmt.Errorf("read confirmed events: %w", err)
	}
	errs := []error{err, own.err}
	var all []meet.Occurrence
	for _, e := range stored {
		if e.Span().Overlaps(span) {
			all = append(all, c.booked(e, person.ID))
		}
	}
	for _, s := range own.sources {
		events, err := s.events(ctx, person, span)
		for i := range events {
			events[i].Provider, events[i].Calendar = c.Name(), s.name
			events[i].CalendarName = cmp.Or(events[i].CalendarName, s.called())
			events[i].ReadOnly = events[i].UID == "" // what has no name cannot be changed
		}
		all, errs = append(all, events...), append(errs, err)
	}
	if !own.file && calendar.Join(errs...) == nil {
		return all, calendar.ErrNoCalendar
	}
	return all, calendar.Join(errs...)
}

func (c *Calendar) filesOf(ctx context.Context, person meet.PersonID) []*source {
	if meet.TenantOf(ctx) != "" {
		return nil
	}
	return c.people[person]
}

// confirmed is the busy time of the person's stored events, travel included.
func (c *Calendar) confirmed(
	ctx context.Context, person meet.PersonID, span interval.Span, except string,
) (times calendar.Times, err error) {
	events, err := c.store.Between(ctx, person, span)
	if err != nil {
		return times, fmt.Errorf("read confirmed events: %w", err)
	}
	var busy []interval.Span
	for _, e := range events {
		if except != "" && e.UID == except {
			continue
		}
		busy = append(busy, e.Busy().Intersect(span))
		if e.At != nil {
			times.Stays = append(times.Stays, meet.Stay{Span: e.Span(), At: *e.At, Taken: e.Busy()})
		}
	}
	times.Busy = interval.NewSet(busy...)
	return times, nil
}

// Write gives a copy of the event to its owner and to every guest with an id, to all of them or to none. The travel
// time around the event is busy too.
func (c *Calendar) Write(ctx context.Context, entry calendar.Entry) (calendar.Written, error) {
	e := entry.Event
	if e.UID == "" || !e.Start.Before(e.End) {
		return calendar.Written{}, fault.New(fault.Internal, "The event has no time that could be written.")
	}
	err := c.store.PutAll(ctx, keepers(entry), e.Stored(nil))
	if err != nil {
		return calendar.Written{}, fmt.Errorf("write event %s: %w", e.UID, err)
	}
	return calendar.Written{}, nil
}

// Remove removes the event from its owner and all guests.
func (c *Calendar) Remove(ctx context.Context, entry calendar.Entry) error {
	if err := c.store.Remove(ctx, keepers(entry), entry.Event.UID); err != nil {
		return fmt.Errorf("remove event %s: %w", entry.Event.UID, err)
	}
	return nil
}

// keepers are the people who get a copy, each once.
func keepers(e calendar.Entry) []meet.PersonID {
	ids := []meet.PersonID{e.Owner.ID}
	for _, g := range e.Guests {
		if !slices.Contains(ids, g.ID) {
			ids = append(ids, g.ID)
		}
	}
	return slices.DeleteFunc(ids, func(id meet.PersonID) bool { return id == "" })
}
