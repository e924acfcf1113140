package clause

import (
	"cmp"
	"strings"
	"time"

	"convene/pkg/ground"
	"convene/pkg/plan"
	"convene/pkg/when"
)

// ahead reads a clause that asks for a reminder some time before the event that an earlier one is about. It is of the
// event as it is after the steps before.
func (r *reader) ahead(s state, text string) (state, bool) {
	if s.things == nil || s.things.kind != ground.Event || s.left != nil || r.gone(s) || !r.alone(s.things) {
		return s, false
	}
	for _, way := range r.waysAhead(text) {
		event := s.things.title
		s.add(step{
			Step: plan.Step{Tool: "task_createTask", HumanSummary: r.summary(text), DependsOn: []string{s.things.id}},
			arguments: arguments{
				"title":          cmp.Or(way.what, event),
				"reminderBefore": arguments{"event": event, "minutes": way.minutes},
			},
		}, false)
		s.mail = -1
		return s, true
	}
	return s, false
}

// reminder is how long before an event the user is reminded, and of what; empty if it is of the event itself.
type reminder struct {
	minutes int
	what    string
}

// waysAhead are the ways in which a clause asks for a reminder some time before, or on the day before, at the same
// hour.
func (r *reader) waysAhead(text string) (ways []reminder) {
	const day = 24 * 60
	marked := r.marked(text, map[when.Kind]rune{when.KindDuration: length, when.KindShift: shift})
	for _, f := range r.book.parse("ahead", marked, true) {
		said := r.said(r.values(f.all("before"), "ls")...)
		before := said.Shift
		minutes := int(said.Duration/time.Minute) - before.Minutes - day*(before.Days+7*before.Weeks)
		if f.count("before")+f.count("day") != 1 {
			continue
		}
		if f.has("day") {
			minutes = day
		}
		rest, open := f.open("what")
		what := ""
		if open {
			what = strings.TrimSpace(r.original(rest))
		}
		if minutes > 0 && (!open || what != "" && !markForm.MatchString(rest)) {
			ways = append(ways, reminder{minutes, what})
		}
	}
	return ways
}

// alone reports whether what a step gave is the only event that will have its title, so that this is enough to name it.
func (r *reader) alone(of *source) bool {
	n := 0
	for _, t := range r.Things {
		if t.Kind == ground.Event && t.Span.End.After(r.Now) && strings.EqualFold(t.Title, of.title) {
			n++
		}
	}
	if creates[of.tool] {
		n++
	}
	return of.title != "" && n == 1
}
