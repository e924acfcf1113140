package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/mail/gmail/gmailtest"
	"convene/pkg/meet"
)

// googleMailKeeper is a person's calendar and mail at Google.
type googleMailKeeper struct {
	*googleKeeper
	gmail *gmailtest.Server
	box   *gmailtest.Mailbox
	root  *httptest.Server
}

func newGoogleMailKeeper(t *testing.T, email string) *googleMailKeeper {
	t.Helper()
	k := &googleMailKeeper{googleKeeper: newGoogleKeeper(t, email), gmail: gmailtest.New(t)}
	k.box = k.gmail.User(email)
	accept, expire := k.oauth.accept, k.oauth.expire
	k.oauth.accept = func(token, email string) {
		accept(token, email)
		k.gmail.Accept(token, email)
	}
	k.oauth.expire = func(token string) {
		expire(token)
		k.gmail.Expire(token)
	}
	mux := http.NewServeMux()
	for path, server := range map[string]string{"/": k.door.URL, "/gmail/": k.gmail.URL, "/upload/": k.gmail.URL} {
		at, err := url.Parse(server)
		if err != nil {
			t.Fatal(err)
		}
		mux.Handle(path, httputil.NewSingleHostReverseProxy(at))
	}
	k.root = httptest.NewServer(mux)
	t.Cleanup(k.root.Close)
	return k
}

func (k *googleMailKeeper) settings() []string {
	return []string{
		"--google-client-id=client-1", "--google-client-secret=" + clientSecret, "--google-endpoint=" + k.root.URL,
		"--google-oauth-url=" + k.oauth.URL, "--mail-hold=0s",
	}
}

// connectMail connects the mailbox in a browser, in which its owner is signed in, and returns its refresh token.
func (k *googleMailKeeper) connectMail(w *town, person string) (token string) {
	w.Helper()
	before := maps.Clone(k.oauth.owners)
	status, page := w.visit(publicURL + "/v1/people/" + person + "/mail/google/connect")
	if status != http.StatusOK || !strings.Contains(page, "The mailbox is connected") {
		w.Fatalf("connecting mail: %d %s", status, page)
	}
	for refresh := range k.oauth.owners {
		if _, known := before[refresh]; !known {
			token = refresh
		}
	}
	return token
}

// takeBack has the owner take back what one token lets Convene do.
func (k *googleMailKeeper) takeBack(token string) {
	k.oauth.mu.Lock()
	defer k.oauth.mu.Unlock()
	delete(k.oauth.owners, token)
	k.gmail.Expire(k.oauth.access[k.email]) // the one that was issued last, to mail
}

// boxes are the connected mailboxes as they are listed, each as its provider, state and problem.
func boxes(t *testing.T, server string) (ids, states []string) {
	t.Helper()
	var list struct {
		Accounts []struct{ ID, Provider, State, Problem string }
	}
	request(t, "GET "+server+"/v1/people/me/mail/accounts", "", http.StatusOK, &list)
	for _, a := range list.Accounts {
		ids, states = append(ids, a.ID), append(states, strings.TrimSpace(a.Provider+" "+a.State+" "+a.Problem))
	}
	return ids, states
}

func titled(list []sentMail) []string { return append([]string{}, subjectsOf(list)...) }

// A person connects Gmail beside the calendar, with a consent of its own: its mail takes the place of what was given,
// is filed, and sent once. A letter whose answer is lost is found among the sent ones, and not sent again. A mailbox
// whose access was taken back says so, while the calendar goes on, and is disconnected without ending that.
func TestAMailboxAtGmail(t *testing.T) {
	t.Parallel()
	k := newGoogleMailKeeper(t, morgansAddress)
	w := newTown(t, k, newLocalKeeper())
	k.connect(w, morgan, "write")
	mails := k.connectMail(w, morgan)
	if asked := k.oauth.asked; len(asked) < 2 || strings.Contains(asked[0], "mail") ||
		asked[len(asked)-1] != "https://www.googleapis.com/auth/gmail.modify" {
		t.Fatalf("asked for %q", asked)
	}
	id := k.box.Put(letterFile("1", "Al Chen <al@example.com>", "Lease", "Please sign it."), "INBOX", "UNREAD")
	if diff := cmp.Diff([]string{"Lease"}, titled(mailOf(t, w.url, morgan, "inbox"))); diff != "" {
		t.Fatal(diff)
	}
	filed := callTool(t, w.url, "email_archiveBatch", `{"selection":{"from":["al"]}}`)
	if filed.Applied == nil || len(k.box.With("INBOX")) != 0 {
		t.Fatalf("not archived: %+v", filed)
	}
	request(t, "POST "+w.url+"/v1/changes/"+filed.Changes.ID+"/undo", "", http.StatusOK, nil)
	if diff := cmp.Diff([]string{"Lease"}, k.box.With("INBOX")); diff != "" {
		t.Error(diff)
	}

	for i, lose := range []func(){
		func() {}, func() { k.gmail.Lose(1, "POST", "/messages/send", gmailtest.Cut()) },
	} {
		lose()
		reply := callTool(t, w.url, "email_compose", `{"kind":"reply","emailId":"`+id+`","body":"Done."}`)
		settle(t, w.url, reply)
		await(t, "the mail is sent", func() bool {
			outcome := changesNow(t, w.url, reply.Changes.ID).Changes[0].Outcome
			return outcome == meet.ChangeDone
		})
		if n := len(k.box.With("SENT")); n != i+1 || k.gmail.Count("POST messages/send") != i+1 {
			t.Errorf("%d letters stand among the sent ones after %d", n, i+1)
		}
	}
	if threads := k.box.Threads(); len(slices.Compact(threads)) != 1 {
		t.Errorf("the letters are in the threads %v", threads)
	}

	k.takeBack(mails)
	w.open(later)
	var problem struct{ Detail string }
	request(t, "GET "+w.url+"/v1/people/me/mail", "", http.StatusServiceUnavailable, &problem)
	if !strings.Contains(problem.Detail, "reconnect the Gmail mailbox") {
		t.Errorf("said: %s", problem.Detail)
	}
	check(t, step{wants: []string{"candidates.calendars.0.provider = google", "candidates.calendars.0.state = checked"}},
		[]any{w.conversation("after").take(step{kind: "say", body: "video call with Al on Wednesday"})})
	for _, c := range w.connected(morgan) {
		if c.State != "connected" || c.Provider != "google" {
			t.Errorf("the calendar is %+v", c)
		}
	}
	ids, states := boxes(t, w.url)
	if diff := cmp.Diff([]string{"gmail problem reconnect the Gmail mailbox"}, states); diff != "" {
		t.Fatal(diff)
	}
	request(t, "DELETE "+w.url+"/v1/people/me/mail/accounts/"+ids[0], "", http.StatusNoContent, nil)
	if _, revoked := k.oauth.standing(); len(revoked) != 0 {
		t.Errorf("disconnecting mail revoked what the calendar needs: %v", revoked)
	}
	_, answer := w.send(http.MethodGet, publicURL+"/v1/people/me/calendars", "")
	if !json.Valid([]byte(answer)) || !strings.Contains(answer, `"state":"connected"`) {
		t.Errorf("the calendar after that: %s", answer)
	}
	w.wantSealed()
}
