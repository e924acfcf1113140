// Package eml is a mailbox that needs no server: its mails are files of RFC 5322, which are never written. What a
// person changes of them stands in Convene's own store, under the files' ids.
package eml

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/record"
)

// Name is the provider's.
const Name = "files"

// File is a mail of a mailbox.
type File struct {
	ID      string
	Folder  mail.Folder
	Content []byte
}

// Mailbox reads the files of one person.
type Mailbox func() ([]File, error)

// Provider is a mail.Provider. The mailboxes belong to the zero tenant; each is read when it is first asked for.
type Provider struct {
	boxes map[meet.PersonID]func() (*box, error)
	book  record.Book
}

// New is the provider of the mailboxes of people. The book keeps the states that differ from those of the files.
func New(book record.Book, boxes map[meet.PersonID]Mailbox) *Provider {
	p := &Provider{boxes: map[meet.PersonID]func() (*box, error){}, book: book}
	for person, files := range boxes {
		p.boxes[person] = sync.OnceValues(func() (*box, error) { return read(files) })
	}
	return p
}

// box is a mailbox as its files have it. It is not changed.
type box struct {
	mails   []mail.Mail
	texts   map[string]string
	content map[string][]byte
}

func read(files Mailbox) (*box, error) {
	all, err := files()
	if err != nil {
		return nil, err
	}
	b := &box{texts: map[string]string{}, content: map[string][]byte{}}
	for _, f := range all {
		if _, twice := b.content[f.ID]; twice {
			f.ID = string(f.Folder) + "-" + f.ID
		}
		message, err := mail.Decode(bytes.NewReader(f.Content))
		if err != nil {
			return nil, fmt.Errorf("mail %s: %w", f.ID, err)
		}
		m := message.Listed()
		m.ID, m.Provider, m.Folder = f.ID, Name, f.Folder
		m.Read, m.Starred = mail.MarkedIn(f.Content)
		b.mails = append(b.mails, m)
		b.texts[m.ID], b.content[m.ID] = message.Whole(), f.Content
	}
	return b, nil
}

// Name is Name.
func (*Provider) Name() string { return Name }

// standing are the person's mails as they stand, in the order of mail.Compare, and the entries of those that were
// changed.
func (p *Provider) standing(
	ctx context.Context, person meet.Person,
) (b *box, mails []mail.Mail, entries map[string]record.Entry, err error) {
	open := p.boxes[person.ID]
	if open == nil || meet.TenantOf(ctx) != "" {
		return nil, nil, nil, mail.ErrNotConnected
	}
	if b, err = open(); err != nil {
		return nil, nil, nil, err
	}
	values, entries, err := p.book.Read(ctx, person.ID)
	if err != nil {
		return nil, nil, nil, err
	}
	mails = slices.Clone(b.mails)
	for i := range mails {
		if value := values[mails[i].ID]; value != nil {
			if err := json.Unmarshal(value, &mails[i].State); err != nil {
				return nil, nil, nil, fmt.Errorf("mail %s: %w", mails[i].ID, err)
			}
		}
	}
	slices.SortFunc(mails, mail.Compare)
	return b, mails, entries, nil
}

// Folders are those with a purpose, and others in which mails lie.
func (p *Provider) Folders(ctx context.Context, person meet.Person) ([]mail.Folder, error) {
	_, mails, _, err := p.standing(ctx, person)
	if err != nil {
		return nil, err
	}
	folders := mail.Purposes()
	for _, m := range mails {
		if !slices.Contains(folders, m.Folder) {
			folders = append(folders, m.Folder)
		}
	}
	return folders, nil
}

// List is a page of the mails that a query means.
func (p *Provider) List(ctx context.Context, person meet.Person, q mail.Query) (mail.Page, error) {
	b, mails, _, err := p.standing(ctx, person)
	if err != nil {
		return mail.Page{}, err
	}
	return q.Page(mails, func(m mail.Mail) string { return b.texts[m.ID] }), nil
}

// Open is a mail and its file.
func (p *Provider) Open(ctx context.Context, person meet.Person, id string) (mail.Mail, io.ReadCloser, error) {
	b, mails, _, err := p.standing(ctx, person)
	if err != nil {
		return mail.Mail{}, nil, err
	}
	i := slices.IndexFunc(mails, func(m mail.Mail) bool { return m.ID == id })
	if i < 0 {
		return mail.Mail{}, nil, mail.NotFound()
	}
	return mails[i], io.NopCloser(bytes.NewReader(b.content[id])), nil
}

// Apply keeps the state in one write, which other changes of the mail exclude.
func (p *Provider) Apply(ctx context.Context, person meet.Person, a mail.Amendment) (mail.State, error) {
	_, mails, entries, err := p.standing(ctx, person)
	if err != nil {
		return mail.State{}, err
	}
	i := slices.IndexFunc(mails, func(m mail.Mail) bool { return m.ID == a.ID })
	if i < 0 {
		return mail.State{}, mail.Changed()
	}
	now, entry := mails[i].State, entries[a.ID]
	onto, clash := a.On(now)
	switch {
	case slices.Contains(entry.By, a.Key), onto.To.Same(now):
		return now, nil
	case clash:
		return now, mail.Changed()
	}
	if err := onto.To.Check(); err != nil {
		return now, err
	}
	value, err := json.Marshal(onto.To)
	if err != nil {
		return now, err
	}
	done, err := p.book.Store.Replace(ctx, person.ID, a.ID, entry, entry.Next(value, a.Key))
	if err == nil && !done {
		err = mail.Changed()
	}
	return onto.To, err
}

// In is a mailbox in a folder: files that end in .eml, in folders that are named after those of the mailbox. The file's
// name is the mail's id.
func In(dir string) Mailbox {
	return func() (files []File, err error) {
		err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.EqualFold(filepath.Ext(name), ".eml") {
				return err
			}
			within, err := filepath.Rel(dir, filepath.Dir(name))
			if err != nil || within == "." {
				return errors.Join(err, fmt.Errorf("%s: stands in no folder of the mailbox, as inbox", entry.Name()))
			}
			content, err := os.ReadFile(name)
			if int64(len(content)) > mail.MostContent {
				err = fmt.Errorf("%s: is larger than %d bytes", entry.Name(), mail.MostContent)
			}
			files = append(files, File{
				ID:     strings.TrimSuffix(path.Base(entry.Name()), filepath.Ext(name)),
				Folder: mail.FolderCalled(filepath.ToSlash(within)), Content: content,
			})
			return err
		})
		return files, err
	}
}
