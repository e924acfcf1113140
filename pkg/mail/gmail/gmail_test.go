package gmail_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"convene/pkg/account"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/mail"
	"convene/pkg/mail/gmail"
	"convene/pkg/mail/gmail/gmailtest"
	"convene/pkg/mail/mailtest"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
)

const address = "dana@example.com"

// shelf is a store that several calls may use at once.
type shelf struct {
	recordtest.Shelf
	turn chan struct{}
}

func newShelf() shelf { return shelf{recordtest.Shelf{}, make(chan struct{}, 1)} }

func (s shelf) Entries(ctx context.Context, p meet.PersonID) (map[string]record.Entry, error) {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	return s.Shelf.Entries(ctx, p)
}

func (s shelf) Replace(
	ctx context.Context, p meet.PersonID, id string, before, after record.Entry,
) (bool, error) {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	return s.Shelf.Replace(ctx, p, id, before, after)
}

// world is the owner's mailbox at Gmail.
type world struct {
	*gmailtest.Server
	box      *gmailtest.Mailbox
	accounts *accounts
	shelf    shelf
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
	w := &world{
		Server: gmailtest.New(tb), accounts: &accounts{&calendartest.Connections{}}, shelf: newShelf(),
	}
	w.Now = func() time.Time { return time.Date(2026, time.November, 23, 8, 0, 0, 0, time.UTC) }
	w.box = w.User(address, "dana@work.example")
	w.Accept("token-1", address)
	w.Accept("token-2", address)
	w.accounts.Connect(account.Account{
		ID: "a", Person: mailtest.Owner().ID, Provider: account.Gmail, Access: account.Write, Address: address,
	}, "token-1", "token-2")
	return w
}

// provider is that of another process each time.
func (w *world) provider() *gmail.Provider {
	return gmail.New(gmail.Config{Accounts: w.accounts, Moved: record.Book{Store: w.shelf}, Endpoint: w.URL})
}

// labels are those of a state at Gmail.
func labels(s mail.State) (list []string) {
	switch s.Folder {
	case mail.Inbox, mail.Sent, mail.Trash:
		list = append(list, strings.ToUpper(string(s.Folder)))
	case mail.Drafts:
		list = append(list, "DRAFT")
	case mail.Junk:
		list = append(list, "SPAM")
	case mail.Archive:
	}
	if !s.Read {
		list = append(list, "UNREAD")
	}
	if s.Starred {
		list = append(list, "STARRED")
	}
	return append(list, s.Labels...)
}

// given puts mails into the mailbox. Those of other folders are moved there.
func (w *world) given(t *testing.T, mails ...mailtest.Given) {
	t.Helper()
	for _, g := range mails {
		id := w.box.Put(g.Content, labels(g.State)...)
		if len(labels(mail.State{Folder: g.Folder, Read: true})) > 0 || g.Folder == mail.Archive {
			continue
		}
		from := g.State
		from.Folder = mail.Archive
		a := mail.Amendment{Key: id, ID: id, Provider: gmail.Name, From: from, To: g.State}
		if _, err := w.provider().Apply(t.Context(), mailtest.Owner(), a); err != nil {
			t.Fatal(err)
		}
	}
}

func TestProvider(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"pages as asked for": 0, "short pages": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mailtest.Run(t, func(t *testing.T, _ meet.Person, mails ...mailtest.Given) mail.Provider {
				t.Helper()
				w := newWorld(t)
				w.PageSize = size
				w.given(t, mails...)
				return w.provider()
			})
		})
	}
}
