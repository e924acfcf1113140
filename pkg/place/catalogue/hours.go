package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// parseHours reads OpenStreetMap opening_hours with weekdays and times of day: "Mo-Fr 07:00-18:00; Sa,Su 08:00-17:00",
// "Tu-Su 11:30-14:30,17:00-22:00", "Mo-Su 17:00-02:00; Mo off", "24/7". A later rule replaces an earlier one for the
// days that it names; a rule without days applies to all.
func parseHours(s string) (*interval.Week, error) {
	var week interval.Week
	if strings.TrimSpace(s) == "24/7" {
		week = interval.EveryDay(interval.Window{Start: 0, End: interval.EndOfDay})
		return &week, nil
	}
	for rule := range strings.SplitSeq(s, ";") {
		rule = strings.TrimSpace(rule)
		days, times, found := strings.Cut(rule, " ")
		if !found || rule[0] >= '0' && rule[0] <= '9' {
			days, times = "Mo-Su", rule
		}
		windows, err := parseWindows(times)
		if err != nil {
			return nil, fmt.Errorf("rule %q: %w", rule, err)
		}
		if err := assign(&week, days, windows); err != nil {
			return nil, fmt.Errorf("rule %q: %w", rule, err)
		}
	}
	return &week, nil
}

// assign sets the windows of a list of days like "Mo-We,Fr". A range may run over the end of the week.
func assign(week *interval.Week, days string, windows []interval.Window) error {
	for part := range strings.SplitSeq(days, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, ok := weekday(from)
		last, okLast := weekday(to)
		if !ok || !okLast {
			return fmt.Errorf("%q is not a day: use Mo, Tu, We, Th, Fr, Sa or Su", part)
		}
		for day := first; ; day = (day + 1) % 7 {
			week[day] = windows
			if day == last {
				break
			}
		}
	}
	return nil
}

func weekday(s string) (time.Weekday, bool) {
	i := slices.Index([]string{"Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"}, s)
	return time.Weekday(i), i >= 0
}

// parseWindows reads "11:30-14:30,17:00-22:00", or "off" and "closed" for none.
func parseWindows(s string) ([]interval.Window, error) {
	if s == "off" || s == "closed" {
		return nil, nil
	}
	var windows []interval.Window
	for part := range strings.SplitSeq(s, ",") {
		from, to, ok := strings.Cut(strings.TrimSpace(part), "-")
		if !ok {
			return nil, fmt.Errorf("%q is not of the form HH:MM-HH:MM", part)
		}
		start, err := interval.ParseClock(from)
		if err != nil {
			return nil, err
		}
		end, err := interval.ParseClock(to)
		if err != nil {
			return nil, err
		}
		if start == end || start == interval.EndOfDay {
			return nil, fmt.Errorf("%q lasts no time: a whole day is 00:00-24:00", part)
		}
		windows = append(windows, interval.Window{Start: start, End: end})
	}
	return windows, checkOrder(windows)
}

// checkOrder refuses windows that overlap or are out of order, including one past midnight before another.
func checkOrder(windows []interval.Window) error {
	for i := 1; i < len(windows); i++ {
		if before := windows[i-1]; before.End < before.Start || windows[i].Start < before.End {
			return fmt.Errorf("%s-%s does not end before %s begins", before.Start, before.End, windows[i].Start)
		}
	}
	return nil
}

// openLate reports whether the place is open until 23:00 or later on some day.
func openLate(week *interval.Week) bool {
	return anyWindow(week, func(w interval.Window) bool { return w.End >= interval.At(23, 0) || w.End < w.Start })
}

// openEarly reports whether the place opens by 06:30 on some day.
func openEarly(week *interval.Week) bool {
	return anyWindow(week, func(w interval.Window) bool { return w.Start <= interval.At(6, 30) })
}

func anyWindow(week *interval.Week, is func(interval.Window) bool) bool {
	return week != nil && slices.ContainsFunc(week[:], func(day []interval.Window) bool {
		return slices.ContainsFunc(day, is)
	})
}
