package mail_test

import (
	"slices"
	"testing"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/mail"
)

func TestAQueryMeansMails(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	m := mail.Mail{
		ID: "1", State: mail.State{Folder: mail.Inbox, Labels: []string{"Work"}}, Subject: "Offer for the Hall", Date: day,
		From: mail.Address{Name: "Al Chen", Email: "al@example.com"}, MessageID: "b@x", Thread: "a@x",
		To: []mail.Address{{Name: "Inês Prado", Email: "ines@example.org"}}, CC: []mail.Address{{Email: "sam@acme.example"}},
	}
	yes, no := new(true), new(false)
	for name, c := range map[string]struct {
		q    mail.Query
		want bool
	}{
		"everything":              {mail.Query{}, true},
		"its folder":              {mail.Query{Folders: []mail.Folder{mail.Inbox}}, true},
		"another folder":          {mail.Query{Folders: []mail.Folder{mail.Sent}}, false},
		"the sender's name":       {mail.Query{From: []string{"al"}}, true},
		"letters within a name":   {mail.Query{From: []string{"hen"}}, false},
		"another small word":      {mail.Query{From: []string{"mrs"}}, false},
		"the beginning of a name": {mail.Query{From: []string{"Exam"}}, true},
		"a short beginning":       {mail.Query{From: []string{"che"}}, false},
		"the sender's address":    {mail.Query{From: []string{"AL@example.com"}}, true},
		"another's address":       {mail.Query{From: []string{"l@example.com"}}, false},
		"one of several":          {mail.Query{From: []string{"dana", "Chen"}}, true},
		"a copy's domain":         {mail.Query{To: []string{"acme"}}, true},
		"the sender as recipient": {mail.Query{To: []string{"al"}}, false},
		"the subject's words":     {mail.Query{Subject: []string{"hall", "offer"}}, true},
		"a word of the text":      {mail.Query{Words: []string{"HALL", "price"}}, true},
		"a word that is not":      {mail.Query{Words: []string{"price", "lunch"}}, false},
		"unread":                  {mail.Query{Unread: yes}, true},
		"read":                    {mail.Query{Unread: no}, false},
		"starred":                 {mail.Query{Starred: yes}, false},
		"with attachments":        {mail.Query{Attachment: yes}, false},
		"a label":                 {mail.Query{Label: "work"}, true},
		"another label":           {mail.Query{Label: "home"}, false},
		"since then":              {mail.Query{Since: day}, true},
		"until then":              {mail.Query{Until: day}, false},
		"the thread":              {mail.Query{Thread: "a@x"}, true},
		"the identifier":          {mail.Query{MessageIDs: []string{"b@x"}}, true},
		"no ids":                  {mail.Query{IDs: []string{}}, false},
	} {
		if got := c.q.Fits(m, func() string { return "The price is 300." }); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	m.From = mail.Address{Name: "First Harbor Bank", Email: "no-reply@harborbank.example"}
	for who, want := range map[string]bool{
		"bank": true, "banco": true, "בנק": true, "harborbank": true, "banco harbor": true, "biblioteca": false,
	} {
		if got := (mail.Query{From: []string{who}}).Fits(m, nil); got != want {
			t.Errorf("mails from %s: %v", who, got)
		}
	}
	m.Folder = mail.Trash
	if (mail.Query{}).Fits(m, nil) || !(mail.Query{IDs: []string{"1"}}).Fits(m, nil) {
		t.Error("the trash is looked into if nobody asks, or a mail there is not found by its id")
	}
}

// A word in the plural looks for the singular too; a name or a short word stays as it is.
func TestPluralsAreLookedFor(t *testing.T) {
	t.Parallel()
	q, err := mail.Selection{Words: []string{"taxes invoices glass boxes news"}}.Query(agenda.Scene{})
	if want := []string{"tax", "invoice", "glass", "box", "news"}; err != nil || !slices.Equal(q.Words, want) {
		t.Errorf("%v, %q, want %q", err, q.Words, want)
	}
}

func TestAChangeOnWhatStandsNow(t *testing.T) {
	t.Parallel()
	state := func(f mail.Folder, read bool, labels ...string) mail.State {
		return mail.State{Folder: f, Read: read, Labels: labels}
	}
	a := mail.Amendment{From: state(mail.Inbox, false, "a"), To: state(mail.Archive, false, "b")}
	for name, c := range map[string]struct {
		now, want mail.State
		clash     bool
	}{
		"as read":         {state(mail.Inbox, false, "a"), state(mail.Archive, false, "b"), false},
		"read meanwhile":  {state(mail.Inbox, true, "a", "c"), state(mail.Archive, true, "c", "b"), false},
		"made before":     {state(mail.Archive, false, "b"), state(mail.Archive, false, "b"), false},
		"moved elsewhere": {state(mail.Trash, false, "a"), state(mail.Archive, false, "b"), true},
	} {
		got, clash := a.On(c.now)
		if !got.To.Same(c.want) || !got.From.Same(c.now) || clash != c.clash {
			t.Errorf("%s: %+v, clash %v", name, got.To, clash)
		}
	}
	if back := a.Back(); !back.From.Same(a.To) || !back.To.Same(a.From) {
		t.Errorf("the way back is %+v", back)
	}
}

// Only what asks to an event is an invitation, and what it is has to be read.
func TestInvitations(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for method, is := range map[string]bool{"request": true, "cancel": false, "": false} {
		m := mail.Mail{Invitation: method, State: mail.State{Folder: mail.Inbox}}
		text := func() string { return "" }
		if got := (mail.Query{Invitation: &yes}).Fits(m, text); got != is {
			t.Errorf("%q is an invitation: %v", method, got)
		}
		if got := (mail.Query{Invitation: &no}).Fits(m, text); got == is {
			t.Errorf("%q is none: %v", method, got)
		}
	}
	if (mail.Query{Invitation: &yes}).WithoutMail() {
		t.Error("a mail's state tells whether it is an invitation")
	}
}
