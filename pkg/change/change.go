// Package change writes what a person has let through. Tools return changes; a Desk shows them as one set, decides by
// the policy whether it must ask, and applies the set once, in its order, and nothing twice. It knows no family of
// things: for each there is a Writer.
package change

import (
	"context"
	"slices"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Draft is what a turn or a call of a tool would change.
type Draft struct {
	Owner meet.Person
	// Key names the draft: the same key makes the same set, however often the turn runs.
	Key    string
	PlanID string
	// Language is that of the reasons.
	Language string
	Changes  []meet.Change
	// Heard says that code finds in the owner's own words which things are meant, and what is to be done to them.
	Heard bool
	// Named says that the owner named the things one by one, and not by "all my …".
	Named bool
	// AutoConfirm applies what would be asked for its risk alone. What is not Heard is asked, and what is refused stays
	// refused.
	AutoConfirm bool
	// Strict reports whether the owner prefers to be asked about a change that could be made at once. Defaults to never.
	Strict func(meet.Change) bool
	// Replaces is the pending set that this one stands for from now on. Its owner has not agreed to it yet, so that this
	// one is asked for too, unless AutoConfirm is set.
	Replaces meet.ChangesID
}

// Confirmation is the answer to a pending set: what was shown, and which of its changes are wanted.
type Confirmation struct {
	Digest string
	// Only are the ids of the wanted changes; nil is all. The others can never be confirmed later.
	Only []string
}

// same reports whether both want the same of one set.
func (c Confirmation) same(o Confirmation) bool {
	return c.Digest == o.Digest && slices.Equal(slices.Sorted(slices.Values(c.Only)), slices.Sorted(slices.Values(o.Only)))
}

// Writer writes one sort of things. Its methods are called for the owner's changes of that sort.
type Writer interface {
	// Standing reads the target of a change again. If it is as it was when the change was made, fresh is nil; otherwise it
	// is the change as it would be now, or a fault Changed if it can no longer be made. Any other error means that it
	// cannot be known now.
	Standing(ctx context.Context, owner meet.Person, c meet.Change) (fresh *meet.Change, err error)
	// Write makes the change. It is idempotent. Changed means that the target is not as it was, and another fault that is
	// not retryable that it is refused: nothing was written then. Any other error leaves it open whether it was.
	Write(ctx context.Context, owner meet.Person, c meet.Change) (Written, error)
	// Inverse is the change that takes c back, by what Write returned. Fields that others have changed since are kept; a
	// fault Changed says that it can no longer be taken back.
	Inverse(ctx context.Context, owner meet.Person, c meet.Change, w Written) (meet.Change, error)
}

// Chainer is a Writer that makes a second change of a thing on top of the first.
type Chainer interface {
	// Onto is c on the thing as the change before it leaves it: as was written, or as it would be if w is nil.
	Onto(owner meet.Person, c, before meet.Change, w *Written) (meet.Change, error)
}

// Written is what a Writer needs to take a change back.
type Written struct {
	Undo []byte `json:"undo,omitempty"`
}

// The codes of refused confirmations.
const (
	Changed        fault.Code = "changed"
	Expired        fault.Code = "expired"
	AlreadyApplied fault.Code = "already_applied"
	DigestMismatch fault.Code = "digest_mismatch"
	// AlreadyUndone comes with what came of the first undo.
	AlreadyUndone fault.Code = "already_undone"
	// Refused changes are never made.
	Refused fault.Code = "refused"
)

// ChangedError says that things are not as they were shown. Nothing was written; Fresh is the set as it would be now,
// or the one that has replaced it. It is without changes if none can be made any more.
type ChangedError struct {
	Fault *fault.Error
	Fresh meet.ChangeSet
}

func (e *ChangedError) Error() string { return e.Fault.Error() }

// Unwrap is the fault.
func (e *ChangedError) Unwrap() error { return e.Fault }
