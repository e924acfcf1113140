package microsoft

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/account"
	"convene/pkg/account/graph"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

var _ calendar.Agenda = (*Calendar)(nil)

// agendaSelection are the requested fields of a person's own events, for that person.
const agendaSelection = selection + ",subject,sensitivity,originalStart,organizer,attendees,seriesMasterId," +
	"isOrganizer,body,categories"

// plainBody asks for bodies as text.
const plainBody = `outlook.body-content-type="text"`

// Events are those of all calendars of the person's accounts that block.
func (c *Calendar) Events(
	ctx context.Context, person meet.Person, span interval.Span,
) ([]meet.Occurrence, error) {
	accounts, err := c.connected(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	return calendar.GatherAll(sources(accounts, person), func(s source) ([]meet.Occurrence, error) {
		return c.events(ctx, s, person, span)
	})
}

func (c *Calendar) events(
	ctx context.Context, s source, person meet.Person, span interval.Span,
) (list []meet.Occurrence, err error) {
	if s.account.Problem != "" {
		return nil, fault.New(fault.CalendarFailed, "%s", s.account.Problem)
	}
	first := graph.Get(s.path()+"/calendarView", window(span).With("$select", agendaSelection).With("$top", viewPage))
	first.Prefer = []string{plainBody}
	var events []*event
	_, err = graph.Walk(ctx, c.graph, graph.By(s.account.ID), first, func(e *event) error {
		_, own := uidOf(e.TransactionID)
		if !e.IsCancelled && e.Type != "seriesMaster" && (!s.ownOnly || own) {
			events = append(events, e)
		}
		return nil
	})
	if err == nil {
		err = c.rules(ctx, s, events)
	}
	if err == nil {
		s.readOnly, err = c.readOnly(ctx, s)
	}
	for _, e := range events {
		o, readErr := c.occurrence(s, e, person)
		err = errors.Join(err, readErr)
		if o.Span.Overlaps(span) {
			list = append(list, o)
		}
	}
	if err != nil {
		err = asFault(fmt.Errorf("read calendar: %w", err))
	}
	return list, err
}

// readOnly reports whether the calendar's events may only be read, as of calendars that others share. An account may
// always change its main one.
func (c *Calendar) readOnly(ctx context.Context, s source) (bool, error) {
	if s.id == "" {
		return false, nil
	}
	editable := graph.Get(s.path(), graph.Query{}.With("$select", "canEdit"))
	one, err := graph.Ask[listed](ctx, c.graph, graph.By(s.account.ID), editable)
	if err != nil {
		return false, err
	}
	return one.CanEdit != nil && !*one.CanEdit, nil
}

// batchSize is how many requests Graph takes in a batch.
const batchSize = 20

// rules reads the RRULEs of all series with occurrences among the events, in batches.
func (c *Calendar) rules(ctx context.Context, s source, events []*event) error {
	bySeries := map[string][]*event{}
	for _, e := range events {
		if e.SeriesMasterID != "" {
			bySeries[e.SeriesMasterID] = append(bySeries[e.SeriesMasterID], e)
		}
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(bySeries)), batchSize) {
		var asked []change
		for n, id := range ids {
			asked = append(asked, change{
				"id": strconv.Itoa(n), "method": http.MethodGet, "headers": change{"Prefer": graph.ImmutableIDs},
				"url": "/me/events/" + url.PathEscape(id) + "?$select=id,recurrence",
			})
		}
		answer, err := graph.Ask[batch](ctx, c.graph, graph.By(s.account.ID), graph.Request{
			Method: http.MethodPost, Target: "/$batch", Body: change{"requests": asked},
		})
		if err != nil {
			return fmt.Errorf("read series: %w", err)
		}
		for _, one := range answer.Responses {
			for _, e := range bySeries[one.Body.ID] {
				e.rule = one.Body.Recurrence.rule()
			}
		}
	}
	return nil
}

