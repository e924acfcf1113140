// Package booking turns proposals into events in people's calendars, and back. Between a proposal and its confirmation
// calendars fill, other proposals are confirmed, and users change their minds. So a confirmation holds all
// participants, reads the calendars again, and then goes through its steps and records each.
//
// It promises: one proposal becomes at most one event, however often and from wherever it is confirmed; two proposals
// never take the same time of a person, unless the user accepts a shown conflict by confirming; nothing is booked on an
// assumption; a booking that has begun is finished or taken back, even if its process dies.
//
// # The steps
//
// Before anything is written, a Saga records the plan; see its Steps. The first step writes into Convene's own book, in
// which no two events of a person overlap: it decides who gets the time. Until that step is known to be done, the
// process that finds the saga takes it back, because no one has been informed and the caller can ask again. From then
// on it is finished, because invitations may be out, and finishing is kinder than a cancellation. It is taken back only
// if a step fails for good, or if the event's start passes before anyone outside is informed. Taking back undoes the
// steps in reverse, so that the time stays taken in the book as long as the event may be in a calendar. A cancellation
// is always finished. A guest's own copy that is out of reach holds up neither. The outcome is then owed to the Outbox:
// the record keeps it until it is delivered, and nothing else waits for it. Nor does anything wait for the fate of
// invitations: the record counts how often it is still to be checked.
//
// Every step is idempotent. A process that has lost its claim on a saga without knowing can therefore only repeat the
// steps of the new owner. Two things it cannot do: write into the book after a later claim has, and record the outcome,
// because claim and hold are checked between reading the proposal and replacing it.
package booking

import (
	"cmp"
	"context"
	"time"

	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/travel"
)

