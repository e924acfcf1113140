// Package eml is a mailbox that needs no server: its mails are files of RFC 5322, which are never written. What a
// person changes of them stands in Convene's own store, under the files' ids, and so do mails that are added.
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

// Provider is a mail.Keeper. The mailboxes belong to the zero tenant; each is read when it is first asked for.
type Provider struct {
	boxes map[meet.PersonID]func() (*box, error)
	book  record.Book
	added record.Store
}

// New is the provider of the mailboxes of people. The book keeps the states that differ from those of the files, and
// those of added mails, whose contents the other store has.
func New(book record.Book, added record.Store, boxes map[meet.PersonID]Mailbox) *Provider {
	p := &Provider{boxes: map[meet.PersonID]func() (*box, error){}, book: book, added: added}
	for person, files := range boxes {
		p.boxes[person] = sync.OnceValues(func() (*box, error) { return read(files) })
	}
	return p
}

// box is a mailbox: the ids of its files, and what is known of them and of added mails.
type box struct {
	files  []string
	ofFile map[string]bool
	mu     sync.Mutex
	known  map[string]letter
}

// letter is a mail that does not change, but for its state.
type letter struct {
	mail.Mail
	text    string
	content []byte
}

func read(files Mailbox) (*box, error) {
	all, err := files()
	if err != nil {
		return nil, err
	}
	b := &box{ofFile: map[string]bool{}, known: map[string]letter{}}
	for _, f := range all {
		if _, twice := b.known[f.ID]; twice {
			f.ID = string(f.Folder) + "-" + f.ID
		}
		if err := b.put(f); err != nil {
			return nil, err
		}
		b.files, b.ofFile[f.ID] = append(b.files, f.ID), true
	}
	return b, nil
}

// put decodes a mail.
func (b *box) put(f File) error {
	message, err := mail.Decode(bytes.NewReader(f.Content))
	if err != nil {
		return fmt.Errorf("mail %s: %w", f.ID, err)
	}
	m := message.Listed()
	m.ID, m.Provider, m.Folder = f.ID, Name, f.Folder
	m.Read, m.Starred = mail.MarkedIn(f.Content)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known[f.ID] = letter{m, message.Whole(), f.Content}
	return nil
}

func (b *box) get(id string) (letter, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l, ok := b.known[id]
	return l, ok
}

// Name is Name.
func (*Provider) Name() string { return Name }

// Spare is true: a mailbox that its owner connects takes its place.
func (*Provider) Spare() bool { return true }

// opened is the person's mailbox, with the states that differ from those of the files.
func (p *Provider) opened(
	ctx context.Context, person meet.Person,
) (b *box, values map[string][]byte, entries map[string]record.Entry, err error) {
	open := p.boxes[person.ID]
	if open == nil || meet.TenantOf(ctx) != "" {
		return nil, nil, nil, mail.ErrNotConnected
	}
	if b, err = open(); err != nil {
		return nil, nil, nil, err
	}
	values, entries, err = p.book.Read(ctx, person.ID)
	return b, values, entries, err
}

// as is a mail as it stands, by the value that is kept of it.
func (b *box) as(id string, value []byte) (m mail.Mail, known bool, err error) {
	l, known := b.get(id)
	if !known || value == nil {
		return l.Mail, known, nil
	}
	if err := json.Unmarshal(value, &l.State); err != nil {
		return m, known, fmt.Errorf("mail %s: %w", id, err)
	}
	return l.Mail, known, nil
}

// standing are the person's mails as they stand, in the order of mail.Compare, and the entries of those that were
// changed.
func (p *Provider) standing(
	ctx context.Context, person meet.Person,
) (b *box, mails []mail.Mail, entries map[string]record.Entry, err error) {
	b, values, entries, err := p.opened(ctx, person)
	if err != nil {
		return nil, nil, nil, err
	}
	ids := slices.Clone(b.files)
	for id := range values {
		if !b.ofFile[id] {
			ids = append(ids, id)
		}
	}
	if err := p.learn(ctx, person, b, ids); err != nil {
		return nil, nil, nil, err
	}
	for _, id := range ids {
		m, known, err := b.as(id, values[id])
		switch {
		case err != nil:
			return nil, nil, nil, err
		case known: // others are files that are no longer there
			mails = append(mails, m)
		}
	}
	slices.SortFunc(mails, mail.Compare)
	return b, mails, entries, nil
}

// one is a mail as it stands, with its content. It looks at no other mail.
func (p *Provider) one(ctx context.Context, person meet.Person, id string) (m mail.Mail, content []byte, err error) {
	b, values, _, err := p.opened(ctx, person)
	if err != nil {
		return m, nil, err
	}
	if !b.ofFile[id] && values[id] == nil {
		return m, nil, mail.NotFound()
	}
	if err := p.learn(ctx, person, b, []string{id}); err != nil {
		return m, nil, err
	}
	m, known, err := b.as(id, values[id])
	if !known && err == nil {
		err = mail.NotFound()
	}
	l, _ := b.get(id)
	return m, l.content, err
}

// learn reads the contents of added mails that are not known yet.
func (p *Provider) learn(ctx context.Context, person meet.Person, b *box, ids []string) error {
	if !slices.ContainsFunc(ids, func(id string) bool {
		_, known := b.get(id)
		return !known
	}) {
		return nil
	}
	added, err := p.added.Entries(ctx, person.ID)
	if err != nil {
		return err
	}
	for id, entry := range added {
		var content []byte
		if err := json.Unmarshal(entry.Value, &content); err != nil {
			return fmt.Errorf("mail %s: %w", id, err)
		}
		if _, known := b.get(id); !known && content != nil {
			if err := b.put(File{ID: id, Content: content}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Add keeps the mail's content, and then its state, which makes it stand in the mailbox.
func (p *Provider) Add(
	ctx context.Context, person meet.Person, content []byte, s mail.State,
) (id string, err error) {
	if _, _, _, err := p.standing(ctx, person); err != nil {
		return "", err
	}
	id = mail.IDOf(content, s.Folder)
	for _, kept := range []struct {
		in    record.Store
		value any
	}{{p.added, content}, {p.book.Store, s}} {
		value, err := json.Marshal(kept.value)
		if err != nil {
			return "", err
		}
		if _, err := kept.in.Replace(ctx, person.ID, id, record.Entry{}, record.Entry{}.Next(value, id)); err != nil {
			return "", err // without an error it is there, by this call or an earlier one
		}
	}
	return id, nil
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
	return q.Page(mails, func(m mail.Mail) string {
		l, _ := b.get(m.ID)
		return l.text
	}), nil
}

// Open is a mail and its file.
func (p *Provider) Open(ctx context.Context, person meet.Person, id string) (mail.Mail, io.ReadCloser, error) {
	m, content, err := p.one(ctx, person, id)
	if err != nil {
		return mail.Mail{}, nil, err
	}
	return m, io.NopCloser(bytes.NewReader(content)), nil
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
