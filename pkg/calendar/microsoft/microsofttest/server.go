// Package microsofttest is a Microsoft Graph for tests: an HTTP server that keeps mailboxes with calendars and mail,
// and behaves as Microsoft documents and developers report. It expands series in a calendarView
// and leaves their instances bare in a delta, turns pages, knows a transactionId again, invites guests who have a
// mailbox here, and can be made to fail.
package microsofttest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"convene/pkg/calendar/icalendar"
)

// Server is a Graph with mailboxes. Its address is Endpoint; Handler serves it elsewhere.
type Server struct {
	// Endpoint is the root of the API where New started it.
	Endpoint string

	mu        sync.Mutex
	pageSize  int
	mailboxes []*Mailbox
	// version counts changes, for deltas.
	version int
	links   map[string]continuation
	sent    []Mail
	calls   []Call
	// before and after see each request before it is done, and after.
	before, after func(w http.ResponseWriter, r *http.Request) bool
	// careless says that conditions of requests are passed over.
	careless bool
	uploads  map[string]*upload
	// nextID numbers everything that gets an id.
	nextID int
}

// Mail is what Graph sent to a guest.
type Mail struct {
	// Kind is invitation, update or cancellation.
	Kind, To, Subject string
}

// Call is a request that arrived.
type Call struct {
	Method, Path, Query, Body, IfMatch string
	Prefer                             []string
}

// Mailbox is one person's, opened by a token.
type Mailbox struct {
	Address   string
	server    *Server
	token     string
	calendars []*Calendar
	// used are the transactionIds that were ever used, with the event they made.
	used map[string]*Event
	// others are tokens that open it too.
	others []string
	mails  *mails
}

// Calendar is one in a mailbox's list. The first is the main one.
type Calendar struct {
	ID, Name string
	// Owner is whose it is; empty for the mailbox's own.
	Owner string
	// Hidden says that its owner shared free and busy times only.
	Hidden bool
	events []*Event
	gone   []removal
}

// removal is what a delta tells of an event that is gone.
type removal struct {
	id      string
	version int
}

// New starts a server, which ends with the test.
func New(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{}
	started := httptest.NewServer(s.Handler())
	tb.Cleanup(started.Close)
	s.Endpoint = started.URL + "/v1.0"
	return s
}

// Mailbox adds one with a main calendar.
func (s *Server) Mailbox(address, token string) *Mailbox {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &Mailbox{Address: address, token: token, server: s, used: map[string]*Event{}}
	m.calendars = []*Calendar{{ID: s.id("calendar"), Name: "Calendar"}}
	s.mailboxes = append(s.mailboxes, m)
	return m
}

// Rotate makes token the only one that opens the mailbox.
func (m *Mailbox) Rotate(token string) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	m.token = token
}

// Accept makes token one that opens the mailbox too, until Refuse.
func (m *Mailbox) Accept(token string) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	m.others = append(m.others, token)
}

// Refuse makes the token worthless.
func (m *Mailbox) Refuse(token string) {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	m.others = slices.DeleteFunc(m.others, func(t string) bool { return t == token })
}

// Main is the mailbox's main calendar.
func (m *Mailbox) Main() *Calendar { return m.calendars[0] }

// Add adds a calendar to the mailbox's list.
func (m *Mailbox) Add(c Calendar) *Calendar {
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	c.ID = m.server.id("calendar")
	m.calendars = append(m.calendars, &c)
	return &c
}

// PageSize sets how many things a page has at most; 2 where it was not set.
func (s *Server) PageSize(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pageSize = n
}

// Before has f see each request first; where it says true, it has answered.
func (s *Server) Before(f func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = f
}

// After has f see each request once it has been done; where it says true, it has answered in the server's place.
func (s *Server) After(f func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.after = f
}

// IgnoreIfMatch has changes made whatever version of the event they are meant for, as Graph is documented for no event.
func (s *Server) IgnoreIfMatch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.careless = true
}

// ForgetSync makes every delta link one that is not known.
func (s *Server) ForgetSync() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.links = nil
}

// Sent is what went to guests, in order.
func (s *Server) Sent() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail(nil), s.sent...)
}

// Calls are the requests that arrived since the last time, in order.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := s.calls
	s.calls = nil
	return calls
}

// id makes an id in Graph's alphabet.
func (s *Server) id(kind string) string {
	s.nextID++
	return fmt.Sprintf("AAMk%s%04d-_=", kind, s.nextID)
}

// failure is an answer that says no.
type failure struct {
	status int
	code   string
}

