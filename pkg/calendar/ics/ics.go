// Package ics reads calendar feeds: iCalendar files at a secret address, as calendars, timetables and club fixtures are
// published. It never writes.
//
// A feed that cannot be read, or that is not a whole calendar, makes its owner's time unknown. Only a calendar without
// events is empty. Errors never show a feed's address.
package ics

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// MaxFeed is the maximum size of a feed, in bytes.
const MaxFeed = 16 << 20

// DefaultDeadline bounds the reading of one feed.
const DefaultDeadline = 10 * time.Second

// Accounts knows people's feeds.
type Accounts interface {
	// Accounts are the person's accounts with the provider.
	Accounts(ctx context.Context, person meet.PersonID, provider account.Provider) ([]account.Account, error)
	// Credential is the account's credential: a feed's address.
	Credential(ctx context.Context, id account.ID) (account.Credential, error)
	// Note stores what the owner must do before the feed can be read again; an empty problem says that it can be read.
	Note(ctx context.Context, id account.ID, problem string) error
}

// Config configures a Calendar. Accounts and Client are required.
type Config struct {
	Accounts Accounts
	// Client fetches the feeds. Users choose their addresses, so it must be one of outbound's with PublicOnly.
	Client *http.Client
	// Deadline bounds the reading of one feed. Defaults to DefaultDeadline.
	Deadline time.Duration
	// Identity knows the names of other providers.
	Identity calendar.Identity
}

// Calendar is a calendar.Syncer for people's feeds.
type Calendar struct {
	cfg Config
}

// New makes a Calendar.
func New(cfg Config) *Calendar {
	cfg.Deadline = cmp.Or(cfg.Deadline, DefaultDeadline)
	return &Calendar{cfg: cfg}
}

// Name is "ics".
func (*Calendar) Name() string { return string(account.ICS) }

// Times reads all of the person's feeds anew. Stays are those of events with coordinates.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	s, err := c.Sync(ctx, person, span, calendar.Snapshot{})
	return s.Times(except), err
}

// Sync reads the person's feeds concurrently. An unchanged feed is taken from last, if last covers span and is of the
// same address and owner. With an error the snapshot has the other feeds' blocks, and the whole span is unknown.
func (c *Calendar) Sync(
	ctx context.Context, person meet.Person, span interval.Span, last calendar.Snapshot,
) (calendar.Snapshot, error) {
	feeds, err := c.feeds(ctx, person)
	if err != nil {
		return calendar.Snapshot{}, err
	}
	return calendar.Merge(span, calendar.Gather(feeds, func(f account.Account) calendar.Reading {
		r, err := c.read(ctx, f, query{person, span, last})
		c.note(ctx, f, err)
		r.Calendar, r.Err = string(f.ID), err
		return r
	}))
}

// Events are those of all of the person's feeds, read anew. A feed can only be read.
func (c *Calendar) Events(
	ctx context.Context, person meet.Person, span interval.Span,
) ([]meet.Occurrence, error) {
	feeds, err := c.feeds(ctx, person)
	if err != nil {
		return nil, err
	}
	return calendar.GatherAll(feeds, func(f account.Account) ([]meet.Occurrence, error) {
		return c.events(ctx, f, query{person: person, span: span})
	})
}

// events are one feed's.
func (c *Calendar) events(ctx context.Context, f account.Account, q query) ([]meet.Occurrence, error) {
	address, err := c.address(ctx, f)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Deadline)
	defer cancel()
	got, err := c.fetch(ctx, address, validators{})
	if err != nil {
		return nil, err
	}
	events, err := calendar.Listed(got.schedule.Occurrences(ctx, q.span, icalendar.OwnedBy(q.person)))
	for i := range events {
		events[i].Provider, events[i].Calendar = c.Name(), string(f.ID)
		events[i].UID, events[i].ReadOnly = c.cfg.Identity.UID(events[i].UID), true
	}
	return events, err
}

// note stores a feed's permanent problem for its owner, and clears it when the feed can be read again. Temporary errors
// change nothing.
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

// feeds are the person's accounts that block.
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

// blocks reports whether the account has a calendar that blocks. Without a choice its only calendar does.
func blocks(a account.Account) bool {
	return len(a.Calendars) == 0 || slices.ContainsFunc(a.Calendars, func(c account.Calendar) bool { return c.Blocks })
}

// query is the request to each feed.
type query struct {
	person meet.Person
	span   interval.Span
	last   calendar.Snapshot
}

func (c *Calendar) read(ctx context.Context, f account.Account, q query) (r calendar.Reading, err error) {
	address, err := c.address(ctx, f)
	if err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Deadline)
	defer cancel()
	version := versionOf(address, q.person)
	got, err := c.fetch(ctx, address, known(f.ID, q, version))
	if err != nil {
		return r, err
	}
	if got.schedule == nil {
		return calendar.Reading{Blocks: unchanged(f.ID, q), Mark: q.last.Marks[string(f.ID)]}, nil
	}
	taken, unknown, err := got.schedule.Instances(ctx, q.span, icalendar.OwnedBy(q.person))
	if err != nil {
		return r, failure(ctx, err, address)
	}
	r.Unknown, r.Mark = unknown, got.validators.mark(version)
	for _, t := range taken {
		r.Blocks = append(r.Blocks, calendar.Block{
			Calendar: string(f.ID), ID: t.UID, UID: c.cfg.Identity.UID(t.UID), Span: t.Span, At: t.At,
		})
	}
	return r, nil
}

// address is the feed's.
func (c *Calendar) address(ctx context.Context, f account.Account) (*url.URL, error) {
	secret, err := c.cfg.Accounts.Credential(ctx, f.ID)
	if err != nil {
		return nil, fmt.Errorf("open feed: %w", err)
	}
	return parseAddress(secret.URL)
}

// known are the validators of the last reading, if it can be continued. A reading with unknown time cannot, because the
// unknown part may be any feed's.
func known(id account.ID, q query, version string) validators {
	if q.last.Span.Empty() || !q.last.Span.Covers(q.span) || len(q.last.Unknown) > 0 {
		return validators{}
	}
	return parseMark(q.last.Marks[string(id)], version)
}

// unchanged are the feed's blocks in the last reading that are in the span.
func unchanged(id account.ID, q query) []calendar.Block {
	return slices.DeleteFunc(q.last.BlocksOf(string(id)), func(b calendar.Block) bool { return !b.Span.Overlaps(q.span) })
}

// Check reads a feed before it is added and returns its name, or its host if it has none. The error is a fault that
// says what is wrong with the address.
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

// parseAddress parses a feed's address. The schemes webcal and webcals mean https.
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
