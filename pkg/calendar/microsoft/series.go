package microsoft

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"convene/pkg/account/graph"
	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// series is a series that is amended, from one of its occurrences on or as a whole.
type series struct {
	*event
	icalendar.Shift
	w *amender
	// whole is the time of its first occurrence, and rule its RRULE, both before the amendment.
	whole interval.Span
	rule  string
	// exceptions are those before the amendment.
	exceptions []exception
	// from is the start that the series gives the first occurrence that changes.
	from time.Time
	// done says that the amendment is made in the series itself, and perhaps not in all of its exceptions.
	done   bool
	former *former
}

// amendSeries changes or deletes a series, or the occurrences from one on. Exchange may forget exceptions when the
// pattern or the range of a series changes: they are made again here, as far as they are missing.
func (w *amender) amendSeries(ctx context.Context) (agenda.Amended, error) {
	id, err := w.seriesOf(ctx)
	if err != nil || id == "" {
		return agenda.Amended{}, err
	}
	there, done, err := w.standing(ctx, id)
	switch {
	case err != nil:
		return agenda.Amended{}, err
	case there.invited() && w.a.Kind == agenda.Update:
		return agenda.Amended{}, calendar.ErrReadOnly
	}
	s, err := w.series(ctx, id, done)
	if err != nil {
		return agenda.Amended{}, err
	}
	all := w.a.Scope == meet.AllOfThem || !s.from.After(s.whole.Start)
	switch {
	case w.a.Kind == agenda.Delete && all:
		return w.remove(ctx, id)
	case w.a.Kind == agenda.Update && all:
		return w.updateAll(ctx, s)
	default:
		return w.split(ctx, s)
	}
}

// seriesOf is the id of the series of the amendment's event. Its occurrence may be gone after a first attempt, which
// left the amendment's key in the series. It is empty if a deleted one is gone.
func (w *amender) seriesOf(ctx context.Context) (string, error) {
	e, err := w.read(ctx, w.a.Event.ID)
	if err != nil || e != nil && e.SeriesMasterID != "" {
		return seriesID(e), err
	}
	copies, err := w.findBy(ctx, w.source, keyProperty, w.mark(""))
	switch {
	case err != nil:
		return "", err
	case len(copies) > 0:
		return copies[0].id, nil
	case w.a.Kind == agenda.Delete:
		return "", nil
	default:
		return "", calendar.ErrChanged
	}
}

func seriesID(e *event) string {
	if e == nil {
		return ""
	}
	return e.SeriesMasterID
}

// series reads what else is known of the series of an amendment; of one that was begun, from its note.
func (w *amender) series(ctx context.Context, id string, done bool) (*series, error) {
	there, err := w.readWith(ctx, id, ",exceptionOccurrences")
	if err != nil || there == nil {
		return nil, errors.Join(err, calendar.ErrChanged)
	}
	s := &series{event: there, w: w, from: w.a.Event.RecurrenceID, done: done}
	s.Zone = w.zoneOf(there)
	if s.whole, err = there.span(w.source.zone); err != nil {
		return nil, err
	}
	s.rule = there.Recurrence.rule()
	if span := w.a.Set.Span; span != nil {
		s.Shift = icalendar.ShiftOf(w.a.Event.Span, *span, s.Zone)
	}
	if done {
		if s.former = w.noted(there); s.former != nil {
			s.whole, s.rule, s.exceptions = s.former.Whole, s.former.Rule, s.former.Exceptions
		}
		return s, nil
	}
	s.exceptions, err = s.read()
	s.former = &former{
		ID: there.ID, Event: w.a.Event.ID, Exceptions: s.exceptions, Original: s.from, Whole: s.whole, Rule: s.rule,
	}
	return s, err
}