func (f failure) Error() string { return f.code }

// endpoint answers one kind of request.
type endpoint func(m *Mailbox, r *http.Request, body []byte) (status int, answer any, err error)

// Handler is the server as a handler below /v1.0.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, serve := range map[string]endpoint{
		"GET /v1.0/me":                                         s.profile,
		"GET /v1.0/me/calendars":                               s.list,
		"GET /v1.0/me/calendars/{calendar}":                    s.oneCalendar,
		"GET /v1.0/me/calendarView":                            s.view,
		"GET /v1.0/me/calendars/{calendar}/calendarView":       s.view,
		"GET /v1.0/me/calendarView/delta":                      s.delta,
		"GET /v1.0/me/events":                                  s.search,
		"GET /v1.0/me/calendars/{calendar}/events":             s.search,
		"POST /v1.0/me/events":                                 s.create,
		"POST /v1.0/me/calendars/{calendar}/events":            s.create,
		"GET /v1.0/me/events/{event}":                          s.one,
		"PATCH /v1.0/me/events/{event}":                        s.change,
		"DELETE /v1.0/me/events/{event}":                       s.remove,
		"POST /v1.0/me/events/{event}/cancel":                  s.cancel,
		"POST /v1.0/me/events/{event}/{verb}":                  s.respond,
		"GET /v1.0/me/events/{event}/instances":                s.instances,
		"POST /v1.0/$batch":                                    s.batch,
		"POST /v1.0/me/calendar/getSchedule":                   s.schedule,
		"GET /v1.0/me/calendars/{calendar}/calendarView/delta": s.delta,
	} {
		mux.Handle(pattern, s.serve(serve))
	}
	for pattern, serve := range s.mailRoutes() {
		mux.Handle(pattern, s.serve(serve))
	}
	mux.HandleFunc("PUT /v1.0/upload/{upload}", s.serveUpload)
	return mux
}

// serve records the call, lets Before answer, opens the mailbox and renders what comes of it.
func (s *Server) serve(to endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // half a body is not JSON
		s.mu.Lock()
		before, after := s.before, s.after
		s.calls = append(s.calls, Call{
			Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: string(body), IfMatch: r.Header.Get("If-Match"),
			Prefer: r.Header.Values("Prefer"),
		})
		s.mu.Unlock()
		if before != nil && before(w, r) {
			return
		}
		status, answer, err := s.do(to, r, body)
		if after != nil && after(w, r) {
			return
		}
		f, failed := err.(failure) //nolint:errorlint // handlers give it as it is
		switch {
		case failed && f.status == http.StatusUnauthorized:
			w.Header().Set("WWW-Authenticate", `Bearer realm="", claims=eyJhY2Nlc3MifQ, error="insufficient_claims"`)
			fallthrough
		case failed:
			Fail(w, f.status, f.code)
		default:
			render(w, status, answer)
		}
	})
}

// do does what a request asks. The answer is a copy, which others do not change.
func (s *Server) do(to endpoint, r *http.Request, body []byte) (status int, answer any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.opened(r)
	if m == nil {
		return 0, nil, failure{http.StatusUnauthorized, "InvalidAuthenticationToken"}
	}
	status, answer, err = to(m, r, body)
	if _, is := answer.([]byte); is || answer == nil || err != nil {
		return status, answer, err
	}
	text, err := json.Marshal(answer)
	return status, json.RawMessage(text), err
}

func (s *Server) opened(r *http.Request) *Mailbox {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	for _, m := range s.mailboxes {
		if token != "" && (m.token == token || slices.Contains(m.others, token)) {
			return m
		}
	}
	return nil
}

// Fail answers as Graph does when it says no.
func Fail(w http.ResponseWriter, status int, code string) {
	render(w, status, map[string]any{"error": map[string]any{
		"code": code, "message": "The mailbox of ola@example.com says no.", "innerError": map[string]any{"request-id": "r"},
	}})
}

