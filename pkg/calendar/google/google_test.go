package google_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/google"
	"convene/pkg/calendar/google/googletest"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	ola  = "ola@example.com"
	team = "team@group.calendar.google.com"
)

// open is the adapter for people whose calendars s keeps.
func open(s *googletest.Server, keys *googletest.Keyring) *google.Calendar {
	return google.New(google.Config{Accounts: keys, Endpoint: s.URL})
}

// connected is a server with one user, who is the suite's owner and has connected the account.
func connected(t *testing.T) (*googletest.Server, *googletest.Keyring, account.ID) {
	t.Helper()
	s := googletest.New(t)
	s.User(ola, "Europe/Berlin")
	keys := s.Keys()
	return s, keys, keys.Connect("owner", ola)
}

func TestContract(t *testing.T) {
	t.Parallel()
	calendartest.TestProvider(t, func(t *testing.T, owner meet.Person, events ...calendartest.Event) calendar.Provider {
		t.Helper()
		s := googletest.New(t)
		s.User(owner.Email, owner.Timezone)
		s.Seed(owner.Email, events...)
		keys := s.Keys()
		keys.Connect(owner.ID, owner.Email)
		return open(s, keys)
	})
}

// at is a time of a day in March 2026 on the owner's clocks.
func at(t *testing.T, clock string) time.Time {
	t.Helper()
	moment, err := time.ParseInLocation("2 15:04", clock, calendartest.Owner().Zone())
	if err != nil {
		t.Fatal(err)
	}
	return time.Date(2026, time.March, moment.Day(), moment.Hour(), moment.Minute(), 0, 0, moment.Location())
}

// between is the span from one such time to another, as in "3 09:00".
func between(t *testing.T, from, to string) interval.Span {
	t.Helper()
	return interval.Span{Start: at(t, from), End: at(t, to)}
}

func week(t *testing.T) interval.Span {
	t.Helper()
	return between(t, "2 00:00", "9 00:00")
}

// payload is an answer of Google's that was written down after its documentation.
func payload(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "payloads", "google", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func answering(t *testing.T, status int, name string) http.HandlerFunc {
	t.Helper()
	return googletest.Answer(status, "application/json; charset=UTF-8", payload(t, name))
}

func inUTC(set interval.Set) []string {
	var all []string
	for _, s := range set {
		all = append(all, s.Start.UTC().Format("2 15:04")+" - "+s.End.UTC().Format("2 15:04"))
	}
	return all
}

func TestFreeAndBusyAsGoogleMeansThem(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	s.Fail(1, "GET", "/events", answering(t, http.StatusOK, "events.json"))
	got, err := open(s, keys).Sync(t.Context(), calendartest.Owner(), week(t), calendar.Snapshot{})
	if err != nil {
		t.Fatal(err)
	}
	var uids []string
	for _, b := range got.Blocks {
		uids = append(uids, b.UID)
	}
	wantUIDs := []string{
		"2p5ko7ltqsg2u1e6kf6l4o6ui0@google.com",                                // confirmed
		"6sp3adhm70o68b9k6opj0b9k@google.com",                                  // tentative, an instance
		"72m6q9g2qjt7aeu2mp8r6d1q0s@google.com",                                // focus time
		"1h0q5b3n0gqk5i5n5l5q5r5s5t@google.com",                                // out of office
		"7kukuqrfedlm2f9tqn3rl4bark9r6vitgq6niu8dkk4k21bte699hdui1p2go6ta60g0", // found by Gmail
		"040000008200E00074C5B7101A82E00800000000",                             // not answered yet
		"7a0l1l2d3a4y5a0l1l2d3a4y5a@google.com",                                // whole days
	}
	if diff := cmp.Diff(wantUIDs, uids); diff != "" {
		t.Errorf("events that take time (-want +got):\n%s", diff)
	}
	wantBusy := []string{
		"3 08:00 - 3 09:00", "3 10:00 - 3 11:00", "3 12:00 - 3 13:00", "3 14:00 - 3 15:30", "3 17:00 - 3 19:00",
		"3 21:00 - 3 21:30", "4 23:00 - 6 23:00",
	}
	if diff := cmp.Diff(wantBusy, inUTC(got.Times("").Busy)); diff != "" {
		t.Errorf("busy, in UTC (-want +got):\n%s", diff)
	}
}

// A day that Google counts to the next week in the calendar's zone may belong to this one in the owner's.
func TestWholeDaysAreTheOwnersWhereverTheCalendarIs(t *testing.T) {
	t.Parallel()
	s := googletest.New(t)
	s.User(ola, "Pacific/Kiritimati")
	s.Put(t, ola, `{"id":"wholeday","start":{"date":"2026-03-03"},"end":{"date":"2026-03-04"}}`)
	keys := s.Keys()
	keys.Connect("owner", ola)
	for zone, want := range map[string][]string{
		"America/Los_Angeles": {"3 08:00 - 4 08:00"}, "": {"2 10:00 - 3 10:00"}, "Nowhere/AtAll": {"2 10:00 - 3 10:00"},
	} {
		owner := meet.Person{ID: "owner", Timezone: zone}
		span := interval.Span{
			Start: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), End: time.Date(2026, 3, 4, 8, 0, 0, 0, time.UTC),
		}
		got, err := open(s, keys).Times(t.Context(), owner, span, "")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, inUTC(got.Busy)); diff != "" {
			t.Errorf("busy in zone %q (-want +got):\n%s", zone, diff)
		}
	}
}

