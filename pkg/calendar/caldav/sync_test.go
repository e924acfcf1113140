package caldav_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/interval"
)

const collection = "/dav/calendars/ola/work/"

// The second reading asks for what has changed, and with a sync token for nothing else.
func TestSyncReadsOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		o         caldavtest.Options
		unchanged []string
		changed   []string
	}{
		{name: "sync token", unchanged: []string{"REPORT"}, changed: []string{"REPORT", "REPORT"}},
		{name: "CTag", o: caldavtest.Options{NoSync: true},
			unchanged: []string{"PROPFIND"}, changed: []string{"PROPFIND", "REPORT"}},
		{name: "ETags", o: caldavtest.Options{NoSync: true, NoCTag: true},
			unchanged: []string{"PROPFIND", "PROPFIND"}, changed: []string{"PROPFIND", "PROPFIND", "REPORT"}},
		{name: "nothing", o: caldavtest.Options{NoSync: true, NoCTag: true, NoETag: true},
			unchanged: []string{"PROPFIND", "PROPFIND", "REPORT"}, changed: []string{"PROPFIND", "PROPFIND", "REPORT"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := connect(t, c.o, "work")
			w.fill("work", event("1", 3, 10, 11), event("2", 4, 10, 11), event("3", 5, 10, 11))
			last := w.sync(t, calendar.Snapshot{})
			w.Requests()
			again := w.sync(t, last)
			if diff := gocmp.Diff(onCollection(c.unchanged), w.Requests()); diff != "" {
				t.Errorf("calls where nothing changed (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff(last.Blocks, again.Blocks); diff != "" {
				t.Errorf("blocks where nothing changed (-want +got):\n%s", diff)
			}
			w.fill("work", event("2", 6, 10, 11), event("4", 7, 10, 11))
			w.Delete("work", "1.ics")
			changed := w.sync(t, again)
			if diff := gocmp.Diff(onCollection(c.changed), w.Requests()); diff != "" {
				t.Errorf("calls after a change (-want +got):\n%s", diff)
			}
			want := interval.NewSet(hours(5, 10, 11), hours(6, 10, 11), hours(7, 10, 11))
			if got := changed.Times("").Busy; !sameSet(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func onCollection(methods []string) []string {
	calls := make([]string, len(methods))
	for i, m := range methods {
		calls[i] = m + " " + collection
	}
	return calls
}

func sameSet(a, b interval.Set) bool {
	return slices.EqualFunc(a, b, func(x, y interval.Span) bool { return x.Start.Equal(y.Start) && x.End.Equal(y.End) })
}

// Whatever happens to the calendars between two readings, going on gives what reading anew gives.
func TestSyncIsReadingAnew(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]caldavtest.Options{
		"sync token": {}, "in pages": {SyncPage: 2}, "CTag": {NoSync: true}, "ETags": {NoSync: true, NoCTag: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := connect(t, o, "work", "private")
			random := rand.New(rand.NewPCG(1, 2))
			var last calendar.Snapshot
			for step := range 60 {
				w.disturb(random)
				got := w.sync(t, last)
				want := w.sync(t, calendar.Snapshot{})
				if diff := gocmp.Diff(sorted(want.Blocks), sorted(got.Blocks)); diff != "" {
					t.Fatalf("step %d: blocks (-anew +on):\n%s", step, diff)
				}
				if diff := gocmp.Diff(want.Unknown, got.Unknown); diff != "" {
					t.Fatalf("step %d: unknown (-anew +on):\n%s", step, diff)
				}
				if a := w.busy(t); !sameSet(a.Busy, got.Times("").Busy) {
					t.Fatalf("step %d: got busy %v, want %v", step, got.Times("").Busy, a.Busy)
				}
				last = got
			}
		})
	}
}

// disturb does a few things that a person does with calendars, and a server with tokens.
func (w *world) disturb(random *rand.Rand) {
	for range random.IntN(4) {
		name := []string{"work", "private"}[random.IntN(2)]
		uid := fmt.Sprintf("%d@example.com", random.IntN(8))
		e := event(uid, 1+random.IntN(28), 8, 8+1+random.IntN(4))
		switch random.IntN(8) {
		case 0:
			w.Delete(name, uid+".ics")
		case 1:
			e.Rule = "FREQ=WEEKLY;COUNT=5"
			w.fill(name, e)
		case 2:
			e.Kind = calendartest.Cancelled
			w.fill(name, e)
		case 3:
			w.Put(name, uid+".ics", vevent("DTSTART:20260302T100000Z", "DTEND:soon"))
		case 4:
			w.ForgetTokens()
		default:
			w.fill(name, e)
		}
	}
}

func sorted(blocks []calendar.Block) []calendar.Block {
	blocks = slices.Clone(blocks)
	slices.SortFunc(blocks, func(a, b calendar.Block) int {
		return cmp.Or(cmp.Compare(a.Calendar, b.Calendar), cmp.Compare(a.ID, b.ID))
	})
	return blocks
}

// A token that the server does not know any more leads to a reading anew.
func TestForgottenToken(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(*world){
		"forgotten":            func(w *world) { w.ForgetTokens() },
		"conflict":             func(w *world) { w.Fail(1, answer(409, "")) },
		"gone":                 func(w *world) { w.Fail(1, answer(410, "")) },
		"too much":             func(w *world) { w.Fail(1, answer(507, "")) },
		"report taken away":    func(w *world) { w.Fail(1, answer(501, "")) },
		"precondition":         func(w *world) { w.Fail(1, answer(412, "")) },
		"a token that is none": func(w *world) { w.Fail(1, answer(400, "")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := connect(t, caldavtest.Options{}, "work")
			w.fill("work", event("1", 3, 10, 11))
			last := w.sync(t, calendar.Snapshot{})
			w.fill("work", event("2", 4, 10, 11))
			refuse(w)
			want := interval.NewSet(hours(3, 10, 11), hours(4, 10, 11))
			if got := w.sync(t, last).Times("").Busy; !sameSet(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

// Where the owner is in another zone than at the last reading, whole days and floating times are others.
func TestSyncWhereTheOwnerHasMoved(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work")
	w.fill("work", calendartest.Event{UID: "1", Start: berlin(3, 9), End: berlin(3, 10), Floating: true})
	last := w.sync(t, calendar.Snapshot{})
	traveller := calendartest.Owner()
	traveller.Timezone = "America/New_York"
	got, err := w.Sync(t.Context(), traveller, march, last)
	if err != nil {
		t.Fatalf("Sync: %v", err)
	}
	if want := interval.NewSet(hours(3, 15, 16)); !sameSet(got.Times("").Busy, want) {
		t.Errorf("got %v, want %v", got.Times("").Busy, want)
	}
}

// A calendar that was disconnected takes its events with it, and a span that was not read is read.
func TestSyncOfAnotherSelection(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work", "private")
	w.fill("work", event("1", 3, 10, 11))
	w.fill("private", event("2", 4, 10, 11))
	last := w.sync(t, calendar.Snapshot{})
	w.accounts.all[0].Calendars[1].Blocks = false
	got := w.sync(t, last)
	if want := interval.NewSet(hours(3, 10, 11)); !sameSet(got.Times("").Busy, want) {
		t.Errorf("got %v, want %v", got.Times("").Busy, want)
	}
	if len(got.Marks) != 1 {
		t.Errorf("got marks %v, want one", got.Marks)
	}
	day, err := w.Sync(t.Context(), calendartest.Owner(), hours(3, 0, 24), last)
	if err != nil || len(day.Blocks) != 1 {
		t.Errorf("another span: got %v, %v, want one block", day.Blocks, err)
	}
}

// A block names its event as the server does, and tells nothing of what is in it.
func TestBlocks(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work")
	e := event("a@b c", 3, 10, 11)
	e.Rule = "FREQ=WEEKLY;COUNT=2"
	w.fill("work", e)
	id := w.accounts.all[0].Calendars[0].ID
	want := []calendar.Block{
		{Calendar: id, ID: collection + "a@b%20c.ics#20260303T090000Z", UID: "a@b c", Span: hours(3, 10, 11)},
		{Calendar: id, ID: collection + "a@b%20c.ics#20260310T090000Z", UID: "a@b c", Span: hours(10, 10, 11)},
	}
	got := w.sync(t, calendar.Snapshot{})
	for i := range got.Blocks {
		got.Blocks[i].Span = interval.Span{
			Start: got.Blocks[i].Span.Start.In(want[0].Span.Start.Location()),
			End:   got.Blocks[i].Span.End.In(want[0].Span.Start.Location()),
		}
	}
	if diff := gocmp.Diff(want, got.Blocks); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

// What the owner declined by any address that the server knows is free; what another one declined is not.
func TestDeclinedByAnyAddressOfTheOwner(t *testing.T) {
	t.Parallel()
	o := caldavtest.Options{Addresses: []string{"mailto:ola@work.example.com", "/dav/principals/ola/", "urn:uuid:0-l-a"}}
	for attendee, want := range map[string]interval.State{
		"mailto:OLA@example.com":      interval.Free,
		"mailto:ola@work.example.com": interval.Free,
		"urn:uuid:0-L-A":              interval.Free,
		"/dav/principals/ola/":        interval.Free,
		"mailto:al@example.com":       interval.Busy,
	} {
		t.Run(attendee, func(t *testing.T) {
			t.Parallel()
			w := connect(t, o, "work")
			w.Put("work", "1.ics", vevent("DTSTART:20260303T090000Z", "DTEND:20260303T100000Z",
				"ATTENDEE;PARTSTAT=DECLINED:"+attendee))
			if got := w.busy(t).State(hours(3, 10, 11)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// Without a choice of calendars the main one counts, which the server names or which is the first to write to.
func TestAccountWithoutAChoice(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{})
	w.AddCalendar("a-shared", map[string]string{"owner": "<d:href>/dav/principals/al/</d:href>"})
	w.AddCalendar("b-own", nil)
	w.accounts.all[0].Calendars = []account.Calendar{}
	w.fill("a-shared", event("1", 3, 10, 11))
	w.fill("b-own", event("2", 4, 10, 11))
	if got, want := w.busy(t).Busy, interval.NewSet(hours(4, 10, 11)); !sameSet(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	write(t, w, entry(0, 5))
	if got := len(w.Objects("b-own")); got != 2 {
		t.Errorf("got %d objects in the main calendar, want 2", got)
	}
}

// An event that repeats every minute is not told minute by minute.
func TestVeryManyInstancesAreOneBlock(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work")
	w.Put("work", "1.ics", vevent("DTSTART:20260303T090000Z", "DTEND:20260303T090100Z", "RRULE:FREQ=MINUTELY;COUNT=2000"))
	got := w.sync(t, calendar.Snapshot{})
	if len(got.Blocks) != 1 {
		t.Errorf("got %d blocks, want 1", len(got.Blocks))
	}
}
