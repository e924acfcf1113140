package message

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed data/claims.txt
var claimsText string

// grammar is how one language says what has happened, who answered and who is free. data/claims.txt explains the
// classes of words.
type grammar struct {
	language string
	// words has the classes of single words; phrases, single words included, are indexed by their last word, or by "*" if
	// it matches by ending.
	words   map[string]map[string]bool
	phrases map[string][]classed
}

// classed is a phrase with its class.
type classed struct {
	class string
	words []string
}

// grammars are those of all languages that have one, read once. Words of further languages that claim without any
// context are under "other".
var grammars = sync.OnceValue(func() map[string]*grammar {
	all := map[string]*grammar{}
	for heading, lines := range sections(claimsText) {
		language, class, _ := strings.Cut(heading, " ")
		g := all[language]
		if g == nil {
			g = &grammar{language, map[string]map[string]bool{}, map[string][]classed{}}
			all[language] = g
		}
		for _, line := range lines {
			if phrase, ok := strings.CutPrefix(line, "= "); ok {
				words := wordsOf(phrase)
				last := words[len(words)-1]
				if strings.HasPrefix(last, "*") {
					last = "*"
				}
				g.phrases[last] = append(g.phrases[last], classed{class, words})
				continue
			}
			for word := range strings.FieldsSeq(line) {
				if g.words[word] == nil {
					g.words[word] = map[string]bool{}
				}
				if !g.words[word][class] {
					g.words[word][class] = true
					g.phrases[word] = append(g.phrases[word], classed{class, []string{word}})
				}
			}
		}
	}
	return all
})

// grammarsOf are the grammars of the given languages, or all if none is given.
func grammarsOf(languages ...string) (all []*grammar) {
	for language, g := range grammars() {
		if len(languages) == 0 || slices.Contains(languages, language) {
			all = append(all, g)
		}
	}
	return all
}

// mayClaim reports whether claims can contain a word: a sentence with it can be checked, and left out if it claims
// anything.
func mayClaim(language, word string, first bool) bool {
	g := grammars()[language]
	if first {
		word = lowerFirst(word)
	}
	return g != nil && g.words[word] != nil && meaningOf(word) == ""
}

// wordsOf are the words of a text, contractions split.
func wordsOf(text string) (words []string) {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		words = append(words, uncontracted(word)...)
	}
	return words
}

// uncontracted splits an English contraction: "it's" is "it" and "'s". "Don't" and "let's" are one word each.
func uncontracted(word string) []string {
	word = strings.Map(foldMark, word)
	i := strings.LastIndexByte(word, '\'')
	contracted := []string{"'s", "'re", "'ve", "'ll", "'d", "'m"}
	if i <= 0 || word == "let's" || !slices.Contains(contracted, word[i:]) {
		return []string{word}
	}
	return []string{word[:i], word[i:]}
}

// parts splits an English contraction, and a Hebrew word with "and", "that" or "when" prefixed.
func parts(word string) []string {
	word = strings.ToLower(norm.NFC.String(word))
	hebrew := grammars()["he"].words
	for _, prefix := range []string{"כש", "ש", "ו"} {
		if rest, ok := strings.CutPrefix(word, prefix); ok && hebrew[word] == nil && hebrew[rest] != nil {
			return []string{prefix, rest}
		}
	}
	return uncontracted(word)
}

// heard is a word of a sentence. person says that it is a name, which begins at from; called that it may be one; mark
// that it is punctuation, moment that it is the chosen time, and event that it is the event.
type heard struct {
	text                                string
	person, called, mark, moment, event bool
	from                                int
}

// sentenceHeard is the sentence read so far. A claim is known by its last word, from the words before it; only the
// sentence's end shows whether it was a question, or depends on the reader's own action.
type sentenceHeard struct {
	grammars []*grammar
	// early says that nothing has been searched yet.
	early  bool
	words  []heard
	claims []int
}

