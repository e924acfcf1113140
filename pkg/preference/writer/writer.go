// Package writer writes changes of preferences.
package writer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/preference"
)

// Writer writes changes of preferences. It is a change.Writer.
type Writer struct{ Book preference.Book }

// remembered is how many changes an entry knows.
const remembered = 16

// standing is a deed with the value and the entry that it meets now.
func (w Writer) standing(
	ctx context.Context, owner meet.Person, c meet.Change,
) (d preference.Deed, now json.RawMessage, e preference.Entry, err error) {
	if err := json.Unmarshal(c.Deed, &d); err != nil {
		return d, nil, e, fmt.Errorf("preference: deed: %w", err)
	}
	values, entries, err := w.Book.Read(ctx, owner.ID)
	return d, values[d.Name], entries[d.Name], err
}

// Standing reads the preference again.
func (w Writer) Standing(ctx context.Context, owner meet.Person, c meet.Change) (*meet.Change, error) {
	d, now, entry, err := w.standing(ctx, owner, c)
	if err != nil || preference.Same(now, d.From) || slices.Contains(entry.By, d.Key) {
		return nil, err
	}
	fresh, err := from(c, d, now)
	return &fresh, err
}

// Onto is the change on top of one before it, of the same preference.
func (w Writer) Onto(_ meet.Person, c, before meet.Change, _ *change.Written) (meet.Change, error) {
	var d, first preference.Deed
	if err := errors.Join(json.Unmarshal(c.Deed, &d), json.Unmarshal(before.Deed, &first)); err != nil {
		return c, fmt.Errorf("preference: deed: %w", err)
	}
	return from(c, d, first.To)
}

// from is the change as one from another value.
func from(c meet.Change, d preference.Deed, now json.RawMessage) (meet.Change, error) {
	d.From = now
	fresh, err := d.Change(c.Title)
	fresh.ID, fresh.Class, fresh.DependsOn = c.ID, c.Class, c.DependsOn
	return fresh, err
}

// Write sets the preference.
func (w Writer) Write(ctx context.Context, owner meet.Person, c meet.Change) (change.Written, error) {
	d, now, entry, err := w.standing(ctx, owner, c)
	if err != nil || slices.Contains(entry.By, d.Key) {
		return change.Written{}, err
	}
	if !preference.Same(d.To, nil) {
		if err := preference.Validate(d.Name, d.To); err != nil {
			return change.Written{}, err
		}
	}
	if !preference.Same(now, d.From) {
		return change.Written{}, changed()
	}
	by := slices.Concat(entry.By[max(0, len(entry.By)-remembered+1):], []string{d.Key})
	after := preference.Entry{Value: d.To, Version: entry.Version + 1, By: by}
	done, err := w.Book.Store.Replace(ctx, owner.ID, d.Name, entry, after)
	if err == nil && !done {
		err = changed()
	}
	return change.Written{}, err
}

// Look reads the preference, and tells whether the change was made.
func (w Writer) Look(
	ctx context.Context, owner meet.Person, c meet.Change,
) (outcome meet.ChangeOutcome, _ change.Written, err error) {
	d, now, entry, err := w.standing(ctx, owner, c)
	switch outcome = meet.ChangeUnknown; {
	case err != nil:
	case slices.Contains(entry.By, d.Key):
		outcome = meet.ChangeDone
	case preference.Same(now, d.From):
		outcome = meet.ChangeFailed
	}
	return outcome, change.Written{}, err
}

// Inverse is the change that brings the former value back.
func (w Writer) Inverse(
	ctx context.Context, owner meet.Person, c meet.Change, _ change.Written,
) (meet.Change, error) {
	d, now, _, err := w.standing(ctx, owner, c)
	if err != nil {
		return meet.Change{}, err
	}
	if !preference.Same(now, d.To) {
		return meet.Change{}, changed()
	}
	return preference.Deed{Key: d.Key + "-undo", Name: d.Name, From: d.To, To: d.From}.Change(c.Title)
}

func changed() error {
	return fault.New(change.Changed, "The preference has changed meanwhile.")
}
