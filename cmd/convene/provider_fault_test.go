package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// doored is a keeper that is reached through a door.
type doored interface {
	keeper
	shut(status int)
	open()
	refuseWrites(times, status int)
}

// later is after everything that was read on friday has become too old, and every token old enough to be renewed.
const later = "2026-11-20T09:30:00-08:00"

// The kinds of calendars that Al may have.
func guests() map[string]func(t *testing.T) doored {
	return map[string]func(t *testing.T) doored{
		"google":    func(t *testing.T) doored { t.Helper(); return newGoogleKeeper(t, alsAddress) },
		"microsoft": func(t *testing.T) doored { t.Helper(); return newMicrosoftKeeper(t, alsAddress) },
		"caldav":    func(t *testing.T) doored { t.Helper(); return newDAVKeeper(t, alsAddress) },
		"ics":       func(t *testing.T) doored { t.Helper(); return newFeedKeeper(t) },
	}
}

// opposite keeps Morgan's calendar at another provider than Al's.
func opposite(t *testing.T, provider string) keeper {
	t.Helper()
	if provider == "google" {
		return newMicrosoftKeeper(t, morgansAddress)
	}
	return newGoogleKeeper(t, morgansAddress)
}

// A calendar that does not answer is unknown, and the proposal says so. What was checked once and cannot be
// checked when it is confirmed is not booked.
func TestACalendarThatFailsIsNamed(t *testing.T) {
	t.Parallel()
	for name, start := range guests() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			als := start(t)
			w := newTown(t, opposite(t, name), als)
			w.keepers[morgan].connect(w, morgan, "write")
			als.connect(w, al, "read")

			als.shut(http.StatusInternalServerError)
			blind := w.conversation("blind")
			check(t, step{wants: []string{
				"outcome = proposed", "candidates.calendars.0.state = checked", "candidates.calendars.1.name = Al Chen",
				"candidates.calendars.1.provider = " + name, "candidates.calendars.1.state = unknown",
				"candidates.calendars.1.reason ~ try again", "candidates.calendars.1.reason !~ Private",
				`event.unknown = ["Al Chen"]`, "message.text ~ couldn't check Al's calendar", "done.receipt.degraded.0 ~ Al Chen",
			}}, []any{blind.take(step{kind: "say", body: "video call with Al on Wednesday"})})
			check(t, step{wants: []string{"event.status = confirmed", `event.unknown = ["Al Chen"]`}},
				[]any{blind.settle("confirm", "{}")})
			if got := w.written(morgan); len(got) != 1 {
				t.Errorf("an event was confirmed, and %+v written", got)
			}

			als.open()
			checked := w.conversation("checked")
			check(t, step{wants: []string{"candidates.calendars.1.state = checked", "event.unknown = -"}},
				[]any{checked.take(step{kind: "say", body: "video call with Al on Thursday"})})
			als.shut(http.StatusInternalServerError)
			check(t, step{wants: []string{
				"problem.code = calendar_failed", "problem.retryable = true", "problem.detail ~ Al",
				"problem.detail ~ nothing was booked",
			}}, []any{checked.settle("confirm", "{}")})
			if got := w.written(morgan); len(got) != 1 {
				t.Errorf("nothing was to be booked, and there is %+v", got)
			}
			als.open()
			check(t, step{wants: []string{"event.status = confirmed", "event.unknown = -"}}, []any{
				checked.settle("confirm", "{}"),
			})
			if got, want := w.keepers[morgan].told(), []string{alsAddress + invited, alsAddress + invited}; !cmp.Equal(want,
				got) {
				t.Errorf("messages to guests: %v, want %v", got, want)
			}
			w.wantSealed()
		})
	}
}

// withdraw has Al take back what lets Convene read the calendar.
func withdraw(k doored) {
	switch k := k.(type) {
	case *googleKeeper:
		k.oauth.leave()
	case *microsoftKeeper:
		k.oauth.leave()
	case *davKeeper:
		k.shut(http.StatusUnauthorized)
	default:
		k.shut(http.StatusNotFound)
	}
}

