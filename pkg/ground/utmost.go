package ground

import (
	"cmp"
	"slices"
	"time"
)

// utmost shows which of the events or tasks that were listed last is the longest, the shortest, the first or the last:
// "which one's the longest?". Several that are alike are all shown.
func utmost(m Message) Reading {
	order := orderAsked(m.Text)
	listed := keep(m.Things, func(t Thing) bool { return slices.Contains(m.Listed, t.ID) })
	if order == nil || len(listed) < 2 || len(listed) != len(m.Listed) {
		return Reading{}
	}
	tool, others := utmostBy[listed[0].Kind], func(t Thing) bool { return t.Kind != listed[0].Kind }
	listed = keep(listed, func(t Thing) bool { return order(t) != unordered })
	if tool == "" || slices.ContainsFunc(listed, others) || len(listed) == 0 {
		return Reading{}
	}
	best, ids := slices.MinFunc(listed, func(a, b Thing) int { return cmp.Compare(order(a), order(b)) }), []string{}
	for _, t := range listed {
		if order(t) == order(best) {
			ids = append(ids, t.ID)
		}
	}
	read := undoubted("ask_utmost", tool, arguments{"selection": arguments{"ids": ids}})
	read.Reads = true
	return read
}

// utmostBy are the tools that show things of a kind.
var utmostBy = map[Kind]string{Event: "calendar_findEvents", Task: "task_viewTasks"}

// unordered is where a thing stands of which nothing is known.
const unordered = time.Duration(-1 << 62)

// orderAsked is where a thing stands in the order that a question asks for, whose first is meant; nil for any other
// message.
func orderAsked(text string) func(Thing) time.Duration {
	at := form("which is").FindStringIndex(text)
	if at == nil {
		return nil
	}
	for name, order := range orders {
		if words()[name].MatchString(text[at[0]:at[1]]) {
			return order
		}
	}
	return nil
}

// orders are by the names of words.
var orders = map[string]func(Thing) time.Duration{
	"longest":  func(t Thing) time.Duration { return -t.takes() },
	"shortest": Thing.takes,
	"earliest": Thing.begins,
	"latest": func(t Thing) time.Duration {
		if t.begins() == unordered {
			return unordered
		}
		return -t.begins()
	},
}

// takes is how long an event or a task takes.
func (t Thing) takes() time.Duration {
	if t.Kind == Event {
		return t.Span.Duration()
	}
	return time.Duration(t.Minutes) * time.Minute
}

// begins is when an event begins, or a task is due, as it can be compared with others.
func (t Thing) begins() time.Duration {
	at := t.Span.Start
	if t.Kind == Task {
		var err error
		if at, err = time.Parse(time.RFC3339, t.Due); err != nil {
			at, _ = time.Parse(time.DateOnly, t.Due)
		}
	}
	if at.IsZero() {
		return unordered
	}
	return time.Duration(at.Unix()) * time.Second
}
