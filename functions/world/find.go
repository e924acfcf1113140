package world

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
)

//go:embed selection.md
var selectionWords string

// WithSelection are a tool's words with those for the members of a selection.
func WithSelection(words string) string { return words + "\n" + selectionWords }

//go:embed words.json
var wordsJSON []byte

var words = message.ReadPhrases(wordsJSON)

// Found is what a selection means in the owner's agenda.
type Found struct {
	agenda.Chosen
	// Span is the time that was read. Unread says that a calendar could not be read, so that events may be missing, and
	// Why is the reason for people.
	Span   interval.Span
	Unread bool
	Why    string
	// ReadOnly and Theirs are events that were left out: those that can only be read, and those that only their organizer
	// can change.
	ReadOnly, Theirs []meet.Occurrence
}

// Scene is what selections are read against.
func (w *World) Scene() agenda.Scene { return agenda.Scene{Now: w.Now, People: w.People} }

// Find are the events that a selection means, to show or to count: without a window they begin with today, and all are
// shown where one is meant and several fit. An error is a wrong argument, or a fault if nothing could be read.
func (w *World) Find(ctx context.Context, s agenda.Selection) (Found, error) {
	return w.find(ctx, s, agenda.Scene{Today: true})
}

// Targets are the events that a selection means, to change them: at least one, and none that can only be read. Of those
// that a span of time means, free ones stay, and those that are over. If a calendar could not be read, and the events
// were not named by their ids, others may be meant: then the owner is asked about what is changed. Nothing is changed
// without an exception that no event fits. An error is an
// *AmbiguousError, a wrong argument, or a fault, which says what there is instead.
func (w *World) Targets(ctx context.Context, s agenda.Selection) (Found, error) {
	found, err := w.find(ctx, s, agenda.Scene{Change: true})
	if err != nil {
		return found, err
	}
	switch {
	case len(found.Events) == 0 && len(found.Free) > 0:
		return found, fault.New(fault.NotFound, "%s", w.Say("onlyFree", "titles", w.Titles(found.Free)))
	case len(found.Events) == 0:
		return found, w.Missing(ctx, s, found)
	case len(found.Missed) > 0:
		return found, fault.New(fault.NotFound, "%s", w.Say("whatStays",
			"what", w.Voice().List(found.missed(w)), "titles", w.Titles(found.Events)))
	}
	w.unsure = w.unsure || found.Unread && len(s.IDs) == 0 && s.From == nil
	found.Events, found.ReadOnly = parted(found.Events, func(o meet.Occurrence) bool { return o.ReadOnly })
	if len(found.Events) == 0 {
		return found, fault.New(fault.CalendarFailed, "%s", w.Say("readOnly", "titles", w.Titles(found.ReadOnly)))
	}
	return found, nil
}

// SameDay reports whether two events begin on one day of the owner.
func (w *World) SameDay(a, b meet.Occurrence) bool {
	return interval.DateOf(a.Span.Start.In(w.Zone())) == interval.DateOf(b.Span.Start.In(w.Zone()))
}

// Editable are Targets whose time and words the owner may change. Without one, the error says what can be done instead.
func (w *World) Editable(ctx context.Context, s agenda.Selection) (Found, error) {
	found, err := w.Targets(ctx, s)
	if err != nil {
		return found, err
	}
	found.Events, found.Theirs = parted(found.Events, func(o meet.Occurrence) bool { return o.Theirs })
	if len(found.Events) > 0 {
		return found, nil
	}
	refusal := &Refusal{Fault: fault.New(fault.CalendarFailed, "%s", w.theirs("theirs", found.Theirs))}
	if what := w.What(s); what != "" {
		refusal.Actions = []string{w.Say("decline", "what", what)} // the user's own words
	}
	return found, refusal
}

// parted are the events for which out does not hold, and the others.
func parted(events []meet.Occurrence, out func(meet.Occurrence) bool) (in, others []meet.Occurrence) {
	for _, o := range events {
		if out(o) {
			others = append(others, o)
		} else {
			in = append(in, o)
		}
	}
	return in, others
}