// A calendar that may not be read any more is unknown, with what there is to do, to those who ask for a meeting and on
// its owner's list, until it is connected anew. Disconnected, it takes no time from that moment on.
func TestARevokedCalendarIsReconnectedAndDisconnected(t *testing.T) {
	t.Parallel()
	reasons := map[string]string{
		"google": "reconnect the Google calendar", "microsoft": "reconnect the Microsoft calendar",
		"caldav": "reconnect the CalDAV calendar", "ics": "the feed is gone; add its new address",
	}
	for name, start := range guests() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			als := start(t)
			w := newTown(t, opposite(t, name), als)
			w.keepers[morgan].connect(w, morgan, "write")
			als.connect(w, al, "read")
			wantProposal(w, "candidates.calendars.1.state = checked", "event.start = 2026-11-25T14:00:00-08:00")

			withdraw(als)
			w.open(later)
			wantProposal(w, "candidates.calendars.1.state = unknown", "candidates.calendars.1.provider = "+name,
				"candidates.calendars.1.reason = "+reasons[name], `event.unknown = ["Al Chen"]`,
				"message.text ~ couldn't check Al's calendar")
			broken := only(w, al)
			if broken.State != "problem" || broken.Problem != reasons[name] {
				t.Errorf("Al sees %+v", broken)
			}

			als.open()
			als.connect(w, al, "")
			wantProposal(w, "candidates.calendars.1.state = checked", "event.start = 2026-11-25T14:00:00-08:00",
				"event.unknown = -")
			mended := only(w, al)
			if mended.State != "connected" || mended.Problem != "" || mended.ID != broken.ID {
				t.Errorf("Al sees %+v, want %s connected", mended, broken.ID)
			}

			status, answer := w.send(http.MethodDelete, publicURL+"/v1/people/al/calendars/"+mended.ID, "")
			if left := w.connected(al); status != http.StatusNoContent || len(left) > 0 {
				t.Errorf("disconnected with %d %s, and left %+v", status, answer, left)
			}
			wantProposal(w, "candidates.calendars.1.reason = no calendar is connected",
				"event.start = 2026-11-25T12:00:00-08:00",
				`event.unknown = ["Al Chen"]`)
			if k, ok := als.(*googleKeeper); ok {
				if tokens, revoked := k.oauth.standing(); tokens > 0 || len(revoked) != 1 {
					t.Errorf("%d refresh tokens are still good, and %d were revoked", tokens, len(revoked))
				}
			}
			w.wantSealed()
		})
	}
}

// wantProposal asks for a time on Wednesday, in a conversation of its own.
func wantProposal(w *town, wants ...string) {
	w.Helper()
	w.asked++
	c := w.conversation(fmt.Sprint("question", w.asked))
	check(w.T, step{wants: wants}, []any{c.take(step{kind: "say", body: "video call with Al on Wednesday"})})
}

// only is the person's single connection.
func only(w *town, person string) connection {
	w.Helper()
	all := w.connected(person)
	if len(all) != 1 {
		w.Fatalf("%s has connected %+v, want one", person, all)
	}
	return all[0]
}

// What is read of a person is what is connected: another calendar counts at once, and one that is not to take time does
// not any more, however short a while ago the person's time was read.
func TestACalendarCountsFromWhenItIsConnected(t *testing.T) {
	t.Parallel()
	first, second := newFeedKeeper(t), newFeedKeeper(t)
	second.put("another", hours(time.Wednesday, 13, 17))
	w := newTown(t, newLocalKeeper(), first)
	first.connect(w, al, "")
	wantProposal(w, "event.start = 2026-11-25T14:00:00-08:00", "candidates.calendars.1.state = checked")
	before := only(w, al)
	second.connect(w, al, "")
	wantProposal(w, "event.start = 2026-11-25T17:00:00-08:00", "candidates.calendars.1.state = checked")
	all := w.connected(al)
	if len(all) != 2 || len(all[0].Calendars) != 1 {
		t.Fatalf("Al has connected %+v", all)
	}
	i := slices.IndexFunc(all, func(c connection) bool { return c.ID != before.ID })
	status, answer := w.send(http.MethodPatch, publicURL+"/v1/people/al/calendars/"+all[i].ID,
		`{"calendars": [{"id": "`+all[i].Calendars[0].ID+`", "blocks": false}]}`)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	wantProposal(w, "event.start = 2026-11-25T14:00:00-08:00", "candidates.calendars.1.state = checked")
}