// batch is the answer to a batch of requests for series; that to a refused one has no id.
type batch struct {
	Responses []struct {
		Body event `json:"body"`
	} `json:"responses"`
}

// occurrence is what Graph tells of an event.
func (c *Calendar) occurrence(s source, e *event, person meet.Person) (meet.Occurrence, error) {
	when, err := e.span(s.zone)
	o := meet.Occurrence{
		Provider: string(account.Microsoft), Calendar: s.key(), ID: e.ID, UID: c.learn(e),
		Title: e.Subject, Location: e.Location.DisplayName, Span: when, AllDay: e.IsAllDay,
		Tentative: e.ShowAs == "tentative", Transparent: e.ShowAs == "free" || e.ShowAs == "workingElsewhere",
		Visibility: visibilities[e.Sensitivity], Description: plain(e.Body.Content), Recurrence: e.rule,
		ReadOnly: s.readOnly,
	}
	for _, category := range e.Categories {
		if kind, ok := strings.CutPrefix(category, kindCategory); ok {
			o.Kind = meet.BlockKind(kind)
		} else {
			o.Categories = append(o.Categories, category)
		}
	}
	if e.OriginalStart != "" && err == nil {
		o.RecurrenceID, err = time.Parse(time.RFC3339, e.OriginalStart)
	}
	if by := e.Organizer.attendee(); by.Email != "" {
		by.Self = e.ResponseStatus.Response == "organizer"
		o.Organizer = &by
	}
	self := false
	for _, g := range e.Attendees {
		a := g.attendee()
		a.Self = strings.EqualFold(a.Email, s.account.Address) || strings.EqualFold(a.Email, person.Email)
		if a.Self && e.ResponseStatus.Response != "" {
			a.Answer, self = answers[e.ResponseStatus.Response], true
		}
		if g.Type != "resource" {
			o.Attendees = append(o.Attendees, a)
		}
	}
	if !self && answers[e.ResponseStatus.Response] == meet.Declined {
		o.Attendees = append(o.Attendees, meet.Attendee{Email: s.account.Address, Answer: meet.Declined, Self: true})
	}
	o.Version = versionOf(o)
	o.CalendarName, o.Theirs = s.name, e.invited()
	return o, err
}

// kindCategory begins the category that tells the kind of a time block: no other field for it is in every reading.
const kindCategory = "Convene: "

// plain is a body as it was written: Exchange ends it with a line break, and writes lines in its own way.
func plain(body string) string {
	return strings.TrimRight(strings.ReplaceAll(body, "\r\n", "\n"), "\n ")
}

// versionOf is a digest of what the owner sees of an event: the entity tag of an occurrence also changes with others of
// its series.
func versionOf(o meet.Occurrence) string {
	// Not every process knows whose UID a guest's copy has, and not every reading the rights of the account.
	o.Version, o.UID, o.ReadOnly = "", "", false
	text, _ := json.Marshal(o) // a struct of strings and times always has a JSON form
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// guest is an attendee or the organizer of an event.
type guest struct {
	Type         string `json:"type"`
	EmailAddress struct {
		Name    string `json:"name"`
		Address string `json:"address"`
	} `json:"emailAddress"`
	Status response `json:"status"`
}

func (g guest) attendee() meet.Attendee {
	is := g.EmailAddress
	return meet.Attendee{Name: is.Name, Email: strings.ToLower(is.Address), Answer: answers[g.Status.Response]}
}

// answers are the meanings of a response, and visibilities those of a sensitivity; others are none.
var (
	answers = map[string]meet.Answer{
		"accepted": meet.Accepted, "organizer": meet.Accepted, "declined": meet.Declined,
		"tentativelyAccepted": meet.Undecided,
	}
	visibilities = map[string]meet.Visibility{
		"private": meet.Private, "personal": meet.Private, "confidential": meet.Confidential,
	}
)
