package local_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/calendar/local"
	"convene/pkg/calendar/local/localtest"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	calendartest.TestLocatingProvider(t, func(_ *testing.T, owner meet.Person,
		events ...calendartest.Event) calendar.Provider {
		return local.New(&localtest.Memory{}, map[string][]byte{
			string(owner.ID) + ".ics": calendartest.ICS(owner, events...),
		})
	})
}

func TestAmendments(t *testing.T) {
	t.Parallel()
	calendartest.TestAmender(t, func(t *testing.T, owner meet.Person, events ...calendartest.Event) calendartest.Kept {
		t.Helper()
		store := &localtest.Memory{}
		c := local.New(store, map[string][]byte{string(owner.ID) + ".ics": calendartest.ICS(owner, events...)})
		c.Now = func() time.Time { return at(8) }
		k := changing{c, store, owner, calendartest.ICS(owner, events...)}
		return calendartest.Kept{
			Amender: c, Dump: k.dump, Retitle: k.retitle, Remove: k.remove,
			Foreign: func(t *testing.T, uid string) []string {
				t.Helper()
				return calendartest.ForeignIn(k.object(t, uid))
			},
		}
	}, nil)
}

// changing is a calendar whose owner changes it in another program, too.
type changing struct {
	*local.Calendar
	store *localtest.Memory
	owner meet.Person
	file  []byte
}

func (k changing) dump(t *testing.T) string {
	t.Helper()
	objects, _, err := k.store.Objects(t.Context(), k.owner.ID)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(objects)
}

// object is an event that was changed before, or is touched now.
func (k changing) object(t *testing.T, uid string) string {
	t.Helper()
	name := string(k.owner.ID) + "/" + uid
	if objects, _, err := k.store.Objects(t.Context(), k.owner.ID); err != nil || objects[name] != "" {
		return objects[name]
	}
	file, err := icalendar.ObjectOf(k.file, uid)
	if err != nil {
		t.Fatal(err)
	}
	return string(file)
}

func (k changing) swap(t *testing.T, uid, object string) {
	t.Helper()
	_, revision, err := k.store.Objects(t.Context(), k.owner.ID)
	if err == nil {
		_, err = k.store.SwapObjects(t.Context(), k.owner.ID, revision, map[string]string{
			string(k.owner.ID) + "/" + uid: object,
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (k changing) retitle(t *testing.T, uid, title string) {
	t.Helper()
	k.swap(t, uid, summary.ReplaceAllString(k.object(t, uid), "SUMMARY:"+title+"\r\n"))
}

func (k changing) remove(t *testing.T, uid string) {
	t.Helper()
	k.swap(t, uid, "")
}

var summary = regexp.MustCompile("SUMMARY:.*\r\n")

const (
	nine = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:n\nDTSTART:20260303T090000Z\nDTEND:20260303T100000Z\nEND:VEVENT\n" +
		"END:VCALENDAR\n"
	noon = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:m\nDTSTART:20260303T120000Z\nDTEND:20260303T130000Z\nEND:VEVENT\n" +
		"END:VCALENDAR\n"
	cut = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\n"
)

func at(hour int) time.Time { return time.Date(2026, time.March, 3, hour, 0, 0, 0, time.UTC) }

func span(from, to int) interval.Span { return interval.Span{Start: at(from), End: at(to)} }

func TestFilesOfOnePersonAreMerged(t *testing.T) {
	t.Parallel()
	c := local.New(&localtest.Memory{}, map[string][]byte{
		"al.ics": []byte(nine), "al-work.ics": []byte(noon), "mary-ann.ics": []byte(nine),
	})
	got, err := c.Times(t.Context(), meet.Person{ID: "al"}, span(0, 24), "")
	if err != nil {
		t.Fatal(err)
	}
	want := interval.Availability{Busy: interval.NewSet(span(9, 10), span(12, 13))}
	if diff := cmp.Diff(want, got.Availability); diff != "" {
		t.Errorf("availability (-want +got):\n%s", diff)
	}
	for id, want := range map[meet.PersonID]error{
		"al": nil, "mary-ann": nil, "mary": calendar.ErrNoCalendar, "al-work": calendar.ErrNoCalendar,
	} {
		if _, err := c.Times(t.Context(), meet.Person{ID: id}, span(0, 24), ""); !errors.Is(err, want) {
			t.Errorf("Busy(%q): %v, want %v", id, err, want)
		}
	}
}

// The files are the zero tenant's; what is booked is each tenant's own, as the store keeps it.
func TestFilesAreNotReadForOtherTenants(t *testing.T) {
	t.Parallel()
	c := local.New(&localtest.Memory{}, map[string][]byte{"al.ics": []byte(nine)})
	al := meet.Person{ID: "al", Name: "Al"}
	got, err := c.Times(meet.InTenant(t.Context(), "a"), al, span(0, 24), "")
	if !errors.Is(err, calendar.ErrNoCalendar) || len(got.Busy) > 0 {
		t.Errorf("Busy in another tenant = %v, %v, want calendar.ErrNoCalendar", got, err)
	}
	d := calendar.Directory{Sources: []calendar.Provider{c}}
	for tenant, want := range map[meet.Tenant]meet.CalendarState{"": meet.Checked, "a": meet.CalendarUnchecked} {
		readings, err := d.Busy(meet.InTenant(t.Context(), tenant), meet.BusyQuery{
			People: []meet.Person{al}, Span: span(0, 24),
		})
		if err != nil || readings["al"].Status.State != want {
			t.Errorf("tenant %q: %+v, %v, want %v", tenant, readings["al"].Status, err, want)
		}
	}
}

func TestDamagedFileIsUnknownAndSaid(t *testing.T) {
	t.Parallel()
	c := local.New(&localtest.Memory{}, map[string][]byte{"al.ics": []byte(nine), "al-work.ics": []byte(cut)})
	d := calendar.Directory{Sources: []calendar.Provider{c}}
	al := meet.Person{ID: "al", Name: "Al"}
	readings, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{al}, Span: span(0, 24)})
	if err != nil {
		t.Fatal(err)
	}
	got := readings["al"]
	want := interval.Availability{Busy: interval.NewSet(span(9, 10)), Unknown: interval.NewSet(span(0, 24))}
	if diff := cmp.Diff(want, got.Availability); diff != "" {
		t.Errorf("availability (-want +got):\n%s", diff)
	}
	if got, want := got.Status.Reason, "the calendar file is damaged; export it again"; got != want {
		t.Errorf("reason: got %q, want %q", got, want)
	}
	problems := c.Problems()
	if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), "al-work.ics: line 2: ") {
		t.Errorf("problems: got %v, want one that names al-work.ics and line 2", problems)
	}
}

