package redisstore

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

var morning = time.Date(2026, 10, 26, 9, 0, 0, 0, time.UTC)

// at is an event of an hour that starts the given minutes after nine.
func at(uid string, minutes int) meet.StoredEvent {
	start := morning.Add(time.Duration(minutes) * time.Minute)
	return meet.StoredEvent{UID: uid, Title: "Coffee", Start: start, End: start.Add(time.Hour)}
}

// clocked is a configuration whose clock shows nine.
func clocked() Config { return Config{Now: func() time.Time { return morning }} }

func between(tb testing.TB, e Events, person meet.PersonID, from, to int) (uids []string) {
	tb.Helper()
	minute := func(n int) time.Time { return morning.Add(time.Duration(n) * time.Minute) }
	span := interval.Span{Start: minute(from), End: minute(to)}
	for _, event := range must(e.Between(tb.Context(), person, span))(tb) {
		uids = append(uids, event.UID)
	}
	return uids
}

func TestEventsBetween(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		e := t.open(clocked()).Events()
		check(t, e.PutAll(t.Context(), []meet.PersonID{"me"}, at("b", 120)))
		check(t, e.PutAll(t.Context(), []meet.PersonID{"me"}, at("a", 0)))
		check(t, e.PutAll(t.Context(), []meet.PersonID{"al"}, at("c", 0)))
		travel := at("d", 300)
		travel.BusyFrom, travel.BusyUntil = travel.Start.Add(-30*time.Minute), travel.End.Add(30*time.Minute)
		check(t, e.PutAll(t.Context(), []meet.PersonID{"me"}, travel))
		long := meet.StoredEvent{UID: "e", Start: morning.Add(-100 * time.Hour), End: morning.Add(-50 * time.Hour)}
		check(t, e.PutAll(t.Context(), []meet.PersonID{"me"}, long))
		for _, tt := range []struct {
			name     string
			person   meet.PersonID
			from, to int
			want     []string
		}{
			{"earliest first", "me", 0, 1000, []string{"a", "b", "d"}},
			{"ends where the event starts", "me", 60, 120, nil},
			{"a minute of it", "me", 59, 121, []string{"a", "b"}},
			{"travel counts", "me", 385, 400, []string{"d"}},
			{"the middle of a long one", "me", -60 * 60, -59 * 60, []string{"e"}},
			{"another person's", "al", 0, 1000, []string{"c"}},
			{"no events", "bo", 0, 1000, nil},
			{"an empty span", "me", 10, 10, nil},
		} {
			if diff := cmp.Diff(tt.want, between(t, e, tt.person, tt.from, tt.to)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
		got := must(e.Between(t.Context(), "me", travel.Busy()))(t)
		if diff := cmp.Diff([]meet.StoredEvent{travel}, got); diff != "" {
			t.Errorf("event (-want +got):\n%s", diff)
		}
		check(t, e.Remove(t.Context(), []meet.PersonID{"me"}, "a"))
		check(t, e.Remove(t.Context(), []meet.PersonID{"me"}, "a"))
		if diff := cmp.Diff([]string{"b"}, between(t, e, "me", 0, 200)); diff != "" {
			t.Errorf("after Remove (-want +got):\n%s", diff)
		}
	})
}

// Travel time is busy for its own traveller only, and no copy shows another's.
func TestBusyTimesDifferBetweenPeople(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		e := t.open(clocked()).Events()
		coffee := at("coffee", 60)
		coffee.Held = map[meet.PersonID]meet.TravelBuffer{"al": {BeforeMinutes: 20, AfterMinutes: 10}}
		check(t, e.Book(t.Context(), []meet.PersonID{"me", "al", "me", ""}, coffee))
		for person, want := range map[meet.PersonID][2][]string{"al": {{"coffee"}, {"coffee"}}, "me": {nil, nil}} {
			got := [2][]string{between(t, e, person, 40, 60), between(t, e, person, 120, 130)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("what %s keeps busy around it (-want +got):\n%s", person, diff)
			}
		}
		before := at("before", -10) // until ten to ten
		if err := e.Book(t.Context(), []meet.PersonID{"al"}, before); fault.CodeOf(err) != fault.SlotGone {
			t.Errorf("an event in the time of the way gives %v", err)
		}
		check(t, e.Book(t.Context(), []meet.PersonID{"me"}, before))
		for _, person := range []meet.PersonID{"me", "al"} {
			if stored := must(e.Between(t.Context(), person, coffee.Span()))(t); len(stored) != 1 || stored[0].Held != nil {
				t.Errorf("%s has %+v", person, stored)
			}
		}
	})
}

