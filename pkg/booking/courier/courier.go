// Package courier brings events to the calendars that people have connected.
//
// An invitation is better than a copy: guests answer it, see changes and need to have connected nothing. So the event
// is written once, to the organizer's calendar, and the provider invites everybody with an address; whoever is invited
// gets no second copy, since the invitation reaches their calendar by itself. Where nobody can be invited, because the
// organizer has connected no calendar that can be written to or its server sends no invitations, and for guests without
// an address, each calendar that was connected gets a copy of its own, as does a guest's whose invitation the provider
// could not deliver. All others have the event's file to open.
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
	// Accounts knows which calendars people have connected.
	Accounts interface {
		// List is all of the person's accounts; none is no error.
		List(ctx context.Context, person meet.PersonID) ([]account.Account, error)
	}
	// Directory knows the providers; a calendar.Directory is one.
	Directory interface {
		// Providers names those that may keep a calendar for the person, the preferred one first.
		Providers(person meet.Person) []string
		// WriterAt is the writer of that name.
		WriterAt(provider string) (w calendar.Writer, ok bool)
		// Forget has the next readings of the people come from their calendars themselves.
		Forget(ctx context.Context, people ...meet.PersonID) error
	}
	// Inviter is a calendar.Writer that cannot always invite guests. One that is no Inviter can.
	Inviter interface {
		Invites(ctx context.Context, owner meet.Person) (bool, error)
	}
)

// Config is what a Courier works with. Accounts and Directory are required.
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

// Plan says to which calendars the event goes, the organizer's first.
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

// calendarOf is the calendar that the person's events are written to: at the first provider, in order of preference,
// with which they have connected one for that.
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
			// What a calendar has no use for is not passed on, nor kept with the plan.
			owner := meet.Person{ID: person.ID, Name: person.Name, Email: person.Email, Timezone: person.Timezone}
			return booking.Delivery{Provider: provider, Owner: owner}, true, nil
		}
	}
	return d, false, nil
}

// refusal is why the organizer's event can be written nowhere although a calendar for it is connected: nobody would be
// invited, and the person thinks that somebody is. It is nil where there is no such calendar, or the person has chosen
// that none is written to.
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

// writable reports whether the account has a calendar that events are written to, as far as is known.
func writable(a account.Account) bool {
	isTarget := func(one account.Calendar) bool { return one.Target }
	return a.Access == account.Write && a.Problem == "" &&
		(len(a.Calendars) == 0 || slices.ContainsFunc(a.Calendars, isTarget))
}

// invited are those whom the organizer's provider invites: everybody with an address, if it invites at all.
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

// Invitations is what the provider says of the guests' invitations, with the calendar for a copy of those that failed.
// Of a provider that says nothing of any, as Google and Microsoft Graph, there are none.
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

// Withdraw takes the event from one calendar. One that is not connected any more is out of reach, and its owner's
// business.
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

// Forget has the next readings of the people come from their calendars themselves.
func (c *Courier) Forget(ctx context.Context, people []meet.PersonID) error {
	return c.cfg.Directory.Forget(ctx, people...)
}
