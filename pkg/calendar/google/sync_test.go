package google_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/account/google/gatetest"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/google"
	"convene/pkg/calendar/google/googletest"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// synced is the next snapshot, and the requests that it took.
func synced(
	t *testing.T, s *googletest.Server, c *google.Calendar, last calendar.Snapshot,
) (calendar.Snapshot, []string) {
	t.Helper()
	before := len(s.Asked())
	next, err := c.Sync(t.Context(), calendartest.Owner(), week(t), last)
	if err != nil {
		t.Fatal(err)
	}
	return next, s.Asked()[before:]
}

func TestSyncReadsOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	s.PageSize = 2
	s.Seed(ola,
		calendartest.Event{UID: "a", Start: at(t, "3 09:00"), End: at(t, "3 10:00")},
		calendartest.Event{UID: "b", Start: at(t, "4 09:00"), End: at(t, "4 10:00"), Rule: "FREQ=DAILY"},
		calendartest.Event{UID: "c", Start: at(t, "3 15:00"), End: at(t, "3 16:00")},
	)
	c := open(s, keys)
	first, _ := synced(t, s, c, calendar.Snapshot{})
	want := []string{
		"3 08:00 - 3 09:00", "3 14:00 - 3 15:00", "4 08:00 - 4 09:00", "5 08:00 - 5 09:00", "6 08:00 - 6 09:00",
		"7 08:00 - 7 09:00", "8 08:00 - 8 09:00",
	}
	if diff := cmp.Diff(want, inUTC(first.Times("").Busy)); diff != "" {
		t.Fatalf("busy at first (-want +got):\n%s", diff)
	}
	s.Put(t, ola, `{"id":"seed0","start":{"dateTime":"2026-03-03T11:00:00+01:00"},`+
		`"end":{"dateTime":"2026-03-03T12:00:00+01:00"}}`)
	s.Put(t, ola, `{"id":"seed2","status":"cancelled"}`)
	s.Put(t, ola, `{"id":"added","start":{"dateTime":"2026-03-07T20:00:00Z"},"end":{"dateTime":"2026-03-07T21:00:00Z"}}`)
	s.Put(t, ola,
		`{"id":"nextyear","start":{"dateTime":"2027-03-07T20:00:00Z"},"end":{"dateTime":"2027-03-07T21:00:00Z"}}`)
	second, requests := synced(t, s, c, first)
	want = []string{
		"3 10:00 - 3 11:00", "4 08:00 - 4 09:00", "5 08:00 - 5 09:00", "6 08:00 - 6 09:00", "7 08:00 - 7 09:00",
		"7 20:00 - 7 21:00", "8 08:00 - 8 09:00",
	}
	if diff := cmp.Diff(want, inUTC(second.Times("").Busy)); diff != "" {
		t.Errorf("busy after changes (-want +got):\n%s", diff)
	}
	for _, r := range requests {
		if !strings.Contains(r, "syncToken=") || strings.Contains(r, "timeMin") || strings.Contains(r, "timeMax") {
			t.Errorf("the request does not go on from a token alone: %s", r)
		}
	}
	third, requests := synced(t, s, c, second)
	if diff := cmp.Diff(second.Blocks, third.Blocks); diff != "" || len(requests) != 1 {
		t.Errorf("nothing had changed; %d requests, blocks (-want +got):\n%s", len(requests), diff)
	}
}

