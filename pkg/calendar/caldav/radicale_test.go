package caldav_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/caldav"
	"convene/pkg/calendar/caldav/radicaletest"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/testenv"
)

// radicale is one server for all tests of the binary. Each test has a user to itself.
var radicale radicaletest.Server

func TestMain(m *testing.M) {
	code := m.Run()
	radicale.Stop()
	os.Exit(code)
}

// zones are the definitions that an object has to have on a server (RFC 4791, 4.1); Radicale refuses some without.
const zones = "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n" +
	"BEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n" +
	"TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nTZNAME:CET\r\nEND:STANDARD\r\n" +
	"BEGIN:DAYLIGHT\r\nDTSTART:19700329T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n" +
	"TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nTZNAME:CEST\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n" +
	"BEGIN:VTIMEZONE\r\nTZID:America/Los_Angeles\r\n" +
	"BEGIN:STANDARD\r\nDTSTART:19701101T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU\r\n" +
	"TZOFFSETFROM:-0700\r\nTZOFFSETTO:-0800\r\nTZNAME:PST\r\nEND:STANDARD\r\n" +
	"BEGIN:DAYLIGHT\r\nDTSTART:19700308T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\n" +
	"TZOFFSETFROM:-0800\r\nTZOFFSETTO:-0700\r\nTZNAME:PDT\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n"

// real is the owner with an account on the real server.
type real struct {
	*caldav.Calendar
	accounts *accounts
	user     string
	calls    *calls
}

// calls remembers the methods of calls.
type calls struct {
	mu   sync.Mutex
	made []string
}

// RoundTrip makes the call.
func (c *calls) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.made = append(c.made, r.Method)
	c.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

// take is what was called since the last time.
func (c *calls) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	made := c.made
	c.made = nil
	return made
}

// connectRadicale gives the person an account on the real server, with one calendar in which these events are.
func connectRadicale(t *testing.T, person meet.Person, events ...calendartest.Event) *real {
	t.Helper()
	r := &real{user: radicale.User(t), calls: &calls{}}
	r.do(t, "MKCALENDAR", "", "")
	for i, e := range events {
		r.put(t, fmt.Sprintf("%d.ics", i), string(calendartest.ICS(person, e)))
	}
	r.accounts = &accounts{cred: account.Credential{Username: r.user, Password: radicaletest.Password}}
	r.Calendar = caldav.New(caldav.Config{Accounts: r.accounts, Client: client(r.calls), Now: now})
	home, address, calendars, err := r.Discover(t.Context(), radicale.URL(), r.accounts.cred)
	if err != nil {
		t.Fatalf("Discover: %v", err)
	}
	r.accounts.all = []account.Account{{
		ID: account.ID(r.user), Person: person.ID, Provider: account.CalDAV, Address: address, Server: home,
		Calendars: calendars,
	}}
	return r
}

// do has another client of the user's own do something with the calendar or an object in it.
func (r *real) do(t *testing.T, method, object, body string) {
	t.Helper()
	path := "/" + r.user + "/work/" + object
	if _, err := radicale.Call(context.WithoutCancel(t.Context()), r.user, method, path, body); err != nil {
		t.Fatal(err)
	}
}

func (r *real) put(t *testing.T, object, file string) {
	t.Helper()
	r.do(t, "PUT", object, strings.Replace(file, "BEGIN:VEVENT", zones+"BEGIN:VEVENT", 1))
}

func TestContractOnRadicale(t *testing.T) {
	t.Parallel()
	testenv.Require(t, "radicale")
	calendartest.TestLocatingProvider(t, func(t *testing.T, owner meet.Person,
		events ...calendartest.Event) calendar.Provider {
		t.Helper()
		return connectRadicale(t, owner, events...).Calendar
	})
}

func TestAmendmentsOnRadicale(t *testing.T) {
	t.Parallel()
	testenv.Require(t, "radicale")
	calendartest.TestAmender(t, func(t *testing.T, owner meet.Person, events ...calendartest.Event) calendartest.Kept {
		t.Helper()
		r := connectRadicale(t, owner, events...)
		// The objects of the events are called 0.ics and so on; each test has one.
		return calendartest.Kept{
			Amender: r.Calendar,
			Dump:    func(t *testing.T) string { t.Helper(); return r.get(t, "") },
			Foreign: func(t *testing.T, _ string) []string {
				t.Helper()
				return calendartest.ForeignIn(r.get(t, "0.ics"))
			},
			Retitle: func(t *testing.T, _, title string) {
				t.Helper()
				r.do(t, "PUT", "0.ics", summary.ReplaceAllString(r.get(t, "0.ics"), "SUMMARY:"+title+"\r\n"))
			},
			Remove: func(t *testing.T, _ string) { t.Helper(); r.do(t, "DELETE", "0.ics", "") },
		}
	}, nil)
}

var summary = regexp.MustCompile("SUMMARY:.*\r?\n")

