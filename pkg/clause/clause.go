// Package clause reads a message that asks for several operations: it is taken apart at the words that join clauses,
// each clause is read as one operation or as a condition, and what a clause means by "them" or "then" becomes a
// reference to the step of an earlier one. If any word is in no clause's reading, the message has no plan.
package clause

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"convene/pkg/ground"
	"convene/pkg/plan"
)

// Rules read the one operation that a clause asks for, whole. Shown is the kind of the things that "them" means in it;
// the call then has "shown" among the ids of its selection.
type Rules func(m ground.Message, shown ground.Kind) (call ground.Call, ok bool)

// Reading is what a message asks for in several steps.
type Reading struct {
	Plan plan.Plan
	// Several says that the message has a plan: several operations, or one on a condition.
	Several bool
	// Unread are words of a message with several clauses that no clause accounts for; then there is no plan, unless the
	// words only tell something, and are left aside.
	Unread string
	// Lost says that the words follow an operation that is understood, after a word that joins clauses, or that they are a
	// new event before one: a reading of only the one would lose the other.
	Lost bool
}

// Read is the plan that a message asks for.
// It is none once ctx has ended.
func Read(ctx context.Context, m ground.Message, rules Rules) Reading {
	book, known := books()[m.Language]
	if !known || len(m.Text) > longest || strings.ContainsAny(m.Text, "‹›") { // these are in marks alone
		return Reading{}
	}
	if asksForOne(m) {
		return Reading{}
	}
	if at := ground.Unsettled(m); at != "" {
		return Reading{Lost: true, Unread: at}
	}
	m.Text = book.unfolded(m.Text)
	r := &reader{
		Message: m, book: book, rules: rules, budget: mostReadings, words: mostWords, calls: map[string]asked{},
		told:  map[string]float64{},
		ended: func() bool { return ctx.Err() != nil },
	}
	r.mark()
	r.pieces = r.undivided(book.split(r.text))
	if len(r.pieces) == 0 || r.isOne() {
		return Reading{}
	}
	end, ok := r.read(0, r.start())
	switch {
	case !ok && len(r.pieces) < 2:
		return Reading{}
	case !ok:
		at := r.pieces[r.furthest]
		unread := cmp.Or(r.unwritten, strings.TrimSpace(r.original(r.text[at.from:at.to])))
		return Reading{Lost: r.answersFirst() || r.loses(at), Unread: unread}
	case len(end.steps) == 1 && r.mayMatter(end):
		return Reading{}
	case end.deeds < 2 && len(end.steps) < 2 && (!end.heard || end.deeds+len(end.remarks) == 0):
		at := r.pieces[r.furthest]
		unread := trimmed(r.text[at.from:at.to])
		asks := r.book.is("apart", unread) || r.isSeveral() && r.asksAnything(unread)
		if lost := r.stood.changes() > 0 && at.joined && asks; lost {
			return Reading{Lost: true, Unread: r.original(unread)}
		}
		return Reading{}
	}
	if len(end.steps) == 0 {
		return Reading{}
	}
	if at := r.corrected(); at != "" {
		return Reading{Lost: true, Unread: at}
	}
	made, err := end.plan(m.Text)
	if err != nil {
		return Reading{}
	}
	return Reading{Plan: made, Several: true, Unread: strings.Join(end.remarks, " … ")}
}

// asksForOne reports whether a message is done already, or is one question, one task, or one list.
func asksForOne(m ground.Message) bool {
	return ground.Reports(m) || ground.Entitles(m) || ground.IsOneTask(m.Text) || ground.IsAllBut(m.Text) ||
		ground.IsOneList(m.Text)
}

// start is what stands before the first clause: the one who wrote the mail that was shown last is "him".
func (r *reader) start() state {
	s := state{mail: -1}
	if by := ground.WroteShown(r.Message); by.Address != "" {
		s.people, s.address, s.wrote = []string{by.Name}, map[string]string{by.Name: by.Address}, true
	}
	return s
}

