package cached_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/calendar/cached"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

var al = meet.Person{ID: "al", Name: "Al"}

// monday is where synctest's clock is near: it begins on 2000-01-01.
var monday = time.Date(2000, time.January, 3, 0, 0, 0, 0, time.UTC)

func hours(from, to int) interval.Span {
	return interval.Span{
		Start: monday.Add(time.Duration(from) * time.Hour), End: monday.Add(time.Duration(to) * time.Hour),
	}
}

// question is how the tests ask, and what they get.
type question struct {
	*testing.T
	vendor *vendor
	memory *memory
	*cached.Calendar
}

// scene runs a test on a clock of its own, with an event from ten to eleven.
func scene(t *testing.T, test func(question)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := question{T: t, memory: &memory{values: map[string][]byte{}}, vendor: &vendor{
			takes:  time.Second,
			events: []event{{"id-1", "uid-1@example.com", "Chemotherapy", "St. Mary's", hours(10, 11), nil}},
		}}
		q.Calendar = cached.New(cached.Config{Source: q.vendor, Snapshots: q.memory})
		defer q.Close()
		test(q)
	})
}

// ask asks about the Monday and says how long the answer took and how old it is.
func (q question) ask() (busy interval.Set, took, age time.Duration, err error) {
	q.Helper()
	began := time.Now()
	times, err := q.Times(q.Context(), al, hours(8, 18), "")
	if err != nil {
		return nil, time.Since(began), 0, err
	}
	return times.Busy, time.Since(began), time.Since(times.AsOf), nil
}

func (q question) want(busy interval.Set, took, age time.Duration) {
	q.Helper()
	gotBusy, gotTook, gotAge, err := q.ask()
	if err != nil {
		q.Fatal(err)
	}
	if diff := cmp.Diff(busy, gotBusy); diff != "" {
		q.Errorf("busy (-want +got):\n%s", diff)
	}
	if gotTook != took || gotAge != age {
		q.Errorf("took %v and is %v old, want %v and %v", gotTook, gotAge, took, age)
	}
	synctest.Wait()
}

var ten, noon = interval.Set{hours(10, 11)}, interval.Set{hours(12, 13)}

func TestYoungSnapshotAnswersAtOnce(t *testing.T) {
	scene(t, func(q question) {
		q.want(ten, time.Second, time.Second)
		time.Sleep(58 * time.Second)
		q.want(ten, 0, 59*time.Second)
		if got := q.vendor.read(); got != 1 {
			t.Errorf("read %d times, want once", got)
		}
	})
}

func TestOlderSnapshotAnswersWhileItIsRenewed(t *testing.T) {
	scene(t, func(q question) {
		q.want(ten, time.Second, time.Second)
		q.vendor.set(func(v *vendor) { v.events[0].span = hours(12, 13) })
		time.Sleep(5 * time.Minute)
		q.want(ten, 0, 5*time.Minute+time.Second)
		q.want(ten, 0, 5*time.Minute+time.Second) // does not begin another reading
		time.Sleep(2 * time.Second)
		q.want(noon, 0, 2*time.Second)
		if got := q.vendor.read(); got != 2 {
			t.Errorf("read %d times, want 2", got)
		}
		if diff := cmp.Diff(map[string]string{"primary": "sync-token"}, q.vendor.lasts[1].Marks); diff != "" {
			t.Errorf("the second reading does not go on behind the first (-want +got):\n%s", diff)
		}
	})
}

func TestTooOldSnapshotDoesNotAnswer(t *testing.T) {
	scene(t, func(q question) {
		q.want(ten, time.Second, time.Second)
		q.vendor.set(func(v *vendor) { v.events[0].span = hours(12, 13) })
		time.Sleep(15 * time.Minute)
		q.want(noon, time.Second, time.Second)
	})
}

