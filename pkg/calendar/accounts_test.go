package calendar_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/meet"
)

// accounts are al's, with providers that need one.
type accounts struct {
	connected []string
	fails     error
}

func (accounts) Needed(provider string) bool { return provider != "local" && provider != "kept" }

func (a accounts) Connected(context.Context, meet.PersonID) ([]string, error) {
	return a.connected, a.fails
}

func TestOnlyProvidersWithAnAccountAreAsked(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		accounts accounts
		want     []string
	}{
		{"those that are connected", accounts{connected: []string{"google"}}, []string{"google", "local"}},
		{"none", accounts{}, []string{"local"}},
		{"all, where nobody knows", accounts{fails: errors.New("store is away")}, []string{"google", "caldav", "local"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := calendar.Directory{Accounts: test.accounts, Sources: []calendar.Provider{
				source("google", busy()), source("caldav", busy()), source("local", busy()),
			}}
			got, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{al}, Span: whole})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got["al"].Providers); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

// A calendar that a person connected counts also where this process was not set up to read it: its time is unknown,
// never free, and no event is meant for it.
func TestACalendarThatCannotBeReadHereIsUnknown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		connected, providers []string
		local                answer
	}{
		{[]string{"google", "ics", "google"}, []string{"ics", "kept"}, busy()},
		{[]string{"google"}, []string{"kept"}, fails(calendar.ErrNoCalendar)},
	} {
		d := calendar.Directory{
			Accounts: accounts{connected: test.connected},
			Sources:  []calendar.Provider{source("ics", busy()), writer{source("kept", test.local)}},
		}
		got, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{al}, Span: whole})
		if err != nil {
			t.Fatal(err)
		}
		reading := got["al"]
		if !reading.Availability.Unknown.Covers(whole) {
			t.Errorf("%v: some of the time counts as free: %+v", test.connected, reading.Availability)
		}
		if s := reading.Status; s.State != meet.CalendarUnchecked || s.Provider != "google" || s.Reason == "" {
			t.Errorf("%v: the status is %+v", test.connected, s)
		}
		if diff := cmp.Diff(test.providers, reading.Providers); diff != "" {
			t.Errorf("%v: providers (-want +got):\n%s", test.connected, diff)
		}
	}
}
