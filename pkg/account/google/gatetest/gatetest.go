// Package gatetest is what the servers of Google's APIs have in common, for tests: who may come in, what was asked,
// what a refusal looks like, and faults on demand.
package gatetest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// Gate stands before a server. It is safe for concurrent use.
type Gate struct {
	// Root ends what is left out of the paths of Asked.
	Root string

	mu     sync.Mutex
	tokens map[string]string // addresses by token
	faults []*breakage
	asked  []string
}

// breakage answers for a while in place of the server, before or after it has done what was asked.
type breakage struct {
	method, path string
	left         int
	after        bool
	answer       http.HandlerFunc
}

// Accept makes token one of the user's, from now on.
func (g *Gate) Accept(token, address string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.tokens == nil {
		g.tokens = map[string]string{}
	}
	g.tokens[token] = address
}

// Expire makes the token worthless.
func (g *Gate) Expire(token string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.tokens, token)
}

// Who is whose token a request has; empty if it has none.
func (g *Gate) Who(r *http.Request) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
}

// Fail answers the next n requests with that method whose path contains path. An empty method is any.
func (g *Gate) Fail(n int, method, path string, answer http.HandlerFunc) {
	g.add(breakage{method: method, path: path, left: n, answer: answer})
}

// Lose does what the next n such requests ask, and answers like that.
func (g *Gate) Lose(n int, method, path string, answer http.HandlerFunc) {
	g.add(breakage{method: method, path: path, left: n, after: true, answer: answer})
}

func (g *Gate) add(b breakage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.faults = append(g.faults, &b)
}

// Asked are the requests so far, each as method, path below the root and query.
func (g *Gate) Asked() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.asked)
}

// Count is how many requests begin so.
func (g *Gate) Count(prefix string) (n int) {
	for _, one := range g.Asked() {
		if strings.HasPrefix(one, prefix) {
			n++
		}
	}
	return n
}

// Before is the server behind the gate: requests are written down, broken, and refused without a token.
func (g *Gate) Before(server http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		broken, after := g.note(r)
		switch {
		case broken != nil && !after:
			broken(w, r)
			return
		case g.Who(r) == "":
			Refuse(w, http.StatusUnauthorized, "authError")
			return
		case broken != nil:
			server.ServeHTTP(httptest.NewRecorder(), r)
			broken(w, r)
			return
		}
		server.ServeHTTP(w, r)
	})
}

func (g *Gate) note(r *http.Request) (answer http.HandlerFunc, after bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, path, _ := strings.Cut(r.URL.RequestURI(), g.Root)
	g.asked = append(g.asked, r.Method+" "+path)
	for _, f := range g.faults {
		if f.left > 0 && (f.method == "" || f.method == r.Method) && strings.Contains(r.URL.Path, f.path) {
			f.left--
			return f.answer, f.after
		}
	}
	return nil, false
}

// Refuse writes an error as Google documents it.
func Refuse(w http.ResponseWriter, status int, reason string) {
	type object = map[string]any
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(object{"error": object{
		"code": status, "message": reason,
		"errors": []object{{"domain": "global", "reason": reason, "message": reason}},
	}})
}

// Refusal is a handler that refuses.
func Refusal(status int, reason string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { Refuse(w, status, reason) }
}

// Cut is a handler that breaks the connection.
func Cut() http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	}
}
