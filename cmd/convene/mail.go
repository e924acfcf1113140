package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rs/zerolog"

	"convene/pkg/demo"
	"convene/pkg/mail"
	"convene/pkg/mail/eml"
	"convene/pkg/mail/maildir"
	"convene/pkg/mail/smtp"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/redisstore"
)

// mailBook keeps what a provider of mail cannot keep.
func mailBook(store *redisstore.Store, provider string) record.Book {
	kind := record.Kind{What: meet.EmailThing}
	return record.Book{Kind: kind, Store: store.Records(meet.EmailThing + "@" + meet.ChangeWhat(provider))}
}

// mailboxes are everyone's: those that they have connected, Maildirs, and files that are only read, with what was
// changed of them.
func (s settings) mailboxes(
	store *redisstore.Store, connected *connections, logger zerolog.Logger,
) (d mail.Directory, err error) {
	found := foundMail{live: map[meet.PersonID]string{}, files: map[meet.PersonID]eml.Mailbox{}, logger: logger}
	if s.Mail != "" || s.world != nil {
		if found.people, err = s.readPeople(); err != nil {
			return d, err
		}
	}
	switch inWorld := filepath.Join(s.World, "mail"); {
	case s.Mail != "":
		err = found.in(s.Mail, s.organizer())
	case s.world != nil && exists(inWorld):
		err = found.in(inWorld, s.world.owner)
	case s.world == nil && s.People == "":
		found.files[demo.Me] = s.demoMail
	}
	if err != nil {
		return d, misuse{fmt.Errorf("--mail: %w", err)}
	}
	outgoing := func(ctx context.Context, person meet.Person) (mail.Sender, error) {
		server, c, err := connected.imap.Outgoing(ctx, person)
		if err != nil {
			return nil, err
		}
		return smtp.New(smtp.Config{
			Server: server, Username: c.Username, Password: c.Password, Private: s.Connect.PrivateServers,
		})
	}
	d.Outgoing = outgoing
	for _, b := range connected.boxes {
		d.Providers = append(d.Providers, b)
	}
	d.Providers = append(d.Providers, maildir.New(mailBook(store, maildir.Name), found.live),
		eml.New(mailBook(store, eml.Name), mailBook(store, eml.Name+"-content").Store, found.files))
	return d, nil
}

// neighbours finds the people to whom an address belongs.
func neighbours(all redisstore.People) func(context.Context, string) ([]meet.Person, error) {
	return func(ctx context.Context, email string) ([]meet.Person, error) {
		list, err := all.All(ctx)
		return slices.DeleteFunc(list, func(p meet.Person) bool { return !strings.EqualFold(p.Email, email) }), err
	}
}

// demoMail is the mailbox of the demo.
func (s settings) demoMail() (files []eml.File, err error) {
	letters, err := demo.Mails(s.clock()())
	for _, l := range letters {
		files = append(files, eml.File{ID: l.ID, Folder: mail.FolderCalled(l.Folder), Content: []byte(l.Content)})
	}
	return files, err
}

// foundMail are mailboxes by their owners.
type foundMail struct {
	people []meet.Contact
	live   map[meet.PersonID]string
	files  map[meet.PersonID]eml.Mailbox
	logger zerolog.Logger
}

// in finds the mailboxes in a folder: one that is the organizer's, or one for each person.
func (f foundMail) in(dir string, organizer meet.PersonID) error {
	if maildir.Is(dir) {
		if organizer == "" {
			return fmt.Errorf("%s: nobody owns it; name a folder with mailboxes that are named after the people's ids", dir)
		}
		f.live[organizer] = dir
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		owner := entry.Name()
		i := slices.IndexFunc(f.people, func(p meet.Contact) bool {
			return string(p.ID) == owner || p.Email != "" && strings.EqualFold(p.Email, owner)
		})
		if i < 0 {
			f.logger.Warn().Str("folder", owner).Msg("the owner of this mail is not among the people")
			continue
		}
		if box := filepath.Join(dir, owner); maildir.Is(box) {
			f.live[f.people[i].ID] = box
		} else {
			f.files[f.people[i].ID] = eml.In(box)
		}
	}
	return nil
}
