package calendar_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// provider keeps a calendar for each person it has an answer for.
type provider struct {
	name    string
	answers map[meet.PersonID]answer
}

func (p provider) Name() string { return p.name }

func (p provider) Times(
	ctx context.Context, person meet.Person, _ interval.Span, except string,
) (calendar.Times, error) {
	answer, ok := p.answers[person.ID]
	if !ok {
		return calendar.Times{}, calendar.ErrNoCalendar
	}
	a, err := answer(ctx, except)
	return calendar.Times{Availability: a}, err
}

// locator is a provider that knows where the person is.
type locator struct {
	provider
	stays []meet.Stay
}

func (l locator) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	times, err := l.provider.Times(ctx, person, span, except)
	times.Stays = l.stays
	return times, err
}

func TestStaysOfAllCalendars(t *testing.T) {
	t.Parallel()
	here, there := meet.Stay{Span: span(9, 10)}, meet.Stay{Span: span(11, 12)}
	d := calendar.Directory{Sources: []calendar.Provider{
		locator{source("caldav", busy(span(9, 10))), []meet.Stay{here}}, source("google", busy(span(14, 15))),
		locator{source("local", confirmedOnly(span(11, 12))), []meet.Stay{there}},
	}}
	for _, fresh := range []bool{false, true} {
		got, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{al}, Span: whole, Fresh: fresh})
		if diff := cmp.Diff([]meet.Stay{here, there}, got["al"].Stays); diff != "" || err != nil {
			t.Errorf("fresh %v: error %v, stays (-want +got):\n%s", fresh, err, diff)
		}
	}
}

// writer is a provider that can write as well.
type writer struct{ provider }

func (writer) Write(context.Context, calendar.Entry) (calendar.Written, error) {
	return calendar.Written{}, nil
}
func (writer) Remove(context.Context, calendar.Entry) error { return nil }

type answer = func(ctx context.Context, except string) (interval.Availability, error)

func source(name string, a answer) provider {
	return provider{name, map[meet.PersonID]answer{"al": a}}
}

func busy(spans ...interval.Span) answer {
	return func(context.Context, string) (interval.Availability, error) {
		return interval.Availability{Busy: spans}, nil
	}
}

func fails(err error) answer {
	return func(context.Context, string) (interval.Availability, error) { return interval.Availability{}, err }
}

// confirmedOnly has no calendar of the person's, only what was booked through Convene.
func confirmedOnly(spans ...interval.Span) answer {
	return func(context.Context, string) (interval.Availability, error) {
		return interval.Availability{Busy: interval.NewSet(spans...)}, calendar.ErrNoCalendar
	}
}

func at(hour int) time.Time { return time.Date(2026, time.March, 3, hour, 0, 0, 0, time.UTC) }

func span(from, to int) interval.Span { return interval.Span{Start: at(from), End: at(to)} }

var (
	whole = span(8, 18)
	al    = meet.Person{ID: "al", Name: "Al"}
)

