package clause

import (
	"maps"
	"strings"

	"convene/pkg/plan"
)

// about reads a clause that asks for nothing, and tells what others are about.
func (r *reader) about(s state, text string) (state, bool) {
	for _, kind := range []struct {
		frame string
		read  func(state, filled) (state, bool)
	}{{"reach", r.reached}, {"unmet", r.unmet}, {"maybe", r.suspected}, {"matters", r.mattering}} {
		for _, f := range r.book.parse(kind.frame, text, true) {
			if after, ok := kind.read(s, f); ok {
				return after, true
			}
		}
	}
	return s, false
}

// reached is a person's address: "her address is …". It holds for the whole message.
func (r *reader) reached(s state, f filled) (state, bool) {
	anywhere := s
	anywhere.left = nil
	who, ok := r.whom(anywhere, f.all("head"))
	at := r.values(f.all("at"), "aq")
	if !ok || len(who.names) != 1 || len(at) != 1 || !strings.Contains(at[0], "@") {
		return s, false
	}
	known := maps.Clone(s.address)
	if known == nil {
		known = map[string]string{}
	}
	known[who.names[0]] = strings.Trim(at[0], "'. ")
	s.address = known
	return s, true
}

// unmet is whom the user has not met for long: "i haven't seen al in a while".
func (r *reader) unmet(s state, f filled) (state, bool) {
	who, ok := r.whom(s, f.all("who"))
	if !ok || len(who.names) != 1 {
		return s, false
	}
	s.met = who.names[0]
	s.name(who.names)
	return s, true
}

// suspected is who may have tasks, which a later clause asks to check.
func (r *reader) suspected(s state, f filled) (state, bool) {
	who, ok := r.whom(s, f.all("who"))
	if !ok || len(who.names) != 1 || !f.has("tasks") {
		return s, false
	}
	selection := arguments{"assignee": who.names[0]}
	if f.has("overdue") {
		selection["overdue"] = true
	}
	q := question{people: who.names}
	q.Step, q.arguments = plan.Step{Tool: "task_viewTasks"}, arguments{"selection": selection}
	r.asks(&s, q, false)
	return s, true
}

// mattering is an event that others should know of.
func (r *reader) mattering(s state, f filled) (state, bool) {
	words, ok := f.open("what")
	if !ok {
		return s, false
	}
	_, ok = r.described(&s, words)
	return s, ok
}