// corrected is a clause that takes back what an earlier one says: "no, not those". Which of them holds is not known
// then. It is empty if there is none.
func (r *reader) corrected() string {
	for _, p := range r.pieces[min(1, len(r.pieces)):] {
		if text := trimmed(r.text[p.from:p.to]); r.book.is("correction", text) {
			return r.original(text)
		}
	}
	return ""
}

// isOne reports whether the whole message is one wish for all days, or one move that says what stays or is left free:
// then its clauses are parts of it.
func (r *reader) isOne() bool {
	if !r.mayRead(r.Text) || len(r.pieces) < 2 {
		return false
	}
	one, ok := r.rules(r.Message, ground.Nothing)
	var move struct {
		To struct {
			TimeOfDay, Window any
			Avoid             []string
		}
		Selection struct{ Except []any }
	}
	if !ok || one.Tool != "calendar_moveEvents" || json.Unmarshal(one.Arguments, &move) != nil {
		return ok && family(one.Tool) == "preference"
	}
	return (move.To.TimeOfDay != nil || move.To.Window != nil) && len(move.To.Avoid)+len(move.Selection.Except) > 0
}

// How much is read of one message: so many bytes of text, so many clauses in all attempts, so many words of clauses by
// the readers of one operation, and so many pieces in one.
const (
	longest      = 2000
	mostReadings = 400
	mostWords    = 600
	mostPieces   = 6
)

// reader is a message while it is read.
type reader struct {
	ground.Message
	book  *book
	rules Rules
	// text is the message with marks for what stands in quotes and for names; marks are what they stand for.
	text   string
	marks  []mark
	pieces []piece
	// budget is how many clauses may still be tried, furthest the first piece that no attempt got past.
	budget, furthest int
	// words is how many words the readers of one operation may still read, and ended whether nobody waits for them.
	words int
	ended func() bool
	// unwritten is the clause of a mail that would say nothing.
	unwritten string
	// stood is what stands before the furthest piece.
	stood state
	calls map[string]asked
	// told is how probable it is that a clause only tells something.
	told map[string]float64
}

// read reads the pieces from one on, after what stands in s. Each clause takes as few pieces as it can.
func (r *reader) read(from int, s state) (state, bool) {
	if from == len(r.pieces) {
		r.unwritten = s.unwritten()
		return s, r.unwritten == ""
	}
	if from >= r.furthest {
		r.furthest, r.stood = from, s
	}
	for to := from + 1; to <= min(from+mostPieces, len(r.pieces)); to++ {
		if r.budget--; r.budget < 0 {
			return s, false
		}
		c := clause{
			text: trimmed(r.text[r.pieces[from].from:r.pieces[to-1].to]), piece: r.pieces[from],
			last: to == len(r.pieces) || r.pieces[to].sentence, parted: to == len(r.pieces) || r.parts(r.pieces[to]),
			cleared: to < len(r.pieces) && r.book.is("takes off", trimmed(r.text[r.pieces[to].from:])),
			inner:   r.pieces[from+1 : to],
		}
		if to < len(r.pieces) {
			_, n := r.book.opening(r.text[r.pieces[to].from:], "otherwise", "ifso")
			c.decides = n > 0
		}
		for _, next := range r.clause(s, c) {
			next.last = len(s.steps)
			if end, ok := r.read(to, next); ok {
				return end, true
			}
		}
	}
	return s, false
}

// parts reports whether a piece begins something new, whatever stands before it.
func (r *reader) parts(next piece) bool {
	return next.strong || r.book.is("apart", trimmed(r.text[next.from:]))
}

// clause is a part of the message that is read by itself.
type clause struct {
	piece
	text string
	// last says that it ends its sentence, parted that more than a small word stands after it, decides that what follows
	// hangs on the answer to it, hangs that it follows a condition with nothing between,
	// elsewhen that it only says when else the operation before it is done.
	last, parted, decides, hangs, elsewhen bool
	// cleared says that what follows takes something off a list, which is no thing to put on one.
	cleared bool
	// inner are the pieces in it after its first one.
	inner []piece
}

