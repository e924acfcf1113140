package google

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// series is a series that is amended, from one of its occurrences on or as a whole.
type series struct {
	// Event is the series as it was before the amendment, and now as it is.
	*gcal.Event
	now *gcal.Event
	icalendar.Shift
	w *amender
	// done says that the amendment is made in the series itself, and perhaps not in all of its exceptions.
	done bool
	// exceptions are instances with something of their own, and those that were cancelled.
	exceptions []*gcal.Event
	// from is the start that the series gives the first occurrence that changes.
	from time.Time
}

// amendSeries changes or deletes a series, or the occurrences from one on. Google keeps exceptions by the start that
// the series gave them, and does not say what becomes of them when that changes: they are carried along here.
func (w *amender) amendSeries(ctx context.Context) (agenda.Amended, error) {
	id := cutInstance(w.a.Event.ID)
	master, done, err := w.standing(ctx, id)
	if w.a.Kind == agenda.Delete && (master == nil || master.Status == cancelled) && errors.Is(err, calendar.ErrChanged) {
		return agenda.Amended{}, nil
	}
	if err != nil {
		return agenda.Amended{}, err
	}
	if !mayModify(master) && w.a.Kind == agenda.Update || master.Locked {
		return agenda.Amended{}, calendar.ErrReadOnly
	}
	s, err := w.series(ctx, master, done)
	if err != nil {
		return agenda.Amended{}, err
	}
	whole := w.a.Scope == meet.AllOfThem || !s.from.After(w.startOf(s.Event))
	switch {
	case w.a.Kind == agenda.Delete && whole:
		return w.remove(ctx, id, s.exceptions...)
	case w.a.Kind == agenda.Delete:
		return w.cut(ctx, s)
	case whole:
		return w.updateAll(ctx, s)
	default:
		return w.split(ctx, s)
	}
}

// series reads what else is known of the series of an amendment.
func (w *amender) series(ctx context.Context, now *gcal.Event, done bool) (*series, error) {
	before, noted, err := w.before(now, done)
	if err != nil {
		return nil, err
	}
	s := &series{Event: before, now: now, w: w, done: done, from: w.a.Event.RecurrenceID}
	s.Zone = w.zoneOf(before)
	if span := w.a.Set.Span; span != nil {
		s.Shift = icalendar.ShiftOf(w.a.Event.Span, *span, s.Zone)
	}
	l, err := w.pages(ctx, w.api.Events.List(w.ID).ICalUID(now.ICalUID).SingleEvents(false).ShowDeleted(false).
		MaxResults(pageSize))
	for _, e := range l.items {
		if e != nil && e.RecurringEventId == now.Id && (!done || noted[e.Id]) {
			s.exceptions = append(s.exceptions, e)
		}
	}
	return s, err
}

// before is the series as it was before the amendment, which a repeat knows from the note, with the ids of the
// exceptions that were there. Without a note another amendment has been made since, and this one is whole.
func (w *amender) before(now *gcal.Event, done bool) (before *gcal.Event, noted map[string]bool, err error) {
	copied := *now
	before, noted = &copied, map[string]bool{}
	if !done {
		return before, noted, nil
	}
	text, err := w.noted(now)
	if err != nil || text == nil {
		return before, noted, err
	}
	f, err := parseFormer(text)
	if err != nil {
		return nil, nil, err
	}
	properties := *now.ExtendedProperties
	properties.Private = maps.Clone(properties.Private)
	before.ExtendedProperties = &properties
	f.Steps[0].Content.onto(before)
	for _, s := range f.Steps {
		noted[s.ID] = !s.Delete
	}
	return before, noted, nil
}

// zoneOf is the zone in which a series repeats; that of whole days is their owner's.
func (w *amender) zoneOf(master *gcal.Event) *time.Location {
	if loc, err := interval.Zone(zoneOf(master)); err == nil && zoneOf(master) != "" && !wholeDay(master) {
		return loc
	}
	return w.zone(listing{})
}

