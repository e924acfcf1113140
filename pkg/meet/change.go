package meet

import (
	"encoding/json"
	"time"
)

// ChangesID names a change set.
type ChangesID string

// ChangeSet is a list of changes that are shown, confirmed and written together. Confirming takes its id and digest.
type ChangeSet struct {
	ID ChangesID `json:"id"`
	// Digest is "sha256:" and the hexadecimal SHA-256 of all that applying the set does.
	Digest string          `json:"digest"`
	PlanID string          `json:"planId,omitempty"`
	Status ChangeSetStatus `json:"status"`
	// ExpiresAt is the end of the time in which a pending set can be confirmed, in real time.
	ExpiresAt time.Time `json:"expiresAt"`
	Changes   []Change  `json:"changes"`
}

// ChangeSetStatus is how far a change set has come.
type ChangeSetStatus string

// The statuses. A set is replaced if a later message changed it, or if what it changes has changed meanwhile.
const (
	ChangesPending   ChangeSetStatus = "pending"
	ChangesApplying  ChangeSetStatus = "applying"
	ChangesApplied   ChangeSetStatus = "applied"
	ChangesPartly    ChangeSetStatus = "partly"
	ChangesCancelled ChangeSetStatus = "cancelled"
	ChangesExpired   ChangeSetStatus = "expired"
	ChangesReplaced  ChangeSetStatus = "replaced"
	ChangesUndone    ChangeSetStatus = "undone"
)

// Change is one change of a thing, shown as it is and as it will be.
type Change struct {
	// ID is the change's number in its set, from "1".
	ID   string     `json:"id"`
	Kind ChangeKind `json:"kind"`
	What ChangeWhat `json:"what"`
	// Title is the thing's caption.
	Title  string       `json:"title"`
	Where  ChangeWhere  `json:"where"`
	Target ChangeTarget `json:"target"`
	// Before and After are the thing in the shape in which it is listed; null if there is none.
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
	// Affects are the other people who will hear of the change.
	Affects []Affected `json:"affects"`
	// Scope is which occurrences of a series change; empty for a thing that does not repeat.
	Scope Scope `json:"scope,omitempty"`
	Class Class `json:"class"`
	// Undoable says that the change can be taken back once it is applied.
	Undoable bool `json:"undoable"`
	// DependsOn are the ids of the changes that must be done before this one.
	DependsOn []string `json:"dependsOn"`
	// Deed is what the writer of the thing does. Clients do not see it; the digest covers it.
	Deed json.RawMessage `json:"-"`
}

// ChangeKind is what is done to a thing.
type ChangeKind string

// The kinds of changes.
const (
	CreateThing  ChangeKind = "create"
	UpdateThing  ChangeKind = "update"
	DeleteThing  ChangeKind = "delete"
	RespondThing ChangeKind = "respond"
	ArchiveThing ChangeKind = "archive"
	SendThing    ChangeKind = "send"
)

// ChangeWhat is the sort of a thing.
type ChangeWhat string

// The things that change.
const (
	EventThing      ChangeWhat = "event"
	BlockThing      ChangeWhat = "block"
	TaskThing       ChangeWhat = "task"
	ListThing       ChangeWhat = "list"
	NoteThing       ChangeWhat = "note"
	ContactThing    ChangeWhat = "contact"
	PreferenceThing ChangeWhat = "preference"
	EmailThing      ChangeWhat = "email"
	WorkflowThing   ChangeWhat = "workflow"
)

// ChangeWhere is where a thing is kept.
type ChangeWhere struct {
	Provider string `json:"provider"`
	Calendar string `json:"calendar,omitempty"`
}

// ChangeTarget is the thing that changes; its id is empty if the change creates it.
type ChangeTarget struct {
	ID    string     `json:"id,omitempty"`
	Start *time.Time `json:"start,omitempty"`
}

// Affected is a person who hears of a change.
type Affected struct {
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
}

// Scope is the part of a series that a change is of.
type Scope string

// The scopes.
const (
	ThisOne   Scope = "this"
	Following Scope = "following"
	AllOfThem Scope = "all"
)

// MostAtOnce is how many things are changed at most without the owner being asked, if the owner did not name each.
const MostAtOnce = 5

// Class is the risk of a change; the policy depends on it alone.
type Class string

// The classes: reading; the owner's own and reversible; what others hear of, deletions, series and many things; what is
// never done.
const (
	R0 Class = "R0"
	R1 Class = "R1"
	R2 Class = "R2"
	R3 Class = "R3"
)

// Applied is what came of a confirmed change set.
type Applied struct {
	ChangesID ChangesID      `json:"changesId"`
	Outcome   AppliedOutcome `json:"outcome"`
	// UndoUntil is the end of the time in which the set can be undone; absent if nothing of it can be.
	UndoUntil *time.Time     `json:"undoUntil,omitempty"`
	Changes   []ChangeResult `json:"changes"`
}

// AppliedOutcome says how much of a set was written.
type AppliedOutcome string

// The outcomes of a set.
const (
	AllApplied    AppliedOutcome = "applied"
	PartlyApplied AppliedOutcome = "partly"
	NothingDone   AppliedOutcome = "nothing"
)

// ChangeResult is what came of one change.
type ChangeResult struct {
	ID      string        `json:"id"`
	Outcome ChangeOutcome `json:"outcome"`
	// Reason is for a person; empty if the change is done.
	Reason string `json:"reason,omitempty"`
}

// ChangeOutcome is what came of one change.
type ChangeOutcome string

// The outcomes of a change. Unknown means that the change may or may not have been written. Held waits for a while in
// which it can be stopped, and then becomes one of the others.
const (
	ChangeDone    ChangeOutcome = "done"
	ChangeFailed  ChangeOutcome = "failed"
	ChangeSkipped ChangeOutcome = "skipped"
	ChangeUnknown ChangeOutcome = "unknown"
	ChangeHeld    ChangeOutcome = "held"
)
