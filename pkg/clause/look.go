package clause

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"convene/pkg/ground"
	"convene/pkg/plan"
)

// has is whether there is something that a question of its own would show.
func (r *reader) has(s state, f filled) (q question, ok bool) {
	what, ok := f.open("what")
	if !ok {
		return q, false
	}
	if q, ok = r.asked(r.book.say("ask", "{what}", what)); !ok || r.holdsDeed(what) {
		return q, false
	}
	q.people = r.values(what, "p")
	if said := r.values(r.timed(what), "t"); len(said) > 0 {
		q.moment = strings.Join(said, " ")
	}
	return q, r.quantity(&q, f)
}

// asked is whether a question, as the user put it, shows anything.
func (r *reader) asked(text string) (q question, ok bool) {
	call, ok := r.ask(state{}, r.original(text))
	var given arguments
	if !ok || !reads[call.Tool] || gives[call.Tool] == ground.Nothing || json.Unmarshal(call.Arguments, &given) != nil {
		return q, false
	}
	delete(given, "aspect")
	q.Tool, q.arguments = call.Tool, bare(given)
	return q, true
}

// holdsDeed reports whether words end with an operation on things that stand: then they are not only a condition.
func (r *reader) holdsDeed(words string) bool {
	return slices.ContainsFunc(wordEnds(words), func(end int) bool {
		call, ok := r.ask(state{}, r.original(trimmed(words[end:])))
		return ok && !reads[call.Tool] && !creates[call.Tool]
	})
}

// quantity reads how much there has to be.
func (r *reader) quantity(q *question, f filled) bool {
	said := f.all("number")
	words := strings.Fields(said)
	number := 0
	if len(words) > 0 {
		last := words[len(words)-1]
		number = cmp.Or(r.book.number(last), r.book.number(strings.TrimLeft(last, "מ-")))
	}
	none := r.book.is("not", f.all("head"))
	switch {
	case r.book.is("none", said) || none && (said == "" || r.book.is("some", said)):
		q.negated = true
	case none:
		return false // "does not have more than three"
	case said == "" || r.book.is("some", said):
	case number == 0:
		return false
	case r.book.is("morethan", said):
		q.more = number
	case r.book.is("atleast", said):
		q.more = number - 1
	case r.book.is("fewerthan", said):
		q.more, q.negated = number-1, true
	default:
		return false
	}
	return true
}

// described are the events that words describe, as a question for their time would show them.
func (r *reader) described(s *state, words string) (*source, bool) {
	if r.book.is("it", words) {
		return s.things, s.things != nil && s.things.kind == ground.Event && s.left == nil
	}
	m := r.Message
	m.Text, m.Last, m.Listed, m.Before = r.book.say("when", "{what}", r.original(words)), nil, nil, ground.Call{}
	call, ok := r.rules(m, ground.Nothing)
	var given arguments
	if !ok || call.Tool != "calendar_findEvents" || json.Unmarshal(call.Arguments, &given) != nil || !r.believes(call) {
		return nil, false
	}
	delete(given, "aspect")
	if selection, _ := given["selection"].(arguments); selection["titleHas"] != nil && selection["window"] == nil {
		selection["order"], selection["first"] = "start", 1 // the next one of that name
	}
	id := s.add(step{
		Step: plan.Step{Tool: call.Tool, HumanSummary: r.book.say("find")}, arguments: bare(given),
	}, true)
	s.give(r.source(id, call.Tool, ground.Event, given))
	return s.things, true
}

// meetingsOn finds the events of a time, and whoever takes part in them: "everyone i'm meeting on monday".
func (r *reader) meetingsOn(s *state, words string) (*source, bool) {
	call, ok := r.ask(state{}, r.book.say("ask", "{what}", r.book.phrases["meetings"]+" "+r.original(words)))
	var given arguments
	if !ok || call.Tool != "calendar_findEvents" || json.Unmarshal(call.Arguments, &given) != nil {
		return nil, false
	}
	selection, _ := given["selection"].(arguments)
	if delete(given, "aspect"); selection["window"] == nil {
		return nil, false
	}
	if of := s.things; of != nil && of.kind == ground.Event && s.left == nil {
		earlier, _ := of.arguments["selection"].(arguments)
		if sameWindow(earlier["window"], selection["window"]) {
			return of, true // those that are cancelled, before they are
		}
	}
	id := s.add(step{
		Step: plan.Step{Tool: call.Tool, HumanSummary: r.book.say("find")}, arguments: bare(given),
	}, true)
	s.give(r.source(id, call.Tool, ground.Event, given))
	return s.things, true
}

// sameWindow reports whether two windows are the same time, however their days are written.
func sameWindow(a, b any) bool {
	text := func(of any) string {
		raw, _ := json.Marshal(of)
		return strings.ReplaceAll(string(raw), "T00:00", "")
	}
	return a != nil && text(a) == text(b)
}
