package account_test

import (
	"strings"
	"testing"
	"time"

	"convene/pkg/account"
	"convene/pkg/fault"
)

// Mail at Google has a consent of its own: it is not asked for with calendars, nor calendars with it. Of the two
// accounts each can be disconnected without ending the other; the last one takes the grant with it.
func TestGmailIsConnectedByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	request := account.Request{Person: "al", Provider: account.Gmail, Access: account.Write, Browser: browser}
	connect := func() account.Account {
		w.found.calendars = nil
		return w.connectTo(r, request)
	}
	calendar := w.connect(r, account.Write)
	if strings.Contains(w.authority.asked.Get("scope"), "mail") {
		t.Errorf("the calendar asks for %q", w.authority.asked.Get("scope"))
	}
	box := connect()
	if got := w.authority.asked; got.Get("scope") != "https://www.googleapis.com/auth/gmail.modify" ||
		got.Has("include_granted_scopes") {
		t.Errorf("asked for %v", got)
	}
	if box.ID == calendar.ID || box.Provider != account.Gmail || len(box.Calendars) > 0 || box.Access != account.Write {
		t.Errorf("the mailbox is %+v", box)
	}
	w.authority.tell(func(a *authority) { a.grants = "openid" })
	_, err := r.connector.Finish(w.ctx(), w.visit(must(r.connector.Begin(w.ctx(), request))(t), browser))
	if fault.CodeOf(err) != fault.Cancelled || !strings.Contains(err.Error(), "your mail") ||
		len(w.authority.revoked) > 0 {
		t.Errorf("without the scope: %v, revoked %v", err, w.authority.revoked)
	}
	w.authority.tell(func(a *authority) { a.grants = "" })
	for i, a := range []account.Account{box, calendar} {
		if err := r.Remove(w.ctx(), "al", a.ID); err != nil || len(w.authority.revoked) != i {
			t.Errorf("without the %s %s: %v, revoked %v", a.Provider.Title(), a.Provider.Thing(), err, w.authority.revoked)
		}
	}
	box = connect()
	w.authority.tell(func(a *authority) { clear(a.valid) })
	w.wait(time.Hour)
	if _, err := r.Credential(w.ctx(), box.ID); fault.As(err).Message != "reconnect the Gmail mailbox" {
		t.Errorf("a grant that is gone: %v", err)
	}
}

// Mail at Microsoft has a consent of its own, too: its scopes are all that mail needs, and both of them are needed.
func TestOutlookIsConnectedByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	w.found.calendars = nil
	request := account.Request{Person: "al", Provider: account.Outlook, Access: account.Write, Browser: browser}
	box := w.connectTo(r, request)
	if got, want := w.authority.asked.Get("scope"), "offline_access User.Read Mail.ReadWrite Mail.Send"; got != want {
		t.Errorf("asked for %q, want %q", got, want)
	}
	if box.Provider != account.Outlook || box.Access != account.Write || len(box.Calendars) > 0 {
		t.Errorf("the mailbox is %+v", box)
	}
	w.authority.tell(func(a *authority) { a.grants = "User.Read Mail.ReadWrite" })
	_, err := r.connector.Finish(w.ctx(), w.visit(must(r.connector.Begin(w.ctx(), request))(t), browser))
	if fault.CodeOf(err) != fault.Cancelled || !strings.Contains(err.Error(), "your mail") {
		t.Errorf("without a scope: %v", err)
	}
	w.authority.tell(func(a *authority) {
		a.grants = ""
		clear(a.valid)
	})
	w.wait(2 * time.Hour)
	if _, err := r.Credential(w.ctx(), box.ID); fault.As(err).Message != "reconnect the Outlook mailbox" {
		t.Errorf("a grant that is gone: %v", err)
	}
}