// theirs says whose events these are.
func (w *World) theirs(phrase string, events []meet.Occurrence) string {
	var names []string
	for _, o := range events {
		if name := w.Voice().Person(o.Organizer.Name, o.Organizer.Email); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return w.Say(phrase, "titles", w.Titles(events), "names", w.Voice().List(names))
}

func (w *World) find(ctx context.Context, s agenda.Selection, scene agenda.Scene) (f Found, err error) {
	scene.Now, scene.People = w.Now, w.People
	if s, err = w.within(ctx, s); err != nil {
		return f, err
	}
	if f.Span, err = s.Span(scene); err != nil {
		return f, argument(err)
	}
	f, err = w.Read(ctx, f.Span)
	if err != nil && len(f.Events) == 0 {
		return f, err
	}
	f.Chosen, err = s.Choose(f.Events, scene)
	if several, ok := errors.AsType[*agenda.AmbiguousError](err); ok {
		if scene.Change {
			return f, w.Which(several)
		}
		f.Events, err = several.Options, nil // all are shown
	}
	return f, argument(err)
}

// Read are all events of a span. The error is a fault if a calendar could not be read.
func (w *World) Read(ctx context.Context, span interval.Span) (f Found, err error) {
	f.Span = span
	f.Events, err = w.Agenda.Events(ctx, span)
	if ctx.Err() != nil {
		return Found{}, ctx.Err()
	}
	if f.Unread = err != nil; f.Unread {
		if reason, ok := errors.AsType[*fault.Error](err); ok {
			f.Why = reason.Message
		}
		err = fault.New(fault.CalendarFailed, "%s", w.unread("unreadable", f)).Later(0).Because(err)
	}
	return f, err
}

// argument is an error of a selection as the caller's mistake.
func argument(err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Code == fault.InvalidRequest {
		return tool.BadArgument("selection."+f.Field, "%s", f.Message)
	}
	return err
}

// Which asks which of several events is meant.
func (w *World) Which(several *agenda.AmbiguousError) error {
	asked := &AmbiguousError{Question: w.Say("which")}
	for _, o := range several.Options {
		detail := w.Voice().Span(o.Span, o.AllDay)
		if guests := w.guests(o); guests != "" {
			detail += ", " + guests
		}
		asked.Options = append(asked.Options, meet.Option{ID: o.Key(), Label: o.Title, Detail: detail})
	}
	return asked
}

// guests are the names of an event's other people, as far as they have names.
func (w *World) guests(o meet.Occurrence) string {
	var names []string
	for _, a := range o.Attendees {
		if !a.Self && a.Name != "" && a.Email != w.Owner.Email {
			names = append(names, w.Voice().Title(a.Name))
		}
	}
	return w.Voice().List(names)
}

// Missing says that nothing fits, and what there is instead: the next event that fits at another time, or what is on at
// that time.
func (w *World) Missing(ctx context.Context, s agenda.Selection, found Found) *Refusal {
	if found.Unread {
		return &Refusal{Fault: fault.New(fault.CalendarFailed, "%s", w.unread("unreadable", found)).Later(0)}
	}
	phrase, what := "nothing", w.What(s)
	switch {
	case len(s.TitleHas) > 0:
		phrase = "nothingCalled"
	case what != "":
		phrase = "nothingWith"
	}
	when := w.when(s, found)
	switch {
	case when != "":
		phrase += "In"
	case s.Backwards() && len(s.IDs) == 0 && s.From == nil:
		phrase += "Yet"
	}
	text := w.Say(phrase, "what", what, "when", when)
	var actions []string
	anytime := s
	anytime.Window, anytime.TimeOfDay, anytime.Weekdays = nil, nil, nil
	anytime.First, anytime.One, anytime.Order = nil, nil, nil
	if next, err := w.find(ctx, anytime, agenda.Scene{}); err == nil && what != "" && len(next.Events) > 0 {
		near := next.Events[0]
		text += " " + w.Say("next", "title", w.Voice().Title(near.Title), "when", w.Voice().Span(near.Span, near.AllDay))
		actions = append(actions, w.Say("show", "what", w.What(anytime))) // the user's own words
	} else if near := w.near(ctx, s); len(near) > 0 {
		text += " " + w.Say("there", "titles", w.Titles(near[:min(3, len(near))]))
	}
	return &Refusal{Fault: fault.New(fault.NotFound, "%s", text), Actions: actions}
}

// when is the time in which the events of a selection were looked for, in words; empty if it is any time.
func (w *World) when(s agenda.Selection, found Found) string {
	var parts []string
	if s.Window != nil {
		parts = append(parts, w.Period(found.Span))
	}
	if s.TimeOfDay != nil {
		if hours, err := s.TimeOfDay.Window("selection.timeOfDay"); err == nil {
			parts = append(parts, w.Voice().Times(hours.On(interval.DateOf(w.Now), w.Zone())))
		}
	}
	return strings.Join(parts, ", ")
}

// near are events that someone may have meant who called them otherwise: with the same people, or else of the same time
// and part of the day; of today those that are not over.
func (w *World) near(ctx context.Context, s agenda.Selection) []meet.Occurrence {
	for _, like := range []agenda.Selection{
		{Window: s.Window, With: s.With}, {Window: s.Window, TimeOfDay: s.TimeOfDay}, {Window: s.Window},
	} {
		there, err := w.Find(ctx, like)
		over := func(o meet.Occurrence) bool { return !o.Span.End.After(w.Now) }
		rest := slices.DeleteFunc(slices.Clone(there.Events), over)
		switch {
		case err != nil:
		case len(rest) > 0:
			return rest
		case len(there.Events) > 0 && s.Window != nil:
			return there.Events // all that was asked about is over
		}
	}
	return nil
}

// Next is a sentence about the owner's next event; empty if there is none within a month.
func (w *World) Next(ctx context.Context) string {
	events, _ := w.Agenda.Events(ctx, interval.From(w.Now, near)) // what could not be read has been told
	for _, o := range events {
		if o.Span.Start.After(w.Now) && !o.Declined() {
			return w.Say("next", "title", w.Voice().Title(o.Title), "when", w.Voice().Span(o.Span, o.AllDay))
		}
	}
	return ""
}

// What is what the user called the events of a selection, and with whom; empty if they are called nothing.
func (w *World) What(s agenda.Selection) string {
	list := func(said []string) string {
		var names []string
		for _, name := range said {
			names = append(names, w.Voice().Title(name))
		}
		return w.Voice().List(names)
	}
	called, people := list(s.TitleHas), list(s.With)
	if called == "" || people == "" {
		return called + people
	}
	return w.Say("with", "what", called, "people", people)
}

// Period names a span of time: a day, days, or hours of a day.
func (w *World) Period(span interval.Span) string {
	isMidnight := func(t time.Time) bool { return t.Equal(interval.DateOf(t.In(w.Zone())).Start(w.Zone())) }
	first, last := w.Voice().Day(span.Start), w.Voice().Day(span.End.Add(-1))
	switch {
	case !isMidnight(span.Start) || !isMidnight(span.End):
		return w.Voice().Span(span, false)
	case first == last:
		return first
	}
	return first + " – " + last
}

// OneDay is the day on which all of the events begin; empty if there is none.
func (w *World) OneDay(events []meet.Occurrence) (day string) {
	for _, e := range events {
		if day = w.Voice().Day(e.Span.Start); day != w.Voice().Day(events[0].Span.Start) {
			return ""
		}
	}
	return day
}

// Titles are the titles of events, each once: the first few of many.
func (w *World) Titles(events []meet.Occurrence) string {
	var titles []string
	for _, o := range events {
		if t := w.Voice().Title(o.Title); !slices.Contains(titles, t) {
			titles = append(titles, t)
		}
	}
	const most = 6
	if rest := len(titles) - most; rest > 0 {
		titles = append(titles[:most], "… +"+strconv.Itoa(rest))
	}
	return w.Voice().List(titles)
}

// Notes are sentences about what a selection left out or could not see.
func (w *World) Notes(f Found) (notes []string) {
	if f.Unread {
		notes = append(notes, w.unread("unread", f))
	}
	if f.Over {
		notes = append(notes, w.Say("keptOver"))
	}
	if len(f.Free) > 0 {
		notes = append(notes, w.Say("keptFree", "titles", w.Titles(f.Free)))
	}
	if len(f.ReadOnly) > 0 {
		notes = append(notes, w.Say("keptReadOnly", "titles", w.Titles(f.ReadOnly)))
	}
	if len(f.Theirs) > 0 {
		notes = append(notes, w.theirs("keptTheirs", f.Theirs))
	}
	for _, said := range f.Missed {
		notes = append(notes, w.Say("missed", "what", w.Voice().Title(said)))
	}
	return notes
}

// missed are the exceptions that no event fits, as the user said them.
func (f Found) missed(w *World) (said []string) {
	for _, what := range f.Missed {
		said = append(said, w.Voice().Title(what))
	}
	return said
}

// unread says that a calendar could not be read, and why.
func (w *World) unread(name string, f Found) string {
	if f.Why == "" {
		return w.Say(name)
	}
	return w.Say(name) + " (" + f.Why + ")"
}

// Say is a phrase about the owner's calendar that several families use.
func (w *World) Say(name string, pairs ...string) string { return w.Voice().Say(words, name, pairs...) }

// Events are what clients get of events; pending ones are not written yet.
func (w *World) Events(events []meet.Occurrence, pending bool) []agenda.Event {
	list := make([]agenda.Event, len(events))
	for i, o := range events {
		list[i] = agenda.EventOf(o, w.Zone())
		list[i].Pending = pending
	}
	return list
}