// Morgan's calendar does not take an event: once, and then it does; or not at all, and then nothing is booked, nobody
// is told, and Morgan hears what to do about it.
func TestAnOrganizersCalendarThatTakesNothing(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(t *testing.T) doored{
		"google":    func(t *testing.T) doored { t.Helper(); return newGoogleKeeper(t, morgansAddress) },
		"microsoft": func(t *testing.T) doored { t.Helper(); return newMicrosoftKeeper(t, morgansAddress) },
		"caldav":    func(t *testing.T) doored { t.Helper(); return newDAVKeeper(t, morgansAddress) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			morgans := start(t)
			w := newTown(t, morgans, newFeedKeeper(t))
			morgans.connect(w, morgan, "write")
			w.keepers[al].connect(w, al, "")
			c := w.conversation("refused")
			c.take(step{kind: "say", body: "video call with Al on Wednesday"})

			morgans.refuseWrites(-1, http.StatusForbidden)
			check(t, step{
				wants: []string{"problem.code = calendar_failed", "problem.detail ~ reconnect"},
			}, []any{c.settle("confirm", "{}")})
			if written, told := w.written(morgan), morgans.told(); len(written)+len(told)+len(w.book(morgan))+
				len(w.book(al)) > 0 {
				t.Errorf("nothing was booked, and there is %+v, %v, %+v and %+v", written, told, w.book(morgan), w.book(al))
			}

			morgans.refuseWrites(1, http.StatusInternalServerError)
			check(t, step{wants: []string{"event.status = confirmed"}}, []any{c.settle("confirm", "{}")})
			if got, want := morgans.told(), []string{alsAddress + invited}; len(w.written(morgan)) != 1 ||
				!cmp.Equal(want, got) {
				t.Errorf("there is %+v, and messages %v; want one event and %v", w.written(morgan), got, want)
			}
			for _, person := range []string{morgan, al} {
				if booked := w.book(person); len(booked) != 1 {
					t.Errorf("Convene has noted %+v for %s", booked, person)
				}
			}
		})
	}
}

// A guest who takes back what lets Convene write to their copy of an event keeps it: the others' event is moved
// and cancelled all the same.
func TestAGuestsCopyThatIsOutOfReach(t *testing.T) {
	t.Parallel()
	for name, start := range guests() {
		if name == "ics" {
			continue // nothing is written there
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			als := start(t)
			w := newTown(t, newLocalKeeper(), als)
			als.connect(w, al, "write")
			c := w.conversation("copy")
			c.take(step{kind: "say", body: "video call with Al on Wednesday"})
			check(t, step{wants: []string{"event.status = confirmed"}}, []any{c.settle("confirm", "{}")})
			if got := w.written(al); len(got) != 1 {
				t.Fatalf("Al's copy is %+v", got)
			}
			withdraw(als)
			w.open(later)
			c = w.conversation("copy")
			c.take(step{kind: "say", body: "make it 45 minutes"})
			check(t, step{wants: []string{"event.status = confirmed"}}, []any{c.settle("confirm", "{}")})
			check(t, step{wants: []string{"event.status = cancelled"}}, []any{c.settle("cancel", "{}")})
			if booked := append(w.book(morgan), w.book(al)...); len(booked) > 0 {
				t.Errorf("cancelled, and Convene has noted %+v", booked)
			}
		})
	}
}

// A guest's copy of an event does not stand in the event's own way either where a process confirms that has not read
// the organizer's calendar before, which alone says whose copy it is, and hears of the guest's first.
func TestAnInvitationIsNotInItsOwnWayAfterARestart(t *testing.T) {
	t.Parallel()
	morgans, als := newMicrosoftKeeper(t, morgansAddress), newDAVKeeper(t, alsAddress)
	w := newTown(t, morgans, als)
	morgans.connect(w, morgan, "write")
	als.connect(w, al, "")
	m := &meeting{town: w, client: w.conversation("restarted"), invites: true}
	m.take(step{kind: "say", body: "video call with Al on Wednesday"})
	check(t, step{wants: []string{"event.status = confirmed"}}, []any{m.settle("confirm", "{}")})
	m.arrives(w.written(morgan)[0])
	check(t, step{wants: []string{"event.conflicts = -"}}, []any{m.take(step{kind: "say", body: "make it 45 minutes"})})
	proposal := m.proposal

	w.open(friday)
	alWasRead := make(chan struct{})
	read := sync.OnceFunc(func() { close(alWasRead) })
	als.guard(func(r *http.Request) int {
		if r.Method == "REPORT" {
			read()
		}
		return 0
	})
	morgans.guard(func(r *http.Request) int {
		if strings.HasSuffix(r.URL.Path, "/calendarView") {
			<-alWasRead
		}
		return 0
	})
	m.client = w.conversation("restarted")
	m.proposal = proposal
	check(t, step{
		wants: []string{"event.status = confirmed", "event.end = 2026-11-25T14:45:00-08:00"},
	}, []any{m.settle("confirm", "{}")})
}
