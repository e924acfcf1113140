package caldav_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

const uid = "p1@convene.example.com"

// entry is a confirmed event of the owner's, with Al, at ten, at its n-th version.
func entry(n, day int) calendar.Entry {
	owner := calendartest.Owner()
	return calendar.Entry{Owner: owner, Event: meet.Event{
		ID: "p1", UID: uid, Sequence: n, Status: meet.Confirmed, Title: "Coffee with Al; and cake",
		Start: berlin(day, 10), End: berlin(day, 11), Timezone: owner.Timezone,
		Place: &meet.Place{Name: "Café Ürün", Address: "Main St 1, Berlin"},
		Participants: []meet.Participant{
			{ID: owner.ID, Name: owner.Name, Email: owner.Email}, {ID: "al", Name: "Al", Email: "al@example.com"},
		},
	}}
}

// invitation is entry with guests.
func invitation(n, day int, guests ...string) calendar.Entry {
	e := entry(n, day)
	for _, name := range guests {
		e.Guests = append(e.Guests, meet.Participant{Name: name, Email: name + "@example.com"})
	}
	return e
}

func write(t *testing.T, w *world, e calendar.Entry) {
	t.Helper()
	if _, err := w.Write(t.Context(), e); err != nil {
		t.Fatalf("Write: %v", err)
	}
}

// object is the only one in the calendar, unfolded.
func object(t *testing.T, w *world, name string) string {
	t.Helper()
	all := w.Objects(name)
	if len(all) != 1 {
		t.Fatalf("got %d objects in %s, want 1: %v", len(all), name, all)
	}
	for _, data := range all {
		return strings.ReplaceAll(data, "\r\n ", "")
	}
	return ""
}

func inviting() caldavtest.Options {
	return caldavtest.Options{
		Schedules: true, Addresses: []string{"mailto:ola@work.example.com", "mailto:Ola@Example.com"},
	}
}

// A copy names nobody by an address, so that no server takes it for an invitation.
func TestCopyHasNoAttendees(t *testing.T) {
	t.Parallel()
	w := connect(t, inviting(), "work")
	write(t, w, entry(0, 3))
	got := object(t, w, "work")
	for _, part := range []string{"ATTENDEE", "ORGANIZER", "METHOD", "@example.com"} {
		if strings.Contains(got, part) {
			t.Errorf("there is %s in the copy:\n%s", part, got)
		}
	}
	for _, part := range []string{
		"UID:" + uid, `SUMMARY:Coffee with Al\; and cake`, `LOCATION:Café Ürün\, Main St 1\, Berlin`,
		"DTSTART;TZID=Europe/Berlin:20260303T100000", "BEGIN:VTIMEZONE", `With Ola Owner\, Al.`, "STATUS:CONFIRMED",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("there is no %s in the copy:\n%s", part, got)
		}
	}
	if sent := w.Sent(); len(sent) != 0 {
		t.Errorf("the server sent %v", sent)
	}
}

// Guests hear of the event, of its change and of its end, each once, however often it is written.
func TestGuestsAreToldOnce(t *testing.T) {
	t.Parallel()
	w := connect(t, inviting(), "work")
	for range 3 {
		write(t, w, invitation(0, 3, "al", "bo"))
	}
	if got := object(t, w, "work"); !strings.Contains(got, `ORGANIZER;CN="Ola Owner":mailto:Ola@Example.com`) {
		t.Errorf("the organizer is not one whom the server knows:\n%s", got)
	}
	for range 2 {
		write(t, w, invitation(1, 4, "al"))
	}
	for range 2 {
		if err := w.Remove(t.Context(), invitation(1, 4, "al")); err != nil {
			t.Fatalf("Remove: %v", err)
		}
	}
	want := []caldavtest.Message{
		{Method: "REQUEST", UID: uid, Sequence: 0, To: "al@example.com"},
		{Method: "REQUEST", UID: uid, Sequence: 0, To: "bo@example.com"},
		{Method: "REQUEST", UID: uid, Sequence: 1, To: "al@example.com"},
		{Method: "CANCEL", UID: uid, Sequence: 0, To: "bo@example.com"},
		{Method: "CANCEL", UID: uid, Sequence: 1, To: "al@example.com"},
	}
	if diff := cmp.Diff(want, w.Sent()); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

// What a guest has answered is no reason to write, and what the server adds is none either.
func TestAnswersAreKept(t *testing.T) {
	t.Parallel()
	w := connect(t, inviting(), "work")
	e := invitation(0, 3, "al")
	write(t, w, e)
	answered := strings.Replace(object(t, w, "work"), "PARTSTAT=NEEDS-ACTION", "PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2.0", 1)
	answered = strings.Replace(answered, "END:VEVENT",
		"BEGIN:VALARM\r\nACTION:DISPLAY\r\nEND:VALARM\r\nX-THEIRS:1\r\nEND:VEVENT", 1)
	for name := range w.Objects("work") {
		w.Put("work", name, answered)
	}
	write(t, w, e)
	if got := object(t, w, "work"); got != answered {
		t.Errorf("the answer was written over:\n%s", got)
	}
}

func TestInvites(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		o    caldavtest.Options
		want bool
	}{
		"a server that invites": {inviting(), true},
		"a server that does not": {caldavtest.Options{
			Addresses: []string{"mailto:ola@example.com"},
		}, false},
		"a server that knows no address of its user": {caldavtest.Options{Schedules: true}, false},
		"a server that knows other names of its user's": {caldavtest.Options{
			Schedules: true, Addresses: []string{"urn:uuid:1"},
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := connect(t, c.o, "work")
			got, err := w.Invites(t.Context(), calendartest.Owner())
			if err != nil || got != c.want {
				t.Errorf("got %t, %v, want %t", got, err, c.want)
			}
			_, err = w.Write(t.Context(), invitation(0, 3, "al"))
			if (err == nil) != c.want {
				t.Errorf("Write with a guest: got %v", err)
			}
			if written := len(w.Objects("work")) > 0; written != c.want {
				t.Errorf("an event with guests was written: %t, want %t", written, c.want)
			}
		})
	}
}

