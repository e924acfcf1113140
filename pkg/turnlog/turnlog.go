// Package turnlog is the log of a turn: the updates that were streamed, numbered 1, 2, 3 …, kept for an hour.
// One writer appends; any number of readers follow, each from where it left off, and all get the same bytes.
package turnlog

import (
	"context"

	"convene/pkg/meet"
)

// Entry is one update as it stands in the log.
type Entry struct {
	// ID counts 1, 2, 3 … within the turn.
	ID int
	// Data is the update as one line of JSON.
	Data []byte
	// Last marks the turn's final entry, behind which nothing follows.
	Last bool
}

// Record is what is written of a turn at once: all of it, or nothing.
type Record struct {
	// Name, where it is not empty, tells the record from all others of the turn: one that is written again, because nobody
	// knows whether it was stored, is stored once.
	Name string
	// Entries are the next updates, one behind the other; there may be none. Their data must not be changed any more.
	Entries []Entry
	// Steps are what steps of the turn gave. The first result of a step stands, and a record with another one is refused.
	Steps []Step
	// State, where it is not empty, is where the turn stands from now on.
	State []byte
}

// Newest is the last of the record's entries, the zero Entry where it has none.
func (r Record) Newest() Entry {
	if len(r.Entries) == 0 {
		return Entry{}
	}
	return r.Entries[len(r.Entries)-1]
}

// Step is what a finished step of a turn gave, for whoever takes the turn over.
type Step struct {
	Name   string
	Result []byte
}

// Log stores entries. An appended entry is durable when Append returns.
type Log interface {
	// Append adds an entry. IDs must follow one another without a gap; anything else is refused.
	Append(ctx context.Context, turn meet.TurnID, e Entry) error
	// Follow calls fn with every entry after the one numbered after, waiting for new ones, until the last entry was
	// handed over (nil), fn returns an error (that error) or ctx ends (its error). An unknown or expired turn is a
	// fault.NotFound.
	Follow(ctx context.Context, turn meet.TurnID, after int, fn func(...Entry) error) error
}
