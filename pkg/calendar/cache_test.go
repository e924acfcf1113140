package calendar_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// after answers when it has had its time.
func after(takes time.Duration, a answer) answer {
	return func(ctx context.Context, except string) (interval.Availability, error) {
		select {
		case <-time.After(takes):
			return a(ctx, except)
		case <-ctx.Done():
			return interval.Availability{}, ctx.Err()
		}
	}
}

func TestEachReadingIsToldAsSoonAsItIsThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fast, slow := provider{"local", map[meet.PersonID]answer{}}, provider{"google", map[meet.PersonID]answer{}}
		var people []meet.Person
		for i := range 20 {
			id := meet.PersonID(fmt.Sprint("p", i))
			people = append(people, meet.Person{ID: id})
			fast.answers[id] = busy(span(9, 10))
		}
		slow.answers["p7"] = after(3*time.Second, busy(span(12, 13)))
		slow.answers["p8"] = after(time.Hour, busy())
		d := calendar.Directory{Sources: []calendar.Provider{fast, slow}}
		began := time.Now()
		told, when := map[meet.PersonID]meet.Schedule{}, map[meet.PersonID]time.Duration{}
		got, err := d.Busy(t.Context(), meet.BusyQuery{
			People: people, Span: whole,
			Tell: func(id meet.PersonID, r meet.Schedule) { told[id], when[id] = r, time.Since(began) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, told); diff != "" {
			t.Errorf("what was told is not what was answered (-answered +told):\n%s", diff)
		}
		for _, p := range people {
			want := map[meet.PersonID]time.Duration{"p7": 3 * time.Second, "p8": calendar.DefaultDeadline}[p.ID]
			if when[p.ID] != want {
				t.Errorf("%s was told after %v, want %v", p.ID, when[p.ID], want)
			}
		}
	})
}

// remembering is a cache whose memory says nobody is ever busy, as of six o'clock.
type remembering struct {
	calendar.Provider
	forgotten *[]meet.PersonID
	fails     error
}

func (r remembering) Source() calendar.Provider { return r.Provider }

func (r remembering) Times(context.Context, meet.Person, interval.Span, string) (calendar.Times, error) {
	return calendar.Times{AsOf: at(6)}, r.fails
}

func (r remembering) Forget(_ context.Context, p meet.PersonID) error {
	*r.forgotten = append(*r.forgotten, p)
	return r.fails
}

func TestWhatIsToBeBookedIsAskedOfTheSource(t *testing.T) {
	t.Parallel()
	var forgotten []meet.PersonID
	d := calendar.Directory{
		Sources: []calendar.Provider{remembering{source("google", busy(span(9, 10))), &forgotten, nil}},
		Now:     func() time.Time { return at(7) },
	}
	for _, test := range []struct {
		fresh     bool
		busy      interval.Set
		asOf      time.Time
		forgotten []meet.PersonID
	}{
		{false, nil, at(6), nil},
		{true, interval.NewSet(span(9, 10)), at(7), []meet.PersonID{"al"}},
	} {
		got, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{al}, Span: whole, Fresh: test.fresh})
		if err != nil {
			t.Fatal(err)
		}
		want := meet.Schedule{Availability: interval.Availability{Busy: test.busy}, Status: meet.CalendarStatus{
			Person: "al", Name: "Al", Provider: "google", State: meet.Checked, AsOf: test.asOf,
		}, Providers: []string{"google"}}
		if diff := cmp.Diff(want, got["al"]); diff != "" {
			t.Errorf("fresh %v: reading (-want +got):\n%s", test.fresh, diff)
		}
		if !slices.Equal(forgotten, test.forgotten) {
			t.Errorf("fresh %v: forgot %v, want %v", test.fresh, forgotten, test.forgotten)
		}
	}
}

func TestAReadingIsAsOldAsTheOldestCalendarInIt(t *testing.T) {
	t.Parallel()
	var forgotten []meet.PersonID
	d := calendar.Directory{
		Sources: []calendar.Provider{source("local", busy()), remembering{source("google", busy()), &forgotten, nil}},
		Now:     func() time.Time { return at(7) },
	}
	got, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{al}, Span: whole})
	if err != nil || !got["al"].Status.AsOf.Equal(at(6)) {
		t.Errorf("as of %v, %v; want %v", got["al"].Status.AsOf, err, at(6))
	}
}

func TestEventsAreWrittenToTheSource(t *testing.T) {
	t.Parallel()
	var forgotten []meet.PersonID
	writes := writer{source("google", busy())}
	d := calendar.Directory{Sources: []calendar.Provider{
		remembering{source("ics", busy()), &forgotten, nil}, remembering{writes, &forgotten, nil},
	}}
	w, ok := d.WriterAt("google")
	if _, isSource := w.(writer); !isSource || !ok {
		t.Errorf("WriterAt: got %T, %v; want google's own", w, ok)
	}
}

func TestForgetTellsAllCaches(t *testing.T) {
	t.Parallel()
	var forgotten []meet.PersonID
	away := errors.New("the store is away")
	d := calendar.Directory{Sources: []calendar.Provider{
		source("local", busy()), remembering{source("google", busy()), &forgotten, away},
		remembering{source("microsoft", busy()), &forgotten, nil},
	}}
	if err := d.Forget(t.Context(), "al", "", "bo"); !errors.Is(err, away) {
		t.Errorf("got %v, want %v", err, away)
	}
	if want := []meet.PersonID{"al", "bo", "al", "bo"}; !slices.Equal(forgotten, want) {
		t.Errorf("forgot %v, want %v", forgotten, want)
	}
}
