package google

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// content are new values of an event's fields, as Google has them; nil ones stay as they are.
type content struct {
	Status       *string             `json:"status,omitempty"`
	Summary      *string             `json:"summary,omitempty"`
	Location     *string             `json:"location,omitempty"`
	Description  *string             `json:"description,omitempty"`
	Transparency *string             `json:"transparency,omitempty"`
	Visibility   *string             `json:"visibility,omitempty"`
	Start        *gcal.EventDateTime `json:"start,omitempty"`
	End          *gcal.EventDateTime `json:"end,omitempty"`
	Recurrence   *[]string           `json:"recurrence,omitempty"`
	// Attendees are all of the event, or with OnlySelf the calendar's owner, whose answer alone changes.
	Attendees *[]*gcal.EventAttendee `json:"attendees,omitempty"`
	OnlySelf  bool                   `json:"onlySelf,omitempty"`
	// Private are properties; an empty value removes one.
	Private map[string]string `json:"private,omitempty"`
}

// texts are the values that are text, and textsOf those of an event, both in the order of textNames.
func (c *content) texts() []**string {
	return []**string{&c.Status, &c.Summary, &c.Location, &c.Description, &c.Transparency, &c.Visibility}
}

func textsOf(e *gcal.Event) []*string {
	return []*string{&e.Status, &e.Summary, &e.Location, &e.Description, &e.Transparency, &e.Visibility}
}

var textNames = []string{"Status", "Summary", "Location", "Description", "Transparency", "Visibility"}

// empty reports whether the content changes nothing.
func (c content) empty() bool {
	text, err := json.Marshal(c)
	return err == nil && string(text) == "{}"
}

// event is the body of a request that writes the content.
func (c content) event() *gcal.Event {
	e := &gcal.Event{AttendeesOmitted: c.OnlySelf}
	for i, text := range c.texts() {
		if *text != nil {
			*textsOf(e)[i] = **text
			e.ForceSendFields = append(e.ForceSendFields, textNames[i])
		}
	}
	e.Start, e.End = instead(c.Start), instead(c.End)
	if c.Recurrence != nil {
		e.Recurrence, e.ForceSendFields = *c.Recurrence, append(e.ForceSendFields, "Recurrence")
	}
	if c.Attendees != nil {
		e.Attendees, e.ForceSendFields = *c.Attendees, append(e.ForceSendFields, "Attendees")
	}
	if len(c.Private) > 0 {
		e.ExtendedProperties = &gcal.EventExtendedProperties{Private: map[string]string{}}
		for name, value := range c.Private {
			if value == "" {
				e.ExtendedProperties.NullFields = append(e.ExtendedProperties.NullFields, "Private."+name)
			} else {
				e.ExtendedProperties.Private[name] = value
			}
		}
	}
	return e
}

// instead is a time that takes the place of a date, or a date that takes the place of a time.
func instead(t *gcal.EventDateTime) *gcal.EventDateTime {
	if t == nil {
		return nil
	}
	at := &gcal.EventDateTime{Date: t.Date, DateTime: t.DateTime, TimeZone: t.TimeZone}
	at.NullFields = []string{"Date"}
	if t.Date != "" {
		at.NullFields = []string{"DateTime"}
	}
	return at
}

// of are the values in e of the fields that c changes. A visibility and a transparency that Google leaves out are the
// defaults.
func (c content) of(e *gcal.Event) content {
	whole := contentOf(e)
	for i, is := range whole.texts() {
		if of := c.texts()[i]; *of != nil {
			*of = *is
		}
	}
	if c.Start != nil {
		c.Start, c.End = whole.Start, whole.End
	}
	if c.Recurrence != nil {
		c.Recurrence = whole.Recurrence
	}
	switch {
	case c.OnlySelf:
		c.Attendees = &[]*gcal.EventAttendee{selfOf(e)}
	case c.Attendees != nil:
		c.Attendees = whole.Attendees
	}
	private := map[string]string{}
	for name := range c.Private {
		private[name] = whole.Private[name]
	}
	c.Private = private
	return c
}

// contentOf is all of an event that an amendment may change.
func contentOf(e *gcal.Event) content {
	visibility, transparency := e.Visibility, e.Transparency
	if visibility == "" {
		visibility = "default"
	}
	if transparency == "" {
		transparency = "opaque"
	}
	recurrence, attendees := slices.Clone(e.Recurrence), slices.Clone(e.Attendees)
	if recurrence == nil {
		recurrence = []string{}
	}
	if attendees == nil {
		attendees = []*gcal.EventAttendee{}
	}
	c := content{
		Status: &e.Status, Summary: &e.Summary, Location: &e.Location, Description: &e.Description,
		Transparency: &transparency, Visibility: &visibility, Start: e.Start, End: e.End, Recurrence: &recurrence,
		Attendees: &attendees, Private: map[string]string{},
	}
	for _, name := range []string{propertyKind, propertyCategories} {
		c.Private[name] = privateOf(e)[name]
	}
	return c
}

