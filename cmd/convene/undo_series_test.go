package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/change"
	"convene/pkg/change/events"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// series makes a daily event of five times, one of them renamed, and returns the third.
func (o *onlooker) series(key string) meet.Occurrence {
	o.Helper()
	o.propose(key+"-new", true, o.change(agenda.Amendment{Key: key + "-new", Kind: agenda.Create, Event: meet.Occurrence{
		UID: key, Title: key, Description: "see you\n", Span: o.at(7, 0), Recurrence: "FREQ=DAILY;COUNT=5",
	}}))
	fourth, title := o.times(key)[3], key+" (long)"
	o.propose(key+"-rename", true, o.change(agenda.Amendment{
		Key: key + "-rename", Kind: agenda.Update, Event: fourth, Scope: meet.ThisOne, Set: agenda.Fields{Title: &title},
	}))
	return o.times(key)[2]
}

// times are the occurrences of a series.
func (o *onlooker) times(uid string) (found []meet.Occurrence) {
	o.Helper()
	week := interval.Span{Start: o.at(0, 0).Start, End: o.at(0, 0).Start.AddDate(0, 0, 7)}
	all, err := o.day.Events(o.Context(), o.owner, week)
	if err != nil {
		o.Fatal(err)
	}
	for _, e := range all {
		if e.UID == uid {
			found = append(found, e)
		}
	}
	return found
}

// told is what an owner sees of occurrences.
func (o *onlooker) told(list []meet.Occurrence) (told []agenda.Event) {
	for _, e := range list {
		told = append(told, agenda.EventOf(e, o.zone))
	}
	return told
}

// Whatever part of a series was deleted comes back as it was. If the calendar's answer was lost in a crash, nothing is
// made up: it is said, and nothing changes.
func TestADeletedPartOfASeriesComesBack(t *testing.T) {
	t.Parallel()
	o := newOnlooker(t)
	writer := events.Writer{Calendars: o.day.(events.Amender)}
	for scope, left := range map[meet.Scope]int{meet.ThisOne: 4, meet.Following: 2, meet.AllOfThem: 0} {
		key := "series-" + string(scope)
		third := o.series(key)
		before := o.told(o.times(key))
		gone := o.change(agenda.Amendment{Key: key + "-delete", Kind: agenda.Delete, Event: third, Scope: scope})
		set := o.propose(key+"-delete", true, gone)
		if n := len(o.times(key)); n != left {
			t.Errorf("%s: %d are left, want %d", scope, n, left)
		}
		if applied, err := o.desk.Undo(t.Context(), set.ID); err != nil || applied.Outcome != meet.AllApplied {
			t.Errorf("%s: undo: %+v, %v", scope, applied, err)
		}
		if diff := cmp.Diff(before, o.told(o.times(key))); diff != "" {
			t.Errorf("%s (-before +undone):\n%s", scope, diff)
		}

		third = o.times(key)[2]
		gone = o.change(agenda.Amendment{Key: key + "-again", Kind: agenda.Delete, Event: third, Scope: scope})
		var done change.Written
		for range 2 { // the answer to the first is lost
			var err error
			if done, err = writer.Write(t.Context(), o.owner, gone); err != nil {
				t.Fatalf("%s: %v", scope, err)
			}
		}
		if _, err := writer.Inverse(t.Context(), o.owner, gone, done); fault.CodeOf(err) != change.Changed {
			t.Errorf("%s: after a lost answer: %v", scope, err)
		}
		if n := len(o.times(key)); n != left {
			t.Errorf("%s: after a lost answer %d stand, want %d", scope, n, left)
		}
	}
}
