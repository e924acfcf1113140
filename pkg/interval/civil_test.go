package interval_test

import (
	"encoding/json"
	"testing"
	"time"

	"convene/pkg/interval"

	"github.com/google/go-cmp/cmp"
)

func TestDateArithmetic(t *testing.T) {
	t.Parallel()
	start := interval.Date{Year: 1967, Month: time.December, Day: 30}
	for n := range 365 * 8 {
		want := time.Date(1967, 12, 30, 12, 0, 0, 0, time.UTC).AddDate(0, 0, n)
		got := start.AddDays(n)
		if got != interval.DateOf(want) || got.Weekday() != want.Weekday() {
			t.Fatalf("day %d: got %s %s, want %s", n, got, got.Weekday(), want.Format("2006-01-02 Monday"))
		}
		if start.DaysUntil(got) != n || got.DaysUntil(start) != -n || got.AddDays(-n) != start {
			t.Fatalf("day %d: %d days until, %d back to %s", n, start.DaysUntil(got), got.DaysUntil(start), got.AddDays(-n))
		}
		if interval.DateNumber(got.Number()) != got {
			t.Fatalf("%s has the number %d, which is %s", got, got.Number(), interval.DateNumber(got.Number()))
		}
		if n > 0 && (!start.Before(got) || got.Before(start) || got.Compare(start) != 1) {
			t.Fatalf("%s does not come before %s", start, got)
		}
	}
}

func TestDateNumberZero(t *testing.T) {
	t.Parallel()
	if got, want := interval.DateNumber(0), (interval.Date{Year: 1970, Month: time.January, Day: 1}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestParseDate(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"2026-11-20": true, "2028-02-29": true, "2026-02-29": false, "2026-13-01": false, "2026-1-1": false,
		"20261120": false, "": false, "2026-11-20T10:00:00Z": false, " 2026-11-20": false,
	} {
		d, err := interval.ParseDate(text)
		if (err == nil) != ok || ok && d.String() != text {
			t.Errorf("%q: got %s, %v", text, d, err)
		}
	}
}

func TestDateRange(t *testing.T) {
	t.Parallel()
	day := interval.DateNumber(20_000)
	r := interval.DateRange{Start: day, End: day.AddDays(2)}
	for n, want := range map[int]bool{-1: false, 0: true, 1: true, 2: true, 3: false} {
		if got := r.Contains(day.AddDays(n)); got != want {
			t.Errorf("day %d: got %v, want %v", n, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	type all struct {
		Date  interval.Date     `json:"date"`
		None  interval.Date     `json:"none"`
		Clock interval.Clock    `json:"clock"`
		Week  interval.Week     `json:"week"`
		Span  interval.Span     `json:"span"`
		Avail interval.Set      `json:"avail"`
		Hours []interval.Window `json:"hours"`
	}
	want := all{
		Date: interval.Date{Year: 2026, Month: 3, Day: 8}, Clock: interval.EndOfDay,
		Week: interval.Week{
			time.Sunday: {{Start: interval.At(10, 0), End: interval.At(12, 30)}},
			time.Friday: {{Start: interval.At(22, 0), End: 60}},
		},
		Span: span(0, 30), Avail: interval.NewSet(span(5, 6)), Hours: []interval.Window{{Start: 5, End: 5}},
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	const wantText = `{"date":"2026-03-08","none":"","clock":"24:00",` +
		`"week":{"fri":[{"start":"22:00","end":"01:00"}],"sun":[{"start":"10:00","end":"12:30"}]},` +
		`"span":{"start":"2026-11-20T12:00:00Z","end":"2026-11-20T12:30:00Z"},` +
		`"avail":[{"start":"2026-11-20T12:05:00Z","end":"2026-11-20T12:06:00Z"}],` +
		`"hours":[{"start":"00:05","end":"00:05"}]}`
	if diff := cmp.Diff(wantText, string(text)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	var got all
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestJSONRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		into interface{ UnmarshalJSON([]byte) error }
	}{
		{`{"monday":[]}`, new(interval.Week)},
		{`[]`, new(interval.Week)},
		{`{"mon":[{"start":"9:00","end":"10:00"}]}`, new(interval.Week)},
		{`900`, new(interval.Clock)},
		{`"24:01"`, new(interval.Clock)},
	} {
		if err := json.Unmarshal([]byte(c.text), c.into); err == nil {
			t.Errorf("%s was taken for %+v", c.text, c.into)
		}
	}
	if err := json.Unmarshal([]byte(`"2026-02-30"`), new(interval.Date)); err == nil {
		t.Error("the 30th of February was taken for a date")
	}
}

func TestWeek(t *testing.T) {
	t.Parallel()
	nine := interval.Window{Start: interval.At(9, 0), End: interval.At(17, 0)}
	week := interval.Weekdays(nine)
	for day := time.Sunday; day <= time.Saturday; day++ {
		want := day != time.Sunday && day != time.Saturday
		if got := len(week[day]) == 1; got != want {
			t.Errorf("%s has hours: got %v, want %v", day, got, want)
		}
	}
	if week.Empty() || !(interval.Week{}).Empty() || interval.EveryDay(nine).Empty() {
		t.Error("only a week without hours is empty")
	}
}

// FuzzParseClock: what is read is written the same way, and nothing else is read.
func FuzzParseClock(f *testing.F) {
	for _, s := range []string{"00:00", "24:00", "24:01", "23:59", "+1:30", " 9:00", "9:00", "12:60", "1２:00", "12:0a",
		"-1:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := interval.ParseClock(s)
		if err == nil && (c.String() != s || c < 0 || c > interval.EndOfDay) {
			t.Errorf("%q was read as %d, %s", s, c, c)
		}
		if _, stdErr := time.Parse("15:04", s); stdErr == nil && len(s) == 5 && err != nil {
			t.Errorf("%q was refused: %v", s, err)
		}
	})
}

func TestParseClockReadsEveryMinute(t *testing.T) {
	t.Parallel()
	for want := interval.Clock(0); want <= interval.EndOfDay; want++ {
		if got, err := interval.ParseClock(want.String()); got != want || err != nil {
			t.Errorf("%s: got %d, %v", want, got, err)
		}
	}
}
