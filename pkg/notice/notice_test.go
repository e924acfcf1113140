package notice_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/notice"
)

// shelf is a store in memory.
type shelf struct {
	mu     sync.Mutex
	alarms map[string]notice.Alarm
	told   []string
}

func (s *shelf) Set(_ context.Context, a notice.Alarm) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alarms[a.Thing] = a
	return nil
}

func (s *shelf) take(a notice.Alarm) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now, there := s.alarms[a.Thing]; !there || !now.Due.Equal(a.Due) {
		return false
	}
	delete(s.alarms, a.Thing)
	return true
}

func (s *shelf) Drop(_ context.Context, a notice.Alarm) error {
	s.take(a)
	return nil
}

func (s *shelf) Due(_ context.Context, now time.Time, most int) ([]notice.Alarm, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var due []notice.Alarm
	for _, thing := range slices.Sorted(maps.Keys(s.alarms)) {
		if a := s.alarms[thing]; !a.Due.After(now) && len(due) < most {
			due = append(due, a)
		}
	}
	return due, nil
}

func (s *shelf) Tell(_ context.Context, a notice.Alarm, n notice.Notice, next *notice.Alarm) (bool, error) {
	if !s.take(a) {
		return false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if next != nil {
		s.alarms[a.Thing] = *next
	}
	s.told = append(s.told, n.Title)
	return true, nil
}

// things are what falls due, as they stand; unreadable for some people.
type things struct {
	now        map[string]notice.Alarm
	unreadable meet.PersonID
}

func (h things) current(
	_ context.Context, person meet.PersonID, _ []notice.Alarm, _ time.Time,
) (map[string]notice.Alarm, error) {
	if person == h.unreadable {
		return nil, errors.New("no answer")
	}
	return h.now, nil
}

// run lets two clocks work for a while.
func run(t *testing.T, s *shelf, h things, also func(notice.Notice) error, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	var group sync.WaitGroup
	for range 2 {
		clock := notice.NewClock(notice.Config{
			Store: s, Current: h.current,
			Also: func(_ context.Context, _ meet.PersonID, n notice.Notice) error { return also(n) },
		})
		group.Go(func() { clock.Work(ctx) })
	}
	group.Wait()
}

func TestEachThingIsToldOnceAndAsItStands(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		at := func(thing string, after time.Duration) notice.Alarm {
			return notice.Alarm{Person: "dana", Thing: thing, Due: now.Add(after), Notice: notice.Notice{Title: "old " + thing}}
		}
		s := &shelf{alarms: map[string]notice.Alarm{
			"past": at("past", -time.Hour), "soon": at("soon", time.Second), "gone": at("gone", time.Second),
			"moved": at("moved", time.Second), "later": at("later", time.Hour),
		}}
		is := func(title string, due time.Time) notice.Alarm {
			return notice.Alarm{Due: due, Notice: notice.Notice{Title: title}}
		}
		h := things{now: map[string]notice.Alarm{
			"past": is("past", now), "soon": is("renamed", now), "moved": is("moved", now.Add(time.Hour)),
			"later": is("later", now.Add(time.Hour)),
		}}
		run(t, s, h, func(notice.Notice) error { return nil }, 3*time.Second)
		if diff := cmp.Diff([]string{"past", "renamed"}, s.told); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"later"}, slices.Collect(maps.Keys(s.alarms))); diff != "" {
			t.Errorf("alarms left (-want +got):\n%s", diff)
		}
	})
}

// What cannot be read is told late, as it was when its alarm was set, and holds up nobody else.
func TestWhatCannotBeReadIsToldAfterAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		s := &shelf{alarms: map[string]notice.Alarm{
			"a": {
				Person: "dana", Thing: "a", Due: now, Notice: notice.Notice{Title: "as set"},
				Next: &notice.Alarm{Person: "dana", Thing: "a", Due: now.Add(time.Hour)},
			},
			"b": {Person: "omar", Thing: "b", Due: now},
		}}
		h := things{unreadable: "dana", now: map[string]notice.Alarm{"b": {Due: now, Notice: notice.Notice{Title: "b"}}}}
		run(t, s, h, func(notice.Notice) error { return nil }, 5*time.Second)
		if diff := cmp.Diff([]string{"b"}, s.told); diff != "" {
			t.Errorf("told after five seconds (-want +got):\n%s", diff)
		}
		run(t, s, h, func(notice.Notice) error { return nil }, 30*time.Second)
		if diff := cmp.Diff([]string{"b", "as set"}, s.told); diff != "" {
			t.Errorf("told in the end (-want +got):\n%s", diff)
		}
		if next := s.alarms["a"]; !next.Due.Equal(now.Add(time.Hour)) {
			t.Errorf("the next alarm is at %v, want an hour later", next.Due)
		}
	})
}

// A notice of a mail is told as it was set, to its person alone.
func TestAMailThatWasNotSentIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of := notice.Notice{ID: "n1", Kind: notice.Mail, Title: "Offer: not sent"}
		s := &shelf{alarms: map[string]notice.Alarm{"n1": {Person: "dana", Thing: "n1", Due: time.Now(), Notice: of}}}
		run(t, s, things{now: map[string]notice.Alarm{}}, func(n notice.Notice) error {
			t.Errorf("other servers are told of %+v", n)
			return nil
		}, 3*time.Second)
		if diff := cmp.Diff([]string{"Offer: not sent"}, s.told); diff != "" {
			t.Error(diff)
		}
	})
}

// Other servers are told first: a process that dies in between leaves the alarm.
func TestOtherServersAreToldFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		s := &shelf{alarms: map[string]notice.Alarm{"a": {Person: "dana", Thing: "a", Due: now}}}
		h := things{now: map[string]notice.Alarm{
			"a": {Due: now, Notice: notice.Notice{ID: "n1", Title: "a"}},
		}}
		var mu sync.Mutex
		tries := 0
		run(t, s, h, func(n notice.Notice) error {
			mu.Lock()
			defer mu.Unlock()
			if tries++; tries < 4 {
				return errors.New("no answer")
			}
			if n.ID != "n1" || n.Type != notice.Type {
				t.Errorf("told of %+v", n)
			}
			return nil
		}, 5*time.Second)
		if diff := cmp.Diff([]string{"a"}, s.told); diff != "" || tries < 4 {
			t.Errorf("after %d tries told (-want +got):\n%s", tries, diff)
		}
	})
}
