package world

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Called are the owner's calendars that a name means: those of that name or at that provider; else the ones for work,
// or for what is personal, if the name says so. If it means none, the error is a fault that says which ones there are.
func (w *World) Called(ctx context.Context, name string) ([]meet.OwnCalendar, error) {
	all, err := w.calendars(ctx)
	if err != nil {
		return nil, err
	}
	if found := called(all, name); len(found) > 0 {
		return found, nil
	}
	for phrase, preferred := range map[string]string{
		"calendar.work": w.Preferred().WorkCalendar, "calendar.personal": w.Preferred().PersonalCalendar,
	} {
		words := strings.Split(w.Say(phrase), "|")
		if !slices.Contains(words, agenda.Fold(name)) {
			continue
		}
		for _, word := range append([]string{preferred}, words...) {
			if found := called(all, word); len(found) > 0 {
				return found, nil
			}
		}
	}
	var there []string
	for _, c := range all {
		if title := w.Voice().Title(c.Name); c.Name != "" && !slices.Contains(there, title) {
			there = append(there, title)
		}
	}
	if len(there) == 0 {
		return nil, fault.New(fault.NotFound, "%s", w.Say("noCalendars", "name", w.Voice().Title(name)))
	}
	return nil, fault.New(fault.NotFound, "%s", w.Say("noCalendar", "name", w.Voice().Title(name), "titles",
		w.Voice().List(there)))
}

func (w *World) calendars(ctx context.Context) ([]meet.OwnCalendar, error) {
	if w.Calendars == nil {
		return nil, nil
	}
	return w.Calendars(ctx)
}

// called are the calendars of a name, or at a provider.
func called(all []meet.OwnCalendar, name string) (found []meet.OwnCalendar) {
	for _, c := range all {
		same := func(other string) bool { return name != "" && agenda.Fold(other) == agenda.Fold(name) }
		if same(c.Name) || same(c.Calendar) || same(c.Provider) {
			found = append(found, c)
		}
	}
	return found
}

// within is a selection with the names of the calendars that its own names mean.
func (w *World) within(ctx context.Context, s agenda.Selection) (agenda.Selection, error) {
	var names []string
	for _, name := range s.Calendars {
		found, err := w.Called(ctx, name)
		if err != nil {
			return s, err
		}
		for _, c := range found {
			names = append(names, cmp.Or(c.Name, c.Calendar))
		}
	}
	s.Calendars = names
	return s, nil
}

// Shelve puts a new event into the calendar that it names, by what the owner calls that. An event that names none goes
// into the one that the owner prefers for such events: the personal one if it is private, or has no guests and lies
// outside working hours; otherwise that for work. If that is not there, or can only be read, it goes to the usual
// calendar. The error is a fault if the calendar that it names is not there, or can only be read.
func (w *World) Shelve(ctx context.Context, o *meet.Occurrence) error {
	likes := w.Preferred()
	name := cmp.Or(o.Calendar, likes.WorkCalendar)
	private := o.Visibility == meet.Private || o.Visibility == meet.Confidential
	if o.Calendar == "" && (private || len(o.Guests()) == 0 && !w.Working(o.Span).Overlaps(o.Span)) {
		name = likes.PersonalCalendar
	}
	if name == "" {
		return nil
	}
	c, err := w.Writable(ctx, name)
	if err != nil {
		if o.Calendar == "" {
			return nil
		}
		return err
	}
	o.Provider, o.Calendar, o.CalendarName = c.Provider, c.Calendar, c.Name
	return nil
}

// Writable is the owner's calendar that a name means, in which events can be put. The error is a fault if there is
// none.
func (w *World) Writable(ctx context.Context, name string) (meet.OwnCalendar, error) {
	found, err := w.Called(ctx, name)
	if err != nil {
		return meet.OwnCalendar{}, err
	}
	i := slices.IndexFunc(found, func(c meet.OwnCalendar) bool { return !c.ReadOnly })
	if i < 0 {
		return meet.OwnCalendar{}, fault.New(fault.CalendarFailed, "%s", w.Say("readOnly", "titles", w.Voice().Title(name)))
	}
	return found[i], nil
}
