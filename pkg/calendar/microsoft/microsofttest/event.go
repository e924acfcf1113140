package microsofttest

import (
	"cmp"
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
	// Invited says that another person is the organizer, who is known by By.
	Invited   bool
	By        meet.Attendee
	Attendees []string
	// Guests are attendees with their names and answers.
	Guests      []meet.Attendee
	Sensitivity string
	Categories  []string
	Location    string
	JoinURL     string
	// At is where the location is; nil where nobody has chosen one with coordinates.
	At *geo.Point
	// Rule is an RRULE; empty for a single event. Without are the starts of instances that are gone.
	Rule    string
	Without []time.Time
	Moved   []calendartest.Move

	properties map[string]string
	// overrides are the exceptions of a series, by the starts that it gave them.
	overrides map[int64]*Event
	// recurrence is that of a series which a client wrote.
	recurrence map[string]any
	// other is what else a client or another program wrote.
	other map[string]any
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
	if e.overrides == nil {
		e.overrides = map[int64]*Event{}
	}
	for _, m := range e.Moved {
		one := e.occurrence(m.Start)
		one.End = m.End
		e.overrides[m.From.Unix()] = one
	}
	e.Moved = nil
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
	if by := e.Organizer; by != nil {
		out.Invited, out.By = true, *by
	}
	if e.Foreign {
		out.other = map[string]any{"importance": "high", "isReminderOn": true, "reminderMinutesBeforeStart": 25}
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

// occurrence is one of a series as an event of its own.
func (e *Event) occurrence(start time.Time) *Event {
	one := *e
	one.Start, one.End = start, start.Add(e.End.Sub(e.Start))
	one.Rule, one.recurrence, one.Without, one.Moved, one.overrides = "", nil, nil, nil, nil
	one.properties = maps.Clone(e.properties)
	one.other = maps.Clone(e.other)
	return &one
}

// repeats reports whether the event is a series.
func (e *Event) repeats() bool { return e.Rule != "" || e.recurrence != nil }

// instance is one occurrence of an event.
type instance struct {
	*Event
	// series is nil for an event that does not repeat.
	series     *Event
	start, end time.Time
	// kind is singleInstance, occurrence or exception; from is when an instance was meant to start.
	kind string
	from time.Time
}

// instances are those of e that overlap the window, in order.
func (e *Event) instances(from, until time.Time) []instance {
	var all []instance
	for _, one := range e.all(until) {
		if one.overlaps(from, until) {
			all = append(all, one)
		}
	}
	return all
}

// all are the occurrences that take place, as far as a month after a time.
func (e *Event) all(until time.Time) []instance {
	if !e.repeats() {
		return []instance{{Event: e, start: e.Start, end: e.End, kind: "singleInstance", from: e.Start}}
	}
	set, err := e.option()
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
		one := instance{Event: e, series: e, start: at, end: at.Add(e.End.Sub(e.Start)), kind: "occurrence", from: at}
		if own := e.overrides[at.Unix()]; own != nil {
			one.Event, one.start, one.end, one.kind = own, own.Start, own.End, "exception"
		}
		if !slices.ContainsFunc(e.Without, at.Equal) {
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
	if i.series == nil {
		return i.ID
	}
	return strings.TrimSuffix(i.series.ID, "=") + i.from.UTC().Format(".20060102T150405") + "="
}

// iCalUID is the event's own, and for an instance of a series one with its date in it.
func (i instance) iCalUID() string {
	if i.series == nil {
		return i.ICalUID
	}
	data := "vCal-Uid\x01\x00\x00\x00" + i.series.ICalUID + "\x00"
	return fmt.Sprintf("040000008200E00074C5B7101A82E008%04X%02X%02X%016X%016X%08X%X",
		i.from.Year(), int(i.from.Month()), i.from.Day(), 0, 0, len(data), data)
}

// etag is the series' for all of its occurrences: Exchange keeps them in one item.
func (i instance) etag() string {
	if i.series != nil {
		return i.series.etag()
	}
	return i.Event.etag()
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
	if i.series != nil {
		out["seriesMasterId"] = i.series.ID
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
		"bodyPreview": i.Body, "showAs": cmp.Or(i.ShowAs, "busy"), "isCancelled": i.Cancelled, "isAllDay": i.AllDay,
		"isOrganizer": !i.Invited, "originalStartTimeZone": windows, "location": i.location(),
		"responseStatus": map[string]any{"response": cmp.Or(i.Response, response), "time": "0001-01-01T00:00:00Z"},
		"onlineMeeting":  nil, "attendees": i.guests(), "categories": append([]string{}, i.Categories...),
		"body": map[string]any{"contentType": "html", "content": htmlStart + i.Body + htmlEnd}, "recurrence": nil,
	})
	maps.Copy(out, i.other)
	if i.By.Email != "" {
		out["organizer"] = map[string]any{"emailAddress": map[string]any{"name": i.By.Name, "address": i.By.Email}}
	}
	out["sensitivity"] = cmp.Or(i.Sensitivity, "normal")
	if i.series != nil {
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
			"status": map[string]any{"response": cmp.Or(responses[g.Answer], "none")},
		})
	}
	return guests
}

// responses are Graph's names of answers.
var responses = map[meet.Answer]string{
	meet.Accepted: "accepted", meet.Declined: "declined", meet.Undecided: "tentativelyAccepted",
}

// The frame that Exchange gives a body as HTML.
const (
	htmlStart = "<html><body>"
	htmlEnd   = "</body></html>"
)

// master is the series of the instances.
func (e *Event) master() map[string]any {
	out := instance{Event: e, start: e.Start, end: e.End, kind: "seriesMaster"}.full()
	out["recurrence"] = e.pattern()
	gone := []string{}
	for _, at := range e.Without {
		gone = append(gone, "OID."+e.ID+"."+at.In(e.Start.Location()).Format(time.DateOnly))
	}
	out["cancelledOccurrences"] = gone
	exceptions := []map[string]any{}
	for _, i := range e.all(e.Start.AddDate(3, 0, 0)) {
		if i.kind == "exception" {
			exceptions = append(exceptions, i.full())
		}
	}
	out["exceptionOccurrences"] = exceptions
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
	for _, prefer := range r.Header.Values("Prefer") {
		if body, ok := out["body"].(map[string]any); ok && prefer == `outlook.body-content-type="text"` {
			text, _ := body["content"].(string)
			text = strings.TrimSuffix(strings.TrimPrefix(text, htmlStart), htmlEnd)
			out["body"] = map[string]any{"contentType": "text", "content": strings.ReplaceAll(text, "\n", "\r\n") + "\r\n"}
		}
	}
	return out
}

// Dump is all that is kept of the calendar's events, as Graph tells it, with what clients left in them.
func (m *Mailbox) Dump(c *Calendar) (all []any) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	for _, e := range c.events {
		notes := map[string]any{"": e.properties}
		for at, x := range e.overrides {
			notes[fmt.Sprint(at)] = x.properties
		}
		all = append(all, e.whole(), notes)
	}
	return all
}

// Foreign is what the events with that UID have that Convene does not know, sorted: their own, and that of an event
// which took the place of one that was deleted.
func (m *Mailbox) Foreign(c *Calendar, uid string) (all []string) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	for _, e := range c.events {
		if e.ICalUID != uid && !strings.HasSuffix(e.TransactionID, "."+uid) {
			continue
		}
		for name, value := range e.other {
			all = append(all, fmt.Sprint(name, "=", value))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// With is the event with more fields as Graph tells them.
func (e Event) With(fields map[string]any) Event {
	e.other = maps.Clone(fields)
	return e
}
