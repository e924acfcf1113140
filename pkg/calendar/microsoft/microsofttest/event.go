package microsofttest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/geo"
	"convene/pkg/meet"
)

// Event is an event in a calendar, as Graph keeps it.
type Event struct {
	ID, ICalUID, TransactionID, Subject, Body string
	// Start and End carry the zone in which the event was made; of an AllDay event their dates count, End excluded.
	Start, End time.Time
	AllDay     bool
	// ShowAs and Response are busy and organizer where they are empty.
	ShowAs, Response string
	Cancelled        bool
	// Invited says that another person is the organizer.
	Invited   bool
	Attendees []string
	// Guests are attendees with their names and answers.
	Guests      []meet.Attendee
	Sensitivity string
	Location    string
	JoinURL     string
	// At is where the location is; nil where nobody has chosen one with coordinates.
	At *geo.Point
	// Rule is an RRULE; empty for a single event. Without are the starts of instances that are gone.
	Rule    string
	Without []time.Time
	Moved   []calendartest.Move

	properties map[string]string
	// written is the body by which a repeated creation is known again.
	written string
	version int
}

// Put adds the event to the calendar, or replaces the one with its ID.
func (m *Mailbox) Put(c *Calendar, e Event) *Event {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	return m.server.put(c, &e)
}

func (s *Server) put(c *Calendar, e *Event) *Event {
	if e.ID == "" {
		e.ID = s.id("event")
	}
	s.version++
	e.version = s.version
	c.events = append(slices.DeleteFunc(c.events, func(o *Event) bool { return o.ID == e.ID }), e)
	return e
}

// Delete takes an event out of the calendar, as its owner does in Outlook.
func (m *Mailbox) Delete(c *Calendar, id string) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	m.server.drop(c, id)
}

func (s *Server) drop(c *Calendar, id string) {
	s.version++
	c.events = slices.DeleteFunc(c.events, func(e *Event) bool { return e.ID == id })
	c.gone = append(c.gone, removal{id, s.version})
}

// Events are what stands in the calendar.
func (m *Mailbox) Events(c *Calendar) []Event {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	var events []Event
	for _, e := range c.events {
		events = append(events, *e)
	}
	return events
}

// From is an event of the suite's as Exchange keeps it for owner. Exchange knows no floating times: they are the
// owner's.
func From(owner meet.Person, e calendartest.Event) Event {
	out := Event{
		ICalUID: e.UID, Subject: e.Title, Start: e.Start, End: e.End, AllDay: e.AllDay,
		Rule: e.Rule, Moved: e.Moved, Without: append(slices.Clone(e.Without), e.Cancelled...), At: e.At,
	}
	out.Location, out.Guests = e.Location, e.Guests
	if e.Private {
		out.Sensitivity = "private"
	}
	switch e.Kind {
	case calendartest.Opaque:
	case calendartest.Transparent:
		out.ShowAs = "free"
	case calendartest.Tentative:
		out.ShowAs = "tentative"
	case calendartest.OutOfOffice:
		out.ShowAs = "oof"
	case calendartest.Cancelled:
		out.Cancelled = true
	case calendartest.Declined:
		out.Response, out.Invited = "declined", true
	}
	if e.Floating {
		local := func(t time.Time) time.Time {
			return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, owner.Zone())
		}
		out.Start, out.End = local(e.Start), local(e.End)
	}
	return out
}

// instance is one occurrence of an event.
type instance struct {
	*Event
	start, end time.Time
	// kind is singleInstance, occurrence or exception; from is when an instance was meant to start.
	kind string
	from time.Time
}

// instances are those of e that overlap the window, in order.
func (e *Event) instances(from, until time.Time) []instance {
	if e.Rule == "" {
		one := instance{Event: e, start: e.Start, end: e.End, kind: "singleInstance", from: e.Start}
		if one.overlaps(from, until) {
			return []instance{one}
		}
		return nil
	}
	set, err := rrule.StrToROption(e.Rule)
	if err != nil {
		return nil
	}
	set.Dtstart = e.Start
	rule, err := rrule.NewRRule(*set)
	if err != nil {
		return nil
	}
	var all []instance
	for _, at := range rule.Between(e.Start, until.AddDate(0, 1, 0), true) {
		one := instance{Event: e, start: at, end: at.Add(e.End.Sub(e.Start)), kind: "occurrence", from: at}
		for _, m := range e.Moved {
			if m.From.Equal(at) {
				one.start, one.end, one.kind = m.Start, m.End, "exception"
			}
		}
		without := slices.ContainsFunc(e.Without, at.Equal)
		if !without && one.overlaps(from, until) {
			all = append(all, one)
		}
	}
	return all
}