func selfOf(e *gcal.Event) *gcal.EventAttendee {
	i := slices.IndexFunc(e.Attendees, func(a *gcal.EventAttendee) bool { return a != nil && a.Self })
	if i < 0 {
		return nil
	}
	return e.Attendees[i]
}

// wanted are the new values of the fields in an event, without its time and its recurrence.
func (w *amender) wanted(f agenda.Fields, there *gcal.Event) content {
	c := content{Summary: f.Title, Location: f.Location, Description: f.Description, Private: map[string]string{}}
	if f.Transparent != nil {
		transparency := "opaque"
		if *f.Transparent {
			transparency = "transparent"
		}
		c.Transparency = &transparency
	}
	if f.Visibility != nil {
		visibility := string(*f.Visibility)
		if visibility == "" {
			visibility = "default"
		}
		c.Visibility = &visibility
	}
	if f.Kind != nil {
		c.Private[propertyKind] = string(*f.Kind)
	}
	if f.Categories != nil {
		text, _ := json.Marshal(*f.Categories) // strings always have a JSON form
		c.Private[propertyCategories] = string(text)
		if len(*f.Categories) == 0 {
			c.Private[propertyCategories] = ""
		}
	}
	if len(f.Invite)+len(f.Uninvite) > 0 {
		attendees := w.attendees(f, there.Attendees)
		c.Attendees = &attendees
	}
	return c
}

// attendees are those there with the invited ones, and without the uninvited. The first guest of an event makes its
// owner an attendee too, who has accepted.
func (w *amender) attendees(f agenda.Fields, there []*gcal.EventAttendee) []*gcal.EventAttendee {
	is := func(address string) func(*gcal.EventAttendee) bool {
		return func(a *gcal.EventAttendee) bool { return a != nil && strings.EqualFold(a.Email, address) }
	}
	all := slices.DeleteFunc(slices.Clone(there), func(a *gcal.EventAttendee) bool {
		return a == nil || !a.Self && !a.Organizer &&
			slices.ContainsFunc(f.Uninvite, func(gone meet.Attendee) bool { return strings.EqualFold(gone.Email, a.Email) })
	})
	for _, added := range f.Invite {
		if added.Email == "" || added.Self || slices.ContainsFunc(all, is(added.Email)) {
			continue
		}
		if len(all) == 0 && w.self != "" && !strings.EqualFold(added.Email, w.self) {
			all = append(all, &gcal.EventAttendee{
				Email: w.self, DisplayName: w.person.Name, ResponseStatus: "accepted", Self: true,
			})
		}
		all = append(all, &gcal.EventAttendee{
			Email: added.Email, DisplayName: added.Name, ResponseStatus: "needsAction",
		})
	}
	return all
}

// times are a span as Google has it: dates on the owner's clocks, or times in the zone with that name.
func (w *amender) times(span interval.Span, allDay bool, zone string) (start, end *gcal.EventDateTime) {
	one := func(t time.Time) *gcal.EventDateTime {
		if allDay {
			return &gcal.EventDateTime{Date: interval.DateOf(t.In(w.zone(listing{}))).String()}
		}
		loc, err := interval.Zone(zone)
		if err != nil || zone == "" {
			loc = w.zone(listing{})
		}
		return &gcal.EventDateTime{DateTime: t.In(loc).Format(time.RFC3339), TimeZone: loc.String()}
	}
	return one(span.Start), one(span.End)
}

// timed adds the new time of one event, if f names it.
func (w *amender) timed(c *content, f agenda.Fields, there *gcal.Event) {
	if f.Span == nil && f.AllDay == nil && f.Recurrence == nil {
		return
	}
	span, allDay := w.a.Event.Span, wholeDay(there)
	if f.Span != nil {
		span = *f.Span
	}
	if f.AllDay != nil {
		allDay = *f.AllDay
	}
	c.Start, c.End = w.times(span, allDay, zoneOf(there))
}

func zoneOf(e *gcal.Event) string {
	if e.Start == nil {
		return ""
	}
	return e.Start.TimeZone
}

// created is a new event as Google has it.
func (w *amender) created(o meet.Occurrence, id, uid string) (*gcal.Event, error) {
	if !o.Span.Start.Before(o.Span.End) {
		return nil, fmt.Errorf("a new event without a time: %w", errNotUnderstood)
	}
	fields := agenda.Fields{
		Title: &o.Title, Location: &o.Location, Description: &o.Description, Transparent: &o.Transparent,
		Visibility: &o.Visibility, Kind: &o.Kind, Categories: &o.Categories, Invite: o.Guests(),
	}
	c := w.wanted(fields, &gcal.Event{})
	c.Start, c.End = w.times(o.Span, o.AllDay, "")
	if o.Recurrence != "" {
		c.Recurrence = &[]string{rrule + o.Recurrence}
	}
	c.Private[propertyUID] = uid
	c.Private[propertyMarks] = w.mark(id)
	e := c.event()
	e.Id, e.Status = id, "confirmed"
	e.ExtendedProperties.NullFields = nil
	if o.Tentative {
		e.Status = "tentative"
	}
	return e, nil
}
