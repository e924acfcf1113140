package outlook_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/mailtest"
	"convene/pkg/mail/outlook"
	"convene/pkg/outbound"
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
		code, want    string
		later         bool
	}{
		"a limit":         {2, 429, "ApplicationThrottled", "", false},
		"a short failure": {2, 503, "serviceNotAvailable", "", false},
		"a long limit":    {9, 429, "ApplicationThrottled", "asks to wait", true},
		"a long failure":  {9, 503, "serviceNotAvailable", "not answering", true},
		"no permission":   {9, 403, "ErrorAccessDenied", "connect it again", false},
		"no mailbox":      {9, 404, "MailboxNotEnabledForRESTAPI", "has no mailbox", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.given(mailtest.Written(0, "al@example.com", "Offer", "Hi"))
			w.fail(tt.times, http.MethodGet, "/messages", false, refusal(tt.status, tt.code))
			page, err := w.provider(t).List(t.Context(), mailtest.Owner(), mail.Query{})
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
	w.given(mailtest.Written(0, "al@example.com", "Offer", "Hi"))
	w.box.Rotate("token-2")
	if got := list(t, w.provider(t), mail.Query{}); len(got) != 1 {
		t.Errorf("with a renewed token: %v", got)
	}
	w.box.Rotate("another")
	_, err := w.provider(t).List(t.Context(), mailtest.Owner(), mail.Query{})
	if f := fault.As(err); f.Code != fault.Unavailable || !strings.Contains(f.Message, "please reconnect the Outlook") {
		t.Errorf("without one: %v", err)
	}
}

// Folders have their purposes in every language; what is below the trash is trash, folders of searches and hidden ones
// are none, and their mails are not told of.
func TestFolders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.box.Deliver("Kunden/Acme", mailtest.Written(0, "al@example.com", "Acme", "Hi").Content, nil)
	w.box.Deliver("Gelöschte Elemente/Old", mailtest.Written(1, "al@example.com", "Old", "Hi").Content, nil)
	w.box.Deliver("Posteingang/Team", mailtest.Written(2, "al@example.com", "Team", "Hi").Content, nil)
	w.box.Hide(mailtest.Written(3, "al@example.com", "Chat", "Hi").Content)
	got, err := w.provider(t).Folders(t.Context(), mailtest.Owner())
	want := append(mail.Purposes(), "Kunden", "Kunden/Acme", "Postausgang", "Posteingang/Team")
	if fmt.Sprint(got) != fmt.Sprint(want) || err != nil {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	p := w.provider(t)
	for _, tt := range []struct {
		q    mail.Query
		want map[string]mail.Folder
	}{
		{mail.Query{}, map[string]mail.Folder{"Acme": "Kunden/Acme", "Team": "Posteingang/Team"}},
		{mail.Query{Folders: []mail.Folder{mail.Trash}}, map[string]mail.Folder{"Old": mail.Trash}},
		{mail.Query{Folders: append(mail.Purposes(), "Kunden/Acme")}, map[string]mail.Folder{
			"Acme": "Kunden/Acme", "Old": mail.Trash,
		}},
	} {
		is := map[string]mail.Folder{}
		for subject, m := range list(t, p, tt.q) {
			is[subject] = m.Folder
		}
		if fmt.Sprint(is) != fmt.Sprint(tt.want) {
			t.Errorf("%+v: %v, want %v", tt.q.Folders, is, tt.want)
		}
	}
}

// A folder that another program has made since the folders were read is known, and used.
func TestAFolderThatIsThereMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.given(mailtest.Written(0, "al@example.com", "Offer", "Hi"))
	p := w.provider(t)
	m := list(t, p, mail.Query{})["Offer"]
	w.box.Deliver("Clients", mailtest.Written(1, "al@example.com", "Other", "Hi").Content, nil)
	a := mail.Amendment{Key: "k", ID: m.ID, Provider: outlook.Name, From: m.State, To: m.State}
	a.To.Folder = "Clients"
	if now, err := p.Apply(t.Context(), mailtest.Owner(), a); err != nil || !now.Same(a.To) {
		t.Errorf("%+v, %v", now, err)
	}
	w.box.Deliver("Team/New", mailtest.Written(2, "al@example.com", "News", "Hi").Content, nil)
	if got := list(t, p, mail.Query{}); got["News"].Folder != "Team/New" {
		t.Errorf("listed: %v", got)
	}
}

