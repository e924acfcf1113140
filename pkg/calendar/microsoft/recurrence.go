package microsoft

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
)

// recurrence is Graph's patternedRecurrence.
type recurrence struct {
	Pattern struct {
		Type           string   `json:"type"`
		Interval       int      `json:"interval"`
		Month          int      `json:"month"`
		DayOfMonth     int      `json:"dayOfMonth"`
		DaysOfWeek     []string `json:"daysOfWeek"`
		FirstDayOfWeek string   `json:"firstDayOfWeek"`
		Index          string   `json:"index"`
	} `json:"pattern"`
	Range struct {
		// Type is endDate, noEnd or numbered.
		Type                string `json:"type"`
		EndDate             string `json:"endDate"`
		RecurrenceTimeZone  string `json:"recurrenceTimeZone"`
		NumberOfOccurrences int    `json:"numberOfOccurrences"`
	} `json:"range"`
}

// pattern is one of Graph's types of patterns, by FREQ and whether weekdays are numbered.
type pattern struct {
	kind, freq string
	numbered   bool
}

var patterns = []pattern{
	{"daily", "DAILY", false}, {"weekly", "WEEKLY", false}, {"absoluteMonthly", "MONTHLY", false},
	{"relativeMonthly", "MONTHLY", true}, {"absoluteYearly", "YEARLY", false}, {"relativeYearly", "YEARLY", true},
}

// ordinals are the names of 1 to 4, and of -1.
var ordinals = map[string]string{"first": "1", "second": "2", "third": "3", "fourth": "4", "last": "-1"}

// rule is the RRULE; empty for an event that does not repeat, or for a pattern that is not documented.
func (r *recurrence) rule() string {
	i := slices.IndexFunc(patterns, func(p pattern) bool { return p.kind == r.Pattern.Type })
	if i < 0 {
		return ""
	}
	p := patterns[i]
	parts := []string{"FREQ=" + p.freq}
	if r.Pattern.Interval > 1 {
		parts = append(parts, "INTERVAL="+strconv.Itoa(r.Pattern.Interval))
	}
	var days []string
	for _, day := range r.Pattern.DaysOfWeek {
		if len(day) > 1 {
			days = append(days, strings.ToUpper(day[:2]))
		}
	}
	if p.freq == "YEARLY" {
		parts = append(parts, "BYMONTH="+strconv.Itoa(r.Pattern.Month))
	}
	switch {
	case p.numbered && len(days) > 1:
		parts = append(parts, "BYDAY="+strings.Join(days, ","), "BYSETPOS="+ordinals[r.Pattern.Index])
	case p.numbered:
		parts = append(parts, "BYDAY="+ordinals[r.Pattern.Index]+strings.Join(days, ""))
	case p.freq == "WEEKLY":
		parts = append(parts, "BYDAY="+strings.Join(days, ","))
		if r.Pattern.Interval > 1 && len(r.Pattern.FirstDayOfWeek) > 1 {
			parts = append(parts, "WKST="+strings.ToUpper(r.Pattern.FirstDayOfWeek[:2]))
		}
	case p.freq != "DAILY":
		parts = append(parts, "BYMONTHDAY="+strconv.Itoa(r.Pattern.DayOfMonth))
	}
	switch r.Range.Type {
	case "numbered":
		parts = append(parts, "COUNT="+strconv.Itoa(r.Range.NumberOfOccurrences))
	case "endDate":
		parts = append(parts, "UNTIL="+r.last())
	}
	return strings.Join(parts, ";")
}

// last is the end of the last day in UTC, as an UNTIL; without a known zone the day itself.
func (r *recurrence) last() string {
	date, err := interval.ParseDate(r.Range.EndDate)
	loc, zoneErr := zoneNamed(r.Range.RecurrenceTimeZone)
	if err != nil || zoneErr != nil {
		return strings.ReplaceAll(r.Range.EndDate, "-", "")
	}
	return date.AddDays(1).Start(loc).Add(-time.Second).UTC().Format("20060102T150405Z")
}

