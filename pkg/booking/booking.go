// Package booking turns proposals into events in people's calendars, and back. Between a proposal and its
// confirmation the world goes on: calendars fill, others confirm, the user changes their mind. So a confirmation takes
// a hold on everybody, reads the calendars again, and then goes through its steps, each of which is recorded.
//
// What it promises: one proposal becomes at most one event, however often and from wherever it is confirmed; two
// proposals never take the same person's same time, unless a conflict that was shown is accepted by confirming; nothing
// is booked on an assumption; what was begun is finished or taken back, whatever dies on the way.
//
// # The steps
//
// Before anything is written, a Saga says what is about to be done; see its Steps. The first step writes into Convene's
// own book, in which no two events of a person overlap: it decides who gets the time. Until it is known to be done,
// whoever finds the saga takes it back, because nobody was told of anything and the one who asked can ask again. From
// then on it is finished, because invitations may be out, and finishing is kinder than a cancellation. It is taken back
// only where a step fails for good, or where the event's start has passed before anybody outside was told. Taking back
// goes through the steps in reverse, so that the time stays taken in the book for as long as the event may stand
// elsewhere. A cancellation is always finished. A guest's own copy that cannot be reached any more holds up neither.
// What came of it is owed to the Outbox from then on: the record says so until it was told, and nothing else waits for
// it. Nor does anything wait for what becomes of invitations: while that is open, the record says how often it is still
// to be looked at.
//
// Every step can be repeated without harm. A process that lost its claim on a saga and does not know it yet can
// therefore do no more than repeat what the other one does. What would do harm, it cannot do: write into the book, once
// somebody who claimed the saga later has, and record the outcome, because both the claim and the hold are looked at
// between reading the proposal and replacing it.
package booking