// What others change at the same time stays.
func TestAChangeAtTheSameTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.given(mailtest.Written(0, "al@example.com", "Offer", "Hi"))[0]
	p := w.provider(t)
	m := list(t, p, mail.Query{})["Offer"]
	var others sync.Once
	w.Before(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPatch {
			others.Do(func() { w.box.Set(id, "categories", []any{"Theirs"}) })
		}
		return false
	})
	a := mail.Amendment{Key: "k", ID: m.ID, Provider: outlook.Name, From: m.State, To: m.State}
	a.To.Labels = []string{"Ours"}
	want := mail.State{Folder: mail.Inbox, Labels: []string{"Ours", "Theirs"}}
	if now, err := p.Apply(t.Context(), mailtest.Owner(), a); err != nil || !now.Same(want) {
		t.Errorf("%+v, %v", now, err)
	}
	if now := list(t, p, mail.Query{})["Offer"]; !now.Same(want) {
		t.Errorf("it is %+v", now.State)
	}
}

// A move whose answer is lost is not made twice; it is seen the next time.
func TestALostMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.given(mailtest.Written(0, "al@example.com", "Offer", "Hi"))
	p := w.provider(t)
	m := list(t, p, mail.Query{})["Offer"]
	a := mail.Amendment{Key: "k", ID: m.ID, Provider: outlook.Name, From: m.State, To: m.State}
	a.To.Folder = mail.Archive
	w.fail(1, http.MethodPost, "/move", true, cut)
	w.Calls()
	for i, fails := range []bool{true, false} {
		if _, err := p.Apply(t.Context(), mailtest.Owner(), a); (err != nil) != fails {
			t.Errorf("attempt %d: %v", i, err)
		}
	}
	if n := w.count(http.MethodPost, "/move"); n != 1 || len(w.box.Subjects("archive")) != 1 {
		t.Errorf("moved %d times: %v", n, w.box.Subjects("archive"))
	}
}

// A conversation is found by the mail that began it and, if that is gone, by those that refer to it.
func TestThreads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.given(
		mailtest.Written(1, "al@example.com", "Re: Offer", "Hi", "In-Reply-To: <root@example.org>"),
		mailtest.Written(2, "al@example.com", "Re: Re: Offer", "Hi", "In-Reply-To: <1@example.org>",
			"References: <root@example.org> <1@example.org>"),
		mailtest.Written(3, "al@example.com", "Other", "Hi"),
	)
	p := w.provider(t)
	if got := list(t, p, mail.Query{Thread: "root@example.org"}); len(got) != 1 && len(got) != 2 {
		t.Errorf("a thread without its first mail: %v", got)
	}
	for thread, n := range map[string]int{"3@example.org": 1, "none@example.org": 0, "it's <none>": 0} {
		if got := list(t, p, mail.Query{Thread: thread}); len(got) != n {
			t.Errorf("%s: %v", thread, got)
		}
	}
}

// Operators of Exchange's search, and signs of filters, are words in words.
func TestWordsAreNoOperators(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.given(mailtest.Written(0, "Al O'Neil <al@example.com>", `Offer from:boss OR "this" (that)`, "It's fine"))
	for _, q := range []mail.Query{
		{Words: []string{"from:boss", "OR", `"this"`, "(that)", "NOT", "-", "fine"}},
		{From: []string{"O'Neil"}}, {From: []string{"al@example.com", "someone else"}}, {Named: []string{"o'neil"}},
		{Subject: []string{`"this"`}},
	} {
		got := list(t, w.provider(t), q)
		if want := len(q.Words) == 0; (len(got) == 1) != want { // there is no "not" in it
			t.Errorf("%+v: %v", q, got)
		}
	}
}

// Words of mails that are named otherwise are looked for in their texts.
func TestWordsOfNamedMails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.given(
		mailtest.Written(0, "al@example.com", "Offer", strings.Repeat("Long. ", 100)+"The hall is free"),
		mailtest.Written(1, "al@example.com", "Other", "Hi"),
	)
	for _, q := range []mail.Query{
		{IDs: ids, Words: []string{"hall"}},
		{MessageIDs: []string{"0@example.org", "1@example.org"}, Words: []string{"hall"}},
		{Thread: "0@example.org", Words: []string{"hall"}},
	} {
		if got := list(t, w.provider(t), q); len(got) != 1 || got["Offer"].ID != ids[0] {
			t.Errorf("%+v: %v", q, got)
		}
	}
}

// A request that is too much for Exchange is made simpler, and the rest left to the rules.
func TestARequestThatIsRefused(t *testing.T) {
	t.Parallel()
	for name, q := range map[string]mail.Query{
		"a filter": {Unread: new(true)}, "a search": {Words: []string{"hi"}, Unread: new(true)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			read := mailtest.Written(1, "al@example.com", "Read", "Hi")
			read.Read = true
			w.given(mailtest.Written(0, "al@example.com", "Offer", "Hi"), read)
			w.fail(1, http.MethodGet, "/messages", false, refusal(400, "InefficientFilter"))
			if got := list(t, w.provider(t), q); len(got) != 1 || got["Offer"].ID == "" {
				t.Errorf("%v", got)
			}
		})
	}
}

