package offline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"convene/pkg/conjugation"
)

// This file has the ways in which people ask for an operation of their own day: data/*/operations.txt. A way is made of
// words and of slots, and each kind of slot has one reader, no matter what stands before and after it.

// verb is what an operation does.
type verb string

// way is one way to ask for an operation.
type way struct {
	verb verb
	// sure says that nothing else is asked for in this way, no matter what else speaks for another intent.
	sure  bool
	parts []part
	// words is how many words it has at least; one with more is tried first.
	words int
}

// part of a way is a list of words, one of them said, or a slot.
type part struct {
	slot     slot
	words    [][]string
	optional bool
	// letters are written in front of the next word. A mark is a colon or what opens a quotation.
	letters string
	mark    bool
}

// slot is a kind of part.
type slot string

// The slots: the events that are meant, a day or a time, a length by which something changes, people, a text that
// is taken as it stands, one that names a kind of time that people keep for themselves, and one that names a room.
const (
	slotWhich slot = "which"
	slotWhen  slot = "when"
	slotBy    slot = "by"
	slotWho   slot = "who"
	slotText  slot = "text"
	slotOwn   slot = "own"
	slotSpot  slot = "spot"
	// slotSince is the day from which on a series changes, slotOld the time from which an event goes away.
	slotSince slot = "since"
	slotOld   slot = "old"
	// slotIt are events that are only pointed at.
	slotIt slot = "it"
	// slotMine are events that are named as the user's own, or as those of a day: "my review", "friday's call".
	slotMine slot = "mine"
	// slotKept is a time that is kept free; see kept.go.
	slotKept slot = "kept"
)

var slots = []slot{
	slotSince, slotOld, slotWhich, slotWhen, slotBy, slotWho, slotText, slotOwn, slotSpot, slotIt, slotKept, slotMine,
}

// operationBook is how a language asks for operations.
type operationBook struct {
	ways []way
	// beginning are the indices of the ways that a word may begin, and anyhow of those that begin with more than words.
	beginning map[string][]int
	anyhow    []int
	// says is what the words of a selection say, by key (see data/en/which.txt). Before and after are what may stand
	// around the whole.
	says, before, after phrases
	// calls are what stands before the name of a block, definite words that something exists, own the last words of
	// times that people keep for themselves, spots nouns of rooms.
	calls, definite, own, spots phrases
	// short are abbreviations of single words.
	short map[string]string
	// reasons begin a clause that only says why something is asked, because begins one anywhere.
	reasons, because phrases
	// offs are what is said of a day on which much falls away.
	offs phrases
	// kept are what times that are kept free are called, by the preference.
	kept phrases
	// verbs are the words that ways begin with.
	verbs conjugation.Book
	// later are the nouns of what is not there yet, by family.
	later phrases
	// at are what may be put before an hour that stands alone, so that it is read as one.
	at []string
}

// operationBooks are those of each language, read once. A test reads the embedded files, so that they cannot be broken
// here.
var operationBooks = sync.OnceValue(func() map[string]operationBook {
	books := map[string]operationBook{}
	for _, language := range languages() {
		if book, err := readOperations(language); err == nil {
			books[language] = book
		}
	}
	return books
})

// replyBooks are what people say to what waits for their word, by language.
var replyBooks = sync.OnceValue(func() map[string]phrases {
	books := map[string]phrases{}
	for _, language := range languages() {
		books[language] = merged(embeddedPhrases(language, "replies.txt").other)
	}
	return books
})

// merged are the phrases of all keys, each named by its key; of one that stands under several, the first key counts.
func merged(keys map[string]phrases) phrases {
	all := phrases{}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		for _, expressions := range keys[key] {
			for _, e := range expressions {
				all.add(expression{key, e.words})
			}
		}
	}
	all.sort()
	return all
}

