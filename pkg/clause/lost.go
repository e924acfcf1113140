package clause

import (
	"encoding/json"
	"slices"
	"strings"

	"convene/pkg/ground"
)

// loses reports whether anything would be lost if the message were read as one operation, because of the piece that no
// attempt got past: an operation before it that is understood, or what that piece itself asks for.
func (r *reader) loses(at piece) bool {
	text, stood := trimmed(r.text[at.from:at.to]), r.stood
	if slices.ContainsFunc(r.pieces[1:], r.isBranch) || r.furthest > 0 && r.book.is("apart", text) {
		return true
	}
	_, n := r.book.opening(text, "unless", "if")
	if n > 0 && len(stood.steps) > 0 && doings(stood.steps) == 0 {
		return true // what hangs on what is looked at
	}
	if r.furthest > 0 && r.arrangesFirst() {
		return r.goesOn(state.disturbs)
	}
	if r.furthest > 0 {
		follows := stood.changes() > 0 && (at.joined || r.unwritten != "")
		return follows || (at.joined || at.strong) && r.wants(stood, text)
	}
	if r.ownWords(r.text) {
		return false
	}
	_, n = r.book.opening(text, "fill")
	first := r.timed(text)
	event := r.book.is("noun", first) || strings.Contains(first, "‹l")
	if event && len(r.book.parse("meeting", firstWord(text[n:]), true)) > 0 {
		return r.goesOn(state.acts)
	}
	if r.arrangesFirst() {
		return r.goesOn(state.disturbs)
	}
	return !r.ownWords(text) && (r.asksAnything(text) && r.goesOn(state.acts) || r.asksForSeveral())
}

// arrangesFirst reports whether the first piece asks for a new event, which is proposed then: what else the message has
// is quoted beside the proposal, and need not be understood.
func (r *reader) arrangesFirst() bool {
	deed, likely := r.deed(state{}, trimmed(r.text[r.pieces[0].from:r.pieces[0].to]))
	return deed == "event_create" && likely >= surely
}

// answersFirst reports whether a message that asks for several things begins with an answer to somebody, and nothing
// tells to whom: what it says of time is in the answer, and no event.
func (r *reader) answersFirst() bool {
	return r.furthest == 0 && r.book.is("answers", trimmed(r.text[:r.pieces[0].to])) && r.isSeveral()
}

// acts reports whether any step changes something, and disturbs whether one changes events that stand.
func (s state) acts() bool { return s.changes() > 0 }

func (s state) disturbs() bool {
	return slices.ContainsFunc(s.steps, func(t step) bool {
		return !reads[t.Tool] && family(t.Tool) == "calendar" && t.Tool != "calendar_scheduleMeeting"
	})
}

// asksAnything reports whether words may ask for anything by themselves.
func (r *reader) asksAnything(text string) bool {
	deed, likely := r.deed(state{}, text)
	return deed != "" && deed != "none" && likely >= hardly
}

// isSeveral reports whether the whole message plainly asks for several things.
func (r *reader) isSeveral() bool {
	deed, likely := r.deed(state{}, r.text)
	return deed == "several" && likely >= surely
}

// asksForSeveral reports whether the whole message plainly asks for several things, and one of the pieces after the
// first for one of them.
func (r *reader) asksForSeveral() bool {
	return r.isSeveral() && slices.ContainsFunc(r.pieces[1:], func(p piece) bool {
		return (p.joined || p.strong) && r.wants(state{}, trimmed(r.text[p.from:p.to]))
	})
}

// ownWords reports whether some words may all be the user's own, for a task, a note or a list.
func (r *reader) ownWords(text string) bool {
	call, ok := r.ask(state{}, r.original(text))
	return ok && slices.Contains(ownWords, call.Tool)
}

// isBranch reports whether a piece says what is done if a condition holds, or if it does not.
func (r *reader) isBranch(p piece) bool {
	name, _ := r.book.opening(r.text[p.from:p.to], "otherwise", "ifso")
	return name != ""
}

// goesOn reports whether one of the pieces after the first begins with another operation that is understood, and is of
// a kind.
func (r *reader) goesOn(is func(state) bool) bool {
	for i := 1; i < len(r.pieces); i++ {
		if !r.pieces[i].joined && !r.pieces[i].strong {
			continue
		}
		r.budget = mostReadings
		if end, ok := r.read(i, state{mail: -1}); ok && is(end) {
			return true
		}
	}
	return false
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return word
}

