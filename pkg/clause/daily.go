package clause

import (
	"strings"

	"convene/pkg/interval"
	"convene/pkg/plan"
)

// mostDays is how many days a question is asked of, one by one.
const mostDays = 7

// daily reads a question which of several days has a free evening: it is asked of each day.
func (r *reader) daily(s state, text string) (state, bool) {
	if len(s.steps) > 0 {
		return s, false
	}
	at := r.book.forms["freepart"].FindStringSubmatch(r.original(text))
	if at == nil {
		return s, false
	}
	hours := r.said(r.book.say("within", "{part}", at[1])).Hours
	if len(hours.Week[0]) != 1 {
		return s, false
	}
	between := arguments{
		"start": hours.Week[0][0].Start.String(), "end": min(hours.Week[0][0].End, interval.EndOfDay-1).String(),
	}
	for _, day := range r.daysOf(text) {
		given := arguments{"date": day.String(), "between": between}
		s.add(step{Step: plan.Step{Tool: "schedule_findGaps", HumanSummary: r.summary(text)}, arguments: given}, false)
	}
	return s, true
}

// daysOf are the days that a question is about, from today on: those that it names, or the next ones.
func (r *reader) daysOf(text string) (days []interval.Date) {
	today := interval.DateOf(r.Now)
	ranges := r.said(strings.Join(r.values(r.timed(text), "t"), " ")).Dates
	if len(ranges) == 0 {
		ranges = []interval.DateRange{{Start: today, End: today.AddDays(mostDays - 1)}}
	}
	for _, some := range ranges {
		for day := some.Start; !some.End.Before(day) && len(days) < mostDays; day = day.AddDays(1) {
			if !day.Before(today) {
				days = append(days, day)
			}
		}
	}
	return days
}
