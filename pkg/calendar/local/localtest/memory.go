// Package localtest is what tests of the built-in calendar run on.
package localtest

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Memory is a local.Store in this process. It forgets everything when the process ends. The zero value is empty.
type Memory struct {
	mu      sync.Mutex
	events  map[meet.PersonID]map[string]meet.StoredEvent
	objects map[meet.PersonID]objects
}

// objects are a person's changed calendar objects, at a revision.
type objects struct {
	revision int
	byName   map[string]string
}

// Objects are the person's changed calendar objects.
func (m *Memory) Objects(
	ctx context.Context, person meet.PersonID,
) (byName map[string]string, revision string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.objects[person]
	return maps.Clone(o.byName), strconv.Itoa(o.revision), ctx.Err()
}

// SwapObjects keeps the objects if the revision is the latest.
func (m *Memory) SwapObjects(
	ctx context.Context, person meet.PersonID, revision string, byName map[string]string,
) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.objects[person]
	if ctx.Err() != nil || strconv.Itoa(o.revision) != revision {
		return false, ctx.Err()
	}
	if m.objects == nil {
		m.objects = map[meet.PersonID]objects{}
	}
	now := objects{o.revision + 1, map[string]string{}}
	maps.Copy(now.byName, o.byName)
	maps.Copy(now.byName, byName)
	m.objects[person] = now
	return true, nil
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
