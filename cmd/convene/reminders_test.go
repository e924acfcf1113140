package main

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/meet"
	"convene/pkg/notice"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
	"convene/pkg/redisstore"
	"convene/pkg/task"
	"convene/pkg/task/own"
)

// reminded are reminders over a store of their own.
func reminded(t *testing.T) reminders {
	t.Helper()
	store, err := redisstore.Open(t.Context(), redisstore.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	book := record.Book{Kind: record.Kind{What: meet.TaskThing}, Store: store.Records(meet.TaskThing)}
	return reminders{
		Directory: task.Directory{Providers: []task.Provider{own.Provider{Book: book}}},
		people:    store.People(), alarms: store.Notices(),
	}
}

// toldAt are the times at which a person is told until a time, as clocks of the person's zone show them, if a process
// looks every so often, from the first time on.
func (r reminders) toldAt(t *testing.T, p meet.Person, from, until time.Time, every time.Duration) (told []string) {
	t.Helper()
	now := from
	clock := notice.NewClock(notice.Config{
		Store: r.alarms, Current: r.current, Now: func() time.Time { return now },
		Also: func(_ context.Context, _ meet.PersonID, n notice.Notice) error {
			told = append(told, n.Due.In(p.Zone()).Format("01-02 15:04"))
			return nil
		},
	})
	for ; !now.After(until); now = now.Add(every) {
		if err := clock.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return told
}

// What a person is told of one task, which is asked for on Friday, 2026-10-30, at 12:00 in Los Angeles. Clocks there go
// back on Sunday.
func TestReminders(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	pacific, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	asked := time.Date(2026, 10, 30, 12, 0, 0, 0, pacific)
	for _, c := range []struct {
		name                  string
		due, reminder, repeat string
		zone                  string
		// down is how long no process works.
		down time.Duration
		want []string
	}{
		{name: "at its time", due: "2026-10-31T09:00:00-07:00", want: []string{"10-31 09:00"}},
		{
			name: "at the reminder, not when it is due", due: "2026-11-02", reminder: "2026-11-01T08:00:00-08:00",
			want: []string{"11-01 08:00"},
		},
		{name: "a day alone is no time", due: "2026-10-31"},
		{name: "a time that has passed", due: "2026-10-30T11:00:00-07:00"},
		{name: "while everything was down", due: "2026-10-30T13:00:00-07:00", down: day, want: []string{"10-30 13:00"}},
		{
			name: "each day, at the same time of day", due: "2026-10-31T09:00:00-07:00", repeat: "FREQ=DAILY",
			want: []string{"10-31 09:00", "11-01 09:00", "11-02 09:00", "11-03 09:00"},
		},
		{
			name: "each day from one that has passed", due: "2026-10-29T09:00:00-07:00", repeat: "FREQ=DAILY;COUNT=4",
			want: []string{"10-31 09:00", "11-01 09:00"},
		},
		{
			name: "once for days that were missed", due: "2026-10-31T09:00:00-07:00", repeat: "FREQ=DAILY", down: 3 * day,
			want: []string{"10-31 09:00", "11-03 09:00"},
		},
		{
			name: "two days before each", due: "2026-11-02", reminder: "2026-10-31T18:30:00-07:00", repeat: "FREQ=DAILY",
			want: []string{"10-31 18:30", "11-01 18:30", "11-02 18:30"},
		},
		{
			name: "in a new zone, the first as set, then by the clocks there", zone: "Europe/Berlin",
			due: "2026-10-31T09:00:00-07:00", repeat: "FREQ=DAILY",
			want: []string{"10-31 17:00", "11-01 09:00", "11-02 09:00", "11-03 09:00"},
		},
		{
			name: "the time before, in a new zone", zone: "Europe/Berlin",
			due: "2026-10-31T09:00:00-07:00", reminder: "2026-10-31T08:30:00-07:00", repeat: "FREQ=DAILY",
			want: []string{"10-31 16:30", "11-01 08:30", "11-02 08:30", "11-03 08:30"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, p := reminded(t), meet.Person{ID: "dana", Name: "Dana", Timezone: "America/Los_Angeles"}
			to := task.Task{
				ID: "t", Title: "Call Al", Status: task.Backlog, Due: c.due, Reminder: c.reminder, Recurrence: c.repeat,
			}
			if _, err := r.Apply(t.Context(), p, task.Amendment{Key: "k", To: &to, Asked: asked}); err != nil {
				t.Fatal(err)
			}
			if c.zone != "" {
				p.Timezone = c.zone
			}
			if err := r.people.Put(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			got := r.toldAt(t, p, asked.Add(c.down), asked.Add(4*day), 15*time.Minute)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
		})
	}
}

// A change that is repeated after a crash, or that leaves the time as it is, tells nothing again; a new time is told.
// Once a recurring task is completed, only the next one is told.
func TestAReminderIsToldOnceWhateverIsChanged(t *testing.T) {
	t.Parallel()
	r, p := reminded(t), meet.Person{ID: "dana", Name: "Dana", Timezone: "UTC"}
	if err := r.people.Put(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	hour := func(n int) string { return noon.Add(time.Duration(n) * time.Hour).Format(time.RFC3339) }
	var told []string
	var last *task.Task
	change := func(key string, to task.Task) {
		a := task.Amendment{Key: key, From: last, To: &to, Asked: noon}
		if last != nil && last.ID != to.ID {
			a.From = nil
		}
		now, err := r.Apply(t.Context(), p, a)
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		last = &now
	}
	until := func(n int) {
		told = append(told, r.toldAt(t, p, noon, noon.Add(time.Duration(n)*time.Hour), 20*time.Minute)...)
	}
	is := task.Task{ID: "t", Title: "Call Al", Status: task.Backlog, Due: hour(1)}
	change("make", is)
	until(2)
	first := last
	last = nil
	change("make", is) // again, by the process that goes on
	last = first
	until(2)
	is.Title = "Call Al Chen"
	change("rename", is)
	until(2)
	is.Due = hour(3)
	change("move", is)
	until(4)
	is.Status = task.Completed
	change("complete", is)
	daily := task.Task{ID: "u", Title: "Pills", Status: task.Backlog, Due: hour(5), Recurrence: "FREQ=DAILY"}
	change("daily", daily)
	until(6)
	next, _ := task.NewCopy(r.Directory, p, icalendar.NextDue).Next(daily, noon.Add(6*time.Hour))
	daily.Status, daily.Recurrence, next.ID = task.Completed, "", "v"
	change("taken", daily)
	change("the next", next)
	until(30)
	if want := []string{"11-23 13:00", "11-23 15:00", "11-23 17:00", "11-24 17:00"}; !slices.Equal(told, want) {
		t.Errorf("told at %v, want %v", told, want)
	}
}

// A recurring task of a file whose first time has passed is told from the next one on, and a reminder that fell due
// while no process worked is not forgotten at the next start.
func TestRemindersOfFiles(t *testing.T) {
	t.Parallel()
	p := meet.Person{ID: "dana", Name: "Dana", Timezone: "UTC"}
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	given := record.Values{}
	for id, of := range map[string]task.Task{
		"1": {Due: "2026-11-20T15:00:00Z", Recurrence: "FREQ=DAILY"}, "2": {Due: "2026-11-23T11:00:00Z"},
		"3": {Due: "2026-11-23T16:00:00Z"},
	} {
		of.ID, of.Title, of.Status = id, "Task "+id, task.Backlog
		value, err := meet.MarshalLine(of.Listed())
		if err != nil {
			t.Fatal(err)
		}
		given[id] = value
	}
	r := reminded(t)
	r.given = []meet.PersonID{p.ID}
	r.Providers = []task.Provider{own.Provider{Book: record.Book{
		Store: recordtest.Shelf{}, Given: func(meet.PersonID) record.Values { return given },
	}}}
	if err := r.people.Put(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, start := range []int{0, 5} { // the second one comes after 15:00 and 16:00, when no process worked
		from := noon.Add(time.Duration(start) * time.Hour)
		if err := r.expect(t.Context(), from); err != nil {
			t.Fatal(err)
		}
		told = append(told, r.toldAt(t, p, from, from.Add(time.Hour), time.Hour)...)
	}
	slices.Sort(told)
	if want := []string{"11-23 15:00", "11-23 16:00"}; !slices.Equal(told, want) {
		t.Errorf("told at %v, want %v", told, want)
	}
}
