package change

import (
	"context"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Desk keeps change sets and applies them.
type Desk struct{}

// Propose makes a set of the changes. What the policy lets through is applied at once; then applied is not nil. A refused
// change is a fault.
func (d *Desk) Propose(ctx context.Context, draft Draft) (set meet.ChangeSet, applied *meet.Applied, err error) {
	return set, nil, errUnwritten
}

// Get is the set as it stands, with what came of it. One of another owner or tenant is not found.
func (d *Desk) Get(ctx context.Context, id meet.ChangesID) (set meet.ChangeSet, owner meet.Person, applied *meet.Applied, err error) {
	return set, owner, nil, errUnwritten
}

// Confirm applies a pending set. The same confirmation again returns the same result.
func (d *Desk) Confirm(ctx context.Context, id meet.ChangesID, c Confirmation) (meet.Applied, error) {
	return meet.Applied{}, errUnwritten
}

// Cancel ends a pending set without writing anything.
func (d *Desk) Cancel(ctx context.Context, id meet.ChangesID, reason string) (meet.ChangeSet, error) {
	return meet.ChangeSet{}, errUnwritten
}

// Undo takes back what was applied of a set.
func (d *Desk) Undo(ctx context.Context, id meet.ChangesID) (meet.Applied, error) {
	return meet.Applied{}, errUnwritten
}

var errUnwritten = fault.New(fault.Unavailable, "Changes cannot be kept here.")
