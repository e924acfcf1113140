// Package writer writes changes of records.
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
	"convene/pkg/record"
)

// Writer writes changes of the records of a book. It is a change.Writer and a change.Chainer.
type Writer struct{ Book record.Book }

// standing is a deed with the value and the entry that it meets now.
func (w Writer) standing(
	ctx context.Context, owner meet.Person, c meet.Change,
) (d record.Deed, now json.RawMessage, e record.Entry, err error) {
	if err := json.Unmarshal(c.Deed, &d); err != nil {
		return d, nil, e, fmt.Errorf("%s: deed: %w", w.Book.What, err)
	}
	values, entries, err := w.Book.Read(ctx, owner.ID)
	return d, values[d.ID], entries[d.ID], err
}

// Standing reads the record again.
func (w Writer) Standing(ctx context.Context, owner meet.Person, c meet.Change) (*meet.Change, error) {
	d, now, entry, err := w.standing(ctx, owner, c)
	if err != nil || record.Same(now, d.From) || slices.Contains(entry.By, d.Key) {
		return nil, err
	}
	if c.Kind != meet.CreateThing && now == nil {
		return nil, w.changed()
	}
	fresh, err := w.on(c, d, now)
	return &fresh, err
}

// Onto is the change on top of one before it, of the same record.
func (w Writer) Onto(_ meet.Person, c, before meet.Change, _ *change.Written) (meet.Change, error) {
	var d, first record.Deed
	if err := errors.Join(json.Unmarshal(c.Deed, &d), json.Unmarshal(before.Deed, &first)); err != nil {
		return c, fmt.Errorf("%s: deed: %w", w.Book.What, err)
	}
	return w.on(c, d, first.To)
}

// on is the change as one of the record as it stands now.
func (w Writer) on(c meet.Change, d record.Deed, now json.RawMessage) (meet.Change, error) {
	d, _ = d.On(now)
	fresh, err := w.Book.Change(d, c.Title)
	fresh.ID, fresh.Class, fresh.DependsOn, fresh.Affects = c.ID, c.Class, c.DependsOn, c.Affects
	return fresh, err
}

// Write sets the record.
func (w Writer) Write(ctx context.Context, owner meet.Person, c meet.Change) (change.Written, error) {
	d, now, entry, err := w.standing(ctx, owner, c)
	if err != nil || slices.Contains(entry.By, d.Key) {
		return change.Written{}, err
	}
	if w.Book.Validate != nil && !record.Same(d.To, nil) {
		if err := w.Book.Validate(d.ID, d.To); err != nil {
			return change.Written{}, err
		}
	}
	if !record.Same(now, d.From) {
		return change.Written{}, w.changed()
	}
	done, err := w.Book.Store.Replace(ctx, owner.ID, d.ID, entry, entry.Next(d.To, d.Key))
	if err == nil && !done {
		err = w.changed()
	}
	return change.Written{}, err
}

// Look reads the record, and tells whether the change was made.
func (w Writer) Look(
	ctx context.Context, owner meet.Person, c meet.Change,
) (outcome meet.ChangeOutcome, _ change.Written, err error) {
	d, now, entry, err := w.standing(ctx, owner, c)
	switch outcome = meet.ChangeUnknown; {
	case err != nil:
	case slices.Contains(entry.By, d.Key):
		outcome = meet.ChangeDone
	case record.Same(now, d.From):
		outcome = meet.ChangeFailed
	}
	return outcome, change.Written{}, err
}

// Inverse is the change that brings back what c changed. Other members of the record stay as they are now.
func (w Writer) Inverse(
	ctx context.Context, owner meet.Person, c meet.Change, _ change.Written,
) (meet.Change, error) {
	d, now, _, err := w.standing(ctx, owner, c)
	if err != nil {
		return meet.Change{}, err
	}
	back, clash := d.Back().On(now)
	if clash || record.Same(back.From, back.To) {
		return meet.Change{}, w.changed()
	}
	return w.Book.Change(back, c.Title)
}

func (w Writer) changed() error {
	return fault.New(change.Changed, "The %s has changed meanwhile.", w.Book.What)
}
