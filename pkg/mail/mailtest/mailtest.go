// Package mailtest is the suite that every mail.Provider passes.
package mailtest

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// Given is a mail of a mailbox, as it was sent.
type Given struct {
	mail.State
	Content string
}

// Opener opens a provider at which the owner has these mails, and no others. Those without a date came when they were
// written.
type Opener func(t *testing.T, owner meet.Person, mails ...Given) mail.Provider

// Owner is whose mails the suite reads and changes.
func Owner() meet.Person {
	return meet.Person{ID: "dana", Name: "Dana Levi", Email: "dana@example.com", Timezone: "Europe/Berlin"}
}

// first is when the first mail of the suite came.
var first = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

// Written is a mail that came n hours after the first one, with further header fields before its text. A text that
// begins with a field has a header of its own.
func Written(n int, from, subject, text string, fields ...string) Given {
	head := []string{
		"From: " + from, "To: Dana Levi <dana@example.com>", "Subject: " + subject,
		"Date: " + first.Add(time.Duration(n)*time.Hour).Format(time.RFC1123Z),
		fmt.Sprintf("Message-ID: <%d@example.org>", n),
	}
	content := strings.Join(append(head, fields...), "\r\n") + "\r\n\r\n" + text + "\r\n"
	return Given{State: mail.State{Folder: mail.Inbox}, Content: content}
}

// in is the mail in another state.
func (g Given) in(s mail.State) Given {
	g.State = s
	return g
}

