package calendar

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed notify_attendees.md
var notifyAttendeesWords string

type notifyAttendees struct {
	Selection *agenda.Selection `json:"selection" jsonschema:"nullable"`
	People    []string          `json:"people"`
	Subject   *string           `json:"subject" jsonschema:"nullable"`
	Text      *string           `json:"text" jsonschema:"nullable"`
}

// Notified is the data of the tool that writes to guests.
type Notified struct {
	Emails []world.MailItem `json:"emails"`
}

// NotifyAttendees writes to the guests of events.
func NotifyAttendees() world.Tool {
	is := changes(meet.Execute)
	is.Needs = "mail"
	return world.Define("calendar_notifyAttendees", world.WithSelection(notifyAttendeesWords), is, notify)
}

func notify(ctx context.Context, w *world.World, in notifyAttendees) (answer world.Answer[Notified], err error) {
	answer = world.Answer[Notified]{Data: Notified{Emails: []world.MailItem{}}, Display: meet.ConfirmationDisplay}
	var notes []string
	events := []meet.Occurrence{{}} // people without an event
	if in.Selection != nil {
		found, err := w.Targets(ctx, *in.Selection)
		if err != nil {
			return answer, err
		}
		events, notes = found.Events, w.Notes(found)
	} else if in.Text == nil || len(in.People) == 0 {
		return answer, tool.BadArgument("selection", "say which events, or to whom to write what")
	}
	for _, o := range events {
		l, err := in.letter(w, o)
		if err != nil {
			return answer, err
		}
		if len(l.To) == 0 {
			continue
		}
		c, l, err := w.Letter(ctx, l)
		if err != nil {
			return answer, err
		}
		answer.Changes = append(answer.Changes, c)
		answer.Data.Emails = append(answer.Data.Emails, w.MailItems([]mail.Mail{l.Mail()}, true)...)
		answer.Components = append(answer.Components, w.MailCards([]mail.Mail{l.Mail()})...)
		for _, note := range l.Notes {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	if len(answer.Changes) == 0 {
		return answer, fault.New(fault.NotFound, "%s", say(w, "noGuests", "titles", w.Titles(events)))
	}
	answer.Title, answer.Description = count(w, "changes", len(answer.Changes)), strings.Join(notes, " ")
	return answer, nil
}

// letter is the mail to the guests of an event, and to further people whom the user named.
func (in notifyAttendees) letter(w *world.World, o meet.Occurrence) (l mail.Letter, err error) {
	layout := "2006-01-02 15:04"
	if o.AllDay {
		layout = time.DateOnly
	}
	when := o.Span.Start.In(w.Zone()).Format(layout) // no "tomorrow" in a mail
	l = mail.Letter{Folder: mail.Sent, Subject: o.Title, Text: say(w, "notice", "title", o.Title, "when", when)}
	if in.Text != nil && strings.TrimSpace(*in.Text) != "" {
		l.Text = *in.Text
		l.Subject = cmp.Or(l.Subject, mail.SubjectOf(l.Text))
	}
	if in.Subject != nil {
		l.Subject = cmp.Or(strings.TrimSpace(*in.Subject), l.Subject)
	}
	l.To, err = guestsToWrite(w, o, in.People)
	return l, err
}

// guestsToWrite are the guests of an event, and further people whom the user named. An address that is not known is
// asked for.
func guestsToWrite(w *world.World, o meet.Occurrence, names []string) ([]mail.Address, error) {
	var known []mail.Address
	guests := o.Guests()
	if o.Organizer != nil && !o.Organizer.Self {
		guests = append(guests, *o.Organizer)
	}
	for _, g := range guests {
		p := personOf(w, g)
		if p.Email == "" {
			return nil, fault.New(fault.NotFound, "%s", say(w, "noAddress", "name", w.Voice().Title(nameOf(g))))
		}
		a := mail.Address{Name: cmp.Or(g.Name, p.Name), Email: p.Email}
		if !slices.ContainsFunc(known, func(k mail.Address) bool { return k.Is(a.Email) }) {
			known = append(known, a)
		}
	}
	more, err := w.Recipients("people", names, known)
	for _, a := range more {
		if !slices.ContainsFunc(known, func(k mail.Address) bool { return k.Is(a.Email) }) {
			known = append(known, a)
		}
	}
	return slices.DeleteFunc(known, func(a mail.Address) bool { return w.IsOwn(a.Email) }), err
}
