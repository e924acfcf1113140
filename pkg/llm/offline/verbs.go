package offline

import (
	"slices"

	"convene/pkg/when"
)

// nameVerbs names each verb that begins a clause. A pronoun at its end becomes a word.
func (o *operating) nameVerbs() {
	tokens := make([]accounted, 0, len(o.tokens))
	begins, skipped := false, 0
	for i, t := range o.tokens {
		begins = begins || t.opens || i > 0 && o.inTime(i-1) && !o.inTime(i)
		n := max(o.phraseIn(i, o.book.before), o.of("negation", i))
		verb, r := o.book.verbs.Of(t.lower)
		named := t.capital && !t.begins || o.personAt(i) != nil
		switch {
		case !begins || named || verb == "" || n > 0 || skipped > 0:
			tokens = append(tokens, t)
		case r.Pronoun == "":
			t.verb = verb
			tokens = append(tokens, t)
		default:
			it := accounted{lower: r.Pronoun, start: t.end - r.Bytes, end: t.end}
			t.verb, t.end = verb, it.start
			tokens = append(tokens, t, it)
		}
		skipped = max(skipped-1, n-1, 0)
		begins = begins && (n > 0 || skipped > 0) || o.says(i) == "and"
	}
	o.tokens = tokens
}

// inTime reports whether a word is part of a phrase of time.
func (o *operating) inTime(i int) bool {
	return slices.ContainsFunc(o.sentence.time.Entities, func(e when.Entity) bool {
		return e.Start < o.tokens[i].end && e.End > o.tokens[i].start
	})
}
