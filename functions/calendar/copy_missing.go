package calendar

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed copy_missing.md
var copyMissingWords string

type copyMissing struct {
	From *string `json:"from" jsonschema:"nullable"`
	To   string  `json:"to"`
	// Selection are the events that are copied; Window bounds them.
	Selection *agenda.Selection `json:"selection" jsonschema:"nullable"`
	Window    *agenda.Window    `json:"window" jsonschema:"nullable"`
	// Both copies what each of the calendars lacks of the other. WithoutPrivate leaves out what is marked as private.
	Both           *bool `json:"both" jsonschema:"nullable"`
	WithoutPrivate *bool `json:"withoutPrivate" jsonschema:"nullable"`
}

// copyMark is the category of copies.
const copyMark = "Copy"

// CopyMissing copies events to one of the owner's calendars that lacks them, from another, or from all others: title
// and time, no guests.
func CopyMissing() world.Tool {
	words := world.WithSelection(copyMissingWords)
	return world.Define("calendar_copyMissing", words, changes(meet.CreateResource), copyAll)
}

func copyAll(ctx context.Context, w *world.World, in copyMissing) (answer world.Answer[Changed], err error) {
	from, to, err := in.calendars(ctx, w)
	if err != nil {
		return answer, err
	}
	s := agenda.Selection{}
	if in.Selection != nil {
		s = *in.Selection
	}
	s.Window = cmp.Or(in.Window, s.Window)
	if from != nil {
		s.Calendars = []string{from.Name}
	}
	found, err := w.Targets(ctx, s)
	if err != nil {
		return answer, err
	}
	there, err := w.Find(ctx, agenda.Selection{Calendars: []string{to.Name}, Window: s.Window})
	if err != nil {
		return answer, err
	}
	found.Events = append(found.Events, found.ReadOnly...) // they are only read
	found.ReadOnly = nil
	all := in.copies(w, found, there, to)
	if in.Both != nil && *in.Both {
		all = append(all, in.copies(w, there, found, *from)...)
	}
	answer, err = amend(ctx, w, world.Found{Unread: found.Unread || there.Unread}, all)
	if err == nil && len(all) == 0 {
		answer.Title = say(w, "nothingMissing")
		answer.Description = joined(answer.Title, strings.Join(w.Notes(found), " "))
	}
	// Each copy overlaps the event that it copies.
	answer.Data.Conflicts = []agenda.Event{}
	return answer, err
}

// calendars are those that are meant. From is nil for all others.
func (in copyMissing) calendars(
	ctx context.Context, w *world.World,
) (from *meet.OwnCalendar, to meet.OwnCalendar, err error) {
	both := in.Both != nil && *in.Both
	if in.To == "" || in.From != nil && *in.From == "" || both && in.From == nil {
		return nil, to, tool.BadArgument("to", "name two different calendars")
	}
	if to, err = w.Writable(ctx, in.To); err != nil || in.From == nil {
		return nil, to, err
	}
	sources, err := w.Called(ctx, *in.From)
	if err == nil && both {
		sources[0], err = w.Writable(ctx, *in.From)
	}
	if err != nil {
		return nil, to, err
	}
	if sources[0] == to {
		return nil, to, tool.BadArgument("to", "name two different calendars")
	}
	return &sources[0], to, nil
}

// copies are the copies of events that a calendar lacks.
func (in copyMissing) copies(w *world.World, found, there world.Found, to meet.OwnCalendar) (all []agenda.Amendment) {
	for _, o := range found.Events {
		same := func(c meet.Occurrence) bool {
			return c.Span.Start.Equal(o.Span.Start) && c.Span.End.Equal(o.Span.End) && strings.EqualFold(c.Title, o.Title)
		}
		private := o.Visibility == meet.Private || o.Visibility == meet.Confidential
		kept := private && in.WithoutPrivate != nil && *in.WithoutPrivate
		copied := slices.Contains(o.Categories, copyMark) || slices.ContainsFunc(there.Events, same)
		if o.Declined() || kept || copied {
			continue
		}
		all = append(all, agenda.Amendment{Kind: agenda.Create, Event: meet.Occurrence{
			Provider: to.Provider, Calendar: to.Calendar, CalendarName: to.Name, Title: o.Title, Span: o.Span, AllDay: o.AllDay,
			Transparent: o.Transparent, Visibility: o.Visibility, Categories: []string{copyMark},
			Description: say(w, "copied", "calendar", cmp.Or(o.CalendarName, o.Calendar)),
		}})
	}
	return all
}
