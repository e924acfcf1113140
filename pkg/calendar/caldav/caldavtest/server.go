// Package caldavtest is a CalDAV server in memory that behaves as real ones do, and misbehaves as real ones do: it has
// or lacks what Options say, and any of its answers can be replaced by a failure.
package caldavtest

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"convene/pkg/calendar/icalendar"
)

// Options are what a server has and lacks. The zero value is a full-grown one that does not invite.
type Options struct {
	// User and Password open it. They default to ola and secret.
	User, Password string
	// Addresses are the user's, as URIs. The first is the preferred one.
	Addresses []string
	// HomeHost is the host that the calendar home is on, where that is another than the one that is asked first.
	HomeHost string
	// Schedules has the server invite attendees.
	Schedules bool
	// NoSync, NoCTag and NoETag leave out ways to tell what has changed.
	NoSync, NoCTag, NoETag bool
	// NoTimeRange refuses to select by time, and NoQuery to select at all.
	NoTimeRange, NoQuery bool
	// NoData names the objects that a query finds, and gives none of them.
	NoData bool
	// SyncPage is how many changes are listed in one answer; 0 for all.
	SyncPage int
}

// Server is a CalDAV server. It is safe for concurrent use.
type Server struct {
	o    Options
	http *httptest.Server

	mu        sync.Mutex
	calendars map[string]*shelf
	// epoch is in all sync tokens: those of another one are not known.
	epoch    int
	faults   []*fault
	requests []string
	// trusted are the hosts that were told the password.
	trusted map[string]bool
	sent    []Message
	// statuses are the SCHEDULE-STATUS of attendees, by their addresses.
	statuses map[string]string
}

// shelf is one calendar.
type shelf struct {
	props   map[string]string
	objects map[string]stored
	// version counts changes, and changed is the version at which each object was last changed or deleted.
	version int
	changed map[string]int
}

type stored struct {
	data string
	etag string
}

// Message is an invitation, or a cancellation, that the server sent to an attendee.
type Message struct {
	Method   string
	UID      string
	Sequence int
	To       string
}

// Fault answers in place of the server, where it answers at all: false leaves the request to the server.
type Fault func(w http.ResponseWriter, r *http.Request) bool

type fault struct {
	answer Fault
	left   int
}

// Start runs a server until the end of the test.
func Start(tb testing.TB, o Options) *Server {
	tb.Helper()
	if o.User == "" {
		o.User, o.Password = "ola", "secret"
	}
	s := &Server{o: o, calendars: map[string]*shelf{}, trusted: map[string]bool{}, statuses: map[string]string{}}
	s.http = httptest.NewServer(s)
	tb.Cleanup(s.http.Close)
	return s
}

// URL is the server's address on this machine.
func (s *Server) URL() string { return s.http.URL }

// Home is the address of the user's calendars.
func (s *Server) Home() string {
	if s.o.HomeHost != "" {
		return "https://" + s.o.HomeHost + s.home()
	}
	return s.http.URL + s.home()
}

// Client makes calls that all end here, whatever host and scheme they are meant for.
func (s *Server) Client() *http.Client { return &http.Client{Transport: &detour{s}} }

type detour struct{ s *Server }

// RoundTrip sends the call to the server, which sees for whom it was meant.
func (d *detour) RoundTrip(r *http.Request) (*http.Response, error) {
	out := r.Clone(r.Context())
	out.Host = r.URL.Host
	out.URL.Scheme, out.URL.Host = "http", strings.TrimPrefix(d.s.http.URL, "http://")
	return d.s.http.Client().Transport.RoundTrip(out)
}

func (s *Server) home() string      { return "/dav/calendars/" + s.o.User + "/" }
func (s *Server) principal() string { return "/dav/principals/" + s.o.User + "/" }

