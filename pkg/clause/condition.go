package clause

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/plan"
	"convene/pkg/when"
)

// question is what a condition asks of a tool: it holds if the tool gives something, or more than n; negated, if not.
// Meets says that it is about meeting the people.
type question struct {
	step
	more    int
	negated bool
	people  []string
	meets   bool
	moment  string
}

// conditional reads a clause that is a condition. One at the end of a sentence holds for all of it.
func (r *reader) conditional(s state, c clause) (state, bool) {
	name, n := r.book.opening(c.text, "check", "unless", "if")
	text := trimmed(c.text[n:])
	if name == "check" {
		if text == "" {
			return s.checks()
		}
		if _, n = r.book.opening(text, "if"); n == 0 {
			return s, false
		}
		text = trimmed(text[n:])
	}
	more := name == "" && s.condition != nil && !c.sentence && s.deedsIn() == 0 && s.branch != nil
	if name == "" && !more {
		return s, false
	}
	q, ok := r.question(s, text)
	if !ok || s.left != nil && name == "" {
		return s, false
	}
	q.negated = q.negated != (name == "unless")
	if q.negated && q.Tool == "calendar_findTimes" && len(q.people) > 0 {
		return s, false // there is no time either if only the user is busy
	}
	if more && (q.negated || s.condition.yes.Is == plan.Empty) {
		return s, false // a step that was skipped gives nothing too
	}
	r.asks(&s, q, more)
	switch {
	case name == "check":
		s.branch, s.undecided = nil, true
	case c.last && s.deedsIn() > 0:
		if s.hang(); q.meets {
			r.invite(&s)
		}
	default:
		s.branch = &s.condition.yes
	}
	return s, true
}

// checks is the state after a mere "check", which leaves a condition open, or comes before anything: in "…, and check
// also if" it asks for a look, and binds nothing.
func (s state) checks() (state, bool) {
	s.undecided = s.condition != nil
	return s, s.undecided || s.deedsIn() == 0
}

// conditions reads a clause as a condition, or as one with what hangs on it. Which of them is tried first depends on
// whether anything stands after it.
func (r *reader) conditions(s state, c clause) []state {
	if c.last || c.decides {
		if ways := r.atOnce(s, c); len(ways) > 0 {
			return ways
		}
	}
	if after, ok := r.conditional(s, c); ok {
		return []state{after}
	}
	return r.atOnce(s, c)
}

// atOnce reads a condition and what hangs on it with nothing between: "if al has tasks email him …". As many words as
// possible are the condition.
func (r *reader) atOnce(s state, c clause) []state {
	if _, n := r.book.opening(c.text, "unless", "if"); n == 0 || c.hangs {
		return nil
	}
	ends := wordEnds(c.text)
	ends = ends[:min(len(ends)-1, mostAsked)]
	for _, end := range slices.Backward(ends) {
		if r.budget--; r.budget < 0 {
			return nil
		}
		before := strings.Fields(c.text[:end])
		if r.book.is("adds", trimmed(c.text[end:])) || r.book.is("adds", before[len(before)-1]+" ") {
			continue // "a call to cancel …" is one thing
		}
		asked, rest := r.timed(c.text[:end]), r.timed(trimmed(c.text[end:]))
		if strings.HasSuffix(asked, "›") && strings.HasPrefix(rest, "‹t") {
			continue // and so is "on Wednesday in the afternoon"
		}
		after, ok := r.conditional(s, clause{piece: c.piece, text: trimmed(c.text[:end])})
		if !ok {
			continue
		}
		deed := c
		deed.text, deed.sentence, deed.hangs = trimmed(c.text[end:]), false, true
		ways := slices.DeleteFunc(r.clause(after, deed), func(way state) bool {
			return doings(way.steps) == doings(after.steps) && !r.book.is("nothing", deed.text)
		})
		if len(ways) > 0 {
			return ways
		}
	}
	return nil
}

