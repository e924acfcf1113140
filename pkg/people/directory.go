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
		return Contacts{}, fmt.Errorf("look up contacts: %w", err)
	}
	return Of(slices.DeleteFunc(slices.Clone(all), func(p meet.Person) bool {
		return organizer != "" && p.ID == organizer || p.Owner != "" && p.Owner != organizer
	})), nil
}

// Contacts are the people whom a name may mean.
type Contacts struct {
	People []meet.Person
	// names are the words of their names.
	names [][]string
}

// Of takes people for contacts, each once.
func Of(all []meet.Person) Contacts {
	c := Contacts{People: meet.Distinct(all, "")}
	c.names = make([][]string, len(c.People))
	for i := range c.People {
		c.names[i] = words(c.People[i].Name)
	}
	return c
}
