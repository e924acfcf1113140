package outlook_test

import (
	"context"
	"testing"

	"convene/pkg/account"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/microsoft/microsofttest"
	"convene/pkg/mail"
	"convene/pkg/mail/mailtest"
	"convene/pkg/mail/outlook"
	"convene/pkg/meet"
)

const address = "dana@example.com"

// world is the owner's mailbox at Microsoft.
type world struct {
	*microsofttest.Server
	box      *microsofttest.Mailbox
	accounts *accounts
}

// accounts are connections in the zero tenant.
type accounts struct{ *calendartest.Connections }

func (a accounts) Accounts(
	ctx context.Context, person meet.PersonID, provider account.Provider,
) ([]account.Account, error) {
	if meet.TenantOf(ctx) != "" {
		return nil, nil
	}
	return a.Connections.Accounts(ctx, person, provider)
}

func newWorld(tb testing.TB) *world {
	tb.Helper()
	w := &world{Server: microsofttest.New(tb), accounts: &accounts{&calendartest.Connections{}}}
	w.box = w.Mailbox(address, "token-1")
	w.PageSize(100)
	w.accounts.Connect(account.Account{
		ID: "a", Person: mailtest.Owner().ID, Provider: account.Outlook, Access: account.Write, Address: address,
	}, "token-1", "token-2")
	return w
}

// provider is that of another process each time.
func (w *world) provider(tb testing.TB) *outlook.Provider {
	tb.Helper()
	p, err := outlook.New(outlook.Config{Accounts: w.accounts, Endpoint: w.Endpoint})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// folders are Graph's names of folders with a purpose.
var folders = map[mail.Folder]string{
	mail.Inbox: "inbox", mail.Sent: "sentitems", mail.Drafts: "drafts", mail.Archive: "archive",
	mail.Trash: "deleteditems", mail.Junk: "junkemail",
}

// given puts mails into the mailbox.
func (w *world) given(mails ...mailtest.Given) (ids []string) {
	for _, g := range mails {
		folder, purpose := folders[g.Folder]
		if !purpose {
			folder = string(g.Folder)
		}
		set := map[string]any{"isRead": g.Read}
		if g.Starred {
			set["flag"] = map[string]any{"flagStatus": "flagged"}
		}
		labels := []any{}
		for _, l := range g.Labels {
			labels = append(labels, l)
		}
		set["categories"] = labels
		ids = append(ids, w.box.Deliver(folder, g.Content, set))
	}
	return ids
}

func TestProvider(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"pages as asked for": 1000, "short pages": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mailtest.Run(t, func(t *testing.T, _ meet.Person, mails ...mailtest.Given) mail.Provider {
				t.Helper()
				w := newWorld(t)
				w.PageSize(size)
				w.given(mails...)
				return w.provider(t)
			})
		})
	}
}
