package microsoft

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/mail"
	"slices"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// change are new values of an event's fields by their names at Graph, as JSON.
type change map[string]any

// amendSelection are the requested fields beside those of a reading: what an amendment may change, and what a copy of
// an event has too.
const amendSelection = "recurrence,hasAttachments,responseRequested,isOnlineMeeting,onlineMeetingProvider," +
	"cancelledOccurrences," + copiedFields

// copiedFields are what a copy of an event has beside what an amendment may change.
const copiedFields = "importance,isReminderOn,reminderMinutesBeforeStart,allowNewTimeProposals,hideAttendees"

// amendable are the fields that an amendment may change or copy.
var amendable = strings.Split("subject,body,location,isAllDay,showAs,sensitivity,categories,recurrence,attendees,"+
	"responseRequested,isOnlineMeeting,onlineMeetingProvider,"+copiedFields, ",")

// detailed is an event with all that an amendment reads.
type detailed struct{ *event }

// UnmarshalJSON keeps the amendable fields also as Graph gave them.
func (d *detailed) UnmarshalJSON(text []byte) error {
	d.event = &event{}
	if err := cmp.Or(json.Unmarshal(text, d.event), json.Unmarshal(text, &d.raw)); err != nil {
		return err
	}
	maps.DeleteFunc(d.raw, func(name string, _ any) bool { return !slices.Contains(amendable, name) })
	return nil
}

// zoneOf is the zone in which the event was made, or its owner's.
func (w *amender) zoneOf(e *event) *time.Location {
	if loc, err := zoneNamed(e.OriginalStartTimeZone); err == nil && e.OriginalStartTimeZone != "" {
		return loc
	}
	return w.source.zone
}

// startOf is when the event starts; zero if Graph does not tell.
func (w *amender) startOf(e *event) time.Time {
	span, err := e.span(w.source.zone)
	if err != nil {
		return time.Time{}
	}
	return span.Start
}

// put sets the time of an event in the zone in which it was made.
func (c change) put(span interval.Span, allDay bool, loc *time.Location) {
	one := func(t time.Time) stamp {
		if !allDay {
			return stampIn(t, loc.String())
		}
		day := interval.DateOf(t.In(loc))
		return stamp{day.String() + "T00:00:00", stampIn(day.Start(loc), loc.String()).TimeZone}
	}
	c["start"], c["end"], c["isAllDay"] = one(span.Start), one(span.End), allDay
}

// wanted are the new values of the fields in an event, without its time and its recurrence.
func (w *amender) wanted(f agenda.Fields, there *event) (change, error) {
	c := change{}
	if f.Title != nil {
		c["subject"] = *f.Title
	}
	if f.Location != nil {
		c["location"] = map[string]any{"displayName": *f.Location}
	}
	if f.Description != nil {
		if there.IsOnlineMeeting {
			return nil, fault.New(fault.CalendarFailed,
				"the notes of an online meeting hold how to join it; change them in Outlook")
		}
		c["body"] = map[string]any{"contentType": "text", "content": *f.Description}
	}
	if f.Transparent != nil {
		c["showAs"] = "busy"
		if *f.Transparent {
			c["showAs"] = "free"
		}
	}
	if f.Visibility != nil {
		c["sensitivity"] = "normal"
		if *f.Visibility == meet.Private || *f.Visibility == meet.Confidential {
			c["sensitivity"] = string(*f.Visibility)
		}
	}
	if f.Kind != nil || f.Categories != nil {
		c["categories"] = categories(f, there)
	}
	if len(f.Invite)+len(f.Uninvite) > 0 {
		c["attendees"] = invited(f, there)
	}
	return c, nil
}

// categories are those of the event with the new ones, and one for its kind.
func categories(f agenda.Fields, there *event) []string {
	is := func(kind bool) []string {
		return slices.DeleteFunc(slices.Clone(there.Categories), func(one string) bool {
			return strings.HasPrefix(one, kindCategory) != kind
		})
	}
	plain, kinds := is(false), is(true)
	if f.Categories != nil {
		plain = slices.Clone(*f.Categories)
	}
	if f.Kind != nil {
		kinds = nil
		if *f.Kind != "" {
			kinds = []string{kindCategory + string(*f.Kind)}
		}
	}
	return append(append([]string{}, plain...), kinds...)
}