// AddCalendar makes an empty calendar of the user's and returns its address. props are further properties as XML, by
// the name without its namespace, or other values of those that it has.
func (s *Server) AddCalendar(name string, props map[string]string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]string{
		"resourcetype":                     "<d:collection/><c:calendar/>",
		"displayname":                      name,
		"supported-calendar-component-set": `<c:comp name="VEVENT"/>`,
		"owner":                            "<d:href>" + s.principal() + "</d:href>",
		"current-user-principal":           "<d:href>" + s.principal() + "</d:href>",
		"current-user-privilege-set":       "<d:privilege><d:read/></d:privilege><d:privilege><d:write/></d:privilege>",
	}
	maps.Copy(all, props)
	s.calendars[s.home()+name+"/"] = &shelf{props: all, objects: map[string]stored{}, changed: map[string]int{}}
	return s.Home() + name + "/"
}

// Put has a client of the user's own put an object into the calendar.
func (s *Server) Put(calendar, object, data string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calendars[s.home()+calendar+"/"].put(object, data)
}

// Delete has a client of the user's own delete an object.
func (s *Server) Delete(calendar, object string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calendars[s.home()+calendar+"/"].remove(object)
}

// Objects are the calendar's, by name.
func (s *Server) Objects(calendar string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]string{}
	for name, o := range s.calendars[s.home()+calendar+"/"].objects {
		all[name] = o.data
	}
	return all
}

// Status has the server say what became of invitations to an attendee with a code of RFC 6638, 3.2.9: in the objects
// that stand, and in all that are written from now on. One that says of a failure sends none.
func (s *Server) Status(attendee, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.statuses[attendee] = code
	for _, c := range s.calendars {
		for name, o := range c.objects {
			if data := s.stamped(o.data); data != o.data {
				c.put(name, data)
			}
		}
	}
}

// stamped is the object with what the server says of its attendees.
func (s *Server) stamped(data string) string {
	lines := strings.Split(strings.ReplaceAll(data, "\r\n ", ""), "\r\n")
	for i, line := range lines {
		if to := attendees(line + "\r\n"); len(to) > 0 && s.statuses[to[0]] != "" {
			name, rest, _ := strings.Cut(line, ";")
			_, address, _ := strings.Cut(line, ":mailto:")
			before, _, stands := strings.Cut(rest, ";SCHEDULE-STATUS=")
			if !stands {
				before, _, _ = strings.Cut(rest, ":mailto:")
			}
			lines[i] = name + ";" + before + `;SCHEDULE-STATUS="` + s.statuses[to[0]] + `":mailto:` + address
		}
	}
	return strings.Join(lines, "\r\n")
}

// ForgetTokens makes all sync tokens invalid.
func (s *Server) ForgetTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.epoch++
}

// Fail has the next calls answered by f, that many of them; 0 is all.
func (s *Server) Fail(calls int, f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if calls == 0 {
		calls = -1
	}
	s.faults = append(s.faults, &fault{f, calls})
}

// LoseAnswer has the server do what the next call of the method asks, and hang up instead of answering.
func (s *Server) LoseAnswer(method string) {
	lost := false
	s.Fail(0, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != method || lost {
			return false
		}
		lost = true
		s.mu.Lock()
		defer s.mu.Unlock()
		s.answer(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	})
}

// Requests are the calls so far, each as its method and path, and forgets them.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.requests
	s.requests = nil
	return all
}

// Trusted are the hosts that were told a password.
func (s *Server) Trusted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.trusted))
}

// Sent are the messages to attendees so far.
func (s *Server) Sent() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent)
}

// ServeHTTP answers one call.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, password, hasAuth := r.BasicAuth()
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	if hasAuth {
		s.trusted[r.Host] = true
	}
	faults := s.due()
	s.mu.Unlock()
	for _, fail := range faults {
		if fail(w, r) {
			return
		}
	}
	if r.URL.Path == "/.well-known/caldav" {
		http.Redirect(w, r, "/dav/", http.StatusMovedPermanently)
		return
	}
	if user != s.o.User || password != s.o.Password {
		w.Header().Set("WWW-Authenticate", `Basic realm="calendar"`)
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer(w, r)
}

