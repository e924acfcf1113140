// Package caldav reads and writes calendars on CalDAV servers (RFC 4791): iCloud, Fastmail, Nextcloud, Radicale and
// others.
//
// Servers implement different parts of the standards. If a server cannot select events by time, all are read; without
// sync tokens (RFC 6578) its CTag or ETags are compared; and Invites tells before a write whether it sends invitations
// (RFC 6638). Recurrences are expanded here, never by the server. An answer against the protocol is an error, and the
// time of an object that cannot be parsed is unknown.
//
// The requests and answers use encoding/xml. The library go-webdav fails a whole calendar for one object that it cannot
// parse, has no conditional writes and no sync report, and drops the host of an address, which iCloud changes during
// discovery.
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

// Config configures a Calendar. Accounts is required.
type Config struct {
	Accounts account.Opener
	// Client calls the servers. It retries and gives up as outbound.Client does; its redirect policy is replaced. Defaults
	// to one that calls public addresses only.
	Client *http.Client
	// Identity knows the names of other providers.
	Identity calendar.Identity
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
}

// Calendar is a calendar.Syncer, a calendar.Tracker and a calendar.Amender. It is safe for concurrent use.
type Calendar struct {
	cfg       Config
	standings standings
}

var (
	_ calendar.Syncer  = (*Calendar)(nil)
	_ calendar.Tracker = (*Calendar)(nil)
	_ calendar.Amender = (*Calendar)(nil)
)

// New fills in the defaults of cfg.
func New(cfg Config) *Calendar {
	if cfg.Now == nil {
		cfg.Now = time.Now
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

// Times reads all calendars of the person's accounts that block, concurrently. If one of them cannot be read, the busy
// times of the others come with the error. Stays are those of events with coordinates.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	s, err := c.read(ctx, reading{person: person, span: span})
	return s.Times(except), err
}

// Sync is Times with marks, with which the next Sync reads only the changes. A calendar with an object that cannot be
// parsed is read anew each time. With an error the snapshot has what could be read, and must not be continued.
func (c *Calendar) Sync(
	ctx context.Context, person meet.Person, span interval.Span, last calendar.Snapshot,
) (calendar.Snapshot, error) {
	r := reading{person: person, span: span, marks: true}
	if sameSpan(last.Span, span) && len(last.Unknown) == 0 {
		r.last = last
	}
	return c.read(ctx, r)
}

// Events are those of all calendars that block.
func (c *Calendar) Events(
	ctx context.Context, person meet.Person, span interval.Span,
) (events []meet.Occurrence, err error) {
	parts, err := c.parts(ctx, reading{person: person, span: span, lists: true})
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, p := range parts {
		found, err := calendar.Listed(p.events, p.Unknown, p.Err)
		events, errs = append(events, found...), append(errs, err)
	}
	return events, calendar.Join(errs...)
}

func sameSpan(a, b interval.Span) bool { return a.Start.Equal(b.Start) && a.End.Equal(b.End) }
