package caldav_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/calendar/caldav"
	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/outbound"
)

// answer is a fault that answers every call so.
func answer(status int, body string, header ...string) caldavtest.Fault {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
}

func redirect(to string) caldavtest.Fault {
	return answer(http.StatusMovedPermanently, "", "Location", to)
}

// only leaves all calls but those of the method to the server.
func only(method string, f caldavtest.Fault) caldavtest.Fault {
	return func(w http.ResponseWriter, r *http.Request) bool { return r.Method == method && f(w, r) }
}

// hang answers with the beginning of an answer, or with nothing, and then not at all.
func hang(beginning string) caldavtest.Fault {
	return func(w http.ResponseWriter, r *http.Request) bool {
		// A server notices that its client has gone only once it has read the question.
		_, _ = io.Copy(io.Discard, r.Body)
		if beginning != "" {
			w.WriteHeader(http.StatusMultiStatus)
			_, _ = io.WriteString(w, beginning)
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
		return true
	}
}

// cut sends the beginning of an answer and breaks the connection off.
func cut(beginning string) caldavtest.Fault {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Length", "100000")
		w.WriteHeader(http.StatusMultiStatus)
		_, _ = io.WriteString(w, beginning)
		panic(http.ErrAbortHandler)
	}
}

const (
	beginning = `<?xml version="1.0"?><d:multistatus ` +
		`xmlns:d="DAV:"><d:response><d:href>/dav/calendars/ola/work/1.ics</d:href>`
	loginPage = "<!DOCTYPE html><html><head><title>Log in</title></head><body>Hotel network</body></html>"
	dateThere = "Mon, 20 Feb 2006 12:00:00 GMT" // whatever ours says
	dateAgain = "Mon, 20 Feb 2006 12:02:00 GMT"
)

type failure struct {
	name  string
	fault caldavtest.Fault
	code  fault.Code
	// says is a part of the message.
	says  string
	later bool
	after time.Duration
	// slow is a server that has to be given up.
	slow bool
}

func failures() []failure {
	return []failure{
		{name: "401", fault: answer(401, ""), code: fault.CalendarFailed, says: "reconnect"},
		{name: "403", fault: answer(403, ""), code: fault.CalendarFailed, says: "does not allow"},
		{name: "404", fault: answer(404, ""), code: fault.CalendarFailed, says: "no longer there"},
		{name: "405", fault: answer(405, ""), code: fault.CalendarFailed, says: "does not allow"},
		{name: "409", fault: answer(409, ""), code: fault.CalendarFailed, says: "no longer there"},
		{name: "410", fault: answer(410, ""), code: fault.CalendarFailed, says: "no longer there"},
		{name: "412", fault: answer(412, ""), code: fault.Conflict, says: "changed at the same time", later: true},
		{name: "423", fault: answer(423, ""), code: fault.CalendarFailed, says: "locked", later: true},
		{name: "429", fault: answer(429, "", "Retry-After", "7"), code: fault.CalendarFailed, says: "pause", later: true,
			after: 7 * time.Second},
		{name: "503 with a date", fault: answer(503, "", "Retry-After", dateAgain, "Date", dateThere),
			code: fault.CalendarFailed,
			says: "pause", later: true, after: 2 * time.Minute},
		{name: "500", fault: answer(500, "oops"), code: fault.CalendarFailed, says: "fails at the moment", later: true},
		{name: "HTML 502", fault: answer(502, loginPage, "Content-Type", "text/html"), code: fault.CalendarFailed,
			says: "fails at the moment", later: true},
		{name: "507", fault: answer(507, ""), code: fault.CalendarFailed, says: "space"},
		{name: "400", fault: answer(400, ""), code: fault.CalendarFailed, says: "did not understand"},
		{name: "login page with status 200", fault: answer(200, loginPage, "Content-Type", "text/html; charset=utf-8"),
			code: fault.CalendarFailed, says: "not a calendar", later: true},
		{name: "sent to another site", fault: redirect("https://dav.example.org/"), code: fault.CalendarFailed,
			says: "another address"},
		{name: "slow first byte", fault: hang(""), code: fault.CalendarFailed, says: "in time", later: true, slow: true},
	}
}