// overlaps goes by the times that Exchange keeps: a whole day is midnight to midnight UTC.
func (i instance) overlaps(from, until time.Time) bool {
	start, end := i.kept()
	return start.Before(until) && end.After(from)
}

func (i instance) kept() (start, end time.Time) {
	if !i.AllDay {
		return i.start.UTC(), i.end.UTC()
	}
	date := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }
	return date(i.start), date(i.end)
}

func (i instance) id() string {
	if i.Rule == "" {
		return i.ID
	}
	return strings.TrimSuffix(i.ID, "=") + i.from.UTC().Format(".20060102T150405") + "="
}

// iCalUID is the event's own, and for an instance of a series one with its date in it.
func (i instance) iCalUID() string {
	if i.Rule == "" {
		return i.ICalUID
	}
	data := "vCal-Uid\x01\x00\x00\x00" + i.ICalUID + "\x00"
	return fmt.Sprintf("040000008200E00074C5B7101A82E008%04X%02X%02X%016X%016X%08X%X",
		i.from.Year(), int(i.from.Month()), i.from.Day(), 0, 0, len(data), data)
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

func stamped(t time.Time) map[string]any {
	return map[string]any{"dateTime": t.Format("2006-01-02T15:04:05.0000000"), "timeZone": "UTC"}
}

// etag changes with every change of the event.
func (e *Event) etag() string { return fmt.Sprintf(`W/"%d"`, e.version) }

// bare is an occurrence as a delta tells it.
func (i instance) bare() map[string]any {
	start, end := i.kept()
	out := map[string]any{"id": i.id(), "type": i.kind, "start": stamped(start), "end": stamped(end)}
	if i.Rule != "" {
		out["seriesMasterId"] = i.ID
	}
	return out
}

// full is an event as Graph tells it where nothing was selected.
func (i instance) full() map[string]any {
	response := "organizer"
	if i.Invited {
		response = "notResponded"
	}
	windows, _ := icalendar.WindowsName(i.Start.Location(), i.Start)
	out := i.bare()
	maps.Copy(out, map[string]any{
		"@odata.etag": i.etag(), "iCalUId": i.iCalUID(), "subject": i.Subject,
		"bodyPreview": i.Body, "showAs": or(i.ShowAs, "busy"), "isCancelled": i.Cancelled, "isAllDay": i.AllDay,
		"isOrganizer": !i.Invited, "originalStartTimeZone": windows, "location": i.location(),
		"responseStatus": map[string]any{"response": or(i.Response, response), "time": "0001-01-01T00:00:00Z"},
		"onlineMeeting":  nil, "attendees": i.guests(),
	})
	if i.Sensitivity != "" {
		out["sensitivity"] = i.Sensitivity
	}
	if i.Rule != "" {
		out["originalStart"] = i.from.UTC().Format(time.RFC3339)
	}
	if i.TransactionID != "" {
		out["transactionId"] = i.TransactionID
	}
	if i.JoinURL != "" {
		out["onlineMeeting"] = map[string]any{"joinUrl": i.JoinURL}
	}
	return out
}

// location is where the event is; Graph has empty coordinates for a place that a person typed.
func (i instance) location() map[string]any {
	coordinates := map[string]any{}
	if i.At != nil {
		coordinates = map[string]any{"latitude": i.At.Latitude, "longitude": i.At.Longitude}
	}
	return map[string]any{"displayName": i.Location, "coordinates": coordinates}
}

func (i instance) guests() []map[string]any {
	guests := []map[string]any{}
	for _, a := range i.Attendees {
		guests = append(guests, map[string]any{"type": "required", "emailAddress": map[string]any{"address": a}})
	}
	for _, g := range i.Guests {
		guests = append(guests, map[string]any{
			"type": "required", "emailAddress": map[string]any{"name": g.Name, "address": g.Email},
			"status": map[string]any{"response": or(string(g.Answer), "none")},
		})
	}
	return guests
}

// master is the series of the instances.
func (e *Event) master() map[string]any {
	out := instance{Event: e, start: e.Start, end: e.End, kind: "seriesMaster", from: e.Start}.full()
	out["id"], out["iCalUId"], out["seriesMasterId"] = e.ID, e.ICalUID, nil
	return out
}

// selected leaves what $select names, the id always.
func selected(r *http.Request, all map[string]any) map[string]any {
	names := r.URL.Query().Get("$select")
	if names == "" {
		return all
	}
	out := map[string]any{"id": all["id"], "@odata.etag": all["@odata.etag"]}
	for name := range strings.SplitSeq(names, ",") {
		if value, ok := all[name]; ok {
			out[name] = value
		}
	}
	return out
}
