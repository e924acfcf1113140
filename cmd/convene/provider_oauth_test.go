package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
)

const (
	// publicURL is what browsers know the server of these tests by.
	publicURL = "http://localhost:8080"
	// clientSecret, and everything else that opens something, has this word in it, so that it can be looked for.
	clientSecret = "client-s3cr3t"
)

// authority is the OAuth of Google and of Microsoft, as people meet it in their browsers, and servers later. It takes
// its redirect address, PKCE and its client's secret as seriously as they do.
type authority struct {
	*httptest.Server
	t *testing.T
	// accept has the calendar server take an access token, and expire take it no more.
	accept func(token, email string)
	expire func(token string)

	mu sync.Mutex
	// visitor is who is signed in, in the browser.
	visitor string
	// known have agreed before. Without being asked explicitly they give no lasting access again, as at Google.
	known   map[string]bool
	codes   map[string]url.Values
	owners  map[string]string // email by refresh token
	access  map[string]string // access token by email
	issued  int
	asked   []string
	revoked []string
}

func newAuthority(
	t *testing.T, visitor string, accept func(token, email string), expire func(token string),
) *authority {
	t.Helper()
	a := &authority{
		t: t, accept: accept, expire: expire, visitor: visitor,
		known: map[string]bool{}, codes: map[string]url.Values{}, owners: map[string]string{}, access: map[string]string{},
	}
	mux := http.NewServeMux()
	for _, path := range []string{"/o/oauth2/v2/auth", "/authorize"} {
		mux.HandleFunc("GET "+path, a.ask)
	}
	for _, path := range []string{"/oauth2/token", "/token"} {
		mux.HandleFunc("POST "+path, a.token)
	}
	mux.HandleFunc("POST /oauth2/revoke", a.revoke)
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

// ask has the visitor agree, and sends them back.
func (a *authority) ask(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := r.URL.Query()
	if q.Get("client_id") != "client-1" || q.Get("redirect_uri") != publicURL+"/v1/oauth/callback" ||
		q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("state") == "" {
		http.Error(w, "this is not what was registered", http.StatusBadRequest)
		return
	}
	a.asked = append(a.asked, q.Get("scope"))
	a.issued++
	code := fmt.Sprintf("code-s3cr3t-%d", a.issued)
	a.codes[code] = q
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{
		"state": {q.Get("state")}, "code": {code},
	}.Encode(), http.StatusFound)
}

func (a *authority) token(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.FormValue("client_id") != "client-1" || r.FormValue("client_secret") != clientSecret {
		a.answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	}
	email, scope, lasting := a.owners[r.FormValue("refresh_token")], "", true
	if r.FormValue("grant_type") == "authorization_code" {
		email, scope, lasting = a.exchange(r)
	}
	if email == "" {
		a.answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	a.issued++
	fresh := map[string]any{
		"access_token": fmt.Sprintf("access-s3cr3t-%d", a.issued), "token_type": "Bearer", "expires_in": 3600,
	}
	if scope != "" {
		fresh["scope"] = scope
	}
	if lasting {
		refresh := fmt.Sprintf("refresh-s3cr3t-%d", a.issued)
		a.owners[refresh] = email
		fresh["refresh_token"] = refresh
	}
	a.access[email] = fmt.Sprint(fresh["access_token"])
	a.accept(a.access[email], email)
	a.answer(w, http.StatusOK, fresh)
}

// exchange takes each code once, from a client with the verifier (RFC 7636).
func (a *authority) exchange(r *http.Request) (email, scope string, lasting bool) {
	asked, known := a.codes[r.FormValue("code")]
	delete(a.codes, r.FormValue("code"))
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !known || r.FormValue("redirect_uri") != asked.Get("redirect_uri") ||
		asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) {
		return "", "", false
	}
	lasting = !a.known[a.visitor] || asked.Get("prompt") == "consent"
	a.known[a.visitor] = true
	return a.visitor, asked.Get("scope"), lasting
}

func (a *authority) answer(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		a.t.Error(err)
	}
}

func (a *authority) revoke(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	token := r.PostFormValue("token")
	a.revoked = append(a.revoked, token)
	if email, known := a.owners[token]; known {
		a.end(email)
	}
	w.WriteHeader(http.StatusOK)
}

// leave has the visitor take their consent back, on a page of their account.
func (a *authority) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.end(a.visitor)
}

func (a *authority) end(email string) {
	for refresh, owner := range a.owners {
		if owner == email {
			delete(a.owners, refresh)
		}
	}
	a.expire(a.access[email])
}

// standing are the refresh tokens that are still taken, and revoked those that Convene gave back.
func (a *authority) standing() (tokens int, revoked []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.owners), append([]string(nil), a.revoked...)
}
