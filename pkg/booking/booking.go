// Package booking turns proposals into events in people's calendars, and back. Between a proposal and its
// confirmation the world goes on: calendars fill, others confirm, the user changes their mind. So a confirmation
// takes a hold on everybody, reads the calendars again, writes once and records what it wrote, or undoes it.
//
// What it promises: one proposal becomes at most one event, however often and from wherever it is confirmed; two
// proposals never take the same person's same time; nothing is booked on an assumption.
package booking

import (
	"context"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// The ports of a Desk.
type (
	// Proposals keeps proposals with the turns that asked for them. An unknown or expired one is fault.NotFound.
	Proposals interface {
		LoadProposal(ctx context.Context, id meet.ProposalID) (meet.Event, meet.Turn, error)
		// UpdateProposal changes a proposal and returns what is now stored. Changes of one proposal happen one after
		// the other. change may run more than once, and its error leaves all as it was.
		UpdateProposal(ctx context.Context, id meet.ProposalID, change func(*meet.Event) error) (meet.Event, error)
	}
	// Calendars reads busy times as they are now, not from a cache.
	Calendars interface {
		Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Reading, error)
	}
	// Writer puts events into the calendars of their participants. The UID decides which event is meant: writing it
	// again replaces it, removing one that is not there is no error, and whoever is not among the participants keeps
	// what they have.
	Writer interface {
		Write(ctx context.Context, e meet.Event) error
		Remove(ctx context.Context, e meet.Event) error
	}
	// Holds keeps others from booking the same people meanwhile. Where one of them is held by somebody else the
	// error is a retryable fault.Conflict; a hold that is not released ends by itself after ttl.
	Holds interface {
		Hold(ctx context.Context, people []meet.PersonID, ttl time.Duration) (release func(context.Context) error, err error)
	}
)

// Config is what a Desk works with. Proposals, Calendars, Writer and Holds are required.
type Config struct {
	Proposals Proposals
	Calendars Calendars
	Writer    Writer
	Holds     Holds
	// Written reads only what Convene itself has put into calendars. It is asked about people whose availability
	// came with the request, because their other calendars do not count. Defaults to Calendars.
	Written Calendars
	// Fresh finds times that suit now, for somebody whose slot has gone. Defaults to none.
	Fresh func(ctx context.Context, t meet.Turn, e meet.Event) ([]meet.Slot, error)
	// Links makes an event's links anew after another slot or place was chosen. Without it the links that hold
	// the old time are taken away.
	Links func(meet.Event) meet.Links
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
	// HoldFor bounds one confirmation once it has its hold. Defaults to 30 s; less than 10 s is taken as 10 s.
	HoldFor time.Duration
	// Patience is how long a confirmation waits for its turn. Defaults to 10 s.
	Patience time.Duration
}

// Desk confirms and cancels proposals. It keeps no state and is safe for concurrent use.
type Desk struct{ cfg Config }

// New fills in the defaults of cfg.
func New(cfg Config) *Desk {
	if cfg.Written == nil {
		cfg.Written = cfg.Calendars
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.HoldFor == 0 {
		cfg.HoldFor = 30 * time.Second
	}
	cfg.HoldFor = max(cfg.HoldFor, 2*undoTime)
	if cfg.Patience == 0 {
		cfg.Patience = 10 * time.Second
	}
	return &Desk{cfg}
}

// Proposal is the proposal as it stands.
func (d *Desk) Proposal(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	event, _, err := d.cfg.Proposals.LoadProposal(ctx, id)
	fault.Wrap(&err, "load proposal %s", id)
	return event, err
}

// GoneError says that the time can no longer be had, and what can be had instead. Its fault has the code SlotGone.
type GoneError struct {
	Fault *fault.Error
	// Slots suit everybody as of now; there may be none. They have become the proposal's alternatives, in this order,
	// so that a Choice can take one of them by its index.
	Slots []meet.Slot
}

func gone(format string, args ...any) *GoneError {
	return &GoneError{Fault: fault.New(fault.SlotGone, format, args...)}
}

func (e *GoneError) Error() string { return e.Fault.Error() }

// Unwrap is the fault.
func (e *GoneError) Unwrap() error { return e.Fault }
