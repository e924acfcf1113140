package redisstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// People keeps people. They do not expire.
type People struct{ store *Store }

// People returns the stored people.
func (s *Store) People() People { return People{s} }

// storedPerson is a person as stored: with what contacts keep of them, and the changes of that.
type storedPerson struct {
	meet.Contact
	// Version and By are as in record.Entry. Gone says that the contact was deleted.
	Version int      `json:"version,omitempty"`
	By      []string `json:"by,omitempty"`
	Gone    bool     `json:"gone,omitempty"`
}

// Put stores the person, and replaces one with the same id. What contacts keep of the person stays.
func (p People) Put(ctx context.Context, person meet.Person) error {
	return p.update(ctx, person.ID, func(s storedPerson) (storedPerson, bool) {
		if s.Gone {
			s.Contact = meet.Contact{}
		}
		person.Owner = cmp.Or(person.Owner, s.Owner)
		s.Person, s.Gone = person, false
		return s, true
	})
}

// Seed stores the contact of a file. One that was changed or deleted here since stays as it is.
func (p People) Seed(ctx context.Context, contact meet.Contact) error {
	return p.update(ctx, contact.ID, func(s storedPerson) (storedPerson, bool) {
		changed := s.Version > 0
		s.Contact = contact
		return s, !changed
	})
}

// update replaces the stored person by what change makes of it, if it says so.
func (p People) update(
	ctx context.Context, id meet.PersonID, change func(storedPerson) (_ storedPerson, wanted bool),
) error {
	if id == "" {
		return fault.Invalid("id", "A person needs an id to be stored.")
	}
	const attempts = 5 // others may write at the same time
	for range attempts {
		raw, err := p.raw(ctx, id)
		if err != nil {
			return err
		}
		var now storedPerson
		if raw != "" {
			now, _ = decode[storedPerson](raw) // one that cannot be read is replaced
		}
		changed, wanted := change(now)
		if !wanted {
			return nil
		}
		if done, err := p.swap(ctx, id, raw, changed); done || err != nil {
			return err
		}
	}
	return fault.New(fault.Unavailable, "The person is being changed by others.").Later(0)
}

// raw is the person as stored; empty if there is none.
func (p People) raw(ctx context.Context, id meet.PersonID) (string, error) {
	raw, err := ask(ctx, p.store.do, "person", func(ctx context.Context) (string, error) {
		return p.store.shared.HGet(ctx, p.store.own(ctx).people(), string(id)).Result()
	})
	if errors.Is(err, redis.Nil) {
		return "", nil
	}
	return raw, err
}

// swap stores a person in place of what is stored now, or of nothing.
func (p People) swap(ctx context.Context, id meet.PersonID, now string, person storedPerson) (done bool, err error) {
	raw, err := encode(person)
	if err != nil {
		return false, fmt.Errorf("put person: %w", err)
	}
	return p.store.reply(ctx, p.store.do, "put person",
		call{replaceScript, []string{p.store.own(ctx).people()}, []any{string(id), now, raw}}).Bool()
}

// Person returns the person with that id; an unknown id is a fault.NotFound.
func (p People) Person(ctx context.Context, id meet.PersonID) (meet.Person, error) {
	raw, err := p.raw(ctx, id)
	if err != nil {
		return meet.Person{}, err
	}
	if raw == "" {
		return meet.Person{}, unknownPerson()
	}
	person, err := p.store.people.decode(meet.TenantOf(ctx), string(id), raw)
	if err != nil {
		return meet.Person{}, fmt.Errorf("person %s: %w", id, err)
	}
	if person.Gone {
		return meet.Person{}, unknownPerson()
	}
	return person.Person, nil
}

// Delete removes the person; an unknown id is a fault.NotFound. Their calendar stays.
func (p People) Delete(ctx context.Context, id meet.PersonID) error {
	return p.store.do(ctx, "delete person", func(ctx context.Context) error {
		n, err := p.store.client.HDel(ctx, p.store.own(ctx).people(), string(id)).Result()
		if err == nil && n == 0 {
			return unknownPerson()
		}
		return err
	})
}

// All returns all people, in the order of their ids. One that cannot be decoded is logged and left out, so that the
// others can still meet.
func (p People) All(ctx context.Context) ([]meet.Person, error) {
	stored, err := ask(ctx, p.store.do, "all people", func(ctx context.Context) (map[string]string, error) {
		return p.store.hash(ctx, p.store.own(ctx).people())
	})
	if err != nil {
		return nil, err
	}
	all := make([]meet.Person, 0, len(stored))
	for id, raw := range stored {
		person, err := p.store.people.decode(meet.TenantOf(ctx), id, raw)
		if err != nil {
			zerolog.Ctx(ctx).Error().Err(err).Str("person", id).Msg("a stored person cannot be read")
			continue
		}
		if !person.Gone {
			all = append(all, person.Person)
		}
	}
	slices.SortFunc(all, func(a, b meet.Person) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// personCache has the people as last decoded, with their JSON: most are read unchanged, and decoding JSON costs more
// than comparing it. The zero value is ready for use.
type personCache struct{ people sync.Map }

type personKey struct {
	tenant meet.Tenant
	id     string
}

type cachedPerson struct {
	raw    string
	person storedPerson
}

// decode decodes the tenant's person. Callers share the slices and maps of the result and must not change them.
func (c *personCache) decode(t meet.Tenant, id, raw string) (storedPerson, error) {
	key := personKey{t, id}
	if known, ok := c.people.Load(key); ok && known.(cachedPerson).raw == raw {
		return known.(cachedPerson).person, nil
	}
	person, err := decode[storedPerson](raw)
	if err == nil {
		c.people.Store(key, cachedPerson{raw, person})
	}
	return person, err
}

func unknownPerson() error { return fault.New(fault.NotFound, "We do not know that person.") }
