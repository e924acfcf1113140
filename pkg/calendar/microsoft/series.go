package microsoft

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// exception is an occurrence with something of its own, or one that was called off.
type exception struct {
	// Original is the start that the series gave it.
	Original time.Time `json:"original"`
	// Values are what it has; nil if it was called off.
	Values change `json:"values,omitempty"`
	// Planned says that it takes place when the series says; Span is its time.
	Planned bool          `json:"planned,omitempty"`
	Span    interval.Span `json:"span"`
}

// series is a series that is amended, from one of its occurrences on or as a whole.
type series struct {
	*event
	w    *amender
	zone *time.Location
	// whole is the time of its first occurrence, and rule its RRULE, both before the amendment.
	whole interval.Span
	rule  string
	// exceptions are those before the amendment.
	exceptions []exception
	// from is the start that the series gives the first occurrence that changes.
	from time.Time
	// by is how much later they take place, on the clock. length is their new one; zero if it stays.
	by, length time.Duration
	done       bool
	former     *former
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
	case there.invited && w.a.Kind == agenda.Update:
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

// seriesOf is the id of the series of the amendment's event. Its occurrence may be gone after a first attempt, which left
// the amendment's key in the series. It is empty if a deleted one is gone.
func (w *amender) seriesOf(ctx context.Context) (string, error) {
	e, err := w.read(ctx, w.a.Event.ID)
	if err != nil || e != nil && e.seriesID != "" {
		return seriesID(e), err
	}
	copies, err := w.findBy(ctx, place{account: w.source.account, id: w.source.id}, keyProperty, w.mark(""))
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
	return e.seriesID
}

// series reads what else is known of the series of an amendment; of one that was begun, from its note.
func (w *amender) series(ctx context.Context, id string, done bool) (*series, error) {
	there, err := w.readWith(ctx, id, ",exceptionOccurrences")
	if err != nil || there == nil {
		return nil, errors.Join(err, calendar.ErrChanged)
	}
	s := &series{event: there, w: w, zone: w.zoneOf(there), from: w.a.Event.RecurrenceID, done: done}
	if s.whole, err = there.span(w.source.zone); err != nil {
		return nil, err
	}
	s.rule = there.recurrence.rule()
	if span := w.a.Set.Span; span != nil {
		s.by = wall(span.Start.In(s.zone)).Sub(wall(w.a.Event.Span.Start.In(s.zone)))
		s.length = wall(span.End.In(s.zone)).Sub(wall(span.Start.In(s.zone)))
	}
	if done {
		if s.former = w.noted(there); s.former != nil {
			s.whole, s.rule, s.exceptions = s.former.Whole, s.former.Rule, s.former.Exceptions
		}
		return s, nil
	}
	s.exceptions, err = s.read()
	s.former = &former{
		ID: there.id, Event: w.a.Event.ID, Exceptions: s.exceptions, Original: s.from, Whole: s.whole, Rule: s.rule,
	}
	return s, err
}

// read are the exceptions that Graph tells of the series.
func (s *series) read() (all []exception, err error) {
	for _, e := range s.event.exceptions {
		original, err := time.Parse(time.RFC3339, e.originalStart)
		if err != nil {
			return nil, errors.New("graph tells no original start of an exception")
		}
		x := exception{Original: original, Values: s.w.copyOf(e)}
		if x.Span, err = e.span(s.w.source.zone); err != nil {
			return nil, err
		}
		delete(x.Values, "recurrence")
		x.Planned = x.Span == s.span(original)
		all = append(all, x)
	}
	for _, id := range s.gone {
		date, err := interval.ParseDate(id[strings.LastIndexByte(id, '.')+1:])
		if err != nil {
			return nil, errors.New("graph tells no date of an occurrence that was called off")
		}
		clock := wall(s.whole.Start.In(s.zone))
		all = append(all, exception{Original: time.Date(date.Year, date.Month, date.Day,
			clock.Hour(), clock.Minute(), clock.Second(), 0, s.zone)})
	}
	return all, nil
}

// wall is what clocks show at t, in UTC.
func wall(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// later is the moment after t on the clocks of the series.
func (s *series) later(t time.Time, by time.Duration) time.Time {
	at := wall(t.In(s.zone)).Add(by)
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, s.zone)
}

// span is that of the occurrence to which the series gives that start, before the amendment.
func (s *series) span(start time.Time) interval.Span {
	length := wall(s.whole.End.In(s.zone)).Sub(wall(s.whole.Start.In(s.zone)))
	return interval.Span{Start: start.UTC(), End: s.later(start, length).UTC()}
}

// moved is the span of an occurrence after the amendment: so much later, with the new length.
func (s *series) moved(span interval.Span) interval.Span {
	length := s.length
	if length == 0 {
		length = wall(span.End.In(s.zone)).Sub(wall(span.Start.In(s.zone)))
	}
	start := s.later(span.Start, s.by)
	return interval.Span{Start: start, End: s.later(start, length)}
}

func (s *series) allDays() bool {
	if allDay := s.w.a.Set.AllDay; allDay != nil {
		return *allDay
	}
	return s.allDay
}

func (s *series) moves() bool { return s.w.a.Set.Span != nil || s.w.a.Set.AllDay != nil }

// start puts the moved time of the occurrence with that span, which is the first of a series with that rule.
func (s *series) start(c change, span interval.Span, rule string) error {
	moved := s.moved(span)
	c.put(moved, s.allDays(), s.zone)
	rule, err := icalendar.MoveRule(rule, s.from.In(s.zone), s.later(s.from, s.by))
	if err != nil {
		return fault.New(fault.CalendarFailed, "This series repeats in a way that cannot be moved so.").Because(err)
	}
	return c.repeat(rule, moved.Start.In(s.zone))
}

// updateAll changes the series as a whole.
func (w *amender) updateAll(ctx context.Context, s *series) (agenda.Amended, error) {
	values, err := w.wanted(w.a.Set, s.event)
	switch rule := w.a.Set.Recurrence; {
	case err != nil:
	case rule != nil:
		values.put(s.moved(s.whole), s.allDays(), s.zone)
		err = values.repeat(*rule, s.moved(s.whole).Start.In(s.zone))
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
		o, err := w.occurrence(ctx, s.id)
		return agenda.Amended{Event: o, Former: s.former.json()}, err
	}
	was := s.raw
	if s.former != nil {
		was = s.former.Values
	}
	if err := s.ensure(ctx, s.id, s.exceptions, values, was); err != nil {
		return agenda.Amended{}, err
	}
	o, err := w.occurrenceAt(ctx, s.id, s.later(s.from, s.by))
	return agenda.Amended{Event: o, Former: s.former.json()}, err
}

// split ends the series before an occurrence. Unless the others are deleted, it adds another series from that occurrence
// on, with all that the first one has; an online meeting keeps its link in its notes.
func (w *amender) split(ctx context.Context, s *series) (agenda.Amended, error) {
	update := w.a.Kind == agenda.Update
	if update && s.attached {
		return agenda.Amended{}, fault.New(fault.CalendarFailed,
			"the attachments of this series would be lost; change one or all of its events")
	}
	values, err := w.wanted(w.a.Set, s.event)
	if err != nil {
		return agenda.Amended{}, err
	}
	rest := w.copyOf(s.event)
	delete(rest, "isOnlineMeeting")
	delete(rest, "onlineMeetingProvider")
	for name, value := range values {
		rest[name] = value
	}
	if update {
		rule, err := icalendar.RestOfRule(s.rule, s.whole.Start.In(s.zone), s.from.In(s.zone))
		if err == nil {
			err = s.start(rest, s.span(s.from), rule)
		}
		if err != nil {
			return agenda.Amended{}, err
		}
	}
	if err := s.end(ctx, update); err != nil {
		return agenda.Amended{}, err
	}
	earlier := slices.DeleteFunc(slices.Clone(s.exceptions), func(x exception) bool { return !x.Original.Before(s.from) })
	others := slices.DeleteFunc(slices.Clone(s.exceptions), func(x exception) bool { return x.Original.Before(s.from) })
	if err := w.remake(ctx, s.id, earlier); err != nil || !update {
		return agenda.Amended{Former: s.former.json()}, err
	}
	id, err := w.add(ctx, rest, w.newUID())
	if err != nil {
		return agenda.Amended{}, err
	}
	if err := s.ensure(ctx, id, others, values, s.raw); err != nil {
		return agenda.Amended{}, err
	}
	o, err := w.occurrenceAt(ctx, id, s.later(s.from, s.by))
	return agenda.Amended{Event: o, Former: s.former.json()}, err
}

// end gives the series an end before the occurrence of the amendment, unless that is done.
func (s *series) end(ctx context.Context, update bool) error {
	if s.done {
		return nil
	}
	values := change{}
	err := values.repeat(icalendar.EndRule(s.rule, s.from.In(s.zone), false), s.whole.Start.In(s.zone))
	if err != nil {
		return err
	}
	s.former.Values, s.former.Cut = change{"recurrence": s.raw["recurrence"]}, !update
	if update {
		s.former.Remove = s.w.newUID()
	}
	return s.w.patch(ctx, s.event, values, s.former)
}

// remake makes exceptions of a series again as they were, as far as they are missing.
func (w *amender) remake(ctx context.Context, id string, exceptions []exception) error {
	s := &series{w: w, zone: w.source.zone}
	return s.ensure(ctx, id, exceptions, nil, nil)
}

// ensure sees to it that the series with that id has the exceptions, with the amended values where they were as the
// series was.
func (s *series) ensure(ctx context.Context, id string, exceptions []exception, values, was change) error {
	if len(exceptions) == 0 {
		return nil
	}
	var window interval.Span
	for _, x := range exceptions {
		window = around(window, s.later(x.Original, s.by), x.Original, x.Span.Start)
	}
	there, err := s.w.instances(ctx, id, window)
	if err != nil {
		return err
	}
	for _, x := range exceptions {
		i := at(there, s.later(x.Original, s.by))
		if i == nil {
			continue // it was called off, and still is
		}
		if err := s.ensureOne(ctx, i, x, values, was); err != nil {
			return err
		}
	}
	return nil
}

func (s *series) ensureOne(ctx context.Context, i *event, x exception, values, was change) error {
	if x.Values == nil {
		return s.w.delete(ctx, i)
	}
	e, err := s.w.read(ctx, i.id)
	if err != nil || e == nil || s.w.done(e) {
		return err
	}
	now, err := s.amended(x, e, values, was)
	if err != nil {
		return err
	}
	if e.kind == "occurrence" {
		all := change{}
		for name, value := range x.Values {
			all[name] = value
		}
		if _, ok := values["attendees"]; ok {
			delete(all, "attendees") // the series has the new ones
			delete(now, "attendees")
		}
		for name, value := range now {
			all[name] = value
		}
		now = all
	}
	if len(now) == 0 {
		return nil
	}
	return s.w.patch(ctx, e, now, nil)
}

// amended is what changes in an exception: the amended fields in which it is as the series was, and its time if that was
// the series'. The occurrence that was named gets the time that was said.
func (s *series) amended(x exception, there *event, values, was change) (change, error) {
	now := change{}
	for name, value := range values {
		if name == "start" || name == "end" || name == "isAllDay" || name == "recurrence" || name == "attendees" {
			continue
		}
		if same(x.Values[name], was[name]) {
			now[name] = value
		}
	}
	if values == nil {
		return now, nil
	}
	if _, ok := values["attendees"]; ok {
		attendees, err := invited(s.w.a.Set, there)
		if err != nil {
			return nil, err
		}
		now["attendees"] = attendees
	}
	switch named := x.Original.Equal(s.from); {
	case !s.moves():
	case named && s.w.a.Set.Span != nil:
		now.put(*s.w.a.Set.Span, s.allDays(), s.zone)
	case x.Planned:
		now.put(s.moved(x.Span), s.allDays(), s.zone)
	}
	return now, nil
}

// same reports whether two values are the same JSON.
func same(a, b any) bool {
	first, err := json.Marshal(a)
	second, otherErr := json.Marshal(b)
	return err == nil && otherErr == nil && string(first) == string(second)
}

// around is the span widened to the days around the moments.
func around(span interval.Span, moments ...time.Time) interval.Span {
	for _, t := range moments {
		if t.IsZero() {
			continue
		}
		if span.Start.IsZero() || t.Before(span.Start) {
			span.Start = t
		}
		if t.After(span.End) {
			span.End = t
		}
	}
	return span
}

// instances are the occurrences of the series in the days around the span.
func (w *amender) instances(ctx context.Context, id string, span interval.Span) (all []*event, err error) {
	first := get(eventPath(id)+"/instances", window(span).with("$select", agendaSelection).with("$top", viewPage))
	first.prefer = []string{plainBody}
	_, err = w.pages(ctx, by(w.source.account.ID), first, func(e *event) error {
		all = append(all, e)
		return nil
	})
	return all, err
}

// at is the occurrence to which its series gives that start.
func at(all []*event, original time.Time) *event {
	for _, e := range all {
		if t, err := time.Parse(time.RFC3339, e.originalStart); err == nil && t.Equal(original) {
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
	return w.occurrence(ctx, e.id)
}

// restore brings back what an amendment replaced or deleted. The event must stand as that amendment left it.
func (w *amender) restore(ctx context.Context) (agenda.Amended, error) {
	f := &former{}
	if json.Unmarshal(w.a.Former, f) != nil || f.ID == "" && f.Create == nil {
		return agenda.Amended{}, fault.New(fault.CalendarFailed, "it is not known any more how the event was before")
	}
	switch {
	case f.Create != nil:
		return w.anew(ctx, f)
	case f.Answer != "":
		w.a.Answer, w.a.Scope = f.Answer, ""
		return w.respond(ctx)
	}
	there, err := w.read(ctx, f.ID)
	switch {
	case err != nil:
		return agenda.Amended{}, err
	case there == nil:
		return agenda.Amended{}, calendar.ErrChanged
	case !w.done(there):
		if err = w.unchanged(ctx); f.Cut && errors.Is(err, calendar.ErrChanged) {
			err = nil
		}
		if err == nil {
			err = w.patch(ctx, there, f.Values, nil)
		}
	}
	if err == nil {
		err = w.remake(ctx, f.ID, f.Exceptions)
	}
	if err == nil && f.Remove != "" {
		var copies []found
		copies, err = w.findIn(ctx, place{account: w.source.account, id: w.source.id}, f.Remove)
		err = errors.Join(err, w.removeAll(ctx, copies))
	}
	if err != nil {
		return agenda.Amended{}, err
	}
	return w.back(ctx, f.Event, f.ID, f.Original)
}

// anew creates a deleted event again; as Graph puts no occurrence back into its series, that one stands beside it.
func (w *amender) anew(ctx context.Context, f *former) (agenda.Amended, error) {
	there, err := w.read(ctx, w.a.Event.ID)
	if err == nil && there != nil {
		err = calendar.ErrChanged
	}
	if err != nil {
		return agenda.Amended{}, err
	}
	id, err := w.add(ctx, f.Create, f.UID)
	if err == nil {
		err = w.remake(ctx, id, f.Exceptions)
	}
	if err != nil {
		return agenda.Amended{}, err
	}
	return w.back(ctx, id, id, f.Original)
}

// back is what a restoration returns: the event, or the occurrence to which its series gives that start.
func (w *amender) back(ctx context.Context, event, series string, original time.Time) (agenda.Amended, error) {
	if original.IsZero() {
		o, err := w.occurrence(ctx, event)
		return agenda.Amended{Event: o}, err
	}
	o, err := w.occurrenceAt(ctx, series, original)
	return agenda.Amended{Event: o}, err
}
