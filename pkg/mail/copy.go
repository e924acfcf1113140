package mail

import (
	"context"
	"slices"

	"convene/pkg/meet"
)

// Base has the mailboxes of people.
type Base interface {
	Folders(ctx context.Context, person meet.Person) ([]Folder, error)
	List(ctx context.Context, person meet.Person, q Query) (Page, error)
	Read(ctx context.Context, person meet.Person, id string) (Message, error)
}

// Copy is a person's mailbox with changes over it that are not written: what later steps of a plan see. It is used by
// one turn.
type Copy struct {
	base    Base
	owner   meet.Person
	changed map[string]Mail
}

// NewCopy is a person's mailbox without changes.
func NewCopy(base Base, owner meet.Person) *Copy {
	return &Copy{base: base, owner: owner, changed: map[string]Mail{}}
}

// Make adds a change of a mail to the copy.
func (c *Copy) Make(m Mail, a Amendment) {
	m.State = a.To
	c.changed[m.ID] = m
}

// Folders are those of the mailbox.
func (c *Copy) Folders(ctx context.Context) ([]Folder, error) { return c.base.Folders(ctx, c.owner) }

// Read is a whole mail.
func (c *Copy) Read(ctx context.Context, id string) (Message, error) {
	m, err := c.base.Read(ctx, c.owner, id)
	if is, ok := c.changed[id]; ok {
		m.State = is.State
	}
	return m, err
}

// List is a page of the mails that a query means, changes included.
func (c *Copy) List(ctx context.Context, q Query) (page Page, err error) {
	under, err := c.base.List(ctx, c.owner, q)
	if len(c.changed) == 0 {
		return under, err
	}
	page = Page{Total: -1}
	for _, m := range c.changed {
		if q.After.Precedes(m) && q.Fits(m, func() string { return c.text(ctx, m.ID) }) {
			page.Mails = append(page.Mails, m)
		}
	}
	unchanged := 0
	for {
		for _, m := range under.Mails {
			if _, is := c.changed[m.ID]; !is {
				page.Mails = append(page.Mails, m)
				unchanged++
			}
		}
		if !under.More || len(under.Mails) == 0 || unchanged > q.Size() || err != nil {
			break
		}
		rest := q
		rest.After = MarkOf(under.Mails[len(under.Mails)-1])
		under, err = c.base.List(ctx, c.owner, rest)
	}
	slices.SortFunc(page.Mails, Compare)
	page.More = under.More
	if len(page.Mails) > q.Size() {
		page.Mails, page.More = page.Mails[:q.Size()], true
	}
	return page, err
}

// text is what a mail says; nothing if it cannot be read.
func (c *Copy) text(ctx context.Context, id string) string {
	m, err := c.base.Read(ctx, c.owner, id)
	if err != nil {
		return ""
	}
	return m.Whole()
}

// All are the mails that a query means, at most so many; more says that there are others.
func (c *Copy) All(ctx context.Context, q Query, most int) (mails []Mail, more bool, err error) {
	for {
		page, err := c.List(ctx, q)
		mails = append(mails, page.Mails...)
		if len(mails) > most {
			return mails[:most], true, err
		}
		if !page.More || len(page.Mails) == 0 || err != nil {
			return mails, page.More, err
		}
		q.After = MarkOf(page.Mails[len(page.Mails)-1])
	}
}