func TestInvitesNobodyForStrangers(t *testing.T) {
	t.Parallel()
	w := connect(t, inviting(), "work")
	stranger := calendar.Entry{Owner: meet.Person{ID: "stranger"}, Event: entry(0, 3).Event}
	_, err := w.Invites(t.Context(), stranger.Owner)
	_, errWrite := w.Write(t.Context(), stranger)
	for _, err := range []error{err, errWrite, w.Remove(t.Context(), stranger)} {
		if !errors.Is(err, calendar.ErrNoCalendar) {
			t.Errorf("got %v, want %v", err, calendar.ErrNoCalendar)
		}
	}
}

// The event is known by its UID, whatever the name of its object and whichever client wrote it.
func TestWriteFindsTheObjectByItsUID(t *testing.T) {
	t.Parallel()
	for _, o := range []caldavtest.Options{{}, {NoQuery: true}, {NoETag: true}, {NoData: true}} {
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
			t.Parallel()
			w := connect(t, o, "work")
			w.fill("work", event("other", 9, 10, 11), event("prefix-"+uid, 10, 10, 11))
			before := len(w.Objects("work"))
			w.Put("work", "Imported 7.ics", string(calendartest.ICS(calendartest.Owner(), event(uid, 3, 10, 11))))
			write(t, w, entry(1, 4))
			all := w.Objects("work")
			if len(all) != before+1 || !strings.Contains(all["Imported 7.ics"], "20260304T100000") {
				t.Errorf("got %v", all)
			}
			if err := w.Remove(t.Context(), entry(1, 4)); err != nil {
				t.Fatalf("Remove: %v", err)
			}
			if got := len(w.Objects("work")); got != before {
				t.Errorf("got %d objects after Remove, want %d", got, before)
			}
		})
	}
}

// Someone who moved the event to another of their calendars finds it changed there, and no second one.
func TestEventInAnotherCalendarOfTheOwner(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work", "private")
	w.AddCalendar("shared", map[string]string{"owner": "<d:href>/dav/principals/al/</d:href>"})
	w.fill("private", event(uid, 3, 10, 11))
	w.fill("shared", event(uid, 3, 10, 11))
	als := object(t, w, "shared")
	write(t, w, entry(1, 4))
	if got := object(t, w, "private"); !strings.Contains(got, "20260304T100000") {
		t.Errorf("the event was not moved where it is:\n%s", got)
	}
	if err := w.Remove(t.Context(), entry(1, 4)); err != nil {
		t.Fatalf("Remove: %v", err)
	}
	if got := len(w.Objects("work")) + len(w.Objects("private")); got != 0 {
		t.Errorf("got %d objects after Remove, want none", got)
	}
	if got := object(t, w, "shared"); got != als {
		t.Errorf("the copy of somebody else was changed:\n%s", got)
	}
}

// A later version in the calendar is not overwritten; one of the same age gives way.
func TestVersionsInTheCalendar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		standing int
		code     fault.Code
	}{{0, ""}, {1, ""}, {2, fault.Conflict}} {
		t.Run(fmt.Sprint(c.standing), func(t *testing.T) {
			t.Parallel()
			w := connect(t, caldavtest.Options{}, "work")
			write(t, w, entry(c.standing, 20))
			before := object(t, w, "work")
			_, err := w.Write(t.Context(), entry(1, 4))
			if got := fault.CodeOf(err); got != c.code {
				t.Errorf("got %v, want %q", err, c.code)
			}
			if replaced := object(t, w, "work") != before; replaced != (c.code == "") {
				t.Errorf("replaced is %t", replaced)
			}
		})
	}
}

