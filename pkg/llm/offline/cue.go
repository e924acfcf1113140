package offline

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed data
var data embed.FS

// cueBook is what one language's file of cues says: how much each expression speaks for each intent.
//
// A line of the file is one cue: an intent, a weight in nats, and the alternatives of what a message has to say,
// separated by "|". An alternative is one or more conditions joined by "&": a phrase, or a property in braces
// ({timed}); "!" in
// front denies it. A phrase is words with these signs: "^" the beginning, forms of politeness left out; "$" the end;
// ".." up to five words; "_" one word; "word?" one that may be missing; "stem*" any word that begins so; "<class>" one
// of a class of words, which a line "= class: words" gives. "~ phrases" lists the forms of politeness; after those of
// "~~ phrases" an infinitive follows, which is no question although one may begin with the same word (class
// "auxiliary"). Whom a message speaks to is no part of it, unless a word of the class "statement" follows. "% letters"
// are those that the language writes in front of a word without a space. "> intent: sentence", before its cues, is an
// intent that the stages know by this name and that needs no weighing: the sentence acknowledges it. "? aspect:
// alternatives" are the ways to ask for an aspect of the proposal, and "!: alternatives" are orders that Convene does
// not follow.
type cueBook struct {
	// alternatives are those of all cues, each under every word of needed; those that need no word are under "".
	alternatives map[string][]*alternative
	// stages are the intents that the stages know by the same name, and sentences what acknowledges them.
	stages    []Intent
	sentences map[Intent]string
	// questions are what may be asked of a proposal, by what each asks for.
	questions []question
	// beyond are orders that Convene does not follow, whatever else speaks in them.
	beyond    []*alternative
	polite    []form
	particles string
	auxiliary map[string]bool
	statement map[string]bool
	english   bool
	// known are the words and stems of all phrases. A message may begin with one that is none of them: whom it speaks to.
	known phraseWords
}

type phraseWords struct {
	words map[string]bool
	stems []string
}

func (k *phraseWords) add(s step) {
	if k.words == nil {
		k.words = map[string]bool{}
	}
	if s.word != "" {
		k.words[s.word] = true
	}
	for w := range s.class {
		k.words[w] = true
	}
	k.stems = append(k.stems, s.stems...)
}

func (k *phraseWords) has(w string) bool {
	return k.words[w] || slices.ContainsFunc(k.stems, func(stem string) bool { return strings.HasPrefix(w, stem) })
}

// question is the ways to ask for one aspect of a proposal.
type question struct {
	aspect string
	ways   []*alternative
}

// form is a form of politeness.
type form struct {
	phrase
	wants bool
}

// cue adds its weight to an intent once, however many of its alternatives hold.
type cue struct {
	intent Intent
	weight float64
}

// alternative is one way to give a cue.
type alternative struct {
	cue *cue
	all []condition
}

type condition struct {
	property string
	phrase   phrase
	denied   bool
}

// cost ranks conditions by how much there is to look at.
func (c condition) cost() int {
	switch {
	case len(c.phrase.needed) > 0:
		return 0
	case c.property == "":
		return 1
	default:
		return 2
	}
}

// phrase is a pattern of words.
type phrase struct {
	// first and last tie it to the beginning and the end of the message.
	first, last bool
	steps       []step
	// needed are words without which it cannot stand anywhere, so that most phrases cost one look.
	needed []string
}

type step struct {
	word     string
	class    map[string]bool
	stems    []string
	gap      bool
	anyWord  bool
	optional bool
}

// cueBooks are the books by language, read once. A test reads the embedded files, so that they cannot be broken here.
var cueBooks = sync.OnceValue(func() map[string]cueBook {
	books := map[string]cueBook{}
	for _, language := range languages() {
		text, err := data.ReadFile("data/" + language + "/cues.txt")
		if err != nil {
			continue
		}
		book, err := parseCues(string(text))
		if err != nil {
			continue
		}
		book.english = language == english
		books[language] = book
	}
	return books
})

// parseCues reads a file of cues.
func parseCues(text string) (cueBook, error) {
	p := cueParser{
		book: cueBook{
			alternatives: map[string][]*alternative{}, sentences: map[Intent]string{},
		}, classes: map[string][]string{},
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := p.line(line); err != nil {
			return cueBook{}, fmt.Errorf("cues, line %d: %w", n, err)
		}
	}
	return p.book, nil
}

type cueParser struct {
	book    cueBook
	classes map[string][]string
}

