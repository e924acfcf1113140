package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/calendar/local"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/redisstore"
)

// Files with what is changed over them in Redis pass the suite of all calendars, also when each change is made by
// another process.
func TestAmendmentsOverFilesInRedis(t *testing.T) {
	t.Parallel()
	calendartest.TestAmender(t, func(t *testing.T, owner meet.Person, events ...calendartest.Event) calendartest.Kept {
		t.Helper()
		store, err := redisstore.Open(t.Context(), redisstore.Config{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		kept, file := store.Events(), calendartest.ICS(owner, events...)
		calendarName := string(owner.ID)
		open := func() *local.Calendar {
			c := local.New(kept, map[string][]byte{calendarName + ".ics": file})
			c.Now = func() time.Time { return time.Date(2026, time.February, 20, 12, 0, 0, 0, time.UTC) }
			return c
		}
		object := func(t *testing.T, uid string) string {
			t.Helper()
			objects, _, err := kept.Objects(t.Context(), owner.ID)
			if err != nil {
				t.Fatal(err)
			}
			if object, changed := objects[calendarName+"\t"+uid]; changed {
				return object
			}
			object, err := icalendar.ObjectOf(file, uid)
			if err != nil {
				t.Fatal(err)
			}
			return string(object)
		}
		// Another program of the owner's is another process with the same calendar.
		other := func(t *testing.T, uid string, change agendaChange) {
			t.Helper()
			amend(t, open(), owner, uid, change)
		}
		return calendartest.Kept{
			Amender: open(),
			Dump: func(t *testing.T) string {
				t.Helper()
				objects, revision, err := kept.Objects(context.WithoutCancel(t.Context()), owner.ID)
				return fmt.Sprint(objects, revision, err)
			},
			Foreign: func(t *testing.T, uid string) []string {
				t.Helper()
				return calendartest.ForeignIn(object(t, uid))
			},
			Retitle: func(t *testing.T, uid, title string) { t.Helper(); other(t, uid, agendaChange{title: title}) },
			Remove:  func(t *testing.T, uid string) { t.Helper(); other(t, uid, agendaChange{}) },
		}
	}, nil)
}

// agendaChange is a new title; without one the event is deleted.
type agendaChange struct{ title string }

// amend makes a change of the event with the UID.
func amend(t *testing.T, c *local.Calendar, owner meet.Person, uid string, change agendaChange) {
	t.Helper()
	year := interval.From(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 365*24*time.Hour)
	events, err := c.Events(t.Context(), owner, year)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range events {
		if o.UID != uid {
			continue
		}
		a := agenda.Amendment{Key: "other", Kind: agenda.Delete, Event: o}
		if change.title != "" {
			a.Kind, a.Set.Title = agenda.Update, &change.title
		}
		if _, err := c.Apply(t.Context(), owner, a); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatalf("there is no event %s", uid)
}
