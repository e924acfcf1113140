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

// List is a page of the mails that a query means, changes included. It may be shorter than the query's limit although
// More is set.
func (c *Copy) List(ctx context.Context, q Query) (Page, error) {
	page, err := c.base.List(ctx, c.owner, q)
	if len(c.changed) == 0 {
		return page, err
	}
	within := func(m Mail) bool {
		return q.After.Precedes(m) && (!page.More || len(page.Mails) > 0 && Compare(m, page.Mails[len(page.Mails)-1]) <= 0)
	}
	mails := slices.DeleteFunc(slices.Clone(page.Mails), func(m Mail) bool { _, is := c.changed[m.ID]; return is })
	for _, m := range c.changed {
		text := func() string {
			whole, err := c.base.Read(ctx, c.owner, m.ID)
			if err != nil {
				return ""
			}
			return whole.Whole()
		}
		if within(m) && q.Fits(m, text) {
			mails = append(mails, m)
		}
	}
	slices.SortFunc(mails, Compare)
	page.Mails, page.Total = mails, -1
	if len(mails) > q.Size() {
		page.Mails, page.More = mails[:q.Size()], true
	}
	return page, err
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
