// Package ics reads calendar feeds: iCalendar files behind an address that whoever knows it can read, as calendars
// publish them and as timetables and club fixtures come. Feeds are read and never written.
//
// A feed that cannot be read, or that is anything but a whole calendar, makes its owner's time unknown. Only a calendar
// without events is an empty one. A feed's address is a secret; no error tells it.
package ics

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// MaxFeed is how large a feed may be, in bytes.
const MaxFeed = 16 << 20

// DefaultDeadline bounds the reading of one feed.
const DefaultDeadline = 10 * time.Second

// Accounts knows who has added which feeds.
type Accounts interface {
	// Accounts are the person's accounts with the provider.
	Accounts(ctx context.Context, person meet.PersonID, provider account.Provider) ([]account.Account, error)
	// Credential is what opens the account: of a feed, its address.
	Credential(ctx context.Context, id account.ID) (account.Credential, error)
	// Note stores what the owner has to do before the feed can be read again, or with no problem that all is well.
	Note(ctx context.Context, id account.ID, problem string) error
}

// Config is what a Calendar works with.
type Config struct {
	Accounts Accounts
	// Client gets the feeds. People choose where they are, so it has to be one of outbound's with PublicOnly.
	Client *http.Client
	// Deadline bounds the reading of one feed. Defaults to DefaultDeadline.
	Deadline time.Duration
	// Identity gives the UID that an event was written with, for the name that another provider gave it: an invitation
	// to one of ours stands in its guests' calendars under that name, and must not be in its own way when it is moved.
	// Defaults to the name itself.
	Identity func(iCalUID string) (uid string)
}

// Calendar is a calendar.Syncer for the people who have added feeds.
type Calendar struct {
	cfg Config
}

// New is a Calendar after cfg.
func New(cfg Config) *Calendar {
	if cfg.Deadline <= 0 {
		cfg.Deadline = DefaultDeadline
	}
	if cfg.Identity == nil {
		cfg.Identity = func(iCalUID string) string { return iCalUID }
	}
	return &Calendar{cfg: cfg}
}

// Name is "ics".
func (*Calendar) Name() string { return string(account.ICS) }

// Times reads all of the person's feeds anew. Stays are those of events that have coordinates.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	s, err := c.Sync(ctx, person, span, calendar.Snapshot{})
	return s.Times(except), err
}

// Sync reads the person's feeds, all at the same time. A feed that says that it has not changed is taken from last,
// where last was about all of span and about the same address and owner. A snapshot with an error has what the other
// feeds say, and is unknown for the rest.
func (c *Calendar) Sync(
	ctx context.Context, person meet.Person, span interval.Span, last calendar.Snapshot,
) (calendar.Snapshot, error) {
	feeds, err := c.feeds(ctx, person)
	if err != nil {
		return calendar.Snapshot{}, err
	}
	readings := make([]reading, len(feeds))
	var wg sync.WaitGroup
	for i, f := range feeds {
		wg.Go(func() {
			readings[i] = c.read(ctx, f, query{person, span, last})
			c.note(ctx, f, readings[i].err)
		})
	}
	wg.Wait()
	all := calendar.Snapshot{Span: span, Marks: map[string]string{}}
	var unknown interval.Set
	var errs []error
	for i, r := range readings {
		if r.err != nil {
			errs, unknown = append(errs, r.err), interval.NewSet(span)
			continue
		}
		all.Blocks = append(all.Blocks, r.blocks...)
		all.Marks[string(feeds[i].ID)] = r.mark
		unknown = unknown.Union(r.unknown)
	}
	all.Unknown = unknown
	return all, calendar.Join(errs...)
}

// note keeps for the owner to see what is wrong for good with a feed, and that it is mended. What passes by itself
// changes nothing.
func (c *Calendar) note(ctx context.Context, f account.Account, err error) {
	problem := ""
	if err != nil {
		said := fault.As(err)
		if said.Retryable || said.Code != fault.CalendarFailed {
			return
		}
		problem = said.Message
	}
	if problem == f.Problem {
		return
	}
	if err := c.cfg.Accounts.Note(ctx, f.ID, problem); err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Str("account", string(f.ID)).Msg("an account's problem could not be stored")
	}
}

