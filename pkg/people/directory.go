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

// Directory looks names up among an organizer's contacts: everybody in the store but the organizer, who is never meant
// by a name in their own message.
type Directory struct {
	Store Store
}

// Find lists everybody whom the name may mean; see Match.
func (d Directory) Find(ctx context.Context, organizer meet.PersonID, name string) ([]meet.Person, error) {
	contacts, err := d.contacts(ctx, organizer)
	if err != nil {
		return nil, err
	}
	return Match(name, contacts), nil
}

// Mentioned lists the contacts whose names occur in text, and may list too many; see Mentioned.
func (d Directory) Mentioned(ctx context.Context, organizer meet.PersonID, text string) ([]meet.Person, error) {
	contacts, err := d.contacts(ctx, organizer)
	if err != nil {
		return nil, err
	}
	return Mentioned(text, contacts), nil
}

func (d Directory) contacts(ctx context.Context, organizer meet.PersonID) ([]meet.Person, error) {
	all, err := d.Store.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("look up contacts: %w", err)
	}
	return slices.DeleteFunc(slices.Clone(all), func(p meet.Person) bool {
		return organizer != "" && p.ID == organizer
	}), nil
}
