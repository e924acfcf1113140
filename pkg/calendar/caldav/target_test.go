package caldav_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"convene/pkg/account"
	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/fault"
	"convene/pkg/interval"
)

// Events go to the calendar that the person has chosen, and without one nowhere.
func TestTarget(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work", "private")
	set := func(target int) {
		for i := range w.accounts.all[0].Calendars {
			w.accounts.all[0].Calendars[i].Target = i == target
		}
	}
	set(1)
	write(t, w, entry(0, 3))
	object(t, w, "private")
	set(-1)
	_, err := w.Write(t.Context(), entry(0, 3))
	if got := fault.As(err); got.Code != fault.CalendarFailed || !strings.Contains(got.Message, "choose") {
		t.Errorf("without a target: got %v", err)
	}
	second := account.Account{ID: "a2", Person: "owner", Provider: account.CalDAV, Server: w.Home(),
		Calendars: []account.Calendar{{ID: w.Home() + "work/", Target: true}}}
	w.accounts.all = append(w.accounts.all, second)
	write(t, w, entry(0, 3))
	object(t, w, "work")
}

// The password is not sent to a calendar whose address leads to another site.
func TestForeignCalendarAddress(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{HomeHost: "dav.example.com"}, "work")
	w.accounts.all[0].Calendars[0].ID = "https://dav.example.org/dav/calendars/ola/work/"
	if _, err := w.Times(t.Context(), calendartest.Owner(), march, ""); err == nil {
		t.Error("Busy: no error")
	}
	if _, err := w.Write(t.Context(), entry(0, 3)); err == nil {
		t.Error("Write: no error")
	}
	if got := w.Trusted(); len(got) != 0 {
		t.Errorf("%v were told the password", got)
	}
}

// A calendar that was moved within its site is followed there, with its question.
func TestMovedCalendar(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{HomeHost: "old.example.com"}, "work")
	w.fill("work", event("1", 3, 10, 11))
	w.Fail(0, func(rw http.ResponseWriter, r *http.Request) bool {
		if r.Host == "old.example.com" {
			http.Redirect(rw, r, "https://new.example.com"+r.URL.Path, http.StatusPermanentRedirect)
			return true
		}
		return false
	})
	if got, want := w.busy(t).Busy, interval.NewSet(hours(3, 10, 11)); !sameSet(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	write(t, w, entry(0, 4))
	if got := w.Trusted(); !slices.Equal(got, []string{"new.example.com", "old.example.com"}) {
		t.Errorf("%v were told the password", got)
	}
	if got := len(w.Objects("work")); got != 2 {
		t.Errorf("got %d objects, want 2", got)
	}
}
