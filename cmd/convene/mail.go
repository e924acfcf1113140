package main

import (
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
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/redisstore"
)

// mailboxes are everyone's: Maildirs, and files that are only read, with what was changed of them.
func (s settings) mailboxes(store *redisstore.Store, logger zerolog.Logger) (d mail.Directory, err error) {
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
	book := func(of string) record.Book {
		kind := record.Kind{What: meet.EmailThing}
		return record.Book{Kind: kind, Store: store.Records(meet.EmailThing + "@" + meet.ChangeWhat(of))}
	}
	return mail.Directory{Providers: []mail.Provider{
		maildir.New(book(maildir.Name), found.live), eml.New(book(eml.Name), found.files),
	}}, nil
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
