package interval_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"convene/pkg/interval"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// span is from and to in minutes after noon.
func span(from, to int) interval.Span {
	return interval.Span{
		Start: noon.Add(time.Duration(from) * time.Minute), End: noon.Add(time.Duration(to) * time.Minute),
	}
}

func TestSpan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		a, b             interval.Span
		overlaps, covers bool
		shared           interval.Span
	}{
		{"apart", span(0, 10), span(20, 30), false, false, interval.Span{}},
		{"touching", span(0, 10), span(10, 20), false, false, interval.Span{}},
		{"crossing", span(0, 10), span(9, 20), true, false, span(9, 10)},
		{"inside", span(0, 60), span(10, 20), true, true, span(10, 20)},
		{"the same", span(0, 60), span(0, 60), true, true, span(0, 60)},
		{"around", span(10, 20), span(0, 60), true, false, span(10, 20)},
		{"empty inside", span(0, 60), span(10, 10), false, true, interval.Span{}},
		{"backwards", span(60, 0), span(10, 20), false, false, interval.Span{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := c.a.Overlaps(c.b); got != c.overlaps {
				t.Errorf("overlaps: got %v, want %v", got, c.overlaps)
			}
			if got := c.a.Covers(c.b); got != c.covers {
				t.Errorf("covers: got %v, want %v", got, c.covers)
			}
			if diff := cmp.Diff(c.shared, c.a.Intersect(c.b)); diff != "" {
				t.Errorf("intersect (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSpanContainsItsStartAndNotItsEnd(t *testing.T) {
	t.Parallel()
	s := interval.From(noon, time.Hour)
	if !s.Contains(s.Start) || s.Contains(s.End) || s.Duration() != time.Hour {
		t.Errorf("%v contains its start %v, its end %v, takes %s", s, s.Contains(s.Start), s.Contains(s.End), s.Duration())
	}
	if got, want := s.Widen(time.Minute, 2*time.Minute), span(-1, 62); got != want {
		t.Errorf("widened: got %v, want %v", got, want)
	}
}

func TestNewSetLeavesItsArgumentsAlone(t *testing.T) {
	t.Parallel()
	spans := []interval.Span{span(30, 40), span(5, 5), span(0, 10), span(10, 20), span(32, 35)}
	before := slices.Clone(spans)
	got := interval.NewSet(spans...)
	if diff := cmp.Diff(interval.Set{span(0, 20), span(30, 40)}, got); diff != "" {
		t.Errorf("set (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, spans); diff != "" {
		t.Errorf("arguments changed (-before +after):\n%s", diff)
	}
}

func TestUnionLeavesItsSetsAlone(t *testing.T) {
	t.Parallel()
	a, b := interval.NewSet(span(0, 10), span(20, 30)), interval.NewSet(span(10, 20), span(40, 50))
	before := []interval.Set{slices.Clone(a), slices.Clone(b)}
	if diff := cmp.Diff(interval.Set{span(0, 30), span(40, 50)}, a.Union(b)); diff != "" {
		t.Errorf("union (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, []interval.Set{a, b}); diff != "" {
		t.Errorf("sets changed (-before +after):\n%s", diff)
	}
}

func TestUnionAllocatesOnce(t *testing.T) {
	a, b := interval.NewSet(span(0, 10), span(20, 30)), interval.NewSet(span(15, 22), span(40, 50))
	for _, c := range []struct {
		name string
		do   func()
		want float64
	}{
		{"union", func() { a.Union(b) }, 1},
		{"union with nothing", func() { a.Union(nil); interval.Set(nil).Union(b) }, 0},
		{"new set", func() { interval.NewSet(a...) }, 1},
		{"normal", func() { a.Normal() }, 0},
		{"within", func() { a.Within(span(0, 40)) }, 0},
	} {
		if got := testing.AllocsPerRun(100, c.do); got != c.want {
			t.Errorf("%s: got %v allocations, want %v", c.name, got, c.want)
		}
	}
}

func TestAvailability(t *testing.T) {
	t.Parallel()
	home := interval.Availability{Busy: interval.NewSet(span(0, 30))}
	office := interval.Availability{Busy: interval.NewSet(span(60, 90)), Unknown: interval.NewSet(span(20, 70))}
	both := home.Merge(office)
	for _, c := range []struct {
		span interval.Span
		want interval.State
	}{
		{span(-10, 0), interval.Free},
		{span(-10, 1), interval.Busy},
		{span(25, 40), interval.Busy},
		{span(30, 40), interval.Unknown},
		{span(65, 68), interval.Busy},
		{span(90, 100), interval.Free},
	} {
		if got := both.State(c.span); got != c.want {
			t.Errorf("%v: got %s, want %s", c.span, got, c.want)
		}
	}
}

// FuzzSet compares the arithmetic of sets with that of a map of minutes. Two bytes are a span: where it begins and how
// long it takes.
func FuzzSet(f *testing.F) {
	f.Add([]byte{0, 10, 20, 10}, []byte{5, 20})
	f.Add([]byte{0, 10, 10, 10, 40, 0}, []byte{0, 200, 3, 4})
	f.Add([]byte{}, []byte{1, 1})
	f.Add([]byte{0, 100}, []byte{10, 10, 30, 10, 50, 60})
	f.Fuzz(func(t *testing.T, left, right []byte) {
		type minutes [512]bool
		read := func(data []byte) (set interval.Set, in minutes) {
			var spans []interval.Span
			for ; len(data) >= 2; data = data[2:] {
				from, to := int(data[0]), int(data[0])+int(data[1])
				spans = append(spans, span(from, to))
				for m := from; m < to; m++ {
					in[m] = true
				}
			}
			return interval.NewSet(spans...), in
		}
		a, inA := read(left)
		b, inB := read(right)
		check := func(name string, got interval.Set, want func(m int) bool) {
			t.Helper()
			for i, s := range got {
				if s.Empty() || i > 0 && !got[i-1].End.Before(s.Start) {
					t.Fatalf("%s: %v is not in order", name, got)
				}
			}
			for m := range inA {
				one := span(m, m+1)
				if got.Overlaps(one) != want(m) || got.Covers(one) != want(m) {
					t.Fatalf("%s: minute %d: overlaps %v, covers %v, want %v", name, m, got.Overlaps(one), got.Covers(one), want(m))
				}
			}
		}
		check("new", a, func(m int) bool { return inA[m] })
		check("union", a.Union(b), func(m int) bool { return inA[m] || inB[m] })
		check("intersect", a.Intersect(b), func(m int) bool { return inA[m] && inB[m] })
		check("minus", a.Minus(b), func(m int) bool { return inA[m] && !inB[m] })
		check("normal", slices.Concat(a, b).Normal(), func(m int) bool { return inA[m] || inB[m] })
		for _, s := range b {
			from, to := int(s.Start.Sub(noon).Minutes()), int(s.End.Sub(noon).Minutes())
			if got, want := a.Overlaps(s), slices.Contains(inA[from:to], true); got != want {
				t.Fatalf("%v overlaps %v: got %v, want %v", a, s, got, want)
			}
			if diff := cmp.Diff(a.Intersect(interval.NewSet(s)), a.Within(s)); diff != "" {
				t.Fatalf("%v within %v (-want +got):\n%s", a, s, diff)
			}
			if got, want := a.Covers(s), !slices.Contains(inA[from:to], false); got != want {
				t.Fatalf("%v covers %v: got %v, want %v", a, s, got, want)
			}
		}
	})
}

// However the spans come, the set is that of sorting and merging them one after the other: starts that differ by less
// than a second, in years far away, and in many zones.
func TestNewSetOfSpansInAnyOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	zones := []*time.Location{time.UTC, time.FixedZone("east", 14*3600), time.FixedZone("west", -12*3600)}
	years := []int{-290_000, -4000, 1969, 2026, 9999, 290_000_000}
	for range 2000 {
		var spans []interval.Span
		base := time.Date(years[random.IntN(len(years))], 12, 31, 23, 59, 50, 0, time.UTC)
		for range random.IntN(30) {
			at := base.Add(time.Duration(random.IntN(40)) * 300 * time.Millisecond).In(zones[random.IntN(len(zones))])
			spans = append(spans, interval.From(at, time.Duration(random.IntN(5)-1)*200*time.Millisecond))
		}
		var want interval.Set
		for _, s := range spans {
			want = want.Union(interval.NewSet(s))
		}
		got := interval.NewSet(spans...)
		same := slices.EqualFunc(want, got, func(a, b interval.Span) bool {
			return a.Start.Equal(b.Start) && a.End.Equal(b.End)
		})
		if !same {
			t.Fatalf("set of %v:\ngot  %v\nwant %v", spans, got, want)
		}
	}
}
