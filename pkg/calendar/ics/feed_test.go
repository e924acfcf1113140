package ics_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/ics"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// secret is in every address of these tests, and in no error.
const secret = "private-0123456789abcdef"

const (
	head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n"
	nine = "BEGIN:VEVENT\r\nUID:nine\r\nDTSTART:20260303T090000Z\r\nDTEND:20260303T100000Z\r\nEND:VEVENT\r\n"
	noon = "BEGIN:VEVENT\r\nUID:noon\r\nDTSTART:20260303T120000Z\r\nDTEND:20260303T130000Z\r\nEND:VEVENT\r\n"
	tail = "END:VCALENDAR\r\n"
)

func at(hour int) time.Time { return time.Date(2026, time.March, 3, hour, 0, 0, 0, time.UTC) }

func span(from, to int) interval.Span { return interval.Span{Start: at(from), End: at(to)} }

var ola = calendartest.Owner()

// accounts are feeds by the person's id: their addresses.
type accounts map[meet.PersonID][]string

func (a accounts) Accounts(
	ctx context.Context, person meet.PersonID, provider account.Provider,
) (list []account.Account, err error) {
	if provider != account.ICS {
		return nil, fmt.Errorf("asked for %s", provider)
	}
	for i := range a[person] {
		list = append(list, account.Account{
			ID: account.ID(fmt.Sprintf("%s/%d", person, i)), Person: person, Provider: provider,
		})
	}
	return list, ctx.Err()
}

// Note forgets what is noted.
func (accounts) Note(context.Context, account.ID, string) error { return nil }

func (a accounts) Credential(_ context.Context, id account.ID) (account.Credential, error) {
	person, number, _ := strings.Cut(string(id), "/")
	for i, address := range a[meet.PersonID(person)] {
		if fmt.Sprint(i) == number {
			return account.Credential{URL: address}, nil
		}
	}
	return account.Credential{}, errors.New("no such account")
}

// server serves handler under an address with the secret in it.
func server(t *testing.T, handler http.HandlerFunc) (address string) {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL + "/" + secret + "/basic.ics?token=" + secret
}

// text serves one text.
func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
		_, _ = w.Write([]byte(body))
	}
}

// open is the calendar of ola with feeds at the addresses.
func open(addresses ...string) *ics.Calendar {
	return ics.New(ics.Config{Accounts: accounts{ola.ID: addresses}, Client: &http.Client{}, Deadline: 5 * time.Second})
}

func TestConformance(t *testing.T) {
	t.Parallel()
	calendartest.TestLocatingProvider(t, func(t *testing.T, owner meet.Person,
		events ...calendartest.Event) calendar.Provider {
		t.Helper()
		address := server(t, text(string(calendartest.ICS(owner, events...))))
		return ics.New(ics.Config{Accounts: accounts{owner.ID: {address}}, Client: &http.Client{}})
	})
}

// file is a feed on a server that knows versions.
type file struct {
	mu       sync.Mutex
	body     string
	etag     string
	modified string
	// log has the status of each answer.
	log []int
}

func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.etag != "" {
		w.Header().Set("ETag", f.etag)
	}
	if f.modified != "" {
		w.Header().Set("Last-Modified", f.modified)
	}
	if f.etag != "" && r.Header.Get("If-None-Match") == f.etag ||
		f.etag == "" && f.modified != "" && r.Header.Get("If-Modified-Since") == f.modified {
		f.log = append(f.log, http.StatusNotModified)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	f.log = append(f.log, http.StatusOK)
	_, _ = w.Write([]byte(f.body))
}

// change puts another version in place.
func (f *file) change(body, etag string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.body, f.etag = body, etag
}
