package calendar

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
)

//go:embed find_events.md
var findEventsWords string

type findEvents struct {
	Selection agenda.Selection `json:"selection"`
	Aspect    *string          `json:"aspect" jsonschema:"nullable,enum=list,enum=count,enum=when,enum=who,enum=where,enum=length,enum=exists,enum=notes"`
}

// FoundEvents is the data of calendar_findEvents.
type FoundEvents struct {
	Events []agenda.Event `json:"events"`
	// Count leaves out the events that the owner declined. Minutes are those of the counted events, without whole days.
	Count   int `json:"count"`
	Minutes int `json:"minutes"`
	// Unread says that a calendar could not be read, so that events may be missing.
	Unread bool `json:"unread"`
}

// FindEvents lists, counts and tells of events.
func FindEvents() world.Tool {
	return world.Define("calendar_findEvents", world.WithSelection(findEventsWords), reads(world.Events), find)
}

func find(ctx context.Context, w *world.World, in findEvents) (world.Answer[FoundEvents], error) {
	found, err := w.Find(ctx, in.Selection)
	if err != nil {
		return world.Answer[FoundEvents]{}, err
	}
	counted := slices.DeleteFunc(slices.Clone(found.Events), meet.Occurrence.Declined)
	answer := world.Answer[FoundEvents]{
		Data: FoundEvents{
			Events: w.Events(found.Events, false), Count: len(counted), Minutes: total(counted), Unread: found.Unread,
		},
		Display: meet.ListDisplay, Title: in.heading(w, found, len(counted)),
	}
	answer.Description = strings.Join(append([]string{in.tell(ctx, w, found, answer.Title)}, w.Notes(found)...), "\n\n")
	answer.Suggestions, answer.Components = in.next(w, found), w.Blocks(found.Events)
	return answer, nil
}

// heading is the number of events, and their time if it was named or they are all on one day.
func (in findEvents) heading(w *world.World, found world.Found, n int) string {
	period := w.Period(found.Span)
	if in.Selection.Window == nil {
		period = w.OneDay(found.Events)
	}
	switch {
	case period == "":
		return count(w, "events", n)
	case n == 0:
		return say(w, "nothing", "when", period)
	}
	return count(w, "eventsIn", n, "when", period)
}

func (in findEvents) tell(ctx context.Context, w *world.World, found world.Found, heading string) string {
	aspect := "list"
	if in.Aspect != nil {
		aspect = *in.Aspect
	}
	if len(found.Events) == 0 {
		return in.none(ctx, w, found, heading)
	}
	declined := len(slices.DeleteFunc(slices.Clone(found.Events), func(o meet.Occurrence) bool { return !o.Declined() }))
	if declined > 0 {
		heading += " " + count(w, "declinedToo", declined)
	}
	switch aspect {
	case "count":
		return heading
	case "exists":
		return say(w, "yes") + "\n" + w.Voice().Agenda(found.Events)
	case "list":
		return heading + "\n" + w.Voice().Agenda(found.Events)
	}
	if in.Selection.Window == nil && aspect != "length" && aspect != "when" {
		found.Events = oncePerSeries(found.Events)
	}
	return tellers[aspect](w, found.Events)
}

// oncePerSeries are the events with the first one of each series.
func oncePerSeries(events []meet.Occurrence) (first []meet.Occurrence) {
	for _, o := range events {
		if !slices.ContainsFunc(first, func(f meet.Occurrence) bool { return o.UID != "" && f.UID == o.UID }) {
			first = append(first, o)
		}
	}
	return first
}

// none says that there is nothing, and if the user named something, when it is next.
func (in findEvents) none(ctx context.Context, w *world.World, found world.Found, heading string) string {
	text := say(w, "nothingAhead")
	if in.Selection.Window != nil {
		text = heading
	}
	if w.What(in.Selection) != "" {
		text = w.Missing(ctx, in.Selection, found).Fault.Message
	}
	if in.Aspect != nil && *in.Aspect == "exists" {
		text = say(w, "no", "text", text)
	}
	return text
}

// next are messages that the user may send next. What others wrote is in none: it would become the user's words.
func (in findEvents) next(w *world.World, found world.Found) []string {
	if len(found.Events) == 1 {
		return []string{say(w, "tryMove"), say(w, "tryCancel")}
	}
	return []string{say(w, "tryFree")}
}
