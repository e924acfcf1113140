package placetest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// faulty is a source with a fault, and what a finder makes of it.
type faulty struct {
	name   string
	source http.HandlerFunc
	// again says that the fault is worth another try, for the finder and for its caller; after is when, where the
	// source said so.
	again bool
	after time.Duration
}

func faulties() []faulty {
	const html = "<html><body>Sign in to the network</body></html>"
	return []faulty{
		{name: "400", source: status(http.StatusBadRequest, `{"message":"no such field"}`)},
		{name: "401", source: status(http.StatusUnauthorized, `{"message":"who are you?"}`)},
		{name: "403", source: status(http.StatusForbidden, `{"message":"not you"}`)},
		{name: "404", source: status(http.StatusNotFound, `{"message":"no such route"}`)},
		{name: "429 with Retry-After", source: busy, again: true, after: 30 * time.Second},
		{name: "429", source: status(http.StatusTooManyRequests, `{}`), again: true},
		{name: "500", source: status(http.StatusInternalServerError, `{}`), again: true},
		{name: "502 in HTML", source: page(http.StatusBadGateway, html), again: true},
		{name: "503 with nothing", source: status(http.StatusServiceUnavailable, ""), again: true},
		{name: "a slow first byte", source: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			again: true},
		{name: "a slow body", source: stalling, again: true},
		{name: "cut-off JSON", source: status(http.StatusOK, `{"results":[{"name":"Tulp"`), again: true},
		{name: "nothing", source: status(http.StatusOK, ""), again: true},
		{name: "a list", source: status(http.StatusOK, `[1,2]`), again: true},
		{name: "a page", source: page(http.StatusOK, html), again: true},
		{name: "no end", source: endless, again: true},
		{name: "a connection that is cut", source: cut, again: true},
	}
}

// faults looks at what becomes of each: a fault with words for people, and neither the key nor the source's words in
// it.
func (s Suite) faults(t *testing.T) {
	if s.Asking == nil {
		t.Skip("the finder asks nobody")
	}
	for _, f := range faulties() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			finder := s.Asking(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				_, _ = io.Copy(io.Discard, r.Body) // or the server would not see the caller go
				f.source(w, r)
			}))
			began := time.Now()
			got, err := finder.Search(t.Context(), meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()})
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("the search took %v", took)
			}
			s.checkFault(t, f, got, err)
			if asked.Load() > 1 && !f.again {
				t.Errorf("the source was asked %d times, want once", asked.Load())
			}
		})
	}
}

func (s Suite) checkFault(t *testing.T, f faulty, got []meet.Place, err error) {
	t.Helper()
	if fault.CodeOf(err) != fault.PlacesUnavailable || len(got) > 0 {
		t.Fatalf("got %d places and %v, want a fault of %s", len(got), err, fault.PlacesUnavailable)
	}
	if said := fault.As(err); said.Retryable != f.again || said.RetryAfter != f.after {
		t.Errorf("worth another try %v, after %v; want %v, %v", said.Retryable, said.RetryAfter, f.again, f.after)
	}
	for _, secret := range []string{s.Secret, "127.0.0.1", "Sign in", "who are you"} {
		if secret != "" && strings.Contains(fault.As(err).Message, secret) {
			t.Errorf("people are told %q", fault.As(err).Message)
		}
	}
	if s.Secret != "" && strings.Contains(fmt.Sprintf("%v %+v", err, err), s.Secret) {
		t.Errorf("the error has the key in it: %v", err)
	}
}

func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func page(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func busy(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", "30")
	status(http.StatusTooManyRequests, `{}`)(w, r)
}

// stalling begins an answer and does not go on.
func stalling(w http.ResponseWriter, r *http.Request) {
	status(http.StatusOK, `{"results":[`)(w, r)
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// endless sends more than any client reads.
func endless(w http.ResponseWriter, r *http.Request) {
	status(http.StatusOK, `{"results":[`)(w, r)
	block := strings.Repeat(" ", 1<<20)
	for range 64 {
		if _, err := io.WriteString(w, block); err != nil {
			return
		}
	}
}

func cut(w http.ResponseWriter, _ *http.Request) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = connection.Close()
	}
}