func TestEventThatIsNotUnderstoodIsUnknownAndSaid(t *testing.T) {
	t.Parallel()
	c := local.New(&localtest.Memory{}, map[string][]byte{
		"al.ics": []byte(strings.Replace(nine, "DTEND:20260303T100000Z", "DTEND:tomorrow", 1)),
	})
	got, err := c.Times(t.Context(), meet.Person{ID: "al"}, span(0, 24), "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(interval.Availability{Unknown: interval.NewSet(span(9, 24))}, got.Availability); diff != "" {
		t.Errorf("availability (-want +got):\n%s", diff)
	}
	if problems := c.Problems(); len(problems) != 1 || !strings.Contains(problems[0].Error(), "al.ics: line 5: DTEND") {
		t.Errorf("problems: got %v, want one that names al.ics, line 5 and DTEND", problems)
	}
}

func TestStoreFailureIsUnknown(t *testing.T) {
	t.Parallel()
	broken := errors.New("store is away")
	c := local.New(failing{err: broken}, map[string][]byte{"al.ics": []byte(nine)})
	got, err := c.Times(t.Context(), meet.Person{ID: "al"}, span(0, 24), "")
	if !errors.Is(err, broken) {
		t.Errorf("error: got %v, want %v", err, broken)
	}
	if diff := cmp.Diff(interval.NewSet(span(9, 10)), got.Busy); diff != "" {
		t.Errorf("what is known all the same (-want +got):\n%s", diff)
	}
	e := meet.Event{UID: "u", Start: at(9), End: at(10)}
	if _, err := c.Write(t.Context(), entry(e)); !errors.Is(err, broken) {
		t.Errorf("Write: got %v, want %v", err, broken)
	}
	if err := c.Remove(t.Context(), entry(e)); !errors.Is(err, broken) {
		t.Errorf("Remove: got %v, want %v", err, broken)
	}
}

