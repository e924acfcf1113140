package calendar

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

//go:embed find_events.md
var findEventsWords string

type findEvents struct {
	Selection agenda.Selection `json:"selection"`
	Aspect    *string          `json:"aspect" jsonschema:"nullable,enum=list,enum=count,enum=when,enum=who,enum=where,enum=length,enum=exists,enum=notes,enum=details,enum=overlaps,enum=most"`
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
	if in.Aspect != nil && *in.Aspect == "overlaps" {
		found.Events = atOnce(found.Events)
	}
	counted := slices.DeleteFunc(slices.Clone(found.Events), meet.Occurrence.Declined)
	more := 0
	if in.asksOfNext() {
		more, found.Events = len(found.Events), nextOfEach(found.Events, w.Now)
		more -= len(found.Events)
	}
	answer := world.Answer[FoundEvents]{
		Data: FoundEvents{
			Events: w.Events(found.Events, false), Count: len(counted), Minutes: total(counted), Unread: found.Unread,
		},
		Display: meet.ListDisplay, Title: in.heading(w, found, len(counted)),
	}
	text := in.tell(ctx, w, found, answer.Title)
	if more > 0 && *in.Aspect == "when" {
		text += "\n" + count(w, "more", more)
	}
	answer.Description = strings.Join(append([]string{text}, w.Notes(found)...), "\n\n")
	answer.Suggestions, answer.Components = in.next(w, found), w.Blocks(found.Events)
	return answer, nil
}

// atOnce are the events that take time at the same time as another one of them.
func atOnce(events []meet.Occurrence) []meet.Occurrence {
	takesTime := func(o meet.Occurrence) bool { return !o.AllDay && !o.Transparent && !o.Declined() }
	return slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool {
		return !takesTime(o) || !slices.ContainsFunc(events, func(other meet.Occurrence) bool {
			return takesTime(other) && other.Key() != o.Key() && o.Span.Overlaps(other.Span)
		})
	})
}

// heading is the number of events, and their time if it was named or they are all on one day. Of those that are only
// the first or the last ones of that time, it is their day alone.
func (in findEvents) heading(w *world.World, found world.Found, n int) string {
	period, few := w.Period(found.Span), n > 0 && in.Selection.First != nil
	switch hours := in.Selection.TimeOfDay; {
	case in.Selection.Window == nil || few:
		period = w.OneDay(found.Events)
	case hours != nil && hours.Start != hours.End:
		if of, err := hours.Window("selection.timeOfDay"); err == nil {
			period += ", " + w.Voice().Times(of.On(interval.DateOf(found.Span.Start.In(w.Zone())), w.Zone()))
		}
	}
	switch {
	case period != "" && few:
		return period
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
	case "overlaps":
		return say(w, "overlapping") + "\n" + w.Voice().Agenda(found.Events)
	case "list":
		return heading + "\n" + w.Voice().Agenda(found.Events)
	}
	return tellers[aspect](w, found.Events)
}

// asksOfNext reports whether a fact is asked of something without a time: then that of the next occurrence is told.
func (in findEvents) asksOfNext() bool {
	return in.Aspect != nil && in.Selection.Window == nil && tellers[*in.Aspect] != nil && *in.Aspect != "list" &&
		(*in.Aspect != "length" || len(in.Selection.TitleHas) == 1)
}

// nextOfEach are the events with the next one of each series, or its last one if all are over.
func nextOfEach(events []meet.Occurrence, now time.Time) (next []meet.Occurrence) {
	for _, o := range events {
		i := slices.IndexFunc(next, func(n meet.Occurrence) bool { return o.UID != "" && n.UID == o.UID })
		switch {
		case i < 0:
			next = append(next, o)
		case !next[i].Span.End.After(now):
			next[i] = o
		}
	}
	return next
}

// none says that there is nothing, and if the user named something, when it is next.
func (in findEvents) none(ctx context.Context, w *world.World, found world.Found, heading string) string {
	text := say(w, "nothingAhead")
	if in.Selection.Window != nil {
		text = heading
	}
	if in.Aspect != nil && *in.Aspect == "overlaps" {
		return say(w, "noOverlap", "when", w.Period(found.Span))
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
