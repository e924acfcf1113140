package gmail_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account/google/gatetest"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/gmail"
	"convene/pkg/mail/mailtest"
	"convene/pkg/outbound"
	"convene/pkg/record"
)

// list are the mails of a query by subject.
func list(t *testing.T, p mail.Provider, q mail.Query) map[string]mail.Mail {
	t.Helper()
	page, err := p.List(t.Context(), mailtest.Owner(), q)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]mail.Mail{}
	for _, m := range page.Mails {
		all[m.Subject] = m
	}
	return all
}

// Limits and failures that pass are waited for; others are told, each with what the owner can do.
func TestTroubles(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		times, status int
		reason, want  string
		later         bool
	}{
		"a limit":             {2, 429, "rateLimitExceeded", "", false},
		"a limit of the user": {2, 403, "userRateLimitExceeded", "", false},
		"a short failure":     {2, 503, "backendError", "", false},
		"a long limit":        {9, 403, "rateLimitExceeded", "asks to wait", true},
		"a long failure":      {9, 500, "backendError", "not answering", true},
		"no permission":       {9, 403, "insufficientPermissions", "connect it again", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.given(t, mailtest.Written(0, "al@example.com", "Offer", "Hi"))
			w.Fail(tt.times, "GET", "/messages", gatetest.Refusal(tt.status, tt.reason))
			page, err := w.provider().List(t.Context(), mailtest.Owner(), mail.Query{})
			f := fault.As(err)
			if tt.want == "" && (err != nil || len(page.Mails) != 1) ||
				tt.want != "" && (!strings.Contains(f.Message, tt.want) || f.Retryable != tt.later) {
				t.Errorf("%+v, %v", page, err)
			}
		})
	}
}

// A token that has expired is renewed; a mailbox that its owner has closed says so.
func TestARevokedMailbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.given(t, mailtest.Written(0, "al@example.com", "Offer", "Hi"))
	w.Expire("token-1")
	if got := list(t, w.provider(), mail.Query{}); len(got) != 1 {
		t.Errorf("with a renewed token: %v", got)
	}
	w.Expire("token-2")
	_, err := w.provider().List(t.Context(), mailtest.Owner(), mail.Query{})
	if f := fault.As(err); f.Code != fault.Unavailable || !strings.Contains(f.Message, "please reconnect the Gmail") {
		t.Errorf("without one: %v", err)
	}
}

// What other programs change is seen; only what has changed is read again, and all labels if Gmail has forgotten what
// has.
func TestHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var ids []string
	for i := range 5 {
		g := mailtest.Written(i, "al@example.com", fmt.Sprint("Mail ", i), "Hi")
		ids = append(ids, w.box.Put(g.Content, "INBOX", "UNREAD"))
	}
	p := w.provider()
	reads := func(format string) (n int) {
		for _, one := range w.Asked() {
			if strings.Contains(one, "format="+format) {
				n++
			}
		}
		return n
	}
	for i, step := range []struct {
		change         func()
		unread         int
		whole, minimal int
	}{
		{func() {}, 5, 5, 0},
		{func() {}, 5, 5, 0},
		{func() { w.box.Label(ids[2], nil, []string{"UNREAD"}) }, 4, 5, 1},
		{func() {
			w.box.Label(ids[0], []string{"TRASH"}, []string{"INBOX"})
			w.box.Put(mailtest.Written(9, "al@example.com", "New", "Hi").Content, "INBOX", "UNREAD")
		}, 4, 6, 1},
		{func() {
			w.box.Label(ids[1], nil, []string{"UNREAD"})
			w.box.Forget()
		}, 3, 6, 6},
		{func() {}, 3, 6, 6},
	} {
		step.change()
		unread := 0
		for _, m := range list(t, p, mail.Query{}) {
			if !m.Read {
				unread++
			}
		}
		if got := [3]int{unread, reads("raw"), reads("minimal")}; got != [3]int{step.unread, step.whole, step.minimal} {
			t.Errorf("step %d: unread, read whole, and only labels: %v; want %+v", i, got, step)
		}
	}
}

// A folder of the owner's is a label. A mail that was moved there is in it for other processes, too, and comes back;
// a mail that merely has the label and is archived is in the archive, and is found by the label's name.
func TestFoldersAreLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.box.Put(mailtest.Written(0, "al@example.com", "Moved", "Hi").Content, "INBOX", "UNREAD")
	w.box.Put(mailtest.Written(1, "al@example.com", "Labelled", "Hi").Content, "Clients", "INBOX", "UNREAD")
	before := list(t, w.provider(), mail.Query{})
	to := func(subject string, f mail.Folder) mail.Amendment {
		m := before[subject]
		a := mail.Amendment{Key: subject, ID: m.ID, Provider: gmail.Name, From: m.State, To: m.State}
		a.To.Folder = f
		return a
	}
	moved, archived := to("Moved", "Clients"), to("Labelled", mail.Archive)
	for range 2 { // the second time nothing is left to do
		for _, a := range []mail.Amendment{moved, archived} {
			if now, err := w.provider().Apply(t.Context(), mailtest.Owner(), a); err != nil || !now.Same(a.To) {
				t.Fatalf("%+v, %v", now, err)
			}
		}
	}
	for name, want := range map[mail.Folder][]string{"Clients": {"Labelled", "Moved"}, mail.Archive: {"Labelled"}} {
		if got := list(t, w.provider(), mail.Query{Folders: []mail.Folder{name}}); len(got) != len(want) {
			t.Errorf("%s has %v, want %v", name, got, want)
		}
	}
	if n := w.Count("POST messages"); n != 2 {
		t.Errorf("%d changes were made", n)
	}
	for _, a := range []mail.Amendment{moved.Back(), archived.Back()} {
		if now, err := w.provider().Apply(t.Context(), mailtest.Owner(), a); err != nil || !now.Same(a.To) {
			t.Errorf("back: %+v, %v", now, err)
		}
	}
	diff := cmp.Diff([]string{"Moved", "Labelled"}, w.box.With("INBOX"))
	if labelled := w.box.With("Label_1"); diff != "" || len(labelled) != 1 {
		t.Error(diff, labelled)
	}
}