// feeds are the person's accounts whose events take time.
func (c *Calendar) feeds(ctx context.Context, person meet.Person) ([]account.Account, error) {
	if !person.Known() {
		return nil, calendar.ErrNoCalendar
	}
	feeds, err := c.cfg.Accounts.Accounts(ctx, person.ID, account.ICS)
	if err != nil {
		return nil, fmt.Errorf("list feeds: %w", err)
	}
	feeds = slices.DeleteFunc(slices.Clone(feeds), func(a account.Account) bool { return !blocks(a) })
	if len(feeds) == 0 {
		return nil, calendar.ErrNoCalendar
	}
	return feeds, nil
}

// blocks reports whether the account has a calendar that takes time; without a choice it is its only one, which does.
func blocks(a account.Account) bool {
	return len(a.Calendars) == 0 || slices.ContainsFunc(a.Calendars, func(c account.Calendar) bool { return c.Blocks })
}

// query is what is asked of each feed.
type query struct {
	person meet.Person
	span   interval.Span
	last   calendar.Snapshot
}

// reading is what one feed says.
type reading struct {
	blocks  []calendar.Block
	unknown interval.Set
	mark    string
	err     error
}

// read asks one feed.
func (c *Calendar) read(ctx context.Context, f account.Account, q query) reading {
	secret, err := c.cfg.Accounts.Credential(ctx, f.ID)
	if err != nil {
		return reading{err: fmt.Errorf("open feed: %w", err)}
	}
	address, err := parseAddress(secret.URL)
	if err != nil {
		return reading{err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Deadline)
	defer cancel()
	version := versionOf(address, q.person)
	got, err := c.fetch(ctx, address, known(f.ID, q, version))
	if err != nil {
		return reading{err: err}
	}
	if got.schedule == nil {
		return reading{blocks: unchanged(f.ID, q), mark: q.last.Marks[string(f.ID)]}
	}
	owner := icalendar.Owner{Email: q.person.Email}
	if q.person.Timezone != "" {
		owner.Zone = q.person.Zone()
	}
	taken, unknown, err := got.schedule.Instances(ctx, q.span, owner)
	if err != nil {
		return reading{err: failure(ctx, err, address)}
	}
	r := reading{unknown: unknown, mark: got.validators.mark(version)}
	for _, t := range taken {
		r.blocks = append(r.blocks, calendar.Block{
			Calendar: string(f.ID), ID: t.UID, UID: c.cfg.Identity(t.UID), Span: t.Span, At: t.At,
		})
	}
	return r
}

// known are the validators of the last reading, where it can be gone on from. What was unknown then may have been any
// feed's, so that such a reading is not.
func known(id account.ID, q query, version string) validators {
	if q.last.Span.Empty() || !q.last.Span.Covers(q.span) || len(q.last.Unknown) > 0 {
		return validators{}
	}
	return parseMark(q.last.Marks[string(id)], version)
}

// unchanged are the blocks of the last reading that are in the span.
func unchanged(id account.ID, q query) []calendar.Block {
	return slices.DeleteFunc(slices.Clone(q.last.Blocks), func(b calendar.Block) bool {
		return b.Calendar != string(id) || !b.Span.Overlaps(q.span)
	})
}

// Check reads a feed that somebody wants to add, and tells what it calls itself: its name, or where it gives none the
// host that it is on. The error is a fault that says what is wrong with the address.
func (c *Calendar) Check(ctx context.Context, address string) (name string, err error) {
	parsed, err := parseAddress(address)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Deadline)
	defer cancel()
	got, err := c.fetch(ctx, parsed, validators{})
	if err != nil {
		return "", err
	}
	if got.schedule.Name != "" {
		return got.schedule.Name, nil
	}
	return parsed.Hostname(), nil
}

// parseAddress is where a feed is gotten. The schemes with which calendars mark their feeds mean https.
func parseAddress(address string) (*url.URL, error) {
	wrong := fault.Invalid("url", "this is not the address of a calendar feed, which begins with https:// or webcal://")
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, wrong // err quotes the address
	}
	switch strings.ToLower(u.Scheme) {
	case "webcal", "webcals", "https":
		u.Scheme = "https"
	case "http":
		u.Scheme = "http"
	default:
		return nil, wrong
	}
	if u.Hostname() == "" || u.Opaque != "" {
		return nil, wrong
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}