// readFailures are those that only an answer with content can have.
func readFailures() []failure {
	broken := func(name string, f caldavtest.Fault) failure {
		return failure{name: name, fault: f, code: fault.CalendarFailed, says: "not a calendar", later: true}
	}
	return []failure{
		{name: "slow body", fault: hang(beginning), code: fault.CalendarFailed, says: "in time", later: true, slow: true},
		{name: "broken off", fault: cut(beginning), code: fault.CalendarFailed, says: "reached", later: true},
		broken("truncated XML", answer(207, beginning, "Content-Type", "application/xml")),
		broken("login page with status 207", answer(207, loginPage, "Content-Type", "text/html")),
		broken("another document", answer(207, `<feed xmlns="http://www.w3.org/2005/Atom"/>`)),
		broken("an empty answer", answer(207, "")),
		broken("no content", answer(204, "")),
		{name: "no such calendar, said of itself", code: fault.CalendarFailed, says: "no longer there",
			fault: answer(207, `<multistatus xmlns="DAV:"><response><href>/dav/calendars/ola/work/</href>`+
				`<status>HTTP/1.1 404 Not Found</status></response></multistatus>`)},
		broken("an object without a name", answer(207, `<multistatus xmlns="DAV:"><response/></multistatus>`)),
	}
}

// check compares a failure with what came of it.
func (f failure) check(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Fatal("got no error")
	}
	got := fault.As(err)
	if got.Code != f.code || !strings.Contains(got.Message, f.says) {
		t.Errorf("got %s %q, want %s with %q", got.Code, got.Message, f.code, f.says)
	}
	if got.Retryable != f.later || got.RetryAfter != f.after {
		t.Errorf("got retryable %t after %v, want %t after %v", got.Retryable, got.RetryAfter, f.later, f.after)
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("the error tells the password: %v", err)
	}
}

func (f failure) context(t *testing.T) context.Context {
	t.Helper()
	if !f.slow {
		return t.Context()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// Whatever goes wrong, the reading is an error, so that all time is unknown and none of it free.
func TestReadingFaults(t *testing.T) {
	t.Parallel()
	for _, f := range append(failures(), readFailures()...) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			w := connect(t, caldavtest.Options{}, "work")
			w.fill("work", event("1", 3, 10, 11))
			last := w.sync(t, calendar.Snapshot{})
			w.Fail(0, f.fault)
			ctx := f.context(t)
			_, err := w.Times(ctx, calendartest.Owner(), march, "")
			f.check(t, err)
			if f.name == "401" {
				return // the account is left alone from now on
			}
			for name, from := range map[string]calendar.Snapshot{"anew": {}, "on": last} {
				if _, err := w.Sync(f.context(t), calendartest.Owner(), march, from); err == nil {
					t.Errorf("Sync %s: no error", name)
				}
			}
		})
	}
}

// A change that fails leaves nothing behind that was not there, and says so in a sentence.
func TestWritingFaults(t *testing.T) {
	t.Parallel()
	for _, f := range failures() {
		for step, at := range map[string]caldavtest.Fault{"first call": f.fault, "PUT": only("PUT", f.fault)} {
			t.Run(f.name+" at the "+step, func(t *testing.T) {
				t.Parallel()
				w := connect(t, caldavtest.Options{}, "work")
				w.Fail(0, at)
				_, err := w.Write(f.context(t), entry(0, 3))
				f.check(t, err)
				if m := fault.As(err).Message; !strings.HasPrefix(m, "The event could not be written: ") {
					t.Errorf("got message %q, want a sentence about writing", m)
				}
				if got := w.Objects("work"); len(got) != 0 {
					t.Errorf("left %v behind", got)
				}
			})
		}
	}
}

func TestRemovingFaults(t *testing.T) {
	t.Parallel()
	for _, f := range failures() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			w := connect(t, caldavtest.Options{}, "work")
			e := entry(0, 3)
			write(t, w, e)
			w.Fail(0, only("DELETE", f.fault))
			err := w.Remove(f.context(t), e)
			if f.name == "404" || f.name == "410" {
				if err != nil {
					t.Errorf("got %v for what is not there", err)
				}
				return
			}
			f.check(t, err)
			if m := fault.As(err).Message; !strings.HasPrefix(m, "The event could not be removed: ") {
				t.Errorf("got message %q, want a sentence about removing", m)
			}
		})
	}
}

// A password that is refused is told to the accounts, once, and not tried again until the person has reconnected.
func TestRefusedPasswordIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work")
	w.accounts.cred.Password = "old"
	for range 3 {
		_, err := w.Times(t.Context(), calendartest.Owner(), march, "")
		if got := fault.As(err).Message; got != "reconnect the CalDAV calendar" {
			t.Errorf("got %q", got)
		}
	}
	if got := len(w.accounts.refused); got != 1 || w.accounts.refused[0].Password != "old" {
		t.Errorf("the accounts were told of %d refusals, want 1", got)
	}
	if got := w.Requests(); len(got) != 1 {
		t.Errorf("made %d calls, want 1: %v", len(got), got)
	}
}