func TestRevisions(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		e, both := t.open(clocked()).Events(), []meet.PersonID{"me", "al"}
		moved := at("a", 600)
		moved.Sequence = 10
		check(t, e.PutAll(t.Context(), both, at("a", 0)))
		check(t, e.PutAll(t.Context(), both, moved))
		check(t, e.PutAll(t.Context(), both, moved))
		late := at("a", 0)
		late.Sequence = 9
		// Al has no copy that is newer, and still gets none: all or nothing.
		check(t, e.Remove(t.Context(), []meet.PersonID{"al"}, "a"))
		if err := e.PutAll(t.Context(), []meet.PersonID{"al", "me"}, late); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("an older revision = %v, want a fault.Conflict", err)
		}
		if diff := cmp.Diff([]string{"a"}, between(t, e, "me", 600, 660)); diff != "" {
			t.Errorf("mine (-want +got):\n%s", diff)
		}
		if got := between(t, e, "al", -1000, 1000); got != nil {
			t.Errorf("Al's = %v, want none", got)
		}
		check(t, e.PutAll(t.Context(), both, moved))
		check(t, e.Remove(t.Context(), append(both, "unknown", ""), "a"))
		if got := append(between(t, e, "me", -1000, 1000), between(t, e, "al", -1000, 1000)...); got != nil {
			t.Errorf("after Remove: %v, want none", got)
		}
	})
}

func TestBook(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		open := t.open
		travelling := at("x", 180)
		travelling.BusyFrom = travelling.Start.Add(-30 * time.Minute)
		for _, tt := range []struct {
			name  string
			event meet.StoredEvent
			want  fault.Code
		}{
			{"the same time", at("b", 60), fault.SlotGone},
			{"a minute into it", at("b", 1), fault.SlotGone},
			{"a minute before its end", at("b", 119), fault.SlotGone},
			{"ends where it starts", at("b", 0), ""},
			{"starts where it ends", at("b", 120), fault.SlotGone},
			{"into the travel to the next", at("b", 110), fault.SlotGone},
			{"after everything", at("b", 240), ""},
			{"its own new time", func() meet.StoredEvent { e := at("a", 30); e.Sequence = 1; return e }(), ""},
		} {
			t.Run(tt.name, func(t *testing.T) {
				e := open(clocked()).Events()
				people := []meet.PersonID{meet.PersonID("me " + tt.name), meet.PersonID("al " + tt.name)}
				check(t, e.Book(t.Context(), people[1:], at("a", 60)))
				check(t, e.Book(t.Context(), people[1:], travelling))
				err := e.Book(t.Context(), people, tt.event)
				if got := fault.CodeOf(err); got != tt.want {
					t.Fatalf("Book = %v, want %q", err, tt.want)
				}
				if got := len(between(t, e, people[0], -1000, 1000)); (got == 1) != (tt.want == "") {
					t.Errorf("the free one's calendar has %d events", got)
				}
				check(t, e.PutAll(t.Context(), people, tt.event))
			})
		}
	})
}

// Many book overlapping times with shared people, in two processes and without holds.
func TestNoTwoBookingsOverlap(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		stores := []Events{t.open(clocked()).Events(), t.open(clocked()).Events()}
		people := []meet.PersonID{"p0", "p1", "p2", "p3"}
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				pair := []meet.PersonID{people[i%4], people[(i/4+i+1)%4]}
				err := stores[i%2].Book(t.Context(), pair, at(fmt.Sprint(i), 20*(i%10)))
				if code := fault.CodeOf(err); code != "" && code != fault.SlotGone {
					t.Errorf("Book: %v", err)
				}
			})
		}
		all.Wait()
		booked := 0
		for _, p := range people {
			events := must(stores[0].Between(t.Context(), p, interval.From(morning, 24*time.Hour)))(t)
			booked += len(events)
			for i := range events[1:] {
				if events[i].Busy().Overlaps(events[i+1].Busy()) {
					t.Errorf("%s has two at once: %v and %v", p, events[i], events[i+1])
				}
			}
		}
		if booked < len(people) {
			t.Errorf("%d bookings succeeded, want some for each person", booked)
		}
	})
}

