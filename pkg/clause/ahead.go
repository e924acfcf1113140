package clause

import (
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
	for _, minutes := range r.minutesAhead(text) {
		title := s.things.title
		s.add(step{
			Step: plan.Step{Tool: "task_createTask", HumanSummary: r.summary(text), DependsOn: []string{s.things.id}},
			arguments: arguments{
				"title": title, "reminderBefore": arguments{"event": title, "minutes": minutes},
			},
		}, false)
		s.mail = -1
		return s, true
	}
	return s, false
}

// minutesAhead are the ways in which a clause asks for a reminder some minutes before; none if it asks for none.
func (r *reader) minutesAhead(text string) (ways []int) {
	text = r.marked(text, map[when.Kind]rune{when.KindDuration: length, when.KindShift: shift})
	for _, f := range r.book.parse("ahead", text, true) {
		said := r.said(r.values(f.all("before"), "ls")...)
		before := said.Shift
		minutes := int(said.Duration/time.Minute) - before.Minutes - 24*60*(before.Days+7*before.Weeks)
		if f.count("before") == 1 && minutes > 0 {
			ways = append(ways, minutes)
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