// Run runs the suite.
func Run(t *testing.T, open Opener) {
	t.Helper()
	s := suite{open}
	for name, test := range map[string]func(*testing.T){
		"empty": s.empty, "listing": s.listing, "paging": s.paging, "queries": s.queries, "opening": s.opening,
		"states": s.states, "repeats": s.repeats, "stale": s.stale, "others": s.others, "missing": s.missing,
		"strangers": s.strangers, "adding": s.adding,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

type suite struct{ open Opener }

func (s suite) empty(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner())
	if page := list(t, p, mail.Query{}); len(page.Mails) != 0 || page.More || page.Total > 0 || p.Name() == "" {
		t.Errorf("an empty mailbox of %q lists %+v", p.Name(), page)
	}
	folders, err := p.Folders(t.Context(), Owner())
	for _, f := range mail.Purposes() {
		if !slices.Contains(folders, f) {
			t.Errorf("the folders are %v, %v: %s is missing", folders, err, f)
		}
	}
}

// A listed mail says what its header and its beginning say, and where it stands.
func (s suite) listing(t *testing.T) {
	t.Helper()
	parts := "--b\r\n\r\nSee the plan.\r\n\r\nOn 1 Nov 2026 Al wrote:\r\n> Where?\r\n--b\r\n" +
		"Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\r\nxyz\r\n--b--"
	p := s.open(t, Owner(),
		Written(0, "=?utf-8?q?In=C3=AAs?= <ines@example.org>", "=?utf-8?b?16nXnNeV150=?=", parts, "Cc: al@example.com",
			"In-Reply-To: <q@example.org>", "List-Id: <x.example.org>", "MIME-Version: 1.0",
			"Content-Type: multipart/mixed; boundary=b"),
		Written(1, "al@example.com", "Later", "Hi", "Auto-Submitted: auto-replied").
			in(mail.State{Folder: mail.Sent, Read: true, Starred: true}))
	page := list(t, p, mail.Query{})
	if len(page.Mails) != 2 || page.More {
		t.Fatalf("listed: %+v", page)
	}
	for i := range page.Mails {
		page.Mails[i] = page.Mails[i].Listed()
		if page.Mails[i].ID == "" || page.Mails[i].Provider != p.Name() {
			t.Errorf("mail %d has the id %q of %q", i, page.Mails[i].ID, page.Mails[i].Provider)
		}
		page.Mails[i].ID, page.Mails[i].Provider = "", ""
	}
	dana := []mail.Address{{Name: "Dana Levi", Email: "dana@example.com"}}
	want := []mail.Mail{
		mail.Mail{
			State: mail.State{Folder: mail.Sent, Read: true, Starred: true}, From: mail.Address{Email: "al@example.com"},
			To: dana, Subject: "Later", Date: first.Add(time.Hour), Preview: "Hi", MessageID: "1@example.org",
			Thread: "1@example.org", Signs: mail.Signs{Automatic: true},
		}.Listed(),
		mail.Mail{
			State: mail.State{Folder: mail.Inbox}, From: mail.Address{Name: "Inês", Email: "ines@example.org"}, To: dana,
			CC: []mail.Address{{Email: "al@example.com"}}, Subject: "שלום", Date: first, Preview: "See the plan.",
			HasAttachments: true, MessageID: "0@example.org", InReplyTo: "q@example.org", Thread: "q@example.org",
			Signs: mail.Signs{List: true},
		}.Listed(),
	}
	if diff := cmp.Diff(want, page.Mails, cmp.Comparer(time.Time.Equal)); diff != "" {
		t.Error(diff)
	}
}

// Pages have each mail once, in the same order, also those of one time.
func (s suite) paging(t *testing.T) {
	t.Helper()
	var mails []Given
	for i := range 23 {
		mails = append(mails, Written(i/3, "al@example.com", fmt.Sprint("Mail ", i), "Hi"))
	}
	p := s.open(t, Owner(), mails...)
	whole := list(t, p, mail.Query{})
	if len(whole.Mails) != len(mails) || whole.More || !slices.IsSortedFunc(whole.Mails, mail.Compare) {
		t.Fatalf("%d mails in order %v, more %v", len(whole.Mails), subjects(whole.Mails), whole.More)
	}
	var paged []mail.Mail
	for q := (mail.Query{Limit: 5}); ; q.After = mail.MarkOf(paged[len(paged)-1]) {
		page := list(t, p, q)
		paged = append(paged, page.Mails...)
		if len(page.Mails) > q.Limit || len(paged) > len(mails) || page.More != (len(paged) < len(mails)) {
			t.Fatalf("a page of %d mails after %d, more %v", len(page.Mails), len(paged), page.More)
		}
		if page.Total >= 0 && page.Total != len(mails) {
			t.Errorf("%d in total", page.Total)
		}
		if !page.More {
			break
		}
	}
	if diff := cmp.Diff(subjects(whole.Mails), subjects(paged)); diff != "" {
		t.Error(diff)
	}
}

func (s suite) queries(t *testing.T) {
	t.Helper()
	yes := new(true)
	p := s.open(t, Owner(),
		Written(0, "Al Chen <al@example.com>", "Offer", "The hall is free. Café, and שלום to all."),
		Written(1, "Shop <news@shop.example>", "Autumn sale", "Ten off").in(mail.State{Folder: mail.Inbox, Read: true}),
		Written(2, "dana@example.com", "Re: Offer", "Fine", "References: <0@example.org>").
			in(mail.State{Folder: mail.Sent, Read: true}),
		Written(3, "Al Chen <al@example.com>", "Receipt", "300").in(mail.State{Folder: "Clients/Acme", Starred: true}),
		Written(4, "junk@example.net", "Win", "Now").in(mail.State{Folder: mail.Junk}),
		Written(5, "Al Chen <al@example.com>", "Old", "Gone").in(mail.State{Folder: mail.Trash, Read: true}),
	)
	all := list(t, p, mail.Query{Folders: append(mail.Purposes(), "Clients/Acme")}).Mails
	if len(all) != 6 {
		t.Fatalf("the mailbox has %v", subjects(all))
	}
	for name, c := range map[string]struct {
		q    mail.Query
		want []string
	}{
		"everywhere":     {mail.Query{}, []string{"Receipt", "Re: Offer", "Autumn sale", "Offer"}},
		"a folder":       {mail.Query{Folders: []mail.Folder{mail.Inbox}}, []string{"Autumn sale", "Offer"}},
		"another folder": {mail.Query{Folders: []mail.Folder{"Clients/Acme"}}, []string{"Receipt"}},
		"two folders":    {mail.Query{Folders: []mail.Folder{mail.Trash, mail.Junk}}, []string{"Old", "Win"}},
		"no such folder": {mail.Query{Folders: []mail.Folder{"Nothing"}}, nil},
		"unread":         {mail.Query{Unread: yes}, []string{"Receipt", "Offer"}},
		"starred":        {mail.Query{Starred: yes}, []string{"Receipt"}},
		"a sender":       {mail.Query{From: []string{"al chen"}}, []string{"Receipt", "Offer"}},
		"an address":     {mail.Query{From: []string{"news@shop.example"}}, []string{"Autumn sale"}},
		"a subject":      {mail.Query{Subject: []string{"offer"}}, []string{"Re: Offer", "Offer"}},
		"words":          {mail.Query{Words: []string{"HALL", "free"}}, []string{"Offer"}},
		"other letters":  {mail.Query{Words: []string{"CAFÉ", "שלום"}}, []string{"Offer"}},
		"words of two":   {mail.Query{Words: []string{"offer", "sale"}}, nil},
		"since":          {mail.Query{Since: first.Add(2 * time.Hour)}, []string{"Receipt", "Re: Offer"}},
		"until":          {mail.Query{Until: first.Add(2 * time.Hour)}, []string{"Autumn sale", "Offer"}},
		"a thread":       {mail.Query{Thread: "0@example.org"}, []string{"Re: Offer", "Offer"}},
		"an identifier":  {mail.Query{MessageIDs: []string{"3@example.org"}}, []string{"Receipt"}},
		"ids anywhere":   {mail.Query{IDs: []string{all[0].ID, all[5].ID, "none"}}, []string{"Old", "Offer"}},
		"no ids":         {mail.Query{IDs: []string{}}, nil},
		"attachments":    {mail.Query{Attachment: yes}, nil},
		"invitations":    {mail.Query{Invitation: yes}, nil},
	} {
		page := list(t, p, c.q)
		if diff := cmp.Diff(c.want, subjects(page.Mails)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if page.Total >= 0 && page.Total != len(c.want) {
			t.Errorf("%s: %d in total", name, page.Total)
		}
	}
}

// A mail's content is as it was sent, and reading it changes nothing.
func (s suite) opening(t *testing.T) {
	t.Helper()
	given := Written(0, "al@example.com", "Offer", "The hall is free.\r\n\r\nAl")
	p := s.open(t, Owner(), given)
	m := list(t, p, mail.Query{}).Mails[0]
	opened, content, err := p.Open(t.Context(), Owner(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(content)
	if err := errors.Join(err, content.Close()); err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(raw), "\r\n", "\n") != strings.ReplaceAll(given.Content, "\r\n", "\n") {
		t.Errorf("content: %q", raw)
	}
	if opened.ID != m.ID || opened.Subject != m.Subject || opened.Read || list(t, p, mail.Query{}).Mails[0].Read {
		t.Errorf("opened: %+v", opened)
	}
}

// Each member of a state is set alone, and taken back; the id lasts.
func (s suite) states(t *testing.T) {
	t.Helper()
	for _, to := range []mail.State{
		{Folder: mail.Inbox, Read: true},
		{Folder: mail.Inbox, Starred: true},
		{Folder: mail.Inbox, Labels: []string{"To pay", "חשוב"}},
		{Folder: mail.Archive},
		{Folder: mail.Trash},
		{Folder: mail.Junk, Read: true},
		{Folder: "Clients/Acme & Söhne"},
		{Folder: "לקוחות"},
	} {
		p := s.open(t, Owner(), Written(0, "al@example.com", "Offer", "Hi"), Written(1, "al@example.com", "Other", "Hi"))
		m := find(t, p, "Offer")
		a := mail.Amendment{Key: "k", ID: m.ID, Provider: p.Name(), From: m.State, To: to}
		for _, a := range []mail.Amendment{a, a.Back()} {
			got, err := p.Apply(t.Context(), Owner(), a)
			if err != nil || !got.Same(a.To) {
				t.Fatalf("to %+v: %+v, %v", a.To, got, err)
			}
			if now := byID(t, p, m.ID); !now.Same(a.To) || now.Subject != "Offer" || !find(t, p, "Other").Same(m.State) {
				t.Errorf("to %+v: the mail is in %+v", a.To, now.State)
			}
		}
	}
}

func (s suite) repeats(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), Written(0, "al@example.com", "Offer", "Hi"))
	m := find(t, p, "Offer")
	a := mail.Amendment{Key: "k", ID: m.ID, Provider: p.Name(), From: m.State, To: mail.State{Folder: mail.Archive}}
	for range 3 {
		if got, err := p.Apply(t.Context(), Owner(), a); err != nil || !got.Same(a.To) {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if all := list(t, p, mail.Query{}).Mails; len(all) != 1 || all[0].Folder != mail.Archive {
		t.Errorf("after repeats: %+v", all)
	}
}

// A mail that was moved elsewhere stays there.
func (s suite) stale(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), Written(0, "al@example.com", "Offer", "Hi"))
	m := find(t, p, "Offer")
	to := func(f mail.Folder) error {
		_, err := p.Apply(t.Context(), Owner(), mail.Amendment{
			Key: string(f), ID: m.ID, Provider: p.Name(), From: m.State, To: mail.State{Folder: f},
		})
		return err
	}
	if err := to("Clients"); err != nil {
		t.Fatal(err)
	}
	if err := to(mail.Trash); fault.CodeOf(err) != mail.ChangedCode || byID(t, p, m.ID).Folder != "Clients" {
		t.Errorf("the mail is in %s, %v; want a refusal", byID(t, p, m.ID).Folder, err)
	}
}

// What a change does not set stays as others left it.
func (s suite) others(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), Written(0, "al@example.com", "Offer", "Hi"))
	m := find(t, p, "Offer")
	steps := []struct{ to, want mail.State }{
		{mail.State{Folder: mail.Inbox, Read: true}, mail.State{Folder: mail.Inbox, Read: true}},
		{
			mail.State{Folder: mail.Inbox, Labels: []string{"A"}},
			mail.State{Folder: mail.Inbox, Read: true, Labels: []string{"A"}},
		},
		{mail.State{Folder: mail.Archive}, mail.State{Folder: mail.Archive, Read: true, Labels: []string{"A"}}},
		{
			mail.State{Folder: mail.Inbox, Starred: true, Labels: []string{"B"}},
			mail.State{Folder: mail.Archive, Read: true, Starred: true, Labels: []string{"A", "B"}},
		},
	}
	for i, step := range steps {
		a := mail.Amendment{Key: fmt.Sprint(i), ID: m.ID, Provider: p.Name(), From: m.State, To: step.to}
		if got, err := p.Apply(t.Context(), Owner(), a); err != nil || !got.Same(step.want) {
			t.Errorf("step %d: %+v, %v; want %+v", i, got, err, step.want)
		}
	}
}

