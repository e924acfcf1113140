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

// contacts are the people who are stored.
type contacts struct{ people.Directory }

func (c contacts) Of(ctx context.Context, organizer meet.PersonID) (stages.Names, error) {
	return c.Directory.Of(ctx, organizer)
}

// seedPeople stores the people of --people, or those of the demo that are not there yet.
func (s settings) seedPeople(ctx context.Context, store redisstore.People) error {
	if s.People != "" {
		file, err := os.Open(s.People)
		if err != nil {
			return misuse{fmt.Errorf("--people: %w", err)}
		}
		defer file.Close()
		list, err := demo.LoadPeople(file)
		if err != nil {
			return misuse{fmt.Errorf("--people %s: %w", s.People, err)}
		}
		return putAll(ctx, store, list)
	}
	list, err := demo.People()
	if err != nil {
		return err
	}
	missing := list[:0]
	for _, p := range list {
		if _, err := store.Person(ctx, p.ID); fault.CodeOf(err) == fault.NotFound {
			missing = append(missing, p)
		} else if err != nil {
			return err
		}
	}
	return putAll(ctx, store, missing)
}

// organizer is who asks where a request does not say: me, where the demo's people are.
func (s settings) organizer() meet.PersonID {
	if s.People != "" {
		return ""
	}
	return demo.Me
}

func putAll(ctx context.Context, store redisstore.People, list []meet.Person) error {
	for _, p := range list {
		if err := store.Put(ctx, p); err != nil {
			return err
		}
	}
	return nil
}
