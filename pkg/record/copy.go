package record

import (
	"context"
	"maps"
	"sync"

	"convene/pkg/meet"
)

// Copy is the working copy of a person's records of one kind: as they stand, with the changes that were made on it.
// Nothing of it is written. It is used by one turn, whose steps may read side by side, and change one after the other.
type Copy struct {
	mu     sync.Mutex
	kind   Kind
	read   func(ctx context.Context) (Values, error)
	values Values
}

// NewCopy is the working copy of a person's records. They are read when they are first asked for.
func (b Book) NewCopy(person meet.PersonID) *Copy {
	return &Copy{kind: b.Kind, read: func(ctx context.Context) (Values, error) { return b.Of(ctx, person) }}
}

// All are the records by id, as the changes leave them. The caller must not change them.
func (c *Copy) All(ctx context.Context) (Values, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil {
		values, err := c.read(ctx)
		if err != nil {
			return nil, err
		}
		c.values = maps.Clone(values)
	}
	return c.values, nil
}

// Make is the change of a record to a new value, under a caption. Later reads see it. A nil value deletes the record.
// The key names the change, and is never used for another.
func (c *Copy) Make(ctx context.Context, key, id string, value []byte, title string) (meet.Change, error) {
	values, err := c.All(ctx)
	if err != nil {
		return meet.Change{}, err
	}
	deed := Deed{Key: key, ID: id, From: values[id], To: value}
	if values[id] = value; value == nil {
		delete(values, id)
	}
	return c.kind.Change(deed, title)
}
