package calendar

import (
	"context"
	_ "embed"
	"slices"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
)

//go:embed copy_events.md
var copyEventsWords string

type copyEvents struct {
	Selection agenda.Selection `json:"selection"`
	To        destination      `json:"to"`
}

// CopyEvents puts single copies of events at other times: title, length, place and notes, no guests.
func CopyEvents() world.Tool {
	return world.Define("calendar_copyEvents", world.WithSelection(copyEventsWords), changes(meet.CreateResource), copyTo)
}

func copyTo(ctx context.Context, w *world.World, in copyEvents) (world.Answer[Changed], error) {
	if err := in.To.check(); err != nil {
		return world.Answer[Changed]{}, err
	}
	found, err := w.Targets(ctx, in.Selection)
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	events := slices.Concat(found.Events, found.ReadOnly) // they are only read
	slices.SortStableFunc(events, func(a, b meet.Occurrence) int { return a.Span.Start.Compare(b.Span.Start) })
	shift, err := in.To.shift(w, events[0])
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	var all []agenda.Amendment
	for _, o := range events {
		made := meet.Occurrence{
			Title: o.Title, Location: o.Location, Description: o.Description, AllDay: o.AllDay, Kind: o.Kind,
			Transparent: o.Transparent, Visibility: o.Visibility, Categories: o.Categories,
		}
		if !slices.ContainsFunc(found.ReadOnly, func(r meet.Occurrence) bool { return r.Key() == o.Key() }) {
			made.Provider, made.Calendar = o.Provider, o.Calendar
		}
		timed := false
		if made.Span, timed = shift.of(o); timed {
			made.AllDay = false
		}
		if made.Calendar == "" {
			if err := w.Shelve(ctx, &made); err != nil {
				return world.Answer[Changed]{}, err
			}
		}
		all = append(all, agenda.Amendment{Kind: agenda.Create, Event: made})
	}
	return amend(ctx, w, world.Found{Unread: found.Unread}, all)
}