// mostAsked is how many words a condition may have that ends with no mark.
const mostAsked = 16

// inquiry reads a clause that asks what the next one hangs on: "am i free on sunday? if so …".
func (r *reader) inquiry(s state, c clause) (state, bool) {
	if !c.decides {
		return s, false
	}
	q, ok := r.question(s, c.text)
	if !ok && r.book.is("whether or not", c.text) {
		q, ok = r.asked(c.text)
		q.people = r.values(c.text, "p")
	}
	if ok {
		r.asks(&s, q, false)
		s.undecided = true
	}
	return s, ok
}

// deedsIn is how many steps of the sentence change something.
func (s state) deedsIn() int { return doings(s.steps[min(s.first, len(s.steps)):]) }

// doings is how many of some steps change something.
func doings(steps []step) (n int) {
	for _, t := range steps {
		if !reads[t.Tool] && !strings.HasPrefix(t.Tool, "items_") {
			n++
		}
	}
	return n
}

// hang makes the steps of the sentence hang on the condition that ends it.
func (s *state) hang() {
	at := slices.IndexFunc(s.steps, func(t step) bool { return t.ID == s.condition.yes.From })
	for at > s.first && s.steps[at-1].ID == s.before(at) {
		at--
	}
	asked := s.steps[at:]
	hanging := slices.Clone(s.steps[s.first:at])
	for i := range hanging {
		if !reads[hanging[i].Tool] && !strings.HasPrefix(hanging[i].Tool, "items_") {
			hanging[i].Condition = &s.condition.yes
		}
	}
	s.steps = slices.Concat(s.steps[:s.first], asked, hanging)
	if s.mail >= s.first {
		s.mail += len(asked)
	}
}

// before is the step that has to give more than a number so that the one at i asks again; empty if there is none.
func (s *state) before(i int) string {
	if c := s.steps[i].Condition; c != nil && c.Is == plan.MoreThan {
		return c.From
	}
	return ""
}

// asks adds the steps that a condition looks at. What is more than a number is looked at twice, the second time only if
// there is so much: then each condition is whether a step gave anything.
func (r *reader) asks(s *state, q question, within bool) {
	q.HumanSummary = r.book.say("check")
	if within {
		q.Condition = s.branch
	}
	id := s.add(q.step, true)
	if q.more > 0 {
		again := q.step
		again.Condition = &plan.Condition{From: id, Is: plan.MoreThan, N: q.more}
		id = s.add(again, true)
	}
	yes := plan.Condition{From: id, Is: plan.NotEmpty}
	no := plan.Condition{From: id, Is: plan.Empty}
	if q.negated {
		yes, no = no, yes
	}
	if s.condition = (&condition{yes: yes, no: no}); len(q.people) > 0 {
		defer s.name(q.people)
	}
	if q.moment != "" {
		s.moment = q.moment
	}
	if q.meets {
		s.condition.with = q.people
	}
	s.condition.moment = q.moment
	if at := r.said(q.moment); len(at.Dates) == 1 {
		s.condition.date = at.Dates[0].Start.String()
	}
	if kind, ok := gives[q.Tool]; ok && q.Tool != "calendar_findTimes" {
		s.give(&source{id: id, tool: q.Tool, kind: kind, arguments: q.arguments})
	}
}

// question reads what a condition asks.
func (r *reader) question(s state, text string) (question, bool) {
	for _, kind := range []struct {
		frame string
		text  string
		read  func(state, filled) (question, bool)
	}{
		{"met", r.counted(text), r.hasMet}, {"since", r.counted(text), r.sinceThen}, {"tasks", text, r.hasTasks},
		{"free", r.timed(text), r.isFree}, {"have", text, r.has},
	} {
		for _, f := range r.book.parse(kind.frame, kind.text, true) {
			if q, ok := kind.read(s, f); ok {
				return q, true
			}
		}
	}
	return question{}, false
}

