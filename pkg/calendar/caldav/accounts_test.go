package caldav_test

import (
	"net/http"
	"strings"
	"testing"

	"convene/pkg/calendar/caldav"
	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/fault"
)

// byServer takes each call to the server that it is for.
type byServer map[string]http.RoundTripper

func (b byServer) RoundTrip(r *http.Request) (*http.Response, error) {
	return b[r.URL.Host].RoundTrip(r)
}

// twoAccounts has an event written to the first server, and a calendar of the second chosen since.
func twoAccounts(t *testing.T) (first, second *world) {
	t.Helper()
	first = connect(t, caldavtest.Options{HomeHost: "dav.example.com"}, "work")
	second = connect(t, caldavtest.Options{HomeHost: "dav.example.org"}, "private")
	write(t, first, entry(0, 3))
	first.accounts.all[0].Calendars[0].Target = false
	other := second.accounts.all[0]
	other.ID = "a2"
	first.accounts.all = append(first.accounts.all, other)
	first.Calendar = caldav.New(caldav.Config{Accounts: first.accounts, Now: now, Client: client(byServer{
		"dav.example.com": first.Client().Transport, "dav.example.org": second.Client().Transport,
	})})
	return first, second
}

// The person has chosen a calendar of another account since the event was written: it is changed where it stands, and
// new ones go to the calendar chosen.
func TestAnEventIsFoundInAnotherAccount(t *testing.T) {
	t.Parallel()
	first, second := twoAccounts(t)
	write(t, first, entry(1, 4))
	if got := object(t, first, "work"); !strings.Contains(got, "20260304T") {
		t.Errorf("the event was not moved where it stood:\n%s", got)
	}
	if got := second.Objects("private"); len(got) > 0 {
		t.Errorf("it was written a second time: %v", got)
	}
	if err := first.Remove(t.Context(), entry(1, 4)); err != nil {
		t.Errorf("Remove: %v", err)
	}
	if got := first.Objects("work"); len(got) > 0 {
		t.Errorf("it was left behind: %v", got)
	}
	write(t, first, entry(0, 5))
	object(t, second, "private")
}

// Where another account cannot be looked into, the event may stand there, and nothing is written or said to be gone.
func TestAnAccountThatCannotBeLookedInto(t *testing.T) {
	t.Parallel()
	first, second := twoAccounts(t)
	first.Fail(0, func(rw http.ResponseWriter, _ *http.Request) bool {
		http.Error(rw, "later", http.StatusInternalServerError)
		return true
	})
	if _, err := first.Write(t.Context(), entry(1, 4)); err == nil || !fault.As(err).Retryable {
		t.Errorf("Write = %v, want what can be tried again", err)
	}
	if err := first.Remove(t.Context(), entry(1, 4)); err == nil || !fault.As(err).Retryable {
		t.Errorf("Remove = %v, want what can be tried again", err)
	}
	if got := second.Objects("private"); len(got) > 0 {
		t.Errorf("it was written a second time: %v", got)
	}
	write(t, first, entry(0, 5)) // of a new event there is none anywhere
}
