package icalendar

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// frequency is the FREQ of a rule, from the longest period to the shortest.
type frequency int

const (
	yearly frequency = iota
	monthly
	weekly
	daily
	hourly
	minutely
	secondly
)

// rule is an RRULE. Unlike a general-purpose recurrence library it can start near the requested time, and it stops
// after a fixed amount of work, so that no hostile rule can hold up a turn.
type rule struct {
	freq       frequency
	interval   int
	count      int
	until      stamp
	weekStart  time.Weekday
	byMonth    []int
	byWeekNo   []int
	byYearDay  []int
	byMonthDay []int
	byDay      []ordinalDay
	byHour     []int
	byMinute   []int
	bySecond   []int
	bySetPos   []int
}

// ordinalDay is a weekday, or with n the n-th of the month or year, from its end if n is negative.
type ordinalDay struct {
	n   int
	day time.Weekday
}

// parseRule parses an RRULE. It refuses unknown parts: a half-understood rule would leave busy times free.
func parseRule(s string) (rule, error) {
	r := rule{freq: -1, interval: 1, weekStart: time.Monday}
	var seen []string
	for part := range strings.SplitSeq(strings.Trim(strings.ToUpper(strings.TrimSpace(s)), ";"), ";") {
		key, value, _ := strings.Cut(part, "=")
		if slices.Contains(seen, key) {
			return rule{}, fmt.Errorf("rule has %q twice", clip(key))
		}
		if err := r.apply(key, value); err != nil {
			return rule{}, fmt.Errorf("part of a rule %q %w", clip(part), err)
		}
		seen = append(seen, key)
	}
	if r.freq < 0 {
		return rule{}, fmt.Errorf("rule without FREQ")
	}
	return r, r.check()
}

func (r *rule) apply(key, value string) (err error) {
	switch key {
	case "FREQ":
		names := []string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"}
		if r.freq = frequency(slices.Index(names, value)); r.freq < 0 {
			return fmt.Errorf("is no frequency")
		}
	case "INTERVAL":
		r.interval, err = positive(value)
	case "COUNT":
		r.count, err = positive(value)
	case "UNTIL":
		r.until, err = parseStamp(value)
	case "WKST":
		r.weekStart, err = weekday(value)
	case "BYDAY":
		r.byDay, err = ordinalDays(value)
	case "BYMONTH":
		r.byMonth, err = numbers(value, 1, 12)
	case "BYWEEKNO":
		r.byWeekNo, err = numbers(value, -53, 53)
	case "BYYEARDAY":
		r.byYearDay, err = numbers(value, -366, 366)
	case "BYMONTHDAY":
		r.byMonthDay, err = numbers(value, -31, 31)
	case "BYHOUR":
		r.byHour, err = numbers(value, 0, 23)
	case "BYMINUTE":
		r.byMinute, err = numbers(value, 0, 59)
	case "BYSECOND":
		r.bySecond, err = numbers(value, 0, 60)
	case "BYSETPOS":
		r.bySetPos, err = numbers(value, -366, 366)
	default:
		err = fmt.Errorf("is not known")
	}
	return err
}

// check refuses meaningless combinations.
func (r *rule) check() error {
	ordinal := slices.ContainsFunc(r.byDay, func(d ordinalDay) bool { return d.n != 0 })
	switch {
	case ordinal && (r.freq > monthly || r.byWeekNo != nil):
		return fmt.Errorf("rule has a numbered weekday where it means nothing")
	case r.byWeekNo != nil && r.freq != yearly:
		return fmt.Errorf("rule has BYWEEKNO without FREQ=YEARLY")
	case r.count > 0 && !r.until.wall.IsZero():
		return fmt.Errorf("rule has both COUNT and UNTIL")
	}
	return nil
}

func positive(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, fmt.Errorf("is not a number above zero")
	}
	return n, nil
}

// numbers parses a list of whole numbers between low and high. Zero is valid only if it is low.
func numbers(s string, low, high int) ([]int, error) {
	var list []int
	for part := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < low || n > high || n == 0 && low < 0 {
			return nil, fmt.Errorf("is out of range")
		}
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func weekday(s string) (time.Weekday, error) {
	i := slices.Index([]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}, s)
	if i < 0 {
		return 0, fmt.Errorf("is no weekday")
	}
	return time.Weekday(i), nil
}

func ordinalDays(s string) ([]ordinalDay, error) {
	var list []ordinalDay
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		if len(part) < 2 {
			return nil, fmt.Errorf("is no weekday")
		}
		day, err := weekday(part[len(part)-2:])
		if err != nil {
			return nil, err
		}
		d := ordinalDay{day: day}
		if number := part[:len(part)-2]; number != "" {
			d.n, err = strconv.Atoi(number)
			if err != nil || d.n == 0 || d.n < -53 || d.n > 53 {
				return nil, fmt.Errorf("is out of range")
			}
		}
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b ordinalDay) int { return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.n, b.n)) })
	return slices.Compact(list), nil
}