// The ports of a Desk.
type (
	// Proposals keeps proposals with their turns. An unknown or expired one is fault.NotFound.
	Proposals interface {
		LoadProposal(ctx context.Context, id meet.ProposalID) (meet.Event, meet.Turn, error)
		// UpdateProposal changes a proposal and returns its stored form. Changes of one proposal are serialized. change may
		// run more than once, and its error leaves the proposal unchanged.
		UpdateProposal(ctx context.Context, id meet.ProposalID, change func(*meet.Event) error) (meet.Event, error)
	}
	// Calendars reads current busy times, not from a cache.
	Calendars interface {
		Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error)
	}
	// Book is Convene's own record of who is booked when, also for people without a calendar. People without an id are not
	// in it.
	Book interface {
		// Under is the book for writing the claimed event. Once a later claim on the event has written, or tried to, writes
		// of an earlier one are a fault.Conflict and change nothing.
		Under(c Claim) Pages
	}
	// Pages are a Book that is written under a claim. The UID identifies the event: writing it again replaces it, unless
	// the sequence is lower, which is a fault.Conflict.
	Pages interface {
		// Book writes the event for all these people or none; a fault.SlotGone if another event takes some of its time.
		// Check and write are atomic.
		Book(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error
		// PutAll is Book without the check.
		PutAll(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error
		// Remove removes the event from these people. One that is not there is no error.
		Remove(ctx context.Context, people []meet.PersonID, uid string) error
	}
	// Courier writes events to the calendars that people keep elsewhere. Its methods are idempotent and inform nobody
	// twice.
	Courier interface {
		// Plan lists the calendars to which the event goes. None is no error.
		Plan(ctx context.Context, e meet.Event, organizer meet.Person) ([]Delivery, error)
		// Deliver writes the event, or replaces the one with its UID unless that is newer. joinURL is the address of an
		// online event, if the provider gives one.
		Deliver(ctx context.Context, to Delivery, e meet.Event) (joinURL string, err error)
		// Invitations is the fate of a delivery's invitations, for each of its guests; empty if it cannot be known.
		Invitations(ctx context.Context, of Delivery, e meet.Event) ([]Invited, error)
		// Withdraw removes the event. One that is not there, or a calendar that is no longer connected, is no error.
		Withdraw(ctx context.Context, from Delivery, e meet.Event) error
		// Forget drops the cached readings of these people's calendars.
		Forget(ctx context.Context, people []meet.PersonID) error
	}
	// Holds keeps others from booking the same people concurrently.
	Holds interface {
		// Hold takes all the people or none. If one of them is held under another token the error is a retryable
		// fault.Conflict; under the same token it is taken again.
		Hold(ctx context.Context, h Hold) error
		// Renew restarts the hold's time; a fault.Conflict says that it has ended.
		Renew(ctx context.Context, h Hold) error
		// Release ends the hold.
		Release(ctx context.Context, h Hold) error
	}
	// Sagas keeps the records of events' bookings, and lets one process at a time work on each. A call with a token other
	// than that of the current claim is a fault.Conflict.
	Sagas interface {
		claim.Claims
		// Claim takes the event's record for a while and returns the claim's term. The record is empty if the event is in no
		// calendar. A fault.Conflict says that another token has it.
		Claim(ctx context.Context, c Claim) (s Saga, term int64, err error)
		// Save keeps the record, or drops it if it is Over. It is stored before Save returns.
		Save(ctx context.Context, c Claim, s Saga) error
	}
)

// Outbox informs others of bookings, moves and cancellations.
type Outbox interface {
	// Tell accepts a notice: once it returns, the notice cannot be lost. The same notice may come again.
	Tell(ctx context.Context, n Notice) error
}

// Hold is a set of people who are held under a token, for a while.
type Hold struct {
	Token  string          `json:"token"`
	People []meet.PersonID `json:"people"`
	For    time.Duration   `json:"-"`
}

// Claim is a claim on the record of an event, by its UID.
type Claim = claim.Claim

// Due is an event whose saga waits for a process to continue it, by its UID.
type Due = claim.Due

// Delivery is one calendar that an event goes to.
type Delivery struct {
	// Provider and Owner are the calendar's.
	Provider string      `json:"provider"`
	Owner    meet.Person `json:"owner"`
	// Guests are the people whom the provider invites. Without guests it is the owner's own copy.
	Guests []meet.Participant `json:"guests,omitempty"`
	// Online asks for a meeting link of the provider's.
	Online bool `json:"online,omitempty"`
	// Optional says that the event does not depend on it: the user accepted that the owner's calendar was in doubt.
	Optional bool `json:"optional,omitempty"`
}

// Invited is the fate of one guest's invitation.
type Invited struct {
	// Email is the invited address.
	Email string
	// Invitation is empty while the calendar says nothing.
	Invitation meet.Invitation
	// Copy is the guest's own calendar, if the invitation failed and one is connected.
	Copy *Delivery
}

// Config configures a Desk. Proposals, Calendars, Book, Holds and Sagas are required.
type Config struct {
	Proposals Proposals
	Calendars Calendars
	Book      Book
	Holds     Holds
	Sagas     Sagas
	// Courier defaults to one without calendars.
	Courier Courier
	// Outbox gets every confirmation, move and cancellation once it is recorded. A notice that it refuses is offered
	// again, by any process; the booking stands either way. Defaults to none.
	Outbox Outbox
	// Written reads only events that Convene itself has written. It is asked about people whose availability is in the
	// request, because their other calendars do not count. Defaults to Calendars.
	Written Calendars
	// Fresh finds other times after a slot has gone. Defaults to none.
	Fresh func(ctx context.Context, t meet.Turn, e meet.Event) ([]meet.Slot, error)
	// Router tells travel times; it should be the one with which proposals are made. Defaults to travel.Model.
	Router travel.Router
	// Links renews an event's links after another slot or place was chosen. Without it the links with the old time are
	// removed.
	Links func(meet.Event) meet.Links
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
	// HoldFor is how long holds and claims outlive a process that died. They are renewed as long as it lives.
	// Defaults to 5 s.
	HoldFor time.Duration
	// Limit bounds one confirmation once it has its hold; taking it back may need a little longer. Defaults to 30 s.
	Limit time.Duration
	// Patience is how long a confirmation waits for others. Defaults to 12 s, so that it outlasts a HoldFor.
	Patience time.Duration
	// SweepEvery is how often Work looks for unfinished bookings. Defaults to 1 s.
	SweepEvery time.Duration
}

// Desk confirms and cancels proposals. It keeps no state and is safe for concurrent use.
type Desk struct{ cfg Config }

// New fills in the defaults of cfg.
func New(cfg Config) *Desk {
	if cfg.Written == nil {
		cfg.Written = cfg.Calendars
	}
	if cfg.Courier == nil {
		cfg.Courier = nowhere{}
	}
	if cfg.Router == nil {
		cfg.Router = travel.Model{}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.HoldFor = cmp.Or(cfg.HoldFor, 5*time.Second)
	cfg.Limit = cmp.Or(cfg.Limit, 30*time.Second)
	cfg.Patience = cmp.Or(cfg.Patience, 12*time.Second)
	cfg.SweepEvery = cmp.Or(cfg.SweepEvery, time.Second)
	return &Desk{cfg}
}

// nowhere is a courier without calendars.
type nowhere struct{}

func (nowhere) Plan(context.Context, meet.Event, meet.Person) ([]Delivery, error) { return nil, nil }
func (nowhere) Deliver(context.Context, Delivery, meet.Event) (string, error)     { return "", nil }
func (nowhere) Invitations(context.Context, Delivery, meet.Event) ([]Invited, error) {
	return nil, nil
}
func (nowhere) Withdraw(context.Context, Delivery, meet.Event) error { return nil }
func (nowhere) Forget(context.Context, []meet.PersonID) error        { return nil }

// Proposal is the stored proposal.
func (d *Desk) Proposal(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	event, _, err := d.cfg.Proposals.LoadProposal(ctx, id)
	fault.Wrap(&err, "load proposal %s", id)
	return event, err
}

// GoneError says that the time is no longer available, and lists others. Its fault has the code SlotGone.
type GoneError struct {
	Fault *fault.Error
	// Slots suit everyone now, by the same knowledge as the time that has gone; there may be none. They have become the
	// proposal's alternatives, in this order, so that a Choice can take one of them by its index and its start.
	Slots []meet.Slot
}

func gone(format string, args ...any) *GoneError {
	return &GoneError{Fault: fault.New(fault.SlotGone, format, args...)}
}

func (e *GoneError) Error() string { return e.Fault.Error() }

// Unwrap is the fault.
func (e *GoneError) Unwrap() error { return e.Fault }
