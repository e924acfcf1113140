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
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account/google/gatetest"
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

func (k *googleMailKeeper) authority() *authority { return k.oauth }

func (k *googleMailKeeper) deliver(content string) string {
	return k.box.Put(content, "INBOX", "UNREAD")
}

func (k *googleMailKeeper) inbox() []string { return k.box.With("INBOX") }

func (k *googleMailKeeper) sent() []string { return k.box.With("SENT") }

func (k *googleMailKeeper) threads() []string { return k.box.Threads() }

func (k *googleMailKeeper) timesAsked() int { return k.gmail.Count("POST messages/send") }

func (k *googleMailKeeper) lose() { k.gmail.Lose(1, "POST", "/messages/send", gatetest.Cut()) }

func (k *googleMailKeeper) refuse(token string) { k.gmail.Expire(token) }

// microsoftMailKeeper is a person's calendar and mail at Microsoft.
type microsoftMailKeeper struct {
	*microsoftKeeper
	asked atomic.Int64
}

func newMicrosoftMailKeeper(t *testing.T, email string) *microsoftMailKeeper {
	t.Helper()
	k := &microsoftMailKeeper{microsoftKeeper: newMicrosoftKeeper(t, email)}
	k.Before(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/send") {
			k.asked.Add(1)
		}
		return false
	})
	return k
}

func (k *microsoftMailKeeper) settings() []string {
	return append(k.microsoftKeeper.settings(), "--mail-hold=0s")
}

func (k *microsoftMailKeeper) authority() *authority { return k.oauth }

func (k *microsoftMailKeeper) deliver(content string) string {
	return k.box.Deliver("inbox", content, nil)
}

func (k *microsoftMailKeeper) inbox() []string { return k.box.Subjects("inbox") }

func (k *microsoftMailKeeper) sent() []string { return k.box.Subjects("sentitems") }

func (k *microsoftMailKeeper) threads() []string { return k.box.Conversations() }

func (k *microsoftMailKeeper) timesAsked() int { return int(k.asked.Load()) }

func (k *microsoftMailKeeper) lose() {
	var once sync.Once
	k.After(func(rw http.ResponseWriter, r *http.Request) (lost bool) {
		if strings.HasSuffix(r.URL.Path, "/send") {
			once.Do(func() {
				gatetest.Cut()(rw, r)
				lost = true
			})
		}
		return lost
	})
}

func (k *microsoftMailKeeper) refuse(token string) { k.box.Refuse(token) }

// mailKeeper is a person's calendar and mail at one provider.
type mailKeeper interface {
	keeper
	postbox
	// timesAsked is how often the provider was asked to send a mail, and lose loses the next answer to that.
	timesAsked() int
	lose()
	granting
}

// granting is a provider that grants access, and can take a token for worthless.
type granting interface {
	authority() *authority
	refuse(token string)
}

// postbox is a person's mail.
type postbox interface {
	// deliver puts a mail into the inbox, and returns its id.
	deliver(content string) (id string)
	inbox() (subjects []string)
	sent() (subjects []string)
	threads() []string
}

// connectMail connects the mailbox in a browser, in which its owner is signed in, and returns its refresh token.
func connectMail(w *town, k mailKeeper, provider, person string) (token string) {
	w.Helper()
	before := maps.Clone(k.authority().owners)
	status, page := w.visit(publicURL + "/v1/people/" + person + "/mail/" + provider + "/connect")
	if status != http.StatusOK || !strings.Contains(page, "The mailbox is connected") {
		w.Fatalf("connecting mail: %d %s", status, page)
	}
	for refresh := range k.authority().owners {
		if _, known := before[refresh]; !known {
			token = refresh
		}
	}
	return token
}

// takeBack has the owner take back what one token lets Convene do.
func takeBack(k mailKeeper, token string) {
	a := k.authority()
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.owners, token)
	k.refuse(a.access[morgansAddress]) // the one that was issued last, to mail
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