func TestSyncWithDocumentedAnswers(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	s.Fail(1, "GET", "/events", answering(t, http.StatusOK, "events.json"))
	s.Fail(1, "GET", "/events", answering(t, http.StatusOK, "events-changed.json"))
	c := open(s, keys)
	first, _ := synced(t, s, c, calendar.Snapshot{})
	if diff := cmp.Diff(map[string]string{ola: "Europe/Berlin CPDAlvWDx70CEPDAlvWDx70CGAU="}, first.Marks); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
	second, _ := synced(t, s, c, first)
	want := []string{
		"3 10:00 - 3 11:00", "3 17:00 - 3 19:00", "3 21:00 - 3 21:30", "4 08:00 - 4 09:00", "4 23:00 - 6 23:00",
	}
	if diff := cmp.Diff(want, inUTC(second.Times("").Busy)); diff != "" {
		t.Errorf("busy after changes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{ola: "Europe/Berlin CPDAlvWDx70CEPDAlvWDx70CGAY="}, second.Marks); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
}

func TestSyncReadsAnew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(t *testing.T, s *googletest.Server, last *calendar.Snapshot)
	}{
		{"the token is no longer valid", func(_ *testing.T, s *googletest.Server, _ *calendar.Snapshot) { s.Forget() }},
		{"410 as documented", func(t *testing.T, s *googletest.Server, _ *calendar.Snapshot) {
			t.Helper()
			s.Fail(1, "GET", "/events", answering(t, 410, "error-410-sync-token.json"))
		}},
		{"the token is none of Google's", func(_ *testing.T, s *googletest.Server, last *calendar.Snapshot) {
			last.Marks[ola] = "Europe/Berlin nonsense"
			s.Fail(1, "GET", "/events", gatetest.Refusal(400, "invalid"))
		}},
		{"the mark is none of ours", func(_ *testing.T, _ *googletest.Server, last *calendar.Snapshot) {
			last.Marks[ola] = "nonsense"
		}},
		{"another zone", func(_ *testing.T, _ *googletest.Server, last *calendar.Snapshot) {
			last.Marks[ola] = strings.Replace(last.Marks[ola], "Europe/Berlin", "Asia/Tokyo", 1)
		}},
		{"another span", func(_ *testing.T, _ *googletest.Server, last *calendar.Snapshot) {
			last.Span.End = last.Span.End.Add(time.Hour)
		}},
		{"a change that is not understood", func(_ *testing.T, s *googletest.Server, _ *calendar.Snapshot) {
			s.Fail(1, "GET", "/events", googletest.Answer(200, "application/json",
				`{"kind":"calendar#events","timeZone":"Europe/Berlin","items":[{"id":"seed0"}],"nextSyncToken":"x"}`))
		}},
		{"a series that is deleted as a whole", func(_ *testing.T, s *googletest.Server, last *calendar.Snapshot) {
			last.Blocks = append(last.Blocks, calendar.Block{
				Calendar: ola, ID: "gone_20260306T080000Z", Span: between(t, "6 09:00", "6 10:00"),
			})
			s.Fail(1, "GET", "/events", googletest.Answer(200, "application/json",
				`{"kind":"calendar#events","timeZone":"Europe/Berlin","items":[{"id":"gone","status":"cancelled"}],`+
					`"nextSyncToken":"x"}`))
		}},
		{"an instance that is called off", func(_ *testing.T, s *googletest.Server, _ *calendar.Snapshot) {
			s.Fail(1, "GET", "/events", googletest.Answer(200, "application/json",
				`{"kind":"calendar#events","timeZone":"Europe/Berlin","items":[{"id":"x_20260306T080000Z","status":"cancelled"}],`+
					`"nextSyncToken":"x"}`))
		}},
		{"events are no longer shown", func(_ *testing.T, s *googletest.Server, _ *calendar.Snapshot) {
			s.Fail(1, "GET", "/events", gatetest.Refusal(403, "forbidden"))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, keys, _ := connected(t)
			s.Seed(ola, calendartest.Event{UID: "a", Start: at(t, "3 09:00"), End: at(t, "3 10:00")})
			provider := open(s, keys)
			last, _ := synced(t, s, provider, calendar.Snapshot{})
			// What an old snapshot says wrongly is gone after a reading anew.
			last.Blocks = append(last.Blocks, calendar.Block{Calendar: ola, ID: "ghost", Span: between(t, "5 09:00", "5 10:00")})
			c.change(t, s, &last)
			got, requests := synced(t, s, provider, last)
			if diff := cmp.Diff([]string{"3 08:00 - 3 09:00"}, inUTC(got.Times("").Busy)); diff != "" {
				t.Errorf("busy (-want +got):\n%s\nrequests: %v", diff, requests)
			}
			if !strings.Contains(requests[len(requests)-1], "timeMin") {
				t.Errorf("the last request was %s", requests[len(requests)-1])
			}
		})
	}
}

// A calendar that fails for once keeps what was known of it, and the next reading goes on from there.
func TestSyncGoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	s.Seed(ola, calendartest.Event{UID: "a", Start: at(t, "3 09:00"), End: at(t, "3 10:00")})
	c := open(s, keys)
	first, _ := synced(t, s, c, calendar.Snapshot{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	s.Fail(1, "GET", "/events", hang(""))
	failed, err := c.Sync(ctx, calendartest.Owner(), week(t), first)
	checkFault(t, err, slow)
	want := first
	want.Unknown = interval.NewSet(week(t))
	if diff := cmp.Diff(want, failed); diff != "" {
		t.Errorf("snapshot after the failure (-want +got):\n%s", diff)
	}
	again, requests := synced(t, s, c, failed)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("snapshot after that (-want +got):\n%s", diff)
	}
	if len(requests) != 1 || !strings.Contains(requests[0], "syncToken") {
		t.Errorf("requests: %v", requests)
	}
}

