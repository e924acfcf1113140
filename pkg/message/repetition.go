package message

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Repetition is an RRULE (RFC 5545, 3.3.10) in words: "every week on Monday and Friday until March 3". A rule with
// parts that it has no words for stands as it is, escaped; an empty one is empty.
func (v Voice) Repetition(rule string) string {
	parts := map[string]string{}
	for part := range strings.SplitSeq(strings.ToUpper(rule), ";") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	text, frequency := "", parts["FREQ"]
	if n := parts["INTERVAL"]; n == "" || n == "1" {
		text = v.say("every." + frequency)
	} else if _, err := strconv.Atoi(n); err == nil {
		text = v.say("each."+frequency, "n", n)
	}
	for name, value := range parts {
		known := slices.Contains([]string{"FREQ", "INTERVAL", "WKST", "COUNT", "UNTIL"}, name)
		if name == "BYDAY" {
			text, known = v.onWeekdays(text, value)
		}
		if !known {
			return v.caption(rule, titleLimit)
		}
	}
	if text == "" {
		return v.caption(rule, titleLimit)
	}
	if n := parts["COUNT"]; n != "" {
		text = v.say("times", "rule", text, "n", n)
	}
	if until := parts["UNTIL"]; until != "" {
		day, err := time.Parse("20060102T150405Z", until)
		if err != nil {
			day, err = time.ParseInLocation("20060102", until[:min(len(until), 8)], v.now.Location())
		}
		if err != nil {
			return v.caption(rule, titleLimit)
		}
		text = v.say("until", "rule", text, "day", v.Day(day))
	}
	return text
}

// weekdayCodes are the weekdays of RFC 5545, from Sunday.
var weekdayCodes = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// onWeekdays adds weekdays to the words of a rule; known is false if a code is not a plain weekday.
func (v Voice) onWeekdays(text, codes string) (with string, known bool) {
	var days []string
	for code := range strings.SplitSeq(codes, ",") {
		day := slices.Index(weekdayCodes, code)
		if day < 0 {
			return text, false
		}
		days = append(days, v.tongue.names.Weekdays[day])
	}
	return v.say("byDay", "rule", text, "days", v.List(days)), true
}
