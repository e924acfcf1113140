package offline

import (
	"strings"
	"unicode"
)

// refusal says that an order belongs to another service, and names it: "I can't order a pizza".
func (r *reading) refusal(says acknowledgments) string {
	text, known := says.Refusals[r.Family]
	if !known {
		text = says.Refusals["world"]
	}
	if deed := r.deed(); deed != "" && text.Named != "" {
		return filled(text.Named, "{deed}", deed)
	}
	return text.Plain
}

// maxDeed is how many words of an order are repeated, maxDeedBytes how long they may be.
const maxDeed, maxDeedBytes = 7, 60

// deed is what the message orders, as it follows "I can't"; empty if it does not begin with an order, or if anything in
// it is not a plain word. Its time is left out, unless it is what is to be set, and so is everything after a mark or a
// new clause.
func (r *reading) deed() string {
	own, s := r.tongue(), &r.said
	order, from := r.order()
	if order == "" || strings.Contains(r.data.Message, "://") {
		return ""
	}
	words := []string{order}
	for i := from; i < len(s.words) && len(words) <= maxDeed; i++ {
		w := s.words[i]
		if w.mark || w.timed && r.Family != "preference" || own.Breaks[w.lower] {
			break
		}
		if w.address || !onlyPlain(w.text) || hostile[w.lower] {
			return ""
		}
		if text, other := own.Mine[w.lower]; other {
			w.text = text
		}
		if w.text != "" {
			words = append(words, w.text)
		}
	}
	for len(words) > 1 && own.Joining[strings.ToLower(words[len(words)-1])] {
		words = words[:len(words)-1]
	}
	text := strings.Join(words, " ")
	if len(words) == 1 || len(text) > maxDeedBytes {
		return ""
	}
	return text
}

// order is the order that the message begins with, after forms of politeness, and the word that follows it; empty if it
// begins with none.
func (r *reading) order() (meaning string, next int) {
	h := r.heard
	if len(h.starts) == 0 || len(h.at) <= h.starts[len(h.starts)-1] {
		return "", 0
	}
	from := h.at[h.starts[len(h.starts)-1]]
	meaning, n := r.tongue().order(r.said.words[from:])
	return meaning, from + n
}

// order is the order that words begin with, and how many of them it takes.
func (t tongue) order(words []word) (meaning string, n int) {
	said := ""
	for i := 0; i < len(words) && i < 2; i++ {
		said += strings.ToLower(words[i].text)
		if m := t.deeds[said]; m != "" {
			meaning, n = m, i+1
		}
		said += " "
	}
	return meaning, n
}

// beginsOrder reports whether the words are another order after one clause: "and remind me".
func (t tongue) beginsOrder(words []word) bool {
	first := words[0]
	if t.Particles != "" {
		bare, joined := strings.CutPrefix(first.text, "ו")
		return joined && !first.mark && t.deeds[bare] != ""
	}
	_, n := t.order(words[1:])
	return t.Clauses[first.lower] && n > 0
}

// onlyPlain reports whether a word is of letters, digits and the signs within words.
func onlyPlain(w string) bool {
	return w != "" && !strings.ContainsFunc(w, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("'’-׳״", r)
	})
}
