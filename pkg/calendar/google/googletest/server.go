// Package googletest is Google's Calendar API as its documentation describes it, for tests: calendars with access
// roles, events with recurrence, sync tokens, partial answers, free and busy, invitations, and faults on demand.
package googletest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"convene/pkg/account/google/gatetest"
)

// object is a resource in JSON.
type object = map[string]any

// Server is Google. It is safe for concurrent use.
type Server struct {
	// URL is the root of the API.
	URL string
	// PageSize, where it is not 0, is the most that a list gives at once, whatever was asked for.
	PageSize int
	// PendingLinks is how many times a meeting link is still being made when an event is read.
	PendingLinks int

	gatetest.Gate

	mu        sync.Mutex
	calendars map[string]*shelf // by calendar id
	order     []string
	revision  int
	epoch     int
	told      []string
}

// shelf is a calendar.
type shelf struct {
	id, name, zone string
	roles          map[string]string // by email
	events         map[string]*stored
	order          []string
}

// stored is an event, or a series, with the revision in which it changed last.
type stored struct {
	event    object
	revision int
}

// New is a server without users, which ends with the test.
func New(tb testing.TB) *Server {
	tb.Helper()
	const root = "/calendar/v3/"
	s := &Server{Gate: gatetest.Gate{Root: root}, calendars: map[string]*shelf{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+root+"users/me/calendarList", s.listCalendars)
	mux.HandleFunc("GET "+root+"calendars/{calendar}/events", s.listEvents)
	mux.HandleFunc("POST "+root+"calendars/{calendar}/events", s.insert)
	mux.HandleFunc("GET "+root+"calendars/{calendar}/events/{event}", s.get)
	mux.HandleFunc("PATCH "+root+"calendars/{calendar}/events/{event}", s.change)
	mux.HandleFunc("PUT "+root+"calendars/{calendar}/events/{event}", s.change)
	mux.HandleFunc("DELETE "+root+"calendars/{calendar}/events/{event}", s.delete)
	mux.HandleFunc("POST "+root+"freeBusy", s.freeBusy)
	server := httptest.NewServer(s.Before(mux))
	tb.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// User adds a person with a main calendar in the zone, whose id is the address.
func (s *Server) User(email, zone string) {
	s.Calendar(email, email, zone)
}

// Calendar adds a calendar of the user's.
func (s *Server) Calendar(email, id, zone string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calendars[id] = &shelf{
		id: id, name: "Calendar " + id, zone: zone, roles: map[string]string{email: "owner"}, events: map[string]*stored{},
	}
	s.order = append(s.order, id)
}

// Share gives the user a role in another person's calendar: freeBusyReader, reader, writer or owner.
func (s *Server) Share(id, email, role string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calendars[id].roles[email] = role
}

// Zone moves a calendar into another zone.
func (s *Server) Zone(id, zone string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calendars[id].zone = zone
}

// Forget makes all sync tokens worthless, as Google does now and then.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.epoch++
}

// Told are the messages to guests so far, each as "al@example.com: invited".
func (s *Server) Told() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.told)
}

// Answer is a handler that answers with exactly this.
func Answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// write answers with the fields that were asked for.
func write(w http.ResponseWriter, r *http.Request, answer object) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_ = json.NewEncoder(w).Encode(masked(answer, r.URL.Query().Get("fields")))
}

// reach finds the calendar that a request is about, and refuses those who have no such access. The lock is held by
// the caller.
func (s *Server) reach(w http.ResponseWriter, r *http.Request, email string, roles ...string) *shelf {
	id := r.PathValue("calendar")
	if id == "primary" {
		id = email
	}
	c, ok := s.calendars[id]
	if !ok || c.roles[email] == "" {
		gatetest.Refuse(w, http.StatusNotFound, "notFound")
		return nil
	}
	if !slices.Contains(roles, c.roles[email]) {
		gatetest.Refuse(w, http.StatusForbidden, "requiredAccessLevel")
		return nil
	}
	return c
}

func (s *Server) listCalendars(w http.ResponseWriter, r *http.Request) {
	email := s.Who(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	items := []object{}
	for _, id := range s.order {
		c := s.calendars[id]
		if role := c.roles[email]; role != "" {
			items = append(items, object{
				"kind": "calendar#calendarListEntry", "id": id, "summary": c.name, "timeZone": c.zone, "accessRole": role,
				"primary": id == email, "selected": true,
			})
		}
	}
	from, to, next := s.page(r, len(items))
	answer := object{"kind": "calendar#calendarList", "items": items[from:to]}
	if next != "" {
		answer["nextPageToken"] = next
	}
	write(w, r, answer)
}

// page is which part of n items a request is for.
func (s *Server) page(r *http.Request, n int) (from, to int, next string) {
	_, _ = fmt.Sscanf(r.URL.Query().Get("pageToken"), "from.%d", &from)
	size := n
	_, _ = fmt.Sscan(r.URL.Query().Get("maxResults"), &size)
	if s.PageSize > 0 {
		size = min(size, s.PageSize)
	}
	from = min(from, n)
	if to = min(from+size, n); to < n {
		next = fmt.Sprintf("from.%d", to)
	}
	return from, to, next
}
