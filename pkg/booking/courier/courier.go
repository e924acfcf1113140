// Package courier writes events to the calendars that people have connected.
//
// An invitation is better than a copy: guests can answer it, see changes and need no connected calendar. So the event
// is written once, to the organizer's calendar, and the provider invites every guest with an address, who gets no copy,
// because the invitation reaches their calendar. If guests cannot be invited, because the organizer has no writable
// calendar, its server sends no invitations, the guest has no address, or the invitation failed, a copy goes to their
// own connected calendar. All others can open the event's file.
package courier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/account"
	"convene/pkg/booking"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// DefaultDeadline is how long a provider may take for one delivery.
const DefaultDeadline = 10 * time.Second

// The ports of a Courier.
type (
	// Accounts knows people's accounts.
	Accounts interface {
		// List is all of the person's accounts; none is no error.
		List(ctx context.Context, person meet.PersonID) ([]account.Account, error)
	}
	// Directory knows the providers; a calendar.Directory is one.
	Directory interface {
		// Providers names those that may have a calendar of the person's, the preferred one first.
		Providers(person meet.Person) []string
		// WriterAt is the writer of that name.
		WriterAt(provider string) (w calendar.Writer, ok bool)
		// Forget drops the cached readings of the people.
		Forget(ctx context.Context, people ...meet.PersonID) error
	}
	// Inviter is a calendar.Writer that cannot always invite guests. Other writers can.
	Inviter interface {
		Invites(ctx context.Context, owner meet.Person) (bool, error)
	}
)

// Config configures a Courier. Accounts and Directory are required.
type Config struct {
	Accounts  Accounts
	Directory Directory
	// Deadline bounds each delivery and withdrawal. Defaults to DefaultDeadline.
	Deadline time.Duration
}

// Courier is a booking.Courier. It keeps no state and is safe for concurrent use.
type Courier struct{ cfg Config }

var _ booking.Courier = (*Courier)(nil)

// New fills in the defaults of cfg.
func New(cfg Config) *Courier {
	cfg.Deadline = cmp.Or(cfg.Deadline, DefaultDeadline)
	return &Courier{cfg}
}

// Plan lists the calendars to which the event goes, the organizer's first.
func (c *Courier) Plan(ctx context.Context, e meet.Event, organizer meet.Person) ([]booking.Delivery, error) {
	first, found, err := c.calendarOf(ctx, organizer)
	if err == nil && !found {
		err = c.refusal(ctx, organizer)
	}
	if err != nil {
		return nil, err
	}
	var plan []booking.Delivery
	var invited []meet.Participant
	if found {
		if invited, err = c.invited(ctx, e, first); err != nil {
			return nil, err
		}
		first.Guests, first.Online = invited, e.EventType == meet.Video
		first.Optional = slices.Contains(e.Unknown, organizer.Name) && len(invited) == 0
		plan = append(plan, first)
	}
	for _, p := range e.Participants {
		if isSame(p, organizer) || slices.ContainsFunc(invited, func(g meet.Participant) bool {
			return g.ID == p.ID && g.Name == p.Name
		}) {
			continue
		}
		own, found, err := c.calendarOf(ctx, person(p))
		if err != nil {
			return nil, err
		}
		if found {
			own.Optional = slices.Contains(e.Unknown, p.Name)
			plan = append(plan, own)
		}
	}
	return plan, nil
}

// calendarOf is the calendar to which the person's events are written: at the first provider, in order of preference,
// with a writable account.
func (c *Courier) calendarOf(ctx context.Context, person meet.Person) (d booking.Delivery, found bool, err error) {
	if !person.Known() {
		return d, false, nil
	}
	accounts, err := c.cfg.Accounts.List(ctx, person.ID)
	if err != nil {
		return d, false, fmt.Errorf("find calendars to write to: %w", err)
	}
	for _, provider := range c.cfg.Directory.Providers(person) {
		_, writes := c.cfg.Directory.WriterAt(provider)
		if writes && slices.ContainsFunc(accounts, func(a account.Account) bool {
			return string(a.Provider) == provider && writable(a)
		}) {
			// The plan keeps only what a calendar needs.
			owner := meet.Person{ID: person.ID, Name: person.Name, Email: person.Email, Timezone: person.Timezone}
			return booking.Delivery{Provider: provider, Owner: owner}, true, nil
		}
	}
	return d, false, nil
}

// refusal is why no calendar of the organizer's can be written to although one is connected: no one would be invited,
// against the organizer's expectation. It is nil if there is no such calendar, or the person has chosen that none is
// written to.
func (c *Courier) refusal(ctx context.Context, organizer meet.Person) error {
	if !organizer.Known() {
		return nil
	}
	accounts, err := c.cfg.Accounts.List(ctx, organizer.ID)
	if err != nil {
		return fmt.Errorf("find calendars to write to: %w", err)
	}
	for _, a := range accounts {
		switch _, writes := c.cfg.Directory.WriterAt(string(a.Provider)); {
		case !writes:
		case a.Problem != "":
			return fault.New(fault.CalendarFailed, "Nothing was booked, because your calendar cannot be written to: %s.",
				a.Problem)
		case a.Access == account.Read:
			return fault.New(fault.CalendarFailed, "Nothing was booked, because Convene may only read your calendar. "+
				"Allow it to write there at /v1/people/%s/calendars/%s/connect?access=write, and confirm again.",
				url.PathEscape(string(organizer.ID)), a.Provider)
		}
	}
	return nil
}

