package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/calendar/caldav/radicaletest"
	"convene/pkg/calendar/google/googletest"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/calendar/microsoft/microsofttest"
	"convene/pkg/interval"
)

// keeper is one person's calendar at one provider, as its owner sees it there.
type keeper interface {
	// settings are what Convene has to be told of the provider.
	settings() []string
	// connect connects the calendar to Convene, as its owner does.
	connect(w *town, person, access string)
	// put enters an event, or changes the one with the UID, without Convene; at no time it is taken out.
	put(uid string, at interval.Span)
	// events are all that stand there.
	events() []entry
	// told is what the provider has sent to guests, as "al@example.com: invited".
	told() []string
}

// entry is an event as its calendar has it. The UID is what guests get to see.
type entry struct {
	ID, UID string
	At      interval.Span
	Guests  []string
}

// The messages that guests get.
const (
	invited   = ": invited"
	changed   = ": told of a change"
	cancelled = ": cancelled"
)

// viaBrowser connects in a browser, in which the calendar's owner is signed in.
func viaBrowser(w *town, person, provider, access string) {
	w.Helper()
	address := publicURL + "/v1/people/" + person + "/calendars/" + provider + "/connect"
	if access != "" {
		address += "?access=" + access
	}
	if status, page := w.visit(address); status != http.StatusOK || !strings.Contains(page, "The calendar is connected") {
		w.Fatalf("connecting %s: %d %s", provider, status, page)
	}
}

// door stands before a calendar server, and may answer in its place.
type door struct {
	*httptest.Server

	mu sync.Mutex
	// refuses gives the status with which a call is answered, 0 where it is let through.
	refuses func(*http.Request) int
}

func newDoor(t *testing.T, server string) *door {
	t.Helper()
	target, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	behind := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: target.Scheme, Host: target.Host})
	d := &door{}
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status := d.status(r); status != 0 {
			http.Error(w, "Private: not now", status)
			return
		}
		behind.ServeHTTP(w, r)
	}))
	t.Cleanup(d.Close)
	return d
}

func (d *door) status(r *http.Request) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refuses == nil {
		return 0
	}
	return d.refuses(r)
}

func (d *door) guard(refuses func(*http.Request) int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refuses = refuses
}

// shut has every call answered with the status.
func (d *door) shut(status int) { d.guard(func(*http.Request) int { return status }) }

// open lets all calls through again.
func (d *door) open() { d.guard(nil) }

// refuseWrites answers that many calls that add an event with the status, and lets all others through.
func (d *door) refuseWrites(times, status int) {
	d.guard(func(r *http.Request) int {
		adds := r.Method == http.MethodPut || r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/events")
		if !adds || times == 0 {
			return 0
		}
		times--
		return status
	})
}

type googleKeeper struct {
	t *testing.T
	*googletest.Server
	*door
	oauth *authority
	email string
}

func newGoogleKeeper(t *testing.T, email string) *googleKeeper {
	t.Helper()
	s := googletest.New(t)
	s.User(email, "America/Los_Angeles")
	return &googleKeeper{
		t: t, Server: s, door: newDoor(t, s.URL), email: email, oauth: newAuthority(t, email, s.Accept, s.Expire),
	}
}

func (k *googleKeeper) settings() []string {
	return []string{
		"--google-client-id=client-1", "--google-client-secret=" + clientSecret, "--google-endpoint=" + k.door.URL,
		"--google-oauth-url=" + k.oauth.URL,
	}
}

func (k *googleKeeper) connect(w *town, person, access string) {
	viaBrowser(w, person, "google", access)
}

func (k *googleKeeper) put(uid string, at interval.Span) {
	status := "confirmed"
	if at.Empty() {
		status = "cancelled"
	}
	k.Put(k.t, k.email, fmt.Sprintf(
		`{"id": %q, "iCalUID": %q, "summary": "Private", "status": %q, "start": {"dateTime": %q}, "end": {"dateTime": %q}}`,
		nameOf(uid), uid, status, at.Start.Format(time.RFC3339), at.End.Format(time.RFC3339)))
}

func (k *googleKeeper) events() (all []entry) {
	for _, id := range k.IDs(k.email) {
		var e struct {
			ICalUID    string `json:"iCalUID"`
			Start, End struct{ DateTime time.Time }
			Attendees  []struct {
				Email string
				Self  bool
			}
		}
		if err := json.Unmarshal([]byte(k.Event(k.email, id)), &e); err != nil {
			k.t.Fatal(err)
		}
		one := entry{ID: id, UID: e.ICalUID, At: interval.Span{Start: e.Start.DateTime, End: e.End.DateTime}}
		for _, a := range e.Attendees {
			if a.Email != k.email {
				one.Guests = append(one.Guests, a.Email)
			}
		}
		all = append(all, one)
	}
	return all
}

