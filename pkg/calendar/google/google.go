// Package google is the calendars that people keep with Google.
//
// Busy times come from events.list, which is asked for times and states only: no title, no place and no guest leaves
// Google. A calendar of which only free and busy may be seen is read with freeBusy.query. What Google does not
// answer, or not as documented, is unknown and never an empty calendar.
//
// An event of ours has an id that is made of its UID, so that writing it again finds it: Google refuses an id that it
// knows. Google wants either an id or an iCalUID of our own at creation, not both, and only the id is documented to
// be refused the second time; the UID is read back from it.
package google

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	gcal "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

// Config is how Google is reached.
type Config struct {
	Accounts account.Opener
	// Endpoint is the root of the API. Defaults to Google's own.
	Endpoint string
	// Base makes the connections. Defaults to a transport of the client's own.
	Base http.RoundTripper
	// Identity gives the UID that an event was written with, for the name that another provider gave it: an invitation
	// to one of ours stands in its guests' calendars under that name, and must not be in its own way when it is moved.
	// Defaults to the name itself.
	Identity func(iCalUID string) (uid string)
}

// Calendar is a calendar.Syncer and a calendar.Writer.
type Calendar struct {
	accounts account.Opener
	endpoint string
	http     *http.Client
	identity func(iCalUID string) (uid string)
}

var (
	_ calendar.Syncer = (*Calendar)(nil)
	_ calendar.Writer = (*Calendar)(nil)
)

// New is Google's calendars after cfg. It calls nobody yet.
func New(cfg Config) *Calendar {
	identity := cfg.Identity
	if identity == nil {
		identity = func(iCalUID string) string { return iCalUID }
	}
	root := cmp.Or(cfg.Endpoint, "https://www.googleapis.com")
	return &Calendar{
		accounts: cfg.Accounts,
		endpoint: strings.TrimSuffix(root, "/") + "/calendar/v3/",
		http:     outbound.Client(outbound.Config{Name: "google", Base: cfg.Base, Retryable: worthAnotherTry}),
		identity: identity,
	}
}

// Name is "google".
func (*Calendar) Name() string { return string(account.Google) }

// Times reads all calendars of the person's that take time, anew. Beside an error there is what the others say, and
// the whole span is unknown.
func (c *Calendar) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	snapshot, err := c.Sync(ctx, person, span, calendar.Snapshot{})
	return snapshot.Times(except), err
}

// mainCalendar is Google's name for the calendar that every account has.
const mainCalendar = "primary"

// shelf is one calendar, with the service that opens it.
type shelf struct {
	api *gcal.Service
	account.Calendar
	// key names the calendar in snapshots: its id, or the account's address where the id says only that it is the
	// main one.
	key string
	// timesOnly says that the person has allowed no more than to see when the calendar is free and busy.
	timesOnly bool
	// denied says that this is the calendar to write to, and that the person has not allowed it.
	denied bool
	// self is the address by which Google knows the owner, where the calendar is the account's main one. Others
	// belong to no address of a person's.
	self string
}

// shelves are all of the person's calendars, each once: somebody may reach one calendar through two accounts.
func (c *Calendar) shelves(ctx context.Context, person meet.PersonID) ([]shelf, error) {
	accounts, err := c.accounts.Accounts(ctx, person, account.Google)
	if err != nil {
		return nil, failed("list accounts", fmt.Errorf("%w: %w", errAccount, err))
	}
	var all []shelf
	seen := map[string]bool{}
	for _, a := range accounts {
		api, err := c.open(ctx, &bearer{accounts: c.accounts, id: a.ID, next: c.http})
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

// open is Google's client with the credentials of b. Google's own options for tokens are dropped beside a client of
// one's own, and what it logs would hold the words of events.
func (c *Calendar) open(ctx context.Context, b *bearer) (*gcal.Service, error) {
	api, err := gcal.NewService(ctx,
		option.WithHTTPClient(&http.Client{Transport: b}),
		option.WithEndpoint(c.endpoint),
		option.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return nil, fault.New(fault.Internal, "Google Calendar is not set up correctly.").Because(err)
	}
	return api, nil
}

// atOnce bounds how many calendars of one person's are read at the same time.
const atOnce = 8

// each calls do for 0 to n-1, several at a time, and returns when all are done.
func each(n int, do func(i int)) {
	var wg sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for i := range n {
		places <- struct{}{}
		wg.Go(func() {
			defer func() { <-places }()
			do(i)
		})
	}
	wg.Wait()
}
