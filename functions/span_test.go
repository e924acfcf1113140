package functions

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

func TestQueryFor(t *testing.T) {
	t.Parallel()
	la, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 18, 15, 0, 0, 0, la) // a Wednesday
	day := func(d int) interval.Date { return interval.Date{Year: 2026, Month: time.November, Day: d} }
	every := func(from, to int) *meet.Hours {
		return &meet.Hours{Week: interval.EveryDay(interval.Window{Start: interval.At(from, 0), End: interval.At(to, 0)})}
	}
	days := func(from, to int) []interval.DateRange { return []interval.DateRange{{Start: day(from), End: day(to)}} }
	for _, c := range []struct {
		text  string
		span  interval.Span
		dates []interval.DateRange
		hours *meet.Hours
	}{
		{"what's on?", interval.From(now, 7*24*time.Hour), nil, nil},
		{"what's happening this weekend?", interval.Span{
			Start: day(21).Start(la), End: day(23).Start(la),
		}, days(21, 22), nil},
		{"anything fun today?", interval.Span{Start: now, End: day(19).Start(la)}, days(18, 18), nil},
		{"something fun tomorrow night", interval.Span{
			Start: day(19).Start(la), End: day(20).Start(la),
		}, days(19, 19), every(18, 23)},
		{"what's on at 7pm on Friday?", interval.Span{
			Start: day(20).Start(la), End: day(21).Start(la),
		}, days(20, 20), every(18, 20)},
		{"Thursday or Saturday?", interval.Span{Start: day(19).Start(la), End: day(22).Start(la)},
			append(days(19, 19), days(21, 21)...), nil},
		{"what was on yesterday?", interval.From(now, 7*24*time.Hour), nil, nil},
		{"מה קורה מחר בערב?", interval.Span{Start: day(19).Start(la), End: day(20).Start(la)}, days(19, 19), every(17, 21)},
		{"¿qué hay el viernes?", interval.Span{Start: day(20).Start(la), End: day(21).Start(la)}, days(20, 20), nil},
	} {
		want := meet.ActivityQuery{Text: c.text, Span: c.span, Dates: c.dates, Hours: c.hours, Zone: la}
		got := QueryFor(c.text, now)
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b *time.Location) bool { return a == b })); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}