// invited are the attendees there, as Graph gave them, with the invited ones and without the uninvited.
func invited(f agenda.Fields, there *event) []any {
	raw, _ := there.raw["attendees"].([]any)
	has := func(list []meet.Attendee, address string) bool {
		return slices.ContainsFunc(list, func(a meet.Attendee) bool { return strings.EqualFold(a.Email, address) })
	}
	all := []any{}
	var known []meet.Attendee
	for i, g := range there.Attendees {
		if !has(f.Uninvite, g.EmailAddress.Address) {
			all, known = append(all, raw[i]), append(known, g.attendee())
		}
	}
	for _, added := range f.Invite {
		if _, err := mail.ParseAddress(added.Email); err != nil || added.Self || has(known, added.Email) {
			continue
		}
		all = append(all, attendee(added.Email, added.Name))
	}
	return all
}

// timed adds the new time and recurrence of one event.
func (w *amender) timed(c change, there *event) error {
	f := w.a.Set
	span, allDay, loc := w.a.Event.Span, there.IsAllDay, w.zoneOf(there)
	if f.Span != nil {
		span = *f.Span
	}
	if f.AllDay != nil {
		allDay = *f.AllDay
	}
	if f.Span != nil || f.AllDay != nil || f.Recurrence != nil {
		c.put(span, allDay, loc)
	}
	if f.Recurrence == nil || there.SeriesMasterID != "" {
		return nil
	}
	return c.repeat(*f.Recurrence, span.Start.In(loc))
}

// repeat sets the recurrence; an empty rule ends it.
func (c change) repeat(rule string, start time.Time) error {
	c["recurrence"] = nil
	if rule == "" {
		return nil
	}
	r, err := patterned(rule, start)
	if err != nil {
		return fault.New(fault.CalendarFailed, "Outlook knows no such repetition.").Because(err)
	}
	c["recurrence"] = r
	return nil
}

func (w *amender) created(o meet.Occurrence) (change, error) {
	if !o.Span.Start.Before(o.Span.End) {
		return nil, errors.New("a new event without a time")
	}
	c, err := w.wanted(agenda.Fields{
		Title: &o.Title, Location: &o.Location, Description: &o.Description, Transparent: &o.Transparent,
		Visibility: &o.Visibility, Kind: &o.Kind, Categories: &o.Categories, Invite: o.Guests(),
	}, &event{})
	if err != nil {
		return nil, err
	}
	if o.Tentative {
		c["showAs"] = "tentative"
	}
	c.put(o.Span, o.AllDay, w.source.zone)
	if o.Recurrence == "" {
		return c, nil
	}
	return c, c.repeat(o.Recurrence, o.Span.Start.In(w.source.zone))
}

// before are the values there of what a change names. Bodies are read again as they were written.
func (w *amender) before(ctx context.Context, there *event, c change) (change, error) {
	was := change{}
	if _, ok := c["body"]; ok {
		written, err := w.readWith(ctx, there.ID, "")
		if err != nil || written == nil {
			return nil, errors.Join(err, errors.New("the event's body could not be read"))
		}
		there.raw["body"] = written.raw["body"]
	}
	for name := range c {
		was[name] = there.raw[name]
	}
	if _, ok := c["start"]; ok {
		span, err := there.span(w.source.zone)
		if err != nil {
			return nil, err
		}
		was.put(span, there.IsAllDay, w.zoneOf(there))
	}
	return was, nil
}

// copyOf are the values of another event like it. What Graph assigns, a meeting link or an attachment, is not copied.
func (w *amender) copyOf(there *event) change {
	c := change{}
	for name, value := range there.raw {
		if value != nil {
			c[name] = value
		}
	}
	if !there.IsOnlineMeeting {
		delete(c, "isOnlineMeeting")
		delete(c, "onlineMeetingProvider")
	}
	if span, err := there.span(w.source.zone); err == nil {
		c.put(span, there.IsAllDay, w.zoneOf(there))
	}
	return c
}
