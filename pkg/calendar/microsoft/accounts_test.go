package microsoft_test

import (
	"context"
	"testing"

	"convene/pkg/account"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/microsoft"
	"convene/pkg/fault"
)

// accounts is the name under which they can stand in a struct, beside their method of the other name.
type accounts = calendartest.Connections

// locked are accounts; one cannot be opened.
type locked struct {
	*accounts
	id  account.ID
	err error
}

func (l locked) Credential(ctx context.Context, id account.ID) (account.Credential, error) {
	if id == l.id {
		return account.Credential{}, l.err
	}
	return l.accounts.Credential(ctx, id)
}

// The owner has chosen a calendar of another account since the event was written. Where the first account cannot be
// opened for the moment, the event may stand there, and is not written a second time.
func TestEventInAnAccountThatCannotBeOpenedForTheMoment(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	mustWrite(t, w, entryOf(event("u1@convene")))
	second := w.server.Mailbox("work@example.com", "second-token")
	both := &calendartest.Connections{}
	both.Connect(account.Account{Provider: account.Microsoft, ID: "a1", Person: calendartest.Owner().ID, Address: address,
		Calendars: []account.Calendar{
			{ID: w.mailbox.Main().ID, Blocks: true},
		}}, token)
	both.Connect(account.Account{Provider: account.Microsoft, ID: "a2", Person: calendartest.Owner().ID,
		Address: "work@example.com",
		Calendars: []account.Calendar{
			{ID: second.Main().ID, Blocks: true, Target: true},
		}}, "second-token")
	passing := fault.New(fault.CalendarFailed, "Microsoft is not answering").Later(0)
	shaky, err := microsoft.New(microsoft.Config{
		Accounts: locked{both, "a1", passing}, Endpoint: w.server.Endpoint,
	})
	if err != nil {
		t.Fatal(err)
	}
	moved := event("u1@convene")
	moved.Start, moved.End, moved.Sequence = at(16), at(17), 1
	if _, err := shaky.Write(t.Context(), entryOf(moved)); err == nil || !fault.As(err).Retryable {
		t.Errorf("Write = %v, want what can be tried again", err)
	}
	if err := shaky.Remove(t.Context(), entryOf(moved)); err == nil || !fault.As(err).Retryable {
		t.Errorf("Remove = %v, want what can be tried again", err)
	}
	both = &calendartest.Connections{}
	both.Connect(account.Account{
		Provider: account.Microsoft, ID: "a1", Person: calendartest.Owner().ID, Address: address, Problem: "reconnect it",
	}, token)
	both.Connect(account.Account{Provider: account.Microsoft, ID: "a2", Person: calendartest.Owner().ID,
		Address: "work@example.com",
		Calendars: []account.Calendar{
			{ID: second.Main().ID, Blocks: true, Target: true},
		}}, "second-token")
	broken, err := microsoft.New(microsoft.Config{Accounts: both, Endpoint: w.server.Endpoint})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := broken.Write(t.Context(), entryOf(moved)); err == nil || fault.As(err).Message != "reconnect it" {
		t.Errorf("Write = %v, want what its owner has to do", err)
	}
	if err := broken.Remove(t.Context(), entryOf(moved)); err == nil || fault.As(err).Message != "reconnect it" {
		t.Errorf("Remove = %v, want what its owner has to do", err)
	}
	mustWrite(t, world{Calendar: broken}, entryOf(event("u2@convene")))
	if err := broken.Remove(t.Context(), entryOf(event("u2@convene"))); err != nil {
		t.Errorf("Remove of a new event: %v", err)
	}
	if got := second.Events(second.Main()); len(got) > 0 {
		t.Errorf("it was written a second time: %+v", got)
	}
}
