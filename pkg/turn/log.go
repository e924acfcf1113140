package turn

import (
	"context"

	"convene/pkg/meet"
)

// Log keeps the updates that a turn streams, numbered 1, 2, 3 …, and the results of its steps, for an hour. One process
// writes it; any number of readers, on any process, get the same bytes.
type Log interface {
	// Write adds a record. An entry that is not the next one, or another result of a step, is a fault.Conflict. Write
	// tries to reach the log as long as ctx lasts; then it is a fault.Unavailable.
	Write(ctx context.Context, turn meet.TurnID, r Record) error
	// Written returns all entries so far, and Steps the stored results, by the paths of their steps.
	Written(ctx context.Context, turn meet.TurnID) ([]Entry, error)
	Steps(ctx context.Context, turn meet.TurnID) (map[string][]byte, error)
}

// Entry is one update in the log.
type Entry struct {
	// ID counts 1, 2, 3 … within the turn.
	ID int
	// Key identifies the update within its turn by its step and its ordinal there, so that no later attempt writes it
	// again. It is empty for the first entry and for the last ones, which no step emits.
	Key string
	// Data is the update as one line of JSON.
	Data []byte
	// Last marks the turn's final entry; nothing follows it.
	Last bool
}

// Record is the unit of writing: all of it is stored, or nothing.
type Record struct {
	// Name, if not empty, identifies the record within the turn: a record that is written again, because it is unknown
	// whether it was stored, is stored once.
	Name string
	// Entries are the next updates, in order; there may be none. Their data must not change any more.
	Entries []Entry
	// Steps are results of the turn's steps. The first result of a step stands; a record with another one is refused.
	Steps []Step
	// State, if not empty, is the turn's new state.
	State []byte
}

// Newest is the record's last entry, or the zero Entry.
func (r Record) Newest() Entry {
	if len(r.Entries) == 0 {
		return Entry{}
	}
	return r.Entries[len(r.Entries)-1]
}

// Step is the result of a finished step, for a process that takes the turn over. Path is as of PathOf.
type Step struct {
	Path   string
	Result []byte
}