// A person connects a mailbox beside the calendar, with a consent of its own: its mail takes the place of what was
// given, is filed, and sent once. A letter whose answer is lost is found among the sent ones, and not sent again. A
// mailbox whose access was taken back says so, while the calendar goes on, and is disconnected without ending that.
func TestAMailboxOfAnAccount(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		open            func(*testing.T) mailKeeper
		provider, scope string
	}{
		"gmail": {func(t *testing.T) mailKeeper { t.Helper(); return newGoogleMailKeeper(t, morgansAddress) }, "google",
			"https://www.googleapis.com/auth/gmail.modify"},
		"outlook": {func(t *testing.T) mailKeeper { t.Helper(); return newMicrosoftMailKeeper(t, morgansAddress) },
			"microsoft", "offline_access User.Read Mail.ReadWrite Mail.Send"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testMailbox(t, tt.open(t), name, tt.provider, tt.scope)
		})
	}
}

func testMailbox(t *testing.T, k mailKeeper, name, provider, scope string) {
	t.Helper()
	w := newTown(t, k, newLocalKeeper())
	k.connect(w, morgan, "write")
	mails := connectMail(w, k, provider, morgan)
	if asked := k.authority().asked; len(asked) < 2 || strings.Contains(asked[0], "mail") || asked[len(asked)-1] != scope {
		t.Fatalf("asked for %q", asked)
	}
	id := k.deliver(letterFile("1", "Al Chen <al@example.com>", "Lease", "Please sign it."))
	if diff := cmp.Diff([]string{"Lease"}, titled(mailOf(t, w.url, morgan, "inbox"))); diff != "" {
		t.Fatal(diff)
	}
	filed := callTool(t, w.url, "email_archiveBatch", `{"selection":{"from":["al"]}}`)
	if filed.Applied == nil || len(k.inbox()) != 0 {
		t.Fatalf("not archived: %+v", filed)
	}
	request(t, "POST "+w.url+"/v1/changes/"+filed.Changes.ID+"/undo", "", http.StatusOK, nil)
	if diff := cmp.Diff([]string{"Lease"}, k.inbox()); diff != "" {
		t.Error(diff)
	}

	for i, lose := range []func(){func() {}, k.lose} {
		lose()
		reply := callTool(t, w.url, "email_compose", `{"kind":"reply","emailId":"`+id+`","body":"Done."}`)
		settle(t, w.url, reply)
		await(t, "the mail is sent", func() bool {
			outcome := changesNow(t, w.url, reply.Changes.ID).Changes[0].Outcome
			return outcome == meet.ChangeDone
		})
		if n := len(k.sent()); n != i+1 || k.timesAsked() != i+1 {
			t.Errorf("%d letters stand among the sent ones after %d", n, i+1)
		}
	}
	if threads := k.threads(); len(slices.Compact(threads)) != 1 {
		t.Errorf("the letters are in the threads %v", threads)
	}

	takeBack(k, mails)
	reconnect := "reconnect the " + strings.ToUpper(name[:1]) + name[1:] + " mailbox"
	w.open(later)
	var problem struct{ Detail string }
	request(t, "GET "+w.url+"/v1/people/me/mail", "", http.StatusServiceUnavailable, &problem)
	if !strings.Contains(problem.Detail, reconnect) {
		t.Errorf("said: %s", problem.Detail)
	}
	const calendar = "candidates.calendars.0."
	check(t, step{wants: []string{calendar + "provider = " + provider, calendar + "state = checked"}},
		[]any{w.conversation("after").take(step{kind: "say", body: "video call with Al on Wednesday"})})
	for _, c := range w.connected(morgan) {
		if c.State != "connected" || c.Provider != provider {
			t.Errorf("the calendar is %+v", c)
		}
	}
	ids, states := boxes(t, w.url)
	if diff := cmp.Diff([]string{name + " problem " + reconnect}, states); diff != "" {
		t.Fatal(diff)
	}
	request(t, "DELETE "+w.url+"/v1/people/me/mail/accounts/"+ids[0], "", http.StatusNoContent, nil)
	if _, revoked := k.authority().standing(); len(revoked) != 0 {
		t.Errorf("disconnecting mail revoked what the calendar needs: %v", revoked)
	}
	_, answer := w.send(http.MethodGet, publicURL+"/v1/people/me/calendars", "")
	if !json.Valid([]byte(answer)) || !strings.Contains(answer, `"state":"connected"`) {
		t.Errorf("the calendar after that: %s", answer)
	}
	w.wantSealed()
}
