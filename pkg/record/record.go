// Package record keeps what a person owns and no provider has: preferences, tasks, lists, notes. A record is a thing of
// one kind, as JSON under an id.
package record

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"convene/pkg/meet"
)

// Values are records by id, in JSON.
type Values = map[string][]byte

// Entry is a record as it is kept.
type Entry struct {
	// Value is null if the record was deleted.
	Value json.RawMessage `json:"value"`
	// Version grows with each change.
	Version int `json:"version"`
	// By are the keys of the latest changes, so that a repeat of one does nothing.
	By []string `json:"by"`
}

// Store keeps the entries of one kind.
type Store interface {
	// Entries are all of a person's, by id.
	Entries(ctx context.Context, person meet.PersonID) (map[string]Entry, error)
	// Replace keeps after instead of before, which is zero if there was none. Done is false if another entry stands there;
	// a repeat is done.
	Replace(ctx context.Context, person meet.PersonID, id string, before, after Entry) (done bool, err error)
}

// Kind is one kind of records.
type Kind struct {
	What meet.ChangeWhat
	// Show is a value as clients list it. Defaults to the value itself.
	Show func(id string, value []byte) (json.RawMessage, error)
	// Validate returns a fault that names what is wrong with a value. Defaults to none.
	Validate func(id string, value []byte) error
}

// Book has the records of one kind: those from files, and over them what has changed.
type Book struct {
	Kind
	Store Store
	// Given are a person's records from files; nil if there are none.
	Given func(meet.PersonID) Values
}

// Of are a person's records.
func (b Book) Of(ctx context.Context, person meet.PersonID) (Values, error) {
	values, _, err := b.Read(ctx, person)
	return values, err
}

// Read are a person's records, and the entries that stand over those from files.
func (b Book) Read(ctx context.Context, person meet.PersonID) (Values, map[string]Entry, error) {
	entries, err := b.Store.Entries(ctx, person)
	if err != nil {
		return nil, nil, err
	}
	values := Values{}
	if b.Given != nil {
		maps.Copy(values, b.Given(person))
	}
	for id, e := range entries {
		if none(e.Value) {
			delete(values, id)
		} else {
			values[id] = e.Value
		}
	}
	return values, entries, nil
}

// remembered is how many changes an entry knows.
const remembered = 16

// Next is the entry after a change to a value, by the change's key.
func (e Entry) Next(value json.RawMessage, key string) Entry {
	by := slices.Concat(e.By[max(0, len(e.By)-remembered+1):], []string{key})
	return Entry{Value: value, Version: e.Version + 1, By: by}
}
