package caldav_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/calendar/caldav"
	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

// Whatever a server lacks, free and busy are the same.
func TestContractOnServersThatLackThings(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]caldavtest.Options{
		"full":                   {},
		"refuses time ranges":    {NoTimeRange: true},
		"refuses queries":        {NoQuery: true},
		"names events only":      {NoData: true},
		"invites":                {Schedules: true, Addresses: []string{"mailto:ola@example.com"}},
		"without ETags":          {NoETag: true},
		"home on another host":   {HomeHost: "p07-caldav.example.com"},
		"without a sync report":  {NoSync: true},
		"without anything to go": {NoSync: true, NoCTag: true, NoETag: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calendartest.TestLocatingProvider(t, func(t *testing.T, _ meet.Person,
				events ...calendartest.Event) calendar.Provider {
				t.Helper()
				w := connect(t, o, "work")
				w.fill("work", events...)
				return w.Calendar
			})
		})
	}
}

// Whatever a server lacks, changes are the same; a calendar that is only shared can be read.
func TestAmendmentsOnServersThatLackThings(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]caldavtest.Options{
		"full": {},
		"invites, and refuses queries": {
			NoQuery: true, Schedules: true, Addresses: []string{"mailto:ola@example.com"}, HomeHost: "p07-caldav.example.com",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calendartest.TestAmender(t, keeper(o, nil), keeper(o, map[string]string{
				"current-user-privilege-set": "<d:privilege><d:read/></d:privilege>",
			}))
		})
	}
}

// keeper keeps each event in an object of its own.
func keeper(o caldavtest.Options, props map[string]string) calendartest.Keeper {
	return func(t *testing.T, _ meet.Person, events ...calendartest.Event) calendartest.Kept {
		t.Helper()
		w := connect(t, o, "work")
		if props != nil {
			w.AddCalendar("work", props)
		}
		w.fill("work", events...)
		return calendartest.Kept{
			Amender: w.Calendar,
			Dump:    func(*testing.T) string { return fmt.Sprint(w.Objects("work")) },
			Foreign: func(_ *testing.T, uid string) []string {
				return calendartest.ForeignIn(w.Objects("work")[uid+".ics"])
			},
			Retitle: func(_ *testing.T, uid, title string) {
				w.Put("work", uid+".ics", summary.ReplaceAllString(w.Objects("work")[uid+".ics"], "SUMMARY:"+title+"\r\n"))
			},
			Remove: func(_ *testing.T, uid string) { w.Delete("work", uid+".ics") },
		}
	}
}

// detour takes each call to a server on this machine.
type detour struct {
	to   string
	base http.RoundTripper
}

func (d detour) RoundTrip(r *http.Request) (*http.Response, error) {
	out := r.Clone(r.Context())
	out.Host, out.URL.Scheme, out.URL.Host = r.URL.Host, "http", strings.TrimPrefix(d.to, "http://")
	return d.base.RoundTrip(out)
}

func TestACrashAnywhereIsNoSecondDeed(t *testing.T) {
	t.Parallel()
	calendartest.TestCrashes(t, func(t *testing.T, _ meet.Person, events ...calendartest.Event) calendartest.Served {
		t.Helper()
		w := connect(t, caldavtest.Options{
			HomeHost: "dav.example.com", Schedules: true, Addresses: []string{"mailto:ola@example.com"},
		}, "work")
		w.fill("work", events...)
		return calendartest.Served{
			Over: func(_ *testing.T, base http.RoundTripper) calendar.Amender {
				return caldav.New(caldav.Config{
					Accounts: w.accounts, Now: now, Client: outbound.Client(outbound.Config{Base: detour{w.URL(), base}}),
				})
			},
			Dump: func(*testing.T) string { return fmt.Sprint(w.Objects("work"), w.Sent()) },
		}
	})
}

// What another client calls off while a series is split stays called off in both parts.
func TestASeriesThatChangesWhileItIsSplit(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work")
	weekly := event("w", 3, 9, 10)
	weekly.Rule = "FREQ=WEEKLY;COUNT=4"
	w.fill("work", weekly)
	found, err := w.Events(t.Context(), calendartest.Owner(), hours(10, 9, 10))
	if err != nil || len(found) != 1 {
		t.Fatalf("Events: %v, %v", found, err)
	}
	weekly.Cancelled = []time.Time{berlin(24, 9)}
	var once sync.Once
	w.Fail(0, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/w.ics") {
			once.Do(func() { w.fill("work", weekly) })
		}
		return false
	})
	title := "New"
	if _, err := w.Apply(t.Context(), calendartest.Owner(), agenda.Amendment{
		Key: "k", Kind: agenda.Update, Event: found[0], Scope: meet.Following, Set: agenda.Fields{Title: &title},
	}); err != nil {
		t.Fatalf("Apply: %v", err)
	}
	if found, err = w.Events(t.Context(), calendartest.Owner(), march); err != nil || len(found) != 3 {
		t.Errorf("%d events, %v, want 3: %+v", len(found), err, found)
	}
}
