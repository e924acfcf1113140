package icalendar

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/meet"
)

// create is a new object. Its UID is made of the key, unless the event has one.
func (ed Editor) create(a agenda.Amendment) (Revision, error) {
	e, err := ed.compose(a)
	if err != nil {
		return Revision{}, err
	}
	e.assemble()
	return Revision{Object: render(e.calendars...), Amended: agenda.Amended{Event: e.told(a, nil)}}, nil
}

// compose makes an object of an event's fields.
func (ed Editor) compose(a agenda.Amendment) (*edition, error) {
	o := a.Event
	if o.UID == "" {
		o.UID = UIDOf(a.Key)
	}
	if !o.Span.Start.Before(o.Span.End) {
		return nil, ErrReversed
	}
	var w writer
	w.begin()
	w.line("BEGIN", "VEVENT")
	w.text("UID", o.UID)
	w.line("SEQUENCE", "0")
	w.line("CREATED", utc(ed.Now))
	w.line("DTSTART", utc(o.Span.Start)) // its form is set below
	if o.Tentative {
		w.line("STATUS", "TENTATIVE")
	}
	w.line("END", "VEVENT")
	w.line("END", "VCALENDAR")
	e, err := ed.open([]byte(w.b.String()))
	if err != nil {
		return nil, err
	}
	set := agenda.Fields{
		Title: &o.Title, Location: &o.Location, Description: &o.Description, Visibility: &o.Visibility, Kind: &o.Kind,
		Categories: &o.Categories, Invite: o.Guests(),
	}
	if o.Transparent {
		set.Transparent = &o.Transparent
	}
	for _, one := range edits(set) {
		one.make(e.master)
	}
	e.putGuests(e.master, set)
	as := e.timed(o.Span, o.Recurrence != "")
	if o.AllDay {
		as = e.dated()
	}
	e.putSpan(e.master, as, o.Span)
	if o.Recurrence != "" {
		if _, err := parseRule(o.Recurrence); err != nil {
			return nil, ErrRule
		}
		e.master.put("RRULE:" + o.Recurrence)
	}
	e.touch(e.master, a.Key)
	return e, nil
}

// former is what an amendment replaced.
type former struct {
	// Object is the whole object, if more than one component changed, or all of it was deleted. Left is what it became.
	Object string `json:"object,omitempty"`
	Left   string `json:"left,omitempty"`
	// Split is the UID of the series that was split off, and SplitLeft its content.
	Split     string `json:"split,omitempty"`
	SplitLeft string `json:"splitLeft,omitempty"`
	// One says that one component changed, and Component is the former one: empty if the occurrence had none of its own.
	One       bool   `json:"one,omitempty"`
	Component string `json:"component,omitempty"`
}

// former is what the amendment will replace.
func (e *edition) former(a agenda.Amendment, scope meet.Scope) former {
	one := scope == meet.ThisOne || scope == "" && a.Kind != agenda.Delete && a.Set.Recurrence == nil
	if !one {
		return former{Object: string(render(e.calendars...))}
	}
	c := e.master
	if scope == meet.ThisOne {
		c = e.overrideOf(a.Event)
	}
	is := former{One: true}
	if c != nil {
		is.Component = string(render(c))
	}
	return is
}

// left completes the former with what was left, for a Restore to compare.
func (f former) left(e, split *edition) ([]byte, error) {
	if !f.One {
		f.Left = e.digest()
	}
	if split != nil {
		f.Split, f.SplitLeft = split.uid, split.digest()
	}
	return json.Marshal(f)
}

// digest changes with the content of any component, and with what is left out.
func (e *edition) digest() string {
	var list []string
	for _, c := range e.parts() {
		for _, p := range c.props {
			if p.name == "EXDATE" {
				list = append(list, strings.Split(p.value, ",")...)
			}
		}
		list = append(list, c.version())
	}
	slices.Sort(list)
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(strings.Join(list, "\n"))) // a hash takes everything
	return strconv.FormatUint(sum.Sum64(), 36)
}

// Split is the UID of the series that the change with this Amended.Former split off, which a Restore deletes; empty if
// there is none.
func Split(formerly []byte) string {
	var f former
	_ = json.Unmarshal(formerly, &f) // nothing is split off by what cannot be read
	return f.Split
}

