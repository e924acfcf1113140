package microsoft_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/microsoft"
	"convene/pkg/calendar/microsoft/microsofttest"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// payload is a documented answer of Graph's, or a request.
func payload(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "payloads", "microsoft", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// recorded is a calendar whose server answers each path with a payload.
func recorded(t *testing.T, answers map[string]string) *microsoft.Calendar {
	t.Helper()
	w := open(t, calendartest.Owner())
	w.server.Before(func(rw http.ResponseWriter, r *http.Request) bool {
		name, known := answers[r.Method+" "+r.URL.RequestURI()]
		if !known {
			name, known = answers[r.Method+" "+r.URL.Path]
		}
		if !known {
			t.Errorf("unexpected request %s %s", r.Method, r.URL.RequestURI())
			return false
		}
		body := strings.ReplaceAll(payload(t, name), "https://graph.microsoft.com/v1.0", w.server.Endpoint)
		rw.Header().Set("Content-Type", "application/json;odata.metadata=minimal")
		_, _ = rw.Write([]byte(body))
		return true
	})
	return w.Calendar
}

// microsoftWith is the world's calendar with these chosen.
func microsoftWith(t *testing.T, w world, chosen []account.Calendar) *microsoft.Calendar {
	t.Helper()
	accounts := &calendartest.Connections{}
	accounts.Connect(account.Account{
		Provider: account.Microsoft, ID: "a1", Person: "owner", Address: address, Calendars: chosen,
	}, token)
	c, err := microsoft.New(microsoft.Config{Accounts: accounts, Endpoint: w.server.Endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWhatEventsMean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		e    microsofttest.Event
		want interval.State
	}{
		{"busy", microsofttest.Event{ShowAs: "busy"}, interval.Busy},
		{"tentative", microsofttest.Event{ShowAs: "tentative"}, interval.Busy},
		{"out of office", microsofttest.Event{ShowAs: "oof"}, interval.Busy},
		{"unknown", microsofttest.Event{ShowAs: "unknown"}, interval.Busy},
		{"a word of tomorrow's", microsofttest.Event{ShowAs: "onTheMoon"}, interval.Busy},
		{"free", microsofttest.Event{ShowAs: "free"}, interval.Free},
		{"working elsewhere", microsofttest.Event{ShowAs: "workingElsewhere"}, interval.Free},
		{"cancelled", microsofttest.Event{Cancelled: true}, interval.Free},
		{"declined", microsofttest.Event{Response: "declined", Invited: true}, interval.Free},
		{"not answered", microsofttest.Event{Response: "notResponded", Invited: true}, interval.Busy},
		{"accepted tentatively", microsofttest.Event{Response: "tentativelyAccepted", Invited: true}, interval.Busy},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := open(t, calendartest.Owner())
			c.e.Start, c.e.End = at(9), at(10)
			w.mailbox.Put(w.mailbox.Main(), c.e)
			a, err := w.Times(t.Context(), calendartest.Owner(), span(8, 18), "")
			if err != nil || a.State(span(9, 10)) != c.want {
				t.Errorf("got %v, %v; want %v", a, err, c.want)
			}
		})
	}
}

// What is asked for tells free from busy and the coordinates, and nothing of what the
// event is about.
func TestWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner(), calendartest.Event{UID: "1", Title: "Secret plan", Start: at(9), End: at(10)})
	if _, err := w.Times(t.Context(), calendartest.Owner(), span(8, 18), ""); err != nil {
		t.Fatal(err)
	}
	for _, call := range w.server.Calls() {
		for _, private := range []string{"subject", "body", "attendees", "organizer", "%24", "+"} {
			if strings.Contains(call.Query, private) {
				t.Errorf("%q is in the question %s", private, call.Query)
			}
		}
		for _, want := range []string{`outlook.timezone="UTC"`, `IdType="ImmutableId"`} {
			if !slices.Contains(call.Prefer, want) {
				t.Errorf("preferences %q lack %s", call.Prefer, want)
			}
		}
	}
}

func TestManyPages(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	for hour := range 12 {
		w.mailbox.Put(w.mailbox.Main(), microsofttest.Event{Start: at(2 * hour), End: at(2*hour + 1)})
	}
	a, err := w.Times(t.Context(), calendartest.Owner(), span(0, 24), "")
	if err != nil || len(a.Busy) != 12 {
		t.Errorf("got %v, %v; want 12 busy times", a, err)
	}
	if calls := w.server.Calls(); len(calls) != 6 {
		t.Errorf("%d requests, want 6 pages", len(calls))
	}
}

