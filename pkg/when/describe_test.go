package when_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// wednesday is 4 March 2026, nine in the morning; the zone changes its clocks on the Sunday after.
func wednesday(tb testing.TB) time.Time {
	tb.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		tb.Fatal(err)
	}
	return time.Date(2026, time.March, 4, 9, 0, 0, 0, zone)
}

// described is a reading as the tables write it: days, hours, length and the rest, each where it says something.
func described(r when.Reading) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if len(r.Dates) > 0 {
		add("%s", ranges(r.Dates))
	}
	if !r.Hours.Empty() {
		add("%s", hours(r.Hours))
	}
	if r.About {
		add("about")
	}
	if r.Duration > 0 {
		add("for %gm", r.Duration.Minutes())
	}
	if r.Days > 0 {
		add("%d days", r.Days)
	}
	if r.EndsAt != nil {
		add("ends %s", r.EndsAt)
	}
	if r.Travel > 0 {
		add("travel %gm%s", r.Travel.Minutes(), [...]string{
			when.BothSides: "", when.BeforeIt: " before", when.AfterIt: " after",
		}[r.TravelSide])
	}
	if r.Shift != (when.Shift{}) {
		add("shift %dm %dd %dw", r.Shift.Minutes, r.Shift.Days, r.Shift.Weeks)
	}
	if len(r.ExcludedDates) > 0 {
		add("not %s", ranges(r.ExcludedDates))
	}
	for _, day := range r.ExcludedWeekdays {
		add("no %s", day)
	}
	if !r.ExcludedHours.Empty() {
		add("not %s", hours(r.ExcludedHours))
	}
	for _, name := range r.NoSuchDays {
		add("no %s", name)
	}
	if r.AllDay {
		add("all day")
	}
	if r.Soonest {
		add("soonest")
	}
	return strings.Join(parts, ", ")
}

func ranges(all []interval.DateRange) string {
	var out []string
	for _, r := range all {
		one := fmt.Sprintf("%s %d", r.Start.Month.String()[:3], r.Start.Day)
		if r.Start.Year != 2026 {
			one += fmt.Sprintf(" %d", r.Start.Year)
		}
		if r.End != r.Start {
			one += fmt.Sprintf("-%s %d", r.End.Month.String()[:3], r.End.Day)
		}
		out = append(out, one)
	}
	return strings.Join(out, " + ")
}

func hours(h when.Hours) string {
	var out []string
	same := true
	for day := range h.Week {
		same = same && cmp.Equal(h.Week[day], h.Week[0])
	}
	if same && len(h.Week[0]) > 0 {
		return windows(h.Week[0])
	}
	for day, list := range h.Week {
		if len(list) > 0 {
			out = append(out, time.Weekday(day).String()[:3]+" "+windows(list))
		}
	}
	for _, on := range h.On {
		out = append(out, on.Date.String()+" "+windows(on.Windows))
	}
	return strings.Join(out, "; ")
}

func windows(list []interval.Window) string {
	var out []string
	for _, w := range list {
		if w.Exact() {
			out = append(out, "at "+w.Start.String())
			continue
		}
		out = append(out, w.Start.String()+"-"+w.End.String())
	}
	return strings.Join(out, " or ")
}