func TestFailingRenewalLeavesTheAnswerWithinTheBoundOnly(t *testing.T) {
	scene(t, func(q question) {
		reconnect := fault.New(fault.CalendarFailed, "reconnect the Google calendar")
		q.want(ten, time.Second, time.Second)
		q.vendor.set(func(v *vendor) { v.fails = reconnect })
		time.Sleep(14 * time.Minute)
		q.want(ten, 0, 14*time.Minute+time.Second)
		time.Sleep(2 * time.Minute)
		if _, _, _, err := q.ask(); !errors.Is(err, reconnect) {
			t.Errorf("got %v, want the reason of the vendor", err)
		}
	})
}

func TestAfterForgetNothingFromBeforeAnswers(t *testing.T) {
	scene(t, func(q question) {
		q.want(ten, time.Second, time.Second)
		time.Sleep(5 * time.Minute)
		q.want(ten, 0, 5*time.Minute+time.Second) // begins a renewal, which reads what is about to change
		time.Sleep(500 * time.Millisecond)
		q.vendor.set(func(v *vendor) { v.events[0].span = hours(12, 13) })
		if err := q.Forget(q.Context(), "al"); err != nil {
			t.Fatal(err)
		}
		q.want(noon, time.Second, time.Second)
		time.Sleep(time.Minute / 2)
		q.want(noon, 0, 31*time.Second)
	})
}

func TestManyWhoAskAtOnceShareOneReading(t *testing.T) {
	scene(t, func(q question) {
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				if _, took, _, err := q.ask(); err != nil || took != time.Second {
					t.Errorf("took %v with error %v", took, err)
				}
			})
		}
		all.Wait()
		if got := q.vendor.read(); got != 1 {
			t.Errorf("read %d times, want once", got)
		}
	})
}

