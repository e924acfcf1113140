package icalendar

import (
	"slices"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// repeating are the properties of a series that its occurrences do not have.
var repeating = []string{"RRULE", "RDATE", "EXDATE", "EXRULE"}

// replaced is the occurrence that an override replaces.
func (e *edition) replaced(c *component) anchor { return e.anchorOf(c, "RECURRENCE-ID") }

// overrideOf is the override of an occurrence; nil if it has none.
func (e *edition) overrideOf(o meet.Occurrence) *component {
	for _, c := range e.overrides {
		id := e.replaced(c)
		same := id.moment(e.zone).Equal(o.RecurrenceID)
		if id.date && e.master != nil {
			start := e.start(e.master)
			same = start.wallIn(start.zone, e.zone).Truncate(day).Equal(id.wall) && start.date && same ||
				wallOf(o.RecurrenceID.In(e.zone)).Truncate(day).Equal(id.wall)
		}
		if same {
			return c
		}
	}
	return nil
}

// ranged reports whether an override applies to all later occurrences, which no program writes any more.
func (e *edition) ranged() bool {
	return slices.ContainsFunc(e.overrides, func(c *component) bool {
		return c.first("RECURRENCE-ID").params["RANGE"] != ""
	})
}

// override is the override of the occurrence, made of the series if there is none.
func (e *edition) override(o meet.Occurrence) (*component, error) {
	if c := e.overrideOf(o); c != nil {
		return c, nil
	}
	if e.master == nil || e.ranged() {
		return nil, ErrInexpressible
	}
	as, err := e.form(e.master)
	if err != nil {
		return nil, err
	}
	c := e.master.clone()
	c.drop(append([]string{changesProperty}, repeating...)...)
	e.putSpan(c, as, o.Span)
	c.put(as.on("RECURRENCE-ID", as.wallAt(o.RecurrenceID)))
	e.overrides = append(e.overrides, c)
	return c, nil
}

// putSpan sets the time of a component, written in a form.
func (e *edition) putSpan(c *component, as form, span interval.Span) {
	c.drop("DURATION")
	c.put(as.at("DTSTART", span.Start))
	c.put(as.at("DTEND", span.End))
}

// changeOne changes or deletes one occurrence of a series.
func (e *edition) changeOne(a agenda.Amendment) error {
	if a.Kind == agenda.Delete {
		return e.deleteOne(a)
	}
	if a.Set.Recurrence != nil {
		return ErrInexpressible
	}
	c, err := e.override(a.Event)
	if err != nil {
		return err
	}
	return e.changePart(c, a)
}

// deleteOne takes the occurrence out of the series.
func (e *edition) deleteOne(a agenda.Amendment) error {
	if c := e.overrideOf(a.Event); c != nil {
		e.overrides = slices.DeleteFunc(e.overrides, func(o *component) bool { return o == c })
	}
	if e.master == nil {
		if len(e.overrides) == 0 {
			e.calendars = nil
		}
		return nil
	}
	as, err := e.form(e.master)
	if err != nil {
		return err
	}
	e.master.add(as.on("EXDATE", as.wallAt(a.Event.RecurrenceID)))
	e.moved(e.master)
	e.touch(e.master, a.Key)
	return nil
}

// changePart makes an update of one component: an occurrence, or an event that does not repeat.
func (e *edition) changePart(c *component, a agenda.Amendment) error {
	for _, one := range edits(a.Set) {
		one.make(c)
	}
	e.putGuests(c, a.Set)
	if a.Set.Span != nil || a.Set.AllDay != nil {
		as, err := e.formAs(c, a)
		if err != nil {
			return err
		}
		e.putSpan(c, as, a.After().Span)
		e.moved(c)
	}
	e.touch(c, a.Key)
	return nil
}

// formAs is the form of the new times of a component: its own, unless it becomes whole days or stops being so.
func (e *edition) formAs(c *component, a agenda.Amendment) (form, error) {
	as, err := e.form(c)
	if err != nil || a.Set.AllDay == nil || *a.Set.AllDay == as.date {
		return as, err
	}
	if *a.Set.AllDay {
		return e.dated(), nil
	}
	return e.timed(a.After().Span, a.Event.Repeats()), nil
}

// dated is the form of whole days.
func (e *edition) dated() form {
	return form{params: ";VALUE=DATE", anchor: anchor{stamp: stamp{date: true}}, owner: e.zone}
}

// yearsAhead is how many years of a zone are defined for a series.
const yearsAhead = 5

// timed is the form of times in the owner's zone, whose definition is added to the calendar.
func (e *edition) timed(span interval.Span, repeats bool) form {
	if e.zone == time.UTC {
		return form{anchor: anchor{stamp: stamp{utc: true}, zone: zone{loc: time.UTC}}, owner: e.zone}
	}
	if _, defined := e.zones.defined[e.zone.String()]; !defined {
		var w writer
		w.line("BEGIN", "VCALENDAR")
		until := span.End
		if repeats {
			until = until.AddDate(yearsAhead, 0, 0)
		}
		w.timezone(e.zone, span.Start, until)
		w.line("END", "VCALENDAR")
		if made, err := parseComponents([]byte(w.b.String())); err == nil {
			e.calendar.children = append(made[0].children, e.calendar.children...)
			e.zones = newZones(e.calendar)
		}
	}
	return form{params: ";TZID=" + e.zone.String(), anchor: anchor{zone: zone{loc: e.zone}}, owner: e.zone}
}

// changeAll makes an update of the whole series, or of an event that does not repeat. An occurrence keeps the fields in
// which it differs from the series, unless it is the one that was named.
func (e *edition) changeAll(a agenda.Amendment) error {
	if e.master == nil || e.ranged() {
		return ErrInexpressible
	}
	if !a.Event.Repeats() && a.Set.Recurrence == nil {
		return e.changePart(e.master, a)
	}
	before, named := e.master.clone(), e.overrideOf(a.Event)
	for _, one := range edits(a.Set) {
		for _, c := range e.overrides {
			if c == named || c.sameIn(before, one.names...) {
				one.make(c)
			}
		}
		one.make(e.master)
	}
	for _, c := range e.parts() {
		e.putGuests(c, a.Set)
	}
	if a.Set.Span != nil || a.Set.AllDay != nil {
		if err := e.shift(a); err != nil {
			return err
		}
	}
	if a.Set.Recurrence != nil {
		if err := e.repeat(a); err != nil {
			return err
		}
	}
	e.touch(e.master, a.Key)
	return nil
}

// repeat sets or ends the repetition. What was decided for occurrences that are no more is dropped with them.
func (e *edition) repeat(a agenda.Amendment) error {
	e.moved(e.master)
	if *a.Set.Recurrence == "" {
		as, err := e.form(e.master)
		if err != nil {
			return err
		}
		e.master.drop(repeating...)
		e.overrides = nil
		e.putSpan(e.master, as, a.After().Span)
		return nil
	}
	if _, err := parseRule(*a.Set.Recurrence); err != nil {
		return ErrRule
	}
	e.master.put("RRULE:" + *a.Set.Recurrence)
	others := e.overrides
	e.overrides = nil
	e.assemble()
	e.overrides = slices.DeleteFunc(others, func(c *component) bool {
		id := e.replaced(c).moment(e.zone)
		return !slices.ContainsFunc(e.occurrences(interval.From(id, time.Second)), func(o meet.Occurrence) bool {
			return o.RecurrenceID.Equal(id)
		})
	})
	return nil
}

// changeFollowing changes or deletes an occurrence and all later ones. The series ends before it; unless they are
// deleted, another one goes on.
func (e *edition) changeFollowing(a agenda.Amendment) (*edition, error) {
	if e.master == nil || e.ranged() || a.Set.Recurrence != nil && a.Kind == agenda.Update && *a.Set.Recurrence == "" {
		return nil, ErrInexpressible
	}
	as, err := e.form(e.master)
	if err != nil {
		return nil, err
	}
	cut := as.wallAt(a.Event.RecurrenceID)
	before, after, err := e.splitRules(as, cut)
	if err != nil {
		return nil, err
	}
	later, err := e.later(as, cut, after, a)
	if err != nil {
		return nil, err
	}
	e.master.put("RRULE:" + before)
	e.keepDates(e.master, as, func(wall time.Time) bool { return wall.Before(cut) })
	e.overrides = slices.DeleteFunc(e.overrides, func(c *component) bool { return !e.wallOf(c, as).Before(cut) })
	e.moved(e.master)
	e.touch(e.master, a.Key)
	return later, nil
}

// later is the series that goes on from the wall time, with the amendment; nil if it is deleted.
func (e *edition) later(as form, cut time.Time, rule string, a agenda.Amendment) (*edition, error) {
	if a.Kind == agenda.Delete {
		return nil, nil
	}
	calendars := make([]*component, len(e.calendars))
	for i, c := range e.calendars {
		calendars[i] = c.clone()
	}
	later, err := e.edit(calendars)
	if err != nil {
		return nil, err
	}
	later.uid = UIDOf(a.Key)
	later.overrides = slices.DeleteFunc(later.overrides, func(c *component) bool { return e.wallOf(c, as).Before(cut) })
	first := e.extentOf(later.master)
	later.master.drop(changesProperty)
	later.putWall(later.master, as, cut, first)
	later.master.put("RRULE:" + rule)
	later.keepDates(later.master, as, func(wall time.Time) bool { return !wall.Before(cut) })
	for _, c := range later.parts() {
		c.putText("UID", later.uid)
		c.put("SEQUENCE:0")
	}
	later.assemble()
	return later, later.changeAll(a)
}

// wallOf is the wall time in the series that an override replaces.
func (e *edition) wallOf(c *component, as form) time.Time { return as.shifted(e.replaced(c), as, 0) }

// extentOf is the length of a component on the clock.
func (e *edition) extentOf(c *component) time.Duration {
	parsed, _ := parseEvent(c, e.zones) // its form was looked at
	if parsed.end != nil {
		return parsed.end.wallIn(parsed.start.zone, e.zone).Sub(parsed.start.wall)
	}
	return time.Duration(parsed.lasts.days)*day + parsed.lasts.exact
}
