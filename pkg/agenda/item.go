package agenda

import (
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Occurrence is the event as it was listed for its owner, in a zone: what can be matched and counted, and nothing that
// could be written. Its error is a fault that names the wrong member.
func (e Event) Occurrence(owner meet.Person, zone *time.Location) (meet.Occurrence, error) {
	o := meet.Occurrence{
		UID: e.ID, Calendar: e.Calendar, Title: e.Title, Location: e.Location, Description: e.Description, AllDay: e.AllDay,
		Tentative: e.Status == "tentative", Visibility: e.Visibility, Recurrence: e.Recurrence, Kind: e.Kind,
		Transparent: e.Transparent, Categories: e.Categories,
	}
	if at, repeats := strings.CutPrefix(e.ID, e.Series+"@"); repeats && e.Series != "" {
		if first, err := time.Parse(recurrenceForm, at); err == nil {
			o.UID, o.RecurrenceID = e.Series, first
		}
	}
	start, err := moment("start", e.Start, zone)
	if err != nil {
		return o, err
	}
	end, err := moment("end", e.End, zone)
	if err != nil {
		return o, err
	}
	o.Span = interval.Span{Start: start, End: end}
	if e.Organizer != "" {
		by := attendee(e.Organizer, e.Response, owner)
		o.Organizer = &by
	}
	for _, address := range e.Attendees {
		o.Attendees = append(o.Attendees, attendee(address, e.Response, owner))
	}
	return o, nil
}

// recurrenceForm is that of the start in the id of an occurrence of a series.
const recurrenceForm = "20060102T150405Z"

// moment reads a time with an offset, a local one, or a date.
func moment(field, text string, zone *time.Location) (time.Time, error) {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(form, text, zone); err == nil {
			return t.In(zone), nil
		}
	}
	return time.Time{}, fault.Invalid(field,
		"%q is no time. Write 2026-11-27T09:00:00+01:00, or 2026-11-27 for whole days.", text)
}

// attendee is a person by an address, or by a name.
func attendee(address string, answer meet.Answer, owner meet.Person) meet.Attendee {
	if !strings.Contains(address, "@") {
		return meet.Attendee{Name: address}
	}
	if strings.EqualFold(address, owner.Email) {
		return meet.Attendee{Name: owner.Name, Email: address, Answer: answer, Self: true}
	}
	return meet.Attendee{Email: address}
}
