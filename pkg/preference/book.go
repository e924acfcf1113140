package preference

import (
	"context"
	"encoding/json"
	"maps"

	"convene/pkg/meet"
)

// Entry is a person's own value of a key as it is kept.
type Entry struct {
	// Value is null if the person took the preference back.
	Value json.RawMessage `json:"value"`
	// Version grows with each change.
	Version int `json:"version"`
	// By are the keys of the latest changes, so that a repeat of one does nothing.
	By []string `json:"by"`
}

// Store keeps entries.
type Store interface {
	// Entries are all of a person's, by key.
	Entries(ctx context.Context, person meet.PersonID) (map[string]Entry, error)
	// Replace keeps after instead of before, which is zero if there was none. Done is false if another entry stands there;
	// a repeat is done.
	Replace(ctx context.Context, person meet.PersonID, key string, before, after Entry) (done bool, err error)
}

// Book has what people prefer: what they were given from files, with what they changed over it.
type Book struct {
	Store Store
	// Given are a person's values from files; nil if there are none.
	Given func(meet.PersonID) Values
}

// Of are a person's preferences.
func (b Book) Of(ctx context.Context, person meet.PersonID) (Values, error) {
	values, _, err := b.Read(ctx, person)
	return values, err
}

// Read are a person's preferences, and the entries that stand over those from files.
func (b Book) Read(ctx context.Context, person meet.PersonID) (Values, map[string]Entry, error) {
	entries, err := b.Store.Entries(ctx, person)
	if err != nil {
		return nil, nil, err
	}
	values := Values{}
	if b.Given != nil {
		maps.Copy(values, b.Given(person))
	}
	for key, e := range entries {
		if e.Value == nil || string(e.Value) == "null" {
			delete(values, key)
		} else {
			values[key] = e.Value
		}
	}
	return values, entries, nil
}
