package imap_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	goimap "github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"convene/pkg/account"
	"convene/pkg/mail"
	"convene/pkg/mail/imap"
	"convene/pkg/mail/imap/dovecottest"
	"convene/pkg/mail/mailtest"
	"convene/pkg/meet"
)

// servers are a Dovecot with all that it can do, and others that say that they can do less.
var (
	full  dovecottest.Server
	basic = dovecottest.Server{Offers: "IMAP4rev1"}
	older = dovecottest.Server{Offers: "IMAP4rev1 UIDPLUS LITERAL+ IDLE"}
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range []*dovecottest.Server{&full, &basic, &older} {
		s.Stop()
	}
	os.Exit(code)
}

// accounts has one person's accounts, in the zero tenant.
type accounts struct {
	owner meet.PersonID
	list  []account.Account
	cred  account.Credential
	// refused has the credentials that a server has refused.
	refused chan account.Credential
}

func (a accounts) Accounts(
	ctx context.Context, person meet.PersonID, provider account.Provider,
) ([]account.Account, error) {
	if person != a.owner || meet.TenantOf(ctx) != "" || provider != account.IMAP {
		return nil, nil
	}
	return a.list, nil
}

func (a accounts) Credential(context.Context, account.ID) (account.Credential, error) {
	return a.cred, nil
}

func (a accounts) Refused(_ context.Context, _ account.ID, used account.Credential) error {
	a.refused <- used
	return nil
}

// connected is the provider of a person who has connected the mailbox of a user at an address.
func connected(tb testing.TB, address, user string) *imap.Provider {
	tb.Helper()
	p := imap.New(imap.Config{
		Accounts: accounts{
			owner: mailtest.Owner().ID, refused: make(chan account.Credential, 9),
			list: []account.Account{{ID: "a", Provider: account.IMAP, Server: "imap://" + address}},
			cred: account.Credential{Username: user, Password: dovecottest.Password},
		},
		Dialer: new(net.Dialer), Plain: true, Limit: time.Minute,
	})
	tb.Cleanup(p.Close)
	return p
}

// other is another mail program at the user's mailbox.
func other(tb testing.TB, s *dovecottest.Server, user string) *imapclient.Client {
	tb.Helper()
	c, err := imapclient.DialInsecure(s.Address, nil)
	if err == nil {
		err = c.Login(user, dovecottest.Password).Wait()
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Close() })
	return c
}

// names are the server's for folders of the suite.
func nameOf(f mail.Folder) string {
	switch f {
	case mail.Sent:
		return "Sent Mail"
	case mail.Trash:
		return "Rubbish"
	case mail.Inbox:
		return "INBOX"
	default:
		return strings.ReplaceAll(f.Title(), "/", ".")
	}
}

// given puts mails into a mailbox.
func given(tb testing.TB, c *imapclient.Client, mails ...mailtest.Given) {
	tb.Helper()
	for _, m := range mails {
		at, err := mail.ReadDate(strings.NewReader(m.Content))
		if err != nil {
			tb.Fatal(err)
		}
		if m.Folder != mail.Inbox {
			_ = c.Create(nameOf(m.Folder), nil).Wait() // it may be there
		}
		options := &goimap.AppendOptions{Time: at}
		if m.Read {
			options.Flags = append(options.Flags, goimap.FlagSeen)
		}
		if m.Starred {
			options.Flags = append(options.Flags, goimap.FlagFlagged)
		}
		cmd := c.Append(nameOf(m.Folder), int64(len(m.Content)), options)
		_, err = cmd.Write([]byte(m.Content))
		if err := errors.Join(err, cmd.Close()); err != nil {
			tb.Fatal(err)
		}
		if _, err := cmd.Wait(); err != nil {
			tb.Fatal(err)
		}
	}
}

func opener(s *dovecottest.Server) mailtest.Opener {
	return func(t *testing.T, _ meet.Person, mails ...mailtest.Given) mail.Provider {
		t.Helper()
		user := s.User(t)
		given(t, other(t, s, user), mails...)
		return connected(t, s.Address, user)
	}
}

func TestProvider(t *testing.T) {
	t.Parallel()
	mailtest.Run(t, opener(&full))
}

// A server without any extension, and one with UIDPLUS but without MOVE, can do the same.
func TestServersThatCanDoLess(t *testing.T) {
	t.Parallel()
	t.Run("basic", func(t *testing.T) {
		t.Parallel()
		mailtest.Run(t, opener(&basic))
	})
	t.Run("older", func(t *testing.T) {
		t.Parallel()
		mailtest.Run(t, opener(&older))
	})
}

// Pages of a folder into which mails came in any order have each mail once, the newest first, also if words are asked
// for that every third one has.
func TestPagesOfMailsInAnyOrder(t *testing.T) {
	t.Parallel()
	const n, size = 300, 7
	random := rand.New(rand.NewPCG(1, 2))
	var mails []mailtest.Given
	for i := range n {
		text := []string{"zebra", "other", "other"}[i%3]
		mails = append(mails, mailtest.Written(random.IntN(n)*random.IntN(9), "al@example.com", fmt.Sprint(i), text))
	}
	user := full.User(t)
	given(t, other(t, &full, user), mails...)
	p := connected(t, full.Address, user)
	for words, want := range map[string]int{"": n, "zebra": n / 3} {
		q := mail.Query{Limit: size}
		if words != "" {
			q.Words = []string{words}
		}
		var got []mail.Mail
		for more := true; more; {
			page, err := p.List(t.Context(), mailtest.Owner(), q)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page.Mails...)
			more, q.After = page.More, mail.MarkOf(got[len(got)-1])
		}
		subjects := map[string]bool{}
		for _, m := range got {
			subjects[m.Subject] = true
		}
		if len(got) != want || len(subjects) != want || !slices.IsSortedFunc(got, mail.Compare) {
			t.Errorf("%q: %d mails, %d of them different, want %d in order", words, len(got), len(subjects), want)
		}
	}
}