// A write under a claim that a later one has replaced changes nothing: neither an event booked since, nor a calendar
// from which it was removed.
func TestALateWriterChangesNothing(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		store := t.open(clocked())
		_, first, err := store.Sagas().Claim(t.Context(), claimed("a", "first"))
		check(t, err)
		check(t, store.Sagas().Release(t.Context(), claimed("a", "first"), 0))
		_, second, err := store.Sagas().Claim(t.Context(), claimed("a", "second"))
		check(t, err)
		if second <= first {
			t.Fatalf("the terms are %d and then %d, want a higher one", first, second)
		}
		e, me := store.Events(), []meet.PersonID{"me"}
		late, now := e.Under(booking.Claim{ID: "a", Term: first}), e.Under(booking.Claim{ID: "a", Term: second})
		check(t, late.Book(t.Context(), me, at("a", 0)))
		check(t, now.Remove(t.Context(), me, "a"))
		for name, err := range map[string]error{
			"Book":   late.Book(t.Context(), me, at("a", 0)),
			"PutAll": late.PutAll(t.Context(), me, at("a", 0)),
			"Remove": late.Remove(t.Context(), me, "a"),
		} {
			if fault.CodeOf(err) != fault.Conflict {
				t.Errorf("late %s = %v, want a conflict", name, err)
			}
		}
		if got := between(t, e, "me", -1000, 1000); got != nil {
			t.Errorf("there is %v, want nothing", got)
		}
		check(t, now.Book(t.Context(), me, at("a", 0)))
		if err := late.Remove(t.Context(), me, "a"); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("late Remove = %v, want a conflict", err)
		}
		check(t, e.Under(booking.Claim{ID: "b", Term: first}).PutAll(t.Context(), me, at("b", 0))) // another event's claim
		if diff := cmp.Diff([]string{"a", "b"}, between(t, e, "me", -1000, 1000)); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	})
}

func TestEventLife(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	onEachServer(t, func(t server) {
		now := morning
		s := t.open(Config{Now: func() time.Time { return now }})
		e, key := s.Events(), s.keys.of("").calendar("me")
		far := meet.StoredEvent{UID: "far", Start: morning.Add(200 * day), End: morning.Add(201 * day)}
		check(t, e.PutAll(t.Context(), []meet.PersonID{"me"}, far))
		wantLife(t, s, key, 291*day)
		check(t, e.PutAll(t.Context(), []meet.PersonID{"me"}, at("near", 0)))
		wantLife(t, s, key, 291*day)
		// Once it has been over for 90 days, the near one goes with the next write.
		now = morning.Add(91 * day)
		next := meet.StoredEvent{UID: "next", Start: now, End: now.Add(time.Hour)}
		check(t, e.PutAll(t.Context(), []meet.PersonID{"me"}, next))
		names := must(s.client.HKeys(t.Context(), key).Result())(t)
		if len(names) != 2 || between(t, e, "me", 0, 60) != nil {
			t.Errorf("the calendar has %q, want far and next", names)
		}
	})
}

func TestEventsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := openStore(t, clocked())
	e := s.Events()
	none := at("a", 0)
	none.End = none.Start
	for name, event := range map[string]meet.StoredEvent{"no UID": at("", 0), "no time": none} {
		if err := e.PutAll(t.Context(), []meet.PersonID{"me"}, event); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: %v, want a fault.InvalidRequest", name, err)
		}
	}
	check(t, s.client.HSet(t.Context(), s.keys.of("").calendar("me"), "bad", "0 1 2 nonsense").Err())
	if got, err := e.Between(t.Context(), "me", interval.From(morning, time.Hour)); err == nil {
		t.Errorf("a calendar that cannot be read = %v, want an error and never free time", got)
	}
}
