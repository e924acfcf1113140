package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"convene/pkg/demo"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/people"
	"convene/pkg/people/vcard"
	"convene/pkg/redisstore"
	"convene/stages"
)

type contacts struct{ people.Directory }

func (c contacts) Of(ctx context.Context, organizer meet.PersonID) (stages.Names, error) {
	return c.Directory.Of(ctx, organizer)
}

// seedPeople stores the people of --people or --world, or those of the demo that are missing.
func (s settings) seedPeople(ctx context.Context, store redisstore.People) error {
	list, err := s.readPeople()
	if err != nil {
		return err
	}
	for _, p := range list {
		if s.People == "" && s.world == nil {
			_, err := store.Person(ctx, p.ID)
			if err == nil {
				continue
			}
			if fault.CodeOf(err) != fault.NotFound {
				return err
			}
		}
		if err := store.Seed(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (s settings) readPeople() ([]meet.Contact, error) {
	switch {
	case s.world != nil:
		return s.world.people, nil
	case s.People == "":
		return demo.Contacts()
	default:
		return peopleIn("--people", s.People)
	}
}

// peopleIn reads the people in a file that the flag names: JSON, or vCards in a .vcf.
func peopleIn(flag, name string) ([]meet.Contact, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, misuse{fmt.Errorf("%s: %w", flag, err)}
	}
	defer file.Close()
	read := demo.LoadPeople
	if strings.EqualFold(filepath.Ext(name), ".vcf") {
		read = vcard.Read
	}
	list, err := read(file)
	if err != nil {
		return nil, misuse{fmt.Errorf("%s %s: %w", flag, name, err)}
	}
	return list, nil
}

// organizer is the organizer of requests that name none: the owner of the world, or me if the demo's people are there.
func (s settings) organizer() meet.PersonID {
	switch {
	case s.world != nil:
		return s.world.owner
	case s.People != "":
		return ""
	default:
		return demo.Me
	}
}
