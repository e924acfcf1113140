package google

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	gcal "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	// eventFields are the requested fields of events: times and states, no text. Google has no coordinates of an event,
	// only text. With maxAttendees=1 the one attendee is the calendar's owner.
	eventFields googleapi.Field = "kind,nextPageToken,nextSyncToken,timeZone,accessRole," +
		"items(id,recurringEventId,iCalUID,status,transparency,eventType,start,end,attendees(self,responseStatus))"
	// pageSize is Google's maximum, and maxPages bounds a calendar without end.
	pageSize = 2500
	maxPages = 40
	// freeBusyRole is the access to free and busy only.
	freeBusyRole = "freeBusyReader"
	// farthestZone is more than the difference between any two zones: Google selects whole days in the calendar's zone,
	// and they count in the owner's.
	farthestZone = 26 * time.Hour
)

// freeBusyMark is the mark of a calendar that is read with freeBusy.query. Other marks are a zone and a sync token,
// separated by a space.
const freeBusyMark = "freebusy"

// errAnew says that a mark cannot be continued.
var errAnew = errors.New("the calendar has to be read anew")

// Sync reads all calendars of the person's that block, concurrently. Google allows no time bounds with a sync token, so
// changes are clipped to the span here. A mark of another zone is not used, because whole days have moved. A calendar
// that fails keeps its blocks and its mark, and makes the span unknown; one with a changed series is read anew.
func (c *Calendar) Sync(
	ctx context.Context, person meet.Person, span interval.Span, last calendar.Snapshot,
) (calendar.Snapshot, error) {
	now := calendar.Snapshot{Span: span, Marks: map[string]string{}}
	shelves, err := c.blocking(ctx, person.ID)
	if err != nil {
		if !errors.Is(err, calendar.ErrNoCalendar) {
			now.Unknown = interval.NewSet(span)
		}
		return now, err
	}
	if !last.Span.Start.Equal(span.Start) || !last.Span.End.Equal(span.End) {
		last = calendar.Snapshot{}
	}
	now, err = calendar.Merge(span, calendar.Gather(shelves, func(s shelf) calendar.Reading {
		r := reader{calendar: c, shelf: s, span: span, person: person}
		return r.read(ctx, reading{Blocks: last.BlocksOf(r.key), Mark: last.Marks[r.key]})
	}))
	slices.SortFunc(now.Blocks, inOrder)
	return now, err
}

// blocking are the person's calendars that block; calendar.ErrNoCalendar if there are none.
func (c *Calendar) blocking(ctx context.Context, person meet.PersonID) ([]shelf, error) {
	shelves, err := c.shelves(ctx, person)
	if err != nil {
		return nil, err
	}
	shelves = slices.DeleteFunc(shelves, func(s shelf) bool { return !s.Blocks })
	if len(shelves) == 0 {
		return nil, calendar.ErrNoCalendar
	}
	return shelves, nil
}

func inOrder(a, b calendar.Block) int {
	return cmp.Or(a.Span.Start.Compare(b.Span.Start), cmp.Compare(a.Calendar, b.Calendar), cmp.Compare(a.ID, b.ID))
}

type reading = calendar.Reading

type reader struct {
	calendar *Calendar
	shelf
	span   interval.Span
	person meet.Person
}

// read continues last if it can. If it fails, the result is last with the error.
func (r *reader) read(ctx context.Context, last reading) reading {
	now, err := r.goOn(ctx, last)
	if errors.Is(err, errAnew) {
		now, err = r.anew(ctx)
	}
	if err != nil {
		now, now.Err = last, err
	}
	now.Calendar = r.key
	return now
}

// goOn reads the changes since last.
func (r *reader) goOn(ctx context.Context, last reading) (reading, error) {
	if last.Mark == freeBusyMark || r.timesOnly {
		return r.freeBusy(ctx)
	}
	zoneBefore, token, ok := strings.Cut(last.Mark, " ")
	if !ok {
		return reading{}, errAnew
	}
	l, err := r.pages(ctx, r.list().SyncToken(token))
	if status := statusOf(err); status == http.StatusGone || status == http.StatusBadRequest || forbids(err) {
		return reading{}, errAnew
	}
	if err != nil {
		return reading{}, err
	}
	if r.zone(l).String() != zoneBefore || l.role == freeBusyRole {
		return reading{}, errAnew
	}
	now := reading{Blocks: slices.Clone(last.Blocks), Mark: r.markOf(l)}
	for _, e := range l.items {
		b, takes, err := r.block(e, r.zone(l))
		if err != nil || ofSeries(e, last.Blocks) {
			return reading{}, errAnew
		}
		now.Blocks = slices.DeleteFunc(now.Blocks, func(b calendar.Block) bool { return b.ID == e.Id })
		if takes {
			now.Blocks = append(now.Blocks, b)
		}
	}
	return now, nil
}

// ofSeries reports whether the changed event is a series or an instance, or was one before. Google does not document
// which instances a change of a series names, so that its calendar is read anew.
func ofSeries(e *gcal.Event, before []calendar.Block) bool {
	if _, ok := seriesOf(e.Id); ok || e.RecurringEventId != "" {
		return true
	}
	return slices.ContainsFunc(before, func(b calendar.Block) bool {
		series, ok := seriesOf(b.ID)
		return ok && series == e.Id
	})
}

// seriesOf is the series of an instance with that id: Google appends the time or date of the instance to the series'
// id.
func seriesOf(id string) (series string, ok bool) {
	i := strings.LastIndexByte(id, '_')
	if i <= 0 {
		return "", false
	}
	_, errTime := time.Parse("20060102T150405Z", id[i+1:])
	_, errDate := time.Parse("20060102", id[i+1:])
	return id[:i], errTime == nil || errDate == nil
}

