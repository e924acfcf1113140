package calendar

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed create_events.md
var createEventsWords string

type createEvents struct {
	Events []newEvent `json:"events"`
}

type newEvent struct {
	Title           string   `json:"title"`
	Start           string   `json:"start"`
	End             *string  `json:"end" jsonschema:"nullable"`
	DurationMinutes *int     `json:"durationMinutes" jsonschema:"nullable"`
	AllDay          *bool    `json:"allDay" jsonschema:"nullable"`
	Location        *string  `json:"location" jsonschema:"nullable"`
	Description     *string  `json:"description" jsonschema:"nullable"`
	Attendees       []string `json:"attendees"`
	Visibility      *string  `json:"visibility" jsonschema:"nullable,enum=public,enum=private,enum=confidential"`
	Categories      []string `json:"categories"`
	Recurrence      *string  `json:"recurrence" jsonschema:"nullable"`
	Calendar        *string  `json:"calendar" jsonschema:"nullable"`
}

// CreateEvents creates events at given times.
func CreateEvents() world.Tool {
	return world.Define("calendar_createEvents", createEventsWords, changes(meet.CreateResource), create)
}

func create(ctx context.Context, w *world.World, in createEvents) (world.Answer[Changed], error) {
	if len(in.Events) == 0 {
		return world.Answer[Changed]{}, tool.BadArgument("events", "name at least one")
	}
	var all []agenda.Amendment
	for i, e := range in.Events {
		o, err := e.occurrence(w, fmt.Sprintf("events[%d]", i))
		if err != nil {
			return world.Answer[Changed]{}, err
		}
		if err := w.Shelve(ctx, &o); err != nil {
			return world.Answer[Changed]{}, err
		}
		all = append(all, agenda.Amendment{Kind: agenda.Create, Event: o})
	}
	return amend(ctx, w, world.Found{}, all)
}

func (e newEvent) occurrence(w *world.World, path string) (o meet.Occurrence, err error) {
	if meet.Caption(e.Title) == "" {
		return o, tool.BadArgument("title", "is empty")
	}
	if o.Span, o.AllDay, err = e.span(w); err != nil {
		return o, err
	}
	guests, err := people(w, path+".attendees", e.Attendees)
	if err != nil {
		return o, err
	}
	if o.Attendees, err = invited(w, guests); err != nil {
		return o, err
	}
	o.Title, o.Location, o.Description = meet.Caption(e.Title), meet.Caption(text(e.Location)), text(e.Description)
	o.Visibility, o.Categories = meet.Visibility(text(e.Visibility)), e.Categories
	o.Recurrence, o.Calendar = text(e.Recurrence), text(e.Calendar)
	return o, nil
}

// span is when the event is. Dates as its start mean whole days.
func (e newEvent) span(w *world.World) (span interval.Span, allDay bool, err error) {
	if span.Start, err = moment(w, e.Start, "start"); err != nil {
		return span, false, err
	}
	allDay = isDate(e.Start)
	if e.AllDay != nil {
		allDay = *e.AllDay
	}
	switch {
	case e.End != nil:
		span.End, err = moment(w, *e.End, "end")
		if allDay && span.End.Equal(span.Start) {
			span.End = span.End.AddDate(0, 0, 1)
		}
	case allDay:
		span.End = span.Start.AddDate(0, 0, 1)
	default:
		span.End = span.Start.Add(time.Duration(length(w, e.DurationMinutes)) * time.Minute)
	}
	if err == nil && span.Empty() {
		err = tool.BadArgument("end", "is not after the start")
	}
	return span, allDay, err
}

// length is a wished number of minutes, or what the owner prefers, or an hour.
func length(w *world.World, said *int) int {
	if said != nil {
		return *said
	}
	return cmp.Or(w.Preferred().Minutes, 60)
}

// moment is a time in an argument.
func moment(w *world.World, text, field string) (time.Time, error) {
	at, err := agenda.Moment(text, w.Zone(), field)
	if err != nil {
		return at, tool.BadArgument(field, "%q is no time; use 2026-11-27, 2026-11-27T09:00 or RFC 3339", text)
	}
	return at, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