// read are the exceptions that Graph tells of the series.
func (s *series) read() (all []exception, err error) {
	for _, e := range s.ExceptionOccurrences {
		original, err := time.Parse(time.RFC3339, e.OriginalStart)
		if err != nil {
			return nil, errors.New("graph tells no original start of an exception")
		}
		x := exception{Original: original, Values: s.w.copyOf(e.event)}
		if x.Span, err = e.span(s.w.source.zone); err != nil {
			return nil, err
		}
		for _, name := range []string{"recurrence", "isOnlineMeeting", "onlineMeetingProvider"} {
			delete(x.Values, name)
		}
		x.Planned = x.Span == s.span(original)
		all = append(all, x)
	}
	for _, id := range s.CancelledOccurrences {
		date, err := interval.ParseDate(id[strings.LastIndexByte(id, '.')+1:])
		if err != nil {
			return nil, errors.New("graph tells no date of an occurrence that was called off")
		}
		clock := s.whole.Start.In(s.Zone)
		all = append(all, exception{Original: time.Date(date.Year, date.Month, date.Day,
			clock.Hour(), clock.Minute(), clock.Second(), 0, s.Zone)})
	}
	return all, nil
}

// span is that of the occurrence to which the series gives that start, before the amendment.
func (s *series) span(start time.Time) interval.Span {
	return interval.Span{Start: start.UTC(), End: s.Later(start, s.Lasts(s.whole)).UTC()}
}

func (s *series) allDays() bool {
	if allDay := s.w.a.Set.AllDay; allDay != nil {
		return *allDay
	}
	return s.IsAllDay
}

func (s *series) moves() bool { return s.w.a.Set.Span != nil || s.w.a.Set.AllDay != nil }

// start puts the moved time of the occurrence with that span, which is the first of a series with that rule.
func (s *series) start(c change, span interval.Span, rule string) error {
	moved := s.Moved(span)
	c.put(moved, s.allDays(), s.Zone)
	if other := s.w.a.Set.Recurrence; other != nil {
		return c.repeat(*other, moved.Start.In(s.Zone))
	}
	rule, err := icalendar.MoveRule(rule, s.from.In(s.Zone), s.Later(s.from, s.By), s.IsAllDay)
	if err != nil {
		return err
	}
	return c.repeat(rule, moved.Start.In(s.Zone))
}

// updateAll changes the series as a whole.
func (w *amender) updateAll(ctx context.Context, s *series) (agenda.Amended, error) {
	values, err := w.wanted(w.a.Set, s.event)
	switch rule := w.a.Set.Recurrence; {
	case err != nil:
	case rule != nil:
		values.put(s.Moved(s.whole), s.allDays(), s.Zone)
		err = values.repeat(*rule, s.Moved(s.whole).Start.In(s.Zone))
	case s.moves():
		err = s.start(values, s.whole, s.rule)
	}
	if err != nil {
		return agenda.Amended{}, err
	}
	if !s.done {
		if s.former.Values, err = w.before(ctx, s.event, values); err != nil {
			return agenda.Amended{}, err
		}
		if err := w.patch(ctx, s.event, values, s.former); err != nil {
			return agenda.Amended{}, err
		}
	}
	if values["recurrence"] == nil && w.a.Set.Recurrence != nil {
		o, err := w.occurrence(ctx, s.ID)
		return agenda.Amended{Event: o, Former: s.former.json()}, err
	}
	was := s.raw
	if s.former != nil {
		was = s.former.Values
	}
	if err := s.ensure(ctx, s.ID, s.exceptions, values, was); err != nil {
		return agenda.Amended{}, err
	}
	o, err := w.occurrenceAt(ctx, s.ID, s.Later(s.from, s.By))
	return agenda.Amended{Event: o, Former: s.former.json()}, err
}

