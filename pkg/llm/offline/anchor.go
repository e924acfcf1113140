package offline

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/when"
)

// maxCalendarAnchor bounds the words that name an event.
const maxCalendarAnchor = 6

// anchorBook is how a language names a time by an event: the phrases of each key, and the words of each list.
type anchorBook struct {
	phrases map[string][][]string
	words   map[string]map[string]bool
	// begins are the words with which a relation begins.
	begins map[string]bool
}

// anchorRelations are the keys of phrases that an event follows, the longer phrases first.
var anchorRelations = []string{
	"day after", "day before", "right after", "right before", "after", "before", "between", "during", "when",
}

// anchorBooks are the books by language, read once.
var anchorBooks = sync.OnceValue(func() map[string]anchorBook {
	all := map[string]anchorBook{}
	for _, language := range languages() {
		text, err := data.ReadFile("data/" + language + "/anchors.txt")
		if err != nil {
			continue
		}
		b := anchorBook{map[string][][]string{}, map[string]map[string]bool{}, map[string]bool{}}
		for line := range strings.Lines(string(text)) {
			key, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if !ok || strings.HasPrefix(key, "#") {
				continue
			}
			b.words[key] = wordSet(strings.ReplaceAll(list, "|", " "))
			for phrase := range strings.SplitSeq(list, "|") {
				b.phrases[key] = append(b.phrases[key], strings.Fields(phrase))
			}
		}
		for _, relation := range anchorRelations {
			for _, phrase := range b.phrases[relation] {
				b.begins[phrase[0]] = true
			}
		}
		all[language] = b
	}
	return all
})

// token is a word of a text in small letters. phrase is the number of the phrase of time to which it belongs, from 1;
// ends says that a mark follows.
type token struct {
	lower      string
	start, end int
	phrase     int
	ends       bool
}

// anchored finds the event of the user's calendar by which a text names a time, and cuts it out of the text: its words
// are no title, person or place. A time of day that may be an event too ("after lunch") stays. Nil if there is none.
func anchored(text, language string, now time.Time) (found *anchorArguments, rest string) {
	book, known := anchorBooks()[language]
	if !known || len(text) > maxText {
		return nil, text
	}
	r := anchorReader{anchorBook: book, tokens: tokensOf(text)}
	if !r.relates() {
		return nil, text
	}
	if r.with = slices.IndexFunc(r.tokens, func(t token) bool { return r.words["with"][t.lower] }); r.with < 0 {
		r.with = len(r.tokens)
	}
	entities := when.Setting{Language: language}.Read(text, now).Entities
	r.mark(entities)
	for i, t := range r.tokens {
		none := i > 0 && r.words["verb"][r.tokens[i-1].lower] || r.phrase("no relation", i) > 0
		if none || t.phrase > 0 && entities[t.phrase-1].Kind != when.KindTime {
			continue
		}
		if a, end := r.at(i); a != nil {
			return a, r.without(i, end, text)
		}
	}
	return nil, text
}

// relates reports whether a relation stands anywhere. Most texts have none, and times are read for others only.
func (r anchorReader) relates() bool {
	for i, t := range r.tokens {
		if r.begins[t.lower] && slices.ContainsFunc(anchorRelations, func(key string) bool { return r.phrase(key, i) > 0 }) {
			return true
		}
	}
	return false
}

// mark notes which tokens belong to a phrase of time.
func (r anchorReader) mark(entities []when.Entity) {
	for i, next := 0, 0; i < len(r.tokens) && next < len(entities); i++ {
		t := &r.tokens[i]
		for next < len(entities) && entities[next].End <= t.start {
			next++
		}
		if next < len(entities) && entities[next].Start <= t.start {
			t.phrase = next + 1
		}
	}
}

// without is the text without the anchor from token i to end, unless that is a time of day too.
func (r anchorReader) without(i, end int, text string) string {
	if r.tokens[end-1].phrase > 0 {
		return text
	}
	if i > 0 && r.tokens[i-1].phrase == 0 && r.words["vague"][r.tokens[i-1].lower] {
		i--
	}
	return joined(text[:r.tokens[i].start], text[r.tokens[end-1].end:])
}