// One calendar of two that cannot be read is an error; what the other says is there beside it.
func TestOneFailingCalendarOfTwo(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work", "private")
	w.fill("work", event("1", 3, 10, 11))
	w.Fail(0, func(rw http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "private") {
			http.Error(rw, "", http.StatusNotFound)
			return true
		}
		return false
	})
	got, err := w.Times(t.Context(), calendartest.Owner(), march, "")
	if err == nil {
		t.Error("got no error")
	}
	if !got.Busy.Covers(hours(3, 10, 11)) {
		t.Errorf("got %v, want what the other calendar has", got.Busy)
	}
}

// An object that cannot be understood makes the time unknown at which it may be, and spoils nothing else.
func TestDamagedObjectIsUnknownAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, data string
		// want is the state of the day after the other event's.
		want interval.State
	}{
		{name: "no calendar at all", data: "<html>", want: interval.Unknown},
		{name: "cut short", data: "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:x\r\n", want: interval.Unknown},
		{name: "no start", data: vevent("SUMMARY:When?"), want: interval.Unknown},
		{name: "a rule that nobody knows", want: interval.Unknown,
			data: vevent("DTSTART:20260302T100000Z", "DTEND:20260302T110000Z", "RRULE:FREQ=SOMETIMES")},
		{name: "a damaged event of another year", want: interval.Free,
			data: vevent("DTSTART:20300302T100000Z", "DURATION:forever")},
		{name: "a control character", want: interval.Free,
			data: vevent("DTSTART:20260301T100000Z", "DTEND:20260301T110000Z", "SUMMARY:a\x01b")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := connect(t, caldavtest.Options{}, "work")
			w.fill("work", event("1", 3, 10, 11))
			w.Put("work", "damaged.ics", c.data)
			for name, a := range map[string]interval.Availability{
				"Busy": w.busy(t), "Sync": w.sync(t, calendar.Snapshot{}).Times("").Availability,
			} {
				if got := a.State(hours(3, 10, 11)); got != interval.Busy {
					t.Errorf("%s: got %s for the other event, want busy", name, got)
				}
				if got := a.State(hours(4, 10, 11)); got != c.want {
					t.Errorf("%s: got %s for the day after, want %s", name, got, c.want)
				}
			}
		})
	}
}

func vevent(lines ...string) string {
	return strings.Join(append(append([]string{"BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:damaged"}, lines...),
		"END:VEVENT", "END:VCALENDAR", ""), "\r\n")
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// What a client gives up by itself is told in words, too.
func TestFaultsOfTheClient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err   error
		says  string
		after time.Duration
	}{
		{&outbound.OpenError{Name: "caldav", After: 5 * time.Second}, "fails at the moment", 5 * time.Second},
		{&outbound.TooLargeError{Name: "caldav", Limit: 1}, "too large", 0},
		{&outbound.NotPublicError{}, "not a public one", 0},
		{io.ErrUnexpectedEOF, "could not be reached", 0},
	} {
		w := connect(t, caldavtest.Options{}, "work")
		p := caldav.New(caldav.Config{Accounts: w.accounts, Client: client(failing{c.err}), Now: now})
		_, err := p.Times(t.Context(), calendartest.Owner(), march, "")
		got := fault.As(err)
		if got.Code != fault.CalendarFailed || !strings.Contains(got.Message, c.says) || got.RetryAfter != c.after {
			t.Errorf("%v: got %v after %v, want %q after %v", c.err, got, got.RetryAfter, c.says, c.after)
		}
		if strings.Contains(err.Error(), "/dav/") {
			t.Errorf("the error tells the address: %v", err)
		}
	}
}

// What is too large to be read is said to be so.
func TestTooLargeAnswer(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work")
	w.Fail(0, func(rw http.ResponseWriter, _ *http.Request) bool {
		rw.WriteHeader(http.StatusMultiStatus)
		chunk := strings.Repeat(" ", 1<<20)
		for range 40 {
			if _, err := io.WriteString(rw, chunk); err != nil {
				return true
			}
		}
		return true
	})
	_, err := w.Times(t.Context(), calendartest.Owner(), march, "")
	if got := fault.As(err).Message; !strings.Contains(got, "too large") {
		t.Errorf("got %q", got)
	}
}
