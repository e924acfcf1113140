// Package maildir is a mailbox in a folder of files, a file for each mail, which other mail programs and servers may
// use at the same time (Maildir, with the folders of Maildir++). Labels, for which there is no place in it, stand in
// Convene's own store.
package maildir

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/record"
)

// Name is the provider's.
const Name = "maildir"

// Provider is a mail.Provider. The mailboxes belong to the zero tenant.
type Provider struct {
	boxes  map[meet.PersonID]*box
	labels record.Book
}

// New is the provider of the mailboxes in these directories. The book keeps labels.
func New(labels record.Book, dirs map[meet.PersonID]string) *Provider {
	p := &Provider{boxes: map[meet.PersonID]*box{}, labels: labels}
	for person, dir := range dirs {
		p.boxes[person] = newBox(dir)
	}
	return p
}

// Name is Name.
func (*Provider) Name() string { return Name }

func (p *Provider) box(ctx context.Context, person meet.Person) (*box, error) {
	b := p.boxes[person.ID]
	if b == nil || meet.TenantOf(ctx) != "" {
		return nil, mail.ErrNotConnected
	}
	return b, nil
}

// Folders are those with a purpose, and the others that are there.
func (p *Provider) Folders(ctx context.Context, person meet.Person) ([]mail.Folder, error) {
	b, err := p.box(ctx, person)
	if err != nil {
		return nil, err
	}
	dirs, err := b.folders()
	folders := mail.Purposes()
	for _, d := range dirs {
		if !slices.Contains(folders, d.folder) {
			folders = append(folders, d.folder)
		}
	}
	return folders, err
}

// List is a page of the mails that a query means.
func (p *Provider) List(ctx context.Context, person meet.Person, q mail.Query) (page mail.Page, err error) {
	b, err := p.box(ctx, person)
	if err != nil {
		return page, err
	}
	entries, err := b.scan()
	if err != nil {
		return page, err
	}
	labels, _, err := p.labelled(ctx, person)
	if err != nil {
		return page, err
	}
	bare := mail.Query{Folders: q.Folders, IDs: q.IDs, Since: q.Since, Until: q.Until}
	bare.Unread, bare.Starred, bare.Label = q.Unread, q.Starred, q.Label
	var candidates []mail.Mail
	for _, e := range entries {
		m := mail.Mail{ID: e.id, Provider: Name, State: e.state()}
		m.Labels = labels[e.id]
		if q.Holds(m.State) && (q.IDs == nil || slices.Contains(q.IDs, m.ID)) {
			candidates = append(candidates, m)
		}
	}
	if err := b.date(ctx, entries, candidates); err != nil {
		return page, err
	}
	candidates = slices.DeleteFunc(candidates, func(m mail.Mail) bool { return !bare.Fits(m, nil) })
	slices.SortFunc(candidates, mail.Compare)
	return b.page(ctx, q, entries, candidates)
}

// Open is a mail and its file.
func (p *Provider) Open(
	ctx context.Context, person meet.Person, id string,
) (m mail.Mail, content io.ReadCloser, err error) {
	page, err := p.List(ctx, person, mail.Query{IDs: []string{id}})
	if err != nil {
		return m, nil, err
	}
	if len(page.Mails) == 0 {
		return m, nil, mail.NotFound()
	}
	b, err := p.box(ctx, person)
	if err != nil {
		return m, nil, err
	}
	file, err := b.open(id, nil)
	if errors.Is(err, fs.ErrNotExist) {
		err = mail.NotFound()
	}
	if err != nil {
		return m, nil, err
	}
	return page.Mails[0], file, nil
}

// labelled are the labels of the person's mails by id, and their entries.
func (p *Provider) labelled(
	ctx context.Context, person meet.Person,
) (map[string][]string, map[string]record.Entry, error) {
	values, entries, err := p.labels.Read(ctx, person.ID)
	labels := make(map[string][]string, len(values))
	for id, value := range values {
		var list []string
		if err := json.Unmarshal(value, &list); err != nil {
			return nil, nil, fmt.Errorf("labels of mail %s: %w", id, err)
		}
		labels[id] = list
	}
	return labels, entries, err
}

// tries bounds the attempts at a change while other programs rename the same file.
const tries = 8

// Apply renames the mail's file. A file that another program has renamed meanwhile is looked for again.
func (p *Provider) Apply(ctx context.Context, person meet.Person, a mail.Amendment) (now mail.State, err error) {
	b, err := p.box(ctx, person)
	if err != nil {
		return now, err
	}
	for range tries {
		e, err := b.find(a.ID)
		if errors.Is(err, fs.ErrNotExist) {
			return now, mail.Changed()
		}
		if err != nil {
			return now, err
		}
		labels, entries, err := p.labelled(ctx, person)
		if err != nil {
			return now, err
		}
		now = e.state()
		now.Labels = labels[a.ID]
		onto, clash := a.On(now)
		switch {
		case clash:
			return now, mail.Changed()
		case onto.To.Same(now):
			return now, nil
		}
		if err := onto.To.Check(); err != nil {
			return now, err
		}
		done, err := p.write(ctx, person, a.Key, labelling{onto, entries[a.ID]}, b.move(e, onto.To))
		if done || err != nil {
			return onto.To, err
		}
	}
	return now, mail.Changed()
}

// labelling is an amendment with the entry of the mail's labels.
type labelling struct {
	mail.Amendment
	entry record.Entry
}

// write keeps the labels, and then renames the file. Done is false if something has changed meanwhile.
func (p *Provider) write(
	ctx context.Context, person meet.Person, key string, a labelling, rename func() error,
) (done bool, err error) {
	if strings.Join(a.From.Labels, "\n") != strings.Join(a.To.Labels, "\n") {
		value, err := json.Marshal(a.To.Labels)
		if err != nil {
			return false, err
		}
		kept, err := p.labels.Store.Replace(ctx, person.ID, a.ID, a.entry, a.entry.Next(value, key))
		if err != nil || !kept {
			return false, err
		}
	}
	err = rename()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