// hear adds the next word of the sentence.
func (s *sentenceHeard) hear(w heard) {
	for _, text := range parts(w.text) {
		next := w
		next.text, next.from = text, len(s.words)
		s.words = append(s.words, next)
		for _, g := range s.grammars {
			g.look(s, len(s.words)-1)
		}
	}
}

// look records what the word at i makes of the sentence in this language.
func (g *grammar) look(s *sentenceHeard, i int) {
	for _, c := range g.classesAt(s.words, i) {
		from := i + 1 - len(c.words)
		switch c.class {
		case "person":
			s.words[i].person, s.words[i].from = true, from
		case "plain":
			s.claims = slices.DeleteFunc(s.claims, func(at int) bool { return at >= from })
			continue
		}
		if g.claims(s, c.class, from) {
			s.claims = append(s.claims, i)
		}
	}
	if g.suits(s.words, i) || s.words[i].moment && g.takesPlace(s.words, i) {
		s.claims = append(s.claims, i)
	}
}

// classesAt are the classes of the word at i and of the phrases that end there, plain ones last.
func (g *grammar) classesAt(words []heard, i int) (found []classed) {
	for _, last := range []string{words[i].text, "*"} {
		for _, p := range g.phrases[last] {
			if from := i + 1 - len(p.words); from >= 0 && p.fits(words[from:i+1]) {
				found = append(found, p)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b classed) int { return bit(a.class == "plain") - bit(b.class == "plain") })
	return found
}

func (p classed) fits(words []heard) bool {
	for i, want := range p.words {
		ending, anything := strings.CutPrefix(want, "*")
		if anything && strings.HasSuffix(words[i].text, ending) {
			continue
		}
		if words[i].text != want {
			return false
		}
	}
	return true
}

func (g *grammar) is(w heard, class string) bool { return !w.mark && g.words[w.text][class] }

// claims reports whether a word or phrase of the class, beginning at from, states something there.
func (g *grammar) claims(s *sentenceHeard, class string, from int) bool {
	switch class {
	case "done", "early":
		c := g.contextOf(s.words, from)
		return (class == "done" || s.early) && !c.unreal() && !c.soft
	case "able":
		c := g.contextOf(s.words, from)
		return c.stated && !c.unreal()
	case "verb":
		subject := g.subject(s.words, from)
		return subject >= 0 && !g.contextOf(s.words, subject).unreal()
	}
	return false
}

// context is what precedes a word in its clause. soft says that its governing word is a wish or about the future, wish
// that there is such a word and nobody asserts what follows it, stated that there is a copula or a person.
type context struct{ conditional, which, soft, wish, stated bool }

// unreal reports whether what follows is not asserted: "if it is booked", "let me see who is free".
func (c context) unreal() bool { return c.conditional || c.which && c.wish }

func (g *grammar) contextOf(words []heard, from int) (c context) {
	governed, told := false, false
	for i := from - 1; i >= 0 && !words[i].mark && !g.is(words[i], "split"); i-- {
		c.stated = c.stated || words[i].person
		for _, at := range g.classesAt(words, i) {
			switch at.class {
			case "if":
				c.conditional = true
			case "which":
				c.which = true
			case "soft":
				c.soft, c.wish, governed = c.soft || !governed, c.wish || !told, true
			case "hard", "self":
				governed, told = true, true
			case "copula":
				c.stated = true
			}
		}
		governed = governed || g.is(words[i], "copula") || g.is(words[i], "verb")
	}
	return c
}

// subject is where the person begins who is the subject of the verb at i, -1 if there is none. A person after a
// preposition is not a subject.
func (g *grammar) subject(words []heard, i int) int {
	at := i - 1
	for at >= 0 && i-at <= 3 && g.is(words[at], "between") {
		at--
	}
	if at < 0 || !words[at].person && (!words[at].called || g.is(words[i], "copula")) {
		return -1
	}
	from := words[at].from
	if from == 0 || !g.is(words[from-1], "before") {
		return from
	}
	if from > 1 && words[from-2].person {
		return g.subject(words, from-1)
	}
	return -1
}

// suits reports whether the word at i and an earlier one say that something suits a person: "it works for everyone",
// "for both of you it works".
func (g *grammar) suits(words []heard, i int) bool {
	for at := words[i].from - 1; at >= max(0, words[i].from-4) && !words[at].mark; at-- {
		if words[i].person && g.is(words[at], "fit") || words[at].person && g.is(words[i], "fit") {
			c := g.contextOf(words, max(at, words[at].from))
			return !c.conditional && !c.wish
		}
	}
	return false
}

// takesPlace reports whether the event is said to be at the moment at i: "it's on Tuesday".
func (g *grammar) takesPlace(words []heard, i int) bool {
	at := i - 1
	for at > 0 && i-at <= 3 && (g.is(words[at], "before") || g.is(words[at], "between") || words[at].text == "el") {
		at--
	}
	return at > 0 && g.is(words[at], "copula") && (words[at-1].event || g.is(words[at-1], "event")) &&
		!g.contextOf(words, at-1).conditional
}

// claimsWhen reports whether the sentence, once ended by the mark (0 for none), claims anything. A question does not in
// its last clause, nor a sentence that depends on the reader's own action: "once you confirm, Al will get an invite".
func (s *sentenceHeard) claimsWhen(end rune) bool {
	return slices.ContainsFunc(s.claims, func(at int) bool {
		last := !slices.ContainsFunc(s.words[at:], func(w heard) bool { return w.mark })
		return !slices.ContainsFunc(s.grammars, func(g *grammar) bool {
			asks := end == '?' && last && !g.clauseHas(s.words, at-1, "hard")
			return asks || g.follows(s.words, at)
		})
	})
}

// clauseHas reports whether a word of the class stands at i or before it in the same clause.
func (g *grammar) clauseHas(words []heard, i int, class string) bool {
	for ; i >= 0 && !words[i].mark; i-- {
		if g.is(words[i], class) {
			return true
		}
	}
	return false
}

// follows reports whether the clause at i is about the future, in a sentence with a condition.
func (g *grammar) follows(words []heard, i int) bool {
	return g.clauseHas(words, i, "future") &&
		slices.ContainsFunc(words, func(w heard) bool { return g.is(w, "pending") }) &&
		slices.ContainsFunc(words, func(w heard) bool { return g.is(w, "if") || g.is(w, "which") })
}

// listen adds a whole sentence of plain text, in which unknown capitalised words may be names.
func (s *sentenceHeard) listen(sentence string) {
	for sentence != "" {
		c := firstRune(sentence)
		n := len(string(c))
		if unicode.IsLetter(c) {
			n = withApostrophes(sentence, run(sentence, isWordRuneOnly))
			word := sentence[:n]
			ordinary := func() bool { return vocabularies()[english].knows(word, true) || meaningOf(word) != "" }
			s.hear(heard{text: word, called: unicode.IsUpper(c) && !ordinary()})
		} else if strings.ContainsRune(clauseEnds, c) {
			s.hear(heard{mark: true})
		}
		sentence = sentence[min(n, len(sentence)):]
	}
}

// claims reports whether a sentence, in any language, claims what only code may say.
func claims(sentence string) bool {
	s := sentenceHeard{grammars: grammarsOf()}
	s.listen(sentence)
	return s.claimsWhen(endOf(sentence))
}

// clauseEnds are the marks between clauses.
const clauseEnds = ",;:–—()¿¡،"

// sentencesOf are the sentences of a text, each with the marks that end it.
func sentencesOf(text string) (all []string) {
	for text != "" {
		end := strings.IndexAny(text, ".!?…。！？\n")
		if end < 0 {
			return append(all, text)
		}
		rest := strings.TrimLeft(text[end:], ".!?…。！？\n ")
		all = append(all, text[:len(text)-len(rest)])
		text = rest
	}
	return all
}
