package people

import (
	"context"
	"fmt"
	"slices"

	"convene/pkg/meet"
)

// Store is the people that are known.
type Store interface {
	All(ctx context.Context) ([]meet.Person, error)
}

// Directory knows everybody's contacts.
type Directory struct {
	Store Store
}

// Of is the organizer's contacts: everybody in the store but the organizer, who is never meant by a name in their own
// message.
func (d Directory) Of(ctx context.Context, organizer meet.PersonID) (Contacts, error) {
	all, err := d.Store.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("look up contacts: %w", err)
	}
	return slices.DeleteFunc(slices.Clone(all), func(p meet.Person) bool {
		return organizer != "" && p.ID == organizer
	}), nil
}

// Contacts are the people whom somebody may mean by a name.
type Contacts []meet.Person

// Find lists everybody whom the name may mean; see Match.
func (c Contacts) Find(name string) []meet.Person { return Match(name, c) }

// Mentioned lists the contacts whose names occur in text, and may list too many; see Mentioned.
func (c Contacts) Mentioned(text string) []meet.Person { return Mentioned(text, c) }
