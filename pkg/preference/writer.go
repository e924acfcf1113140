package preference

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Deed is a change of one preference. As JSON it is the Deed of a change, which the digest of its set covers.
type Deed struct {
	// Key names the change; it is the same whenever the change is repeated, and never used for another.
	Key  string `json:"key"`
	Name string `json:"name"`
	// From and To are the values in JSON; null is none.
	From json.RawMessage `json:"from"`
	To   json.RawMessage `json:"to"`
}

// Setting is a preference as it is listed.
type Setting struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// Change is the deed as its owner sees it, under a caption.
func (d Deed) Change(title string) (meet.Change, error) {
	d.From, d.To = compact(d.From), compact(d.To)
	c := meet.Change{
		Kind: meet.UpdateThing, What: meet.PreferenceThing, Title: title, Where: meet.ChangeWhere{Provider: "convene"},
		Target: meet.ChangeTarget{ID: d.Name}, Affects: []meet.Affected{}, Undoable: true, DependsOn: []string{},
	}
	switch {
	case none(d.From):
		c.Kind = meet.CreateThing
	case none(d.To):
		c.Kind = meet.DeleteThing
	}
	var err error
	if c.Before, err = shown(d.Name, d.From); err != nil {
		return c, err
	}
	if c.After, err = shown(d.Name, d.To); err != nil {
		return c, err
	}
	c.Deed, err = json.Marshal(d)
	return c, err
}

func shown(name string, value json.RawMessage) (json.RawMessage, error) {
	if none(value) {
		return json.RawMessage("null"), nil
	}
	return meet.MarshalLine(Setting{Key: name, Value: value})
}

func none(value []byte) bool { return len(value) == 0 || string(value) == "null" }

// compact is a value without spaces, and null for none.
func compact(value []byte) json.RawMessage {
	var b bytes.Buffer
	if none(value) || json.Compact(&b, value) != nil {
		return json.RawMessage("null")
	}
	return b.Bytes()
}

// Same reports whether two values in JSON differ in nothing but spaces.
func Same(a, b []byte) bool { return bytes.Equal(compact(a), compact(b)) }

// Writer writes changes of preferences. It is a change.Writer.
type Writer struct{ Book Book }

// remembered is how many changes an entry knows.
const remembered = 16

// standing is a deed with the value and the entry that it meets now.
func (w Writer) standing(
	ctx context.Context, owner meet.Person, c meet.Change,
) (d Deed, now json.RawMessage, e Entry, err error) {
	if err := json.Unmarshal(c.Deed, &d); err != nil {
		return d, nil, e, fmt.Errorf("preference: deed: %w", err)
	}
	values, entries, err := w.Book.read(ctx, owner.ID)
	return d, compact(values[d.Name]), entries[d.Name], err
}

// Standing reads the preference again.
func (w Writer) Standing(ctx context.Context, owner meet.Person, c meet.Change) (*meet.Change, error) {
	d, now, entry, err := w.standing(ctx, owner, c)
	if err != nil || bytes.Equal(now, d.From) || slices.Contains(entry.By, d.Key) {
		return nil, err
	}
	d.From = now
	fresh, err := d.Change(c.Title)
	fresh.ID, fresh.Class, fresh.DependsOn = c.ID, c.Class, c.DependsOn
	return &fresh, err
}

// Write sets the preference.
func (w Writer) Write(ctx context.Context, owner meet.Person, c meet.Change) (change.Written, error) {
	d, now, entry, err := w.standing(ctx, owner, c)
	if err != nil || slices.Contains(entry.By, d.Key) {
		return change.Written{}, err
	}
	if !none(d.To) {
		if err := Validate(d.Name, d.To); err != nil {
			return change.Written{}, err
		}
	}
	if !bytes.Equal(now, d.From) {
		return change.Written{}, changed()
	}
	by := slices.Concat(entry.By[max(0, len(entry.By)-remembered+1):], []string{d.Key})
	done, err := w.Book.Store.Replace(ctx, owner.ID, d.Name, entry, Entry{Value: d.To, Version: entry.Version + 1, By: by})
	if err == nil && !done {
		err = changed()
	}
	return change.Written{}, err
}

// Inverse is the change that brings the former value back.
func (w Writer) Inverse(
	ctx context.Context, owner meet.Person, c meet.Change, _ change.Written,
) (meet.Change, error) {
	d, now, _, err := w.standing(ctx, owner, c)
	if err != nil {
		return meet.Change{}, err
	}
	if !bytes.Equal(now, d.To) {
		return meet.Change{}, changed()
	}
	return Deed{Key: d.Key + "-undo", Name: d.Name, From: d.To, To: d.From}.Change(c.Title)
}

func changed() error {
	return fault.New(change.Changed, "The preference has changed meanwhile.")
}
