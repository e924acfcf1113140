package icalendar

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// ErrStale says that the event is not as it was read, or is gone.
var ErrStale = errors.New("the event is not as it was read")

// The refusals of Editor.Amend that a person can do something about. If iCalendar cannot say a change of a whole
// series, as "every second Tuesday" moved to Wednesdays, its single occurrences can be changed.
var (
	ErrInexpressible = fault.New(fault.CalendarFailed, "This series cannot be changed in that way; its single events can.")
	ErrUninvited     = fault.New(fault.InvalidRequest, "You are not among the people invited to this event.")
	ErrReversed      = fault.New(fault.InvalidRequest, "The event must end after it starts.")
	ErrRule          = fault.New(fault.InvalidRequest, "The repetition is not an RRULE.")
)

// Editor changes calendar objects (RFC 4791, 4.1) for their owner: all components with one UID. Lines that a change
// does not concern stay as they are, apart from where they are folded.
type Editor struct {
	Owner Owner
	// Addresses are the owner's, beside Owner.Email. Name is written with the first of them.
	Addresses []string
	Name      string
	// Now is DTSTAMP and LAST-MODIFIED of what changes.
	Now time.Time
}

// Revision is an object after an amendment.
type Revision struct {
	// Object is the new object; nil if it is to be deleted.
	Object []byte
	// Split is the object of a series that goes on by itself from the occurrence on; nil if there is none. It is to be
	// written first: the same amendment makes the same UID.
	Split    []byte
	SplitUID string
	// Done says that the amendment was made before, and nothing is to be written. With a SplitUID the event may be in the
	// object with that UID: see Told.
	Done bool
	// Amended has the event by Object or Split, without what only its calendar knows, and the former object.
	agenda.Amended
}

// Amend is the object with an amendment of its event. It is a pure function: the same amendment of the same object
// gives the same revision. The object is nil if there is none.
func (ed Editor) Amend(object []byte, a agenda.Amendment) (Revision, error) {
	switch {
	case a.Set.Span != nil && !a.Set.Span.Start.Before(a.Set.Span.End):
		return Revision{}, ErrReversed
	case a.Kind == agenda.Restore:
		return ed.restore(object, a)
	case a.Kind == agenda.Create && object == nil:
		return ed.create(a)
	case object == nil && a.Kind == agenda.Delete:
		return Revision{Done: true}, nil
	case object == nil:
		return Revision{}, ErrStale
	}
	e, err := ed.open(object)
	if err != nil {
		return Revision{}, err
	}
	if e.made(a.Key) {
		done := Revision{Done: true, Amended: agenda.Amended{Event: e.told(a, nil)}}
		if a.Scope == meet.Following {
			done.SplitUID = UIDOf(a.Key)
		}
		return done, nil
	}
	if a.Kind == agenda.Create || !e.stands(a.Event) {
		if a.Kind == agenda.Delete && e.occurrence(a.Event) == nil {
			return Revision{Done: true}, nil
		}
		return Revision{}, ErrStale
	}
	scope := e.scope(a)
	former := e.former(a, scope)
	split, err := e.change(a, scope)
	if err != nil {
		return Revision{}, err
	}
	return e.revision(a, former, split)
}

// edition is an object that is being edited.
type edition struct {
	Editor
	calendars []*component
	// calendar is the one with the events.
	calendar  *component
	zones     *zones
	zone      *time.Location
	master    *component
	overrides []*component
	uid       string
}

// open parses an object to be edited.
func (ed Editor) open(object []byte) (*edition, error) {
	calendars, err := parseComponents(object)
	if err != nil {
		return nil, err
	}
	return ed.edit(calendars)
}

func (ed Editor) edit(calendars []*component) (*edition, error) {
	e := &edition{Editor: ed, calendars: calendars}
	for _, calendar := range calendars {
		for _, c := range calendar.children {
			switch {
			case c.name != "VEVENT":
			case c.first("RECURRENCE-ID") != nil:
				e.overrides, e.calendar = append(e.overrides, c), calendar
			default:
				e.master, e.calendar = c, calendar
			}
		}
	}
	if e.calendar == nil {
		return nil, ErrStale
	}
	e.zones = newZones(e.calendar)
	e.zone = cmp.Or(ed.Owner.Zone, e.zones.fallback, time.UTC)
	any := cmp.Or(e.master, append(e.overrides, nil)[0])
	if p := any.first("UID"); p != nil {
		e.uid = strings.TrimSpace(unescape(p.value))
	}
	return e, nil
}

