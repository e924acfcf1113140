package calendar

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed copy_missing.md
var copyMissingWords string

type copyMissing struct {
	From   string         `json:"from"`
	To     string         `json:"to"`
	Window *agenda.Window `json:"window" jsonschema:"nullable"`
	// Both copies what each of the calendars lacks of the other. WithoutPrivate leaves out what is marked as private.
	Both           *bool `json:"both" jsonschema:"nullable"`
	WithoutPrivate *bool `json:"withoutPrivate" jsonschema:"nullable"`
}

// copyMark is the category of copies.
const copyMark = "Copy"

// CopyMissing copies events from one of the owner's calendars to another that lacks them: title and time, no guests.
func CopyMissing() world.Tool {
	return world.Define("calendar_copyMissing", copyMissingWords, changes(meet.CreateResource), copyAll)
}

func copyAll(ctx context.Context, w *world.World, in copyMissing) (world.Answer[Changed], error) {
	if in.From == "" || in.To == "" || strings.EqualFold(in.From, in.To) {
		return world.Answer[Changed]{}, tool.BadArgument("to", "name two different calendars")
	}
	in.From, in.To = calendarCalled(ctx, w, in.From), calendarCalled(ctx, w, in.To)
	found, err := w.Targets(ctx, agenda.Selection{Calendars: []string{in.From}, Window: in.Window})
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	there, err := w.Find(ctx, agenda.Selection{Calendars: []string{in.To}, Window: in.Window})
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	found.Events = append(found.Events, found.ReadOnly...) // they are only read
	found.ReadOnly = nil
	all := in.copies(w, found, there)
	if in.Both != nil && *in.Both {
		in.From, in.To = in.To, in.From
		all = append(all, in.copies(w, there, found)...)
	}
	answer, err := amend(ctx, w, world.Found{Unread: found.Unread || there.Unread}, all)
	if err == nil && len(all) == 0 {
		answer.Title = say(w, "nothingMissing")
		answer.Description = joined(answer.Title, strings.Join(w.Notes(found), " "))
	}
	// Each copy overlaps the event that it copies.
	answer.Data.Conflicts = []agenda.Event{}
	return answer, err
}

// calendarCalled is what the owner's calendar is called that a name means: one of that name, or the one for work or for
// what is personal. A name that means none stays.
func calendarCalled(ctx context.Context, w *world.World, name string) string {
	const near = 31 * 24 * time.Hour
	events, _ := w.Agenda.Events(ctx, interval.From(w.Now, 0).Widen(near, near)) // what cannot be read is told below
	has := func(name string) bool {
		return slices.ContainsFunc(events, func(o meet.Occurrence) bool {
			return strings.EqualFold(o.Calendar, name) || strings.EqualFold(o.CalendarName, name)
		})
	}
	for phrase, preferred := range map[string]string{
		"calendar.work": w.Preferred().WorkCalendar, "calendar.personal": w.Preferred().PersonalCalendar,
	} {
		words := strings.Split(say(w, phrase), "|")
		if has(name) || !slices.Contains(words, strings.ToLower(name)) {
			continue
		}
		if preferred != "" {
			return preferred
		}
		if i := slices.IndexFunc(words, has); i >= 0 {
			return words[i]
		}
	}
	return name
}

// copies are the copies of the events of one calendar that another one lacks.
func (in copyMissing) copies(w *world.World, found, there world.Found) (all []agenda.Amendment) {
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
		into := meet.Occurrence{Provider: o.Provider, Calendar: in.To}
		if len(there.Events) > 0 {
			into = there.Events[0]
		}
		all = append(all, agenda.Amendment{Kind: agenda.Create, Event: meet.Occurrence{
			Provider: into.Provider, Calendar: into.Calendar, Title: o.Title, Span: o.Span, AllDay: o.AllDay,
			Transparent: o.Transparent, Visibility: o.Visibility, Categories: []string{copyMark},
			Description: say(w, "copied", "calendar", cmp.Or(o.Calendar, in.From)),
		}})
	}
	return all
}