func (p *cueParser) line(line string) error {
	if rest, ok := strings.CutPrefix(line, "~"); ok {
		return p.politeness(rest)
	}
	if rest, ok := strings.CutPrefix(line, "% "); ok {
		p.book.particles = strings.TrimSpace(rest)
		return nil
	}
	head, rest, ok := strings.Cut(line, ":")
	if !ok {
		return fmt.Errorf("no colon in %q", line)
	}
	if name, sentence := strings.CutPrefix(head, "> "); sentence {
		p.book.stages = append(p.book.stages, Intent(name))
		p.book.sentences[Intent(name)] = strings.TrimSpace(rest)
		return nil
	}
	if aspect, asks := strings.CutPrefix(head, "? "); asks {
		ways, err := p.alternatives(rest)
		p.book.questions = append(p.book.questions, question{strings.TrimSpace(aspect), ways})
		return err
	}
	if head == "!" {
		ways, err := p.alternatives(rest)
		p.book.beyond = append(p.book.beyond, ways...)
		return err
	}
	if name, isClass := strings.CutPrefix(head, "= "); isClass {
		name = strings.TrimSpace(name)
		p.classes[name] = append(p.classes[name], strings.Fields(rest)...)
		switch name {
		case "auxiliary":
			p.book.auxiliary = wordSet(rest)
		case "statement":
			p.book.statement = wordSet(rest)
		}
		return nil
	}
	return p.cue(head, rest)
}

func (p *cueParser) politeness(list string) error {
	list, wants := strings.CutPrefix(list, "~")
	for text := range strings.SplitSeq(list, "|") {
		polite, err := p.phrase(strings.TrimSpace(text))
		if err != nil {
			return err
		}
		p.book.polite = append(p.book.polite, form{polite, wants})
	}
	return nil
}

func (p *cueParser) cue(head, rest string) error {
	name, weight, _ := strings.Cut(head, " ")
	n, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
	if err != nil {
		return fmt.Errorf("weight of %q: %w", head, err)
	}
	if !slices.Contains(p.book.intents(), Intent(name)) {
		return fmt.Errorf("no intent is called %q", name)
	}
	c := &cue{intent: Intent(name), weight: n}
	ways, err := p.alternatives(rest)
	for _, one := range ways {
		one.cue = c
		for _, w := range one.needed() {
			p.book.alternatives[w] = append(p.book.alternatives[w], one)
		}
	}
	return err
}

// alternatives reads the alternatives of a line.
func (p *cueParser) alternatives(rest string) (all []*alternative, err error) {
	for text := range strings.SplitSeq(rest, "|") {
		one := &alternative{}
		for text := range strings.SplitSeq(text, "&") {
			condition, err := p.condition(strings.TrimSpace(text))
			if err != nil {
				return nil, err
			}
			one.all = append(one.all, condition)
		}
		// A word that is missing is found out sooner than what a whole message says.
		slices.SortStableFunc(one.all, func(a, b condition) int { return a.cost() - b.cost() })
		all = append(all, one)
	}
	return all, nil
}

func (p *cueParser) condition(text string) (condition, error) {
	rest, denied := strings.CutPrefix(text, "!")
	rest = strings.TrimSpace(rest)
	if name, ok := strings.CutPrefix(rest, "{"); ok {
		name = strings.TrimSuffix(name, "}")
		if properties[name] == nil {
			return condition{}, fmt.Errorf("no property is called %q", name)
		}
		return condition{property: name, denied: denied}, nil
	}
	one, err := p.phrase(rest)
	return condition{phrase: one, denied: denied}, err
}

func (p *cueParser) phrase(text string) (phrase, error) {
	var out phrase
	text, out.first = strings.CutPrefix(text, "^")
	text, out.last = strings.CutSuffix(text, "$")
	for word := range strings.FieldsSeq(text) {
		s, err := p.step(word)
		if err != nil {
			return phrase{}, err
		}
		out.steps = append(out.steps, s)
		p.book.known.add(s)
		if s.word != "" && !s.optional {
			out.needed = append(out.needed, s.word)
		}
	}
	if len(out.steps) == 0 {
		return phrase{}, fmt.Errorf("empty phrase")
	}
	return out, nil
}

