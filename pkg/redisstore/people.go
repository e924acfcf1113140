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

// Put stores the person, and replaces one with the same id.
func (p People) Put(ctx context.Context, person meet.Person) error {
	if person.ID == "" {
		return fault.Invalid("id", "A person needs an id to be stored.")
	}
	raw, err := encode(person)
	if err != nil {
		return fmt.Errorf("put person: %w", err)
	}
	return p.store.do(ctx, "put person", func(ctx context.Context) error {
		return p.store.client.HSet(ctx, p.store.own(ctx).people(), string(person.ID), raw).Err()
	})
}

// Person returns the person with that id; an unknown id is a fault.NotFound.
func (p People) Person(ctx context.Context, id meet.PersonID) (meet.Person, error) {
	raw, err := ask(ctx, p.store.do, "person", func(ctx context.Context) (string, error) {
		return p.store.shared.HGet(ctx, p.store.own(ctx).people(), string(id)).Result()
	})
	if errors.Is(err, redis.Nil) {
		return meet.Person{}, unknownPerson()
	}
	if err != nil {
		return meet.Person{}, err
	}
	person, err := p.store.people.decode(meet.TenantOf(ctx), string(id), raw)
	if err != nil {
		return meet.Person{}, fmt.Errorf("person %s: %w", id, err)
	}
	return person, nil
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
		all = append(all, person)
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
	person meet.Person
}

// decode decodes the tenant's person. Callers share the slices and maps of the result and must not change them.
func (c *personCache) decode(t meet.Tenant, id, raw string) (meet.Person, error) {
	key := personKey{t, id}
	if known, ok := c.people.Load(key); ok && known.(cachedPerson).raw == raw {
		return known.(cachedPerson).person, nil
	}
	person, err := decode[meet.Person](raw)
	if err == nil {
		c.people.Store(key, cachedPerson{raw, person})
	}
	return person, err
}

func unknownPerson() error { return fault.New(fault.NotFound, "We do not know that person.") }
