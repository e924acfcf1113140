package ground

import (
	"fmt"
	"slices"
	"strings"

	"convene/pkg/interval"
)

// rhythms are words for how often an event repeats, with their rules; the first one that is said counts.
var rhythms = []struct{ words, rule string }{
	{"fortnightly", "FREQ=WEEKLY;INTERVAL=2"}, {"workdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"}, {"daily", "FREQ=DAILY"},
	{"weekly", "FREQ=WEEKLY"}, {"monthly", "FREQ=MONTHLY"}, {"yearly", "FREQ=YEARLY"},
}

// repeat makes an event repeat, or ends that it does.
func (r *reading) repeat() (string, arguments) {
	events := r.of(Event)
	if len(events) != 1 || len(events[0].things) == 0 {
		return "", nil
	}
	if tool, call, ofSeries := r.atAnotherHour(); ofSeries {
		return tool, call
	}
	m := events[0]
	if m.described {
		r.narrow(m, 1)
	}
	rule := r.rhythm()
	if r.says("ending") || rule == "" && slices.ContainsFunc(r.times, func(t timed) bool { return t.Before != nil }) {
		return r.endSeries(m)
	}
	if rule == "" {
		return "", nil
	}
	until, ok := r.until()
	if !ok {
		return "", nil
	}
	return "calendar_updateEvents", r.selecting(Event, arguments{"set": arguments{"recurrence": rule + until}})
}

// endSeries ends that an event repeats: at all, or from a day on, when later ones are deleted.
func (r *reading) endSeries(m *mention) (string, arguments) {
	points := r.points()
	if len(points) == 0 {
		return "calendar_updateEvents", r.selecting(Event, arguments{"set": arguments{"recurrence": ""}})
	}
	if len(points) != 1 || len(points[0].Dates) != 1 || m.things[0].Series == "" {
		return "", nil
	}
	from := points[0].Dates[0].Start
	if points[0].Before != nil {
		from = *points[0].Before
	} else if r.says("after") {
		from = points[0].Dates[0].End.AddDays(1)
	}
	later := keep(m.things, func(t Thing) bool { return !r.dayOf(t).Before(from) })
	if points[0].used = len(later) > 0; !points[0].used {
		return "", nil
	}
	m.meant, m.which = later[:1], false
	return "calendar_deleteEvents", r.selecting(Event, arguments{"scope": "following"})
}

// rhythm is the rule of how often an event is to repeat; none if the message does not tell one.
func (r *reading) rhythm() string {
	text := r.masked()
	for _, one := range rhythms {
		at := words()[one.words].FindStringIndex(text)
		ofWeek := func(t timed) bool { // "כל יום ראשון" is no day of each week
			return one.words == "daily" && len(t.Dates) > 1 && len(t.weekdays()) == 1 && t.from < at[1] && at[0] < t.to
		}
		if at == nil || slices.ContainsFunc(r.times, ofWeek) {
			continue
		}
		for i := range r.times {
			t := &r.times[i]
			t.used = t.used || t.from < at[1] && at[0] < t.to
		}
		return one.rule
	}
	for i := range r.times {
		t := &r.times[i]
		rule := t.interval()
		if rule == "" && len(t.Dates) > 1 && t.Before == nil {
			rule = "FREQ=WEEKLY;BYDAY=" + weekdays(t.Dates)
			if form("every other").MatchString(r.Text) {
				rule = strings.Replace(rule, ";", ";INTERVAL=2;", 1)
			}
		}
		if rule != "" && r.isEvery(*t) {
			t.used = true
			return rule
		}
	}
	return ""
}

// interval is the rule of something that is every so many days or weeks.
func (t timed) interval() string {
	switch n := t.Days; {
	case n == 0:
		return ""
	case n%7 == 0:
		return strings.TrimSuffix(fmt.Sprintf("FREQ=WEEKLY;INTERVAL=%d", n/7), ";INTERVAL=1")
	default:
		return strings.TrimSuffix(fmt.Sprintf("FREQ=DAILY;INTERVAL=%d", n), ";INTERVAL=1")
	}
}

// isEvery reports whether a time is one of each week or so.
func (r *reading) isEvery(t timed) bool {
	return words()["every"].MatchString(t.text) || words()["every"].MatchString(r.before(t.from))
}

// weekdays are those of some days, as rules call them.
func weekdays(dates []interval.DateRange) string {
	var names []string
	for _, d := range dates {
		name := strings.ToUpper(d.Start.Weekday().String()[:2])
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// until is the end of a series that a message names, as a part of its rule. Ok is false if it says another time.
func (r *reading) until() (rule string, ok bool) {
	for _, t := range r.points() {
		if t.Before == nil || rule != "" {
			return "", false
		}
		t.used, rule = true, r.untilDay(*t.Before)
	}
	return rule, true
}
