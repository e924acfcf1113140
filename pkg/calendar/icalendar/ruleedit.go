package icalendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// EndRule is the RRULE that ends before the occurrence at that time. An AllDay rule ends with a date.
func EndRule(rrule string, at time.Time, allDay bool) string {
	last := at.Add(-time.Second).UTC().Format("20060102T150405Z")
	if allDay {
		last = at.AddDate(0, 0, -1).Format("20060102")
	}
	return withPart(withPart(rrule, "COUNT", ""), "UNTIL", last)
}

// RestOfRule is the RRULE of a series that starts with the occurrence at that time of the series from start: a COUNT is
// less the occurrences before. Both times are in the zone in which the series repeats.
func RestOfRule(rrule string, start, at time.Time) (string, error) {
	r, err := parseRule(rrule)
	if err != nil || r.count == 0 {
		return rrule, err
	}
	before, spent := 0, 0
	whole := r.each(wallOf(start), wallOf(start), wallOf(at), &spent, func(time.Time) { before++ })
	if !whole || before >= r.count {
		return "", fmt.Errorf("rule %q has no occurrence at %v", clip(rrule), at)
	}
	return withPart(rrule, "COUNT", strconv.Itoa(r.count-before)), nil
}

// MoveRule is the RRULE of a series whose occurrence at one time moves to another, and all others with it on the clock.
// Both times are in the zone in which the series repeats. A rule that bounds its days or hours in a way that does not
// move as a whole is an error.
func MoveRule(rrule string, from, to time.Time) (string, error) {
	r, err := parseRule(rrule)
	if err != nil {
		return "", err
	}
	old, moved := wallOf(from), wallOf(to)
	days := int(moved.Truncate(day).Sub(old.Truncate(day)) / day)
	clock := moved.Sub(moved.Truncate(day)) != old.Sub(old.Truncate(day))
	if clock && (r.byHour != nil || r.byMinute != nil || r.bySecond != nil) {
		return "", fmt.Errorf("rule %q names its times of day", clip(rrule))
	}
	if !r.until.wall.IsZero() {
		rrule = withPart(rrule, "UNTIL", r.until.moved(moved.Sub(old), from.Location()))
	}
	if days == 0 {
		return rrule, nil
	}
	return r.onOtherDays(rrule, old, moved, days)
}

// moved is UNTIL later by a time on the clock of the zone.
func (s stamp) moved(by time.Duration, loc *time.Location) string {
	switch {
	case s.date:
		return s.wall.Add(by.Truncate(day)).Format("20060102")
	case s.utc:
		z := zone{loc: loc}
		return z.moment(z.wall(s.wall, loc).Add(by), loc).UTC().Format("20060102T150405Z")
	default:
		return s.wall.Add(by).Format("20060102T150405")
	}
}

// onOtherDays moves the day parts of the rule.
func (r rule) onOtherDays(rrule string, old, moved time.Time, days int) (string, error) {
	refused := fmt.Errorf("rule %q cannot be moved to other days", clip(rrule))
	numbered := slices.ContainsFunc(r.byDay, func(d ordinalDay) bool { return d.n != 0 })
	switch {
	case r.byWeekNo != nil || r.byYearDay != nil || r.bySetPos != nil || len(r.byMonthDay) > 1 || len(r.byMonth) > 1:
		return "", refused
	case r.byDay != nil && (r.byMonthDay != nil || r.freq < weekly && !(numbered && len(r.byDay) == 1)):
		return "", refused
	case (r.byMonthDay != nil || numbered) && r.freq == monthly && moved.Month() != old.Month():
		return "", refused
	}
	if len(r.byMonth) == 1 {
		rrule = withPart(rrule, "BYMONTH", strconv.Itoa(int(moved.Month())))
	}
	if r.byMonthDay != nil {
		if r.byMonthDay[0] < 0 {
			return "", refused
		}
		rrule = withPart(rrule, "BYMONTHDAY", strconv.Itoa(moved.Day()))
	}
	if r.byDay == nil {
		return rrule, nil
	}
	names := []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}
	var list []string
	for _, d := range r.byDay {
		if d.n == 0 {
			list = append(list, names[((int(d.day)+days)%7+7)%7])
			continue
		}
		n := (moved.Day()-1)/7 + 1
		if d.n < 0 && moved.AddDate(0, 0, 7).Month() != moved.Month() {
			n = -1
		}
		list = append(list, strconv.Itoa(n)+names[moved.Weekday()])
	}
	return withPart(rrule, "BYDAY", strings.Join(list, ",")), nil
}

// withPart is the rule with that value of a part; an empty one takes the part away.
func withPart(rrule, key, value string) string {
	parts := slices.DeleteFunc(strings.Split(strings.Trim(rrule, "; "), ";"), func(part string) bool {
		name, _, _ := strings.Cut(part, "=")
		return strings.EqualFold(strings.TrimSpace(name), key)
	})
	if value != "" {
		parts = append(parts, key+"="+value)
	}
	return strings.Join(parts, ";")
}
