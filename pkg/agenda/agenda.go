// Package agenda is a person's own day: what an event is to its owner's clients, which events a selection means, and
// the working copy on which changes are rehearsed before any is written.
package agenda

import (
	"cmp"
	"time"

	"convene/pkg/meet"
)

// Event is an event of a person's own calendars as clients get it. Times carry an offset; those of whole days are
// dates, with the end exclusive.
type Event struct {
	// ID names the occurrence among all of the person's calendars: the UID, for a series with the occurrence's own start.
	ID          string          `json:"id"`
	Title       string          `json:"title"`
	Start       string          `json:"start"`
	End         string          `json:"end"`
	AllDay      bool            `json:"allDay"`
	Attendees   []string        `json:"attendees"`
	Location    string          `json:"location"`
	Description string          `json:"description"`
	Status      string          `json:"status" enum:"confirmed,tentative"`
	Response    meet.Answer     `json:"response"`
	Organizer   string          `json:"organizer"`
	Visibility  meet.Visibility `json:"visibility"`
	Categories  []string        `json:"categories"`
	// Transparent events take none of their owner's time.
	Transparent bool           `json:"transparent"`
	Calendar    string         `json:"calendar"`
	Series      string         `json:"series"`
	Recurrence  string         `json:"recurrence"`
	Kind        meet.BlockKind `json:"kind"`
	// Pending marks an event of a working copy that is not written yet.
	Pending bool `json:"pending"`
}

// EventOf is what clients get of an occurrence, in a zone.
func EventOf(o meet.Occurrence, zone *time.Location) Event {
	e := Event{
		ID: o.Key(), Title: o.Title, Start: o.Span.Start.In(zone).Format(time.RFC3339),
		End: o.Span.End.In(zone).Format(time.RFC3339), AllDay: o.AllDay, Attendees: []string{}, Location: o.Location,
		Description: o.Description, Status: "confirmed", Visibility: o.Visibility,
		Calendar:   cmp.Or(o.CalendarName, o.Calendar),
		Recurrence: o.Recurrence, Kind: o.Kind, Transparent: o.Transparent, Categories: append([]string{}, o.Categories...),
	}
	if o.AllDay {
		e.Start, e.End = o.Span.Start.In(zone).Format(time.DateOnly), o.Span.End.In(zone).Format(time.DateOnly)
	}
	if o.Tentative {
		e.Status = "tentative"
	}
	if o.Repeats() {
		e.Series = o.UID
	}
	if o.Organizer != nil {
		e.Organizer = addressOf(*o.Organizer)
	}
	for _, a := range o.Attendees {
		e.Attendees = append(e.Attendees, addressOf(a))
		if a.Self {
			e.Response = a.Answer
		}
	}
	return e
}

// addressOf is the address of an attendee, or a name without one.
func addressOf(a meet.Attendee) string {
	if a.Email != "" {
		return a.Email
	}
	return a.Name
}