// patterned is the RRULE of a series that starts at a time of the zone in which it repeats, in Graph's form. Graph has
// no form for some rules.
func patterned(rule string, start time.Time) (map[string]any, error) {
	part := map[string]string{}
	for one := range strings.SplitSeq(strings.ToUpper(rule), ";") {
		name, value, _ := strings.Cut(one, "=")
		part[name] = value
	}
	days, ordinal, err := daysIn(part["BYDAY"])
	every := numberOr(part["INTERVAL"], 1)
	freq := frequency(part, every)
	ordinal = strings.TrimPrefix(cmp.Or(part["BYSETPOS"], ordinal), "+")
	bare := freq != "WEEKLY" && ordinal == ""
	if err != nil || !understood(part) || bare && len(days) > 0 {
		return nil, fmt.Errorf("graph has no form for the rule %q", rule)
	}
	if len(days) == 0 {
		days = []string{strings.ToLower(start.Weekday().String())}
	}
	pattern := map[string]any{"interval": every, "firstDayOfWeek": "monday"}
	if first, _, err := daysIn(part["WKST"]); err == nil && len(first) == 1 {
		pattern["firstDayOfWeek"] = first[0]
	}
	for _, p := range patterns {
		if p.freq == freq && p.numbered == (ordinal != "") {
			pattern["type"] = p.kind
		}
	}
	if index := ordinalName(ordinal); index != "" {
		pattern["index"] = index
	}
	if !bare {
		pattern["daysOfWeek"] = days
	} else if freq != "DAILY" {
		pattern["dayOfMonth"] = numberOr(part["BYMONTHDAY"], start.Day())
	}
	if freq == "YEARLY" {
		pattern["month"] = numberOr(part["BYMONTH"], int(start.Month()))
	}
	if pattern["type"] == nil || ordinal != "" && pattern["index"] == nil {
		return nil, fmt.Errorf("graph has no form for the rule %q", rule)
	}
	return map[string]any{"pattern": pattern, "range": rangeOf(part, start)}, nil
}

// frequency is the rule's; that of every Monday, said as a daily rule, is weekly.
func frequency(part map[string]string, every int) string {
	if part["FREQ"] == "DAILY" && part["BYDAY"] != "" && every == 1 {
		return "WEEKLY"
	}
	return part["FREQ"]
}

// ordinalName is Graph's name of a number; empty without one.
func ordinalName(number string) string {
	for name, n := range ordinals {
		if n == number {
			return name
		}
	}
	return ""
}

// limits are the parts that Graph's pattern of a FREQ has a form for.
var limits = map[string][]string{
	"DAILY": {"BYDAY"}, "WEEKLY": {"BYDAY"}, "MONTHLY": {"BYDAY", "BYSETPOS", "BYMONTHDAY"},
	"YEARLY": {"BYDAY", "BYSETPOS", "BYMONTHDAY", "BYMONTH"},
}

// understood reports whether Graph has a form for all parts of a rule. Without BYMONTH the days of a yearly rule are
// those of every month (RFC 5545, 3.3.10).
func understood(part map[string]string) bool {
	known := append([]string{"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"}, limits[part["FREQ"]]...)
	for name := range part {
		if !slices.Contains(known, name) {
			return false
		}
	}
	of, day := part["BYDAY"]+part["BYSETPOS"], part["BYMONTHDAY"]
	if of != "" && day != "" || part["FREQ"] == "YEARLY" && of+day != "" && part["BYMONTH"] == "" {
		return false
	}
	return !strings.ContainsAny(day+part["BYMONTH"]+strings.TrimPrefix(part["BYSETPOS"], "-"), ",-")
}

func numberOr(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}

// rangeOf is the range of a rule.
func rangeOf(part map[string]string, start time.Time) map[string]any {
	zone := stampIn(start, start.Location().String()).TimeZone
	at := map[string]any{
		"type": "noEnd", "startDate": start.Format(time.DateOnly), "recurrenceTimeZone": zone,
	}
	if n, err := strconv.Atoi(part["COUNT"]); err == nil {
		at["type"], at["numberOfOccurrences"] = "numbered", n
	}
	if until := part["UNTIL"]; until != "" {
		last, err := time.ParseInLocation("20060102", until[:min(8, len(until))], start.Location())
		if utc, utcErr := time.Parse("20060102T150405Z", until); utcErr == nil {
			last, err = utc.In(start.Location()), nil
			// The last occurrence may be on a day whose time of the occurrence UNTIL does not reach.
			if of := time.Date(last.Year(), last.Month(), last.Day(), start.Hour(), start.Minute(), start.Second(), 0,
				start.Location()); of.After(utc) {
				last = last.AddDate(0, 0, -1)
			}
		}
		if err == nil {
			at["type"], at["endDate"] = "endDate", last.Format(time.DateOnly)
		}
	}
	return at
}

// daysIn are the weekdays of a BYDAY, and the number before them if it is the same.
func daysIn(list string) (days []string, ordinal string, err error) {
	if list == "" {
		return nil, "", nil
	}
	for i, one := range strings.Split(list, ",") {
		one = strings.TrimSpace(one)
		if len(one) < 2 {
			return nil, "", fmt.Errorf("%q is no weekday", one)
		}
		number, name := one[:len(one)-2], one[len(one)-2:]
		if i > 0 && number != ordinal {
			return nil, "", fmt.Errorf("%q has different numbers", list)
		}
		ordinal = number
		day := slices.IndexFunc([]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}, func(n string) bool { return n == name })
		if day < 0 {
			return nil, "", fmt.Errorf("%q is no weekday", one)
		}
		days = append(days, strings.ToLower(time.Weekday(day).String()))
	}
	return days, ordinal, nil
}
