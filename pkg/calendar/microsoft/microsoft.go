// Package microsoft reads and writes the calendars of Microsoft 365 and Outlook.com through Microsoft Graph.
//
// Reading. One calendarView for each calendar, in UTC, with only the fields that tell free from busy: no subject, place
// name, body or guest. Sync uses the delta of a calendarView, which Graph sends whole; its texts are not decoded.
// Changes to single events are applied; after a change to a series the calendar is read anew, because Graph neither
// repeats inherited fields in instances nor reports deleted instances. A calendar that is shared as free and busy times
// only is read with getSchedule.
//
// Identity. Graph chooses an event's iCalUId. Our events therefore carry the UID twice: in the transactionId, which is
// part of every reading, even if Graph refuses $expand, and which makes creation idempotent; and in an extended
// property, by which the event is found before a write. A guest's copy carries neither: see identities.
//
// Changes. What Graph does not do is done here or refused: exceptions of a series, which Exchange may forget when the
// series' times change, are made again; a deleted event is restored as a new one, and a deleted occurrence beside its
// series, neither with attachments; a series with attachments is not split.
package microsoft

import (
	"context"
	"errors"
	"net/http"

	"convene/pkg/account"
	"convene/pkg/account/graph"
	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Config configures a Calendar. Accounts is required.
type Config struct {
	Accounts account.Opener
	// Endpoint is the root of the API, version included. Defaults to graph.DefaultEndpoint.
	Endpoint string
	// Base makes the connections. Defaults to a transport of the calendar's own.
	Base http.RoundTripper
	// Identity knows the names of other providers.
	Identity calendar.Identity
}

// Calendar is a calendar.Provider, calendar.Syncer, calendar.Writer and calendar.Amender of all accounts with
// Microsoft. It is safe for concurrent use.
type Calendar struct {
	accounts account.Opener
	graph    *graph.Client
	known    identities
	identity calendar.Identity
}

// New makes a Calendar. It makes no calls.
func New(cfg Config) (*Calendar, error) {
	client, err := graph.New(graph.Config{Accounts: cfg.Accounts, Endpoint: cfg.Endpoint, Base: cfg.Base})
	if err != nil {
		return nil, err
	}
	return &Calendar{accounts: cfg.Accounts, graph: client, identity: cfg.Identity}, nil
}

// UID is the UID of the event with Graph's iCalUID, if this process wrote it or has seen it in its organizer's
// calendar; otherwise it is Graph's.
func (c *Calendar) UID(iCalUID string) (uid string) { return c.known.uid(iCalUID) }

// Name is "microsoft".
func (*Calendar) Name() string { return string(account.Microsoft) }

// Times reads all calendars of the person's accounts that block, concurrently. If one cannot be read, the whole span is
// unknown beside the others' busy times, and the error is a fault that says what the person can do. Stays are those of
// events whose place has coordinates.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	snapshot, err := c.read(ctx, person, span, c.view)
	if errors.Is(err, calendar.ErrNoCalendar) {
		return calendar.Times{}, err
	}
	return snapshot.Times(except), err
}

// Sync is Times as a snapshot; of a calendar with a mark in last it reads only the changes.
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
