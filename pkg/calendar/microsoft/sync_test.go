package microsoft_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/microsoft/microsofttest"
	"convene/pkg/interval"
)

// After every change, going on from the last reading says the same as reading anew.
func TestSyncGoesOn(t *testing.T) {
	t.Parallel()
	weekly := microsofttest.Event{ID: "AAMkweekly=", ICalUID: "w", Start: at(9), End: at(10), Rule: "FREQ=DAILY;COUNT=5"}
	single := microsofttest.Event{ID: "AAMksingle=", ICalUID: "s", Start: at(11), End: at(12)}
	for _, c := range []struct {
		name   string
		change func(w world)
		// anew says that the calendar has to be read anew.
		anew bool
	}{
		{name: "nothing", change: func(world) {}},
		{name: "an event moves", change: func(w world) {
			moved := single
			moved.Start, moved.End = at(13), at(14)
			w.mailbox.Put(w.mailbox.Main(), moved)
		}},
		{name: "an event becomes free", change: func(w world) {
			moved := single
			moved.ShowAs = "free"
			w.mailbox.Put(w.mailbox.Main(), moved)
		}},
		{name: "an event is new", change: func(w world) {
			w.mailbox.Put(w.mailbox.Main(), microsofttest.Event{ICalUID: "n", Start: at(15), End: at(16)})
		}},
		{name: "an event is removed", change: func(w world) { w.mailbox.Delete(w.mailbox.Main(), single.ID) }},
		{name: "an event moves out of the span", change: func(w world) {
			moved := single
			moved.Start, moved.End = at(11).AddDate(1, 0, 0), at(12).AddDate(1, 0, 0)
			w.mailbox.Put(w.mailbox.Main(), moved)
		}},
		{name: "an instance is taken out", anew: true, change: func(w world) {
			without := weekly
			without.Without = []time.Time{at(9).AddDate(0, 0, 1)}
			w.mailbox.Put(w.mailbox.Main(), without)
		}},
		{name: "an instance moves", anew: true, change: func(w world) {
			moved := weekly
			moved.Moved = []calendartest.Move{{From: at(9).AddDate(0, 0, 1), Start: at(17), End: at(18)}}
			w.mailbox.Put(w.mailbox.Main(), moved)
		}},
		{name: "a series becomes free", anew: true, change: func(w world) {
			free := weekly
			free.ShowAs = "free"
			w.mailbox.Put(w.mailbox.Main(), free)
		}},
		{name: "a series is removed", anew: true, change: func(w world) { w.mailbox.Delete(w.mailbox.Main(), weekly.ID) }},
		{name: "Graph forgets", anew: true, change: func(w world) { w.server.ForgetSync() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := open(t, calendartest.Owner())
			w.mailbox.Put(w.mailbox.Main(), weekly)
			w.mailbox.Put(w.mailbox.Main(), single)
			first := w.mustSync(t, calendar.Snapshot{})
			c.change(w)
			w.server.Calls()
			before := slices.Clone(first.Blocks)
			second := w.mustSync(t, first)
			if diff := cmp.Diff(before, first.Blocks); diff != "" {
				t.Errorf("the reading that was given has changed:\n%s", diff)
			}
			anew := slices.ContainsFunc(w.server.Calls(), func(call microsofttest.Call) bool {
				return strings.Contains(call.Query, "startDateTime")
			})
			if anew != c.anew {
				t.Errorf("read anew: %v, want %v", anew, c.anew)
			}
			fresh, err := w.Times(t.Context(), calendartest.Owner(), w.days(), "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(inUTC(fresh.Availability), inUTC(second.Times("").Availability)); diff != "" {
				t.Errorf("gone on (-anew +gone on):\n%s", diff)
			}
		})
	}
}

func (world) days() interval.Span { return interval.Span{Start: at(0), End: at(0).AddDate(0, 0, 7)} }

func (w world) mustSync(t *testing.T, last calendar.Snapshot) calendar.Snapshot {
	t.Helper()
	s, err := w.Sync(t.Context(), calendartest.Owner(), w.days(), last)
	if err != nil {
		t.Fatalf("Sync: %v", err)
	}
	return s
}

// A mark is good for its own span and its own server only.
func TestSyncStartsAnew(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner(), calendartest.Event{UID: "1", Start: at(9), End: at(10)})
	first := w.mustSync(t, calendar.Snapshot{})
	for name, last := range map[string]calendar.Snapshot{
		"another span": {Span: span(0, 24), Blocks: first.Blocks, Marks: first.Marks},
		"another server": {Span: first.Span, Blocks: first.Blocks, Marks: map[string]string{
			"a1/": "https://evil.example.com/v1.0/me",
		}},
		"no address": {Span: first.Span, Blocks: first.Blocks, Marks: map[string]string{"a1/": "%"}},
		"no marks":   {Span: first.Span, Blocks: first.Blocks},
		"another account": {Span: first.Span, Marks: map[string]string{"a2/": first.Marks["a1/"]},
			Blocks: []calendar.Block{{Calendar: "a2/", ID: "x", Span: span(12, 13)}}},
	} {
		got := w.mustSync(t, last)
		if diff := cmp.Diff(first.Blocks, got.Blocks); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if len(got.Marks) != 1 || got.Marks["a1/"] == "" {
			t.Errorf("%s: marks %v, want one", name, got.Marks)
		}
	}
}
