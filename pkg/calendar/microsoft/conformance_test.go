package microsoft_test

import (
	"context"
	"testing"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/microsoft"
	"convene/pkg/calendar/microsoft/microsofttest"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	token   = "eyJ0eXAi.owner-token"
	address = "ola@example.com"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	calendartest.TestLocatingProvider(t, func(t *testing.T, owner meet.Person,
		events ...calendartest.Event) calendar.Provider {
		t.Helper()
		return open(t, owner, events...).Calendar
	})
}

// The same cases, read by deltas.
func TestConformanceOfSync(t *testing.T) {
	t.Parallel()
	calendartest.TestLocatingProvider(t, func(t *testing.T, owner meet.Person,
		events ...calendartest.Event) calendar.Provider {
		t.Helper()
		return synced{open(t, owner, events...).Calendar}
	})
}

// synced answers with two deltas; the second goes on from the first.
type synced struct{ *microsoft.Calendar }

func (s synced) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	first, err := s.Sync(ctx, person, span, calendar.Snapshot{})
	if err != nil {
		return calendar.Times{}, err
	}
	second, err := s.Sync(ctx, person, span, first)
	return second.Times(except), err
}

// world is a calendar, with its server and accounts.
type world struct {
	*microsoft.Calendar
	server   *microsofttest.Server
	mailbox  *microsofttest.Mailbox
	accounts *calendartest.Connections
	// wire is the network, where in made it.
	wire *wire
}

// open gives owner an account whose main calendar has these events.
func open(t *testing.T, owner meet.Person, events ...calendartest.Event) world {
	t.Helper()
	w := world{server: microsofttest.New(t), accounts: &calendartest.Connections{}}
	w.mailbox = w.server.Mailbox(address, token)
	for _, e := range events {
		w.mailbox.Put(w.mailbox.Main(), microsofttest.From(owner, e))
	}
	w.accounts.Connect(account.Account{
		Provider: account.Microsoft, ID: "a1", Person: owner.ID, Address: address,
	}, token)
	var err error
	w.Calendar, err = microsoft.New(microsoft.Config{Accounts: w.accounts, Endpoint: w.server.Endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return w
}
