package main

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar/caldav/radicaletest"
	"convene/pkg/interval"
)

// meeting is one conversation of Morgan's with all that is looked at beside it.
type meeting struct {
	*town
	*client
	// invites says that Morgan's calendar invites Al by mail, and copies that Al's gets a copy of its own instead.
	invites, copies bool
	// blind says that Al lets Convene see when there is no time, and not what for.
	blind bool
	// providers are who keeps each person's calendar.
	providers map[string]string
	// received is the UID of the invitation that stands in Al's calendar.
	received string
}

// Two people with calendars at different providers: a new event, another time, its confirmation, another day, and its
// end. Morgan asks, Al is asked to come.
func TestTwoPeopleOnDifferentProviders(t *testing.T) {
	t.Parallel()
	radicale := &radicaletest.Server{}
	t.Cleanup(radicale.Stop)
	kinds := map[string]func(t *testing.T, email string) keeper{
		"google":    func(t *testing.T, email string) keeper { t.Helper(); return newGoogleKeeper(t, email) },
		"microsoft": func(t *testing.T, email string) keeper { t.Helper(); return newMicrosoftKeeper(t, email) },
		"caldav":    func(t *testing.T, email string) keeper { t.Helper(); return newDAVKeeper(t, email) },
		"radicale":  func(t *testing.T, _ string) keeper { t.Helper(); return newRadicaleKeeper(t, radicale) },
		"ics":       func(t *testing.T, _ string) keeper { t.Helper(); return newFeedKeeper(t) },
		"local":     func(*testing.T, string) keeper { return newLocalKeeper() },
	}
	for _, tt := range []struct {
		morgan, al string
		// access is what Al lets Convene do.
		access          string
		invites, copies bool
	}{
		{"google", "microsoft", "read", true, false},
		{"google", "radicale", "", true, false},
		{"google", "ics", "", true, false},
		{"microsoft", "google", "write", true, false},
		{"microsoft", "caldav", "", true, false},
		{"microsoft", "local", "", true, false},
		{"caldav", "google", "read", true, false},
		{"caldav", "ics", "", true, false},
		{"radicale", "microsoft", "write", false, true},
		{"radicale", "google", "read", false, false},
		{"local", "google", "write", false, true},
		{"local", "radicale", "", false, true},
	} {
		t.Run(tt.morgan+" and "+tt.al, func(t *testing.T) {
			t.Parallel()
			w := newTown(t, kinds[tt.morgan](t, morgansAddress), kinds[tt.al](t, alsAddress))
			w.keepers[morgan].connect(w, morgan, "write")
			w.keepers[al].connect(w, al, tt.access)
			m := &meeting{town: w, client: w.conversation("both"), invites: tt.invites, copies: tt.copies}
			m.blind = tt.invites && tt.al == "google" && tt.access == "read"
			m.providers = map[string]string{morgan: providerOf(tt.morgan), al: providerOf(tt.al)}
			m.wantConnected()
			m.goesItsWay()
			w.wantSealed()
		})
	}
}

func providerOf(kind string) string {
	if kind == "radicale" {
		return "caldav"
	}
	return kind
}

// wantConnected wants each calendar on its owner's list, but for files that nobody connects.
func (m *meeting) wantConnected() {
	t := m.T
	t.Helper()
	for person, provider := range m.providers {
		want, got := []string{provider + " connected"}, []string{}
		if provider == "local" {
			want = []string{}
		}
		for _, c := range m.connected(person) {
			got = append(got, c.Provider+" "+c.State+c.Problem)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("calendars of %s (-want +got):\n%s", person, diff)
		}
	}
}

// goesItsWay is the whole story.
func (m *meeting) goesItsWay() {
	t := m.T
	t.Helper()
	first := m.ask("video call with Al on Wednesday")
	m.wantNothing("proposed")
	later := m.ask("can we do an hour later?")
	if !later.Equal(first.Add(time.Hour)) {
		t.Errorf("an hour later than %v is %v", first, later)
	}

	m.settled("confirm", "confirmed", later)
	entry := m.wantStanding(later, invited)
	m.arrives(entry)
	m.settled("confirm", "confirmed", later)
	m.wantStanding(later, invited)

	// The event is not in its own way, also where Al's calendar has it under the name that Morgan's gave it.
	if !m.blind {
		if longer := m.ask("make it 45 minutes"); !longer.Equal(later) {
			t.Errorf("the longer event is at %v, want it at %v", longer, later)
		}
	}
	thursday := m.ask("make it Thursday")
	if thursday.Weekday() != time.Thursday {
		t.Errorf("Thursday is %v", thursday)
	}
	m.wantStanding(later, invited)
	m.settled("confirm", "confirmed", thursday)
	moved := m.wantStanding(thursday, invited, changed)
	if moved.ID != entry.ID || moved.UID != entry.UID {
		t.Errorf("the event moved from %+v to another one, %+v", entry, moved)
	}
	m.arrives(moved)

	m.settled("cancel", "cancelled", thursday)
	m.leaves()
	m.wantNothing("cancelled", m.messages(invited, changed, cancelled)...)
	m.settled("cancel", "cancelled", thursday)
	m.wantNothing("cancelled twice", m.messages(invited, changed, cancelled)...)
	if status, answer := m.post("/v1/proposals/"+m.proposal+"/confirm", "application/json",
		"{}"); status != http.StatusConflict {
		t.Errorf("confirming what was cancelled: %d %s", status, answer)
	}
}

