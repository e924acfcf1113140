package main

import (
	"context"
	"fmt"
	"os"

	"convene/pkg/demo"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/people"
	"convene/pkg/redisstore"
	"convene/stages"
)

// contacts are the stored people.
type contacts struct{ people.Directory }

func (c contacts) Of(ctx context.Context, organizer meet.PersonID) (stages.Names, error) {
	return c.Directory.Of(ctx, organizer)
}

// seedPeople stores the people of --people, or those of the demo that are missing.
func (s settings) seedPeople(ctx context.Context, store redisstore.People) error {
	list, err := s.readPeople()
	if err != nil {
		return err
	}
	for _, p := range list {
		if s.People == "" {
			_, err := store.Person(ctx, p.ID)
			if err == nil {
				continue
			}
			if fault.CodeOf(err) != fault.NotFound {
				return err
			}
		}
		if err := store.Put(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (s settings) readPeople() ([]meet.Person, error) {
	if s.People == "" {
		return demo.People()
	}
	file, err := os.Open(s.People)
	if err != nil {
		return nil, misuse{fmt.Errorf("--people: %w", err)}
	}
	defer file.Close()
	list, err := demo.LoadPeople(file)
	if err != nil {
		return nil, misuse{fmt.Errorf("--people %s: %w", s.People, err)}
	}
	return list, nil
}

// organizer is the organizer of requests that name none: me, if the demo's people are there.
func (s settings) organizer() meet.PersonID {
	if s.People != "" {
		return ""
	}
	return demo.Me
}
