package account_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/rs/zerolog"

	"convene/pkg/account"
	"convene/pkg/redisstore"
)

const (
	callback     = "http://localhost:8080/v1/oauth/callback"
	clientSecret = "client-secret-s3cr3t"
)

// authority is a provider of OAuth: it checks what it is sent, as Google and Microsoft do, and counts.
type authority struct {
	*httptest.Server
	t *testing.T

	mu sync.Mutex
	// asked is what the last person was asked.
	asked url.Values
	codes map[string]url.Values
	// valid are the refresh tokens that are taken.
	valid    map[string]bool
	issued   int
	renewals int
	revoked  []string
	// What it is told to do: to replace refresh tokens, to give none without explicit consent, to grant other scopes, to
	// answer something else, and to say no.
	rotates, shy bool
	grants       string
	lifetime     int
	fail         func(w http.ResponseWriter, form url.Values) bool
	declines     string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, codes: map[string]url.Values{}, valid: map[string]bool{}, lifetime: 3600}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /auth", a.authorize)
	mux.HandleFunc("POST /token", a.token)
	mux.HandleFunc("POST /revoke", a.revoke)
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

func (a *authority) authorize(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := r.URL.Query()
	a.asked = q
	if q.Get("client_id") != "client-1" || q.Get("redirect_uri") != callback || q.Get("response_type") != "code" ||
		q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43 || q.Get("state") == "" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	a.issued++
	back := url.Values{"state": {q.Get("state")}, "scope": {q.Get("scope")}}
	if a.declines != "" {
		back.Set("error", a.declines)
	} else {
		code := fmt.Sprintf("code-s3cr3t-%d", a.issued)
		a.codes[code] = q
		back.Set("code", code)
	}
	http.Redirect(w, r, callback+"?"+back.Encode(), http.StatusFound)
}

func (a *authority) token(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		a.t.Error(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.PostForm.Get("grant_type") == "refresh_token" {
		a.renewals++
	}
	if a.fail != nil && a.fail(w, r.PostForm) {
		return
	}
	if r.PostForm.Get("client_id") != "client-1" || r.PostForm.Get("client_secret") != clientSecret {
		refuse(w, http.StatusUnauthorized, "invalid_client")
		return
	}
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		a.exchange(w, r.PostForm)
	case "refresh_token":
		used := r.PostForm.Get("refresh_token")
		if !a.valid[used] {
			refuse(w, http.StatusBadRequest, "invalid_grant")
			return
		}
		answer := a.tokens("")
		if a.rotates {
			delete(a.valid, used)
		} else {
			delete(answer, "refresh_token")
		}
		say(w, answer)
	default:
		refuse(w, http.StatusBadRequest, "unsupported_grant_type")
	}
}

// exchange takes each code once, from a client with the verifier (RFC 7636).
func (a *authority) exchange(w http.ResponseWriter, form url.Values) {
	asked, ok := a.codes[form.Get("code")]
	delete(a.codes, form.Get("code"))
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	if !ok || form.Get("redirect_uri") != callback ||
		asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) {
		refuse(w, http.StatusBadRequest, "invalid_grant")
		return
	}
	scope := asked.Get("scope")
	if a.grants != "" {
		scope = a.grants
	}
	answer := a.tokens(scope)
	if a.shy && asked.Get("prompt") != "consent" {
		delete(answer, "refresh_token")
	}
	say(w, answer)
}

func (a *authority) tokens(scope string) map[string]any {
	a.issued++
	refresh := fmt.Sprintf("refresh-s3cr3t-%d", a.issued)
	a.valid[refresh] = true
	answer := map[string]any{
		"access_token": fmt.Sprintf("access-s3cr3t-%d", a.issued), "refresh_token": refresh, "token_type": "Bearer",
		"expires_in": a.lifetime,
	}
	if scope != "" {
		answer["scope"] = scope
	}
	return answer
}

func (a *authority) revoke(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fail != nil && a.fail(w, nil) {
		return
	}
	if r.URL.RawQuery != "" {
		a.t.Error("a token stands in an address")
	}
	token := r.FormValue("token")
	a.revoked = append(a.revoked, token)
	delete(a.valid, token)
}

// tell changes what it does.
func (a *authority) tell(change func(*authority)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(a)
}

func (a *authority) renewed() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.renewals
}

func say(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": "about refresh-s3cr3t-1"})
}

// found is what adapters say of new accounts.
type found struct {
	address   string
	calendars []account.Calendar
	err       error
	opened    account.Credential
}

