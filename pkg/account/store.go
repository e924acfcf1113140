package account

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/singleflight"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Config configures a Store. Records, Locks, Secrets and HTTP are required.
type Config struct {
	Records Records
	Locks   Locks
	Secrets *Secrets
	// HTTP calls the token endpoints. It has deadlines of its own.
	HTTP *http.Client
	// Google and Microsoft identify Convene there; each may be left out.
	Google, Microsoft OAuth
	// Changed, if set, is called when another selection of a person's calendars counts.
	Changed func(ctx context.Context, person meet.PersonID)
	// Now defaults to time.Now.
	Now func() time.Time
}

// Store keeps people's accounts, and their credentials valid. It is safe for concurrent use, in many processes.
type Store struct {
	cfg       Config
	providers map[Provider]*provider
	flights   singleflight.Group
}

// New makes a Store.
func New(cfg Config) *Store {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Changed == nil {
		cfg.Changed = func(context.Context, meet.PersonID) {}
	}
	return &Store{cfg: cfg, providers: providers(cfg)}
}

// Accounts are the person's accounts with a provider, in the order in which they were connected. None is no error.
func (s *Store) Accounts(ctx context.Context, person meet.PersonID, provider Provider) ([]Account, error) {
	all, err := s.List(ctx, person)
	return slices.DeleteFunc(all, func(a Account) bool { return a.Provider != provider }), err
}

// List is all of the person's accounts, in the order in which they were connected.
func (s *Store) List(ctx context.Context, person meet.PersonID) ([]Account, error) {
	records, err := s.cfg.Records.RecordsOf(ctx, person)
	if err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	accounts := make([]Account, len(records))
	for i, r := range records {
		accounts[i] = s.shown(r)
	}
	slices.SortFunc(accounts, func(a, b Account) int {
		return cmp.Or(a.Connected.Compare(b.Connected), strings.Compare(string(a.ID), string(b.ID)))
	})
	return accounts, nil
}

// shown is the account as this process sees it: without the key of its secret it needs to be reconnected.
func (s *Store) shown(r Record) Account {
	if r.Account.Problem == "" && !s.cfg.Secrets.opens(r.Sealed) {
		r.Account.Problem = reconnect(r.Account)
	}
	return r.Account
}

// Choice changes the use of one of an account's calendars; nil leaves it as it is.
type Choice struct {
	Calendar string
	Blocks   *bool
	Target   *bool
}

// Choose changes which of the account's calendars block time and which one is the target. A new target replaces the old
// one. Another person's account is a fault.NotFound, and a wrong choice is a fault about its field "calendars[i]".
func (s *Store) Choose(ctx context.Context, person meet.PersonID, id ID, choices []Choice) (Account, error) {
	r, err := s.cfg.Records.Update(ctx, id, func(r *Record) error {
		if r.Account.Person != person {
			return unknownAccount()
		}
		return choose(&r.Account, choices)
	})
	if err != nil {
		return Account{}, fmt.Errorf("choose calendars: %w", err)
	}
	s.cfg.Changed(ctx, person)
	return s.shown(r), nil
}

func choose(a *Account, choices []Choice) error {
	target := ""
	for i, c := range choices {
		at := slices.IndexFunc(a.Calendars, func(k Calendar) bool { return k.ID == c.Calendar })
		if at < 0 {
			return fault.Invalid(fmt.Sprintf("calendars[%d].id", i), "is none of the calendars of this account")
		}
		if c.Blocks != nil {
			a.Calendars[at].Blocks = *c.Blocks
		}
		if c.Target == nil {
			continue
		}
		field := fmt.Sprintf("calendars[%d].target", i)
		switch {
		case *c.Target && a.Provider == ICS:
			return fault.Invalid(field, "cannot be set: a feed can only be read")
		case *c.Target && target != "" && target != c.Calendar:
			return fault.Invalid(field, "is set twice; events are written to one calendar")
		case *c.Target:
			target = c.Calendar
		}
		a.Calendars[at].Target = *c.Target
	}
	for i := range a.Calendars {
		a.Calendars[i].Target = a.Calendars[i].Target && (target == "" || a.Calendars[i].ID == target)
	}
	return nil
}

// Remove deletes the account, after asking the provider to revoke its tokens. Microsoft cannot revoke tokens: they are
// deleted and expire. So are those of one of two accounts that share a grant. A provider that cannot be reached does
// not prevent the deletion. Another person's account is a fault.NotFound.
func (s *Store) Remove(ctx context.Context, person meet.PersonID, id ID) error {
	r, err := s.cfg.Records.Record(ctx, id)
	if err == nil && r.Account.Person != person {
		err = unknownAccount()
	}
	if err != nil {
		return fmt.Errorf("remove account: %w", err)
	}
	if err := s.revoke(ctx, r); err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Str("account", string(id)).Str("provider", string(r.Account.Provider)).
			Msg("an account's tokens could not be revoked and are only deleted")
	}
	if err := s.cfg.Records.Delete(ctx, id); err != nil {
		return fmt.Errorf("remove account: %w", err)
	}
	s.cfg.Changed(ctx, person)
	return nil
}

// RemoveAll removes every account of the person.
func (s *Store) RemoveAll(ctx context.Context, person meet.PersonID) error {
	accounts, err := s.List(ctx, person)
	for _, a := range accounts {
		if err == nil {
			err = s.Remove(ctx, person, a.ID)
		}
	}
	return err
}

func (s *Store) revoke(ctx context.Context, r Record) error {
	p, ok := s.providers[r.Account.Provider]
	if !ok {
		return nil
	}
	shared, err := s.shares(ctx, r.Account.Person, r.Account.Provider, r.Account.Address)
	if err != nil || shared {
		return err
	}
	x, err := s.cfg.Secrets.openFor(r)
	if err != nil {
		return err
	}
	return p.revoke(ctx, cmp.Or(x.RefreshToken, x.AccessToken))
}

// shares reports whether the person has another account at Google with an address, or with any if that is empty. To
// revoke a token there ends all that its owner has granted, to calendars and mail.
func (s *Store) shares(ctx context.Context, person meet.PersonID, p Provider, address string) (bool, error) {
	accounts, err := s.Accounts(ctx, person, map[Provider]Provider{Google: Gmail, Gmail: Google}[p])
	return slices.ContainsFunc(accounts, func(a Account) bool {
		return address == "" || strings.EqualFold(a.Address, address)
	}), err
}

func unknownAccount() error { return fault.New(fault.NotFound, "This calendar is not connected.") }

// reconnect says what the owner must do about an account that can no longer be opened.
func reconnect(a Account) string {
	switch a.Provider {
	case ICS:
		return "check the address of the calendar feed"
	case IMAP:
		return "reconnect the mailbox"
	default:
		return fmt.Sprintf("reconnect the %s %s", a.Provider.Title(), a.Provider.Thing())
	}
}

// broken is the fault of an account that cannot be used until its owner acts.
func broken(problem string, cause error) error {
	return fault.New(fault.CalendarFailed, "%s", problem).Because(cause)
}