// The same id in another tenant is another person: their reading is not waited for.
func TestTenantsDoNotShareAReading(t *testing.T) {
	scene(t, func(q question) {
		var all sync.WaitGroup
		for _, tenant := range []meet.Tenant{"", "a", "b"} {
			all.Go(func() {
				if _, err := q.Times(meet.InTenant(q.Context(), tenant), al, hours(8, 18), ""); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if diff := cmp.Diff(map[meet.Tenant]int{"": 1, "a": 1, "b": 1}, q.vendor.tenants); diff != "" {
			t.Errorf("readings by tenant (-want +got):\n%s", diff)
		}
	})
}

func TestReplicasRenewOnce(t *testing.T) {
	scene(t, func(q question) {
		other := cached.New(cached.Config{Source: q.vendor, Snapshots: q.memory})
		defer other.Close()
		q.want(ten, time.Second, time.Second)
		time.Sleep(2 * time.Minute)
		q.want(ten, 0, 2*time.Minute+time.Second)
		if _, err := other.Times(q.Context(), al, hours(8, 18), ""); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if got := q.vendor.read(); got != 2 {
			t.Errorf("read %d times, want 2", got)
		}
	})
}

func TestWhoeverLeavesDoesNotEndTheReading(t *testing.T) {
	scene(t, func(q question) {
		q.vendor.set(func(v *vendor) { v.takes = 6 * time.Second })
		ctx, cancel := context.WithTimeout(q.Context(), 4*time.Second)
		defer cancel()
		if _, err := q.Times(ctx, al, hours(8, 18), ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
		}
		time.Sleep(3 * time.Second)
		q.want(ten, 0, 7*time.Second)
	})
}

func TestNeighbouringQuestionsShareAWindow(t *testing.T) {
	scene(t, func(q question) {
		for _, span := range []interval.Span{hours(8, 18), hours(30, 40), hours(0, 7*24)} {
			if _, err := q.Times(q.Context(), al, span, ""); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]interval.Span{hours(0, 7*24)}, q.vendor.spans); diff != "" {
			t.Errorf("spans read (-want +got):\n%s", diff)
		}
		if _, err := q.Times(q.Context(), al, hours(-1, 7*24+1), ""); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(hours(-7*24, 14*24), q.vendor.spans[1]); diff != "" {
			t.Errorf("wider span (-want +got):\n%s", diff)
		}
	})
}

func TestTheMovedEventDoesNotCount(t *testing.T) {
	scene(t, func(q question) {
		a, err := q.Times(q.Context(), al, hours(8, 18), "uid-1@example.com")
		if err != nil || len(a.Busy) > 0 {
			t.Errorf("got %v, %v; want nothing busy", a.Busy, err)
		}
		q.want(ten, 0, time.Second)
	})
}

func TestAnswerIsCutToTheQuestion(t *testing.T) {
	scene(t, func(q question) {
		q.want(ten, time.Second, time.Second)
		half := interval.Span{Start: hours(10, 11).Start.Add(30 * time.Minute), End: hours(20, 21).End}
		a, err := q.Times(q.Context(), al, half, "")
		want := interval.Set{{Start: half.Start, End: hours(10, 11).End}}
		if diff := cmp.Diff(want, a.Busy); diff != "" || err != nil {
			t.Errorf("busy (-want +got):\n%s%v", diff, err)
		}
	})
}

// What a reading does not reach to is unknown, and not free.
func TestASnapshotSaysNothingOfWhatItDoesNotReachTo(t *testing.T) {
	scene(t, func(q question) {
		q.vendor.set(func(v *vendor) { v.reach = hours(0, 12) })
		for range 2 { // the vendor, and then its snapshot
			a, err := q.Times(q.Context(), al, hours(8, 18), "")
			want := interval.Availability{Busy: ten, Unknown: interval.Set{hours(12, 18)}}
			if diff := cmp.Diff(want, a.Availability); diff != "" || err != nil {
				t.Errorf("availability (-want +got):\n%s%v", diff, err)
			}
			synctest.Wait()
		}
	})
}

func TestWithoutAStoreTheVendorIsAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var told atomic.Int32
		c := cached.New(cached.Config{
			Source: &vendor{events: []event{{span: hours(10, 11)}}}, Snapshots: &memory{down: true},
			Notify: func(context.Context, error) { told.Add(1) },
		})
		defer c.Close()
		a, err := c.Times(t.Context(), al, hours(8, 18), "")
		if diff := cmp.Diff(ten, a.Busy); diff != "" || err != nil {
			t.Errorf("busy (-want +got):\n%s%v", diff, err)
		}
		synctest.Wait()
		if got := told.Load(); got != 2 {
			t.Errorf("told of %d failures, want those of loading and saving", got)
		}
	})
}

func TestIncompleteSnapshotIsReadAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := &partial{vendor: vendor{}}
		c := cached.New(cached.Config{Source: source, Snapshots: &memory{values: map[string][]byte{}}})
		defer c.Close()
		for range 2 {
			a, err := c.Times(t.Context(), al, hours(8, 18), "")
			if diff := cmp.Diff(interval.Set{hours(9, 10)}, a.Unknown); diff != "" || err != nil {
				t.Errorf("unknown (-want +got):\n%s%v", diff, err)
			}
			synctest.Wait()
		}
		if got := source.read(); got != 2 {
			t.Errorf("read %d times, want 2", got)
		}
	})
}

// partial cannot read an hour.
type partial struct{ vendor }

func (p *partial) Sync(
	ctx context.Context, person meet.Person, span interval.Span, last calendar.Snapshot,
) (calendar.Snapshot, error) {
	s, err := p.vendor.Sync(ctx, person, span, last)
	s.Unknown = interval.NewSet(hours(9, 10))
	return s, err
}

func TestDisconnectedCalendarIsForgotten(t *testing.T) {
	scene(t, func(q question) {
		q.want(ten, time.Second, time.Second)
		q.vendor.set(func(v *vendor) { v.fails = calendar.ErrNoCalendar })
		time.Sleep(2 * time.Minute)
		q.want(ten, 0, 2*time.Minute+time.Second)
		time.Sleep(2 * time.Second)
		if _, _, _, err := q.ask(); !errors.Is(err, calendar.ErrNoCalendar) {
			t.Errorf("got %v, want %v", err, calendar.ErrNoCalendar)
		}
	})
}