func (s suite) missing(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), Written(0, "al@example.com", "Offer", "Hi"))
	for _, id := range []string{"none", "", "../x", "a/b"} {
		if _, content, err := p.Open(t.Context(), Owner(), id); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("Open(%q) = %v, %v", id, content, err)
		}
		a := mail.Amendment{Key: "k", ID: id, From: mail.State{Folder: mail.Inbox}, To: mail.State{Folder: mail.Trash}}
		if _, err := p.Apply(t.Context(), Owner(), a); fault.CodeOf(err) != mail.ChangedCode {
			t.Errorf("Apply to %q: %v", id, err)
		}
	}
}

// A provider that takes mails in adds each once to a folder, as it was sent.
func (s suite) adding(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), Written(0, "al@example.com", "Offer", "Hi"))
	keeper, ok := p.(mail.Keeper)
	if !ok {
		return
	}
	sent := Written(1, "dana@example.com", "Re: Offer", "Fine").in(mail.State{Folder: mail.Sent, Read: true})
	for range 3 {
		if _, err := keeper.Add(t.Context(), Owner(), []byte(sent.Content), sent.State); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := keeper.Add(t.Context(), Owner(), []byte(sent.Content), mail.State{Folder: mail.Inbox}); err != nil {
		t.Fatal(err)
	}
	for folder, read := range map[mail.Folder]bool{mail.Sent: true, mail.Inbox: false} {
		q := mail.Query{Folders: []mail.Folder{folder}, MessageIDs: []string{"1@example.org"}}
		page := list(t, p, q)
		if len(page.Mails) != 1 || page.Mails[0].Read != read || page.Mails[0].Subject != "Re: Offer" ||
			!page.Mails[0].Date.Equal(first.Add(time.Hour)) {
			t.Errorf("%s has %+v", folder, page.Mails)
		}
	}
	m := list(t, p, mail.Query{Folders: []mail.Folder{mail.Sent}}).Mails[0]
	a := mail.Amendment{Key: "k", ID: m.ID, Provider: p.Name(), From: m.State, To: m.State}
	a.To.Folder = mail.Trash
	if _, err := p.Apply(t.Context(), Owner(), a); err != nil || byID(t, p, m.ID).Folder != mail.Trash {
		t.Errorf("an added mail cannot be moved: %v", err)
	}
	stranger := meet.Person{ID: "eve", Name: "Eve", Email: "eve@example.com"}
	_, err := keeper.Add(t.Context(), stranger, []byte(sent.Content), sent.State)
	if !errors.Is(err, mail.ErrNotConnected) {
		t.Errorf("Add to nobody's mailbox: %v", err)
	}
}

