package microsoft

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

var _ calendar.Agenda = (*Calendar)(nil)

// agendaSelection are the requested fields of a person's own events, for that person.
const agendaSelection = selection + ",subject,sensitivity,originalStart,organizer,attendees"

// Events are those of all calendars of the person's accounts that block.
func (c *Calendar) Events(
	ctx context.Context, person meet.Person, span interval.Span,
) ([]meet.Occurrence, error) {
	accounts, err := c.connected(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	all := sources(accounts, person)
	lists, errs := make([][]meet.Occurrence, len(all)), make([]error, len(all))
	var wg sync.WaitGroup
	for i, s := range all {
		wg.Go(func() { lists[i], errs[i] = c.events(ctx, s, person, span) })
	}
	wg.Wait()
	return slices.Concat(lists...), calendar.Join(errs...)
}

// events are one source's.
func (c *Calendar) events(
	ctx context.Context, s source, person meet.Person, span interval.Span,
) (list []meet.Occurrence, err error) {
	if s.account.Problem != "" {
		return nil, fault.New(fault.CalendarFailed, "%s", s.account.Problem)
	}
	query := window(span).with("$select", agendaSelection).with("$top", viewPage)
	_, err = c.pages(ctx, by(s.account.ID), get(s.path()+"/calendarView", query), func(e *event) error {
		_, own := uidOf(e.transaction)
		if e.cancelled || e.kind == "seriesMaster" || s.ownOnly && !own {
			return nil
		}
		o, err := c.occurrence(s, e, person)
		if o.Span.Overlaps(span) {
			list = append(list, o)
		}
		return err
	})
	if err != nil {
		err = asFault(fmt.Errorf("read calendar: %w", err))
	}
	return list, err
}

// occurrence is what Graph tells of an event.
func (c *Calendar) occurrence(s source, e *event, person meet.Person) (meet.Occurrence, error) {
	when, err := e.span(s.zone)
	o := meet.Occurrence{
		Provider: string(account.Microsoft), Calendar: s.key(), ID: e.id, UID: c.learn(e),
		Title: e.subject, Location: e.place, Span: when, AllDay: e.allDay,
		Tentative: e.showAs == "tentative", Transparent: e.showAs == "free" || e.showAs == "workingElsewhere",
		Visibility: visibilities[e.sensitivity],
	}
	if e.originalStart != "" && err == nil {
		o.RecurrenceID, err = time.Parse(time.RFC3339, e.originalStart)
	}
	if by := e.organizer.attendee(); by.Email != "" {
		by.Self = e.response == "organizer"
		o.Organizer = &by
	}
	self := false
	for _, g := range e.attendees {
		a := g.attendee()
		a.Self = strings.EqualFold(a.Email, s.account.Address) || strings.EqualFold(a.Email, person.Email)
		if a.Self && e.response != "" {
			a.Answer, self = answers[e.response], true
		}
		if g.kind != "resource" {
			o.Attendees = append(o.Attendees, a)
		}
	}
	if !self && answers[e.response] == meet.Declined {
		o.Attendees = append(o.Attendees, meet.Attendee{Email: s.account.Address, Answer: meet.Declined, Self: true})
	}
	return o, err
}

// guest is an attendee or the organizer of an event.
type guest struct {
	object
	name, address, kind, response string
}

func newGuest() *guest {
	g := &guest{}
	g.object = object(g.fields())
	return g
}

func (g *guest) fields() fields {
	return fields{
		"emailAddress": inside(fields{"name": text(&g.name), "address": text(&g.address)}), "type": text(&g.kind),
		"status": inside(fields{"response": text(&g.response)}),
	}
}

func (g *guest) attendee() meet.Attendee {
	return meet.Attendee{Name: g.name, Email: strings.ToLower(g.address), Answer: answers[g.response]}
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