func TestEveryParticipantGetsACopy(t *testing.T) {
	t.Parallel()
	c := local.New(&localtest.Memory{}, map[string][]byte{
		"me.ics": []byte("BEGIN:VCALENDAR\nEND:VCALENDAR\n"), "al.ics": []byte("BEGIN:VCALENDAR\nEND:VCALENDAR\n"),
	})
	e := meet.Event{
		UID: "u", Start: at(9), End: at(10), TravelBuffer: meet.TravelBuffer{BeforeMinutes: 60},
		Participants: []meet.Participant{{ID: "me"}, {ID: "al"}, {Name: "Somebody"}},
	}
	if _, err := c.Write(t.Context(), entry(e)); err != nil {
		t.Fatal(err)
	}
	for _, id := range []meet.PersonID{"me", "al"} {
		got, err := c.Times(t.Context(), meet.Person{ID: id}, span(0, 24), "")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(interval.NewSet(span(8, 10)), got.Busy); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

// Theo has no calendar at all, and still must not be booked twice.
func TestSomebodyWithoutAFileIsUnknownAndBusyWhereConfirmed(t *testing.T) {
	t.Parallel()
	c := local.New(&localtest.Memory{}, map[string][]byte{"al.ics": []byte(nine)})
	theo := meet.Person{ID: "theo", Name: "Theo"}
	e := meet.Event{
		UID: "u", Start: at(14), End: at(15), TravelBuffer: meet.TravelBuffer{BeforeMinutes: 60},
		Participants: []meet.Participant{{ID: "al"}, {ID: "theo"}},
	}
	if _, err := c.Write(t.Context(), entry(e)); err != nil {
		t.Fatal(err)
	}
	got, err := c.Times(t.Context(), theo, span(0, 24), "")
	if !errors.Is(err, calendar.ErrNoCalendar) {
		t.Errorf("error = %v, want %v", err, calendar.ErrNoCalendar)
	}
	if diff := cmp.Diff(interval.Availability{Busy: interval.NewSet(span(13, 15))}, got.Availability); diff != "" {
		t.Errorf("availability (-want +got):\n%s", diff)
	}
	d := calendar.Directory{Sources: []calendar.Provider{c}}
	for except, wantState := range map[string]interval.State{"": interval.Busy, "u": interval.Unknown} {
		readings, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{theo}, Span: span(0, 24), Except: except})
		if err != nil {
			t.Fatal(err)
		}
		r := readings["theo"]
		if r.Status.State != meet.CalendarUnchecked || r.Status.Reason != "no calendar is connected" {
			t.Errorf("status = %+v, want unknown for want of a calendar", r.Status)
		}
		if got := r.Availability.State(span(14, 15)); got != wantState {
			t.Errorf("without %q the time of the event is %v, want %v", except, got, wantState)
		}
		if got := r.Availability.State(span(9, 10)); got != interval.Unknown {
			t.Errorf("another time is %v, want unknown", got)
		}
	}
	if err := c.Remove(t.Context(), entry(e)); err != nil {
		t.Fatal(err)
	}
	if got, _ := c.Times(t.Context(), theo, span(0, 24), ""); len(got.Busy) > 0 {
		t.Errorf("busy after the event was removed: %v", got.Busy)
	}
}

func TestStoreFailureWithoutAFileIsAFailure(t *testing.T) {
	t.Parallel()
	broken := errors.New("store is away")
	c := local.New(failing{err: broken}, nil)
	if _, err := c.Times(t.Context(), meet.Person{ID: "theo"}, span(0, 24), ""); !errors.Is(err, broken) ||
		errors.Is(err, calendar.ErrNoCalendar) {
		t.Errorf("error = %v, want %v alone: what is confirmed is not known", err, broken)
	}
}

func TestWriteRefusesAnEventWithoutIdentityOrTime(t *testing.T) {
	t.Parallel()
	c := local.New(&localtest.Memory{}, nil)
	for name, e := range map[string]meet.Event{
		"no UID":      {Start: at(9), End: at(10)},
		"no duration": {UID: "u", Start: at(9), End: at(9)},
	} {
		if _, err := c.Write(t.Context(), entry(e)); err == nil {
			t.Errorf("%s: Write gave no error", name)
		}
	}
}

func TestMemoryKeepsTheNewerVersion(t *testing.T) {
	t.Parallel()
	var m localtest.Memory
	people := []meet.PersonID{"al"}
	newer := meet.StoredEvent{UID: "u", Sequence: 2, Start: at(9), End: at(10)}
	if err := m.PutAll(t.Context(), people, newer); err != nil {
		t.Fatal(err)
	}
	if err := m.PutAll(t.Context(), people, meet.StoredEvent{UID: "u", Sequence: 1, Start: at(7),
		End: at(8)}); err == nil {
		t.Error("an older version was accepted")
	}
	got, err := m.Between(t.Context(), "al", span(0, 24))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]meet.StoredEvent{newer}, got); diff != "" {
		t.Errorf("stored events (-want +got):\n%s", diff)
	}
}

func TestReadDir(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"al.ics": nine, "notes.txt": "no calendar"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := local.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]byte{"al.ics": []byte(nine)}, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for name, dir := range map[string]string{
		"nothing there": filepath.Join(dir, "none"), "a file": filepath.Join(dir, "al.ics"), "no calendars": t.TempDir(),
	} {
		if _, err := local.ReadDir(dir); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type failing struct{ err error }

func (f failing) PutAll(context.Context, []meet.PersonID, meet.StoredEvent) error { return f.err }
func (f failing) Remove(context.Context, []meet.PersonID, string) error           { return f.err }
func (f failing) Objects(context.Context, meet.PersonID) (map[string]string, string, error) {
	return nil, "", nil
}
func (f failing) SwapObjects(context.Context, meet.PersonID, string, map[string]string) (bool, error) {
	return false, f.err
}
func (f failing) Between(context.Context, meet.PersonID, interval.Span) ([]meet.StoredEvent, error) {
	return nil, f.err
}

func entry(e meet.Event) calendar.Entry { return calendar.Entry{Event: e, Guests: e.Participants} }
