package caldav_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/caldav"
	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// accounts are connected accounts in memory.
type accounts struct {
	mu      sync.Mutex
	all     []account.Account
	cred    account.Credential
	refused []account.Credential
}

func (a *accounts) Accounts(
	ctx context.Context, person meet.PersonID, provider account.Provider,
) ([]account.Account, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var own []account.Account
	for _, one := range a.all {
		if one.Person == person && one.Provider == provider {
			own = append(own, one)
		}
	}
	return own, ctx.Err()
}

func (a *accounts) Credential(ctx context.Context, _ account.ID) (account.Credential, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cred, ctx.Err()
}

func (a *accounts) Refused(_ context.Context, id account.ID, used account.Credential) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refused = append(a.refused, used)
	for i := range a.all {
		if a.all[i].ID == id {
			a.all[i].Problem = "reconnect the CalDAV calendar"
		}
	}
	return fault.New(fault.CalendarFailed, "reconnect the CalDAV calendar")
}

// now is the clock of all tests.
func now() time.Time { return time.Date(2026, time.February, 20, 12, 0, 0, 0, time.UTC) }

// world is the suite's owner with an account on a server in memory.
type world struct {
	*caldavtest.Server
	*caldav.Calendar
	accounts *accounts
}

// connect starts a server with a calendar of each of these names, all connected and the first the target.
func connect(t *testing.T, o caldavtest.Options, calendars ...string) *world {
	t.Helper()
	w := &world{Server: caldavtest.Start(t, o)}
	a := account.Account{
		ID: "a1", Person: calendartest.Owner().ID, Provider: account.CalDAV, Address: "ola", Server: w.Home(),
	}
	for i, name := range calendars {
		a.Calendars = append(a.Calendars, account.Calendar{
			ID: w.AddCalendar(name, nil), Name: name, Blocks: true, Target: i == 0,
		})
	}
	w.accounts = &accounts{
		all: []account.Account{a}, cred: account.Credential{Username: "ola", Password: "secret"},
	}
	w.Calendar = caldav.New(caldav.Config{Accounts: w.accounts, Client: w.Client(), Now: now})
	return w
}

// fill puts each of the events into the calendar, as an object of its own.
func (w *world) fill(name string, events ...calendartest.Event) {
	for _, e := range events {
		w.Put(name, e.UID+".ics", string(calendartest.ICS(calendartest.Owner(), e)))
	}
}

func client(t http.RoundTripper) *http.Client { return &http.Client{Transport: t} }

var march = interval.Span{Start: berlin(1, 0), End: berlin(31, 0)}

func berlin(day, hour int) time.Time {
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return time.Date(2026, time.March, day, hour, 0, 0, 0, loc)
}

func hours(day, from, to int) interval.Span {
	return interval.Span{Start: berlin(day, from), End: berlin(day, to)}
}

// event is one in March.
func event(uid string, day, from, to int) calendartest.Event {
	return calendartest.Event{UID: uid, Title: "Event " + uid, Start: berlin(day, from), End: berlin(day, to)}
}

// sync goes on from last.
func (w *world) sync(t *testing.T, last calendar.Snapshot) calendar.Snapshot {
	t.Helper()
	s, err := w.Sync(t.Context(), calendartest.Owner(), march, last)
	if err != nil {
		t.Fatalf("Sync: %v", err)
	}
	return s
}

func (w *world) busy(t *testing.T) interval.Availability {
	t.Helper()
	a, err := w.Times(t.Context(), calendartest.Owner(), march, "")
	if err != nil {
		t.Fatalf("Times: %v", err)
	}
	return a.Availability
}