// due are the faults that this call meets, earliest first.
func (s *Server) due() (faults []Fault) {
	for _, f := range s.faults {
		if f.left != 0 {
			f.left--
			faults = append(faults, f.answer)
		}
	}
	return faults
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodOptions:
		w.Header().Set("DAV", "1, 2, 3, calendar-access")
		if s.o.Schedules {
			w.Header().Add("DAV", "calendar-schedule, calendar-auto-schedule")
		}
	case "PROPFIND":
		s.propfind(w, r)
	case "REPORT":
		s.report(w, r)
	case http.MethodPut:
		s.write(w, r)
	case http.MethodDelete:
		s.remove(w, r)
	default:
		http.Error(w, "not allowed", http.StatusMethodNotAllowed)
	}
}

func (c *shelf) put(name, data string) stored {
	c.version++
	c.changed[name] = c.version
	o := stored{data, strconv.Quote(fmt.Sprintf("%s-%d", name, c.version))}
	c.objects[name] = o
	return o
}

func (c *shelf) remove(name string) {
	c.version++
	c.changed[name] = c.version
	delete(c.objects, name)
}

// at is the calendar and the name of the object at the path.
func (s *Server) at(p string) (c *shelf, name string) {
	folder, name := path.Split(p)
	return s.calendars[folder], name
}

// allowed checks the conditions of a change.
func allowed(r *http.Request, o stored, exists bool) bool {
	if r.Header.Get("If-None-Match") == "*" && exists {
		return false
	}
	match := r.Header.Get("If-Match")
	return match == "" || exists && (match == "*" || match == o.etag)
}

func (s *Server) write(w http.ResponseWriter, r *http.Request) {
	c, name := s.at(r.URL.Path)
	if c == nil {
		http.Error(w, "no such calendar", http.StatusConflict)
		return
	}
	data := body(r)
	object, err := icalendar.ReadObject([]byte(data))
	if err != nil || strings.Contains(data, "\nMETHOD:") {
		refuse(w, "<c:valid-calendar-object-resource/>")
		return
	}
	before, exists := c.objects[name]
	if !allowed(r, before, exists) {
		http.Error(w, "precondition", http.StatusPreconditionFailed)
		return
	}
	for other, o := range c.objects {
		if one, err := icalendar.ReadObject([]byte(o.data)); other != name && err == nil && one.UID == object.UID {
			refuse(w, "<c:no-uid-conflict/>")
			return
		}
	}
	s.tell("REQUEST", before.data, data)
	written := data
	if s.o.Schedules {
		written = s.stamped(data)
	}
	o := c.put(name, written)
	if !s.o.NoETag && written == data { // RFC 4791, 5.3.4: none for what was changed
		w.Header().Set("ETag", o.etag)
	}
	w.WriteHeader(http.StatusCreated)
}

func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	c, name := s.at(r.URL.Path)
	if c == nil || c.objects[name].data == "" {
		http.NotFound(w, r)
		return
	}
	before := c.objects[name]
	if !allowed(r, before, true) {
		http.Error(w, "precondition", http.StatusPreconditionFailed)
		return
	}
	s.tell("CANCEL", before.data, "")
	c.remove(name)
	w.WriteHeader(http.StatusNoContent)
}

// tell sends messages about a change to everyone who attends before or after it (RFC 6638, 3.2.1).
func (s *Server) tell(method, before, after string) {
	if !s.o.Schedules {
		return
	}
	was, _ := icalendar.ReadObject([]byte(before))
	is, err := icalendar.ReadObject([]byte(after))
	if err != nil {
		is = was
	}
	for _, to := range attendees(after) {
		if code := s.statuses[to]; strings.HasPrefix(code, "3") || strings.HasPrefix(code, "5") {
			continue
		}
		s.sent = append(s.sent, Message{method, is.UID, is.Sequence, to})
	}
	for _, to := range attendees(before) {
		if !slices.Contains(attendees(after), to) {
			s.sent = append(s.sent, Message{"CANCEL", was.UID, was.Sequence, to})
		}
	}
}

// attendees are the addresses that an object names.
func attendees(data string) (list []string) {
	for line := range strings.Lines(strings.ReplaceAll(data, "\r\n ", "")) {
		if strings.HasPrefix(line, "ATTENDEE") {
			_, address, _ := strings.Cut(strings.TrimSpace(line), "mailto:")
			list = append(list, address)
		}
	}
	return list
}
