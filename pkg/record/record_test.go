package record_test

import (
	"context"

	"convene/pkg/meet"
	"convene/pkg/record"
)

// empty is a store without entries.
type empty struct{}

func (empty) Entries(context.Context, meet.PersonID) (map[string]record.Entry, error) {
	return nil, nil
}

func (empty) Replace(context.Context, meet.PersonID, string, record.Entry, record.Entry) (bool, error) {
	return false, nil
}