// anew reads the whole span. A calendar whose events Google hides may still show when it is busy.
func (r *reader) anew(ctx context.Context) (reading, error) {
	wide := r.span.Widen(farthestZone, farthestZone)
	l, err := r.pages(ctx, r.list().TimeMin(rfc3339(wide.Start)).TimeMax(rfc3339(wide.End)))
	if forbids(err) {
		if now, err := r.freeBusy(ctx); err == nil {
			return now, nil
		}
	}
	if err != nil {
		return reading{}, err
	}
	if l.role == freeBusyRole {
		return r.freeBusy(ctx)
	}
	now := reading{Mark: r.markOf(l)}
	for _, e := range l.items {
		b, takes, err := r.block(e, r.zone(l))
		if err != nil {
			return reading{}, failed("read events", err)
		}
		if takes {
			now.Blocks = append(now.Blocks, b)
		}
	}
	return now, nil
}

// list is the request of each reading: a sync token continues only the same request.
func (r *reader) list() *gcal.EventsListCall {
	return r.api.Events.List(r.ID).SingleEvents(true).MaxAttendees(1).MaxResults(pageSize).Fields(eventFields)
}

// listing is all pages of a list.
type listing struct {
	items []*gcal.Event
	// zone is the calendar's own, and role the account's access to it.
	zone, role string
	// next is the sync token; empty if Google gave none.
	next string
	// rules are the RRULEs of series by their ids.
	rules map[string]string
}

func (r *reader) pages(ctx context.Context, call *gcal.EventsListCall) (listing, error) {
	var l listing
	for range maxPages {
		page, err := call.Context(ctx).Do()
		if err == nil && (page == nil || page.Kind != "calendar#events") {
			err = errNotUnderstood
		}
		if err != nil {
			return listing{}, failed("list events", err)
		}
		l.items = append(l.items, page.Items...)
		l.zone, l.role = cmp.Or(l.zone, page.TimeZone), cmp.Or(l.role, page.AccessRole)
		if page.NextPageToken == "" {
			l.next = page.NextSyncToken
			return l, nil
		}
		call.PageToken(page.NextPageToken)
	}
	return listing{}, failed("list events", fmt.Errorf("more than %d pages: %w", maxPages, errNotUnderstood))
}

// zone is the zone of whole days: the owner's, or the calendar's if that is not known.
func (r *reader) zone(l listing) *time.Location {
	for _, name := range []string{r.person.Timezone, l.zone, r.Timezone} {
		if loc, err := interval.Zone(name); err == nil && name != "" {
			return loc
		}
	}
	return time.UTC
}

func (r *reader) markOf(l listing) string {
	if l.next == "" {
		return ""
	}
	return r.zone(l).String() + " " + l.next
}

// block is the event's busy time; takes is false if it takes none of the span.
func (r *reader) block(e *gcal.Event, zone *time.Location) (b calendar.Block, takes bool, err error) {
	if e == nil || e.Id == "" {
		return b, false, fmt.Errorf("event without an id: %w", errNotUnderstood)
	}
	if !takesTime(e) {
		return b, false, nil
	}
	when, err := timeOf(e, zone)
	if err != nil {
		return b, false, err
	}
	return calendar.Block{
		Calendar: r.key, ID: e.Id, UID: r.calendar.identity.UID(uidOf(e)), Span: when,
	}, when.Overlaps(r.span), nil
}

// name is the calendar's id for freeBusy.query, which does not document the short name of the main calendar.
func (r *reader) name() string {
	if r.ID == mainCalendar {
		return r.key
	}
	return r.ID
}

// freeBusy reads when the calendar is busy, without events. Such a reading cannot be continued.
func (r *reader) freeBusy(ctx context.Context) (reading, error) {
	answer, err := r.api.Freebusy.Query(&gcal.FreeBusyRequest{
		TimeMin: rfc3339(r.span.Start), TimeMax: rfc3339(r.span.End.Add(time.Second - time.Nanosecond)),
		Items: []*gcal.FreeBusyRequestItem{{Id: r.name()}},
	}).Context(ctx).Do()
	if err == nil && (answer == nil || answer.Kind != "calendar#freeBusy") {
		err = errNotUnderstood
	}
	if err != nil {
		return reading{}, failed("query free and busy", err)
	}
	one, ok := answer.Calendars[r.name()]
	if !ok {
		return reading{}, failed("query free and busy", errNotUnderstood)
	}
	if len(one.Errors) > 0 {
		return reading{}, failed("query free and busy", asRefusal(one.Errors))
	}
	now := reading{Mark: freeBusyMark}
	if r.timesOnly {
		now.Mark = "" // more may be allowed by the next time
	}
	for _, period := range one.Busy {
		if period == nil {
			return reading{}, failed("query free and busy", errNotUnderstood)
		}
		busy, err := parseSpan(period.Start, period.End)
		if err != nil {
			return reading{}, failed("query free and busy", err)
		}
		now.Blocks = append(now.Blocks, calendar.Block{Calendar: r.key, Span: busy})
	}
	return now, nil
}

// asRefusal turns the errors that freeBusy.query has for one calendar into one for a whole answer.
func asRefusal(problems []*gcal.Error) error {
	refused := &googleapi.Error{Code: http.StatusBadGateway}
	for _, p := range problems {
		if p == nil {
			continue
		}
		refused.Errors = append(refused.Errors, googleapi.ErrorItem{Reason: p.Reason})
		if p.Reason == "notFound" {
			refused.Code = http.StatusNotFound
		}
	}
	return refused
}

// rfc3339 is t to the second, in Google's format.
func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }
