// Package google reads and writes Google calendars.
//
// Busy times come from events.list, which is asked for times and states only: no title, place or guest leaves Google. A
// calendar that shows only free and busy is read with freeBusy.query. Without a documented answer the time is unknown,
// never free.
//
// The id of our events is made of the UID, so that writing one again finds it: Google refuses an id that it knows. At
// creation Google takes either an id or an iCalUID, not both, and only for the id it documents the refusal; the UID is
// decoded from it.
//
// A change names the version that it is of, and leaves a mark in the event. A deleted event keeps its id and is
// restored under it. What belongs to single instances of a series is carried along when the series is split or moved.
package google

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	gcal "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"convene/pkg/account"
	"convene/pkg/account/google"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

// Config configures a Calendar. Accounts is required.
type Config struct {
	Accounts account.Opener
	// Endpoint is the root of the API. Defaults to Google's own.
	Endpoint string
	// Base makes the connections. Defaults to a transport of the client's own.
	Base http.RoundTripper
	// Identity knows the names of other providers.
	Identity calendar.Identity
}

// Calendar is a calendar.Syncer, a calendar.Writer and a calendar.Amender.
type Calendar struct {
	accounts account.Opener
	endpoint string
	// tasks is the root of the Tasks API; empty for Google's own.
	tasks    string
	http     *http.Client
	identity calendar.Identity
}

var (
	_ calendar.Syncer = (*Calendar)(nil)
	_ calendar.Writer = (*Calendar)(nil)
)

// New makes a Calendar. It makes no calls.
func New(cfg Config) *Calendar {
	root := cmp.Or(cfg.Endpoint, "https://www.googleapis.com")
	return &Calendar{
		accounts: cfg.Accounts,
		endpoint: strings.TrimSuffix(root, "/") + "/calendar/v3/",
		tasks:    cfg.Endpoint,
		// All our calls may be repeated: an event has the same id each time, and a change names its version.
		http:     outbound.Client(outbound.Config{Name: "google", Base: cfg.Base, Retryable: google.WorthAnotherTry}),
		identity: cfg.Identity,
	}
}

// Name is "google".
func (*Calendar) Name() string { return string(account.Google) }

// Times reads all calendars of the person's that block, anew. If one fails, the others' busy times come with the error,
// and the whole span is unknown.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	snapshot, err := c.Sync(ctx, person, span, calendar.Snapshot{})
	return snapshot.Times(except), err
}

// Events are those of all of the person's calendars that block. A calendar that shows only free and busy fails.
func (c *Calendar) Events(
	ctx context.Context, person meet.Person, span interval.Span,
) ([]meet.Occurrence, error) {
	shelves, err := c.blocking(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	return calendar.GatherAll(shelves, func(s shelf) ([]meet.Occurrence, error) {
		r := reader{calendar: c, shelf: s, span: span, person: person}
		return r.events(ctx)
	})
}

// mainCalendar is Google's name for the calendar that every account has.
const mainCalendar = "primary"

// shelf is one calendar, with the service that opens it.
type shelf struct {
	api *gcal.Service
	account.Calendar
	// key names the calendar in snapshots: its id, or the account's address for the main calendar.
	key string
	// timesOnly says that the person has granted access to free and busy only.
	timesOnly bool
	// denied says that events should be written here, but the person has not granted it.
	denied bool
	// self is the owner's address at Google if the calendar is the account's main one; others belong to no person's
	// address.
	self string
}

// shelves are all of the person's calendars, each once, although two accounts may reach the same one.
func (c *Calendar) shelves(ctx context.Context, person meet.PersonID) ([]shelf, error) {
	accounts, err := c.accounts.Accounts(ctx, person, account.Google)
	if err != nil {
		return nil, failed("list accounts", fmt.Errorf("%w: %w", google.ErrAccount, err))
	}
	var all []shelf
	seen := map[string]bool{}
	for _, a := range accounts {
		api, err := c.open(ctx, &google.Bearer{Accounts: c.accounts, ID: a.ID, Next: c.http})
		if err != nil {
			return nil, err
		}
		for _, s := range shelvesOf(a, api) {
			if !seen[s.key] {
				seen[s.key] = true
				all = append(all, s)
			}
		}
	}
	return all, nil
}

func shelvesOf(a account.Account, api *gcal.Service) []shelf {
	calendars := a.Calendars
	if len(calendars) == 0 {
		calendars = []account.Calendar{{ID: mainCalendar, Blocks: true, Target: true}}
	}
	var all []shelf
	for _, one := range calendars {
		s := shelf{api: api, Calendar: one, key: one.ID}
		s.timesOnly = a.Access == account.Read
		s.denied = one.Target && a.Access == account.Read
		s.Target = one.Target && !s.denied
		if one.ID == mainCalendar {
			s.key = cmp.Or(a.Address, string(a.ID))
		}
		if strings.EqualFold(s.key, a.Address) && strings.Contains(a.Address, "@") {
			s.self = a.Address
		}
		all = append(all, s)
	}
	return all
}

// open is Google's client with the credentials of b. With our own HTTP client Google ignores its options for tokens,
// and its logs would hold the text of events.
func (c *Calendar) open(ctx context.Context, b *google.Bearer) (*gcal.Service, error) {
	api, err := gcal.NewService(ctx,
		option.WithHTTPClient(&http.Client{Transport: b}),
		option.WithEndpoint(c.endpoint),
		option.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return nil, fault.New(fault.Internal, "Google Calendar is not set up correctly.").Because(err)
	}
	return api, nil
}
