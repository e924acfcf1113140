package world

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/list"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// How far back and ahead events are things that a message may name.
const (
	thingsBehind = 7 * 24 * time.Hour
	thingsAhead  = 26 * 7 * 24 * time.Hour
)

// Things are what the owner has, as far as it can be read: events, tasks, lists and what is on them. Beside a calendar
// that cannot be read there are no tasks, because what calls one may be an event.
func (w *World) Things(ctx context.Context) []ground.Thing {
	var events, tasks, lists []ground.Thing
	var err error
	var readers sync.WaitGroup
	readers.Go(func() { events, err = w.eventThings(ctx) })
	readers.Go(func() { tasks = w.TaskThings(ctx) })
	readers.Go(func() { lists = w.listThings(ctx) })
	if readers.Wait(); err != nil {
		tasks = nil
	}
	return slices.Concat(events, tasks, lists)
}

func (w *World) eventThings(ctx context.Context) (things []ground.Thing, err error) {
	events, err := w.Agenda.Events(ctx, interval.Span{Start: w.Now.Add(-thingsBehind), End: w.Now.Add(thingsAhead)})
	for _, o := range events {
		thing := ground.Thing{
			Kind: ground.Event, ID: o.Key(), Series: o.UID, Title: o.Title, Span: o.Span,
			Invited: o.Organizer != nil && !o.Organizer.Self,
		}
		for _, g := range o.Guests() {
			thing.Guests = append(thing.Guests, cmp.Or(g.Name, g.Email))
		}
		things = append(things, thing)
	}
	return things, err
}

// TaskThings are the owner's tasks, as far as they can be read.
func (w *World) TaskThings(ctx context.Context) (things []ground.Thing) {
	if w.Tasks == nil {
		return nil
	}
	tasks, _ := w.Tasks.All(ctx)
	for _, t := range tasks {
		things = append(things, ground.Thing{
			Kind: ground.Task, ID: t.ID, Title: t.Title, Due: t.Due, Done: !t.Open(), Board: t.Board, Column: t.Column,
			At: cmp.Or(t.Reminder, t.Due), Minutes: t.Effort(), Assignee: t.Assignee,
		})
	}
	return things
}

func (w *World) listThings(ctx context.Context) (things []ground.Thing) {
	if w.Own[meet.ListThing] == nil {
		return nil
	}
	values, _ := w.Own[meet.ListThing].All(ctx)
	lists, _ := list.All(values)
	for _, l := range lists {
		things = append(things, ground.Thing{Kind: ground.List, ID: l.ID, Title: l.Name})
		for _, i := range l.Items {
			things = append(things, ground.Thing{Kind: ground.Item, ID: i.ID, Title: i.Text, List: l.ID})
		}
	}
	return things
}

// MailThings are the mails that a message may name, as far as they can be read: the newest ones of all folders but the
// trash and the junk.
func (w *World) MailThings(ctx context.Context) (things []ground.Thing) {
	if w.Mail == nil {
		return nil
	}
	mails, _, _ := w.Mail.All(ctx, mail.Query{}, ground.MostMails)
	for _, m := range mails {
		letter := ground.Letter{
			Sender: m.From.Name, Address: m.From.Email, At: m.Date, Folder: string(m.Folder), Unread: !m.Read,
			Starred: m.Starred, Newsletter: m.Signs.Newsletter(), Attached: m.HasAttachments,
		}
		for _, a := range slices.Concat(m.To, m.CC) {
			letter.To = append(letter.To, a.Name, a.Email)
		}
		things = append(things, ground.Thing{Kind: ground.Mail, ID: m.ID, Title: mail.Topic(m.Subject), Letter: &letter})
	}
	return things
}
