package tasktest

import (
	"context"
	"encoding/json"
	"maps"
	"sync"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/task"
)

// Shelf is a record.Store in memory. Its zero value is empty.
type Shelf struct {
	mu      sync.Mutex
	entries map[meet.PersonID]map[string]record.Entry
}

// Entries are all of a person's.
func (s *Shelf) Entries(_ context.Context, person meet.PersonID) (map[string]record.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.entries[person]), nil
}

// Replace keeps after instead of before.
func (s *Shelf) Replace(
	_ context.Context, person meet.PersonID, id string, before, after record.Entry,
) (done bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries == nil {
		s.entries = map[meet.PersonID]map[string]record.Entry{}
	}
	if s.entries[person] == nil {
		s.entries[person] = map[string]record.Entry{}
	}
	if now := s.entries[person][id]; !cmp.Equal(now, before) && !cmp.Equal(now, after) {
		return false, nil
	}
	s.entries[person][id] = after
	return true, nil
}

// Values are tasks as records from files.
func Values(tasks ...task.Task) record.Values {
	values := record.Values{}
	for _, t := range tasks {
		raw, err := json.Marshal(t)
		if err != nil {
			panic(err) // a task can be encoded
		}
		values[t.ID] = raw
	}
	return values
}
