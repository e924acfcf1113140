package world

import (
	"context"
	"errors"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

// All of this file stands here until what finds events for all families is merged; then the file goes.

// Refusal is a fault with messages that the user may send instead.
type Refusal struct {
	Fault   *fault.Error
	Actions []string
}

func (e *Refusal) Error() string { return e.Fault.Error() }

// Unwrap is the fault.
func (e *Refusal) Unwrap() error { return e.Fault }

// Found is what a selection means in the owner's agenda.
type Found struct {
	Events   []meet.Occurrence
	Span     interval.Span
	Unread   bool
	ReadOnly []meet.Occurrence
	Missed   []string
}

// WithSelection are a tool's words with those for the members of a selection.
func WithSelection(words string) string { return words }

// Scene is what selections are read against.
func (w *World) Scene() agenda.Scene { return agenda.Scene{Now: w.Now, People: w.People} }

// Targets are the events that a selection means, to change them.
func (w *World) Targets(ctx context.Context, s agenda.Selection) (f Found, err error) {
	if f.Span, err = s.Span(w.Scene()); err != nil {
		return f, err
	}
	events, err := w.Agenda.Events(ctx, f.Span)
	f.Unread = err != nil
	f.Events, err = s.Select(events, w.Scene())
	if several, ok := errors.AsType[*agenda.AmbiguousError](err); ok {
		asked := &AmbiguousError{Question: "Which one do you mean?"}
		for _, o := range several.Options {
			asked.Options = append(asked.Options, meet.Option{
				ID: o.Key(), Label: o.Title, Detail: w.Voice().Span(o.Span, o.AllDay),
			})
		}
		return f, asked
	}
	switch {
	case err != nil:
		return f, tool.BadArgument("selection", "%v", err)
	case len(f.Events) == 0 && f.Unread:
		return f, &Refusal{Fault: fault.New(fault.CalendarFailed, "Your calendar could not be read.").Later(0)}
	case len(f.Events) == 0:
		return f, &Refusal{Fault: fault.New(fault.NotFound, "There is no %s.", strings.Join(s.TitleHas, ", "))}
	case f.Events[0].ReadOnly:
		return f, fault.New(fault.CalendarFailed, "%s can only be read here.", f.Events[0].Title)
	}
	return f, nil
}

// Events are what clients get of events; pending ones are not written yet.
func (w *World) Events(events []meet.Occurrence, pending bool) []agenda.Event {
	list := make([]agenda.Event, len(events))
	for i, o := range events {
		list[i] = agenda.EventOf(o, w.Zone())
		list[i].Pending = pending
	}
	return list
}