// parts are the master, if there is one, and the overrides.
func (e *edition) parts() []*component {
	if e.master == nil {
		return e.overrides
	}
	return append([]*component{e.master}, e.overrides...)
}

// marks is how many changes a component remembers.
const marks = 5

// markOf names a change in an object.
func markOf(key string) string {
	sum := sha256.Sum256([]byte("change\x00" + key))
	return hex.EncodeToString(sum[:8])
}

// made reports whether the change was made before.
func (e *edition) made(key string) bool {
	return slices.ContainsFunc(e.parts(), func(c *component) bool {
		p := c.first(changesProperty)
		return p != nil && slices.Contains(strings.Split(p.value, ","), markOf(key))
	})
}

// touch marks a component as changed by the amendment.
func (e *edition) touch(c *component, key string) {
	list := []string{markOf(key)}
	if p := c.first(changesProperty); p != nil {
		list = append(list, strings.Split(p.value, ",")...)
	}
	c.put(changesProperty + ":" + strings.Join(list[:min(len(list), marks)], ","))
	c.put("DTSTAMP:" + utc(e.Now))
	c.put("LAST-MODIFIED:" + utc(e.Now))
}

// moved counts the revision of a component (RFC 5545, 3.8.7.4), if its owner is the organizer.
func (e *edition) moved(c *component) {
	if p := c.first("ORGANIZER"); p == nil || e.self(address(cmp.Or(p.params["EMAIL"], p.value))) {
		c.putSequence(c.sequence() + 1)
	}
}

func (c *component) sequence() int {
	n, _ := strconv.Atoi(c.text("SEQUENCE"))
	return n
}

func (c *component) putSequence(n int) { c.put("SEQUENCE:" + strconv.Itoa(n)) }

func (e *edition) self(email string) bool {
	return slices.ContainsFunc(append(e.Addresses, e.Owner.Email), func(own string) bool {
		return own != "" && address(own) == email
	})
}

// wide is added to a span in which an occurrence is looked for: it may have been moved.
const wide = 370 * day

// occurrences are those of the object that overlap span.
func (e *edition) occurrences(span interval.Span) []meet.Occurrence {
	if span.Empty() {
		span.End = span.Start.Add(time.Second)
	}
	for _, calendar := range e.calendars {
		for _, c := range calendar.children {
			c.told.Store(nil) // it may have been edited
		}
	}
	list, _, _ := scheduleOf(e.calendars).occurrences(func() error { return nil }, span, e.Owner, e.Addresses...)
	return list
}

// occurrence is the one that o was, wherever it stands now; nil if there is none. The UID may be one that its provider
// translated.
func (e *edition) occurrence(o meet.Occurrence) *meet.Occurrence {
	for _, is := range e.occurrences(o.Span.Widen(wide, wide)) {
		if is.RecurrenceID.Equal(o.RecurrenceID) {
			return &is
		}
	}
	return nil
}

// stands reports whether the event is there, as it was read.
func (e *edition) stands(o meet.Occurrence) bool {
	return slices.ContainsFunc(e.occurrences(o.Span), func(is meet.Occurrence) bool {
		return is.RecurrenceID.Equal(o.RecurrenceID) && is.Version == o.Version
	})
}

// scope is the part of the series that changes; empty for an event that does not repeat. The first occurrence and all
// that follow are all.
func (e *edition) scope(a agenda.Amendment) meet.Scope {
	switch {
	case !a.Event.Repeats():
		return ""
	case a.Scope == "":
		return meet.ThisOne
	case a.Scope == meet.Following && e.master != nil && !a.Event.RecurrenceID.After(e.start(e.master).moment(e.zone)):
		return meet.AllOfThem
	default:
		return a.Scope
	}
}