// What a mail's sender wrote into its header is one line of it: it makes no other field.
func TestHeadersAreLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.box.Deliver("inbox", mailtest.Written(0, "eve@example.net", "Offer", "Hi").Content, map[string]any{
		"internetMessageHeaders": []any{
			map[string]any{"name": "References", "value": "<a@b>\r\nMessage-Id: <forged@example.com>\r\nList-Id: <x.example>"},
		},
		"subject": "Offer\r\nFrom: boss@example.com", "from": map[string]any{"emailAddress": map[string]any{
			"name": "Boss <boss@example.com>", "address": "eve@example.net> (x",
		}},
	})
	for _, m := range list(t, w.provider(t), mail.Query{}) {
		if m.MessageID != "0@example.org" || m.From.Email != "" || m.Signs.List || strings.Contains(m.Subject, "\n") {
			t.Errorf("%+v", m)
		}
	}
}

// An invitation is told of.
func TestAnInvitation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i, kind := range []string{"Request", "Response", ""} {
		w.box.Deliver("inbox", mailtest.Written(i, "al@example.com", "Lunch"+kind, "Hi").Content, map[string]any{
			"@odata.type": "#microsoft.graph.eventMessage" + kind,
		})
	}
	got := list(t, w.provider(t), mail.Query{})
	for subject, want := range map[string]string{"LunchRequest": "request", "LunchResponse": "reply", "Lunch": "cancel"} {
		if got[subject].Invitation != want {
			t.Errorf("%s is %q, want %q", subject, got[subject].Invitation, want)
		}
	}
}

// A server that is down is left alone for a while, and the person is told.
func TestAServerThatIsDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fail(100, http.MethodGet, "", false, cut)
	p := w.provider(t)
	var err error
	for range 6 {
		_, err = p.List(t.Context(), mailtest.Owner(), mail.Query{})
	}
	if f := fault.As(err); f.Code != fault.Unavailable || !f.Retryable || !errors.As(err, new(*outbound.OpenError)) {
		t.Errorf("%v", err)
	}
}

// A page takes one request, however many mails there are, and no text of theirs is read for it; its memory is theirs.
func TestAPageIsOneRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 500 {
		w.box.Deliver("inbox", mailtest.Written(i, "al@example.com", fmt.Sprint("Mail ", i), "Hi").Content, nil)
	}
	p := w.provider(t)
	list(t, p, mail.Query{Limit: 1}) // the folders are known then
	for name, q := range map[string]mail.Query{
		"the newest": {Limit: 50}, "of a folder": {Folders: []mail.Folder{mail.Inbox}, Limit: 50},
		"later ones": {Limit: 50, After: &mail.Mark{Date: time.Date(2026, time.November, 9, 0, 0, 0, 0, time.UTC)}},
		"a search":   {Words: []string{"hi"}, Limit: 50},
	} {
		w.Calls()
		got, calls := list(t, p, q), w.Calls()
		if len(got) != 50 || len(calls) != 1 {
			t.Errorf("%s: %d mails in %d requests", name, len(got), len(calls))
		}
		for _, c := range calls {
			if selects := strings.Split(c.Query, "&"); strings.Contains(strings.Join(selects, " "), "body,") {
				t.Errorf("%s: asked for %s", name, c.Query)
			}
		}
	}
}

// What Graph cannot search for is looked for in a bounded number of mails. If that is too little, the owner is told,
// and it is never said that there is nothing.
func TestMoreMailThanCanBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.PageSize(1000)
	for i := range 3100 {
		w.box.Deliver("inbox", mailtest.Written(i, "al@example.com", fmt.Sprint("Mail ", i), "Hi").Content, nil)
	}
	q := mail.Query{Newsletter: new(true), Limit: 5}
	_, err := w.provider(t).List(t.Context(), mailtest.Owner(), q)
	if f := fault.As(err); err == nil || !strings.Contains(f.Message, "more mail than can be looked through") {
		t.Errorf("too many: %v", err)
	}
	q.Since = time.Date(2027, time.March, 1, 0, 0, 0, 0, time.UTC)
	if page, err := w.provider(t).List(t.Context(), mailtest.Owner(), q); err != nil || len(page.Mails) != 0 {
		t.Errorf("of some days: %+v, %v", page, err)
	}
}