// startOf is when an event starts; zero if Google does not tell.
func (w *amender) startOf(e *gcal.Event) time.Time {
	when, err := timeOf(e, w.zone(listing{}))
	if err != nil {
		return time.Time{}
	}
	return when.Start
}

// originalOf is the start that the series gave an exception.
func (w *amender) originalOf(x *gcal.Event) time.Time {
	return w.startOf(&gcal.Event{Start: x.OriginalStartTime, End: x.OriginalStartTime})
}

// times are the moved times of the occurrence of the series with that span.
func (s *series) times(span interval.Span) (start, end *gcal.EventDateTime) {
	return s.w.times(s.Moved(span), s.allDay(), s.Zone.String())
}

func (s *series) allDay() bool {
	if allDay := s.w.a.Set.AllDay; allDay != nil {
		return *allDay
	}
	return wholeDay(s.Event)
}

// span is that of the occurrence which the series gives that start.
func (s *series) span(start time.Time) (interval.Span, error) {
	when, err := timeOf(s.Event, s.w.zone(listing{}))
	if err != nil {
		return when, failed("read series", err)
	}
	return interval.Span{Start: start, End: s.Later(start, s.Lasts(when))}, nil
}

// instanceID is the id of the instance that a series gives that start.
func instanceID(series string, start time.Time, allDay bool) string {
	if allDay {
		return series + start.Format("_20060102")
	}
	return series + start.UTC().Format("_20060102T150405Z")
}

// cutInstance is the id of an instance's series; other ids stay.
func cutInstance(id string) string {
	if series, ok := seriesOf(id); ok {
		return series
	}
	return id
}

// instance is the id of the instance after the amendment that the series of that id gave the start before.
func (s *series) instance(id string, start time.Time) string {
	return instanceID(id, s.Later(start, s.By), s.allDay())
}

// rules are the lines of the series' recurrence, each RRULE changed, and the added and excepted dates that keep.
func (s *series) rules(
	change func(rule string) (string, error), keep func(time.Time) bool, by time.Duration,
) ([]string, error) {
	var lines []string
	for _, line := range s.Recurrence {
		name, value, _ := strings.Cut(line, ":")
		if rule, ok := strings.CutPrefix(line, rrule); ok {
			changed, err := change(rule)
			if err != nil {
				return nil, err
			}
			lines = append(lines, rrule+changed)
			continue
		}
		var dates []string
		for one := range strings.SplitSeq(value, ",") {
			layout := map[int]string{8: "20060102", 15: "20060102T150405", 16: "20060102T150405Z"}[len(one)]
			loc := s.Zone
			if strings.HasSuffix(one, "Z") {
				loc = time.UTC
			}
			t, err := time.ParseInLocation(layout, one, loc)
			if err != nil {
				return nil, failed("read series", fmt.Errorf("a date %q: %w", name, errNotUnderstood))
			}
			if keep(t) {
				dates = append(dates, s.Later(t, by).In(loc).Format(layout))
			}
		}
		if len(dates) > 0 {
			lines = append(lines, name+":"+strings.Join(dates, ","))
		}
	}
	return lines, nil
}

// move is the change of a rule whose occurrences move.
func (s *series) move(rule string) (string, error) {
	return icalendar.MoveRule(rule, s.from.In(s.Zone), s.Later(s.from, s.By), wholeDay(s.Event))
}

// cut are the RRULEs of the series before and from the first occurrence that changes.
func (s *series) cut(rule string) (before, after string, err error) {
	start := s.w.startOf(s.Event).In(s.Zone)
	return icalendar.SplitRule(rule, start, s.from.In(s.Zone), wholeDay(s.Event))
}