// How probable a deed has to be so that words plainly ask for it, or ask for anything.
const (
	surely = 0.9
	hardly = 0.5
)

// deed is what words ask for by themselves, also if no call can be made of them, and how probable that is.
func (r *reader) deed(s state, text string) (deed string, likely float64) {
	_, n := r.book.opening(text, "fill", "otherwise")
	text = r.original(trimmed(text[n:]))
	r.ask(s, text)
	known := r.calls[callKey(s, text)]
	return known.deed, known.likely
}

// wants reports whether words plainly ask by themselves for something to be done.
func (r *reader) wants(s state, text string) bool {
	deed, likely := r.deed(s, text)
	if strings.HasPrefix(deed, "ask_") || slices.Contains(idle, deed) || likely < surely {
		return false
	}
	whole, _ := r.deed(state{}, r.text)
	return deed != whole && (!writes[deed] || !writes[whole]) // "can you send that for me?"
}

// writes are the deeds that write a mail.
var writes = map[string]bool{"mail_compose": true, "mail_reply": true}

// idle are deeds that ask for nothing to be done, or that are read in words which only name something.
var idle = []string{"", "none", "several", "away", "mail_ask", "mail_read", "event_protect", "event_create"}

// swallows reports whether the call of a clause has words that plainly ask for something else: what is said after a
// mark or a word that joins clauses, unless the call takes it over as words of the user. A name is no request at all.
func (r *reader) swallows(s state, c clause, call ground.Call) bool {
	return slices.ContainsFunc(c.inner, func(p piece) bool { return r.isOther(s, c, call, p) })
}

// isOther reports whether a piece of a clause asks for something else than the call of the clause.
func (r *reader) isOther(s state, c clause, call ground.Call, p piece) bool {
	names := namesAnything(call)
	own := !names && (call.Tool == "email_compose" || slices.Contains(ownWords, call.Tool))
	text := trimmed(r.text[p.from:p.to])
	more := p.sentence && p != c.inner[len(c.inner)-1] // "he is ill. give it to al, cancel …"
	keeps := r.book.is("keeps", text) && !strings.Contains(string(call.Arguments), `"except":[{`)
	switch {
	case r.isBranch(p), !own && p.joined && r.book.is("order", text), more && r.asksAnything(text):
		return true
	case !p.sentence && (own || !p.joined && !p.strong), r.isReasoned(s, c, p):
		return false
	case keeps, r.book.is("others", text), r.wants(s, text), r.wants(r.stood, text):
		return true
	}
	deed, likely := r.deed(s, text)
	asks := deed == "several" || !slices.Contains(idle, deed)
	return names && asks && likely >= hardly && strings.Contains(text, " ")
}

// isReasoned reports whether a piece asks for what its whole clause does, after a first piece that asks for nothing to
// be changed: "I'm travelling on Friday, so cancel everything".
func (r *reader) isReasoned(s state, c clause, p piece) bool {
	whole, _ := r.deed(s, c.text)
	deed, _ := r.deed(s, trimmed(r.text[p.from:p.to]))
	same := deed == whole || empties[deed] && empties[whole]
	return len(c.inner) == 1 && same && !r.wants(s, trimmed(r.text[c.from:c.to]))
}

// empties are the deeds that take events away.
var empties = map[string]bool{"event_cancel": true, "day_clear": true}

// asksWithin reports whether a piece of a clause after its first one plainly asks for something by itself.
func (r *reader) asksWithin(s state, c clause) bool {
	return slices.ContainsFunc(c.inner, func(p piece) bool {
		text := trimmed(r.text[p.from:p.to])
		return (p.joined || p.strong) && !r.book.is("told", text) && r.wants(s, text)
	})
}

// namesAnything reports whether a call gives something a name, and does nothing else.
func namesAnything(call ground.Call) bool {
	var given struct {
		Set, Updates struct{ Title *string }
		Items        []string
	}
	if json.Unmarshal(call.Arguments, &given) != nil {
		return false
	}
	return given.Set.Title != nil || given.Updates.Title != nil || call.Tool == "list_add" && len(given.Items) == 0
}