func TestDocumentedCalendarView(t *testing.T) {
	t.Parallel()
	c := recorded(t, map[string]string{
		"GET /v1.0/me/calendarView":                "calendarview.json",
		"GET /v1.0/me/calendarView?$skiptoken=two": "calendarview_last.json",
	})
	got, err := c.Times(t.Context(), calendartest.Owner(), interval.Span{
		Start: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), End: time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC),
	}, "19rh93h5t893h5v@calendar.icloud.com")
	if err != nil {
		t.Fatal(err)
	}
	utc := func(d, h, m int) time.Time { return time.Date(2026, 3, d, h, m, 0, 0, time.UTC) }
	want := interval.NewSet(
		interval.Span{Start: utc(3, 9, 0), End: utc(3, 10, 30)},   // in UTC, as was preferred
		interval.Span{Start: utc(4, 17, 0), End: utc(4, 18, 0)},   // in Pacific time all the same
		interval.Span{Start: utc(5, 8, 0), End: utc(6, 8, 0)},     // a whole day in the zone it was made in
		interval.Span{Start: utc(6, 23, 0), End: utc(7, 23, 0)},   // a whole day made in UTC is the owner's
		interval.Span{Start: utc(8, 23, 0), End: utc(9, 23, 0)},   // a whole day told as moments
		interval.Span{Start: utc(9, 23, 30), End: utc(9, 23, 45)}, // on the last page
	)
	if diff := cmp.Diff(interval.Availability{Busy: want}, inUTC(got.Availability)); diff != "" {
		t.Errorf("availability (-want +got):\n%s", diff)
	}
}

func inUTC(a interval.Availability) interval.Availability {
	for i, s := range a.Busy {
		a.Busy[i] = interval.Span{Start: s.Start.UTC(), End: s.End.UTC()}
	}
	return a
}

func TestDocumentedDelta(t *testing.T) {
	t.Parallel()
	c := recorded(t, map[string]string{
		"GET /v1.0/me/calendarView/delta":                         "delta.json",
		"GET /v1.0/me/calendarView/delta?$skiptoken=R0usmcCM996a": "delta_last.json",
		"GET /v1.0/me/calendarView/delta?$deltatoken=R0usmcMDNG":  "delta_changes.json",
	})
	whole := interval.Span{Start: at(0), End: at(0).AddDate(0, 0, 14)}
	first, err := c.Sync(t.Context(), calendartest.Owner(), whole, calendar.Snapshot{})
	if err != nil {
		t.Fatal(err)
	}
	ids := func(s calendar.Snapshot) (ids []string) {
		for _, b := range s.Blocks {
			ids = append(ids, b.ID+" "+b.UID+" "+b.Span.Start.UTC().Format("02T15:04"))
		}
		return ids
	}
	// The occurrences of the weekly series inherit; those of the series that is shown as free do not block.
	want := []string{"AAMkSingle= single@example.com 03T09:00", "AAMkOcc1= weekly@example.com 04T09:00",
		"AAMkExc= weekly@example.com 12T11:00", "AAMkOrphan=  05T09:00"}
	if diff := cmp.Diff(want, ids(first)); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}
	second, err := c.Sync(t.Context(), calendartest.Owner(), whole, first)
	if err != nil {
		t.Fatal(err)
	}
	want = []string{"AAMkOcc1= weekly@example.com 04T09:00", "AAMkExc= weekly@example.com 12T11:00",
		"AAMkOrphan=  05T09:00", "AAMkNew= ours@convene 06T09:00"}
	if diff := cmp.Diff(want, ids(second)); diff != "" {
		t.Errorf("second (-want +got):\n%s", diff)
	}
}

func TestWholeDayIsOfTheCalendarsZoneWhereItIsKnown(t *testing.T) {
	t.Parallel()
	for zone, want := range map[string]interval.Span{
		"":              {Start: at(0).Add(-time.Hour), End: at(23)},
		"Mars/Olympus":  {Start: at(0).Add(-time.Hour), End: at(23)},
		"Asia/Tokyo":    {Start: at(0).Add(-9 * time.Hour), End: at(15)},
		"Pacific/Niue":  {Start: at(11), End: at(11).AddDate(0, 0, 1)},
		"Europe/Lisbon": span(0, 24),
	} {
		w := open(t, calendartest.Owner())
		w.mailbox.Put(w.mailbox.Main(), microsofttest.Event{Start: at(0), End: at(24), AllDay: true})
		c := microsoftWith(t, w, []account.Calendar{{ID: w.mailbox.Main().ID, Blocks: true, Timezone: zone}})
		got, err := c.Times(t.Context(), calendartest.Owner(), want.Widen(2*time.Hour, 2*time.Hour), "")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(interval.NewSet(want), inUTC(got.Availability).Busy); diff != "" {
			t.Errorf("%s (-want +got):\n%s", zone, diff)
		}
	}
}