// updateAll changes the series as a whole.
func (w *amender) updateAll(ctx context.Context, s *series) (agenda.Amended, error) {
	c := w.wanted(w.a.Set, s.Event)
	when, err := timeOf(s.Event, w.zone(listing{}))
	if err != nil {
		return agenda.Amended{}, failed("read series", err)
	}
	if w.a.Set.Span != nil || w.a.Set.AllDay != nil {
		c.Start, c.End = s.times(when)
		lines, err := s.rules(s.move, func(time.Time) bool { return true }, s.By)
		if err != nil {
			return agenda.Amended{}, err
		}
		c.Recurrence = &lines
	}
	id := s.instance(s.Id, s.from)
	if rule := w.a.Set.Recurrence; rule != nil {
		c.Recurrence = &[]string{rrule + *rule}
		if *rule == "" {
			c.Recurrence, id = &[]string{}, s.Id
		}
	}
	if !s.done {
		steps := append([]step{{ID: s.Id, Content: c.of(s.Event)}}, s.back(s.Id)...)
		if s.now, err = w.patch(ctx, s.Event, c, steps); err != nil {
			return agenda.Amended{}, err
		}
	}
	if err := s.carry(ctx, s.Id); err != nil {
		return agenda.Amended{}, err
	}
	return w.amended(ctx, s.now, id)
}

// cut ends the series before an occurrence.
func (w *amender) cut(ctx context.Context, s *series) (agenda.Amended, error) {
	if err := w.end(ctx, s, s.back("")); err != nil {
		return agenda.Amended{}, err
	}
	for _, x := range s.carried() {
		if err := w.delete(ctx, x, w.tell(x)); err != nil {
			return agenda.Amended{}, err
		}
	}
	former, err := w.noted(s.now)
	return agenda.Amended{Former: former}, err
}

// end gives the series an end before the occurrence of the amendment, unless that is done.
func (w *amender) end(ctx context.Context, s *series, steps []step) error {
	if s.done {
		return nil
	}
	lines, err := s.rules(func(rule string) (string, error) {
		before, _, err := s.cut(rule)
		return before, err
	}, func(t time.Time) bool { return t.Before(s.from) }, 0)
	if err != nil {
		return err
	}
	c := content{Recurrence: &lines}
	s.now, err = w.patch(ctx, s.Event, c, append([]step{{ID: s.Id, Content: c.of(s.Event)}}, steps...))
	return err
}

// split ends the series before an occurrence, and adds another from that occurrence on, with all that the first one
// has, its meeting link too, which the guests know.
func (w *amender) split(ctx context.Context, s *series) (agenda.Amended, error) {
	id, err := eventID(icalendar.UIDOf(w.a.Key), w.person.ID)
	if err != nil {
		return agenda.Amended{}, err
	}
	rest, err := s.rest(id)
	if err != nil {
		return agenda.Amended{}, err
	}
	if err := w.end(ctx, s, append(s.back(id), step{ID: id, Delete: true})); err != nil {
		return agenda.Amended{}, err
	}
	if err := w.insert(ctx, rest); err != nil {
		return agenda.Amended{}, err
	}
	if w.a.Set.Recurrence == nil { // on other days there is nothing that was decided for one of them
		if err := s.carry(ctx, id); err != nil {
			return agenda.Amended{}, err
		}
	}
	return w.amended(ctx, s.now, s.instance(id, s.from))
}

// rest is the series of that id from the occurrence of the amendment on.
func (s *series) rest(id string) (*gcal.Event, error) {
	e := copyOf(s.Event, id)
	span, err := s.span(s.from)
	if err != nil {
		return nil, err
	}
	e.Start, e.End = s.times(span)
	s.w.wanted(s.w.a.Set, s.Event).onto(e)
	e.ExtendedProperties.Private[propertyUID] = icalendar.UIDOf(s.w.a.Key)
	e.ExtendedProperties.Private[propertyMarks] = s.w.mark(id)
	if rule := s.w.a.Set.Recurrence; rule != nil {
		e.Recurrence = []string{rrule + *rule}
		return e, nil
	}
	e.Recurrence, err = s.rules(func(rule string) (string, error) {
		_, after, err := s.cut(rule)
		if err != nil {
			return "", err
		}
		return s.move(after)
	}, func(t time.Time) bool { return !t.Before(s.from) }, s.By)
	return e, err
}