func readOperations(language string) (book operationBook, err error) {
	var text []byte
	for _, name := range []string{"operations.txt", "questions.txt"} {
		part, err := data.ReadFile("data/" + language + "/" + name)
		if err != nil {
			return book, fmt.Errorf("language %s: %w", language, err)
		}
		text = append(append(text, part...), '\n')
	}
	if book.ways, book.verbs, err = readWays(string(text), language); err != nil {
		return book, fmt.Errorf("operations of %s: %w", language, err)
	}
	book.index()
	which := embeddedPhrases(language, "which.txt").other
	book.before, book.after, book.at = which["before"], which["after"], tongueOf(language).At
	book.calls, book.definite, book.own, book.spots = which["calls"], which["definite"], which["own"], which["spots"]
	book.reasons, book.because, book.offs = which["reasons"], which["because"], which["offs"]
	for _, key := range []string{"before", "after", "calls", "definite", "own", "spots", "reasons", "because", "offs"} {
		delete(which, key)
	}
	book.kept = merged(embeddedPhrases(language, "kept.txt").other)
	later := map[string]phrases{}
	book.short = map[string]string{}
	for key, list := range which {
		if word, is := strings.CutPrefix(key, "short "); is {
			for short := range list {
				book.short[short] = word
			}
			delete(which, key)
		}
		if family, is := strings.CutPrefix(key, "later "); is {
			later[family] = list
			delete(which, key)
		}
	}
	book.later, book.says = merged(later), merged(which)
	return book, nil
}

// index finds the words that begin each way, so that a word is compared with few of them.
func (b *operationBook) index() {
	b.beginning = map[string][]int{}
	for k := range b.ways {
		first := b.ways[k].parts[0]
		if first.slot != "" || first.optional || first.letters != "" || first.mark {
			b.anyhow = append(b.anyhow, k)
			continue
		}
		for _, words := range first.words {
			if list := b.beginning[words[0]]; !slices.Contains(list, k) {
				b.beginning[words[0]] = append(list, k)
			}
		}
	}
}

// waysAt are the ways that the words at i may begin, in their order.
func (o *operating) waysAt(i int) (all []*way) {
	begin := slices.Clone(o.book.anyhow)
	if i < o.to {
		begin = append(begin, o.book.beginning[o.tokens[i].lower]...)
		begin = append(begin, o.book.beginning[o.tokens[i].verb]...)
	}
	slices.Sort(begin)
	for _, k := range slices.Compact(begin) {
		if w := &o.book.ways[k]; o.canFollow(w.parts, i) {
			all = append(all, w)
		}
	}
	return all
}

// readWays reads the form that data/en/operations.txt describes, the most specific ways first, with the verbs of its
// classes.
func readWays(text, language string) (ways []way, book conjugation.Book, err error) {
	classes := map[string][][]string{}
	book = conjugation.NewBook(language)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		head, list, found := strings.Cut(line, ":")
		if !found {
			return nil, book, fmt.Errorf("no colon in %q", line)
		}
		class, isClass := strings.CutPrefix(head, "= ")
		for phrase := range strings.SplitSeq(list, "|") {
			phrase, sure := strings.CutPrefix(strings.TrimSpace(phrase), "!")
			if isClass {
				classes[class] = append(classes[class], book.Add(strings.Fields(phrase)))
				continue
			}
			w := way{verb: verb(head), sure: sure}
			if err := w.read(phrase, classes, book); err != nil {
				return nil, book, err
			}
			ways = append(ways, w)
		}
	}
	slices.SortStableFunc(ways, func(a, b way) int { return b.rank() - a.rank() })
	return ways, book, nil
}

// rank says how early a way is tried: by its words, and of two alike the surer one.
func (w *way) rank() int {
	if w.sure {
		return 2*w.words + 1
	}
	return 2 * w.words
}

func (w *way) read(phrase string, classes map[string][][]string, book conjugation.Book) error {
	for said := range strings.FieldsSeq(strings.ReplaceAll(phrase, "-{", "- {")) {
		p := part{}
		said, p.optional = strings.CutSuffix(said, "?")
		name, isSlot := strings.CutPrefix(said, "{")
		name, p.optional = strings.TrimSuffix(name, "}"), p.optional || strings.HasSuffix(name, "?}")
		switch {
		case isSlot:
			p.slot = slot(strings.TrimSuffix(name, "?"))
			if !slices.Contains(slots, p.slot) {
				return fmt.Errorf("no slot is named %q", name)
			}
		case said == "%":
			p.mark = true
		case strings.HasSuffix(said, "-"):
			p.letters = strings.TrimSuffix(said, "-")
		case strings.ToUpper(said) == said && strings.ToLower(said) != said:
			if p.words = classes[said]; p.words == nil {
				return fmt.Errorf("no class is named %q", said)
			}
		default:
			p.words = [][]string{{said}}
			if verb := book.Named(said); verb != said {
				p.words = append(p.words, []string{verb})
			}
		}
		if !isSlot && !p.optional {
			w.words++
		}
		p.words = withPlain(p.words)
		w.parts = append(w.parts, p)
	}
	if len(w.parts) == 0 {
		return fmt.Errorf("%s has an empty way", w.verb)
	}
	return nil
}