func TestReadings(t *testing.T) {
	t.Parallel()
	const again = "the calendar could not be reached; try again in a moment"
	allUnknown := interval.Availability{Unknown: interval.NewSet(whole)}
	for _, test := range []struct {
		name    string
		sources []calendar.Provider
		want    interval.Availability
		status  meet.CalendarStatus
		// keeps are the providers that keep a calendar.
		keeps []string
	}{
		{
			name:    "busy and free",
			sources: []calendar.Provider{source("local", busy(span(9, 10)))},
			want:    interval.Availability{Busy: interval.NewSet(span(9, 10))},
			status:  meet.CalendarStatus{Provider: "local", State: meet.Checked, AsOf: at(7)},
			keeps:   []string{"local"},
		},
		{
			name:    "several calendars are merged",
			sources: []calendar.Provider{source("google", busy(span(9, 11))), source("local", busy(span(10, 12)))},
			want:    interval.Availability{Busy: interval.NewSet(span(9, 12))},
			status:  meet.CalendarStatus{Provider: "google", State: meet.Checked, AsOf: at(7)},
			keeps:   []string{"google", "local"},
		},
		{
			name: "of two that cannot be read, the one that somebody has to do something about is told",
			sources: []calendar.Provider{
				source("google", fails(fault.New(fault.CalendarFailed, "try again").Later(0))),
				source("caldav", fails(fault.New(fault.CalendarFailed, "reconnect the CalDAV calendar"))),
				source("ics", fails(fault.New(fault.CalendarFailed, "check the address"))),
			},
			want: allUnknown,
			status: meet.CalendarStatus{
				Provider: "caldav", State: meet.CalendarUnchecked, AsOf: at(7), Reason: "reconnect the CalDAV calendar",
			},
			keeps: []string{"google", "caldav", "ics"},
		},
		{
			name:    "nothing beyond the span that was asked for",
			sources: []calendar.Provider{source("local", busy(span(17, 20), span(19, 22), span(2, 9)))},
			want:    interval.Availability{Busy: interval.NewSet(span(8, 9), span(17, 18))},
			status:  meet.CalendarStatus{Provider: "local", State: meet.Checked, AsOf: at(7)},
			keeps:   []string{"local"},
		},
		{
			name:    "a failure is unknown",
			sources: []calendar.Provider{source("google", fails(errors.New("502 from somewhere")))},
			want:    allUnknown,
			status:  meet.CalendarStatus{Provider: "google", State: meet.CalendarUnchecked, AsOf: at(7), Reason: again},
			keeps:   []string{"google"},
		},
		{
			name: "a failure with words of its own",
			sources: []calendar.Provider{source("google",
				fails(fault.New(fault.CalendarFailed, "reconnect the Google calendar")))},
			want: allUnknown,
			status: meet.CalendarStatus{Provider: "google", State: meet.CalendarUnchecked, AsOf: at(7),
				Reason: "reconnect the Google calendar"},
			keeps: []string{"google"},
		},
		{
			name:    "one of two fails: what the other knows still counts",
			sources: []calendar.Provider{source("local", busy(span(9, 10))), source("google", fails(errors.New("no")))},
			want:    interval.Availability{Busy: interval.NewSet(span(9, 10)), Unknown: interval.NewSet(whole)},
			status:  meet.CalendarStatus{Provider: "google", State: meet.CalendarUnchecked, AsOf: at(7), Reason: again},
			keeps:   []string{"local", "google"},
		},
		{
			name: "a failure with something known",
			sources: []calendar.Provider{source("local", func(context.Context, string) (interval.Availability, error) {
				return interval.Availability{Busy: interval.NewSet(span(9, 10))}, errors.New("half of it")
			})},
			want:   interval.Availability{Busy: interval.NewSet(span(9, 10)), Unknown: interval.NewSet(whole)},
			status: meet.CalendarStatus{Provider: "local", State: meet.CalendarUnchecked, AsOf: at(7), Reason: again},
			keeps:  []string{"local"},
		},
		{
			name: "partly unknown",
			sources: []calendar.Provider{source("ics", func(context.Context, string) (interval.Availability, error) {
				return interval.Availability{Unknown: interval.NewSet(span(12, 13))}, nil
			})},
			want: interval.Availability{Unknown: interval.NewSet(span(12, 13))},
			status: meet.CalendarStatus{Provider: "ics", State: meet.CalendarUnchecked, AsOf: at(7),
				Reason: "part of the calendar could not be read"},
			keeps: []string{"ics"},
		},
		{
			name: "a panic is unknown",
			sources: []calendar.Provider{source("caldav", func(context.Context, string) (interval.Availability, error) {
				panic("index out of range")
			})},
			want:   allUnknown,
			status: meet.CalendarStatus{Provider: "caldav", State: meet.CalendarUnchecked, AsOf: at(7), Reason: again},
			keeps:  []string{"caldav"},
		},
		{
			name:   "no provider",
			want:   allUnknown,
			status: meet.CalendarStatus{State: meet.CalendarUnchecked, Reason: "no calendar is connected"},
		},
		{
			name:    "a provider that finds no calendar",
			sources: []calendar.Provider{source("google", fails(calendar.ErrNoCalendar))},
			want:    allUnknown,
			status:  meet.CalendarStatus{State: meet.CalendarUnchecked, Reason: "no calendar is connected"},
		},
		{
			name:    "no calendar, and something confirmed through Convene",
			sources: []calendar.Provider{source("local", confirmedOnly(span(9, 10), span(17, 20)))},
			want:    interval.Availability{Busy: interval.NewSet(span(9, 10), span(17, 18)), Unknown: interval.NewSet(whole)},
			status:  meet.CalendarStatus{State: meet.CalendarUnchecked, Reason: "no calendar is connected"},
		},
		{
			name:    "a calendar elsewhere, and something confirmed through Convene",
			sources: []calendar.Provider{source("local", confirmedOnly(span(9, 10))), source("google", busy(span(12, 13)))},
			want:    interval.Availability{Busy: interval.NewSet(span(9, 10), span(12, 13))},
			status:  meet.CalendarStatus{Provider: "google", State: meet.Checked, AsOf: at(7)},
			keeps:   []string{"google"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := calendar.Directory{Sources: test.sources, Now: func() time.Time { return at(7) }}
			got, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{al}, Span: whole})
			if err != nil {
				t.Fatal(err)
			}
			test.status.Person, test.status.Name = "al", "Al"
			want := map[meet.PersonID]meet.Schedule{
				"al": {Availability: test.want, Status: test.status, Providers: test.keeps},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("readings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSomebodyWithoutAnIDIsUnknown(t *testing.T) {
	t.Parallel()
	// A provider that has a calendar for anyone is not asked about nobody.
	everybody := provider{"local", map[meet.PersonID]answer{"": busy(), "al": busy()}}
	d := calendar.Directory{Sources: []calendar.Provider{everybody}}
	zoe := meet.Person{Name: "Zoe"}
	got, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{al, zoe, zoe}, Span: whole})
	if err != nil {
		t.Fatal(err)
	}
	if got["al"].Status.State != meet.Checked || got[""].Status.State != meet.CalendarUnchecked {
		t.Errorf("got %+v", got)
	}
	if !got[""].Availability.Unknown.Covers(whole) {
		t.Errorf("unknown: got %v, want all of %v", got[""].Availability.Unknown, whole)
	}
	if names := d.Providers(zoe); len(names) != 0 {
		t.Errorf("Providers: got %v, want none", names)
	}
}

func TestExceptionIsPassedOn(t *testing.T) {
	t.Parallel()
	d := calendar.Directory{Sources: []calendar.Provider{
		source("local", func(_ context.Context, except string) (interval.Availability, error) {
			if except == "moved@example.com" {
				return interval.Availability{}, nil
			}
			return interval.Availability{Busy: interval.NewSet(whole)}, nil
		}),
	}}
	q := meet.BusyQuery{People: []meet.Person{al}, Span: whole, Except: "moved@example.com"}
	got, err := d.Busy(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if state := got["al"].Availability.State(whole); state != interval.Free {
		t.Errorf("state: got %v, want free", state)
	}
}

func TestDeadlineHoldsForEachProvider(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		deaf := func(context.Context, string) (interval.Availability, error) {
			<-release
			return interval.Availability{}, nil
		}
		heeds := func(ctx context.Context, _ string) (interval.Availability, error) {
			<-ctx.Done()
			return interval.Availability{}, ctx.Err()
		}
		d := calendar.Directory{Sources: []calendar.Provider{
			source("local", busy(span(9, 10))),
			provider{"google", map[meet.PersonID]answer{"al": deaf, "bo": heeds, "cy": deaf}},
		}}
		people := []meet.Person{al, {ID: "bo"}, {ID: "cy"}}
		began := time.Now()
		got, err := d.Busy(t.Context(), meet.BusyQuery{People: people, Span: whole})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != calendar.DefaultDeadline {
			t.Errorf("took %v, want %v however many hang", took, calendar.DefaultDeadline)
		}
		for id, reading := range got {
			if want := "the calendar did not answer in time; try again in a moment"; reading.Status.Reason != want {
				t.Errorf("%s: reason %q, want %q", id, reading.Status.Reason, want)
			}
			if reading.Availability.State(span(12, 13)) != interval.Unknown {
				t.Errorf("%s is not unknown", id)
			}
		}
		if got["al"].Availability.State(span(9, 10)) != interval.Busy {
			t.Error("what the other calendar knows of Al is lost")
		}
		close(release)
	})
}

func TestCancelledTurnGetsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := calendar.Directory{Sources: []calendar.Provider{source("local", busy())}}
	if _, err := d.Busy(ctx, meet.BusyQuery{People: []meet.Person{al}, Span: whole}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestProvidersAndTheirWriters(t *testing.T) {
	t.Parallel()
	d := calendar.Directory{Sources: []calendar.Provider{
		source("ics", busy()), writer{source("google", busy())}, writer{source("local", busy())},
	}}
	if diff := cmp.Diff([]string{"ics", "google", "local"}, d.Providers(al)); diff != "" {
		t.Errorf("Providers (-want +got):\n%s", diff)
	}
	for provider, writes := range map[string]bool{"ics": false, "google": true, "local": true, "caldav": false} {
		if w, ok := d.WriterAt(provider); ok != writes || (w != nil) != writes {
			t.Errorf("WriterAt(%q): got %v, %v; want %v", provider, w, ok, writes)
		}
	}
	if names := d.Providers(meet.Person{Name: "Bo"}); names != nil {
		t.Errorf("somebody without an id has %v", names)
	}
}

func TestPanicOfAProviderIsUnknown(t *testing.T) {
	t.Parallel()
	d := calendar.Directory{Sources: []calendar.Provider{panics{}}}
	got, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{al}, Span: whole})
	if err != nil {
		t.Fatal(err)
	}
	if state := got["al"].Availability.State(whole); state != interval.Unknown {
		t.Errorf("state: got %v, want unknown", state)
	}
}

type panics struct{}

func (panics) Name() string { return "google" }
func (panics) Times(context.Context, meet.Person, interval.Span, string) (calendar.Times, error) {
	panic("no calendars")
}

// Where only reading can tell who has a calendar, nobody is written to where they have none.
func TestWhereEventsAreKept(t *testing.T) {
	t.Parallel()
	none := fails(calendar.ErrNoCalendar)
	for _, test := range []struct {
		name    string
		sources []calendar.Provider
		want    []string
	}{
		{"in their own calendar", []calendar.Provider{
			writer{source("google", none)}, writer{source("caldav", busy())}, writer{source("local", none)},
		}, []string{"caldav"}},
		{"without any, in the last", []calendar.Provider{
			writer{source("google", none)}, writer{source("local", confirmedOnly())},
		}, []string{"local"}},
		{"without any that can be written to", []calendar.Provider{writer{source("google", none)}, source("ics", none)}, nil},
		{"of a stranger", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := calendar.Directory{Sources: test.sources}
			got, err := d.Busy(t.Context(), meet.BusyQuery{People: []meet.Person{al}, Span: whole})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got["al"].Providers); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, name := range test.want {
				if _, ok := d.WriterAt(name); !ok {
					t.Errorf("%s cannot be written to", name)
				}
			}
		})
	}
}