func render(w http.ResponseWriter, status int, answer any) {
	if answer == nil {
		w.WriteHeader(status)
		return
	}
	if content, is := answer.([]byte); is {
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(status)
		_, _ = w.Write(content)
		return
	}
	w.Header().Set("Content-Type", "application/json;odata.metadata=minimal;odata.streaming=true;charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

func (m *Mailbox) calendar(r *http.Request) (*Calendar, error) {
	id := r.PathValue("calendar")
	if id == "" {
		return m.calendars[0], nil
	}
	for _, c := range m.calendars {
		if c.ID == id {
			return c, nil
		}
	}
	return nil, failure{http.StatusNotFound, "ErrorItemNotFound"}
}

// event is the event, the series or the occurrence with the id of the request.
func (m *Mailbox) event(id string) (*Calendar, instance, error) {
	for _, c := range m.calendars {
		for _, e := range c.events {
			if e.ID == id {
				i := instance{Event: e, start: e.Start, end: e.End, kind: "singleInstance", from: e.Start}
				return c, i, nil
			}
			if !e.repeats() || !strings.HasPrefix(id, strings.TrimSuffix(e.ID, "=")+".") {
				continue
			}
			for _, i := range e.all(e.Start.AddDate(3, 0, 0)) {
				if i.id() == id {
					return c, i, nil
				}
			}
		}
	}
	return nil, instance{}, failure{http.StatusNotFound, "ErrorItemNotFound"}
}

// writable is event, if its calendar is not only shared for reading.
func (m *Mailbox) writable(r *http.Request) (*Calendar, instance, error) {
	c, i, err := m.event(r.PathValue("event"))
	if err == nil && c.Owner != "" {
		err = failure{http.StatusForbidden, "ErrorAccessDenied"}
	}
	return c, i, err
}

func (s *Server) profile(m *Mailbox, _ *http.Request, _ []byte) (int, any, error) {
	return http.StatusOK, map[string]any{"mail": m.Address, "userPrincipalName": "upn-" + m.Address}, nil
}

func (m *Mailbox) render(c *Calendar) map[string]any {
	owner := c.Owner
	if owner == "" {
		owner = m.Address
	}
	return map[string]any{
		"id": c.ID, "name": c.Name, "isDefaultCalendar": c == m.calendars[0], "canEdit": c.Owner == "",
		"owner": map[string]any{"name": "Somebody", "address": owner},
	}
}

func (s *Server) oneCalendar(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	c, err := m.calendar(r)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, m.render(c), nil
}

func (s *Server) list(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	items := make([]map[string]any, len(m.calendars))
	for i, c := range m.calendars {
		items[i] = m.render(c)
	}
	return s.page(r, items, "")
}

// continuation is what is left of a collection, or where a delta goes on.
type continuation struct {
	rest []map[string]any
	// end is the delta link after the last page; empty if there is none.
	end string
	// since is the version from which a delta tells changes.
	since int
}

// page answers with as many items as a page has, and a link to the others.
func (s *Server) page(r *http.Request, items []map[string]any, end string) (int, any, error) {
	if token := r.URL.Query().Get("$skiptoken"); token != "" {
		rest, known := s.links[token]
		if !known {
			return 0, nil, failure{http.StatusGone, "syncStateNotFound"}
		}
		items, end = rest.rest, rest.end
	}
	size := s.sizeOf(r)
	answer := map[string]any{"@odata.context": "https://graph.microsoft.com/v1.0/$metadata#Collection(event)"}
	switch {
	case len(items) > size:
		token := s.keep(continuation{rest: items[size:], end: end})
		items, answer["@odata.nextLink"] = items[:size], link(r, "$skiptoken", token)
	case end != "":
		answer["@odata.deltaLink"] = link(r, "$deltatoken", end)
	}
	answer["value"] = append([]map[string]any{}, items...)
	return http.StatusOK, answer, nil
}

func (s *Server) keep(c continuation) string {
	if s.links == nil {
		s.links = map[string]continuation{}
	}
	s.nextID++
	token := "R0usmc" + strconv.Itoa(s.nextID)
	s.links[token] = c
	return token
}

// sizeOf is the page size that was asked for, or the server's own where that is smaller.
func (s *Server) sizeOf(r *http.Request) int {
	size := s.pageSize
	if size == 0 {
		size = 2
	}
	asked := r.URL.Query().Get("$top")
	for _, p := range r.Header.Values("Prefer") {
		if n, ok := strings.CutPrefix(p, "odata.maxpagesize="); ok {
			asked = n
		}
	}
	if n, err := strconv.Atoi(asked); err == nil && n < size {
		return n
	}
	return size
}

func link(r *http.Request, name, token string) string {
	return "http://" + r.Host + r.URL.Path + "?" + name + "=" + token
}

// zone is the name that Graph has for a zone that is written to it.
func zone(name string) (string, error) {
	if iana, ok := icalendar.WindowsZone(name); ok {
		return iana, nil
	}
	return "", failure{http.StatusBadRequest, "TimeZoneNotSupportedException"}
}
