package calendar_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/functions/calendar"
	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

var zone = mustZone("America/New_York")

func mustZone(name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return z
}

// now is a Tuesday morning, five days before the clocks go forward.
var now = time.Date(2027, 3, 9, 8, 30, 0, 0, zone)

var (
	me   = meet.Person{ID: "u_me", Name: "Mia Moss", Email: "mia@example.com", CalendarType: meet.Work}
	ada  = meet.Person{ID: "u_ada", Name: "Ada Byron", Email: "ada@example.com", Timezone: "America/New_York"}
	sam1 = meet.Person{ID: "u_sam1", Name: "Sam Poe", Email: "sam.poe@example.com"}
	sam2 = meet.Person{ID: "u_sam2", Name: "Sam Roe", Email: "sam.roe@example.com"}
	noel = meet.Person{ID: "u_noel", Name: "Noel West"}
)

// base is the calendars of the owner. A broken one cannot be read whole.
type base struct {
	events []meet.Occurrence
	broken bool
}

// calendars are those of the events; one can be written if an event of it can be changed.
func (b base) calendars(context.Context) (all []meet.OwnCalendar, _ error) {
	for _, o := range b.events {
		c := meet.OwnCalendar{
			Provider: o.Provider, Calendar: o.Calendar, Name: cmp.Or(o.CalendarName, o.Calendar), ReadOnly: o.ReadOnly,
		}
		i := slices.IndexFunc(all, func(one meet.OwnCalendar) bool { return one.Calendar == c.Calendar })
		if i < 0 {
			all = append(all, c)
		} else {
			all[i].ReadOnly = all[i].ReadOnly && c.ReadOnly
		}
	}
	return all, nil
}

func (b base) Events(_ context.Context, _ meet.Person, span interval.Span) ([]meet.Occurrence, error) {
	var there []meet.Occurrence
	for _, o := range b.events {
		if o.Span.Overlaps(span) {
			there = append(there, o)
		}
	}
	if b.broken {
		return there, errors.New("a calendar is not to be reached")
	}
	return there, nil
}

// others tells when people are busy.
type others map[meet.PersonID]interval.Availability

func (o others) Busy(_ context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error) {
	all := map[meet.PersonID]meet.Schedule{}
	for _, p := range q.People {
		if a, known := o[p.ID]; known {
			all[p.ID] = meet.Schedule{Availability: a}
		}
	}
	return all, nil
}

// scheduler answers every draft with the same slots.
type scheduler struct {
	asked   meet.Draft
	slots   []meet.Slot
	reasons []meet.Reason
}

func (s *scheduler) Slots(
	_ context.Context, _ meet.Person, _ time.Time, draft meet.Draft, _ int,
) ([]meet.Slot, []meet.Reason, error) {
	s.asked = draft
	return s.slots, s.reasons, nil
}

// at is an event of an hour, so many days after today.
func at(day int, clock, title string, change ...func(*meet.Occurrence)) meet.Occurrence {
	c, err := interval.ParseClock(clock)
	if err != nil {
		panic(err)
	}
	start := time.Date(now.Year(), now.Month(), now.Day()+day, 0, int(c), 0, 0, zone)
	o := meet.Occurrence{
		Provider: "local", Calendar: "work", UID: strings.ReplaceAll(strings.ToLower(title), " ", "-"), Title: title,
		Span: interval.From(start, time.Hour),
	}
	for _, with := range change {
		with(&o)
	}
	return o
}

func guests(people ...meet.Person) func(*meet.Occurrence) {
	return func(o *meet.Occurrence) {
		o.Organizer = &meet.Attendee{Name: me.Name, Email: me.Email, Self: true}
		for _, p := range people {
			o.Attendees = append(o.Attendees, meet.Attendee{Name: p.Name, Email: p.Email, Answer: meet.Accepted})
		}
	}
}

func invitedBy(p meet.Person) func(*meet.Occurrence) {
	return func(o *meet.Occurrence) {
		o.Organizer = &meet.Attendee{Name: p.Name, Email: p.Email}
		o.Attendees = []meet.Attendee{{Name: me.Name, Email: me.Email, Self: true}, {Name: p.Name, Email: p.Email}}
	}
}

func weekly(o *meet.Occurrence) {
	o.UID, o.RecurrenceID, o.Recurrence = "series-"+o.UID, o.Span.Start, "FREQ=WEEKLY"
}

func lasting(minutes int) func(*meet.Occurrence) {
	return func(o *meet.Occurrence) { o.Span.End = o.Span.Start.Add(time.Duration(minutes) * time.Minute) }
}

func readOnly(o *meet.Occurrence) { o.ReadOnly = true }

func worldOf(events ...meet.Occurrence) *world.World {
	return worldOn(base{events: events})
}

func worldOn(b base) *world.World {
	return &world.World{
		Now: now, Owner: me, Language: "en", Key: "t1", Agenda: agenda.NewCopy(b, me), Calendars: b.calendars,
		People: func(name string) []meet.Person {
			return slices.DeleteFunc([]meet.Person{me, ada, sam1, sam2, noel}, func(p meet.Person) bool {
				return !p.Called(name) && p.Email != name && string(p.ID) != name
			})
		},
		Times: others{},
	}
}

// call calls a tool of the family as a client does.
func call(t *testing.T, w *world.World, name, arguments string) world.Result {
	t.Helper()
	result, err := try(t, w, name, arguments)
	if err != nil {
		t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return result
}

func try(t *testing.T, w *world.World, name, arguments string) (world.Result, error) {
	t.Helper()
	for _, tool := range calendar.Set() {
		if tool.Name() == name {
			return tool.Call(t.Context(), w, []byte(arguments))
		}
	}
	t.Fatalf("there is no tool %s", name)
	return world.Result{}, nil
}

// refuses holds that a call is the caller's mistake, and that the error names the argument.
func refuses(t *testing.T, w *world.World, name, arguments, field string) {
	t.Helper()
	_, err := try(t, w, name, arguments)
	wrong, ok := errors.AsType[*tool.ArgumentError](err)
	if !ok || wrong.Field != field {
		t.Errorf("%s %s: got %v, want an error of %s", name, arguments, err, field)
	}
}

func data[T any](t *testing.T, r world.Result) (v T) {
	t.Helper()
	if r.Response.Error != nil {
		t.Fatalf("got %+v", *r.Response.Error)
	}
	if err := json.Unmarshal(r.Response.Data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// lines are the changes of a result, short: "update Standup 2027-03-09T09:00 → 2027-03-09T10:00 this".
func lines(t *testing.T, r world.Result) (all []string) {
	t.Helper()
	for _, c := range r.Changes {
		line := string(c.Kind) + " " + c.Title
		for i, raw := range []json.RawMessage{c.Before, c.After} {
			var e *agenda.Event
			if err := json.Unmarshal(raw, &e); err != nil {
				t.Fatal(err)
			}
			if e == nil {
				continue
			}
			if i == 1 {
				line += " →"
			}
			line += " " + e.Start[:min(16, len(e.Start))]
		}
		all = append(all, strings.TrimSpace(line+" "+string(c.Scope)))
	}
	return all
}

func titles(events []agenda.Event) (all []string) {
	for _, e := range events {
		all = append(all, e.Title)
	}
	return all
}

func affected(r world.Result) (all []string) {
	for _, c := range r.Changes {
		for _, a := range c.Affects {
			all = append(all, a.Email)
		}
	}
	return all
}
