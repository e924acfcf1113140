package interval_test

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"convene/pkg/interval"
)

// zoneNames lists every zone of the database that Go embeds: the entries of lib/time/zoneinfo.zip.
//
//go:embed testdata/zones.txt
var zoneNames string

// TestMain asks the time zone database of the Go release, which is the one that time/tzdata embeds, rather than that of
// the machine: so the tests see the same transitions everywhere.
func TestMain(m *testing.M) {
	if root, err := exec.Command("go", "env", "GOROOT").Output(); err == nil {
		os.Setenv("ZONEINFO", filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	}
	m.Run()
}

func load(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestAtKnownChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, zone, date, clock, want string
		missing                       bool
	}{
		{"an ordinary time", "America/New_York", "2026-06-01", "09:30", "2026-06-01T09:30:00-04:00", false},
		{"a skipped time", "America/New_York", "2026-03-08", "02:30", "2026-03-08T03:00:00-04:00", true},
		{"the first skipped minute", "America/New_York", "2026-03-08", "02:00", "2026-03-08T03:00:00-04:00", true},
		{"the first minute after it", "America/New_York", "2026-03-08", "03:00", "2026-03-08T03:00:00-04:00", false},
		{"a time that occurs twice", "America/New_York", "2026-11-01", "01:30", "2026-11-01T01:30:00-04:00", false},
		{"the first minute that occurs twice", "America/New_York", "2026-11-01", "01:00", "2026-11-01T01:00:00-04:00", false},
		{"the first minute that does not", "America/New_York", "2026-11-01", "02:00", "2026-11-01T02:00:00-05:00", false},
		{"a change of half an hour", "Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-04T02:30:00+11:00", true},
		{"half an hour that occurs twice", "Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-05T01:45:00+11:00", false},
		{"a change of two hours", "Antarctica/Troll", "2026-03-29", "01:30", "2026-03-29T03:00:00+02:00", true},
		{"no midnight in Sao Paulo", "America/Sao_Paulo", "2018-11-04", "00:00", "2018-11-04T01:00:00-02:00", true},
		{"no midnight in Cairo", "Africa/Cairo", "2026-04-24", "00:00", "2026-04-24T01:00:00+03:00", true},
		{"no midnight in Beirut", "Asia/Beirut", "2026-03-29", "00:30", "2026-03-29T01:00:00+03:00", true},
		{"midnight twice in Havana", "America/Havana", "2026-11-01", "00:00", "2026-11-01T00:00:00-04:00", false},
		{"a minute of the next day comes early", "America/St_Johns", "2006-10-29", "00:00", "2006-10-29T00:00:00-02:30",
			false},
		{"and the evening again", "America/St_Johns", "2006-10-28", "23:30", "2006-10-28T23:30:00-02:30", false},
		{"a date that Samoa skipped", "Pacific/Apia", "2011-12-30", "12:00", "2011-12-31T00:00:00+14:00", true},
		{"the end of the day before", "Pacific/Apia", "2011-12-29", "24:00", "2011-12-31T00:00:00+14:00", false},
		{"a date that Kwajalein skipped", "Pacific/Kwajalein", "1993-08-21", "09:00", "1993-08-22T00:00:00+12:00", true},
		{"a date that Alaska had twice", "America/Juneau", "1867-10-18", "15:00", "", false},
		{"24:00 is tomorrow", "Europe/Berlin", "2026-06-01", "24:00", "2026-06-02T00:00:00+02:00", false},
		{"the last day of a leap year", "America/New_York", "2028-12-31", "12:00", "2028-12-31T12:00:00-05:00", false},
		{"the last day of a farther one", "America/New_York", "2040-12-31", "12:00", "2040-12-31T12:00:00-05:00", false},
		{"the day after", "America/New_York", "2029-01-01", "00:00", "2029-01-01T00:00:00-05:00", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			zone := load(t, c.zone)
			day, err := interval.ParseDate(c.date)
			if err != nil {
				t.Fatal(err)
			}
			clock, err := interval.ParseClock(c.clock)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := day.At(clock, zone)
			if ok == c.missing || c.want != "" && got.Format(time.RFC3339) != c.want {
				t.Errorf("got %s, %v, want %s, %v", got.Format(time.RFC3339), ok, c.want, !c.missing)
			}
		})
	}
}

func TestAtRefusesNoClock(t *testing.T) {
	t.Parallel()
	day := interval.DateNumber(20_000)
	for _, c := range []interval.Clock{-1, interval.EndOfDay + 1} {
		if got, ok := day.At(c, time.UTC); ok {
			t.Errorf("%d exists, at %s", c, got)
		}
	}
}