// ask has a proposal made, and gives its start. Both calendars were looked at, and both are free then.
func (m *meeting) ask(message string) time.Time {
	t := m.T
	t.Helper()
	got := m.take(step{kind: "say", body: message})
	check(t, step{wants: []string{
		"outcome = proposed", "event.status = proposed", "event.conflicts = -", "event.unknown = -",
		"done.receipt.degraded = -",
		"candidates.calendars.length = 2",
		"candidates.calendars.0.person = me", "candidates.calendars.0.state = checked",
		"candidates.calendars.0.provider = " + m.providers[morgan],
		"candidates.calendars.1.person = al", "candidates.calendars.1.state = checked",
		"candidates.calendars.1.provider = " + m.providers[al],
	}}, []any{got})
	return m.free(got)
}

// free gives the start of the proposed event, after looking whether it suits everyone's calendar as it is.
func (m *meeting) free(got any) time.Time {
	t := m.T
	t.Helper()
	at := spanOf(t, got)
	for person := range m.keepers {
		for _, busy := range busyOf(person) {
			if busy.Overlaps(at) {
				t.Errorf("%s is busy from %v to %v, and %v was proposed", person, busy.Start, busy.End, at.Start)
			}
		}
	}
	return at.Start
}

func spanOf(t *testing.T, got any) interval.Span {
	t.Helper()
	var at interval.Span
	for path, into := range map[string]*time.Time{"event.start": &at.Start, "event.end": &at.End} {
		text, _ := lookup(got, path)
		when, err := time.Parse(time.RFC3339, fmt.Sprint(text))
		if err != nil {
			message, _ := lookup(got, "message.text")
			t.Fatalf("%s: %v; %v", path, err, message)
		}
		*into = when
	}
	return at
}

// settled confirms or cancels what was proposed last.
func (m *meeting) settled(how, status string, at time.Time) {
	t := m.T
	t.Helper()
	got := m.settle(how, "{}")
	wants := []string{"problem = -", "event.status = " + status}
	if by := m.providers[morgan]; by == "google" || by == "microsoft" {
		wants = append(wants, "event.joinUrl ~ https://")
	}
	check(t, step{wants: wants}, []any{got})
	if start := spanOf(t, got).Start; !start.Equal(at) {
		t.Errorf("%s at %v, want %v", status, start, at)
	}
}

// messages are what Al was sent, where Morgan's calendar invites.
func (m *meeting) messages(kinds ...string) (all []string) {
	if !m.invites {
		return nil
	}
	for _, kind := range kinds {
		all = append(all, alsAddress+kind)
	}
	return all
}

// wantStanding wants one event, at that time, wherever there should be one, and these messages and no others. It gives
// the organizer's, or where there is none the guest's.
func (m *meeting) wantStanding(at time.Time, told ...string) entry {
	t := m.T
	t.Helper()
	var standing []entry
	for _, person := range []string{morgan, al} {
		if booked := m.book(person); len(booked) != 1 || !booked[0].Start.Equal(at) {
			t.Errorf("Convene has noted %+v for %s, want one event at %v", booked, person, at)
		}
		want := m.copies
		if person == morgan {
			_, file := m.keepers[person].(*localKeeper)
			want = !file
		}
		written := slices.DeleteFunc(m.written(person), func(e entry) bool { return e.UID == m.received && person == al })
		if !want && len(written) > 0 || want && (len(written) != 1 || !written[0].At.Start.Equal(at)) {
			t.Errorf("%s has %+v, want one event at %v: %t", person, written, at, want)
		}
		standing = append(standing, written...)
	}
	if diff := cmp.Diff(m.messages(told...), m.told()); diff != "" {
		t.Errorf("messages to guests (-want +got):\n%s", diff)
	}
	if len(standing) == 0 {
		return entry{}
	}
	if m.invites && !slices.Contains(standing[0].Guests, alsAddress) {
		t.Errorf("the guests are %v", standing[0].Guests)
	}
	return standing[0]
}

// wantNothing wants the calendars as they were at first, and these messages.
func (m *meeting) wantNothing(when string, told ...string) {
	t := m.T
	t.Helper()
	for _, person := range []string{morgan, al} {
		if booked, written := m.book(person), m.written(person); len(booked)+len(written) > 0 {
			t.Errorf("%s: %s has %+v and %+v", when, person, booked, written)
		}
	}
	if diff := cmp.Diff(told, m.told()); diff != "" {
		t.Errorf("%s: messages to guests (-want +got):\n%s", when, diff)
	}
}

// told is what both providers have sent.
func (m *meeting) told() []string {
	return append(slices.Clone(m.keepers[morgan].told()), m.keepers[al].told()...)
}

// arrives puts the invitation into Al's calendar, as mail programs do, or moves it there.
func (m *meeting) arrives(e entry) {
	if _, file := m.keepers[al].(*localKeeper); m.invites && !file {
		m.received = e.UID
		m.keepers[al].put(m.received, e.At)
	}
}

// leaves takes it away again.
func (m *meeting) leaves() {
	if m.received != "" {
		m.keepers[al].put(m.received, interval.Span{})
	}
	m.received = ""
}