func TestSyncForgetsCalendarsThatCountNoMore(t *testing.T) {
	t.Parallel()
	s := googletest.New(t)
	s.User(ola, "Europe/Berlin")
	s.Calendar(ola, "family", "Europe/Berlin")
	s.Seed("family", calendartest.Event{UID: "a", Start: at(t, "3 09:00"), End: at(t, "3 10:00")})
	keys := s.Keys()
	both := []account.Calendar{{ID: ola, Blocks: true, Target: true}, {ID: "family", Blocks: true}}
	id := keys.Connect("owner", ola, both...)
	c := open(s, keys)
	first, _ := synced(t, s, c, calendar.Snapshot{})
	keys.Choose(id, both[0])
	second, _ := synced(t, s, c, first)
	if len(first.Blocks) != 1 || len(second.Blocks) != 0 || len(second.Marks) != 1 {
		t.Errorf("blocks before: %v, after: %v with marks %v", first.Blocks, second.Blocks, second.Marks)
	}
}

// A calendar whose owner has no zone of their own has its whole days move with it.
func TestSyncWithACalendarThatMovesToAnotherZone(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	s.Put(t, ola, `{"id":"wholeday","start":{"date":"2026-03-04"},"end":{"date":"2026-03-05"}}`)
	c := open(s, keys)
	somebody := meet.Person{ID: "owner"}
	first, err := c.Sync(t.Context(), somebody, week(t), calendar.Snapshot{})
	if err != nil {
		t.Fatal(err)
	}
	s.Zone(ola, "America/New_York")
	second, err := c.Sync(t.Context(), somebody, week(t), first)
	if err != nil {
		t.Fatal(err)
	}
	got := append(inUTC(first.Times("").Busy), inUTC(second.Times("").Busy)...)
	if diff := cmp.Diff([]string{"3 23:00 - 4 23:00", "4 05:00 - 5 05:00"}, got); diff != "" {
		t.Errorf("busy before and after (-want +got):\n%s", diff)
	}
}

// Going on from snapshot to snapshot ends where reading everything anew does, whatever happens to the calendar.
func TestSyncIsTheSameAsReadingAnew(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	c := open(s, keys)
	random := rand.New(rand.NewPCG(4, 2))
	var last calendar.Snapshot
	compared, gone := 0, 0
	for step := range 150 {
		s.Put(t, ola, someEvent(random))
		if step%7 == 0 {
			s.PageSize = 1 + random.IntN(20)
		}
		if step%3 != 0 {
			continue
		}
		var requests []string
		last, requests = synced(t, s, c, last)
		if !slices.ContainsFunc(requests, func(r string) bool { return strings.Contains(r, "timeMin") }) {
			gone++
		}
		compared += len(last.Blocks)
		anew, _ := synced(t, s, c, calendar.Snapshot{})
		if diff := cmp.Diff(anew.Blocks, last.Blocks); diff != "" {
			t.Fatalf("blocks after step %d (-anew +gone on):\n%s", step, diff)
		}
	}
	if compared < 50 || gone < 5 {
		t.Errorf("%d blocks were compared, and %d readings went on from the one before; the test shows nothing", compared,
			gone)
	}
}

// someEvent is one of ten events, at some time around the week, that may repeat, count or be deleted.
func someEvent(random *rand.Rand) string {
	start := time.Date(2026, 3, 1+random.IntN(10), 8+random.IntN(10), 0, 0, 0, time.UTC)
	more := []string{
		``, ``, `,"status":"cancelled"`, `,"transparency":"transparent"`, `,"recurrence":["RRULE:FREQ=DAILY;COUNT=4"]`,
		`,"recurrence":["RRULE:FREQ=DAILY;COUNT=4"],"status":"cancelled"`, `,"eventType":"workingLocation"`,
	}
	return fmt.Sprintf(`{"id":"event%d","start":{"dateTime":%q},"end":{"dateTime":%q}%s}`, random.IntN(10),
		start.Format(time.RFC3339), start.Add(time.Hour).Format(time.RFC3339), more[random.IntN(len(more))])
}