// split ends the series before an occurrence. Unless the others are deleted, it adds another series from that
// occurrence on, with all that the first one has; an online meeting keeps its link in its notes.
func (w *amender) split(ctx context.Context, s *series) (agenda.Amended, error) {
	update := w.a.Kind == agenda.Update
	if update && s.HasAttachments {
		return agenda.Amended{}, fault.New(fault.CalendarFailed,
			"the attachments of this series would be lost; change one or all of its events")
	}
	values, err := w.wanted(w.a.Set, s.event)
	before, after, splitErr := icalendar.SplitRule(s.rule, s.whole.Start.In(s.Zone), s.from.In(s.Zone), s.IsAllDay)
	if err = cmp.Or(err, splitErr); err != nil {
		return agenda.Amended{}, err
	}
	rest := w.copyOf(s.event)
	delete(rest, "isOnlineMeeting")
	delete(rest, "onlineMeetingProvider")
	maps.Copy(rest, values)
	if update {
		if err := s.start(rest, s.span(s.from), after); err != nil {
			return agenda.Amended{}, err
		}
	}
	if err := s.end(ctx, before, update); err != nil {
		return agenda.Amended{}, err
	}
	earlier := slices.DeleteFunc(slices.Clone(s.exceptions), func(x exception) bool { return !x.Original.Before(s.from) })
	others := slices.DeleteFunc(slices.Clone(s.exceptions), func(x exception) bool {
		return x.Original.Before(s.from) || w.a.Set.Recurrence != nil // on other days none of them is decided
	})
	if err := w.remake(ctx, s.ID, earlier); err != nil || !update {
		return agenda.Amended{Former: s.former.json()}, err
	}
	id, err := w.add(ctx, rest, icalendar.UIDOf(w.a.Key))
	if err != nil {
		return agenda.Amended{}, err
	}
	if err := s.ensure(ctx, id, others, values, s.raw); err != nil {
		return agenda.Amended{}, err
	}
	o, err := w.occurrenceAt(ctx, id, s.Later(s.from, s.By))
	return agenda.Amended{Event: o, Former: s.former.json()}, err
}

// end gives the series the rule that ends before the occurrence of the amendment, unless that is done.
func (s *series) end(ctx context.Context, rule string, update bool) error {
	if s.done {
		return nil
	}
	values := change{}
	if err := values.repeat(rule, s.whole.Start.In(s.Zone)); err != nil {
		return err
	}
	s.former.Values, s.former.Cut = change{"recurrence": s.raw["recurrence"]}, !update
	if update {
		s.former.Remove = icalendar.UIDOf(s.w.a.Key)
	}
	return s.w.patch(ctx, s.event, values, s.former)
}

// instances are the occurrences of the series in the days around the span.
func (w *amender) instances(ctx context.Context, id string, span interval.Span) (all []*event, err error) {
	first := graph.Get(eventPath(id)+"/instances", window(span).With("$select", agendaSelection).With("$top", viewPage))
	first.Prefer = []string{plainBody}
	_, err = graph.Walk(ctx, w.graph, graph.By(w.source.account.ID), first, func(e *event) error {
		all = append(all, e)
		return nil
	})
	return all, err
}

// at is the occurrence to which its series gives that start.
func at(all []*event, original time.Time) *event {
	for _, e := range all {
		if t, err := time.Parse(time.RFC3339, e.OriginalStart); err == nil && t.Equal(original) {
			return e
		}
	}
	return nil
}

// occurrenceAt is the occurrence to which the series with that id gives that start.
func (w *amender) occurrenceAt(ctx context.Context, id string, original time.Time) (meet.Occurrence, error) {
	window := around(interval.Span{}, original, w.a.Event.Span.Start, w.a.Event.RecurrenceID)
	if w.a.Set.Span != nil {
		window = around(window, w.a.Set.Span.Start)
	}
	all, err := w.instances(ctx, id, window)
	if err != nil {
		return meet.Occurrence{}, err
	}
	e := at(all, original)
	if e == nil {
		return meet.Occurrence{}, calendar.ErrChanged
	}
	return w.occurrence(ctx, e.ID)
}