func TestSeveralCalendarsAreMerged(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	work := w.mailbox.Add(microsofttest.Calendar{Name: "Work"})
	hobby := w.mailbox.Add(microsofttest.Calendar{Name: "Hobby"})
	booked := w.mailbox.Add(microsofttest.Calendar{Name: "Convene"})
	for i, c := range []*microsofttest.Calendar{w.mailbox.Main(), work, hobby, booked} {
		w.mailbox.Put(c, microsofttest.Event{Start: at(9 + i), End: at(10 + i)})
	}
	c := microsoftWith(t, w, []account.Calendar{
		{ID: w.mailbox.Main().ID, Blocks: true}, {ID: work.ID, Blocks: true}, {ID: hobby.ID}, {ID: booked.ID, Target: true},
	})
	mustWrite(t, c, entryOf(event("u1@convene")))
	got, err := c.Times(t.Context(), calendartest.Owner(), span(8, 18), "")
	if err != nil {
		t.Fatal(err)
	}
	// Of a target that does not block, what was booked counts nevertheless.
	if diff := cmp.Diff(interval.NewSet(span(9, 11), span(14, 15)), inUTC(got.Availability).Busy); diff != "" {
		t.Errorf("busy (-want +got):\n%s", diff)
	}
}

func TestOneCalendarThatFailsIsUnknownBesideTheOthers(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner(), calendartest.Event{UID: "1", Start: at(9), End: at(10)})
	c := microsoftWith(t, w, []account.Calendar{{ID: w.mailbox.Main().ID, Blocks: true}, {ID: "AAMkgone", Blocks: true}})
	for name, read := range map[string]func() (interval.Availability, error){
		"Times": func() (interval.Availability, error) {
			times, err := c.Times(t.Context(), calendartest.Owner(), span(8, 18), "")
			return times.Availability, err
		},
		"Sync": func() (interval.Availability, error) {
			s, err := c.Sync(t.Context(), calendartest.Owner(), span(8, 18), calendar.Snapshot{})
			if len(s.Marks) != 1 {
				t.Errorf("marks %v, want one of the calendar that was read", s.Marks)
			}
			return s.Times("").Availability, err
		},
	} {
		a, err := read()
		if fault.As(err).Message != gone {
			t.Errorf("%s: got %v, want %q", name, err, gone)
		}
		if a.State(span(9, 10)) != interval.Busy || a.State(span(12, 13)) != interval.Unknown {
			t.Errorf("%s: %v; want what is known, and the rest unknown", name, a)
		}
	}
}

func TestAccountWithAProblemIsNotAsked(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	accounts := &calendartest.Connections{}
	accounts.Connect(account.Account{
		Provider: account.Microsoft, ID: "a1", Person: "owner", Problem: "reconnect the work calendar",
	}, token)
	c, err := microsoft.New(microsoft.Config{Accounts: accounts, Endpoint: w.server.Endpoint})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Times(t.Context(), calendartest.Owner(), span(8, 18), ""); fault.As(err).
		Message != "reconnect the work calendar" {
		t.Errorf("Times: got %v", err)
	}
	if _, err := c.Write(t.Context(), entryOf(event("u"))); fault.As(err).Message != "reconnect the work calendar" {
		t.Errorf("Write: got %v", err)
	}
	if calls := w.server.Calls(); len(calls) > 0 {
		t.Errorf("calls %v, want none", calls)
	}
}

