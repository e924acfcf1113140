package googletest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/calendar/calendartest"
)

// Put puts an event, written as JSON, into a calendar, or replaces the one that has its id.
func (s *Server) Put(tb testing.TB, calendar, event string) {
	tb.Helper()
	var e object
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		tb.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, _ := e["id"].(string)
	s.keep(s.calendars[calendar], id, e)
}

// Event is an event of a calendar as JSON, with everything that is known of it; empty where there is none.
func (s *Server) Event(calendar, id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, known := s.calendars[calendar].events[id]
	if !known {
		return ""
	}
	text, err := json.Marshal(kept.event)
	if err != nil {
		return ""
	}
	return string(text)
}

// IDs are the ids of the events in a calendar that are not deleted, in the order in which they came.
func (s *Server) IDs(calendar string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, id := range s.calendars[calendar].order {
		if s.calendars[calendar].events[id].event["status"] != "cancelled" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Foreign is what the events with that UID have that Convene does not know, sorted.
func (s *Server) Foreign(calendar, uid string) (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, kept := range s.calendars[calendar].events {
		e := copied(kept.event)
		if e["iCalUID"] != uid || e["status"] == "cancelled" {
			continue
		}
		properties, _ := e["extendedProperties"].(object)
		private, _ := properties["private"].(object)
		for _, v := range []any{e["colorId"], e["attachments"], e["reminders"], properties["shared"], private["other"]} {
			if text, err := json.Marshal(v); err == nil && v != nil {
				all = append(all, string(text))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Dump is everything that is kept in the calendar, and what guests were told.
func (s *Server) Dump(calendar string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := object{}
	for id, kept := range s.calendars[calendar].events {
		events[id] = kept.event
	}
	text, err := json.MarshalIndent(object{"events": events, "told": s.told}, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Edit changes the event with that UID as another program does.
func (s *Server) Edit(calendar, uid string, change func(event map[string]any)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calendars[calendar]
	for id, kept := range c.events {
		if kept.event["iCalUID"] == uid && kept.event["recurringEventId"] == nil {
			e := copied(kept.event)
			change(e)
			s.keep(c, id, e)
		}
	}
}

// Seed puts the events of the suite into a calendar, with what Google keeps beside them.
func (s *Server) Seed(calendar string, events ...calendartest.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calendars[calendar]
	for i, e := range events {
		id := fmt.Sprintf("seed%d", i)
		s.keep(c, id, c.resource(e))
		for _, m := range e.Moved {
			s.keep(c, c.instanceID(c.events[id].event, m.From), c.override(e, id, m, "confirmed"))
		}
		for _, from := range e.Cancelled {
			there := calendartest.Move{From: from, Start: from, End: from.Add(e.End.Sub(e.Start))}
			s.keep(c, c.instanceID(c.events[id].event, from), c.override(e, id, there, "cancelled"))
		}
	}
}

func (c *shelf) resource(e calendartest.Event) object {
	resource := object{
		"iCalUID": e.UID, "summary": e.Title, "start": c.at(e, e.Start), "end": c.at(e, e.End),
		"status": "confirmed", "eventType": "default", "organizer": object{"email": c.id, "self": true},
	}
	switch e.Kind {
	case calendartest.Transparent:
		resource["transparency"] = "transparent"
	case calendartest.Tentative:
		resource["status"] = "tentative"
	case calendartest.Cancelled:
		resource["status"] = "cancelled"
	case calendartest.Declined:
		resource["attendees"] = []any{
			object{"email": c.id, "responseStatus": "declined"}, object{"email": "al@example.com", "organizer": true},
		}
	case calendartest.OutOfOffice:
		resource["eventType"] = "outOfOffice"
	case calendartest.Opaque:
	}
	if e.Location != "" {
		resource["location"] = e.Location
	}
	if e.Private {
		resource["visibility"] = "private"
	}
	if e.Foreign {
		resource["colorId"], resource["attachments"] = "7", []any{object{"fileUrl": "https://example.com/1", "title": "1"}}
		resource["reminders"] = object{"useDefault": false, "overrides": []any{object{"method": "popup", "minutes": 25}}}
		resource["extendedProperties"] = object{"shared": object{"theirs": "1"}, "private": object{"other": "2"}}
	}
	if len(e.Guests) > 0 {
		guests := []any{object{"email": c.id, "self": true, "organizer": true, "responseStatus": "accepted"}}
		if by := e.Organizer; by != nil {
			resource["organizer"] = object{"email": by.Email, "displayName": by.Name}
			guests = nil
		}
		for _, g := range e.Guests {
			guests = append(guests, object{
				"email": g.Email, "displayName": g.Name, "responseStatus": cmp.Or(string(g.Answer), "needsAction"),
			})
		}
		resource["attendees"] = guests
	}
	if rules := c.recurrence(e); len(rules) > 0 {
		resource["recurrence"] = rules
	}
	return resource
}

// at is a time as Google keeps it. It has no floating times: they are taken in the calendar's zone.
func (c *shelf) at(e calendartest.Event, t time.Time) object {
	switch {
	case e.AllDay:
		return object{"date": t.Format(time.DateOnly)}
	case e.Floating:
		loc, err := time.LoadLocation(c.zone)
		if err != nil {
			loc = time.UTC
		}
		t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, loc)
	}
	return object{"dateTime": t.Format(time.RFC3339), "timeZone": t.Location().String()}
}

func (c *shelf) recurrence(e calendartest.Event) (rules []any) {
	if e.Rule != "" {
		rules = append(rules, "RRULE:"+e.Rule)
	}
	for _, t := range e.Without {
		rules = append(rules, "EXDATE:"+strings.TrimSpace(t.UTC().Format("20060102T150405Z")))
	}
	return rules
}

// override is one instance of a series as an event of its own.
func (c *shelf) override(e calendartest.Event, series string, to calendartest.Move, status string) object {
	one := c.resource(e)
	delete(one, "recurrence")
	one["recurringEventId"], one["originalStartTime"] = series, c.at(e, to.From)
	one["start"], one["end"], one["status"] = c.at(e, to.Start), c.at(e, to.End), status
	return one
}
