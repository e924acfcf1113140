package turn

import (
	"context"

	"convene/pkg/meet"
)

// Log keeps the updates that a turn streams, numbered 1, 2, 3 …, and the results of its steps, for an hour. One process
// writes it; any number of readers, on any process, get the same bytes.
type Log interface {
	// Write adds a record. An entry that does not follow, or another result of a step, is a fault.Conflict. A log that
	// cannot be reached is tried for as long as ctx lasts; then it is a fault.Unavailable.
	Write(ctx context.Context, turn meet.TurnID, r Record) error
	// Written is all entries so far, and Steps the results that are kept, by the paths of their steps.
	Written(ctx context.Context, turn meet.TurnID) ([]Entry, error)
	Steps(ctx context.Context, turn meet.TurnID) (map[string][]byte, error)
}

// Entry is one update as it stands in the log.
type Entry struct {
	// ID counts 1, 2, 3 … within the turn.
	ID int
	// Key says what the update is within its turn: which step told it, as the how manieth. An attempt that is run again
	// does not write it twice. It is empty for the first entry and for the last ones, which no step tells.
	Key string
	// Data is the update as one line of JSON.
	Data []byte
	// Last marks the turn's final entry; nothing follows it.
	Last bool
}

// Record is what is written of a turn at once: all of it, or nothing.
type Record struct {
	// Name, if it is not empty, tells the record from all others of the turn: one that is written again, because nobody
	// knows whether it was stored, is stored once.
	Name string
	// Entries are the next updates, in order; there may be none. Their data must not be changed any more.
	Entries []Entry
	// Steps are what steps of the turn gave. The first result of a step stands, and a record with another one is refused.
	Steps []Step
	// State, if it is not empty, is how the turn stands from now on.
	State []byte
}

// Newest is the last of the record's entries, the zero Entry if it has none.
func (r Record) Newest() Entry {
	if len(r.Entries) == 0 {
		return Entry{}
	}
	return r.Entries[len(r.Entries)-1]
}

// Step is the result of a finished step of a turn, for the process that takes the turn over. Path is that of PathOf.
type Step struct {
	Path   string
	Result []byte
}