// TestAtInEveryZone looks at every quarter of an hour, and a minute beside it, on the days around one of each kind of
// change that any zone has made since 1960 or will make until 2037.
func TestAtInEveryZone(t *testing.T) {
	t.Parallel()
	kinds := map[string]bool{}
	for name := range strings.Lines(zoneNames) {
		zone := load(t, strings.TrimSpace(name))
		whole := interval.Span{
			Start: time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC), End: time.Date(2038, 1, 1, 0, 0, 0, 0, time.UTC),
		}
		periods := interval.Periods(zone, whole)
		checkPeriods(t, zone, whole, periods)
		for i := 1; i < len(periods); i++ {
			change := periods[i].Start
			kind := fmt.Sprint(periods[i-1].Offset, periods[i].Offset, change.UTC().Hour(), change.UTC().Minute())
			if kinds[kind] || testing.Short() && len(kinds)%10 != 0 {
				continue
			}
			kinds[kind] = true
			for n := -1; n <= 1; n++ {
				day := interval.DateOf(change).AddDays(n)
				checkStart(t, zone, day)
				for c := interval.Clock(0); c < interval.EndOfDay; c += 15 {
					checkAt(t, zone, day, c, periods[max(0, i-2):min(len(periods), i+3)])
					checkAt(t, zone, day, c+interval.Clock(1+(i+int(c))%14), periods[max(0, i-2):min(len(periods), i+3)])
				}
			}
		}
	}
	if len(kinds) < 250 && !testing.Short() {
		t.Errorf("found %d kinds of change, which cannot be all", len(kinds))
	}
}

func checkPeriods(t *testing.T, zone *time.Location, whole interval.Span, periods []interval.Period) {
	t.Helper()
	at := whole.Start
	for i, p := range periods {
		if !p.Start.Equal(at) || p.Empty() || i > 0 && periods[i-1].Offset == p.Offset {
			t.Fatalf("%s: period %d is %v, the last ended at %s", zone, i, p, at)
		}
		for _, inside := range []time.Time{p.Start, p.Start.Add(p.Duration() / 2), p.End.Add(-time.Second)} {
			if _, offset := inside.Zone(); time.Duration(offset)*time.Second != p.Offset {
				t.Fatalf("%s is %d s ahead of UTC at %s, not %s", zone, offset, inside, p.Offset)
			}
		}
		at = p.End
	}
	if !at.Equal(whole.End) {
		t.Fatalf("%s: the last period ends at %s", zone, at)
	}
}

// checkAt checks what At promises: the clock shows the time, no moment before it does, and a time that is missing
// lies between what the clock showed just before the change and just after it.
func checkAt(t *testing.T, zone *time.Location, day interval.Date, c interval.Clock, near []interval.Period) {
	t.Helper()
	wall := time.Date(day.Year, day.Month, day.Day, 0, int(c), 0, 0, time.UTC)
	shows := func(at time.Time) time.Time {
		_, offset := at.In(zone).Zone()
		return at.UTC().Add(time.Duration(offset) * time.Second)
	}
	got, ok := day.At(c, zone)
	for _, p := range near {
		if other := wall.Add(-p.Offset); shows(other).Equal(wall) && (!ok || other.Before(got)) {
			t.Fatalf("%s %s %s: got %s, %v, but the clock shows it at %s", zone, day, c, got, ok, other)
		}
	}
	switch {
	case ok && (interval.DateOf(got) != day || interval.ClockOf(got) != c || got.Second() != 0):
		t.Fatalf("%s %s %s: got %s", zone, day, c, got)
	case !ok && (shows(got).Before(wall) || shows(got.Add(-time.Second)).After(wall)):
		t.Fatalf("%s %s %s is missing, but not because of %s", zone, day, c, got)
	}
}

// checkStart checks that a date begins at its first moment, and ends where the next begins.
func checkStart(t *testing.T, zone *time.Location, day interval.Date) {
	t.Helper()
	span := day.Span(zone)
	if skipped := span.Empty(); skipped {
		return // looked at by name above
	}
	if interval.DateOf(span.Start) != day || interval.DateOf(span.Start.Add(-time.Second)) == day &&
		interval.ClockOf(span.Start) != 0 {
		t.Fatalf("%s: %s begins at %s", zone, day, span.Start)
	}
	// Kwajalein had the whole of 1969-09-30 twice, but for an hour.
	if span.Duration() < 12*time.Hour || span.Duration() > 48*time.Hour {
		t.Fatalf("%s: %s lasts %s", zone, day, span.Duration())
	}
}

