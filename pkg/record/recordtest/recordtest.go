// Package recordtest has a store of records in memory.
package recordtest

import (
	"context"
	"maps"

	"convene/pkg/meet"
	"convene/pkg/record"
)

// Shelf is a record.Store of one person. It is not safe for concurrent use.
type Shelf map[string]record.Entry

// Entries are all entries, by id.
func (s Shelf) Entries(context.Context, meet.PersonID) (map[string]record.Entry, error) {
	return maps.Clone(s), nil
}

// Replace keeps after instead of before.
func (s Shelf) Replace(
	_ context.Context, _ meet.PersonID, id string, before, after record.Entry,
) (done bool, err error) {
	if now := s[id]; now.Version != before.Version && now.Version != after.Version {
		return false, nil
	}
	s[id] = after
	return true, nil
}
