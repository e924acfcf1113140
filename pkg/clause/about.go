package clause

import (
	"maps"
	"slices"
	"strings"

	"convene/pkg/ground"
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

// isAside reports whether a clause only tells something before what its sentence asks for: "my knee hurts". It asks for
// nothing itself, and nothing hangs on it.
func (r *reader) isAside(s state, c clause) bool {
	first := c.parted && len(c.inner) == 0 && s.branch == nil && len(s.steps) == s.first
	if !first || r.hearsay(c.text) {
		return first
	}
	if !r.book.is("aside", c.text) || r.book.is("binding", c.text) || r.book.is("keeping", c.text) {
		return false
	}
	deed, likely := r.deed(s, c.text)
	return deed == "none" && likely >= hardly && len(strings.Fields(c.text)) >= leastAside
}

// remark leaves a clause aside in which the user only tells something, as the answer says then: "I'm taking my mom to
// the airport". What it says of time is meant by what follows. One that may tell more of a new event, or be words of
// the mail, the task or the note before it, is none.
func (r *reader) remark(s state, c clause) (state, bool) {
	wonders := r.book.is("wonders", c.text)
	aside := len(strings.Fields(c.text)) >= leastAside && !c.joined && r.onlyTells(c.text, ground.LeastTold)
	tells := len(c.inner) == 0 && (aside || r.book.is("remark", c.text)) &&
		!r.book.is("binding", c.text) && !r.book.is("spares", c.text)
	if !c.parted || s.branch != nil || !wonders && !tells || slices.ContainsFunc(s.steps, step.proposes) {
		return s, false
	}
	said := r.values(r.timed(c.text), "t")
	for words := strings.Fields(c.text); len(said) == 0 && len(words) > 0; words = words[1:] {
		if rest := strings.Join(words, " "); len(r.said(rest).Dates) == 1 {
			said = []string{rest} // "I'm out on Friday", which alone rules the day out
		}
	}
	if len(s.steps) > s.first {
		last := s.steps[len(s.steps)-1]
		written := last.Tool == "calendar_notifyAttendees" || last.Tool == "email_compose" ||
			slices.Contains(ownWords, last.Tool)
		if written || len(said) > 0 {
			return s, false
		}
	}
	if len(said) > 0 {
		s.moment = strings.Join(said, " ")
	}
	s.heard, s.remarks = true, append(slices.Clip(s.remarks), r.original(c.text))
	s.name(r.values(c.text, "p"))
	return s, true
}

// onlyTells reports whether a clause only tells something, with a probability.
func (r *reader) onlyTells(text string, least float64) bool {
	m := r.Message
	m.Text = r.original(text)
	if _, known := r.told[m.Text]; !known {
		r.told[m.Text] = ground.Told(m)
	}
	return r.told[m.Text] >= least
}

// mayMatter reports whether what was left aside may be meant by the one step that is left: an event is proposed with
// the words that say nothing of it, and a look may be of the time that is said.
func (r *reader) mayMatter(end state) bool {
	timely := func(remark string) bool { return len(r.said(remark).Entities) > 0 }
	only := end.steps[0]
	return len(end.remarks) > 0 && (only.proposes() || reads[only.Tool] && slices.ContainsFunc(end.remarks, timely))
}

// remarkedDay is the day which a remark is about that begins the message; empty if no remark does, or it is of none.
func (r *reader) remarkedDay(s state) string {
	if len(s.remarks) == 0 || len(s.steps) > 0 {
		return ""
	}
	return s.day(r)
}

// ofThatDay are the words of a clause that means all of the day which a remark before it is about, with that day: "I'm
// off on Friday. Clear the whole day". The remark is taken into account then. Any other clause stays as it is.
func (r *reader) ofThatDay(s state, text string) (state, string) {
	all, day := r.book.forms["allday"], r.remarkedDay(s)
	if day == "" || !all.MatchString(text) {
		return s, text
	}
	s.remarks = nil
	return s, all.ReplaceAllString(text, "${1}"+r.book.say("everything", "{day}", day))
}

// leastAside is how many words such a clause has at least: a name alone is part of what stands before it.
const leastAside = 3

// hearsay reports whether a clause only tells what someone else says.
func (r *reader) hearsay(text string) bool {
	m := r.Message
	m.Text = r.original(text)
	return ground.Hearsay(m)
}

// quietly reads a clause that says, at least at its end, that nobody is to hear of what is done: "cancel it but don't
// tell anyone". It does not read one if somebody would hear of it all the same.
func (r *reader) quietly(s state, c clause) (state, bool) {
	at := r.book.forms["quiet"].FindStringIndex(c.text)
	if at == nil {
		return s, false
	}
	if c.text = c.text[:at[0]]; c.text != "" {
		after, ok := r.single(s, c)
		if !ok {
			return s, false
		}
		s = after
	}
	s.heard = true
	return s, r.unheard(s)
}

// unheard reports whether nobody else would hear of the last step, so that nobody has to be kept from it.
func (r *reader) unheard(s state) bool {
	if len(s.steps) == 0 {
		return false
	}
	last := s.steps[len(s.steps)-1]
	if family(last.Tool) != "calendar" {
		return slices.Contains([]string{"schedule", "list", "note"}, family(last.Tool))
	}
	selection, _ := last.arguments["selection"].(arguments)
	ids, _ := selection["ids"].([]any)
	var named []string
	for _, id := range ids {
		text, _ := id.(string)
		named = append(named, text)
	}
	meant := r.meant(selection, named)
	return len(meant) > 0 && !slices.ContainsFunc(meant, func(t ground.Thing) bool { return len(t.Guests) > 0 })
}

// earlier reads a clause that is to be done before the one that stands before it: "archive it, but before that make a
// task of it".
func (r *reader) earlier(s state, c clause, text string) (ways []state) {
	c.text, c.sentence = text, false
	late := func(t step) bool {
		return slices.ContainsFunc(s.steps[s.last:], func(o step) bool { return o.ID == t.ID && !reads[o.Tool] })
	}
	for _, way := range r.clause(s, c) {
		made, err := way.plan("")
		var first, then []step
		for i, t := range way.steps {
			if err == nil && late(t) {
				then = append(then, t)
				continue
			}
			if first = append(first, t); err != nil || slices.ContainsFunc(made.Steps[i].Needs(), func(id string) bool {
				return slices.ContainsFunc(then, func(o step) bool { return o.ID == id })
			}) {
				then = nil // it needs what is to be done after it
				break
			}
		}
		if len(then) == 0 || s.left != nil {
			continue
		}
		then[0].DependsOn = append(slices.Clone(then[0].DependsOn), first[len(first)-1].ID)
		way.steps, way.mail = append(first, then...), -1
		ways = append(ways, way)
	}
	return ways
}
