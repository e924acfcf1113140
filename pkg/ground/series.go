package ground

import (
	"strings"
	"time"

	"convene/pkg/interval"
)

// Series is how something happens again and again: its rule (RFC 5545, 3.3.10), and when it first does, as local time.
// Open says that nothing tells the half of the day of its hour.
type Series struct {
	Rule, Start string
	Open        bool
}

// SeriesOf is the series that a message asks for, at a time that it names: "choir every other Monday at 6 pm, starting
// next week, till the end of March". It is false if the message says no such thing, or something else of time.
func SeriesOf(m Message) (Series, bool) {
	r := newReading(m)
	r.readTimes()
	rule, until, clock := r.weeklyRule(), "", (*interval.Clock)(nil)
	today := interval.DateOf(r.Now)
	from, open := today, false
	for _, t := range r.times {
		switch {
		case t.Exact != nil && clock == nil && (t.used || len(t.Dates) == 0):
			clock, open = t.Exact, t.open
		case t.used, t.isLength():
		case t.Before != nil && until == "":
			until = r.untilDay(*t.Before)
		case len(t.Dates) == 1 && t.Exact == nil && from == today && until == "":
			from = t.Dates[0].Start
			goesOn := form("onward").MatchString(r.before(t.from) + " " + t.text)
			if !goesOn || words()["until"].MatchString(t.text) {
				until = r.untilDay(t.Dates[0].End.AddDays(1)) // "in December"
			}
		default:
			return Series{}, false
		}
	}
	if rule == "" || clock == nil || r.says("except") || r.says("excepted") || form("uncounted").MatchString(r.Text) {
		return Series{}, false
	}
	if from == today && *clock <= interval.ClockOf(r.Now) {
		from = from.AddDays(1)
	}
	for i := 0; i < 7 && !onRule(rule, from); i++ {
		from = from.AddDays(1)
	}
	return Series{rule + until, from.String() + "T" + clock.String(), open}, true
}

// untilDay is the end of a series before a day, as a part of its rule.
func (r *reading) untilDay(before interval.Date) string {
	end := before.Start(r.Now.Location()).Add(-time.Second).UTC()
	return ";UNTIL=" + end.Format("20060102T150405Z")
}

// weeklyRule is the rule of something that is every day, or on days of every week or every other; empty for any other.
func (r *reading) weeklyRule() string {
	rule := r.rhythm()
	if weekly := r.ofEachWeek(); rule == "" && len(weekly) == 1 {
		weekly[0].use()
		rule = "FREQ=WEEKLY;BYDAY=" + strings.ToUpper(strings.Join(shortened(weekly[0].days), ","))
	}
	if strings.HasPrefix(rule, "FREQ=DAILY") || strings.Contains(rule, "BYDAY") {
		return rule
	}
	return ""
}

// shortened are the names of weekdays as rules have them, but for their case.
func shortened(days []string) (names []string) {
	for _, day := range days {
		names = append(names, day[:2])
	}
	return names
}

// onRule reports whether a rule has a day, as far as it names weekdays.
func onRule(rule string, day interval.Date) bool {
	_, days, named := strings.Cut(rule, "BYDAY=")
	return !named || strings.Contains(days, strings.ToUpper(day.Weekday().String()[:2]))
}
