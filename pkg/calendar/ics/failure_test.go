package ics_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/calendar/ics"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, "<html><body>%s</body></html>", secret)
	}
}

// page is what a log-in page answers: success, and HTML.
func page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte("\n<!DOCTYPE html><title>Sign in</title>"))
}

// hang answers part and then nothing more, until the caller has gone.
func hang(part string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if part != "" {
			_, _ = w.Write([]byte(part))
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	}
}

// short promises more than it sends.
func short(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100000")
	_, _ = w.Write([]byte(head + nine))
}

func huge(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte(head))
	filler := []byte("X-FILL:" + strings.Repeat("x", 1<<16) + "\r\n")
	for n := 0; n < 2*ics.MaxFeed; n += len(filler) {
		if _, err := w.Write(filler); err != nil {
			return
		}
	}
}

func pack(t *testing.T, body string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(body)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFaults: whatever goes wrong makes the whole span unknown, with a reason that reads well after "Ola: " and that
// does not tell the address.
func TestFaults(t *testing.T) {
	t.Parallel()
	again := "try again in a moment"
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		reason  string
		after   time.Duration
		retry   bool
	}{
		{"401", status(401), "the feed may not be read any more; add its new address", 0, false},
		{"403", status(403), "the feed may not be read any more; add its new address", 0, false},
		{"404", status(404), "the feed is gone; add its new address", 0, false},
		{"410", status(410), "the feed is gone; add its new address", 0, false},
		{"418", status(418), "the feed could not be read; check its address", 0, false},
		{"204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
			"the feed could not be read; check its address", 0, false},
		{"429 with seconds", status(429, "Retry-After", "90"), "the feed's server wants to be asked less often; " + again,
			90 * time.Second, true},
		{"429 with a date", status(429, "Retry-After", "Tue, 03 Mar 2026 08:01:30 GMT", "Date",
			"Tue, 03 Mar 2026 08:00:00 GMT"),
			"the feed's server wants to be asked less often; " + again, 90 * time.Second, true},
		{"429 with nonsense", status(429, "Retry-After", "-7"), "the feed's server wants to be asked less often; " + again,
			0, true},
		{"500", status(500), "the feed could not be reached; " + again, 0, true},
		{"502 with a page", status(502, "Content-Type", "text/html"), "the feed could not be reached; " + again, 0, true},
		{"503 with Retry-After", status(503, "Retry-After", "7"), "the feed could not be reached; " + again, 7 * time.Second,
			true},
		{"slow first byte", hang(""), "the feed did not answer in time; " + again, 0, true},
		{"slow body", hang(head + nine), "the feed did not answer in time; " + again, 0, true},
		{"cut short", short, "the feed came cut short; " + again, 0, true},
		{"without its end", text(head + nine), "the feed is damaged or came cut short; " + again, 0, true},
		{"damaged", text(head + "nonsense\r\n" + tail), "the feed is damaged or came cut short; " + again, 0, true},
		{"a packed file cut short", text(pack(t, head+nine+tail)[:60]), "the feed is damaged or came cut short; " + again,
			0, true},
		{"a log-in page", page, "the feed's address shows a web page; add the calendar's own address, often called its " +
			"iCal or secret address", 0, false},
		{"something else", text(`{"error":"not found"}`),
			"what is at the feed's address is not a calendar; check the address", 0, false},
		{"nothing", text(""), "the feed is empty, not even a calendar; check its address", 0, false},
		{"too large", huge, "the feed is larger than 16 MB; add one with fewer events", 0, false},
		{"too large when unpacked", text(pack(t, head+strings.Repeat("X-FILL:x\r\n", 2<<20)+tail)),
			"the feed is larger than 16 MB; add one with fewer events", 0, false},
		{"a redirect without end", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.String(), http.StatusFound)
		},
			"the feed could not be reached; " + again, 0, true},
		{"a redirect to nowhere", status(302, "Location", "http://"+secret+":nowhere/%zz"),
			"the feed could not be reached; " + again, 0, true},
		{"a broken connection", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			"the feed could not be reached; " + again, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := ics.New(ics.Config{
				Accounts: accounts{ola.ID: {server(t, test.handler)}}, Client: &http.Client{}, Deadline: deadlineOf(test.reason),
			})
			got, err := c.Times(t.Context(), ola, span(0, 24), "")
			f, ok := errors.AsType[*fault.Error](err)
			if !ok {
				t.Fatalf("got %v, %v; want a fault", got, err)
			}
			if f.Message != test.reason || f.Code != fault.CalendarFailed {
				t.Errorf("got %s %q, want %q", f.Code, f.Message, test.reason)
			}
			if f.Retryable != test.retry || f.RetryAfter != test.after {
				t.Errorf("got retryable %v after %v, want %v after %v", f.Retryable, f.RetryAfter, test.retry, test.after)
			}
			if got.State(span(0, 24)) != interval.Unknown {
				t.Errorf("got %v, want unknown", got)
			}
			if text := fmt.Sprintf("%v %+v", err, f.Err); strings.Contains(text, secret) || strings.Contains(text, "127.0.0.1") {
				t.Errorf("the error tells the address: %s", text)
			}
		})
	}
}

// deadlineOf is short where the test waits for it.
func deadlineOf(reason string) time.Duration {
	if strings.Contains(reason, "in time") {
		return 100 * time.Millisecond
	}
	return 20 * time.Second
}