// Many who write the same event at the same time leave one object, and none of them fails.
func TestConcurrentWritesLeaveOneEvent(t *testing.T) {
	t.Parallel()
	w := connect(t, inviting(), "work")
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := w.Write(t.Context(), invitation(0, 3, "al")); err != nil {
				t.Errorf("Write: %v", err)
			}
		})
	}
	wg.Wait()
	object(t, w, "work")
	if sent := w.Sent(); len(sent) != 1 {
		t.Errorf("the guest was told %d times: %v", len(sent), sent)
	}
}

// Someone puts the event there after we have looked. It is seen then: an equal one is left alone, an older one
// replaced, a later one reported.
func TestWriteIsOvertaken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		by   calendar.Entry
		// as is the name under which the other puts it; empty for our own.
		as   string
		code fault.Code
		want string
	}{
		{name: "by the same", by: entry(1, 4), want: "20260304T100000"},
		{name: "by an older one", by: entry(0, 3), want: "20260304T100000"},
		{name: "by a later one", by: entry(2, 5), code: fault.Conflict, want: "20260305T100000"},
		{name: "under another name", by: entry(0, 3), as: "other.ics", want: "20260304T100000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			scratch := connect(t, caldavtest.Options{}, "work")
			write(t, scratch, c.by)
			w := connect(t, caldavtest.Options{}, "work")
			var once sync.Once
			w.Fail(0, only("PUT", func(http.ResponseWriter, *http.Request) bool {
				once.Do(func() {
					for name, data := range scratch.Objects("work") {
						if c.as != "" {
							name = c.as
						}
						w.Put("work", name, data)
					}
				})
				return false
			}))
			_, err := w.Write(t.Context(), entry(1, 4))
			if got := fault.CodeOf(err); got != c.code {
				t.Errorf("got %v, want %q", err, c.code)
			}
			if got := object(t, w, "work"); !strings.Contains(got, c.want) {
				t.Errorf("got\n%s\nwant it at %s", got, c.want)
			}
		})
	}
}

// An event that is changed after we have looked is looked at again before it is removed.
func TestRemoveIsOvertaken(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work")
	write(t, w, entry(0, 3))
	var once sync.Once
	w.Fail(0, only("DELETE", func(http.ResponseWriter, *http.Request) bool {
		once.Do(func() {
			for name, data := range w.Objects("work") {
				w.Put("work", name, data)
			}
		})
		return false
	}))
	if err := w.Remove(t.Context(), entry(0, 3)); err != nil {
		t.Fatalf("Remove: %v", err)
	}
	if got := w.Objects("work"); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

// The server has done what was asked, and its answer is lost. Doing it again does nothing more.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	w := connect(t, inviting(), "work")
	e := invitation(0, 3, "al")
	w.LoseAnswer("PUT")
	if _, err := w.Write(t.Context(), e); err == nil {
		t.Fatal("got no error where the answer was lost")
	}
	write(t, w, e)
	w.LoseAnswer("DELETE")
	if err := w.Remove(t.Context(), e); err == nil {
		t.Fatal("got no error where the answer was lost")
	}
	if err := w.Remove(t.Context(), e); err != nil {
		t.Fatalf("Remove: %v", err)
	}
	want := []caldavtest.Message{
		{Method: "REQUEST", UID: uid, To: "al@example.com"}, {Method: "CANCEL", UID: uid, To: "al@example.com"},
	}
	if diff := cmp.Diff(want, w.Sent()); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

// Whatever a UID has in it, its object has a name that every server takes, and one of its own.
func TestStrangeUIDs(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work")
	uids := []string{
		"plain", "../../etc/passwd", "a/b", "a\\b", "a b", "a@b", "a-b", "ü", "100%", "a?b#c", ".", "",
		strings.Repeat("x", 300),
		strings.Repeat("x", 301), "<&>", "a;b,c",
	}
	for _, one := range uids {
		e := entry(0, 3)
		e.Event.UID = one
		_, err := w.Write(t.Context(), e)
		if (err == nil) != (one != "") {
			t.Errorf("Write of %q: %v", one, err)
		}
	}
	all := w.Objects("work")
	if len(all) != len(uids)-1 {
		t.Errorf("got %d objects, want %d", len(all), len(uids)-1)
	}
	for name := range all {
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || len(name) > 100 || name[0] == '.' {
			t.Errorf("an object is called %q", name)
		}
	}
	for _, one := range uids[:11] {
		e := entry(0, 3)
		e.Event.UID = one
		if err := w.Remove(t.Context(), e); err != nil {
			t.Errorf("Remove of %q: %v", one, err)
		}
	}
	if got := len(w.Objects("work")); got != len(uids)-12 {
		t.Errorf("got %d objects after Remove, want %d", got, len(uids)-12)
	}
}
