package account

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

const (
	// maxAccounts bounds the accounts of one person.
	maxAccounts = 20
	// feedCalendar is the id of a feed's only calendar, because the feed's address is a secret.
	feedCalendar = "feed"
)

// ServerLogin opens an account at a CalDAV server.
type ServerLogin struct {
	Server, Username, Password string
}

// Format keeps the password out of formatted text.
func (ServerLogin) Format(f fmt.State, _ rune) { hide(f) }

// AddCalDAV connects an account at a CalDAV server, after finding its calendars there. The server's errors are the
// adapter's faults.
func (c *Connector) AddCalDAV(ctx context.Context, person meet.PersonID, login ServerLogin) (Account, error) {
	if c.cfg.CalDAV == nil {
		return Account{}, notConfigured(CalDAV)
	}
	cred := Credential{Username: login.Username, Password: login.Password}
	home, address, calendars, err := c.cfg.CalDAV.Discover(ctx, login.Server, cred)
	if err != nil {
		return Account{}, fmt.Errorf("find the calendars of a server: %w", err)
	}
	return c.store.add(ctx, Account{
		Person: person, Provider: CalDAV, Access: Write,
		Address: cmp.Or(address, login.Username), Server: home, Calendars: calendars,
	}, home+" "+login.Username, secret{Credential: cred})
}

// AddFeed connects a published calendar, after reading it. Without a name it has the feed's own.
func (c *Connector) AddFeed(ctx context.Context, person meet.PersonID, address, name string) (Account, error) {
	if c.cfg.Feeds == nil {
		return Account{}, notConfigured(ICS)
	}
	found, err := c.cfg.Feeds.Check(ctx, address)
	if err != nil {
		return Account{}, fmt.Errorf("read a new feed: %w", err)
	}
	name = cmp.Or(name, found, "Calendar feed")
	return c.store.add(ctx, Account{
		Person: person, Provider: ICS, Access: Read, Address: name,
		Calendars: []Calendar{{ID: feedCalendar, Name: name, Blocks: true}},
	}, address, secret{Credential: Credential{URL: address}})
}

// add stores an account. If the person already has one with the key, it is replaced and keeps the person's choices.
func (s *Store) add(ctx context.Context, a Account, key string, x secret) (Account, error) {
	a.ID = idOf(meet.TenantOf(ctx), a, key)
	a.Connected = s.cfg.Now().UTC()
	for i := range a.Calendars { // other people may have named them
		a.Calendars[i].Name = meet.Caption(a.Calendars[i].Name)
	}
	known, err := s.List(ctx, a.Person)
	if err != nil {
		return Account{}, err
	}
	if i := slices.IndexFunc(known, func(k Account) bool { return k.ID == a.ID }); i >= 0 {
		a.keepChoices(known[i])
	} else if len(known) >= maxAccounts {
		return Account{}, fault.New(fault.Conflict, "There are %d calendars connected already; please disconnect one first.",
			maxAccounts)
	}
	sealed, err := s.cfg.Secrets.sealFor(a, x)
	if err != nil {
		return Account{}, err
	}
	if err := s.cfg.Records.Put(ctx, Record{Account: a, Sealed: sealed}); err != nil {
		return Account{}, fmt.Errorf("store account: %w", err)
	}
	s.cfg.Changed(ctx, a.Person)
	return a, nil
}

// idOf is the account's permanent ID, which no other tenant has: data that is cached or sealed by ID belongs to one
// tenant.
func idOf(t meet.Tenant, a Account, key string) ID {
	parts := []string{string(a.Person), string(a.Provider), key}
	if t != "" {
		parts = append(parts, string(t))
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return ID(strings.ToLower(base32.StdEncoding.EncodeToString(sum[:15])))
}

// keepChoices keeps the person's choices for calendars that were there before. If the target is gone, the new default
// stays.
func (a *Account) keepChoices(before Account) {
	a.Connected = before.Connected
	target := before.target()
	chosen := target == "" || a.has(target)
	for i := range a.Calendars {
		k := &a.Calendars[i]
		if chosen {
			k.Target = k.ID == target
		}
		at := slices.IndexFunc(before.Calendars, func(old Calendar) bool { return old.ID == k.ID })
		if at >= 0 {
			k.Blocks = before.Calendars[at].Blocks
		}
	}
}

// target is the id of the target calendar; empty if there is none.
func (a *Account) target() string {
	for _, k := range a.Calendars {
		if k.Target {
			return k.ID
		}
	}
	return ""
}

func (a *Account) has(calendar string) bool {
	return slices.ContainsFunc(a.Calendars, func(k Calendar) bool { return k.ID == calendar })
}
