package calendartest

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// yoga is every Tuesday, six times: the second moved to Wednesday, the third called off, and the clocks change before
// the fifth.
func yoga() Event {
	return Event{
		UID: "w", Title: "Yoga", Start: berlin(3, 9), End: berlin(3, 10), Rule: "FREQ=WEEKLY;COUNT=6", Foreign: true,
		Moved:     []Move{{From: berlin(10, 9), Start: berlin(11, 15), End: berlin(11, 16)}},
		Cancelled: []time.Time{berlin(17, 9)},
	}
}

// yogas are its occurrences.
func yogas() []seen {
	return []seen{
		at("Yoga", 3, 9, 10), at("Yoga", 11, 15, 16), at("Yoga", 24, 9, 10), at("Yoga", 31, 9, 10), at("Yoga", 38, 9, 10),
	}
}

// seriesCase is a change of the occurrence that starts at, and what stands afterwards.
type seriesCase struct {
	name  string
	start time.Time
	scope meet.Scope
	// set is the update; nil deletes.
	set  *agenda.Fields
	want []seen
}

func amendSeriesCases() []seriesCase {
	titled := func(title string) *agenda.Fields { return &agenda.Fields{Title: &title} }
	moved := func(d int, from, until float64) *agenda.Fields {
		return &agenda.Fields{Span: to(hours(d, from, until))}
	}
	renamed := func(from int) []seen {
		list := yogas()
		for i := from; i < len(list); i++ {
			list[i].Title = "Pilates"
		}
		return list
	}
	with := func(i int, one seen) []seen {
		list := yogas()
		list[i] = one
		return list
	}
	tuesday, wednesday := berlin(24, 9), berlin(11, 15)
	return []seriesCase{
		{"one renamed", tuesday, meet.ThisOne, titled("Outside"), with(2, at("Outside", 24, 9, 10))},
		{"one moved", tuesday, meet.ThisOne, moved(25, 14, 15), with(2, at("Yoga", 25, 14, 15))},
		{"one after the change of the clocks moved", berlin(31, 9), meet.ThisOne, moved(31, 11, 12),
			with(3, at("Yoga", 31, 11, 12))},
		{"the moved one moved again", wednesday, meet.ThisOne, moved(12, 8, 9), with(1, at("Yoga", 12, 8, 9))},
		{"one, where nothing is said", tuesday, "", titled("Outside"), with(2, at("Outside", 24, 9, 10))},
		{"one deleted", tuesday, meet.ThisOne, nil,
			[]seen{at("Yoga", 3, 9, 10), at("Yoga", 11, 15, 16), at("Yoga", 31, 9, 10), at("Yoga", 38, 9, 10)}},
		{"the moved one deleted", wednesday, meet.ThisOne, nil,
			[]seen{at("Yoga", 3, 9, 10), at("Yoga", 24, 9, 10), at("Yoga", 31, 9, 10), at("Yoga", 38, 9, 10)}},
		{"this and the following renamed", tuesday, meet.Following, titled("Pilates"), renamed(2)},
		{"this and the following moved", tuesday, meet.Following, moved(24, 11, 12.30), []seen{
			at("Yoga", 3, 9, 10), at("Yoga", 11, 15, 16), at("Yoga", 24, 11, 12.30), at("Yoga", 31, 11, 12.30),
			at("Yoga", 38, 11, 12.30),
		}},
		{"this and the following moved to another day", tuesday, meet.Following, moved(26, 9, 10), []seen{
			at("Yoga", 3, 9, 10), at("Yoga", 11, 15, 16), at("Yoga", 26, 9, 10), at("Yoga", 33, 9, 10), at("Yoga", 40, 9, 10),
		}},
		{"the following of a moved one renamed", wednesday, meet.Following, titled("Pilates"), renamed(1)},
		{"the following of the first", berlin(3, 9), meet.Following, titled("Pilates"), renamed(0)},
		{"this and the following deleted", tuesday, meet.Following, nil,
			[]seen{at("Yoga", 3, 9, 10), at("Yoga", 11, 15, 16)}},
		{"the first and the following deleted", berlin(3, 9), meet.Following, nil, nil},
		{"all renamed", tuesday, meet.AllOfThem, titled("Pilates"), renamed(0)},
		{"all moved; what has a time of its own keeps it", berlin(31, 9), meet.AllOfThem, moved(31, 10, 11), []seen{
			at("Yoga", 3, 10, 11), at("Yoga", 11, 15, 16), at("Yoga", 24, 10, 11), at("Yoga", 31, 10, 11),
			at("Yoga", 38, 10, 11),
		}},
		{"all deleted", tuesday, meet.AllOfThem, nil, nil},
	}
}

