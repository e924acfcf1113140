// Package turnqueue is the words of the queue of turns: those that were accepted and have not ended. A turn runs on one
// process at a time, which keeps a lease on it; one whose process dies is taken over by another.
package turnqueue

import (
	"time"

	"convene/pkg/meet"
)

// Job is a turn that was taken from the queue.
type Job struct {
	Turn meet.Turn
	// Tenant is on whose behalf it was accepted, and runs.
	Tenant meet.Tenant
	// AcceptedAt is when the turn was accepted, by the clock of the queue.
	AcceptedAt time.Time
	// Attempt is 1 for the first process that runs the turn, and grows with each that takes it over. Together with the
	// process's name it keeps a former owner from touching the turn.
	Attempt int
	// First says that no earlier turn of the conversation was to be answered when this one was accepted. Where it is not
	// set, nobody has looked.
	First bool
	// Entry is what the queue knows the turn by.
	Entry string
}

// Lease is what a renewal tells of a turn.
type Lease int

const (
	// Lost says that another process runs the turn, or that it has ended: who asked stops, and writes no more.
	Lost Lease = iota + 1
	// Held says that the turn is the caller's for another while.
	Held
	// Cancelled is Held, and somebody wants the turn to end: its owner ends and finishes it.
	Cancelled
)