func TestSeveralAccountsAndCalendarsAreMerged(t *testing.T) {
	t.Parallel()
	s := googletest.New(t)
	s.User(ola, "Europe/Berlin")
	s.User("ola@work.example.com", "Europe/Berlin")
	s.Calendar(ola, "family", "Europe/Berlin")
	s.Calendar(ola, "chores", "Europe/Berlin")
	s.Share("family", "ola@work.example.com", "reader")
	for calendar, day := range map[string]int{ola: 3, "family": 4, "chores": 5, "ola@work.example.com": 6} {
		s.Seed(calendar, calendartest.Event{UID: calendar,
			Start: time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC), End: time.Date(2026, 3, day, 10, 0, 0, 0, time.UTC)})
	}
	keys := s.Keys()
	keys.Connect("owner", ola, account.Calendar{ID: ola, Blocks: true, Target: true},
		account.Calendar{ID: "family", Blocks: true}, account.Calendar{ID: "chores"})
	keys.Connect("owner", "ola@work.example.com", account.Calendar{ID: "primary", Blocks: true},
		account.Calendar{ID: "family", Blocks: true})
	keys.Connect("somebody", ola)
	got, err := open(s, keys).Times(t.Context(), calendartest.Owner(), week(t), "")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"3 09:00 - 3 10:00", "4 09:00 - 4 10:00", "6 09:00 - 6 10:00"}
	if diff := cmp.Diff(want, inUTC(got.Busy)); diff != "" {
		t.Errorf("busy (-want +got):\n%s", diff)
	}
	if len(got.Unknown) > 0 {
		t.Errorf("unknown: %v", got.Unknown)
	}
	if n := len(s.Asked()); n != 3 {
		t.Errorf("asked %d times for three calendars: %v", n, s.Asked())
	}
}

func TestAnAccountWithoutACalendarThatCountsIsNone(t *testing.T) {
	t.Parallel()
	s := googletest.New(t)
	s.User(ola, "Europe/Berlin")
	keys := s.Keys()
	keys.Connect("owner", ola, account.Calendar{ID: ola})
	_, err := open(s, keys).Times(t.Context(), calendartest.Owner(), week(t), "")
	if !errors.Is(err, calendar.ErrNoCalendar) {
		t.Errorf("error = %v, want %v", err, calendar.ErrNoCalendar)
	}
}

// Only times and states are asked for: words that never come cannot get out.
func TestNoWordOfAnEventIsAskedFor(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	s.Put(t, ola, `{"id":"secretmeeting","summary":"Job interview","location":"Acme","description":"Bring a CV",
		"attendees":[{"email":"boss@acme.example"}],
		"start":{"dateTime":"2026-03-03T09:00:00+01:00"},"end":{"dateTime":"2026-03-03T10:00:00+01:00"}}`)
	if _, err := open(s, keys).Times(t.Context(), calendartest.Owner(), week(t), ""); err != nil {
		t.Fatal(err)
	}
	for _, request := range s.Asked() {
		if !strings.Contains(request, "fields=") {
			t.Errorf("everything is asked for: %s", request)
		}
		for _, word := range []string{"summary", "location", "description", "email", "organizer", "displayName"} {
			if strings.Contains(request, word) {
				t.Errorf("%s is asked for: %s", word, request)
			}
		}
	}
}

