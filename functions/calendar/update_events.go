package calendar

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed update_events.md
var updateEventsWords string

type updateEvents struct {
	Selection agenda.Selection `json:"selection"`
	Set       settings         `json:"set"`
	Scope     *string          `json:"scope" jsonschema:"nullable,enum=this,enum=following,enum=all"`
}

// settings are new values; null and empty ones stay as they are.
type settings struct {
	Title           *string   `json:"title" jsonschema:"nullable"`
	Location        *string   `json:"location" jsonschema:"nullable"`
	Description     *string   `json:"description" jsonschema:"nullable"`
	AddNotes        *string   `json:"addNotes" jsonschema:"nullable"`
	AddAttendees    []string  `json:"addAttendees"`
	RemoveAttendees []string  `json:"removeAttendees"`
	Visibility      *string   `json:"visibility" jsonschema:"nullable,enum=public,enum=private,enum=confidential"`
	ShowAs          *string   `json:"showAs" jsonschema:"nullable,enum=busy,enum=free"`
	DurationMinutes *int      `json:"durationMinutes" jsonschema:"nullable"`
	LongerByMinutes *int      `json:"longerByMinutes" jsonschema:"nullable"`
	Categories      *[]string `json:"categories" jsonschema:"nullable"`
	Recurrence      *string   `json:"recurrence" jsonschema:"nullable"`
}

// UpdateEvents changes fields of events, and nothing that it does not name.
func UpdateEvents() world.Tool {
	return world.Define("calendar_updateEvents", world.WithSelection(updateEventsWords),
		changes(meet.UpdateResource), update)
}

func update(ctx context.Context, w *world.World, in updateEvents) (world.Answer[Changed], error) {
	fields, err := in.Set.fields(w)
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	found, err := w.Editable(ctx, in.Selection)
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	var all []agenda.Amendment
	left := make([]int, len(in.Set.RemoveAttendees))
	chosen, err := parts(ctx, w, in.Selection, in.Scope, found)
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	for _, p := range chosen {
		o, a := p.Occurrence, agenda.Amendment{Kind: agenda.Update, Event: p.Occurrence, Scope: p.scope, Set: fields}
		if fields.Recurrence != nil && o.Repeats() {
			a.Scope = meet.AllOfThem
		}
		if a.Set.Span, err = in.Set.span(o); err != nil {
			return world.Answer[Changed]{}, err
		}
		if notes := in.Set.AddNotes; notes != nil {
			with := strings.TrimSpace(o.Description + "\n" + *notes)
			a.Set.Description = &with
		}
		for i, name := range in.Set.RemoveAttendees {
			gone := o.Guests()
			is := w.Scene().Called(name)
			gone = slices.DeleteFunc(gone, func(g meet.Attendee) bool { return !is(g) })
			a.Set.Uninvite = append(a.Set.Uninvite, gone...)
			left[i] += len(gone)
		}
		all = append(all, a)
	}
	if i := slices.Index(left, 0); i >= 0 {
		return world.Answer[Changed]{}, fault.New(fault.NotFound, "%s", say(w, "notInvited",
			"name", w.Voice().Title(in.Set.RemoveAttendees[i]), "titles", w.Titles(found.Events)))
	}
	return amend(ctx, w, found, all)
}

// fields are the values that are the same for all events.
func (s settings) fields(w *world.World) (f agenda.Fields, err error) {
	if s.Title == nil && s.Location == nil && s.Description == nil && s.AddNotes == nil && s.Visibility == nil &&
		s.ShowAs == nil && s.DurationMinutes == nil && s.LongerByMinutes == nil && s.Categories == nil &&
		s.Recurrence == nil && len(s.AddAttendees)+len(s.RemoveAttendees) == 0 {
		return f, tool.BadArgument("set", "names nothing to change")
	}
	if f.Title = captioned(s.Title); f.Title != nil && *f.Title == "" {
		return f, tool.BadArgument("set.title", "is empty")
	}
	f.Location, f.Description = captioned(s.Location), s.Description
	f.Categories, f.Recurrence = s.Categories, s.Recurrence
	if s.Visibility != nil {
		f.Visibility = new(meet.Visibility(*s.Visibility))
	}
	if s.ShowAs != nil {
		f.Transparent = new(*s.ShowAs == "free")
	}
	guests, err := people(w, "set.addAttendees", s.AddAttendees)
	if err != nil {
		return f, err
	}
	f.Invite, err = invited(w, guests)
	return f, err
}

func captioned(s *string) *string {
	if s == nil {
		return nil
	}
	return new(meet.Caption(*s))
}

// span is the event's time with its new length; nil if it keeps it.
func (s settings) span(o meet.Occurrence) (*interval.Span, error) {
	if s.DurationMinutes == nil && s.LongerByMinutes == nil {
		return nil, nil
	}
	length := o.Span.Duration()
	if s.DurationMinutes != nil {
		length = time.Duration(*s.DurationMinutes) * time.Minute
	}
	if s.LongerByMinutes != nil {
		length += time.Duration(*s.LongerByMinutes) * time.Minute
	}
	if length <= 0 {
		return nil, tool.BadArgument("set.durationMinutes", "leaves the event no time")
	}
	return new(interval.From(o.Span.Start, length)), nil
}