// writable reports whether the account has a target calendar, as far as is known.
func writable(a account.Account) bool {
	isTarget := func(one account.Calendar) bool { return one.Target }
	return a.Access == account.Write && a.Problem == "" &&
		(len(a.Calendars) == 0 || slices.ContainsFunc(a.Calendars, isTarget))
}

// invited are the participants whom the organizer's provider invites: those with an address, if it invites at all.
func (c *Courier) invited(ctx context.Context, e meet.Event, organizer booking.Delivery) ([]meet.Participant, error) {
	w, _ := c.cfg.Directory.WriterAt(organizer.Provider)
	if inviter, ok := w.(Inviter); ok {
		ctx, cancel := context.WithTimeout(ctx, c.cfg.Deadline)
		defer cancel()
		switch invites, err := inviter.Invites(ctx, organizer.Owner); {
		case err != nil:
			return nil, fmt.Errorf("ask whether %s invites: %w", organizer.Provider, err)
		case !invites:
			return nil, nil
		}
	}
	var guests []meet.Participant
	for _, p := range e.Participants {
		if p.Email != "" && !isSame(p, organizer.Owner) {
			guests = append(guests, p)
		}
	}
	return guests, nil
}

func isSame(p meet.Participant, person meet.Person) bool {
	return p.ID != "" && p.ID == person.ID || p.Email != "" && strings.EqualFold(p.Email, person.Email)
}

// Deliver writes the event to one calendar.
func (c *Courier) Deliver(ctx context.Context, to booking.Delivery, e meet.Event) (joinURL string, err error) {
	w, ok := c.cfg.Directory.WriterAt(to.Provider)
	if !ok {
		return "", fault.New(fault.CalendarFailed, "Calendars of this kind cannot be written to any more. Please connect "+
			"another one.").
			Because(fmt.Errorf("there is no writer %q", to.Provider))
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Deadline)
	defer cancel()
	written, err := w.Write(ctx, entry(to, e))
	if err != nil {
		return "", fmt.Errorf("write to %s: %w", to.Provider, err)
	}
	return written.JoinURL, nil
}

// Invitations is the state of the guests' invitations at the provider, with the calendar for a copy of those that
// failed. It is empty for providers without that state, as Google and Microsoft Graph.
func (c *Courier) Invitations(ctx context.Context, of booking.Delivery, e meet.Event) ([]booking.Invited, error) {
	w, _ := c.cfg.Directory.WriterAt(of.Provider)
	tracker, tracks := w.(calendar.Tracker)
	if !tracks {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Deadline)
	defer cancel()
	said, err := tracker.Invitations(ctx, entry(of, e))
	if err != nil {
		return nil, fmt.Errorf("ask %s about invitations: %w", of.Provider, err)
	}
	var all []booking.Invited
	for _, g := range of.Guests {
		one := booking.Invited{Email: g.Email, Invitation: said[strings.ToLower(g.Email)]}
		if one.Invitation == meet.InvitationFailed {
			own, found, err := c.calendarOf(ctx, person(g))
			if err != nil {
				return nil, err
			}
			if own.Optional = true; found {
				one.Copy = &own
			}
		}
		all = append(all, one)
	}
	return all, nil
}

func person(p meet.Participant) meet.Person {
	return meet.Person{ID: p.ID, Name: p.Name, Email: p.Email, Timezone: p.Timezone}
}

// Withdraw removes the event from one calendar. One that is no longer connected is out of reach and left to its owner.
func (c *Courier) Withdraw(ctx context.Context, from booking.Delivery, e meet.Event) error {
	w, ok := c.cfg.Directory.WriterAt(from.Provider)
	if !ok {
		zerolog.Ctx(ctx).Warn().Str("provider", from.Provider).Msg("an event stays in a calendar that is out of reach")
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Deadline)
	defer cancel()
	err := w.Remove(ctx, entry(from, e))
	if err == nil || errors.Is(err, calendar.ErrNoCalendar) {
		return nil
	}
	return fmt.Errorf("remove from %s: %w", from.Provider, err)
}

func entry(d booking.Delivery, e meet.Event) calendar.Entry {
	return calendar.Entry{Owner: d.Owner, Event: e, Guests: d.Guests, Online: d.Online}
}

// Forget drops the cached readings of the people.
func (c *Courier) Forget(ctx context.Context, people []meet.PersonID) error {
	return c.cfg.Directory.Forget(ctx, people...)
}
