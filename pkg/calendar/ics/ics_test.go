package ics_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/ics"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

func synced(
	t *testing.T, c *ics.Calendar, person meet.Person, s interval.Span, last calendar.Snapshot,
) calendar.Snapshot {
	t.Helper()
	got, err := c.Sync(t.Context(), person, s, last)
	if err != nil {
		t.Fatalf("Sync: %v", err)
	}
	// What is kept between readings is kept as JSON.
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), secret) {
		t.Errorf("the snapshot tells the address: %s", text)
	}
	var kept calendar.Snapshot
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	return kept
}

func busy(s calendar.Snapshot, except string) interval.Set { return s.Times(except).Busy }

// TestUnchangedFeed goes through the ways in which a second reading follows a first, each with what the server
// answered.
func TestUnchangedFeed(t *testing.T) {
	t.Parallel()
	both := interval.NewSet(span(9, 10), span(12, 13))
	elsewhere := ola
	elsewhere.Timezone = "Asia/Tokyo"
	otherAddress := ola
	otherAddress.Email = "ola@example.org"
	for _, test := range []struct {
		name string
		file *file
		// person and span are those of the second reading.
		person meet.Person
		span   interval.Span
		change func(*file, *calendar.Snapshot)
		want   interval.Set
		log    []int
	}{
		{name: "an ETag", file: &file{etag: `"1"`}, want: both, log: []int{200, 304}},
		{name: "a date", file: &file{modified: "Tue, 03 Mar 2026 08:00:00 GMT"}, want: both, log: []int{200, 304}},
		{name: "neither", file: &file{}, want: both, log: []int{200, 200}},
		{name: "a changed feed", file: &file{etag: `"1"`}, change: func(f *file, _ *calendar.Snapshot) {
			f.change(head+nine+tail, `"2"`)
		},
			want: interval.NewSet(span(9, 10)), log: []int{200, 200}},
		{name: "a part of the span", file: &file{etag: `"1"`}, span: span(11, 20),
			want: interval.NewSet(span(12, 13)), log: []int{200, 304}},
		{name: "another span", file: &file{etag: `"1"`}, span: span(11, 40),
			want: interval.NewSet(span(12, 13)), log: []int{200, 200}},
		{name: "an owner in another zone", file: &file{etag: `"1"`}, person: elsewhere, want: both, log: []int{200, 200}},
		{name: "an owner with another address", file: &file{etag: `"1"`}, person: otherAddress, want: both,
			log: []int{200, 200}},
		{name: "a reading in which something was unknown", file: &file{etag: `"1"`},
			change: func(_ *file, s *calendar.Snapshot) {
				s.Unknown = interval.NewSet(span(20, 21))
			}, want: both, log: []int{200, 200}},
		{name: "marks that nobody knows", file: &file{etag: `"1"`},
			change: func(_ *file, s *calendar.Snapshot) {
				s.Marks = map[string]string{"owner/0": "?"}
			}, want: both, log: []int{200, 200}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.file.body = head + nine + noon + tail
			c := open(server(t, test.file.ServeHTTP))
			last := synced(t, c, ola, span(0, 24), calendar.Snapshot{})
			if diff := cmp.Diff(both, busy(last, "")); diff != "" {
				t.Errorf("first reading (-want +got):\n%s", diff)
			}
			if test.change != nil {
				test.change(test.file, &last)
			}
			if test.person.ID == "" {
				test.person = ola
			}
			if test.span.Empty() {
				test.span = span(0, 24)
			}
			got := synced(t, c, test.person, test.span, last)
			if diff := cmp.Diff(test.want, busy(got, "")); diff != "" {
				t.Errorf("second reading (-want +got):\n%s", diff)
			}
			if len(got.Blocks) != len(test.want) {
				t.Errorf("the snapshot has blocks outside of its span: %v", got.Blocks)
			}
			if got.Span != test.span {
				t.Errorf("the snapshot is about %v, want %v", got.Span, test.span)
			}
			if diff := cmp.Diff(test.log, test.file.log); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestThirdReading: what a 304 left in place can be gone on from again.
func TestThirdReading(t *testing.T) {
	t.Parallel()
	f := &file{body: head + nine + tail, etag: `"1"`}
	c := open(server(t, f.ServeHTTP))
	var last calendar.Snapshot
	for range 3 {
		last = synced(t, c, ola, span(0, 24), last)
	}
	if diff := cmp.Diff([]int{200, 304, 304}, f.log); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(interval.NewSet(span(9, 10)), busy(last, "")); diff != "" {
		t.Errorf("busy (-want +got):\n%s", diff)
	}
	if left := busy(last, "nine"); len(left) > 0 {
		t.Errorf("without the event the time is %v, want none", left)
	}
}

// TestUnchangedNeedsAQuestion: a server that says that nothing changed where nobody asked has told nothing.
func TestUnchangedNeedsAQuestion(t *testing.T) {
	t.Parallel()
	c := open(server(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }))
	if got, err := c.Times(t.Context(), ola, span(0, 24), ""); err == nil {
		t.Errorf("got %v, want an error", got)
	}
}

func TestSeveralFeedsAreMerged(t *testing.T) {
	t.Parallel()
	c := open(server(t, text(head+nine+tail)), server(t, text(head+noon+tail)))
	got, err := c.Times(t.Context(), ola, span(0, 24), "")
	if err != nil {
		t.Fatal(err)
	}
	want := interval.Availability{Busy: interval.NewSet(span(9, 10), span(12, 13))}
	if diff := cmp.Diff(want, got.Availability); diff != "" {
		t.Errorf("availability (-want +got):\n%s", diff)
	}
}

func TestOneBrokenFeedLeavesTheOthersBusyTimes(t *testing.T) {
	t.Parallel()
	c := open(server(t, text(head+nine+tail)), server(t, http.NotFound))
	got, err := c.Sync(t.Context(), ola, span(0, 24), calendar.Snapshot{})
	if code := fault.CodeOf(err); code != fault.CalendarFailed {
		t.Errorf("error: %v", err)
	}
	want := interval.Availability{Busy: interval.NewSet(span(9, 10)), Unknown: interval.NewSet(span(0, 24))}
	if diff := cmp.Diff(want, got.Times("").Availability); diff != "" {
		t.Errorf("availability (-want +got):\n%s", diff)
	}
}

func TestCalendarsZoneIsThatOfItsFloatingTimes(t *testing.T) {
	t.Parallel()
	c := open(server(t, text(head+"X-WR-TIMEZONE:Asia/Tokyo\r\n"+
		"BEGIN:VEVENT\r\nUID:f\r\nDTSTART:20260303T180000\r\nDURATION:PT1H\r\nEND:VEVENT\r\n"+tail)))
	got, err := c.Times(t.Context(), ola, span(0, 24), "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(interval.Availability{Busy: interval.NewSet(span(9, 10))}, got.Availability); diff != "" {
		t.Errorf("availability (-want +got):\n%s", diff)
	}
}

// chosen are accounts whose calendars were chosen.
type chosen struct {
	accounts
	blocks bool
}

func (c chosen) Accounts(
	ctx context.Context, person meet.PersonID, provider account.Provider,
) ([]account.Account, error) {
	list, err := c.accounts.Accounts(ctx, person, provider)
	for i := range list {
		list[i].Calendars = []account.Calendar{{ID: "feed", Blocks: c.blocks}}
	}
	return list, err
}

func TestFeedThatIsOnlyLookedAtTakesNoTime(t *testing.T) {
	t.Parallel()
	address := server(t, text(head+nine+tail))
	for _, blocks := range []bool{true, false} {
		c := ics.New(ics.Config{Accounts: chosen{accounts{ola.ID: {address}}, blocks}, Client: &http.Client{}})
		_, err := c.Times(t.Context(), ola, span(0, 24), "")
		if none := errors.Is(err, calendar.ErrNoCalendar); none == blocks {
			t.Errorf("a feed that blocks (%v): %v", blocks, err)
		}
	}
}

// noted are accounts that remember what is wrong with them.
type noted struct {
	accounts
	problem *string
	notes   *int
}

func (n noted) Accounts(
	ctx context.Context, person meet.PersonID, provider account.Provider,
) ([]account.Account, error) {
	list, err := n.accounts.Accounts(ctx, person, provider)
	for i := range list {
		list[i].Problem = *n.problem
	}
	return list, err
}

func (n noted) Note(_ context.Context, _ account.ID, problem string) error {
	*n.problem = problem
	*n.notes++
	return nil
}

// What is wrong with a feed for good is noted once, and that it is mended once; what passes by itself is not noted.
func TestWhatIsWrongWithAFeedIsNoted(t *testing.T) {
	t.Parallel()
	status := 0
	address := server(t, func(w http.ResponseWriter, r *http.Request) {
		if status != 0 {
			w.WriteHeader(status)
			return
		}
		text(head+nine+tail)(w, r)
	})
	problem, notes := "", 0
	c := ics.New(ics.Config{Accounts: noted{accounts{ola.ID: {address}}, &problem, &notes}, Client: &http.Client{}})
	const gone = "the feed is gone; add its new address"
	for i, tt := range []struct {
		status, notes int
		problem       string
	}{{0, 0, ""}, {503, 0, ""}, {404, 1, gone}, {410, 1, gone}, {503, 1, gone}, {0, 2, ""}, {0, 2, ""}} {
		status = tt.status
		_, err := c.Times(t.Context(), ola, span(0, 24), "")
		if (err == nil) != (tt.status == 0) || problem != tt.problem || notes != tt.notes {
			t.Errorf("reading %d: %v, noted %q in %d notes; want %q in %d", i, err, problem, notes, tt.problem, tt.notes)
		}
	}
}

// An event is known by the UID that it was written with, whatever another provider calls it.
func TestEventsOfOtherProvidersAreKnown(t *testing.T) {
	t.Parallel()
	address := server(t, text(head+nine+tail))
	c := ics.New(ics.Config{
		Accounts: accounts{ola.ID: {address}}, Client: &http.Client{}, Identity: func(iCalUID string) string {
			return "ours, not " + iCalUID
		},
	})
	s, err := c.Sync(t.Context(), ola, span(0, 24), calendar.Snapshot{})
	if err != nil || len(s.Blocks) != 1 {
		t.Fatalf("Sync: %v, %v", s, err)
	}
	if got := s.Times("ours, not " + s.Blocks[0].ID).Busy; len(got) > 0 {
		t.Errorf("the event is in its own way: %v", got)
	}
}

// failingAccounts cannot be read.
type failingAccounts struct{ accounts }

func (failingAccounts) Accounts(context.Context, meet.PersonID, account.Provider) ([]account.Account, error) {
	return nil, errors.New("store is away")
}

func TestAccountsThatCannotBeReadAreNoMissingCalendar(t *testing.T) {
	t.Parallel()
	c := ics.New(ics.Config{Accounts: failingAccounts{}, Client: &http.Client{}})
	if _, err := c.Times(t.Context(), ola, span(0, 24), ""); err == nil || errors.Is(err, calendar.ErrNoCalendar) {
		t.Errorf("error = %v, want one that is not %v", err, calendar.ErrNoCalendar)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	named := strings.Replace(head, "VERSION", `X-WR-CALNAME:Ola\, at work`+"\r\nVERSION", 1) + tail
	for name, body := range map[string]string{"Ola, at work": named, "127.0.0.1": head + tail} {
		got, err := open().Check(t.Context(), " "+server(t, text(body))+"#top ")
		if err != nil || got != name {
			t.Errorf("Check: got %q, %v; want %q", got, err, name)
		}
	}
}

// TestAddresses: what may be the address of a feed, and where it leads.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"webcal://Feeds.example.com/" + secret:  "https://Feeds.example.com/" + secret,
		"WEBCALS://feeds.example.com/" + secret: "https://feeds.example.com/" + secret,
		"https://feeds.example.com/a?b=c#d":     "https://feeds.example.com/a?b=c",
		"http://feeds.example.com/a":            "http://feeds.example.com/a",
		"feeds.example.com/" + secret:           "", "ftp://feeds.example.com/" + secret: "", "file:///etc/" + secret: "",
		"https:///" + secret: "", "https:" + secret: "", "": "", "https://%zz/" + secret: "", "javascript:" + secret: "",
	} {
		asked := ""
		client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = r.URL.String()
			return nil, errors.New("not here")
		})}
		_, err := ics.New(ics.Config{Client: client}).Check(t.Context(), address)
		if asked != want {
			t.Errorf("%q: asked %q, want %q", address, asked, want)
		}
		if code := fault.CodeOf(err); (code == fault.InvalidRequest) != (want == "") {
			t.Errorf("%q: error %v", address, err)
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error tells the address: %v", err)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestDefaultDeadline(t *testing.T) {
	t.Parallel()
	var left time.Duration
	client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		deadline, _ := r.Context().Deadline()
		left = time.Until(deadline)
		return nil, errors.New("not here")
	})}
	_, _ = ics.New(ics.Config{Client: client}).Check(t.Context(), "https://feeds.example.com/a")
	if left <= 0 || left > ics.DefaultDeadline {
		t.Errorf("the deadline is in %v, want up to %v", left, ics.DefaultDeadline)
	}
}