// A person without a mailbox, and one of the same id in another tenant, see nothing.
func (s suite) strangers(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), Written(0, "al@example.com", "Offer", "Hi"))
	id := find(t, p, "Offer").ID
	stranger := meet.Person{ID: "eve", Name: "Eve", Email: "eve@example.com"}
	_, listed := p.List(t.Context(), stranger, mail.Query{})
	_, _, opened := p.Open(t.Context(), stranger, id)
	_, foldered := p.Folders(t.Context(), stranger)
	_, applied := p.Apply(t.Context(), stranger, mail.Amendment{ID: id, To: mail.State{Folder: mail.Trash}})
	_, elsewhere := p.List(meet.InTenant(t.Context(), "other"), Owner(), mail.Query{})
	for name, err := range map[string]error{
		"List": listed, "Open": opened, "Folders": foldered, "Apply": applied, "List in another tenant": elsewhere,
	} {
		if !errors.Is(err, mail.ErrNotConnected) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func list(t *testing.T, p mail.Provider, q mail.Query) mail.Page {
	t.Helper()
	page, err := p.List(t.Context(), Owner(), q)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func find(t *testing.T, p mail.Provider, subject string) mail.Mail {
	t.Helper()
	all := list(t, p, mail.Query{}).Mails
	i := slices.IndexFunc(all, func(m mail.Mail) bool { return m.Subject == subject })
	if i < 0 {
		t.Fatalf("there is no %q among %v", subject, subjects(all))
	}
	return all[i]
}

func byID(t *testing.T, p mail.Provider, id string) mail.Mail {
	t.Helper()
	all := list(t, p, mail.Query{IDs: []string{id}}).Mails
	if len(all) != 1 {
		t.Fatalf("%d mails have the id %s", len(all), id)
	}
	return all[0]
}

func subjects(mails []mail.Mail) (list []string) {
	for _, m := range mails {
		list = append(list, m.Subject)
	}
	return list
}