// Unsplit reports whether the object is the split-off series as it was left.
func (ed Editor) Unsplit(object, formerly []byte) bool {
	var f former
	e, err := ed.open(object)
	return err == nil && json.Unmarshal(formerly, &f) == nil && e.digest() == f.SplitLeft
}

// restore brings back what another amendment replaced. The object is nil if there is none.
func (ed Editor) restore(object []byte, a agenda.Amendment) (Revision, error) {
	var f former
	if err := json.Unmarshal(a.Former, &f); err != nil && len(a.Former) > 0 {
		return Revision{}, fmt.Errorf("restore: %w", err)
	}
	if object == nil {
		return ed.revive(f, a)
	}
	e, err := ed.open(object)
	if err != nil {
		return Revision{}, err
	}
	if e.made(a.Key) {
		return Revision{Done: true, Amended: agenda.Amended{Event: e.restored(a)}}, nil
	}
	if f.One || a.Event.Repeats() && len(a.Former) == 0 {
		err = e.restoreOne(f, a)
	} else if e.digest() != f.Left {
		err = ErrStale
	} else {
		err = e.restoreAll(f)
	}
	if err != nil {
		return Revision{}, err
	}
	e.touch(e.parts()[0], a.Key)
	e.assemble()
	return Revision{Object: render(e.calendars...), Amended: agenda.Amended{Event: e.restored(a)}}, nil
}

// revive brings back an object that was deleted, or makes one of the event if it is not known.
func (ed Editor) revive(f former, a agenda.Amendment) (Revision, error) {
	if f.Object == "" {
		if len(a.Former) > 0 {
			return Revision{}, ErrStale
		}
		return ed.create(a)
	}
	e, err := ed.open([]byte(f.Object))
	if err != nil {
		return Revision{}, err
	}
	for _, c := range e.parts() {
		e.moved(c)
	}
	e.touch(e.parts()[0], a.Key)
	e.assemble()
	return Revision{Object: render(e.calendars...), Amended: agenda.Amended{Event: e.restored(a)}}, nil
}

// restoreAll brings back the whole object.
func (e *edition) restoreAll(f former) error {
	was, err := e.open([]byte(f.Object))
	if err != nil {
		return err
	}
	latest := 0
	for _, c := range e.parts() {
		latest = max(latest, c.sequence())
	}
	for _, c := range was.parts() {
		c.putSequence(max(latest, c.sequence()))
		e.moved(c)
	}
	*e = *was
	return nil
}

// restoreOne brings back one component, or lets an occurrence be as its series again.
func (e *edition) restoreOne(f former, a agenda.Amendment) error {
	id := a.Event
	deleted := id.Repeats() && e.occurrence(id) == nil
	if !deleted && !e.stands(id) {
		return ErrStale
	}
	was, err := componentOf(f.Component)
	if err != nil {
		return err
	}
	switch {
	case !id.Repeats():
		if was == nil {
			return ErrStale
		}
		was.putSequence(e.master.sequence())
		e.master = was
		e.moved(e.master)
		return nil
	case deleted && e.master != nil:
		as, err := e.form(e.master)
		if err != nil {
			return err
		}
		gone := as.wallAt(id.RecurrenceID)
		e.keepDates(e.master, as, func(wall time.Time) bool { return !wall.Equal(gone) })
		e.moved(e.master)
	default:
		c := e.overrideOf(id)
		e.overrides = slices.DeleteFunc(e.overrides, func(o *component) bool { return o == c })
	}
	if was != nil {
		e.overrides = append(e.overrides, was)
	}
	if e.assemble(); e.occurrence(id) == nil {
		return ErrStale // it went with the others, and it is not known how
	}
	return nil
}

// componentOf parses a component; nil for no text.
func componentOf(text string) (*component, error) {
	if text == "" {
		return nil, nil
	}
	calendars, err := parseComponents([]byte("BEGIN:VCALENDAR\r\n" + text + "END:VCALENDAR\r\n"))
	if err != nil {
		return nil, err
	}
	return calendars[0].children[0], nil
}

// restored is the event after a Restore.
func (e *edition) restored(a agenda.Amendment) meet.Occurrence {
	if o := e.occurrence(a.Event); o != nil {
		return *o
	}
	for _, o := range e.occurrences(a.Event.Span.Widen(wide, wide)) {
		return o
	}
	return meet.Occurrence{}
}
