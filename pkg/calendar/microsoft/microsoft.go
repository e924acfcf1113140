// Package microsoft is the calendars of Microsoft 365 and Outlook.com, read and written through Microsoft Graph.
//
// Reading. One calendarView a calendar, in UTC, with no more than what tells free from busy: no subject, place, body
// or guest is asked for. Sync uses the delta of a calendarView, which Graph sends whole; the words in it are not
// decoded. Changes to single events are applied; after anything that concerns a series the calendar is read anew,
// because Graph neither repeats what an instance inherits from its series nor tells of an instance that was taken
// out. A calendar that was shared as free and busy times only is read with getSchedule, which says no more than that.
//
// Identity. Graph gives an event an iCalUId of its own and does not let it be chosen. What is written here therefore
// carries the event's UID twice: in its transactionId, which comes with every reading, also where Graph refuses
// $expand, and which makes a repeated creation one; and in an extended property, by which the event is found before
// anything is written. A guest's copy carries neither: see identities.
package microsoft

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	nethttp "github.com/microsoft/kiota-http-go"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// DefaultEndpoint is Microsoft Graph in the worldwide cloud.
const DefaultEndpoint = "https://graph.microsoft.com/v1.0"

// Config is what a Calendar works with. Accounts is required.
type Config struct {
	Accounts account.Opener
	// Endpoint is the root of the API, version included. Defaults to DefaultEndpoint.
	Endpoint string
	// Base makes the connections. Defaults to a transport of the calendar's own.
	Base http.RoundTripper
	// Identity gives the UID that an event was written with, for the name that another provider gave it: an invitation
	// to one of ours stands in its guests' calendars under that name, and must not be in its own way when it is moved.
	// Defaults to the name itself.
	Identity func(iCalUID string) (uid string)
}

// Calendar is a calendar.Provider, calendar.Syncer and calendar.Writer of all accounts with Microsoft. It is safe for
// concurrent use.
type Calendar struct {
	accounts account.Opener
	endpoint string
	graph    *nethttp.NetHttpRequestAdapter
	known    identities
	identity func(iCalUID string) (uid string)
	gate     gate
}

// New is a Calendar that calls Graph after cfg.
func New(cfg Config) (*Calendar, error) {
	if cfg.Accounts == nil {
		return nil, errors.New("microsoft: no accounts are configured")
	}
	if cfg.Endpoint == "" {
		cfg.Endpoint = DefaultEndpoint
	}
	if cfg.Identity == nil {
		cfg.Identity = func(iCalUID string) string { return iCalUID }
	}
	graph, err := newAdapter(cfg.Base)
	if err != nil {
		return nil, fmt.Errorf("microsoft: %w", err)
	}
	endpoint, err := checkedEndpoint(cfg.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("microsoft: %w", err)
	}
	return &Calendar{accounts: cfg.Accounts, endpoint: endpoint, graph: graph, identity: cfg.Identity}, nil
}

// UID is the UID of the event that Graph calls iCalUID, where it was written, or seen in its organizer's calendar, by
// this process; otherwise it is Graph's.
func (c *Calendar) UID(iCalUID string) (uid string) { return c.known.uid(iCalUID) }

// Name is "microsoft".
func (*Calendar) Name() string { return string(account.Microsoft) }

// Times reads all calendars of the person's accounts that block, at the same time. Where one cannot be read, the whole
// span is unknown beside what the others know, and the error is a fault that says what the person can do. Stays are
// those of events for which somebody has chosen a place with coordinates.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	snapshot, err := c.read(ctx, person, span, c.view)
	if errors.Is(err, calendar.ErrNoCalendar) {
		return calendar.Times{}, err
	}
	return snapshot.Times(except), err
}

// Sync is Times as a snapshot; a calendar for which last has a mark is asked for its changes only.
func (c *Calendar) Sync(
	ctx context.Context, person meet.Person, span interval.Span, last calendar.Snapshot,
) (calendar.Snapshot, error) {
	if !last.Span.Start.Equal(span.Start) || !last.Span.End.Equal(span.End) {
		last = calendar.Snapshot{}
	}
	return c.read(ctx, person, span, func(ctx context.Context, s source, span interval.Span) (reading, error) {
		return c.sync(ctx, s, span, last)
	})
}