// change makes the amendment, and returns the series that was split off, if any.
func (e *edition) change(a agenda.Amendment, scope meet.Scope) (split *edition, err error) {
	if a.Kind == agenda.Respond {
		return nil, e.respond(a, scope)
	}
	switch scope {
	case meet.ThisOne:
		return nil, e.changeOne(a)
	case meet.Following:
		return e.changeFollowing(a)
	default:
		if a.Kind == agenda.Delete {
			e.master, e.overrides, e.calendars = nil, nil, nil
			return nil, nil
		}
		return nil, e.changeAll(a)
	}
}

// revision is what the edition became.
func (e *edition) revision(a agenda.Amendment, former former, split *edition) (Revision, error) {
	r := Revision{}
	e.assemble()
	if len(e.parts()) > 0 {
		r.Object = render(e.calendars...)
	}
	if split != nil {
		split.assemble()
		r.Split, r.SplitUID = render(split.calendars...), split.uid
	}
	var err error
	if r.Former, err = former.left(e, split); err != nil {
		return Revision{}, err
	}
	r.Event = e.told(a, split)
	return r, nil
}

// assemble puts the events back into their calendar, in the order of their lines.
func (e *edition) assemble() {
	if e.calendar == nil {
		return
	}
	others := slices.DeleteFunc(slices.Clone(e.calendar.children), func(c *component) bool { return c.name == "VEVENT" })
	e.calendar.children = append(others, e.parts()...)
}

// Told is the event of an amendment that was made, by the object that it is in now.
func (ed Editor) Told(object []byte, a agenda.Amendment) (meet.Occurrence, error) {
	e, err := ed.open(object)
	if err != nil {
		return meet.Occurrence{}, err
	}
	if a.Kind == agenda.Restore {
		return e.restored(a), nil
	}
	return e.told(a, nil), nil
}

// told is the event as it stands after the amendment: the occurrence that was named.
func (e *edition) told(a agenda.Amendment, split *edition) meet.Occurrence {
	if split != nil {
		e = split
	}
	after := a.After()
	if after == nil || len(e.parts()) == 0 {
		return meet.Occurrence{}
	}
	var found meet.Occurrence
	id := e.idAfter(a, after.Span.Start)
	for _, o := range e.occurrences(after.Span.Widen(wide, wide)) {
		switch {
		case o.RecurrenceID.Equal(id):
			return o
		case o.Span.Start.Equal(after.Span.Start):
			found = o // it became a series, or is no longer one
		}
	}
	return found
}

// idAfter is the RECURRENCE-ID of the named occurrence after the amendment: it moves with the series.
func (e *edition) idAfter(a agenda.Amendment, start time.Time) time.Time {
	id := a.Event.RecurrenceID
	if id.IsZero() || e.master == nil || a.Scope == "" || a.Scope == meet.ThisOne {
		return id
	}
	as, err := e.form(e.master)
	if err != nil {
		return id
	}
	by := as.wallAt(start).Sub(as.wallAt(a.Event.Span.Start))
	return as.zone.moment(as.wallAt(id).Add(by), e.zone)
}

func (e *edition) start(c *component) anchor { return e.anchorOf(c, "DTSTART") }

// anchorOf is the time of a property; zero if there is none that can be read.
func (e *edition) anchorOf(c *component, name string) anchor {
	p := c.first(name)
	if p == nil {
		return anchor{}
	}
	a, _ := parseAnchor(*p, p.value, e.zones)
	return a
}

// form is how a component writes its times.
func (e *edition) form(c *component) (form, error) {
	p := c.first("DTSTART")
	if p == nil {
		return form{}, ErrInexpressible
	}
	a, err := parseAnchor(*p, p.value, e.zones)
	if err != nil || a.zone.lost {
		return form{}, ErrInexpressible
	}
	return formOf(*p, a, e.zone), nil
}

// UIDOf is the UID of an event that the change with the key creates.
func UIDOf(key string) string {
	sum := sha256.Sum256([]byte("event\x00" + key))
	return hex.EncodeToString(sum[:16]) + "@agenda.convene"
}