// A mail that is too large to be listed whole is listed all the same, from its true sender.
func TestALargeMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	g := mailtest.Written(0, "=?utf-8?q?=3Cboss=40example=2Ecom=3E=2C_Boss?= <eve@example.net>", "Big",
		strings.Repeat("A very long text. ", 150_000))
	w.given(t, g)
	p := w.provider()
	m := list(t, p, mail.Query{Words: []string{"long"}})["Big"]
	if m.From.Email != "eve@example.net" || m.Preview == "" || m.MessageID != "0@example.org" {
		t.Errorf("listed: %+v", m)
	}
	_, content, err := p.Open(t.Context(), mailtest.Owner(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := mail.Decode(content); err != nil || whole.From.Email != "eve@example.net" {
		t.Errorf("read: %+v, %v", whole.From, err)
	}
}

// Gmail's own operators in words are words.
func TestWordsAreNoOperators(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.given(t, mailtest.Written(0, "al@example.com", "Offer in:inbox OR {this}", "Hi"))
	q := mail.Query{Words: []string{"in:inbox", "OR", "{this}", "-"}, Folders: []mail.Folder{mail.Inbox}}
	if _, err := w.provider().List(t.Context(), mailtest.Owner(), q); err != nil {
		t.Error(err)
	}
	for _, one := range w.Asked() {
		if strings.Contains(one, "in%3Ainbox") || strings.Contains(one, "OR") {
			t.Errorf("asked: %s", one)
		}
	}
}

// A server that is down is left alone for a while, and the person is told.
func TestAServerThatIsDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Fail(100, "", "", gatetest.Cut())
	p := w.provider()
	var err error
	for range 6 {
		_, err = p.List(t.Context(), mailtest.Owner(), mail.Query{})
	}
	if f := fault.As(err); f.Code != fault.Unavailable || !f.Retryable || !errors.As(err, new(*outbound.OpenError)) {
		t.Errorf("%v", err)
	}
}

// What Gmail cannot search for is looked for in as many mails as there is time for. If that is too little, the owner is
// told, and it is never said that there is nothing.
func TestMoreMailThanCanBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 300 {
		w.box.Put(mailtest.Written(i, "al@example.com", fmt.Sprint("Mail ", i), "Hi").Content, "INBOX")
	}
	p := gmail.New(gmail.Config{
		Accounts: w.accounts, Moved: record.Book{Store: w.shelf}, Endpoint: w.URL, Limit: 2 * time.Second,
	})
	q := mail.Query{Newsletter: new(true), Limit: 5}
	_, err := p.List(t.Context(), mailtest.Owner(), q)
	if f := fault.As(err); err == nil || !strings.Contains(f.Message, "more mail than can be looked through") {
		t.Errorf("too many: %v", err)
	}
	q.Since = time.Date(2026, time.November, 14, 0, 0, 0, 0, time.UTC)
	if page, err := p.List(t.Context(), mailtest.Owner(), q); err != nil || len(page.Mails) != 0 {
		t.Errorf("of one day: %+v, %v", page, err)
	}
}

// What is remembered of a mailbox is forgotten with the account.
func TestForgetting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.given(t, mailtest.Written(0, "al@example.com", "Offer", "Hi"))
	p := w.provider()
	for i, forget := range []bool{false, false, true} {
		if forget {
			p.Forget(mailtest.Owner().ID)
		}
		list(t, p, mail.Query{})
		if got, want := w.Count("GET messages/"), []int{1, 1, 2}[i]; got != want {
			t.Errorf("step %d: %d mails were read, want %d", i, got, want)
		}
	}
}

// A label that another program has made since they were read last is used.
func TestALabelThatIsThereMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.given(t, mailtest.Written(0, "al@example.com", "Offer", "Hi"))
	p := w.provider()
	m := list(t, p, mail.Query{})["Offer"]
	w.box.Put(mailtest.Written(1, "al@example.com", "Other", "Hi").Content, "INBOX", "Clients", "To pay")
	a := mail.Amendment{Key: "k", ID: m.ID, Provider: gmail.Name, From: m.State, To: m.State}
	a.To.Folder, a.To.Labels = "Clients", []string{"To pay"}
	if now, err := p.Apply(t.Context(), mailtest.Owner(), a); err != nil || !now.Same(a.To) {
		t.Errorf("%+v, %v", now, err)
	}
}