// hasMet is whether the user met people within the last days.
func (r *reader) hasMet(s state, f filled) (q question, ok bool) {
	who, ok := r.whom(s, f.all("who"))
	back := r.values(f.all("past"), "d")
	if !ok || who.events != nil || len(who.names) != 1 || len(back) != 1 {
		return q, false
	}
	q = r.meetings(who.names, back[0])
	q.negated = r.book.is("not", f.all("head", "without"))
	return q, true
}

// sinceThen is whether it has been longer than some days since the user met those whom an earlier clause names.
func (r *reader) sinceThen(s state, f filled) (q question, ok bool) {
	back := r.values(f.all("over"), "d")
	if s.met == "" || len(back) != 1 {
		return q, false
	}
	q = r.meetings([]string{s.met}, back[0])
	q.negated = true
	return q, true
}

// meetings looks for meetings with people in the last days, which begin with a midnight.
func (r *reader) meetings(names []string, back string) (q question) {
	n, _ := strconv.Atoi(back)
	q.Tool, q.people, q.meets = "calendar_findEvents", names, true
	start := interval.DateOf(r.Now).AddDays(-n).String() + "T00:00"
	q.arguments = arguments{
		"selection": arguments{"with": names, "window": window(start, r.Now.Format("2006-01-02T15:04"))},
	}
	return q
}

// hasTasks is whether a person has tasks of a kind.
func (r *reader) hasTasks(s state, f filled) (q question, ok bool) {
	selection := arguments{}
	if !r.book.is("me", f.all("head")) {
		who, ok := r.whom(s, f.all("head"))
		if !ok || len(who.names) != 1 {
			return q, false
		}
		selection["assignee"], q.people = who.names[0], who.names
	}
	if f.has("overdue") {
		selection["overdue"] = true
	}
	if q.Tool, q.arguments = "task_viewTasks", (arguments{"selection": selection}); !f.has("tasks") && !f.has("overdue") {
		return q, false
	}
	return q, r.quantity(&q, f)
}

// isFree is whether people are free at a time: as long as they say, or an hour.
func (r *reader) isFree(s state, f filled) (q question, ok bool) {
	points := r.values(f.all("time"), "t")
	if f.has("then") || len(points) == 0 {
		points = append(points, s.moment)
	}
	at, names := r.said(points...), []string{}
	if !r.book.is("me", f.all("head")) {
		who, ok := r.whom(s, f.all("head"))
		if !ok || who.events != nil {
			return q, false
		}
		names = who.names
	}
	busy := r.book.is("busy", f.all("state")) != r.book.is("not", f.all("head"))
	if len(at.Dates) == 1 && at.Exact == nil && len(names) == 0 && !at.Hours.Empty() {
		return r.isEmpty(at, strings.Join(points, " "), busy), true
	}
	if len(at.Dates) > 1 || at.Exact == nil {
		return q, false
	}
	day := interval.DateOf(r.Now)
	if len(at.Dates) == 1 {
		day = at.Dates[0].Start
	}
	length := at.Duration
	if length == 0 {
		length, q.anyHour = time.Hour, true
	}
	start := day.Start(r.Now.Location()).Add(time.Duration(*at.Exact) * time.Minute)
	const layout = "2006-01-02T15:04"
	q.Tool, q.moment = "calendar_findTimes", strings.Join(points, " ")
	q.arguments = arguments{
		"people": names, "durationMinutes": int(length / time.Minute), "limit": 1,
		"window": window(start.Format(layout), start.Add(length).Format(layout)),
	}
	if q.negated = busy; len(names) > 0 {
		q.people, q.meets = names, true
	}
	return q, true
}

// isEmpty is whether the user has nothing in a part of a day: "if i'm free on friday afternoon".
func (r *reader) isEmpty(at when.Reading, moment string, busy bool) (q question) {
	selection := arguments{}
	wish(selection, at, 0)
	q.Tool, q.arguments = "calendar_findEvents", arguments{"selection": selection}
	q.moment, q.negated = moment, !busy
	return q
}
