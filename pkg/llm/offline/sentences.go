package offline

import (
	"time"

	"convene/pkg/when"
)

// operations are the operations that the sentences of a message ask for, in order. Aside is what the other sentences
// say, where it may matter.
func (s *sentence) operations(now time.Time, about pointing) (all []operation) {
	book, known := operationBooks()[s.language]
	idle, quiet := idleBooks()[s.language]
	if !known || !quiet {
		return nil
	}
	setting := when.Setting{
		Language: s.language, Occasion: s.occasion(), Standing: true, Day: about.day, Past: when.AsksOfPast(s.text),
	}
	o := &operating{
		account: newAccount(s.text, idle), sentence: s, book: book, setting: setting, now: now, about: about,
		masked: s.masked(setting, now), read: map[bound]timed{},
	}
	for i := range o.tokens {
		o.tokens[i].lower = firstOf(book.short[o.tokens[i].lower], o.tokens[i].lower)
	}
	o.maskTitles()
	o.nameVerbs()
	if len(o.tokens) > longestOperation {
		return nil
	}
	if op, ok := o.roaming(); ok {
		return []operation{op}
	}
	return o.inSentences()
}

// inSentences are the operations of the sentences.
func (o *operating) inSentences() (all []operation) {
	aside := ""
	for from := 0; from < len(o.tokens); {
		to := o.sentenceEnd(from)
		op, found := o.sentenceOf(from, to)
		if found {
			op.onDay(o.dayOffBefore(o.from))
			if op.verb == verbDelete {
				op.onDay(o.dayAround())
			}
			all = append(all, op)
		} else if o.matters(from, to) {
			aside = o.text[o.tokens[from].start:o.tokens[to-1].end]
		}
		from = to
	}
	if len(all) > 0 && !all[0].events.reasoned {
		all[0].aside = firstOf(all[0].aside, aside)
	}
	return all
}

// sentenceEnd is where the sentence ends that begins with a word.
func (o *operating) sentenceEnd(from int) int {
	to := from + 1
	for to < len(o.tokens) && !o.tokens[to].begins {
		to++
	}
	return to
}

// sentenceOf is the operation that the words of a sentence ask for: all of them, or those after a comma.
func (o *operating) sentenceOf(from, to int) (operation, bool) {
	for start := from; start < to; start++ {
		if start > from && !o.tokens[start].opens {
			continue
		}
		o.from, o.to = o.skip(start, to), to
		reason := o.reasonAt(o.from+1, to)
		o.to = reason
		op, ok := o.readFrom(start, reason)
		if ok && follows(op.verb) && o.tells(from, start) {
			continue
		}
		op.leads, op.plain = !o.plans(start), o.skip(from, to) == from
		if ok && start > from && !op.events.reasoned && o.matters(from, start) {
			op.aside = o.text[o.tokens[from].start:o.tokens[start-1].end]
		}
		if ok && reason < to && o.conditions(reason, to) {
			op.aside = o.text[o.tokens[reason].start:o.tokens[to-1].end]
		}
		if ok {
			return op, true
		}
	}
	return operation{}, false
}

// readFrom is the operation of the words from o.from on, which follow what begins the request at word start.
func (o *operating) readFrom(start, to int) (operation, bool) {
	for n := 1; n > 0 && o.to > o.from; {
		if n = o.endsPolitely(); n > 0 {
			o.to -= n
		}
	}
	op, ok := o.both()
	if !ok {
		op, ok = o.calledSo()
	}
	if polite := o.to; !ok && polite < to {
		o.to = to
		op, ok = o.inSomeWay()
		o.to = polite
	}
	if first := o.from; !ok && first > start { // "tell" alone also begins a request
		o.from = start
		op, ok = o.inSomeWay()
		o.from = first
	}
	if !ok {
		op, ok = o.inNoWay()
	}
	return op, ok
}

// skip is the first word from i on that is more than the beginning of a request.
func (o *operating) skip(i, to int) int {
	for i < to {
		_, n := o.phraseAt(i, o.book.before)
		if n == 0 || i+n > to {
			break
		}
		i += n
	}
	return i
}

// endsPolitely is how many words the request ends with that only close it.
func (o *operating) endsPolitely() int {
	for n := min(o.to-o.from-1, maxGloss+2); n > 0; n-- {
		if _, k := o.phraseAt(o.to-n, o.book.after); k == n {
			return n
		}
	}
	return 0
}

// matters reports whether words that are not read may change what the rest means: a condition, a negation, an order.
func (o *operating) matters(from, to int) bool {
	if o.phraseIn(from, o.book.reasons) > 0 {
		return o.conditions(from, to)
	}
	for i := from; i < to; i++ {
		if name, _ := o.phraseAt(i, o.book.says); name == "doubt" || o.of("order", i) > 0 && o.leads(i) {
			return true
		}
		if n := o.of("idle", i); n > 1 {
			i += n - 1
		} else if o.of("negation", i) > 0 || o.of("condition", i) > 0 {
			return true
		}
	}
	return false
}

// tells reports whether words in front of a request that goes on say something of their own: "put piano in, every
// Monday at 5" goes on with nothing.
func (o *operating) tells(from, to int) bool {
	for i := from; i < to; {
		n := max(o.of("idle", i), o.skip(i, to)-i)
		if n == 0 {
			return true
		}
		i += n
	}
	return false
}
