package google

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	gcal "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// agendaFields are the requested fields of a person's own events, for that person.
const agendaFields googleapi.Field = "kind,nextPageToken,timeZone,accessRole,items(id,etag,iCalUID,recurringEventId," +
	"extendedProperties(private),status,transparency,eventType,visibility,summary,location,description,start,end," +
	"originalStartTime,locked,guestsCanModify,organizer(email,displayName,self)," +
	"attendees(email,displayName,self,resource,responseStatus))"

// rulesFields are the requested fields of series.
const rulesFields googleapi.Field = "kind,nextPageToken,timeZone,accessRole,items(id,recurrence)"

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
	for _, e := range l.items {
		if e == nil || e.Id == "" {
			return nil, failed("read events", errNotUnderstood)
		}
	}
	if l.rules, err = r.rules(ctx, l.items, wide); err != nil {
		return nil, err
	}
	var list []meet.Occurrence
	for _, e := range l.items {
		if e.Status == cancelled || e.EventType == "workingLocation" {
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

// rules are the RRULEs of all series with instances in the list, by the series' ids. One request reads those of the
// span.
func (r *reader) rules(ctx context.Context, instances []*gcal.Event, wide interval.Span) (map[string]string, error) {
	if !slices.ContainsFunc(instances, func(e *gcal.Event) bool { return e.RecurringEventId != "" }) {
		return nil, nil
	}
	l, err := r.pages(ctx, r.api.Events.List(r.ID).SingleEvents(false).MaxAttendees(1).MaxResults(pageSize).
		Fields(rulesFields).TimeMin(rfc3339(wide.Start)).TimeMax(rfc3339(wide.End)))
	rules := map[string]string{}
	for _, e := range l.items {
		if e != nil && len(e.Recurrence) > 0 {
			rules[e.Id] = ruleOf(e)
		}
	}
	return rules, err
}

// ruleOf is the RRULE of a series; empty without one.
func ruleOf(series *gcal.Event) string {
	for _, line := range series.Recurrence {
		if rule, ok := strings.CutPrefix(line, rrule); ok {
			return rule
		}
	}
	return ""
}

// rrule begins the line of a rule.
const rrule = "RRULE:"

// occurrence is what Google tells of an event.
func (r *reader) occurrence(e *gcal.Event, l listing) (meet.Occurrence, error) {
	when, err := timeOf(e, r.zone(l))
	o := meet.Occurrence{
		Provider: string(account.Google), Calendar: r.key, ID: e.Id, UID: r.calendar.identity.UID(uidOf(e)),
		Title: e.Summary, Location: e.Location, Description: e.Description, Span: when, AllDay: wholeDay(e),
		Recurrence: l.rules[e.RecurringEventId], Kind: meet.BlockKind(privateOf(e)[propertyKind]),
		ReadOnly:  l.role == readerRole || e.Locked,
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
	if text := privateOf(e)[propertyCategories]; text != "" && json.Unmarshal([]byte(text), &o.Categories) != nil {
		o.Categories = nil // another program wrote it
	}
	o.Version = versionOf(e, o)
	o.CalendarName, o.Theirs = r.Name, !mayModify(e)
	return o, err
}

// wholeDay reports whether the event has dates in place of times.
func wholeDay(e *gcal.Event) bool { return e.Start != nil && e.Start.Date != "" }

// readerRole is the access to events that cannot be changed.
const readerRole = "reader"

// mayModify reports whether the calendar's owner may change the event for everyone: as its organizer, or because that
// one lets guests.
func mayModify(e *gcal.Event) bool {
	return e.Organizer == nil || e.Organizer.Self || e.GuestsCanModify
}

// versionOf is the event's entity tag. Google does not say what becomes of an instance's when another instance of its
// series changes, so that the version of an instance is a digest of what its owner sees.
func versionOf(e *gcal.Event, o meet.Occurrence) string {
	if e.RecurringEventId == "" {
		return e.Etag
	}
	o.Version = ""
	text, _ := json.Marshal(o) // a struct of strings and times always has a JSON form
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// answers are the meanings of responseStatus; others are no answer.
var answers = map[string]meet.Answer{
	"accepted": meet.Accepted, "declined": meet.Declined, "tentative": meet.Undecided,
}

var _ calendar.Agenda = (*Calendar)(nil)