import (
	"cmp"
	"context"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/travel"
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
		Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error)
	}
	// Book is Convene's own record of who is booked when, also for people with no other calendar. People without an id
	// are not in it.
	Book interface {
		// Under is the book as whoever has the claim on an event writes that event into it. Once a later claim on it has
		// written, or tried to, whatever an earlier one writes is a fault.Conflict and changes nothing.
		Under(c Claim) Pages
	}
	// Pages are a Book that is written under a claim. The event's UID decides which one is meant: writing it again
	// replaces it, unless the sequence is lower, which is a fault.Conflict.
	Pages interface {
		// Book writes the event for all these people or none; a fault.SlotGone where anything else takes some of its time.
		// Looking and writing are one.
		Book(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error
		// PutAll is Book whatever else stands there.
		PutAll(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error
		// Remove takes the event away from these people. One that is not there is no error.
		Remove(ctx context.Context, people []meet.PersonID, uid string) error
	}
	// Courier brings events to the calendars that people keep elsewhere. Its methods may be repeated, with the same
	// result and without telling anybody twice.
	Courier interface {
		// Plan says to which calendars the event goes. None is no error.
		Plan(ctx context.Context, e meet.Event, organizer meet.Person) ([]Delivery, error)
		// Deliver writes the event, or replaces the one with its UID unless that is newer. An online event may be given
		// the address at which it takes place.
		Deliver(ctx context.Context, to Delivery, e meet.Event) (joinURL string, err error)
		// Invitations is what became of those that a delivery sent, for each of its guests. None is that it cannot be known.
		Invitations(ctx context.Context, of Delivery, e meet.Event) ([]Invited, error)
		// Withdraw takes the event away. One that is not there, or a calendar that is no longer connected, is no error.
		Withdraw(ctx context.Context, from Delivery, e meet.Event) error
		// Forget drops what was read of these people's calendars before.
		Forget(ctx context.Context, people []meet.PersonID) error
	}
	// Holds keeps others from booking the same people meanwhile.
	Holds interface {
		// Hold takes all the people or none. Where one of them is held under another token the error is a retryable
		// fault.Conflict; under the same token it is taken again.
		Hold(ctx context.Context, h Hold) error
		// Renew has the hold last from now; a fault.Conflict says that it has ended.
		Renew(ctx context.Context, h Hold) error
		// Release ends what is left of the hold.
		Release(ctx context.Context, h Hold) error
	}
	// Sagas keeps the record of what is being done to an event, and lets one process at a time do it. Whatever is asked
	// for with a token that is not that of the claim, or not any more, is a fault.Conflict.
	Sagas interface {
		// Claim takes the event's record for a while, and gives the claim's term. The record is empty where nothing stands
		// anywhere. A fault.Conflict says that another token has it.
		Claim(ctx context.Context, c Claim) (s Saga, term int64, err error)
		// Renew has the claim last from now.
		Renew(ctx context.Context, c Claim) error
		// Save keeps the record, or drops it where it is Over. It is stored before it returns.
		Save(ctx context.Context, c Claim, s Saga) error
		// Release ends the claim. Due does not name the event again for the pause.
		Release(ctx context.Context, c Claim, pause time.Duration) error
		// Due names events, of whichever tenants, whose record is Open and which nobody has claimed: some of them, where
		// there are many.
		Due(ctx context.Context) ([]Due, error)
	}
)

// Outbox tells others of what was booked, moved and cancelled.
type Outbox interface {
	// Tell takes a notice over: once it returns, the notice is not lost any more. The same notice may come again.
	Tell(ctx context.Context, n Notice) error
}

// Hold is people who are held under a token, for a while.
type Hold struct {
	Token  string          `json:"token"`
	People []meet.PersonID `json:"people"`
	For    time.Duration   `json:"-"`
}

// Claim is an event's record that is taken under a token, for a while.
type Claim struct {
	UID, Token string
	For        time.Duration
	// Term tells earlier claims on the event from later ones, which have a higher one.
	Term int64
}

// Due is an event that waits for somebody to go on with it, on behalf of the tenant.
type Due struct {
	Tenant meet.Tenant
	UID    string
}

// Delivery is one calendar that an event goes to.
type Delivery struct {
	// Provider keeps the calendar, and Owner is whose it is.
	Provider string      `json:"provider"`
	Owner    meet.Person `json:"owner"`
	// Guests are those whom the provider invites. Without any it is the owner's own copy.
	Guests []meet.Participant `json:"guests,omitempty"`
	// Online asks for a meeting link of the provider's.
	Online bool `json:"online,omitempty"`
	// Optional says that the event stands without it: the owner's calendar was in doubt before, and that was accepted.
	Optional bool `json:"optional,omitempty"`
}

// Invited is what became of one guest's invitation.
type Invited struct {
	// Email is the address that it was sent to.
	Email string
	// Invitation is empty while the calendar says nothing.
	Invitation meet.Invitation
	// Copy is the guest's own calendar, where the invitation failed and one is connected.
	Copy *Delivery
}

// Config is what a Desk works with. Proposals, Calendars, Book, Holds and Sagas are required.
type Config struct {
	Proposals Proposals
	Calendars Calendars
	Book      Book
	Holds     Holds
	Sagas     Sagas
	// Courier defaults to one that brings nothing anywhere.
	Courier Courier
	// Outbox hears of every confirmation, move and cancellation once it is recorded. What it cannot take is offered to it
	// again, by any process; the booking stands either way. Defaults to none.
	Outbox Outbox
	// Written reads only what Convene itself has put into calendars. It is asked about people whose availability
	// came with the request, because their other calendars do not count. Defaults to Calendars.
	Written Calendars
	// Fresh finds times that suit now, for somebody whose slot has gone. Defaults to none.
	Fresh func(ctx context.Context, t meet.Turn, e meet.Event) ([]meet.Slot, error)
	// Router knows how long ways take; it should be the one with which proposals are made. Defaults to travel.Model.
	Router travel.Router
	// Links makes an event's links anew after another slot or place was chosen. Without it the links that hold
	// the old time are taken away.
	Links func(meet.Event) meet.Links
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
	// HoldFor is how long holds and claims outlive a process that died. They are renewed as long as it lives.
	// Defaults to 5 s.
	HoldFor time.Duration
	// Limit bounds one confirmation once it has its hold; taking it back may need a little longer. Defaults to 30 s.
	Limit time.Duration
	// Patience is how long a confirmation waits for its turn. Defaults to 12 s, so that it outlasts a HoldFor.
	Patience time.Duration
	// SweepEvery is how often Work looks for what others left unfinished. Defaults to 1 s.
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

// nowhere is the courier of people who keep no calendars elsewhere.
type nowhere struct{}

func (nowhere) Plan(context.Context, meet.Event, meet.Person) ([]Delivery, error) { return nil, nil }
func (nowhere) Deliver(context.Context, Delivery, meet.Event) (string, error)     { return "", nil }
func (nowhere) Invitations(context.Context, Delivery, meet.Event) ([]Invited, error) {
	return nil, nil
}
func (nowhere) Withdraw(context.Context, Delivery, meet.Event) error { return nil }
func (nowhere) Forget(context.Context, []meet.PersonID) error        { return nil }

// Proposal is the proposal as it stands.
func (d *Desk) Proposal(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	event, _, err := d.cfg.Proposals.LoadProposal(ctx, id)
	fault.Wrap(&err, "load proposal %s", id)
	return event, err
}

// GoneError says that the time can no longer be had, and what can be had instead. Its fault has the code SlotGone.
type GoneError struct {
	Fault *fault.Error
	// Slots suit everybody as of now, as far as was known of the time that has gone; there may be none. They have become
	// the proposal's alternatives, in this order, so that a Choice can take one of them by its index and its start.
	Slots []meet.Slot
}

func gone(format string, args ...any) *GoneError {
	return &GoneError{Fault: fault.New(fault.SlotGone, format, args...)}
}

func (e *GoneError) Error() string { return e.Fault.Error() }

// Unwrap is the fault.
func (e *GoneError) Unwrap() error { return e.Fault }
