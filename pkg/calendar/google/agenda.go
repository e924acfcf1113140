package google

import (
	"context"
	"strings"

	gcal "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// agendaFields are the requested fields of a person's own events, for that person.
const agendaFields googleapi.Field = "kind,nextPageToken,timeZone,accessRole,items(id,iCalUID,extendedProperties," +
	"status,transparency,eventType,visibility,summary,location,start,end,originalStartTime," +
	"organizer(email,displayName,self),attendees(email,displayName,self,resource,responseStatus))"

// mostGuests bounds the attendees that Google tells of one event; of more it tells only the owner.
const mostGuests = 100

// events are the calendar's events in the span.
func (r *reader) events(ctx context.Context) ([]meet.Occurrence, error) {
	hidden := fault.New(fault.CalendarFailed, "the Google calendar shows only free and busy times; connect it once more")
	if r.timesOnly {
		return nil, hidden
	}
	wide := r.span.Widen(farthestZone, farthestZone)
	l, err := r.pages(ctx, r.api.Events.List(r.ID).SingleEvents(true).MaxAttendees(mostGuests).MaxResults(pageSize).
		Fields(agendaFields).TimeMin(rfc3339(wide.Start)).TimeMax(rfc3339(wide.End)))
	switch {
	case forbids(err) || err == nil && l.role == freeBusyRole:
		return nil, hidden.Because(err)
	case err != nil:
		return nil, err
	}
	var list []meet.Occurrence
	for _, e := range l.items {
		if e == nil || e.Id == "" {
			return nil, failed("read events", errNotUnderstood)
		}
		if e.Status == "cancelled" || e.EventType == "workingLocation" {
			continue
		}
		o, err := r.occurrence(e, l)
		if err != nil {
			return nil, failed("read events", err)
		}
		if o.Span.Overlaps(r.span) {
			list = append(list, o)
		}
	}
	return list, nil
}

// occurrence is what Google tells of an event.
func (r *reader) occurrence(e *gcal.Event, l listing) (meet.Occurrence, error) {
	when, err := timeOf(e, r.zone(l))
	o := meet.Occurrence{
		Provider: string(account.Google), Calendar: r.key, ID: e.Id, UID: r.calendar.identity.UID(uidOf(e)),
		Title: e.Summary, Location: e.Location, Span: when, AllDay: e.Start != nil && e.Start.Date != "",
		Tentative: e.Status == "tentative", Transparent: e.EventType != "outOfOffice" && e.Transparency == "transparent",
	}
	if e.Visibility != "default" {
		o.Visibility = meet.Visibility(e.Visibility)
	}
	if e.OriginalStartTime != nil && err == nil {
		var was meet.Occurrence
		was, err = r.occurrence(&gcal.Event{Start: e.OriginalStartTime, End: e.OriginalStartTime}, l)
		o.RecurrenceID = was.Span.Start
	}
	if by := e.Organizer; by != nil {
		o.Organizer = &meet.Attendee{Name: by.DisplayName, Email: strings.ToLower(by.Email), Self: by.Self}
	}
	for _, a := range e.Attendees {
		if a != nil && !a.Resource {
			o.Attendees = append(o.Attendees, meet.Attendee{
				Name: a.DisplayName, Email: strings.ToLower(a.Email), Answer: answers[a.ResponseStatus], Self: a.Self,
			})
		}
	}
	return o, err
}

// answers are the meanings of responseStatus; others are no answer.
var answers = map[string]meet.Answer{
	"accepted": meet.Accepted, "declined": meet.Declined, "tentative": meet.Undecided,
}

var _ calendar.Agenda = (*Calendar)(nil)
