// Package remotetest is the part that the fakes of task servers have in common: an HTTP server that keeps lists of
// tasks in memory. It turns pages, wants a token, refuses a version that has passed, and can lose answers.
package remotetest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Object is a resource in JSON.
type Object = map[string]any

// pageSize is how many things a page has.
const pageSize = 2

// Vendor is what a server does in its own way. Its functions are called one at a time.
type Vendor struct {
	// Token opens the account.
	Token string
	// Lists is the path of the lists, and Tasks the pattern of a list's tasks, with a wildcard {list}.
	Lists, Tasks string
	// AllLists are the lists as they are told.
	AllLists []Object
	// Created is the status of the answer to a creation.
	Created int
	// ETag is the member of a task with its version.
	ETag string
	// New is a new task before its creator's members, and Kept a task as the server keeps it in that version.
	New  func() Object
	Kept func(t Object, version int) (etag string)
	// ID is the id of a task that was created as that version.
	ID func(version int) string
	// Shown are the tasks of a list that the request is for, as they are told.
	Shown func(r *http.Request, tasks []Object) []Object
	// PageToken is the parameter with the index of a page's first item, and Page a page; next is empty for the last.
	PageToken string
	Page      func(r *http.Request, items []Object, next string) Object
	// Refusal is the body of an answer with that status.
	Refusal func(status int) Object
}

// Server is a server with one account that has the lists "l1", which is the main one, and "l2", called Garden.
type Server struct {
	// URL is the root of the server.
	URL string

	vendor  Vendor
	mu      sync.Mutex
	tasks   map[string][]Object
	version int
	lose    bool
	broken  string
	writes  int
}

// Start starts a server, which ends with the test.
func Start(tb testing.TB, v Vendor) *Server {
	tb.Helper()
	s := &Server{vendor: v, tasks: map[string][]Object{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+v.Lists, func(w http.ResponseWriter, r *http.Request) { s.page(w, r, v.AllLists) })
	mux.HandleFunc("GET "+v.Tasks, func(w http.ResponseWriter, r *http.Request) {
		s.page(w, r, v.Shown(r, slices.Clone(s.tasks[r.PathValue("list")])))
	})
	mux.HandleFunc("POST "+v.Tasks, s.change)
	mux.HandleFunc("PATCH "+v.Tasks+"/{task}", s.change)
	mux.HandleFunc("DELETE "+v.Tasks+"/{task}", s.change)
	started := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case r.Header.Get("Authorization") != "Bearer "+v.Token:
			s.refuse(w, http.StatusUnauthorized)
		case s.broken != "" && strings.Contains(r.URL.Path, s.broken):
			s.refuse(w, http.StatusBadRequest)
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	tb.Cleanup(started.Close)
	s.URL = started.URL
	return s
}

// Lose makes the next change without an answer.
func (s *Server) Lose() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lose = true
}

// Break makes requests fail whose path has a text.
func (s *Server) Break(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = path
}

// Writes is how many changes were made.
func (s *Server) Writes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes
}

// Put adds a task as the owner does in the app.
func (s *Server) Put(list string, task Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(list, task)
}

// Tasks are those of a list as the server has them.
func (s *Server) Tasks(list string) []Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.tasks[list])
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client reads it
}

func (s *Server) refuse(w http.ResponseWriter, status int) {
	answer(w, status, s.vendor.Refusal(status))
}

func (s *Server) page(w http.ResponseWriter, r *http.Request, items []Object) {
	from, _ := strconv.Atoi(r.URL.Query().Get(s.vendor.PageToken)) // absent is the first
	to, next := min(from+pageSize, len(items)), ""
	if to < len(items) {
		next = strconv.Itoa(to)
	}
	answer(w, http.StatusOK, s.vendor.Page(r, items[min(from, to):to], next))
}

func (s *Server) change(w http.ResponseWriter, r *http.Request) {
	list := r.PathValue("list")
	var body Object
	if r.Method != http.MethodDelete && json.NewDecoder(r.Body).Decode(&body) != nil {
		s.refuse(w, http.StatusBadRequest)
		return
	}
	i := slices.IndexFunc(s.tasks[list], func(t Object) bool { return t["id"] == r.PathValue("task") })
	match := r.Header.Get("If-Match")
	switch {
	case r.Method == http.MethodPost:
	case i < 0:
		s.refuse(w, http.StatusNotFound)
		return
	case match != "" && match != s.tasks[list][i][s.vendor.ETag]:
		s.refuse(w, http.StatusPreconditionFailed)
		return
	}
	s.writes++
	status, said := http.StatusNoContent, Object(nil)
	switch r.Method {
	case http.MethodPost:
		status, said = s.vendor.Created, s.add(list, body)
	case http.MethodPatch:
		s.tasks[list][i] = s.kept(Merged(s.tasks[list][i], body))
		status, said = http.StatusOK, s.tasks[list][i]
	default:
		s.tasks[list] = slices.Delete(s.tasks[list], i, i+1)
	}
	if s.lose {
		s.lose = false
		panic(http.ErrAbortHandler)
	}
	if said == nil {
		w.WriteHeader(status)
		return
	}
	answer(w, status, said)
}

// add keeps a new task under an id of its own.
func (s *Server) add(list string, body Object) Object {
	t := s.kept(Merged(s.vendor.New(), body))
	t["id"] = s.vendor.ID(s.version)
	s.tasks[list] = append(s.tasks[list], t)
	return t
}

func (s *Server) kept(t Object) Object {
	s.version++
	t[s.vendor.ETag] = s.vendor.Kept(t, s.version)
	return t
}

// Merged is a task with other members; null removes one.
func Merged(t, members Object) Object {
	m := maps.Clone(t)
	maps.Copy(m, members)
	maps.DeleteFunc(m, func(_ string, value any) bool { return value == nil })
	return m
}
