package ground

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// recurring is the rule of what is to be done again and again, and when it is first; empty if the message says none.
func (r *reading) recurring() (rule, first string) {
	each := func(t timed) bool { return len(t.Dates) > 1 && r.isEvery(t) }
	if !r.says("every") && !slices.ContainsFunc(r.times, each) {
		return "", ""
	}
	day, clock := interval.DateOf(r.Now), ""
	for i := range r.times {
		if t := &r.times[i]; !t.used && !t.isLength() {
			if t.Exact != nil {
				clock, t.used = "T"+t.Exact.String(), len(t.Dates) == 0
			}
			if past := t.Exact != nil && *t.Exact <= interval.ClockOf(r.Now); len(t.Dates) > 0 {
				first := slices.IndexFunc(t.Dates, func(d interval.DateRange) bool { return d.Start != day || !past })
				day = t.Dates[max(first, 0)].Start
			} else if past {
				day = day.AddDays(1)
			}
			clock = cmp.Or(clock, t.beginsOn(day))
		}
	}
	if rule = r.rhythm(); rule == "" {
		return "", ""
	}
	return rule, day.String() + clock
}

// beginsOn is the clock time at which the part of a day begins that is said: "every Sunday evening".
func (t *timed) beginsOn(day interval.Date) string {
	hours := t.windows(day)
	if t.Exact != nil || len(hours) == 0 || hours[0].Start == 0 {
		return ""
	}
	t.used = len(t.Dates) == 0
	return "T" + hours[0].Start.String()
}

// setRhythm says of a new task by which rule it is to be done again, and when it is first.
func (r *reading) setRhythm(all arguments, rule, first string) {
	if rule == "" {
		return
	}
	all["recurrence"], all["dueDate"] = rule, first
	if r.says("remind") {
		all["dueDate"], all["reminder"] = first[:len(time.DateOnly)], first
	}
}

// afterColon is a task that stands after a word for one and a colon, without what is said of it after a comma: "task:
// call the bank, by friday, 15 minutes".
func (r *reading) afterColon() (title string, ok bool) {
	at := strings.Index(r.Text, ":")
	if at < 0 || !r.says("plainly task_create") {
		return "", false
	}
	from := len(r.Text) - len(strings.TrimLeft(r.Text[at+1:], " "))
	to := len(strings.TrimRight(r.Text, around))
	comma := from + commaIn(r.Text[from:])
	set := func(w word) bool {
		return slices.ContainsFunc(r.times, func(t timed) bool { return t.from <= w.from && w.to <= t.to }) ||
			onlySays(w.lower, "due", "takes", "ranked", "low", "medium", "high", "small", "until", "about")
	}
	if !slices.ContainsFunc(r.words, func(w word) bool { return w.from >= comma && !set(w) }) {
		to = min(to, comma)
	}
	return r.takeOwn([]int{from, to}), to > from
}

// weeksOn is by how many days the tasks of one week move to another: each keeps its day of the week. It is 0 if the
// message moves none so.
func (r *reading) weeksOn() int {
	points := r.points()
	if len(r.found) != 1 || len(points) != 1 || points[0].day() != nil || len(points[0].Dates) != 1 {
		return 0
	}
	from, _ := r.found[0].group["dueFrom"].(string)
	to, _ := r.found[0].group["dueTo"].(string)
	first, err := interval.ParseDate(from)
	last, wrong := interval.ParseDate(to)
	if err != nil || wrong != nil || monday(first) != monday(last) || first == last {
		return 0
	}
	points[0].used = true
	return monday(first).DaysUntil(monday(points[0].Dates[0].Start))
}