// TestPrivateAddresses: neither the address of a feed nor what it redirects to may be in a private network.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	const reason = "the feed's address leads into a private network; add an address that can be reached from everywhere"
	inside := server(t, func(http.ResponseWriter, *http.Request) { t.Error("a request came through") })
	guarded := outbound.Client(outbound.Config{Name: "ics", PublicOnly: true, Attempts: 1})
	redirecting := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host != "feeds.example.com" {
			return guarded.Transport.RoundTrip(r)
		}
		return &http.Response{
			StatusCode: http.StatusFound, Header: http.Header{"Location": {inside}}, Body: http.NoBody, Request: r,
		}, nil
	})}
	for name, ask := range map[string]struct {
		client  *http.Client
		address string
	}{
		"the feed itself": {guarded, inside},
		"a redirect":      {redirecting, "http://feeds.example.com/" + secret},
		"by name":         {guarded, strings.Replace(inside, "127.0.0.1", "localhost", 1)},
	} {
		_, err := ics.New(ics.Config{Client: ask.client}).Check(t.Context(), ask.address)
		if f, ok := errors.AsType[*fault.Error](err); !ok || f.Message != reason {
			t.Errorf("%s: got %v, want %q", name, err, reason)
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error tells the address: %v", name, err)
		}
	}
}

// TestThroughOutbound: a client of outbound's says on its own what is too large, and that a server is down.
func TestThroughOutbound(t *testing.T) {
	t.Parallel()
	client := outbound.Client(outbound.Config{Name: "ics", Attempts: 1, MaxBody: 1000})
	c := ics.New(ics.Config{Client: client})
	_, err := c.Check(t.Context(), server(t, huge))
	if err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("got %v, want too large", err)
	}
	down := server(t, status(500))
	for range 30 {
		_, err = c.Check(t.Context(), down)
	}
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || !f.Retryable || f.RetryAfter <= 0 {
		t.Errorf("got %v, want a fault that says when to come again", err)
	}
}

// TestHowFeedsAreWritten: the ways in which one and the same feed may come.
func TestHowFeedsAreWritten(t *testing.T) {
	t.Parallel()
	feed := head + "X-WR-CALNAME:Büro\r\n" + nine + tail
	wide := utf16.Encode([]rune("\ufeff" + feed))
	var big, little []byte
	for _, u := range wide {
		big, little = append(big, byte(u>>8), byte(u)), append(little, byte(u), byte(u>>8))
	}
	latin := strings.ReplaceAll(feed, "ü", "\xfc")
	as := func(contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = w.Write([]byte(body))
		}
	}
	for name, handler := range map[string]http.HandlerFunc{
		"as it should be":          as("text/calendar; charset=utf-8", feed),
		"as plain text":            as("text/plain", feed),
		"as a page":                as("text/html", feed),
		"with a byte order mark":   as("text/calendar", "\xef\xbb\xbf"+feed),
		"after empty lines":        as("text/calendar", "\r\n\r\n"+feed),
		"with line feeds only":     as("text/calendar", strings.ReplaceAll(feed, "\r\n", "\n")),
		"in lower case":            as("text/calendar", strings.Replace(feed, "BEGIN:VCALENDAR", "begin:vcalendar", 1)),
		"in Latin-1":               as("text/calendar; charset=iso-8859-1", latin),
		"in UTF-16":                as("text/calendar", string(big)),
		"in UTF-16, little-endian": as("text/calendar; charset=utf-16", string(little)),
		"folded in mid character":  as("text/calendar", strings.ReplaceAll(feed, "ü", "\xc3\r\n \xbc")),
		"packed":                   as("application/gzip", pack(t, feed)),
		"packed on the way": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write([]byte(pack(t, feed)))
		},
		"after a redirect": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/there" {
				http.Redirect(w, r, "/there", http.StatusMovedPermanently)
				return
			}
			_, _ = w.Write([]byte(feed))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := server(t, handler)
			got, err := open(address).Times(t.Context(), ola, span(0, 24), "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(interval.Availability{Busy: interval.NewSet(span(9, 10))}, got.Availability); diff != "" {
				t.Errorf("availability (-want +got):\n%s", diff)
			}
			if name, err := open().Check(t.Context(), address); err != nil || name != "Büro" {
				t.Errorf("name: got %q, %v", name, err)
			}
		})
	}
}

func TestCalendarWithoutEventsIsEmpty(t *testing.T) {
	t.Parallel()
	got, err := open(server(t, text(head+tail))).Times(t.Context(), ola, span(0, 24), "")
	if err != nil || got.State(span(0, 24)) != interval.Free {
		t.Errorf("got %v, %v; want free", got, err)
	}
}

func TestReaderThatGoesAwayIsNoFault(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c := open(server(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	_, err := c.Times(ctx, ola, span(0, 24), "")
	if _, isFault := errors.AsType[*fault.Error](err); isFault || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v and no fault", err, context.Canceled)
	}
}

// TestReasonInADirectory: the reason arrives where people see it.
func TestReasonInADirectory(t *testing.T) {
	t.Parallel()
	d := calendar.Directory{Sources: []calendar.Provider{open(server(t, http.NotFound))}}
	readings, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{ola}, Span: span(0, 24)})
	if err != nil {
		t.Fatal(err)
	}
	got := readings[ola.ID].Status
	if got.State != meet.CalendarUnchecked || got.Provider != "ics" ||
		got.Reason != "the feed is gone; add its new address" {
		t.Errorf("got %+v", got)
	}
}

// Of several feeds that cannot be read, the one that its owner has to do something about is told.
func TestTheFeedThatNeedsItsOwnerIsTold(t *testing.T) {
	t.Parallel()
	c := ics.New(ics.Config{
		Accounts: accounts{ola.ID: {server(t, status(500)), server(t, status(404))}}, Client: &http.Client{},
	})
	_, err := c.Times(t.Context(), ola, span(0, 24), "")
	if f := fault.As(err); f.Message != "the feed is gone; add its new address" {
		t.Errorf("got %q", f.Message)
	}
}
