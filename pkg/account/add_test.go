package account_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/fault"
)

func TestAddCalDAV(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	login := account.ServerLogin{Server: "https://dav.example", Username: "al", Password: "password-s3cr3t-1"}
	first := must(r.connector.AddCalDAV(w.ctx(), "al", login))(t)
	want := account.Account{
		ID: first.ID, Person: "al", Provider: account.CalDAV,
		Access: account.Write, Address: "Al@Example.com", Server: "https://dav.example/home/",
		Calendars: w.found.calendars, Connected: w.clock(),
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("account (-want +got):\n%s", diff)
	}
	login.Password = "password-s3cr3t-2"
	if again := must(r.connector.AddCalDAV(w.ctx(), "al", login))(t); again.ID != first.ID {
		t.Error("the same account was connected twice")
	}
	if got := must(r.Credential(w.ctx(), first.ID))(t); got != (account.Credential{Username: "al",
		Password: "password-s3cr3t-2"}) {
		t.Error("the credential is not the newer one")
	}
	login.Username = "al2"
	if other := must(r.connector.AddCalDAV(w.ctx(), "al", login))(t); other.ID == first.ID {
		t.Error("two accounts at one server are taken for one")
	}
	if others := must(r.connector.AddCalDAV(w.ctx(), "me", login))(t); others.ID == first.ID || others.Person != "me" {
		t.Error("two people's accounts are taken for one")
	}
	w.found.err = fault.New(fault.CalendarFailed, "the password is wrong")
	if _, err := r.connector.AddCalDAV(w.ctx(), "al", login); fault.As(err).Message != "the password is wrong" {
		t.Errorf("AddCalDAV = %v, want what the adapter says", err)
	}
}

// A mailbox is kept with both servers, and its password sealed; one that is refused is to be reconnected.
func TestAddMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	login := account.MailLogin{
		ServerLogin: account.ServerLogin{Server: "imaps://m.example", Username: "al", Password: "password-s3cr3t-1"},
		Outgoing:    "smtps://s.example",
	}
	a := must(r.connector.AddMail(w.ctx(), "al", login))(t)
	want := account.Account{
		ID: a.ID, Person: "al", Provider: account.IMAP, Access: account.Write, Address: "al",
		Server: "imaps://m.example:993", Outgoing: "smtps://s.example:465", Connected: w.clock(),
	}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Errorf("account (-want +got):\n%s", diff)
	}
	if text := fmt.Sprintf("%v %+v", login, login); strings.Contains(text, "s3cr3t") {
		t.Errorf("a login prints as %s", text)
	}
	cred := must(r.Credential(w.ctx(), a.ID))(t)
	if err := r.Refused(w.ctx(), a.ID, cred); fault.As(err).Message != "reconnect the mailbox" {
		t.Errorf("Refused = %v", err)
	}
	if again := must(r.connector.AddMail(w.ctx(), "al", login))(t); again.ID != a.ID || again.Problem != "" {
		t.Errorf("reconnected: %+v", again)
	}
	w.found.err = fault.Invalid("password", "is wrong")
	if _, err := r.connector.AddMail(w.ctx(), "al", login); fault.As(err).Field != "password" {
		t.Errorf("AddMail = %v, want what the adapter says", err)
	}
}

func TestAddFeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	const address = "https://feeds.example/s3cr3t.ics"
	a := must(r.connector.AddFeed(w.ctx(), "al", address, ""))(t)
	want := account.Account{
		ID: a.ID, Person: "al", Provider: account.ICS, Access: account.Read, Address: "Team calendar", Connected: w.clock(),
		Calendars: []account.Calendar{{ID: "feed", Name: "Team calendar", Blocks: true}},
	}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Errorf("account (-want +got):\n%s", diff)
	}
	if again := must(r.connector.AddFeed(w.ctx(), "al", address, "Mine"))(t); again.ID != a.ID || again.Address != "Mine" {
		t.Errorf("the same feed again = %+v", again)
	}
	if got := must(r.Credential(w.ctx(), a.ID))(t); got.URL != address {
		t.Error("the credential is not the address")
	}
}

func TestOnePersonConnectsNotTooMuch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	for i := range 20 {
		must(r.connector.AddFeed(w.ctx(), "al", fmt.Sprintf("https://feeds.example/%d", i), ""))(t)
	}
	if _, err := r.connector.AddFeed(w.ctx(), "al", "https://feeds.example/more",
		""); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("AddFeed = %v, want a refusal", err)
	}
	must(r.connector.AddFeed(w.ctx(), "al", "https://feeds.example/7", "again"))(t)
	must(r.connector.AddFeed(w.ctx(), "me", "https://feeds.example/more", ""))(t)
}