func (p *cueParser) step(word string) (s step, err error) {
	switch word {
	case "..":
		return step{gap: true}, nil
	case "_":
		return step{anyWord: true}, nil
	}
	word, s.optional = strings.CutSuffix(word, "?")
	list := []string{word}
	if name, ok := strings.CutPrefix(word, "<"); ok {
		if list = p.classes[strings.TrimSuffix(name, ">")]; list == nil {
			return step{}, fmt.Errorf("no class is called %s", word)
		}
	} else if !strings.HasSuffix(word, "*") {
		s.word = word
		return s, nil
	}
	s.class = map[string]bool{}
	for _, w := range list {
		if stem, ok := strings.CutSuffix(w, "*"); ok {
			s.stems = append(s.stems, stem)
		} else {
			s.class[w] = true
		}
	}
	return s, nil
}

// heard is a message as the cues look at it: each word in the forms that it may be taken for, without marks.
type heard struct {
	words [][]string
	timed []bool
	// at is the index of each in the sentence.
	at []int
	// has holds all forms of all words.
	has map[string]bool
	// starts are where the message may be said to begin: at its first word, after each form of politeness, after a time
	// that it begins with, and after a name that it speaks to.
	starts []int
}

// hear prepares the words of a message.
func (b cueBook) hear(s *sentence) heard {
	h := heard{has: map[string]bool{}}
	for i, w := range s.words {
		if w.mark {
			continue
		}
		text := strings.ToLower(w.text) // slips are mended for English only
		if b.english {
			text = expand(w.lower)
		}
		for _, part := range strings.Fields(text) {
			forms := b.forms(part)
			h.words, h.timed, h.at = append(h.words, forms), append(h.timed, w.timed), append(h.at, i)
			for _, form := range forms {
				h.has[form] = true
			}
		}
	}
	h.starts = []int{0}
	for i := 0; ; {
		end, wants := b.opening(h, i)
		if end == i || end >= len(h.words) {
			return h
		}
		if i = end; !wants || !b.auxiliary[h.words[i][0]] {
			h.starts = append(h.starts, i)
		}
	}
}

// opening is the end of the form of politeness, or of the time, that stands at word i, and whether an infinitive
// follows.
func (b cueBook) opening(h heard, i int) (end int, wants bool) {
	end = i
	for _, polite := range b.polite {
		if e, ok := polite.from(h.words, i, 0); ok && e > end {
			end, wants = e, polite.wants
		}
	}
	if end == 0 && len(h.words) > 2 && !b.statement[h.words[1][0]] && !slices.ContainsFunc(h.words[0], b.known.has) &&
		!h.timed[0] {
		end = 1
	}
	if end == i {
		for end < len(h.timed) && h.timed[end] {
			end++
		}
	}
	return end, wants
}

// forms are a word and what is left of it without the letters that the language writes in front.
func (b cueBook) forms(w string) []string {
	forms := []string{w}
	for range 2 {
		r, size := utf8.DecodeRuneInString(w)
		if !strings.ContainsRune(b.particles, r) || utf8.RuneCountInString(w) < 4 {
			break
		}
		w = strings.TrimLeft(w[size:], "-־")
		forms = append(forms, w)
	}
	return forms
}

// holds reports whether the phrase stands in the message.
func (p *phrase) holds(h *heard) bool {
	for _, w := range p.needed {
		if !h.has[w] {
			return false
		}
	}
	if p.first {
		return slices.ContainsFunc(h.starts, func(i int) bool { return p.standsAt(i, h) })
	}
	for i := range h.words {
		if p.standsAt(i, h) {
			return true
		}
	}
	return false
}

// standsAt reports whether the phrase begins at word i.
func (p *phrase) standsAt(i int, h *heard) bool {
	_, ok := p.from(h.words, i, 0)
	return ok
}

// maxGap is the most words that ".." stands for.
const maxGap = 5

// from reports whether the steps from n on stand at word i, and where they end.
func (p *phrase) from(words [][]string, i, n int) (end int, ok bool) {
	if n == len(p.steps) {
		return i, !p.last || i == len(words)
	}
	s := &p.steps[n]
	if s.gap {
		for skip := 0; skip <= maxGap && i+skip <= len(words); skip++ {
			if end, ok := p.from(words, i+skip, n+1); ok {
				return end, true
			}
		}
		return i, false
	}
	if i < len(words) && (s.anyWord || slices.ContainsFunc(words[i], s.is)) {
		if end, ok := p.from(words, i+1, n+1); ok {
			return end, true
		}
	}
	if s.optional {
		return p.from(words, i, n+1)
	}
	return i, false
}

func (s *step) is(w string) bool {
	if s.class == nil {
		return s.word == w
	}
	return s.class[w] || slices.ContainsFunc(s.stems, func(stem string) bool { return strings.HasPrefix(w, stem) })
}
