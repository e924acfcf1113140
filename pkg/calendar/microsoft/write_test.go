package microsoft_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/microsoft/microsofttest"
	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

func event(uid string) meet.Event {
	return meet.Event{
		UID: uid, Title: "Coffee with Al", Start: at(14), End: at(15), Timezone: "Europe/Berlin",
	}
}

// entryOf is an event of the owner's to which Al and Bo are invited, beside others who cannot be.
func entryOf(e meet.Event) calendar.Entry {
	return calendar.Entry{Owner: calendartest.Owner(), Event: e, Guests: []meet.Participant{
		{Name: "Al", Email: "al@example.com"}, {Name: "Bo", Email: "Bo@example.com"},
		{Name: "Nobody knows"}, {Name: "Ola", Email: "OLA@example.com"}, {Name: "Al again", Email: "AL@example.com"},
		{Name: "Not an address", Email: "x"},
	}}
}

func mustWrite(t *testing.T, w calendar.Writer, e calendar.Entry) calendar.Written {
	t.Helper()
	written, err := w.Write(t.Context(), e)
	if err != nil {
		t.Fatalf("Write: %v", err)
	}
	return written
}

func TestGuestsAreToldOnce(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	first := event("u1@convene")
	mustWrite(t, w, entryOf(first))
	mustWrite(t, w, entryOf(first))
	again := first
	again.Sequence = 1
	mustWrite(t, w, entryOf(again)) // the same in all but the number
	moved := again
	moved.Start, moved.End, moved.Sequence = at(16), at(17), 2
	mustWrite(t, w, entryOf(moved))
	mustWrite(t, w, entryOf(moved))
	without := entryOf(moved)
	without.Event.Sequence, without.Guests = 3, without.Guests[:1]
	mustWrite(t, w, without)
	for range 2 {
		if err := w.Remove(t.Context(), without); err != nil {
			t.Fatalf("Remove: %v", err)
		}
	}
	const title = "Coffee with Al"
	want := []microsofttest.Mail{
		{Kind: "invitation", To: "al@example.com", Subject: title},
		{Kind: "invitation", To: "Bo@example.com", Subject: title},
		{Kind: "update", To: "al@example.com", Subject: title}, {Kind: "update", To: "Bo@example.com", Subject: title},
		{Kind: "update", To: "al@example.com", Subject: title}, {Kind: "cancellation", To: "Bo@example.com", Subject: title},
		{Kind: "cancellation", To: "al@example.com", Subject: title},
	}
	if diff := cmp.Diff(want, w.server.Sent()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
	if left := w.mailbox.Events(w.mailbox.Main()); len(left) > 0 {
		t.Errorf("left behind: %+v", left)
	}
}

func TestCopyWithoutGuestsTellsNobody(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	e := calendar.Entry{Owner: calendartest.Owner(), Event: event("u1@convene")}
	mustWrite(t, w, e)
	e.Event.Start = at(13)
	mustWrite(t, w, e)
	if err := w.Remove(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if sent := w.server.Sent(); len(sent) > 0 {
		t.Errorf("mails: %v, want none", sent)
	}
	for _, call := range w.server.Calls() {
		if strings.HasSuffix(call.Path, "/cancel") {
			t.Error("an event without guests was cancelled; Graph refuses that")
		}
	}
}

func TestWhatIsWritten(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	e := event("u1@convene")
	e.Place = &meet.Place{
		Name: "Blue Bottle", Address: "Sesame Street 1", Location: geo.Point{Latitude: 52.5, Longitude: 13.25},
	}
	e.Start, e.End = time.Date(2026, 3, 3, 15, 0, 0, 123, time.UTC), time.Date(2026, 3, 3, 16, 0, 0, 0, time.UTC)
	entry := entryOf(e)
	entry.Online = true
	written := mustWrite(t, w, entry)
	if !strings.HasPrefix(written.JoinURL, "https://teams.microsoft.com/") {
		t.Errorf("JoinURL: got %q", written.JoinURL)
	}
	if again := mustWrite(t, w, entry); again != written {
		t.Errorf("written again: got %+v, want %+v", again, written)
	}
	var posted []string
	for _, call := range w.server.Calls() {
		if call.Method != http.MethodGet {
			posted = append(posted, call.Body)
		}
	}
	if len(posted) != 1 {
		t.Fatalf("%d requests that change something, want 1", len(posted))
	}
	digest := strings.Split(posted[0], `"value":"0 `)
	if len(digest) != 2 {
		t.Fatalf("no digest of the content in %s", posted[0])
	}
	got := digest[0] + `"value":"0 …` + digest[1][64:]
	if diff := cmp.Diff(indented(t, payload(t, "create_event_request.json")), indented(t, got)); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func indented(t *testing.T, text string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	out, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out) + "\n"
}

// The hour that occurs twice, and a zone that Windows has not, are written in UTC.
func TestTimesThatOutlookMustNotGuess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		start time.Time
		zone  string
		want  string
	}{
		"Berlin":       {at(14), "Europe/Berlin", `{"dateTime":"2026-03-03T15:00:00","timeZone":"W. Europe Standard Time"}`},
		"Kolkata":      {at(14), "Asia/Kolkata", `{"dateTime":"2026-03-03T19:30:00","timeZone":"India Standard Time"}`},
		"no zone":      {at(14), "", `{"dateTime":"2026-03-03T14:00:00","timeZone":"UTC"}`},
		"no such zone": {at(14), "Mars/Olympus", `{"dateTime":"2026-03-03T14:00:00","timeZone":"UTC"}`},
		"first of the two": {time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC), "Europe/Berlin",
			`{"dateTime":"2026-10-25T00:30:00","timeZone":"UTC"}`},
		"second of the two": {time.Date(2026, 10, 25, 1, 30, 0, 0, time.UTC), "Europe/Berlin",
			`{"dateTime":"2026-10-25T01:30:00","timeZone":"UTC"}`},
		"after the clocks set": {time.Date(2026, 10, 25, 2, 30, 0, 0, time.UTC), "Europe/Berlin",
			`{"dateTime":"2026-10-25T03:30:00","timeZone":"W. Europe Standard Time"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t, calendartest.Owner())
			e := event("u1@convene")
			e.Start, e.End, e.Timezone = c.start, c.start.Add(time.Hour), c.zone
			mustWrite(t, w, entryOf(e))
			for _, call := range w.server.Calls() {
				if call.Method == http.MethodPost && !strings.Contains(call.Body, `"start":`+c.want) {
					t.Errorf("written as %s, want start %s", call.Body, c.want)
				}
			}
			if got := w.mailbox.Events(w.mailbox.Main()); len(got) != 1 || !got[0].Start.Equal(c.start) {
				t.Errorf("stands as %+v, want it at %v", got, c.start)
			}
		})
	}
}

func TestOlderVersionIsRefused(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	newer := event("u1@convene")
	newer.Sequence = 2
	mustWrite(t, w, entryOf(newer))
	older := event("u1@convene")
	older.Start, older.Sequence = at(9), 1
	if _, err := w.Write(t.Context(), entryOf(older)); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("got %v, want a conflict", err)
	}
}

func TestEventMovedByHandIsPutRight(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	mustWrite(t, w, entryOf(event("u1@convene")))
	stands := w.mailbox.Events(w.mailbox.Main())[0]
	stands.Start, stands.End = at(7), at(8)
	w.mailbox.Put(w.mailbox.Main(), stands)
	mustWrite(t, w, entryOf(event("u1@convene")))
	if got := w.mailbox.Events(w.mailbox.Main()); len(got) != 1 || !got[0].Start.Equal(at(14)) {
		t.Errorf("stands as %+v, want it at %v", got, at(14))
	}
}

// Many who write the same event at once make one: Graph knows the transactionId again.
func TestConcurrentWritesAreOne(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := w.Write(t.Context(), entryOf(event("u1@convene"))); err != nil {
				t.Errorf("Write: %v", err)
			}
		})
	}
	wg.Wait()
	if got := w.mailbox.Events(w.mailbox.Main()); len(got) != 1 {
		t.Errorf("%d events, want 1", len(got))
	}
	if sent := w.server.Sent(); len(sent) != 2 {
		t.Errorf("mails: %v, want one invitation each", sent)
	}
}

func TestConflictsOfAWrite(t *testing.T) {
	t.Parallel()
	only := func(method string, n int, answer http.HandlerFunc) func(http.ResponseWriter, *http.Request) bool {
		first := times(n, answer)
		return func(w http.ResponseWriter, r *http.Request) bool { return r.Method == method && first(w, r) }
	}
	for _, c := range []struct {
		name   string
		before func(http.ResponseWriter, *http.Request) bool
		want   string
		code   fault.Code
	}{
		{name: "somebody changes it at the same time",
			before: only(http.MethodPatch, 1, says(412, "ErrorIrresolvableConflict"))},
		{name: "and again", before: only(http.MethodPatch, 2, says(409, "ErrorIrresolvableConflict")), want: conflict,
			code: fault.Conflict},
		{name: "it is removed at the same time", before: only(http.MethodPatch, 1, says(404, "ErrorItemNotFound"))},
		{name: "no right to write", before: only(http.MethodPatch, always, says(403, "ErrorAccessDenied")),
			want: forbidden, code: fault.CalendarFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in(t, func(t *testing.T, w world) {
				t.Helper()
				mustWrite(t, w, entryOf(event("u1@convene")))
				w.server.Before(c.before)
				moved := event("u1@convene")
				moved.Start, moved.End, moved.Sequence = at(16), at(17), 1
				_, err := w.Write(t.Context(), entryOf(moved))
				if c.want == "" && err != nil {
					t.Errorf("Write: %v", err)
				}
				if f := fault.As(err); c.want != "" && (f.Message != c.want || f.Code != c.code) {
					t.Errorf("got %v, want %s %q", err, c.code, c.want)
				}
			})
		})
	}
}

// The owner has chosen another calendar since the event was written.
func TestEventIsFoundInAnotherCalendar(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	mustWrite(t, w, entryOf(event("u1@convene")))
	other := w.mailbox.Add(microsofttest.Calendar{Name: "Meetings"})
	closed := w.mailbox.Add(microsofttest.Calendar{Name: "Anna", Owner: "anna@example.com", Hidden: true})
	chosen := microsoftWith(t, w, []account.Calendar{
		{ID: other.ID, Blocks: true, Target: true}, {ID: closed.ID, Blocks: true}, {ID: "AAMkgone", Blocks: true},
	})
	moved := event("u1@convene")
	moved.Start, moved.End, moved.Sequence = at(16), at(17), 1
	mustWrite(t, chosen, entryOf(moved))
	if got := w.mailbox.Events(other); len(got) > 0 {
		t.Errorf("a second event: %+v", got)
	}
	mustWrite(t, chosen, entryOf(event("u2@convene")))
	if got := w.mailbox.Events(other); len(got) != 1 {
		t.Errorf("%d events in the chosen calendar, want the new one", len(got))
	}
	for _, uid := range []string{"u1@convene", "u2@convene"} {
		if err := chosen.Remove(t.Context(), entryOf(event(uid))); err != nil {
			t.Fatal(err)
		}
	}
	if got := append(w.mailbox.Events(other), w.mailbox.Events(w.mailbox.Main())...); len(got) > 0 {
		t.Errorf("left behind: %+v", got)
	}
}

func TestUIDWithQuotesAndSpaces(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	e := event("it's +1 & more@convene")
	mustWrite(t, w, entryOf(e))
	mustWrite(t, w, entryOf(e))
	if got := w.mailbox.Events(w.mailbox.Main()); len(got) != 1 {
		t.Errorf("%d events, want 1", len(got))
	}
	a, err := w.Times(t.Context(), calendartest.Owner(), span(8, 18), e.UID)
	if err != nil || a.State(span(14, 15)) != interval.Free {
		t.Errorf("got %v, %v; want the excepted event not to count", a, err)
	}
}

// A guest's copy carries Graph's identity, and must not stand in the way of moving the event.
func TestGuestsCopyCanBeExcepted(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	w.server.Mailbox("al@example.com", "al-token")
	w.accounts.Connect(account.Account{
		Provider: account.Microsoft, ID: "a2", Person: "al", Address: "al@example.com",
	}, "al-token")
	e := event("u1@convene")
	mustWrite(t, w, entryOf(e))
	al := meet.Person{ID: "al", Name: "Al", Email: "al@example.com"}
	for except, want := range map[string]interval.State{"": interval.Busy, "u2@convene": interval.Busy,
		e.UID: interval.Free} {
		a, err := w.Times(t.Context(), al, span(8, 18), except)
		if err != nil || a.State(span(14, 15)) != want {
			t.Errorf("without %q: got %v, %v; want %v", except, a, err, want)
		}
	}
	// Al cannot be made to change what is not Al's.
	if err := w.Remove(t.Context(), calendar.Entry{Owner: al, Event: e}); err != nil {
		t.Fatal(err)
	}
	if got := w.mailbox.Events(w.mailbox.Main()); len(got) != 1 {
		t.Errorf("%d events of the organizer's, want 1", len(got))
	}
}

func TestWriteRefusesAnEventWithoutIdentityOrTime(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	empty := event("u1@convene")
	empty.End = empty.Start
	for name, e := range map[string]meet.Event{"no UID": event(""), "no duration": empty} {
		if _, err := w.Write(t.Context(), entryOf(e)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	stranger := entryOf(event("u1@convene"))
	stranger.Owner = meet.Person{ID: "stranger"}
	if _, err := w.Write(t.Context(), stranger); fault.As(err).Message != "no Microsoft calendar is connected" ||
		!errors.Is(err, calendar.ErrNoCalendar) {
		t.Errorf("somebody without an account: got %v", err)
	}
}
