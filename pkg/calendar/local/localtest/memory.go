// Package localtest is what tests of the built-in calendar run on.
package localtest

import (
	"context"
	"maps"
	"slices"
	"sync"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Memory is a local.Store in this process. It forgets everything when the process ends. The zero value is empty.
type Memory struct {
	mu     sync.Mutex
	events map[meet.PersonID]map[string]meet.StoredEvent
}

// PutAll gives each of the people a copy of e, unless one of them has a newer one.
func (m *Memory) PutAll(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, person := range people {
		if m.events[person][e.UID].Sequence > e.Sequence {
			return fault.New(fault.Conflict, "This event has been changed in the meantime.")
		}
	}
	if m.events == nil {
		m.events = map[meet.PersonID]map[string]meet.StoredEvent{}
	}
	for _, person := range people {
		if m.events[person] == nil {
			m.events[person] = map[string]meet.StoredEvent{}
		}
		m.events[person][e.UID] = e.For(person)
	}
	return nil
}

// Remove takes the copies with that UID away.
func (m *Memory) Remove(ctx context.Context, people []meet.PersonID, uid string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, person := range people {
		delete(m.events[person], uid)
	}
	return nil
}

// Between lists the person's events whose busy time overlaps span, earliest first.
func (m *Memory) Between(ctx context.Context, person meet.PersonID, span interval.Span) ([]meet.StoredEvent, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	found := slices.DeleteFunc(slices.Collect(maps.Values(m.events[person])), func(e meet.StoredEvent) bool {
		return !e.Busy().Overlaps(span)
	})
	slices.SortFunc(found, func(a, b meet.StoredEvent) int { return a.Start.Compare(b.Start) })
	return found, nil
}
