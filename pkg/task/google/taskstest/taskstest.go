// Package taskstest is a Google Tasks for tests: an HTTP server that keeps task lists as Google documents them. It
// keeps the day of a due date only, gives ids of its own, turns pages, wants a token, refuses a version that has
// passed, and can lose answers.
package taskstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Token opens the account.
const Token = "tasks-token"

// pageSize is how many things a page has.
const pageSize = 2

// Server is a Google with one account that has the lists "l1", which is the main one, and "l2", called Garden.
type Server struct {
	// Endpoint is the root of the API.
	Endpoint string

	mu      sync.Mutex
	tasks   map[string][]map[string]any
	version int
	lose    bool
	broken  string
	writes  int
}

// New starts a server, which ends with the test.
func New(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{tasks: map[string][]map[string]any{"l1": nil, "l2": nil}}
	mux := http.NewServeMux()
	const tasks = "/tasks/v1/lists/{list}/tasks"
	mux.HandleFunc("GET /tasks/v1/users/@me/lists", s.lists)
	mux.HandleFunc("GET "+tasks, s.list)
	mux.HandleFunc("POST "+tasks, s.change)
	mux.HandleFunc("PATCH "+tasks+"/{task}", s.change)
	mux.HandleFunc("DELETE "+tasks+"/{task}", s.change)
	started := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case r.Header.Get("Authorization") != "Bearer "+Token:
			refuse(w, http.StatusUnauthorized, "authError")
		case s.broken != "" && strings.Contains(r.URL.Path, s.broken):
			refuse(w, http.StatusBadRequest, "invalid")
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	tb.Cleanup(started.Close)
	s.Endpoint = started.URL
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
func (s *Server) Put(list string, task map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(list, task)
}

// Tasks are those of a list as Google has them.
func (s *Server) Tasks(list string) []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.tasks[list])
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"code":%d,"message":"no","errors":[{"reason":%q}]}}`, status, code)
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client reads it
}

// page answers with a page of items.
func (s *Server) page(w http.ResponseWriter, r *http.Request, kind string, items []map[string]any) {
	from, _ := strconv.Atoi(r.URL.Query().Get("pageToken")) // absent is the first
	from = min(from, len(items))
	to := min(from+pageSize, len(items))
	body := map[string]any{"kind": kind}
	if len(items) > 0 {
		body["items"] = items[from:to]
	}
	if to < len(items) {
		body["nextPageToken"] = strconv.Itoa(to)
	}
	answer(w, http.StatusOK, body)
}

func (s *Server) lists(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, "tasks#taskLists", []map[string]any{
		{"id": "l1", "title": "My Tasks"}, {"id": "l2", "title": "Garden"}, {"id": "l3", "title": "Empty"},
	})
}

// list leaves out what Google's apps hide, unless it is asked for.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	tasks := slices.Clone(s.tasks[r.PathValue("list")])
	tasks = slices.DeleteFunc(tasks, func(t map[string]any) bool {
		return t["status"] == "completed" && r.URL.Query().Get("showHidden") != "true"
	})
	s.page(w, r, "tasks#tasks", tasks)
}

func (s *Server) change(w http.ResponseWriter, r *http.Request) {
	list := r.PathValue("list")
	var body map[string]any
	if r.Method != http.MethodDelete && json.NewDecoder(r.Body).Decode(&body) != nil {
		refuse(w, http.StatusBadRequest, "parseError")
		return
	}
	i := slices.IndexFunc(s.tasks[list], func(t map[string]any) bool { return t["id"] == r.PathValue("task") })
	if r.Method != http.MethodPost {
		if i < 0 {
			refuse(w, http.StatusNotFound, "notFound")
			return
		}
		if match := r.Header.Get("If-Match"); match != "" && match != s.tasks[list][i]["etag"] {
			refuse(w, http.StatusPreconditionFailed, "conditionNotMet")
			return
		}
	}
	s.writes++
	status, said := http.StatusOK, any(nil)
	switch r.Method {
	case http.MethodPost:
		status, said = http.StatusOK, s.add(list, body)
	case http.MethodPatch:
		s.tasks[list][i] = s.kept(merged(s.tasks[list][i], body))
		said = s.tasks[list][i]
	default:
		status = http.StatusNoContent
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
func (s *Server) add(list string, body map[string]any) map[string]any {
	t := s.kept(merged(map[string]any{"kind": "tasks#task", "status": "needsAction"}, body))
	t["id"] = fmt.Sprintf("MTIz%d", s.version)
	s.tasks[list] = append(s.tasks[list], t)
	return t
}

// kept is a task as Google keeps it: of a due date the day, and when it was completed by itself.
func (s *Server) kept(t map[string]any) map[string]any {
	s.version++
	t["etag"] = fmt.Sprintf(`"%d"`, s.version)
	if due, ok := t["due"].(string); ok {
		t["due"] = due[:len(time.DateOnly)] + "T00:00:00.000Z"
	}
	switch {
	case t["status"] != "completed":
		delete(t, "completed")
	case t["completed"] == nil:
		t["completed"] = "2026-11-26T10:59:00.000Z"
	}
	return t
}

// merged is a task with other fields; null removes one.
func merged(t, fields map[string]any) map[string]any {
	m := map[string]any{}
	for _, of := range []map[string]any{t, fields} {
		for name, value := range of {
			m[name] = value
			if value == nil {
				delete(m, name)
			}
		}
	}
	return m
}
