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

// Config is what a Calendar works with. Accounts is required.
type Config struct {
	Accounts account.Opener
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

// Times reads all calendars of the person's accounts that block, at once. Where one of them cannot be read, the busy
// times of the others are there beside the error. Stays are those of events that have coordinates.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	s, err := c.read(ctx, reading{person: person, span: span})
	return s.Times(except), err
}

// Sync is Times with marks, by which the next Sync reads only what has changed. A calendar part of which could not be
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
