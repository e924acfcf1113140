package ground

import (
	"slices"
	"strings"
)

// openOf are the tasks of one title that are open, or else all of them.
func openOf(tasks []Thing) []Thing {
	if open := keep(tasks, func(t Thing) bool { return !t.Done }); len(open) > 0 {
		return open
	}
	return tasks
}

// isOf reports whether a task is a person's.
func (t Thing) isOf(p said) bool {
	return t.Kind == Task && t.Assignee != "" &&
		(strings.EqualFold(t.Assignee, p.text) || strings.EqualFold(t.Assignee, p.address))
}

// ofPerson narrows tasks of one title to those of the person whose they are called: "noa's 'call the bank'". These
// words belong to the name then. If the person has other tasks and none of that title, none is meant.
func (r *reading) ofPerson(m *mention) {
	m.meant = openOf(m.things)
	i := slices.IndexFunc(r.people, func(p said) bool { return r.owns(p, *m) })
	if i < 0 {
		return
	}
	p := r.people[i]
	theirs := func(t Thing) bool { return t.isOf(p) }
	if !slices.ContainsFunc(r.Things, theirs) {
		return // "Al's present" is what the user has to do
	}
	if own := keep(m.things, theirs); len(own) > 0 {
		m.things, m.meant = own, openOf(own)
	} else {
		m.meant, m.missed = nil, true
	}
	for k, w := range r.words {
		if p.from < w.to && w.from < p.to {
			m.words = append(m.words, k)
		}
	}
	slices.Sort(m.words)
	r.people = slices.Delete(r.people, i, i+1)
}

// owns reports whether a person is called the one who has what is named: right before it, or after it.
func (r *reading) owns(p said, m mention) bool {
	first, last := r.words[m.words[0]], r.words[m.words[len(m.words)-1]]
	if p.to <= first.from {
		return form("whose before").MatchString(r.Text[p.to:first.from])
	}
	return last.to <= p.from && form("whose after").MatchString(r.Text[last.to:p.from])
}

// granted narrows the tasks that are named to those of the person who is given more time for them: "give noa another
// week for the report".
func (r *reading) granted() {
	if !r.grants() {
		return
	}
	p := &r.people[0]
	for _, m := range r.of(Task) {
		own := keep(m.things, func(t Thing) bool { return t.isOf(*p) })
		switch {
		case m.group != nil && m.group["assignee"] == nil:
			m.group["assignee"], p.used = p.text, true
		case m.group == nil && len(own) > 0:
			m.things, m.meant, p.used = own, openOf(own), true
			m.which = len(m.meant) > 1
		}
	}
}

// grants reports whether the one person who is named is given more time.
func (r *reading) grants() bool {
	return len(r.people) == 1 && len(r.of(Task)) > 0 && form("granting").MatchString(r.delexicalized())
}

// estimate says how long tasks take, or that somebody has so much longer for them.
func (r *reading) estimate() (string, arguments) {
	if r.grants() {
		return r.due()
	}
	return setTasks("estimatedMinutes", (*reading).minutes)(r)
}
