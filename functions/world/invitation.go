package world

import (
	"context"
	"maps"
	"slices"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// Invitation is an event to which a mail invites its owner, or which it calls off (RFC 5546, 3.2). All of it was
// written by others.
type Invitation struct {
	meet.Occurrence
	Cancelled bool
	// Standing is the event in the owner's calendar; nil if it is not there.
	Standing *meet.Occurrence
	// Elsewhere says that another than the organizer sent the mail.
	Elsewhere bool
}

// InvitationItem is an invitation as a tool gives it.
type InvitationItem struct {
	Method string       `json:"method" enum:"request,cancel"`
	Event  agenda.Event `json:"event"`
	// InCalendar says that the event is in the owner's calendar.
	InCalendar bool `json:"inCalendar"`
	// FromOrganizer says that the mail's sender is the event's organizer.
	FromOrganizer bool `json:"fromOrganizer"`
	// Conflicts are the owner's events at that time.
	Conflicts []agenda.Event `json:"conflicts"`
}

// InvitationIn is the invitation that a mail carries; nil if it carries none that can be read.
func (w *World) InvitationIn(ctx context.Context, m mail.Message) (*Invitation, error) {
	if w.Invitation == nil || m.Invitation != "request" && m.Invitation != "cancel" {
		return nil, nil //nolint:nilnil // most mails carry none
	}
	o, err := w.Invitation(m.Object)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // it is shown as the mail that it is
	}
	is := &Invitation{Occurrence: o, Cancelled: m.Invitation == "cancel"}
	is.Elsewhere = o.Organizer == nil || !m.From.Is(o.Organizer.Email)
	found, err := w.Find(ctx, agenda.Selection{IDs: []string{o.Key(), o.UID}})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && len(found.Events) > 0 {
		is.Standing = &found.Events[0]
	}
	return is, nil
}

// TellInvitation says what a mail invites to, how it goes with the owner's calendar, and what can be done.
func (w *World) TellInvitation(ctx context.Context, m mail.Message) (text string, item *InvitationItem, err error) {
	is, err := w.InvitationIn(ctx, m)
	if is == nil || err != nil {
		return "", nil, err
	}
	inTheWay, readErr := w.taking(ctx, is.Span, is.UID)
	if ctx.Err() != nil {
		return "", nil, ctx.Err()
	}
	item = &InvitationItem{
		Method: m.Invitation, Event: w.Events([]meet.Occurrence{is.Occurrence}, false)[0], InCalendar: is.Standing != nil,
		FromOrganizer: !is.Elsewhere, Conflicts: w.Events(inTheWay, false),
	}
	title, when := w.Voice().Title(is.Title), w.Voice().Span(is.Span, is.AllDay)
	var parts []string
	tell := func(name string, pairs ...string) { parts = append(parts, w.Say(name, pairs...)) }
	switch {
	case is.Cancelled:
		tell("calledOff", "title", title, "when", when)
		if is.Standing != nil {
			tell("stillThere")
		}
	case is.Standing == nil:
		tell("invites", "title", title, "when", when)
	case is.Standing.Span != is.Span:
		tell("invitesElsewhen", "title", title, "when", when,
			"there", w.Voice().Span(is.Standing.Span, is.Standing.AllDay))
	default:
		tell("invitesThere", "title", title, "when", when)
	}
	if is.Elsewhere {
		tell("notOrganizer")
	}
	if !is.Cancelled {
		parts = append(parts, w.against(inTheWay, readErr))
	}
	return strings.TrimSpace(strings.Join(parts, " ")), item, nil
}

// against says how a time goes with the owner's calendar.
func (w *World) against(events []meet.Occurrence, err error) string {
	switch {
	case len(events) > 0:
		return w.Say("clash", "titles", w.Titles(events))
	case err != nil:
		return w.Say("unread")
	}
	return w.Say("suits")
}

// Invitations are the events to which mails of the inbox invite and that are still to come, by their ids; those that a
// later mail calls off are not among them.
func (w *World) Invitations(ctx context.Context) (map[string]*Invitation, error) {
	inbox := string(mail.Inbox)
	found, err := w.FindMails(ctx, mail.Selection{Folder: &inbox}, MostMails)
	if err != nil {
		return nil, err
	}
	all := map[string]*Invitation{}
	const looked = 50 // of the newest: providers that list only headers do not tell who carries an invitation
	for i, listed := range found.Mails {
		if listed.Invitation == "" && i >= looked {
			continue
		}
		m, err := w.ReadMail(ctx, listed.ID)
		if err != nil {
			return nil, err
		}
		is, err := w.InvitationIn(ctx, m)
		if err != nil {
			return nil, err
		}
		if is != nil && all[is.Key()] == nil {
			all[is.Key()] = is
		}
	}
	maps.DeleteFunc(all, func(_ string, is *Invitation) bool { return is.Cancelled || !is.Span.End.After(w.Now) })
	return all, nil
}

// taking are the owner's events that take time of a span, but not those of one UID.
func (w *World) taking(ctx context.Context, span interval.Span, but string) ([]meet.Occurrence, error) {
	events, err := w.Agenda.Events(ctx, span)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return slices.DeleteFunc(events, func(o meet.Occurrence) bool {
		return o.UID == but && but != "" || o.Transparent || o.AllDay || o.Declined() || !o.Span.Overlaps(span)
	}), err
}

// Offered is a time that a mail proposes, as a tool gives it.
type Offered struct {
	Start string `json:"start"`
	End   string `json:"end"`
	// Free says that the owner is known to be free all of that time.
	Free      bool           `json:"free"`
	Conflicts []agenda.Event `json:"conflicts"`
}

// TellOffers says how the times that a mail proposes go with the owner's calendar; empty if it proposes none.
func (w *World) TellOffers(ctx context.Context, m mail.Message) (text string, all []Offered, err error) {
	var lines []string
	for _, span := range mail.Offers(m, w.Now) {
		events, readErr := w.taking(ctx, span, "")
		if ctx.Err() != nil {
			return "", nil, ctx.Err()
		}
		all = append(all, Offered{
			Start: span.Start.Format(rfc3339), End: span.End.Format(rfc3339), Free: readErr == nil && len(events) == 0,
			Conflicts: w.Events(events, false),
		})
		lines = append(lines, "- "+w.Period(span)+": "+w.against(events, readErr))
	}
	if len(lines) == 0 {
		return "", nil, nil
	}
	return w.Say("offers") + "\n" + strings.Join(lines, "\n"), all, nil
}

const rfc3339 = "2006-01-02T15:04:05Z07:00"