func (f *found) List(_ context.Context, cred account.Credential) (string, []account.Calendar, error) {
	f.opened = cred
	return f.address, append([]account.Calendar{}, f.calendars...), f.err
}

func (f *found) Discover(
	_ context.Context, server string, cred account.Credential,
) (home, address string, calendars []account.Calendar, err error) {
	f.opened = cred
	return server + "/home/", f.address, append([]account.Calendar{}, f.calendars...), f.err
}

func (f *found) Check(context.Context, string) (string, error) { return "Team calendar", f.err }

// mailServer checks mailboxes as it is told.
type mailServer struct{ *found }

func (m mailServer) Check(_ context.Context, login account.MailLogin) (server, outgoing string, err error) {
	return login.Server + ":993", login.Outgoing + ":465", m.err
}

// world is people, a provider and a Redis; replicas share all of them.
type world struct {
	*testing.T
	authority *authority
	redis     *miniredis.Miniredis
	found     *found
	keyset    string
	log       *safeBuffer

	mu  sync.Mutex
	now time.Time
}

type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		T: t, authority: newAuthority(t), redis: miniredis.RunT(t),
		log: &safeBuffer{}, now: time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC),
		found: &found{address: "Al@Example.com", calendars: []account.Calendar{
			{ID: "main", Name: "Al", Blocks: true, Target: true},
			{ID: "team", Name: "Team", Blocks: true}, {ID: "birthdays", Name: "Birthdays"},
		}},
	}
	w.keyset = string(must(account.NewKeyset())(t))
	return w
}

// ctx has the world's log.
func (w *world) ctx() context.Context { return zerolog.New(w.log).WithContext(w.Context()) }

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) wait(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// replica is a process with the world's keyset.
type replica struct {
	*account.Store
	connector *account.Connector
	config    account.Config
}

func (w *world) replica(change ...func(*account.Config)) replica {
	w.Helper()
	storage, err := redisstore.Open(w.Context(), redisstore.Config{URL: "redis://" + w.redis.Addr(), Now: w.clock})
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = storage.Close() })
	oauth := account.OAuth{
		ClientID: "client-1", ClientSecret: clientSecret,
		AuthURL: w.authority.URL + "/auth", TokenURL: w.authority.URL + "/token", RevokeURL: w.authority.URL + "/revoke",
	}
	secrets := must(account.OpenSecrets(base64.StdEncoding.EncodeToString([]byte(w.keyset))))(w.T)
	cfg := account.Config{
		Records: storage.Accounts(), Locks: storage.Accounts(), Secrets: secrets, HTTP: w.authority.Client(),
		Google: oauth, Microsoft: oauth, Now: w.clock,
	}
	cfg.Microsoft.RevokeURL = ""
	for _, c := range change {
		c(&cfg)
	}
	store := account.New(cfg)
	return replica{Store: store, config: cfg, connector: account.NewConnector(account.ConnectorConfig{
		Store: store, Pending: storage.Accounts(), RedirectURL: callback, CalDAV: w.found, Feeds: w.found,
		Mailboxes: mailServer{w.found},
		Listers: map[account.Provider]account.Lister{
			account.Google: w.found, account.Gmail: w.found, account.Microsoft: w.found, account.Outlook: w.found,
		},
	})}
}

// visit is a person who is sent to the provider and comes back.
func (w *world) visit(address, browser string) account.Return {
	w.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Get(address)
	if err != nil {
		w.Fatal(err)
	}
	defer res.Body.Close()
	back, err := res.Location()
	if err != nil {
		w.Fatalf("the provider answers %d: %v", res.StatusCode, err)
	}
	q := back.Query()
	return account.Return{State: q.Get("state"), Code: q.Get("code"), Failure: q.Get("error"), Browser: browser}
}

const browser = "browser-of-al"

// connect connects Al's Google account.
func (w *world) connect(r replica, access account.Access) account.Account {
	w.Helper()
	return w.connectTo(r, account.Request{Person: "al", Provider: account.Google, Access: access, Browser: browser})
}

func (w *world) connectTo(r replica, request account.Request) account.Account {
	w.Helper()
	landing, err := r.connector.Finish(w.ctx(), w.visit(must(r.connector.Begin(w.ctx(), request))(w.T), request.Browser))
	if err != nil {
		w.Fatal(err)
	}
	return landing.Account
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}

var errDown = errors.New("down")

// brokenHTTP is a network that is down.
func brokenHTTP(*http.Request) (*http.Response, error) { return nil, errDown }

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func containsSecret(s string) bool { return strings.Contains(s, "s3cr3t") }