type broken struct{ vendor }

func (*broken) Sync(context.Context, meet.Person, interval.Span, calendar.Snapshot) (calendar.Snapshot, error) {
	panic("index out of range")
}

func TestPanicIsAnError(t *testing.T) {
	t.Parallel()
	c := cached.New(cached.Config{Source: &broken{}, Snapshots: &memory{}})
	defer c.Close()
	if _, err := c.Times(t.Context(), al, hours(8, 18), ""); err == nil || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("got %v, want the panic", err)
	}
}

func TestCloseEndsReadings(t *testing.T) {
	scene(t, func(q question) {
		q.vendor.set(func(v *vendor) { v.takes = time.Hour })
		failed := make(chan error, 1)
		go func() { _, _, _, err := q.ask(); failed <- err }()
		synctest.Wait()
		q.Close()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("the reading under way: got %v, want %v", err, context.Canceled)
		}
		if _, _, _, err := q.ask(); err == nil {
			t.Error("a closed calendar answers")
		}
	})
}

func TestNoWordOfTheCalendarIsKept(t *testing.T) {
	scene(t, func(q question) {
		q.want(ten, time.Second, time.Second)
		kept := 0
		for _, raw := range q.memory.values {
			kept++
			for _, word := range []string{"Chemotherapy", "Mary"} {
				if strings.Contains(string(raw), word) {
					t.Errorf("the store holds %q: %s", word, raw)
				}
			}
		}
		if kept != 1 {
			t.Errorf("%d snapshots are kept, want 1", kept)
		}
	})
}

// A Directory reads what is to be booked past the snapshots, writes to the source, and says how old a reading is.
func TestInADirectory(t *testing.T) {
	scene(t, func(q question) {
		d := calendar.Directory{Sources: []calendar.Provider{q.Calendar}}
		ask := func(fresh bool) meet.Schedule {
			t.Helper()
			readings, err := d.Busy(q.Context(), meet.BusyQuery{People: []meet.Person{al}, Span: hours(8, 18), Fresh: fresh})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			return readings["al"]
		}
		read := time.Now()
		ask(false)
		time.Sleep(30 * time.Second)
		if got := ask(false).Status.AsOf; !got.Equal(read) {
			t.Errorf("as of %v, want %v", got, read)
		}
		q.vendor.set(func(v *vendor) { v.events[0].span = hours(12, 13) })
		if diff := cmp.Diff(ten, ask(false).Availability.Busy); diff != "" {
			t.Errorf("from the snapshot (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(noon, ask(true).Availability.Busy); diff != "" {
			t.Errorf("fresh (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(noon, ask(false).Availability.Busy); diff != "" {
			t.Errorf("after somebody has read it freshly (-want +got):\n%s", diff)
		}
		before := q.vendor.read()
		if err := d.Forget(q.Context(), "al", ""); err != nil {
			t.Fatal(err)
		}
		ask(false)
		if got := q.vendor.read(); got != before+1 {
			t.Errorf("read %d times more, want once", got-before)
		}
	})
}

func BenchmarkAnswer(b *testing.B) {
	v := &vendor{}
	for i := range 1000 {
		v.events = append(v.events, event{id: "0123456789abcdefghijklmnop", uid: "0123456789abcdefghijklmnop@google.com",
			span: interval.From(monday.Add(time.Duration(i)*40*time.Minute), 30*time.Minute)})
	}
	c := cached.New(cached.Config{Source: v, Snapshots: &memory{values: map[string][]byte{}}})
	defer c.Close()
	span := hours(-24, 35*24)
	if _, err := c.Times(b.Context(), al, span, ""); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Times(b.Context(), al, span, ""); err != nil {
			b.Fatal(err)
		}
	}
}
