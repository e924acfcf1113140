package redisstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"convene/pkg/meet"
	"convene/pkg/record"
)

// Contacts keeps what people know of each other, in the records of the people. It is a record.Store of meet.Contact.
type Contacts struct{ People }

// Contacts returns the people as contacts.
func (s *Store) Contacts() Contacts { return Contacts{s.People()} }

// Entries are everyone whom a person knows, by id, without the person.
func (c Contacts) Entries(ctx context.Context, person meet.PersonID) (map[string]record.Entry, error) {
	stored, err := ask(ctx, c.store.do, "contacts", func(ctx context.Context) (map[string]string, error) {
		return c.store.hash(ctx, c.store.own(ctx).people())
	})
	if err != nil {
		return nil, err
	}
	entries := make(map[string]record.Entry, len(stored))
	for id, raw := range stored {
		s, err := c.store.people.decode(meet.TenantOf(ctx), id, raw)
		if err != nil || id == string(person) || s.Owner != "" && s.Owner != person {
			continue // All logs those who cannot be read
		}
		if entries[id], err = s.entry(); err != nil {
			return nil, fmt.Errorf("contact %s: %w", id, err)
		}
	}
	return entries, nil
}

// entry is the contact as a record; without a value if it was deleted.
func (s storedPerson) entry() (e record.Entry, err error) {
	e = record.Entry{Version: s.Version, By: s.By}
	if !s.Gone {
		e.Value, err = json.Marshal(s.Contact)
	}
	return e, err
}

// Replace keeps after instead of before.
func (c Contacts) Replace(
	ctx context.Context, _ meet.PersonID, id string, before, after record.Entry,
) (done bool, err error) {
	raw, err := c.raw(ctx, meet.PersonID(id))
	if err != nil {
		return false, err
	}
	becomes := storedPerson{Version: after.Version, By: after.By, Gone: record.Same(after.Value, nil)}
	if raw != "" {
		now, err := decode[storedPerson](raw)
		if err != nil {
			return false, fmt.Errorf("contact %s: %w", id, err)
		}
		is, err := now.entry()
		if err != nil || !same(is, before) {
			return err == nil && same(is, after), err
		}
		becomes.Contact = now.Contact // of one that is deleted, so that others keep its owner
	}
	if !becomes.Gone {
		becomes.Contact = meet.Contact{}
		if err := json.Unmarshal(after.Value, &becomes.Contact); err != nil {
			return false, fmt.Errorf("contact %s: %w", id, err)
		}
	}
	becomes.ID = meet.PersonID(id)
	return c.swap(ctx, becomes.ID, raw, becomes)
}

func same(a, b record.Entry) bool {
	return a.Version == b.Version && slices.Equal(a.By, b.By) && record.Same(a.Value, b.Value)
}