func (k *googleKeeper) told() []string { return k.Told() }

type microsoftKeeper struct {
	*microsofttest.Server
	*door
	oauth *authority
	box   *microsofttest.Mailbox
}

func newMicrosoftKeeper(t *testing.T, email string) *microsoftKeeper {
	t.Helper()
	s := microsofttest.New(t)
	box := s.Mailbox(email, "nobody has this one")
	return &microsoftKeeper{s, newDoor(t, s.Endpoint), newAuthority(t, email,
		func(token, _ string) { box.Accept(token) }, box.Refuse), box}
}

func (k *microsoftKeeper) settings() []string {
	return []string{
		"--microsoft-client-id=client-1", "--microsoft-client-secret=" + clientSecret,
		"--microsoft-endpoint=" + k.URL + "/v1.0",
		"--microsoft-oauth-url=" + k.oauth.URL,
	}
}

func (k *microsoftKeeper) connect(w *town, person, access string) {
	viaBrowser(w, person, "microsoft", access)
}

func (k *microsoftKeeper) put(uid string, at interval.Span) {
	if at.Empty() {
		k.box.Delete(k.box.Main(), nameOf(uid))
		return
	}
	k.box.Put(k.box.Main(), microsofttest.Event{
		ID: nameOf(uid), ICalUID: uid, Subject: "Private", Start: at.Start, End: at.End, Invited: true,
	})
}

func (k *microsoftKeeper) events() (all []entry) {
	for _, e := range k.box.Events(k.box.Main()) {
		one := entry{ID: e.ID, UID: e.ICalUID, At: interval.Span{Start: e.Start, End: e.End}}
		one.Guests = slices.Clone(e.Attendees)
		for _, g := range e.Guests {
			one.Guests = append(one.Guests, g.Email)
		}
		all = append(all, one)
	}
	return all
}

func (k *microsoftKeeper) told() (all []string) {
	as := map[string]string{"invitation": invited, "update": changed, "cancellation": cancelled}
	for _, m := range k.Sent() {
		all = append(all, m.To+as[m.Kind])
	}
	return all
}

// davKeeper is a CalDAV server that invites.
type davKeeper struct {
	t *testing.T
	*caldavtest.Server
	*door
}

func newDAVKeeper(t *testing.T, email string) *davKeeper {
	t.Helper()
	s := caldavtest.Start(t, caldavtest.Options{
		User: "ola", Password: "password-s3cr3t", Addresses: []string{"mailto:" + email}, Schedules: true,
	})
	s.AddCalendar("main", nil)
	return &davKeeper{t, s, newDoor(t, s.URL())}
}

func (k *davKeeper) settings() []string { return nil }

func (k *davKeeper) connect(w *town, person, _ string) {
	w.Helper()
	w.mustPost("/v1/people/"+person+"/calendars/caldav", fmt.Sprintf(
		`{"server": %q, "username": "ola", "password": "password-s3cr3t"}`, k.door.URL))
}

func (k *davKeeper) put(uid string, at interval.Span) {
	if at.Empty() {
		k.Delete("main", nameOf(uid)+".ics")
		return
	}
	k.Put("main", nameOf(uid)+".ics", calendarOf(map[string]interval.Span{uid: at}))
}

func (k *davKeeper) events() []entry { return entriesOf(k.t, k.Objects("main")) }

func (k *davKeeper) told() (all []string) {
	known := map[string]bool{}
	for _, m := range k.Sent() {
		switch {
		case m.Method == "CANCEL":
			all = append(all, m.To+cancelled)
		case known[m.To+m.UID]:
			all = append(all, m.To+changed)
		default:
			all = append(all, m.To+invited)
		}
		known[m.To+m.UID] = true
	}
	return all
}

// radicaleKeeper is a calendar on a real server, which invites nobody.
type radicaleKeeper struct {
	t      *testing.T
	server *radicaletest.Server
	user   string
}

func newRadicaleKeeper(t *testing.T, server *radicaletest.Server) *radicaleKeeper {
	t.Helper()
	k := &radicaleKeeper{t, server, server.User(t)}
	k.call("MKCALENDAR", "", "")
	return k
}

func (k *radicaleKeeper) call(method, object, body string) []byte {
	k.t.Helper()
	answer, err := k.server.Call(context.WithoutCancel(k.t.Context()), k.user, method, "/"+k.user+"/work/"+object, body)
	if err != nil {
		k.t.Fatal(err)
	}
	return answer
}

func (k *radicaleKeeper) settings() []string { return nil }

func (k *radicaleKeeper) connect(w *town, person, _ string) {
	w.Helper()
	w.mustPost("/v1/people/"+person+"/calendars/caldav", fmt.Sprintf(
		`{"server": %q, "username": %q, "password": %q}`, k.server.URL(), k.user, radicaletest.Password))
}