// testSeries: a change of a series is of the part that was named; what was decided for one occurrence stays.
func testSeries(t *testing.T, open Keeper) {
	t.Helper()
	for _, c := range amendSeriesCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := open(t, Owner(), yoga())
			foreign := k.Foreign(t, "w")
			o := k.on(t, c.start)
			if !o.Repeats() || o.Recurrence == "" {
				t.Errorf("the occurrence does not tell its series: %+v", o)
			}
			change := remove(o, c.scope)
			if c.set != nil {
				change = update(o, c.scope, *c.set)
			}
			done := k.apply(t, change)
			k.sees(t, c.want...)
			k.apply(t, restore(change, done))
			k.sees(t, yogas()...)
			if diff := gocmp.Diff(foreign, k.Foreign(t, "w")); diff != "" {
				t.Errorf("what Convene does not know, after the undo (-before +after):\n%s", diff)
			}
		})
	}
	t.Run("two occurrences, as they were read together", func(t *testing.T) {
		t.Parallel()
		k := open(t, Owner(), yoga())
		first, second := k.on(t, berlin(24, 9)), k.on(t, berlin(31, 9))
		for key, o := range map[string]meet.Occurrence{"first": first, "second": second} {
			change := remove(o, meet.ThisOne)
			change.Key = key
			k.apply(t, change)
		}
		k.sees(t, at("Yoga", 3, 9, 10), at("Yoga", 11, 15, 16), at("Yoga", 38, 9, 10))
	})
	t.Run("the following, without an end", func(t *testing.T) {
		t.Parallel()
		endless := yoga()
		endless.Rule = "FREQ=WEEKLY"
		k := open(t, Owner(), endless)
		k.apply(t, update(k.on(t, berlin(31, 9)), meet.Following, agenda.Fields{Span: to(hours(31, 10, 11))}))
		k.sees(t, append(yogas()[:3], at("Yoga", 31, 10, 11), at("Yoga", 38, 10, 11), at("Yoga", 45, 10, 11),
			at("Yoga", 52, 10, 11), at("Yoga", 59, 10, 11))...)
	})
	t.Run("the following, on other days", func(t *testing.T) { testOtherDays(t, open) })
	t.Run("an event becomes a series, and one again", func(t *testing.T) {
		t.Parallel()
		k := open(t, Owner(), Event{UID: "1", Title: "Call", Start: berlin(3, 9), End: berlin(3, 10)})
		k.apply(t, update(k.on(t, berlin(3, 9)), "", agenda.Fields{Recurrence: to("FREQ=DAILY;COUNT=2")}))
		k.sees(t, at("Call", 3, 9, 10), at("Call", 4, 9, 10))
		end := update(k.on(t, berlin(3, 9)), meet.AllOfThem, agenda.Fields{Recurrence: to("")})
		end.Key = "update-2"
		k.apply(t, end)
		k.sees(t, at("Call", 3, 9, 10))
	})
	t.Run("whole days", func(t *testing.T) {
		t.Parallel()
		k := open(t, Owner(), Event{
			UID: "d", Title: "Duty", Start: berlin(2, 0), End: berlin(3, 0), AllDay: true, Rule: "FREQ=WEEKLY;COUNT=3",
		})
		k.apply(t, update(k.on(t, berlin(9, 0)), meet.Following, agenda.Fields{Span: &interval.Span{
			Start: berlin(10, 0), End: berlin(11, 0),
		}}))
		k.sees(t, at("Duty", 2, 0, 24), at("Duty", 10, 0, 24), at("Duty", 17, 0, 24))
	})
}

// testOtherDays has a series go on on other days of the week.
func testOtherDays(t *testing.T, open Keeper) {
	t.Helper()
	t.Parallel()
	endless := yoga()
	endless.Rule = "FREQ=WEEKLY"
	k := open(t, Owner(), endless)
	foreign := k.Foreign(t, "w")
	change := update(k.on(t, berlin(31, 9)), meet.Following, agenda.Fields{
		Span: to(hours(32, 10, 11)), Recurrence: to("FREQ=WEEKLY;BYDAY=WE,TH"),
	})
	done := k.apply(t, change)
	var others []seen
	for day := 32; day < 60; day += 7 {
		others = append(others, at("Yoga", day, 10, 11), at("Yoga", day+1, 10, 11))
	}
	k.sees(t, append(yogas()[:3], append(others, at("Yoga", 60, 10, 11))...)...)
	k.apply(t, restore(change, done))
	k.sees(t, append(yogas(), at("Yoga", 45, 9, 10), at("Yoga", 52, 9, 10), at("Yoga", 59, 9, 10))...)
	if diff := gocmp.Diff(foreign, k.Foreign(t, "w")); diff != "" {
		t.Errorf("what Convene does not know, after the undo (-before +after):\n%s", diff)
	}
}