func TestACalendarOfWhichOnlyFreeAndBusyMayBeSeen(t *testing.T) {
	t.Parallel()
	s := googletest.New(t)
	s.User(ola, "Europe/Berlin")
	s.Calendar("al@example.com", team, "Europe/Berlin")
	s.Share(team, ola, "freeBusyReader")
	keys := s.Keys()
	keys.Connect("owner", ola, account.Calendar{ID: team, Blocks: true})
	c := open(s, keys)
	s.Put(t, team, `{"id":"busyevent","start":{"dateTime":"2026-03-03T09:00:00+01:00"},`+
		`"end":{"dateTime":"2026-03-03T10:00:00+01:00"}}`)
	s.Put(t, team, `{"id":"freeevent","transparency":"transparent",
		"start":{"dateTime":"2026-03-04T09:00:00+01:00"},"end":{"dateTime":"2026-03-04T10:00:00+01:00"}}`)
	first, err := c.Sync(t.Context(), calendartest.Owner(), week(t), calendar.Snapshot{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"3 08:00 - 3 09:00"}
	if diff := cmp.Diff(want, inUTC(first.Times("").Busy)); diff != "" {
		t.Errorf("busy (-want +got):\n%s", diff)
	}
	s.Put(t, team, `{"id":"busyevent","start":{"dateTime":"2026-03-05T09:00:00+01:00"},`+
		`"end":{"dateTime":"2026-03-05T10:00:00+01:00"}}`)
	second, err := c.Sync(t.Context(), calendartest.Owner(), week(t), first)
	if err != nil {
		t.Fatal(err)
	}
	want = []string{"5 08:00 - 5 09:00"}
	if diff := cmp.Diff(want, inUTC(second.Times("").Busy)); diff != "" {
		t.Errorf("busy after it was moved (-want +got):\n%s", diff)
	}
}

func TestFreeBusyAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, answer string
		want         []string
		reason       string
	}{
		{name: "busy", answer: "freebusy.json", want: []string{"3 08:00 - 3 10:00"}},
		{name: "the calendar is gone", answer: "freebusy-errors.json",
			reason: "a Google calendar is not there any more; choose the calendars again"},
		{name: "nothing of the calendar", answer: "error-500.json",
			reason: "Google Calendar gave an answer that could not be read; try again in a moment"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := googletest.New(t)
			s.User(ola, "Europe/Berlin")
			s.Calendar("al@example.com", team, "Europe/Berlin")
			s.Share(team, ola, "freeBusyReader")
			s.Fail(1, "POST", "/freeBusy", answering(t, http.StatusOK, c.answer))
			keys := s.Keys()
			keys.Connect("owner", ola, account.Calendar{ID: team, Blocks: true})
			got, err := open(s, keys).Times(t.Context(), calendartest.Owner(), week(t), "")
			if diff := cmp.Diff(c.want, inUTC(got.Busy)); diff != "" {
				t.Errorf("busy (-want +got):\n%s", diff)
			}
			if reason := reasonOf(err); reason != c.reason {
				t.Errorf("reason = %q, want %q", reason, c.reason)
			}
			if (c.reason != "") != (got.State(week(t)) == interval.Unknown) {
				t.Errorf("the week is %v", got.State(week(t)))
			}
		})
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	s, _, _ := connected(t)
	s.Accept("new", ola)
	s.Fail(1, "GET", "calendarList", answering(t, http.StatusOK, "calendar-list.json"))
	c := open(s, s.Keys())
	address, got, err := c.List(t.Context(), account.Credential{AccessToken: "new"})
	if err != nil {
		t.Fatal(err)
	}
	if address != ola {
		t.Errorf("address = %q, want %q", address, ola)
	}
	want := []account.Calendar{
		{ID: ola, Name: ola, Blocks: true, Target: true, Timezone: "Europe/Berlin"},
		{ID: "en.german#holiday@group.v.calendar.google.com", Name: "Holidays in Germany", Timezone: "Europe/Berlin"},
		{ID: "family0123@group.calendar.google.com", Name: "Home", Blocks: true, Timezone: "Europe/Berlin"},
		{ID: "hidden4567@group.calendar.google.com", Name: "Not shown", Timezone: "America/New_York"},
		{ID: "al@example.com", Name: "Al", Timezone: "America/Los_Angeles"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calendars (-want +got):\n%s", diff)
	}
}

func TestListReadsAllPages(t *testing.T) {
	t.Parallel()
	s, _, _ := connected(t)
	s.PageSize = 2
	s.Accept("new", ola)
	for _, id := range []string{"one", "two", "three", "four"} {
		s.Calendar(ola, id, "UTC")
	}
	_, got, err := open(s, s.Keys()).List(t.Context(), account.Credential{AccessToken: "new"})
	if err != nil || len(got) != 5 {
		t.Errorf("got %d calendars and error %v, want 5", len(got), err)
	}
}

func TestListWithATokenThatGoogleDoesNotTake(t *testing.T) {
	t.Parallel()
	s, _, _ := connected(t)
	_, _, err := open(s, s.Keys()).List(t.Context(), account.Credential{AccessToken: "secret-old"})
	if got, want := reasonOf(err), "connect the Google calendar once more"; got != want {
		t.Errorf("reason = %q (%v), want %q", got, err, want)
	}
}