func (k *radicaleKeeper) put(uid string, at interval.Span) {
	if at.Empty() {
		k.call(http.MethodDelete, nameOf(uid)+".ics", "")
		return
	}
	k.call(http.MethodPut, nameOf(uid)+".ics", calendarOf(map[string]interval.Span{uid: at}))
}

func (k *radicaleKeeper) events() []entry {
	var answer struct {
		Responses []struct {
			Href string `xml:"DAV: href"`
			Data string `xml:"propstat>prop>calendar-data"`
		} `xml:"DAV: response"`
	}
	body := k.call("REPORT", "", `<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">`+
		`<d:prop><c:calendar-data/></d:prop><c:filter><c:comp-filter name="VCALENDAR"/></c:filter></c:calendar-query>`)
	if err := xml.Unmarshal(body, &answer); err != nil {
		k.t.Fatal(err)
	}
	objects := map[string]string{}
	for _, r := range answer.Responses {
		objects[r.Href] = r.Data
	}
	return entriesOf(k.t, objects)
}

func (k *radicaleKeeper) told() []string { return nil }

// feedKeeper is a calendar that is published at a secret address. Nothing can be written to it.
type feedKeeper struct {
	*door

	mu  sync.Mutex
	own map[string]interval.Span
}

const feedPath = "/feed-s3cr3t.ics"

func newFeedKeeper(t *testing.T) *feedKeeper {
	t.Helper()
	k := &feedKeeper{own: map[string]interval.Span{}}
	server := httptest.NewServer(k)
	t.Cleanup(server.Close)
	k.door = newDoor(t, server.URL)
	return k
}

// ServeHTTP serves the feed to every client that knows its address.
func (k *feedKeeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.Method != http.MethodGet || r.URL.Path != feedPath {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	_, _ = fmt.Fprint(w, calendarOf(k.own)) // the reader may have gone
}

func (k *feedKeeper) settings() []string { return nil }

func (k *feedKeeper) connect(w *town, person, _ string) {
	w.Helper()
	w.mustPost("/v1/people/"+person+"/calendars/ics", fmt.Sprintf(`{"url": %q, "name": "Timetable"}`, k.URL+feedPath))
}

func (k *feedKeeper) put(uid string, at interval.Span) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.own[uid] = at
	if at.Empty() {
		delete(k.own, uid)
	}
}

func (k *feedKeeper) events() (all []entry) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for uid, at := range k.own {
		all = append(all, entry{ID: uid, UID: uid, At: at})
	}
	return all
}

func (k *feedKeeper) told() []string { return nil }

// localKeeper is a file that the server reads when it starts. What Convene books stands in its own book.
type localKeeper struct {
	feedKeeper
}

func newLocalKeeper() *localKeeper {
	return &localKeeper{feedKeeper{own: map[string]interval.Span{}}}
}

func (k *localKeeper) connect(*town, string, string) {}

// nameOf is what an event with that UID is called where a UID is no name.
func nameOf(uid string) string { return strings.NewReplacer("@", "0", ".", "0").Replace(uid) }

// calendarOf is a calendar with events at these times, by their UIDs.
func calendarOf(events map[string]interval.Span) string {
	const stamp = "20060102T150405Z"
	var out strings.Builder
	out.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n")
	for uid, at := range events {
		fmt.Fprintf(&out, "BEGIN:VEVENT\r\nUID:%s\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:%s\r\nDTEND:%s\r\n"+
			"SUMMARY:Private\r\nEND:VEVENT\r\n",
			uid, at.Start.UTC().Format(stamp), at.End.UTC().Format(stamp))
	}
	out.WriteString("END:VCALENDAR\r\n")
	return out.String()
}

// entriesOf are the events in the objects of a CalDAV calendar.
func entriesOf(t *testing.T, objects map[string]string) (all []entry) {
	t.Helper()
	for name, data := range objects {
		object, err := icalendar.ReadObject([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		schedule, err := icalendar.Parse([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		year := interval.Span{
			Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), End: time.Date(2027, 12, 31, 0, 0, 0, 0, time.UTC),
		}
		busy, _, err := schedule.Instances(t.Context(), year, icalendar.Owner{Zone: time.UTC})
		if err != nil || len(busy) != 1 {
			t.Fatalf("%s: %v, %v", data, busy, err)
		}
		one := entry{ID: name, UID: object.UID, At: busy[0].Span}
		for line := range strings.Lines(strings.ReplaceAll(data, "\r\n ", "")) {
			_, address, names := strings.Cut(strings.TrimSpace(line), "mailto:")
			if names && strings.HasPrefix(line, "ATTENDEE") {
				one.Guests = append(one.Guests, address)
			}
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.ID, b.ID) })
	return all
}