// withPlain are phrases, also as they are written without accents.
func withPlain(phrases [][]string) [][]string {
	all := slices.Clone(phrases)
	for _, words := range phrases {
		plain := strings.Fields(conjugation.Plain(strings.Join(words, " ")))
		if !slices.Equal(plain, words) {
			all = append(all, plain)
		}
	}
	return all
}

// bound is what stands in a slot: words, the first of them without so many bytes in front.
type bound struct {
	slot     slot
	from, to int
	cut      int
}

// mostSteps bounds the attempts to read a message in all ways, so that no message makes them many.
const mostSteps = 20000

// match puts the words from i on into the parts.
func (o *operating) match(parts []part, i, cut int, got []bound) ([]bound, bool) {
	if o.steps++; o.steps > mostSteps {
		return nil, false
	}
	if len(parts) == 0 {
		return got, i == o.to && cut == 0
	}
	p := parts[0]
	if p.slot != "" {
		return o.matchSlot(parts, i, cut, got)
	}
	if p.letters != "" {
		if all, ok := o.matchLetters(parts, i, got); ok {
			return all, true
		}
	} else if p.mark && o.markAt(i) {
		return o.match(parts[1:], i, 0, got)
	}
	for _, alternative := range p.words {
		if n := o.said(alternative, i); n > 0 && cut == 0 {
			if all, ok := o.match(parts[1:], i+n, 0, got); ok {
				return all, true
			}
		}
	}
	if p.optional {
		return o.match(parts[1:], i, cut, got)
	}
	return nil, false
}

// matchLetters puts the words from i on into parts that begin with letters in front of a word; before a figure
// they are a word of their own.
func (o *operating) matchLetters(parts []part, i int, got []bound) ([]bound, bool) {
	if o.said([]string{parts[0].letters}, i) > 0 {
		if all, ok := o.match(parts[1:], i+1, 0, got); ok {
			return all, true
		}
	}
	if n := o.lettersAt(parts[0].letters, i); n > 0 && len(parts) > 1 {
		return o.match(parts[1:], i, n, got)
	}
	return nil, false
}

func (o *operating) matchSlot(parts []part, i, cut int, got []bound) ([]bound, bool) {
	p, rest := parts[0], parts[1:]
	for to := i + 1; to <= o.to; to++ {
		b := bound{p.slot, i, to, cut}
		if o.canFollow(rest, to) && o.fits(b) {
			if all, ok := o.match(rest, to, 0, append(slices.Clip(got), b)); ok {
				return all, true
			}
		}
	}
	if p.optional && cut == 0 {
		return o.match(rest, i, 0, got)
	}
	return nil, false
}

// canFollow reports whether the words at i may begin the parts, which is quick to see.
func (o *operating) canFollow(parts []part, i int) bool {
	if len(parts) == 0 {
		return i == o.to
	}
	p := parts[0]
	letters := p.letters != "" && (o.lettersAt(p.letters, i) > 0 || o.said([]string{p.letters}, i) > 0)
	return p.optional || p.slot != "" && i < o.to || letters || p.mark && o.markAt(i) ||
		slices.ContainsFunc(p.words, func(w []string) bool { return o.said(w, i) > 0 })
}

// said is how many words stand at word i that are those of a phrase; 0 if they do not stand there.
func (o *operating) said(phrase []string, i int) int {
	if i+len(phrase) > o.to {
		return 0
	}
	for k, w := range phrase {
		if t := &o.tokens[i+k]; t.lower != w && (t.verb != w || w == "") {
			return 0
		}
	}
	return len(phrase)
}

// lettersAt is how many bytes stand in front of word i that are the letters, with a hyphen after them; 0 for none.
func (o *operating) lettersAt(letters string, i int) int {
	if i >= o.to {
		return 0
	}
	rest, ok := strings.CutPrefix(o.tokens[i].lower, letters)
	bare := strings.TrimLeft(rest, "-־")
	if !ok || len([]rune(bare)) < 1 || len([]rune(bare)) < 2 && !unicode.IsDigit([]rune(bare)[0]) {
		return 0
	}
	return len(o.tokens[i].lower) - len(bare)
}

// markAt reports whether a colon or a quotation stands before word i.
func (o *operating) markAt(i int) bool {
	return i > 0 && i < o.to &&
		strings.ContainsAny(o.text[o.tokens[i-1].end:o.tokens[i].start+1], ":\"“”«'‘")
}