// clause reads one clause after what stands in s, in the ways in which it can be read.
func (r *reader) clause(s state, c clause) (ways []state) {
	if c.sentence {
		s.begin()
	}
	if c.text == "" || c.from == 0 && r.dayFirst() != "" && r.book.is("dayalone", r.timed(c.text)) {
		return []state{s}
	}
	if more, ok := r.mailGoesOn(s, c.text); ok {
		ways = append(ways, more)
	}
	if after, text, ok := r.marker(s, c.text); ok {
		if s, c.text = after, text; text == "" {
			return append(ways, s)
		}
	}
	if text := r.elsewhen(s, c.text); text != c.text {
		c.text, c.elsewhen = text, true
	}
	if s.branch != nil && r.book.is("nothing", c.text) {
		return append(ways, s)
	}
	if after, ok := r.quietly(s, c); ok {
		return append(ways, after)
	}
	if _, n := r.book.opening(c.text, "earlier"); n > 0 {
		return r.earlier(s, c, trimmed(c.text[n:]))
	}
	if more := r.conditions(s, c); len(more) > 0 {
		return append(ways, more...)
	}
	if after, ok := r.inquiry(s, c); ok {
		ways = append(ways, after)
	}
	if r.hangsInAir(s, c) {
		return ways
	}
	ways = append(ways, r.framed(s, c)...)
	if r.elsewhere(c) {
		return ways
	}
	if after, ok := r.single(s, c); ok {
		ways = append(ways, after)
	}
	if r.isAside(s, c) {
		s.heard = true
		s.name(r.values(c.text, "p"))
		ways = append(ways, s)
	} else if after, ok := r.remark(s, c); ok {
		ways = append(ways, after)
	}
	return ways
}

// hangsInAir reports whether it is not said that what follows hangs on the answer, or a clause hangs on nothing that is
// known.
func (r *reader) hangsInAir(s state, c clause) bool {
	name, _ := r.book.opening(c.text, "otherwise", "ifso")
	return s.undecided || name != "" && s.condition == nil
}

// elsewhere reports whether a clause is not read by itself: one operation alone is read elsewhere, and nobody else
// knows before what "the day before" is.
func (r *reader) elsewhere(c clause) bool {
	return len(r.pieces) == 1 && !c.hangs || r.book.is("the day before", c.text)
}

// framed are the ways in which a clause has one of the frames of several steps.
func (r *reader) framed(s state, c clause) (ways []state) {
	if after, ok := r.mail(s, c); ok {
		ways = append(ways, after)
	}
	for _, way := range []func(state, string) (state, bool){
		r.about, r.answered, r.meeting, r.ahead, r.guests, r.emptied, r.kept, r.noted, r.onto, r.spared, r.swapped, r.daily,
	} {
		if after, ok := way(s, c.text); ok {
			ways = append(ways, after)
		}
	}
	return ways
}

// marker reads the words at the beginning of a clause that say when it holds: "if so", "otherwise".
func (r *reader) marker(s state, text string) (after state, rest string, ok bool) {
	for {
		name, n := r.book.opening(text, "otherwise", "ifso", "fill", "then")
		switch {
		case n == 0:
			return s, text, ok
		case (name == "otherwise" || name == "ifso") && s.condition == nil:
			return s, text, false
		case name == "otherwise":
			s.branch, s.left, s.undecided = &s.condition.no, nil, false
		case name == "ifso":
			s.branch, s.left, s.undecided = &s.condition.yes, nil, false
		case name == "then" && s.left != nil:
			s.branch, s.left = s.left, nil
		}
		text, ok = strings.TrimLeft(text[n:], " ,.:;"), true
	}
}