// A calendar that a colleague shared as free and busy only is read as such, in parts that Exchange answers.
func TestSharedFreeBusy(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	anna := w.server.Mailbox("anna@example.com", "anna-token")
	for day, showAs := range map[int]string{0: "busy", 1: "free", 50: "oof", 99: "tentative"} {
		start := at(9).AddDate(0, 0, day)
		anna.Put(anna.Main(), microsofttest.Event{Start: start, End: start.Add(time.Hour), ShowAs: showAs, Subject: "Secret"})
	}
	shared := w.mailbox.Add(microsofttest.Calendar{Name: "Anna", Owner: "anna@example.com", Hidden: true})
	own := w.mailbox.Add(microsofttest.Calendar{Name: "Locked", Hidden: true})
	lost := w.mailbox.Add(microsofttest.Calendar{Name: "Lost", Owner: "nobody@example.com", Hidden: true})
	long := interval.Span{Start: at(8), End: at(8).AddDate(0, 0, 100)}
	c := microsoftWith(t, w, []account.Calendar{{ID: shared.ID, Blocks: true}})
	got, err := c.Times(t.Context(), calendartest.Owner(), long, "")
	if err != nil {
		t.Fatal(err)
	}
	var want []interval.Span
	for _, day := range []int{0, 50, 99} {
		want = append(want, interval.From(at(9).AddDate(0, 0, day), time.Hour))
	}
	if diff := cmp.Diff(interval.Availability{Busy: interval.NewSet(want...)}, inUTC(got.Availability)); diff != "" {
		t.Errorf("availability (-want +got):\n%s", diff)
	}
	for _, hidden := range []string{own.ID, lost.ID} {
		c := microsoftWith(t, w, []account.Calendar{{ID: hidden, Blocks: true}})
		a, err := c.Times(t.Context(), calendartest.Owner(), span(8, 18), "")
		if fault.As(err).Message != forbidden || a.State(span(9, 10)) != interval.Unknown {
			t.Errorf("a calendar that nothing is told of: got %v, %v", a, err)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	var want []account.Calendar
	want = append(want, account.Calendar{ID: w.mailbox.Main().ID, Name: "Calendar", Blocks: true, Target: true})
	for _, name := range []string{"Work", "Birthdays", "Hobby"} {
		want = append(want, account.Calendar{ID: w.mailbox.Add(microsofttest.Calendar{Name: name}).ID, Name: name})
	}
	who, got, err := w.List(t.Context(), account.Credential{AccessToken: token})
	if err != nil || who != address {
		t.Errorf("got %q, %v; want %q", who, err, address)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calendars (-want +got):\n%s", diff)
	}
	if _, _, err := w.List(t.Context(), account.Credential{AccessToken: "revoked"}); fault.As(err).Message != reconnect {
		t.Errorf("a token that is not taken: got %v", err)
	}
}

func TestDocumentedList(t *testing.T) {
	t.Parallel()
	c := recorded(t, map[string]string{"GET /v1.0/me": "me.json", "GET /v1.0/me/calendars": "calendars.json"})
	who, got, err := c.List(t.Context(), account.Credential{AccessToken: token})
	want := []account.Calendar{
		{ID: "AAMkAGI2TGuLAAA=", Name: "Calendar", Blocks: true, Target: true}, {ID: "AAMkAGI2TGuMAAA=", Name: "Birthdays"},
	}
	if err != nil || who != "megan@outlook.com" {
		t.Errorf("got %q, %v", who, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calendars (-want +got):\n%s", diff)
	}
}

// Graph refuses a fifth request at once for one mailbox.
func TestNoMoreRequestsAtOnceThanGraphTakes(t *testing.T) {
	t.Parallel()
	in(t, func(t *testing.T, w world) {
		t.Helper()
		var chosen []account.Calendar
		for range 12 {
			chosen = append(chosen, account.Calendar{ID: w.mailbox.Add(microsofttest.Calendar{}).ID, Blocks: true})
		}
		w.accounts.Connect(account.Account{
			Provider: account.Microsoft, ID: "a2", Person: "many", Calendars: chosen,
		}, token)
		var under, most atomic.Int64
		w.server.Before(func(http.ResponseWriter, *http.Request) bool {
			most.Store(max(most.Load(), under.Add(1)))
			<-time.After(time.Second)
			under.Add(-1)
			return false
		})
		began := time.Now()
		if _, err := w.Times(t.Context(), meet.Person{ID: "many"}, span(8, 18), ""); err != nil {
			t.Fatal(err)
		}
		if most.Load() != 4 || time.Since(began) != 3*time.Second {
			t.Errorf("%d at once, in %v; want 4 at once, in 3s", most.Load(), time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		if _, err := w.Times(ctx, meet.Person{ID: "many"}, span(8, 18), ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("those that wait for too long: got %v, want %v", err, context.DeadlineExceeded)
		}
	})
}

var (
	_ calendar.Syncer = (*microsoft.Calendar)(nil)
	_ calendar.Writer = (*microsoft.Calendar)(nil)
)
