package offline

import (
	"slices"
	"strings"
	"sync"

	"convene/pkg/when"
)

// longestName is how many words name an event at most.
const longestName = 6

// standingBooks are, by language, verbs that make or propose something new, states that tell of what is there, and the
// words besides which something is only said of another event: data/*/standing.txt.
var standingBooks = sync.OnceValue(func() map[string]map[string]phrases {
	books := map[string]map[string]phrases{}
	for _, language := range languages() {
		books[language] = embeddedPhrases(language, "standing.txt").other
	}
	return books
})

// Standing are the parts of a message that may name what stands in the user's calendar already: in each sentence, what
// follows "the" or "my", and, if its verb changes what is there or tells of it, any other words. At each place the
// longest part comes first. A message that makes or proposes something names nothing, nor does "a" or "another"; what
// follows "with" or "after" only says something of another event.
func Standing(message, language string) (parts []string) {
	book, known := operationBooks()[language]
	idle, quiet := idleBooks()[language]
	if !known || !quiet {
		return nil
	}
	o := operating{account: newAccount(withoutLinks(readable(message)), idle), book: book}
	if len(o.tokens) > longestOperation {
		return nil
	}
	o.setting.Language = language
	said := sync.OnceValue(func() []when.Entity { return o.setting.Read(o.text, someDay).Entities })
	timely := func(t accounted) bool {
		return slices.ContainsFunc(said(), func(e when.Entity) bool { return e.Start <= t.start && t.end <= e.End })
	}
	for from := 0; from < len(o.tokens); from = o.to {
		o.from, o.to = from, o.sentenceEnd(from)
		head := o.skip(from, o.to)
		if head < o.to && o.phraseIn(head, standingBooks()[language]["makes"]) > 0 || o.asksToMake(from) || o.meets(head) ||
			o.goesOnToMake(head) {
			return nil
		}
		parts = append(parts, o.standing(head, timely)...)
	}
	return parts
}

// meets reports whether a sentence begins with something to do with a person: "walk with sam". An event with "the team"
// may be in the calendar already.
func (o *operating) meets(head int) bool {
	letters := tongueOf(o.setting.Language).callings
	return head+2 < o.to && o.says(head+1) == "with" && o.phraseIn(head+2, o.book.definite) == 0 &&
		!letters.definite(o.tokens[head+2].lower)
}

// asksToMake reports whether a sentence asks for something that the user makes with others: "can Al and I meet".
func (o *operating) asksToMake(from int) bool {
	words := standingBooks()[o.setting.Language]
	for i := from + 1; i+1 < o.to && i <= from+longestName && o.phraseIn(from, words["asks"]) > 0; i++ {
		if o.phraseIn(i, words["self"]) > 0 && o.phraseIn(i+1, words["makes"]) > 0 {
			return true
		}
	}
	return false
}

// goesOnToMake reports whether a later clause of a sentence makes something new: "he says 3 works, please put in a
// call".
func (o *operating) goesOnToMake(head int) bool {
	makes := standingBooks()[o.setting.Language]["makes"]
	for i := head + 1; i < o.to; i++ {
		if !strings.ContainsAny(o.text[o.tokens[i-1].end:o.tokens[i].start], ",;:–—") {
			continue
		}
		if at := o.skip(i, o.to); at < o.to && o.phraseIn(at, makes) > 0 && o.says(at) != "new" {
			return true
		}
	}
	return false
}

// standing are those parts of one sentence, whose verb may stand at word head. What is only a time names nothing.
func (o *operating) standing(head int, timely func(accounted) bool) (parts []string) {
	words, letters := standingBooks()[o.setting.Language], tongueOf(o.setting.Language).callings
	changes := o.changesAt(head)
	for i := head + 1; i < o.to && !changes; i++ {
		changes = o.phraseIn(i, words["states"]) > 0
	}
	for i := o.from; i < o.to; i++ {
		start, definite := i, letters.definite(o.tokens[i].lower)
		if n := o.phraseIn(i, o.book.definite); n > 0 {
			start, definite = i+n, true
		}
		if !definite && (!changes || o.isNew(i) || o.phraseIn(i, words["besides"]) > 0) ||
			i > o.from && o.isBesides("besides", i-1, words) || o.afterBesides(i, words) {
			continue
		}
		for end := min(o.to, start+longestName); end > start; end-- {
			if !o.mayName(start, end, timely) {
				continue
			}
			parts = append(parts, o.text[o.tokens[start].start:o.tokens[end-1].end])
		}
	}
	return parts
}

// afterBesides reports whether a word follows an article that follows such a word: "over the phone".
func (o *operating) afterBesides(i int, words map[string]phrases) bool {
	return i > o.from+1 && o.phraseIn(i-1, o.book.definite) == 1 && o.isBesides("besides", i-2, words)
}

// isNew reports whether a word is "a" or "another", or follows it.
func (o *operating) isNew(i int) bool {
	return o.says(i) == "new" || i > o.from && o.says(i-1) == "new"
}

// mayName reports whether words may name an event: not all of them are times or idle, and nobody with whom it is
// stands after them.
func (o *operating) mayName(start, end int, timely func(accounted) bool) bool {
	company := func(i int) bool { return i < o.to && o.says(i) == "with" }
	names := false
	for i := start; i < end; i++ {
		names = names || !timely(o.tokens[i]) && o.phraseIn(i, standingBooks()[o.setting.Language]["hedges"]) == 0
	}
	return names && !company(end-1) && !company(end)
}

// isBesides reports whether a phrase of a list ends at a word.
func (o *operating) isBesides(key string, i int, words map[string]phrases) bool {
	for k := max(o.from, i-maxGloss); k <= i; k++ {
		if o.phraseIn(k, words[key]) == i-k+1 {
			return true
		}
	}
	return false
}

// changesAt reports whether a verb that changes events stands at a word.
func (o *operating) changesAt(i int) bool {
	return slices.ContainsFunc(o.waysAt(i), func(w *way) bool {
		return duties[w.verb].means() && len(w.parts) > 1 && len(w.parts[0].words) > 0
	})
}

// swallowed is what of a text goes on with a change of events: "for writing and delete the gym" names no block.
func (o *operating) swallowed(bounds []bound) string {
	for _, b := range bounds {
		for i := b.from + 1; b.slot == slotText && i+1 < b.to; i++ {
			if o.says(i) == "and" && o.changesAt(i+1) {
				return o.text[o.tokens[i+1].start:o.tokens[b.to-1].end]
			}
		}
	}
	return ""
}