func TestSkippedDateIsEmpty(t *testing.T) {
	t.Parallel()
	zone := load(t, "Pacific/Apia")
	day := interval.Date{Year: 2011, Month: time.December, Day: 30}
	if span := day.Span(zone); !span.Empty() || interval.DateOf(span.Start) != day.AddDays(1) {
		t.Errorf("got %v", span)
	}
}

func TestWindowOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, zone, date, window string
		start, end               string
	}{
		{"of a day", "Europe/Berlin", "2026-06-01", "09:00-17:00", "2026-06-01T09:00:00+02:00", "2026-06-01T17:00:00+02:00"},
		{"past midnight", "Europe/Berlin", "2026-06-01", "22:00-02:00", "2026-06-01T22:00:00+02:00",
			"2026-06-02T02:00:00+02:00"},
		{"to midnight", "Europe/Berlin", "2026-06-01", "15:00-24:00", "2026-06-01T15:00:00+02:00",
			"2026-06-02T00:00:00+02:00"},
		{"exact", "Europe/Berlin", "2026-06-01", "15:00-15:00", "2026-06-01T15:00:00+02:00", "2026-06-01T15:00:00+02:00"},
		{"start skipped", "Europe/Berlin", "2026-03-29", "02:30-04:00", "2026-03-29T03:00:00+02:00",
			"2026-03-29T04:00:00+02:00"},
		{"end skipped", "Europe/Berlin", "2026-03-29", "01:00-02:30", "2026-03-29T01:00:00+01:00",
			"2026-03-29T03:00:00+02:00"},
		{"over a change back", "Europe/Berlin", "2026-10-25", "02:30-03:00", "2026-10-25T02:30:00+02:00",
			"2026-10-25T03:00:00+01:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			day, err := interval.ParseDate(c.date)
			if err != nil {
				t.Fatal(err)
			}
			w := window(t, c.window)
			got := w.On(day, load(t, c.zone))
			if s, e := got.Start.Format(time.RFC3339), got.End.Format(time.RFC3339); s != c.start || e != c.end {
				t.Errorf("got %s to %s, want %s to %s", s, e, c.start, c.end)
			}
			if w.Exact() != got.Empty() {
				t.Errorf("exact is %v, and the span is %v", w.Exact(), got)
			}
		})
	}
}

// window is from one time to another, as "09:00-17:00".
func window(t *testing.T, text string) interval.Window {
	t.Helper()
	start, end, _ := strings.Cut(text, "-")
	from, err := interval.ParseClock(start)
	if err != nil {
		t.Fatal(err)
	}
	to, err := interval.ParseClock(end)
	if err != nil {
		t.Fatal(err)
	}
	return interval.Window{Start: from, End: to}
}

// TestAroundIsOnOfEachDay compares the hours of a week around every kind of change with those that each window has on
// each day by itself.
func TestAroundIsOnOfEachDay(t *testing.T) {
	t.Parallel()
	week := interval.EveryDay(window(t, "22:30-02:15"), window(t, "08:00-09:30"), window(t, "12:00-24:00"),
		window(t, "00:00-01:10"))
	week[time.Tuesday] = []interval.Window{window(t, "02:30-02:30"), window(t, "02:00-03:00")}
	week[time.Friday] = nil
	compared := 0
	for name := range strings.Lines(zoneNames) {
		zone := load(t, strings.TrimSpace(name))
		periods := interval.Periods(zone, interval.Span{
			Start: time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC), End: time.Date(2038, 1, 1, 0, 0, 0, 0, time.UTC),
		})
		for i := 1; i < len(periods); i += 7 {
			compared++
			hours := time.Duration(i%200) * time.Hour
			span := interval.Span{Start: periods[i].Start.Add(-hours), End: periods[i].Start.Add(200*time.Hour - hours).UTC()}
			if i%5 == 0 {
				span.End = span.Start
			}
			got, want := week.Around(span, zone), aroundByDay(week, span, zone)
			if !slices.EqualFunc(got, want, func(a, b interval.Span) bool {
				return a.Start.Equal(b.Start) && a.End.Equal(b.End)
			}) {
				t.Fatalf("%s around %v: got\n%v, want\n%v", zone, span, got, want)
			}
		}
	}
	if compared < 3000 {
		t.Errorf("compared %d times, which cannot be all", compared)
	}
}

func aroundByDay(week interval.Week, span interval.Span, zone *time.Location) interval.Set {
	var hours []interval.Span
	last := interval.DateOf(span.End.In(zone))
	for day := interval.DateOf(span.Start.In(zone)).AddDays(-1); !last.Before(day); day = day.AddDays(1) {
		for _, w := range week[day.Weekday()] {
			if s := w.On(day, zone); s.Overlaps(span) || s.Contains(span.Start) {
				hours = append(hours, s)
			}
		}
	}
	return interval.NewSet(hours...)
}
