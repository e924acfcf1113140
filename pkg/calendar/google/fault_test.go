package google_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/account/google/gatetest"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/google"
	"convene/pkg/calendar/google/googletest"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// reasonOf is what a person is told of err; empty where it is no fault.
func reasonOf(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Message
	}
	return ""
}

const (
	reconnect  = "reconnect the Google calendar"
	refused    = "Google refused access to this calendar; reconnect it"
	wait       = "Google asks to wait before it answers again; try again in a minute"
	down       = "Google Calendar is not answering; try again in a moment"
	slow       = "Google Calendar did not answer in time; try again in a moment"
	unreadable = "Google Calendar gave an answer that could not be read; try again in a moment"
	gone       = "a Google calendar is not there any more; choose the calendars again"
	away       = "Google Calendar could not be reached; try again in a moment"
)

// later is a handler that refuses and says when to come back.
func later(handler http.HandlerFunc, header, value string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(header, value)
		handler(w, r)
	}
}

// hang is a handler that never ends, after it has written the start of an answer.
func hang(start string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if start != "" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(start))
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	}
}

func hijacked(w http.ResponseWriter, _ *http.Request) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// Whatever goes wrong, the owner is unknown and never free, the reason says what to do, and no token and no address
// is in the error. What passes after a moment is not even noticed.
func TestFaultsWhileReading(t *testing.T) {
	t.Parallel()
	const forever = 1000
	json := "application/json"
	whole := payload(t, "events.json")
	for _, c := range []struct {
		name   string
		times  int
		answer http.HandlerFunc
		// passes says that the reading succeeds all the same.
		passes bool
		reason string
		after  time.Duration
	}{
		{name: "401 once", times: 1, answer: answering(t, 401, "error-401.json"), passes: true},
		{name: "401 with every token", times: forever, answer: answering(t, 401, "error-401.json"), reason: reconnect},
		{name: "403 user rate limit once", times: 1, answer: answering(t, 403, "error-403-user-rate-limit.json"),
			passes: true},
		{name: "403 rate limit", times: forever, answer: answering(t, 403, "error-403-rate-limit.json"), reason: wait},
		{name: "403 forbidden", times: forever, answer: answering(t, 403, "error-403-forbidden.json"), reason: refused},
		{name: "403 without the scope", times: forever, answer: answering(t, 403, "error-403-scope.json"), reason: refused},
		{name: "404", times: forever, answer: answering(t, 404, "error-404.json"), reason: gone},
		{name: "409", times: forever, answer: answering(t, 409, "error-409.json"),
			reason: "the event was changed in Google Calendar at the same moment; try again"},
		{name: "410", times: forever, answer: answering(t, 410, "error-410-deleted.json"), reason: gone},
		{name: "400", times: forever, answer: gatetest.Refusal(400, "badRequest"),
			reason: "Google Calendar did not accept the request"},
		{name: "429 that asks for too long a wait", times: forever, reason: wait, after: time.Minute,
			answer: later(answering(t, 429, "error-429.json"), "Retry-After", "60")},
		{name: "429 once", times: 1, answer: later(answering(t, 429, "error-429.json"), "Retry-After", "0"), passes: true},
		{name: "500", times: forever, answer: answering(t, 500, "error-500.json"), reason: down},
		{name: "500 once", times: 1, answer: answering(t, 500, "error-500.json"), passes: true},
		{name: "an HTML page with 502", times: forever, reason: down,
			answer: googletest.Answer(502, "text/html", "<html><title>502</title></html>")},
		{name: "a connection that is cut", times: forever, answer: hijacked, reason: away},
		{name: "truncated JSON", times: forever, answer: googletest.Answer(200, json, whole[:len(whole)/2]),
			reason: unreadable},
		{name: "a portal that wants a login", times: forever, reason: unreadable,
			answer: googletest.Answer(200, "text/html", "<html>Please log in</html>")},
		{name: "JSON under another name", times: forever, answer: googletest.Answer(200, "text/plain", whole),
			reason: unreadable},
		{name: "no content type", times: forever, answer: googletest.Answer(200, "", whole), reason: unreadable},
		{name: "an empty object", times: forever, answer: googletest.Answer(200, json, "{}"), reason: unreadable},
		{name: "null", times: forever, answer: googletest.Answer(200, json, "null"), reason: unreadable},
		{name: "nothing", times: forever, answer: googletest.Answer(200, json, ""), reason: unreadable},
		{name: "no content", times: forever, answer: googletest.Answer(204, json, ""), reason: unreadable},
		{name: "an event that is null", times: forever, reason: unreadable,
			answer: googletest.Answer(200, json, `{"kind":"calendar#events","items":[null]}`)},
		{name: "an event without times", times: forever, reason: unreadable,
			answer: googletest.Answer(200, json, `{"kind":"calendar#events","items":[{"id":"a"}]}`)},
		{name: "an event at no time that there is", times: forever, reason: unreadable,
			answer: googletest.Answer(200, json, `{"kind":"calendar#events","items":[{"id":"a","start":{"date":"2026-02-30"},`+
				`"end":{"date":"x"}}]}`)},
		{name: "an event that ends before it begins", times: forever, reason: unreadable,
			answer: googletest.Answer(200, json, `{"kind":"calendar#events","items":[{"id":"a","attendees":[null],
				"start":{"dateTime":"2026-03-03T10:00:00Z"},"end":{"dateTime":"2026-03-03T09:00:00Z"}}]}`)},
		{name: "a list without an end", times: forever, reason: unreadable,
			answer: googletest.Answer(200, json, `{"kind":"calendar#events","nextPageToken":"again"}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, keys, _ := connected(t)
			s.Seed(ola, calendartest.Event{UID: "1", Start: at(t, "3 09:00"), End: at(t, "3 10:00")})
			s.Fail(c.times, "GET", "/events", c.answer)
			if c.times > 1 {
				s.Fail(c.times, "POST", "/freeBusy", gatetest.Refusal(403, "forbidden"))
			}
			got, err := open(s, keys).Times(t.Context(), calendartest.Owner(), week(t), "")
			if c.passes {
				if want := []string{"3 08:00 - 3 09:00"}; err != nil || !cmp.Equal(want, inUTC(got.Busy)) || len(got.Unknown) > 0 {
					t.Fatalf("got %v, unknown %v and error %v, want busy %v", inUTC(got.Busy), got.Unknown, err, want)
				}
				return
			}
			checkFault(t, err, c.reason)
			if state := got.State(between(t, "4 09:00", "4 10:00")); state != interval.Unknown {
				t.Errorf("the time is %v, want unknown", state)
			}
			if f := fault.As(err); f.RetryAfter != c.after {
				t.Errorf("retry after %v, want %v", f.RetryAfter, c.after)
			}
		})
	}
}

func checkFault(t *testing.T, err error, reason string) {
	t.Helper()
	if got := reasonOf(err); got != reason {
		t.Errorf("reason = %q, want %q; the error is %v", got, reason, err)
	}
	for _, secret := range []string{"secret-", "ola@", "ola%40", "Bearer", "127.0.0.1/", "<html"} {
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%q is in the error: %v", secret, err)
		}
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]string{"slow first byte": "", "slow body": `{"kind":"calendar#events","items":[`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, keys, _ := connected(t)
			s.Fail(1, "GET", "/events", hang(start))
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			got, err := open(s, keys).Times(ctx, calendartest.Owner(), week(t), "")
			checkFault(t, err, slow)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error = %v, want %v within it", err, context.DeadlineExceeded)
			}
			if state := got.State(week(t)); state != interval.Unknown {
				t.Errorf("the week is %v, want unknown", state)
			}
		})
	}
}

func TestExpiredTokenIsRenewedOnceForAllCalendars(t *testing.T) {
	t.Parallel()
	s := googletest.New(t)
	s.User(ola, "Europe/Berlin")
	var calendars []account.Calendar
	for i := range 6 {
		id := fmt.Sprintf("calendar%d", i)
		s.Calendar(ola, id, "Europe/Berlin")
		calendars = append(calendars, account.Calendar{ID: id, Blocks: true})
	}
	keys := s.Keys()
	id := keys.Connect("owner", ola, calendars...)
	keys.Expire(id)
	if _, err := open(s, keys).Times(t.Context(), calendartest.Owner(), week(t), ""); err != nil {
		t.Fatal(err)
	}
	if got := keys.TimesRefused(); got != 1 {
		t.Errorf("renewed %d times, want once", got)
	}
}

func TestRevokedAccount(t *testing.T) {
	t.Parallel()
	s, keys, id := connected(t)
	keys.Revoke(id)
	got, err := open(s, keys).Times(t.Context(), calendartest.Owner(), week(t), "")
	checkFault(t, err, reconnect)
	if state := got.State(week(t)); state != interval.Unknown {
		t.Errorf("the week is %v, want unknown", state)
	}
	checkFault(t, open(s, keys).Remove(t.Context(), entry(t, first(t))), reconnect)
}

// amnesia is an account store that is away, for everything or for what opens an account.
type amnesia struct {
	*googletest.Keyring
	all bool
}

func (a amnesia) Accounts(
	ctx context.Context, person meet.PersonID, provider account.Provider,
) ([]account.Account, error) {
	if a.all {
		return nil, errors.New("store is away")
	}
	return a.Keyring.Accounts(ctx, person, provider)
}

func (amnesia) Credential(context.Context, account.ID) (account.Credential, error) {
	return account.Credential{}, errors.New("store is away")
}

func TestTheAccountStoreIsAway(t *testing.T) {
	t.Parallel()
	for _, all := range []bool{true, false} {
		s, keys, _ := connected(t)
		c := google.New(google.Config{Accounts: amnesia{keys, all}, Endpoint: s.URL})
		got, err := c.Times(t.Context(), calendartest.Owner(), week(t), "")
		if want := "the Google account could not be opened; try again in a moment"; reasonOf(err) != want {
			t.Errorf("reason = %q (%v), want %q", reasonOf(err), err, want)
		}
		if state := got.State(week(t)); state != interval.Unknown {
			t.Errorf("the week is %v, want unknown", state)
		}
		if _, err := c.Write(t.Context(), entry(t, first(t))); err == nil {
			t.Error("an event was written")
		}
	}
}

// One calendar that fails takes nothing from what the others say, and what does not pass by itself is told first.
func TestOneOfSeveralFails(t *testing.T) {
	t.Parallel()
	s := googletest.New(t)
	s.User(ola, "Europe/Berlin")
	s.User("ola@work.example.com", "Europe/Berlin")
	s.Seed(ola, calendartest.Event{UID: "1", Start: at(t, "3 09:00"), End: at(t, "3 10:00")})
	keys := s.Keys()
	keys.Connect("owner", ola, account.Calendar{ID: ola, Blocks: true}, account.Calendar{ID: "slow", Blocks: true})
	keys.Revoke(keys.Connect("owner", "ola@work.example.com"))
	s.Fail(1000, "GET", "/slow/", gatetest.Refusal(429, "rateLimitExceeded"))
	got, err := open(s, keys).Times(t.Context(), calendartest.Owner(), week(t), "")
	checkFault(t, err, reconnect)
	want := interval.Availability{
		Busy: interval.NewSet(between(t, "3 09:00", "3 10:00")), Unknown: interval.NewSet(week(t)),
	}
	if diff := cmp.Diff(want, got.Availability); diff != "" {
		t.Errorf("availability (-want +got):\n%s", diff)
	}
}

// Google says when to come back, by its own clock, and never so late that nobody could wait for it.
func TestRetryAfterAsGoogleSaysIt(t *testing.T) {
	t.Parallel()
	now := time.Date(2016, 3, 1, 12, 0, 0, 0, time.UTC)
	for after, want := range map[string]time.Duration{
		now.Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second,
		"99999999999": 24 * time.Hour,
	} {
		t.Run(after, func(t *testing.T) {
			t.Parallel()
			s, keys, _ := connected(t)
			refusal := later(gatetest.Refusal(429, "rateLimitExceeded"), "Retry-After", after)
			s.Fail(1000, "GET", "/events", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Date", now.Format(http.TimeFormat))
				refusal(w, r)
			})
			c := google.New(google.Config{Accounts: keys, Endpoint: s.URL})
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			_, err := c.Times(ctx, calendartest.Owner(), week(t), "")
			if got := fault.As(err).RetryAfter; got != want {
				t.Errorf("retry after %v, want %v; the error is %v", got, want, err)
			}
		})
	}
}

func TestCancelledIsNobodysFault(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.Fail(1, "GET", "/events", func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	_, err := open(s, keys).Times(ctx, calendartest.Owner(), week(t), "")
	if !errors.Is(err, context.Canceled) || reasonOf(err) != "" {
		t.Errorf("error = %v, want %v and no fault", err, context.Canceled)
	}
}
