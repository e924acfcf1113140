package people

import (
	"context"
	"fmt"
	"slices"

	"convene/pkg/meet"
)

// Store lists all people.
type Store interface {
	All(ctx context.Context) ([]meet.Person, error)
}

// Directory knows everyone's contacts.
type Directory struct {
	Store Store
}

// Of is the organizer's contacts: everyone in the store but the organizer, whose name in their own message never means
// themselves, and those whom only others know.
func (d Directory) Of(ctx context.Context, organizer meet.PersonID) (Contacts, error) {
	all, err := d.Store.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("look up contacts: %w", err)
	}
	return slices.DeleteFunc(slices.Clone(all), func(p meet.Person) bool {
		return organizer != "" && p.ID == organizer || p.Owner != "" && p.Owner != organizer
	}), nil
}

// Contacts are the people whom a name may mean.
type Contacts []meet.Person

// Find lists everyone whom the name may mean; see Match.
func (c Contacts) Find(name string) []meet.Person { return Match(name, c) }

// Mentioned lists the contacts whose names occur in text, and may list too many; see Mentioned.
func (c Contacts) Mentioned(text string) []meet.Mention { return Mentioned(text, c) }
