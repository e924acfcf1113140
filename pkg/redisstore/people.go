package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// People are the stored people. They do not expire.
type People struct{ store *Store }

// People is everybody who is stored.
func (s *Store) People() People { return People{s} }

// Put stores the person under their id, in place of whoever had it.
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

// Person is the person with that id; nobody is a fault.NotFound.
func (p People) Person(ctx context.Context, id meet.PersonID) (meet.Person, error) {
	var raw string
	err := p.store.do(ctx, "person", func(ctx context.Context) (err error) {
		raw, err = p.store.shared.HGet(ctx, p.store.own(ctx).people(), string(id)).Result()
		return err
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

// Delete forgets the person; nobody is a fault.NotFound. Their calendar is not touched.
func (p People) Delete(ctx context.Context, id meet.PersonID) error {
	return p.store.do(ctx, "delete person", func(ctx context.Context) error {
		n, err := p.store.client.HDel(ctx, p.store.own(ctx).people(), string(id)).Result()
		if err == nil && n == 0 {
			return unknownPerson()
		}
		return err
	})
}

// All is everybody, in the order of their ids. Somebody who cannot be read is left out and logged, so that the others
// can still meet.
func (p People) All(ctx context.Context) ([]meet.Person, error) {
	var stored map[string]string
	err := p.store.do(ctx, "all people", func(ctx context.Context) (err error) {
		stored, err = p.store.hash(ctx, p.store.own(ctx).people())
		return err
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
	slices.SortFunc(all, func(a, b meet.Person) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return all, nil
}

// knownPeople are the people as they were read last, each with what was stored of them: most of what is read is what
// was read before, and reading JSON costs more than comparing it. The zero value is ready for use.
type knownPeople struct{ people sync.Map }

type personName struct {
	tenant meet.Tenant
	id     string
}

type knownPerson struct {
	raw    string
	person meet.Person
}

// decode is the tenant's person that raw says. What it points to is shared and must not be changed.
func (k *knownPeople) decode(t meet.Tenant, id, raw string) (meet.Person, error) {
	name := personName{t, id}
	if known, ok := k.people.Load(name); ok && known.(knownPerson).raw == raw {
		return known.(knownPerson).person, nil
	}
	person, err := decode[meet.Person](raw)
	if err == nil {
		k.people.Store(name, knownPerson{raw, person})
	}
	return person, err
}

func unknownPerson() error { return fault.New(fault.NotFound, "We do not know that person.") }