// get is an object, or the whole calendar, as the server has it.
func (r *real) get(t *testing.T, object string) string {
	t.Helper()
	body, err := radicale.Call(context.WithoutCancel(t.Context()), r.user, "GET", "/"+r.user+"/work/"+object, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// The server selects by time, and nothing gets lost in that: day by day, the answer is that of the files themselves.
func TestRadicaleSelectsEverythingThatMatters(t *testing.T) {
	t.Parallel()
	owner := calendartest.Owner()
	r := connectRadicale(t, owner)
	files := []string{
		vevent("DTSTART;VALUE=DATE:20260305", "DURATION:P5D"),
		vevent("DTSTART;TZID=Europe/Berlin:20260201T090000", "DURATION:P31D", "RRULE:FREQ=MONTHLY;COUNT=2"),
		vevent("DTSTART;VALUE=DATE:20250301", "DURATION:P2D", "RRULE:FREQ=WEEKLY"),
		vevent("DTSTART:20260314T233000", "DTEND:20260315T003000"),
		vevent("DTSTART;TZID=America/Los_Angeles:20260317T200000", "DTEND;TZID=America/Los_Angeles:20260317T230000"),
		vevent("DTSTART;TZID=Europe/Berlin:20240101T120000", "DURATION:PT1H",
			"RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
		vevent("DTSTART;TZID=Europe/Berlin:20260320T120000", "DURATION:PT1H",
			"RDATE;TZID=Europe/Berlin:20260322T070000,20260326T070000"),
		vevent("DTSTART;TZID=Europe/Berlin:20260301T160000", "DURATION:PT1H", "RRULE:FREQ=DAILY;UNTIL=20260310T235959Z",
			"EXDATE;TZID=Europe/Berlin:20260303T160000", "END:VEVENT", "BEGIN:VEVENT", "UID:damaged",
			"RECURRENCE-ID;TZID=Europe/Berlin:20260304T160000", "DTSTART;TZID=Europe/Berlin:20260328T160000", "DURATION:PT2H"),
	}
	var schedules []*icalendar.Schedule
	for i, file := range files {
		file = strings.ReplaceAll(file, "UID:damaged", fmt.Sprintf("DTSTAMP:20260101T000000Z\r\nUID:event%d", i))
		r.put(t, fmt.Sprintf("%d.ics", i), file)
		s, err := icalendar.Parse([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		schedules = append(schedules, s)
	}
	for day := 1; day <= 31; day++ {
		span := interval.Span{Start: berlin(day, 0), End: berlin(day+1, 0)}
		got, err := r.Times(t.Context(), owner, span, "")
		if err != nil {
			t.Fatalf("Times: %v", err)
		}
		var want interval.Set
		for _, s := range schedules {
			one, _, err := s.Instances(t.Context(), span, icalendar.Owner{Zone: owner.Zone()})
			if err != nil {
				t.Fatal(err)
			}
			for _, taken := range one {
				want = want.Union(interval.NewSet(taken.Span).Within(span))
			}
		}
		if !sameSet(got.Busy, want) || len(got.Unknown) > 0 {
			t.Errorf("March %d: got %v, want %v", day, got, want)
		}
	}
}

// The real server's sync report, its deletions and a token that it never gave.
func TestSyncOnRadicale(t *testing.T) {
	t.Parallel()
	owner := calendartest.Owner()
	r := connectRadicale(t, owner, event("1", 3, 10, 11), event("2", 4, 10, 11))
	sync := func(last calendar.Snapshot) calendar.Snapshot {
		t.Helper()
		s, err := r.Sync(t.Context(), owner, march, last)
		if err != nil {
			t.Fatalf("Sync: %v", err)
		}
		return s
	}
	last := sync(calendar.Snapshot{})
	r.do(t, "DELETE", "0.ics", "")
	r.put(t, "1.ics", string(calendartest.ICS(owner, event("2", 5, 10, 11))))
	r.put(t, "2.ics", string(calendartest.ICS(owner, event("3", 6, 10, 11))))
	want := interval.NewSet(hours(5, 10, 11), hours(6, 10, 11))
	for name, s := range map[string]calendar.Snapshot{"on": sync(last), "anew": sync(calendar.Snapshot{})} {
		if got := s.Times("").Busy; !sameSet(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	for id, mark := range last.Marks {
		last.Marks[id] = mark + "0"
	}
	if got := sync(last).Times("").Busy; !sameSet(got, want) {
		t.Errorf("with a token that the server does not know: got %v, want %v", got, want)
	}
}

// On the real server: one event whatever its object is called, versions, and many who write at the same time.
func TestWritingOnRadicale(t *testing.T) {
	t.Parallel()
	owner := calendartest.Owner()
	r := connectRadicale(t, owner, event(uid, 3, 10, 11))
	busy := func(want ...interval.Span) {
		t.Helper()
		got, err := r.Times(t.Context(), owner, march, "")
		if err != nil || !sameSet(got.Busy, interval.NewSet(want...)) {
			t.Errorf("got %v, %v, want %v", got.Busy, err, want)
		}
	}
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			if _, err := r.Write(t.Context(), entry(1, 4)); err != nil {
				t.Errorf("Write: %v", err)
			}
		})
	}
	wg.Wait()
	busy(hours(4, 10, 11))
	r.calls.take()
	if _, err := r.Write(t.Context(), entry(1, 4)); err != nil {
		t.Errorf("Write: %v", err)
	}
	if got := r.calls.take(); slices.Contains(got, "PUT") {
		t.Errorf("what says the same in the server's words was written again: %v", got)
	}
	if _, err := r.Write(t.Context(), entry(0, 5)); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("Write of an older version: got %v, want a conflict", err)
	}
	if invites, err := r.Invites(t.Context(), owner); invites || err != nil {
		t.Errorf("Invites: got %t, %v", invites, err)
	}
	if err := r.Remove(t.Context(), entry(1, 4)); err != nil {
		t.Errorf("Remove: %v", err)
	}
	busy()
}

func TestWrongPasswordOnRadicale(t *testing.T) {
	t.Parallel()
	r := connectRadicale(t, calendartest.Owner())
	r.accounts.cred.Password = "wrong"
	_, err := r.Times(t.Context(), calendartest.Owner(), march, "")
	if got := fault.As(err).Message; got != "reconnect the CalDAV calendar" {
		t.Errorf("Times: got %v", err)
	}
	_, _, _, err = r.Discover(t.Context(), radicale.URL(), r.accounts.cred)
	if got := fault.As(err).Field; got != "password" {
		t.Errorf("Discover: got %v", err)
	}
}
