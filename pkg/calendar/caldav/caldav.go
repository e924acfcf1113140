// Package caldav reads and writes calendars on CalDAV servers (RFC 4791): iCloud, Fastmail, Nextcloud, Radicale and
// whatever else speaks it.
//
// Servers differ in how much of the standards they have. What is not there is done without: a server that refuses to
// select events by time is asked for all of them, one without sync tokens (RFC 6578) is compared by its CTag or its
// ETags, and one that does not invite (RFC 6638) says so before anything is written. Recurrences are expanded here and
// never by the server. Whatever is no proper answer is an error, and what cannot be understood in one is unknown.
//
// The requests are written and the answers read with encoding/xml. The library at hand, go-webdav, gives up a whole
// calendar for one object that it cannot parse, has no conditional writes and no sync report, and drops the host of an
// address, which iCloud changes in mid-discovery.
package caldav

import (
	"context"
	"net/http"
	"time"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

// Accounts knows which CalDAV accounts people have connected. Its methods may be called by many goroutines at once.
type Accounts interface {
	// Accounts lists those of the person with the provider. Nobody's is an empty list and no error.
	Accounts(ctx context.Context, person meet.PersonID, provider account.Provider) ([]account.Account, error)
	// Credential is the user name and password that open the account.
	Credential(ctx context.Context, id account.ID) (account.Credential, error)
	// Refused is told that the server did not take the credential. It returns a fault that says what the person is to
	// do about it.
	Refused(ctx context.Context, id account.ID, used account.Credential) error
}

// Config is what a Calendar works with. Accounts is required.
type Config struct {
	Accounts Accounts
	// Client calls the servers. It is to retry and to give up as outbound.Client does; redirects are followed here,
	// whatever it says of them. Defaults to one that calls public addresses only.
	Client *http.Client
	// Identity gives the UID that an event was written with, for the name that another provider gave it: an invitation
	// to one of ours stands in its guests' calendars under that name, and must not be in its own way when it is moved.
	// Defaults to the name itself.
	Identity func(iCalUID string) (uid string)
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
}

// Calendar is a calendar.Syncer and a calendar.Tracker. It is safe for concurrent use.
type Calendar struct {
	cfg       Config
	standings standings
}

var (
	_ calendar.Syncer  = (*Calendar)(nil)
	_ calendar.Tracker = (*Calendar)(nil)
)

// New fills in the defaults of cfg.
func New(cfg Config) *Calendar {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Identity == nil {
		cfg.Identity = func(iCalUID string) string { return iCalUID }
	}
	if cfg.Client == nil {
		cfg.Client = outbound.Client(outbound.Config{Name: string(account.CalDAV), PublicOnly: true})
	}
	client := *cfg.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client.Jar = nil
	cfg.Client = &client
	return &Calendar{cfg: cfg}
}

// Name is "caldav".
func (*Calendar) Name() string { return string(account.CalDAV) }

// Serves says yes to everybody with an id: only the accounts can tell, and they are asked by Busy.
func (*Calendar) Serves(person meet.Person) bool { return person.Known() }

// Busy reads all calendars of the person's accounts that block, at once. Where one of them cannot be read, the busy
// times of the others are there beside the error.
func (c *Calendar) Busy(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (interval.Availability, error) {
	times, err := c.Times(ctx, person, span, except)
	return times.Availability, err
}

// Times is Busy with the stays of those events that have coordinates.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	s, err := c.read(ctx, reading{person: person, span: span})
	return s.Times(except), err
}

// Sync is Busy with marks, by which the next Sync reads only what has changed. A calendar part of which could not be
// understood is read anew each time. Beside an error the snapshot has what could be read, and is not to be gone on
// from.
func (c *Calendar) Sync(
	ctx context.Context, person meet.Person, span interval.Span, last calendar.Snapshot,
) (calendar.Snapshot, error) {
	r := reading{person: person, span: span, marks: true}
	if sameSpan(last.Span, span) && len(last.Unknown) == 0 {
		r.last = last
	}
	return c.read(ctx, r)
}

func sameSpan(a, b interval.Span) bool { return a.Start.Equal(b.Start) && a.End.Equal(b.End) }
