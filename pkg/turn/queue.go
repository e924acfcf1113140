package turn

import (
	"context"
	"time"

	"convene/pkg/meet"
)

type (
	// Queue holds the accepted turns that have not ended, each for ctx's tenant. Take waits for a turn of any tenant; if
	// it cannot be read, Take returns an error and a job with only the turn's id.
	Queue interface {
		// Accept opens the turn's log with the record, and puts the turn into the queue.
		Accept(ctx context.Context, turn meet.Turn, opening Record) error
		Take(ctx context.Context) (Job, error)
		Finish(ctx context.Context, job Job) error
		// Release returns a turn, so that another process takes it at once.
		Release(ctx context.Context, job Job) error
	}
	// Leases say which process runs a turn, and whether it was cancelled.
	Leases interface {
		Renew(ctx context.Context, job Job) (Lease, error)
		// First reports whether all earlier turns of the tenant's conversation have been answered.
		First(ctx context.Context, job Job) (bool, error)
		Cancel(ctx context.Context, id meet.TurnID) error
		// Cancelled calls fn at once with each turn that is cancelled, until ctx ends.
		Cancelled(ctx context.Context, fn func(meet.TurnID)) error
	}
	// Ledger keeps the state of each turn, in JSON.
	Ledger interface {
		PutState(ctx context.Context, id meet.TurnID, state []byte) error
		// State is a fault.NotFound for an unknown turn.
		State(ctx context.Context, id meet.TurnID) ([]byte, error)
		// Claim returns the turn that holds the key: this one if it is the first. The same key with another digest is a
		// fault.InvalidRequest.
		Claim(ctx context.Context, key, digest string, turn meet.TurnID) (meet.TurnID, error)
		// Release frees a key that the turn holds.
		Release(ctx context.Context, key string, turn meet.TurnID) error
	}
)

// Job is a turn that was taken from the queue.
type Job struct {
	Turn meet.Turn
	// Tenant is the tenant for which the turn was accepted, and runs.
	Tenant meet.Tenant
	// AcceptedAt is when the turn was accepted, by the clock of the queue.
	AcceptedAt time.Time
	// Attempt is 1 for the first process that runs the turn, and grows with each takeover. With the process's name it
	// keeps a former owner from writing.
	Attempt int
	// First says that all earlier turns of the conversation had been answered when this one was accepted. False means
	// unknown.
	First bool
	// Entry is the turn's id in the queue.
	Entry string
}

// Lease is the answer to a renewal.
type Lease int

const (
	// Lost says that another process runs the turn, or that it has ended: the caller stops, and writes no more.
	Lost Lease = iota + 1
	// Held says that the turn is the caller's until the renewed lease ends.
	Held
	// Cancelled is Held for a turn that was cancelled: its owner ends and finishes it.
	Cancelled
)