// tokensOf are the words of a text.
func tokensOf(text string) (list []token) {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }
	for i := 0; ; {
		begin := strings.IndexFunc(text[i:], inWord)
		if n := len(list); n > 0 && strings.ContainsAny(text[i:i+max(begin, 0)], ",;!?\n()") {
			list[n-1].ends = true
		}
		if begin < 0 {
			return list
		}
		start := i + begin
		length := strings.IndexFunc(text[start:], func(r rune) bool { return !inWord(r) && !strings.ContainsRune("'’:-", r) })
		if length < 0 {
			length = len(text) - start
		}
		i = start + length
		lower := strings.TrimRight(strings.ReplaceAll(strings.ToLower(text[start:i]), "’", "'"), ":-'")
		list = append(list, token{lower: lower, start: start, end: i})
	}
}

// anchorReader looks for an anchor among the tokens of a text.
type anchorReader struct {
	anchorBook
	tokens []token
	// with is the first token that means "with". "Coffee with Al after my call with Dana" says with whom the call is;
	// "lunch after my dentist with Al" does not.
	with int
}

// phrase is how many tokens from i on are a phrase of the key.
func (r anchorReader) phrase(key string, i int) (n int) {
	for _, p := range r.phrases[key] {
		if len(p) > n && i+len(p) <= len(r.tokens) &&
			slices.EqualFunc(p, r.tokens[i:i+len(p)], func(w string, t token) bool { return t.lower == w }) {
			n = len(p)
		}
	}
	return n
}

// at is the anchor whose relation stands at token i, and the token after it.
func (r anchorReader) at(i int) (*anchorArguments, int) {
	for _, relation := range anchorRelations {
		n := r.phrase(relation, i)
		if n == 0 {
			continue
		}
		between := relation == "between"
		first, end := r.event(i+n, r.tokens[i].phrase, between)
		if over := r.phrase("over", end); first != "" && relation == "when" && over > 0 {
			return &anchorArguments{Relation: "after", Event: first}, end + over
		}
		if first == "" || relation == "when" || r.clause(end) {
			return nil, 0
		}
		a := &anchorArguments{Relation: relation, Event: first}
		if !between {
			return a, end
		}
		next := end + r.phrase("and", end)
		if next == end && !r.joins(end) {
			return a, end
		}
		second, last := r.event(next, 0, true)
		if second == "" || r.clause(last) {
			return nil, 0
		}
		a.SecondEvent = second
		return a, last
	}
	return nil, 0
}

// event is what the user calls the event that begins at token i; empty if none does. Within a phrase of time it is the
// rest of the phrase, and between two events it ends before the second one.
func (r anchorReader) event(i, phrase int, between bool) (name string, end int) {
	for i < len(r.tokens) && r.words["ours"][r.tokens[i].lower] {
		i++
	}
	var said []string
	for end = i; end < len(r.tokens) && end-i < maxCalendarAnchor; end++ {
		t := r.tokens[end]
		company := r.words["with"][t.lower] && end > i && (r.with < i || end == i+1 && phrase == 0) &&
			r.words["company"][r.tokens[end-1].lower]
		if company {
			phrase = 0 // "after lunch with Cy" is no time of day
		}
		if t.phrase != phrase || !company && r.words["stop"][t.lower] || r.clause(end) || r.phrase("over", end) > 0 ||
			end > i && (r.tokens[end-1].ends || between && r.joins(end) || r.words["and"][t.lower]) {
			break
		}
		said = append(said, t.lower)
	}
	name = strings.Join(said, " ")
	if strings.IndexFunc(name, unicode.IsLetter) < 0 && !r.words["company"][name] {
		return "", end
	}
	return name, end
}

// clause reports whether a clause goes on at token i rather than a noun: "before we meet".
func (r anchorReader) clause(i int) bool {
	return i < len(r.tokens) && !r.tokens[i-1].ends && r.words["clause"][r.tokens[i].lower]
}

// joins reports whether a second event begins at token i with a letter that stands for "and" and that no space follows.
func (r anchorReader) joins(i int) bool {
	if i >= len(r.tokens) || r.words["joins"] == nil {
		return false
	}
	head, _ := utf8.DecodeRuneInString(r.tokens[i].lower)
	return r.words["joins"][string(head)]
}
