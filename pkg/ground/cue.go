package ground

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"convene/pkg/agenda"
	"convene/pkg/conjugation"
)

//go:embed data/*.txt
var data embed.FS

// book is how a language speaks of what is to become of things: phrases by what they say.
type book struct {
	verbs   conjugation.Book
	phrases []phrase
}

// phrase is a way to say something, by its words. A word "_" stands for up to four words.
type phrase struct {
	says  string
	words []string
}

// mostBetween is how many words stand for "_" at most.
const mostBetween = 4

// books are those of each language, read once. A test reads the embedded files, so that they cannot be broken here.
var books = sync.OnceValue(func() map[string]book {
	all := map[string]book{}
	for _, language := range []string{"en", "he", "es"} {
		if text, err := fs.ReadFile(data, "data/"+language+".txt"); err == nil {
			if b, err := readBook(string(text), language); err == nil {
				all[language] = b
			}
		}
	}
	return all
})

// readBook reads lines of a key and its phrases, between bars.
func readBook(text, language string) (b book, err error) {
	b.verbs = conjugation.NewBook(language)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		key, list, found := strings.Cut(line, ": ")
		if !found {
			return b, fmt.Errorf("%s: no colon in %q", language, line)
		}
		for said := range strings.SplitSeq(list, "|") {
			words := strings.Fields(said)
			if len(words) == 0 {
				return b, fmt.Errorf("%s: an empty phrase of %s", language, key)
			}
			b.phrases = append(b.phrases, phrase{key, b.verbs.Add(words)})
		}
	}
	return b, nil
}

// word is a word of a message. Person is the index of the contact whom it may mean, -1 for none.
type word struct {
	lower, verb string
	stems       []string
	from, to    int
	person      int
	// opens says that it begins a clause, named that it is of the name of a thing, used that it is read.
	opens, named, used bool
}

var wordForm = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+(?:['’.:\-״"][\p{L}\p{M}\p{N}]+)*`)

// split are the words of a text. A pronoun that is written at the end of a verb is a word.
func split(text string, verbs conjugation.Book) (words []word) {
	last := 0
	for _, at := range wordForm.FindAllStringIndex(text, -1) {
		lower := strings.ReplaceAll(strings.ToLower(text[at[0]:at[1]]), "’", "'")
		w := word{
			lower: lower, from: at[0], to: at[1], person: -1, stems: agenda.Stems(lower),
			opens: last == 0 || strings.ContainsAny(text[last:at[0]], ".,;:!?()–—\n"),
		}
		var root conjugation.Root
		w.verb, root = verbs.Of(lower)
		words, last = append(words, w), at[1]
		if root.Pronoun != "" {
			words = append(words, word{lower: root.Pronoun, from: at[1], to: at[1], person: -1})
		}
	}
	return words
}

// cue is a phrase where it stands: words from to to.
type cue struct {
	says     string
	from, to int
}

// cues are the phrases of the message, at each word the longest. Words of the names of things say nothing else.
func (r *reading) cues() (all []cue) {
	for i := 0; i < len(r.words); i++ {
		best := cue{from: i, to: i}
		for _, p := range r.book.phrases {
			if end := r.match(p.words, i); end > best.to {
				best = cue{p.says, i, end}
			}
		}
		if best.says != "" {
			all = append(all, best)
		}
	}
	return all
}

// match is where the words of a phrase end that begins at word i; 0 if they do not stand there.
func (r *reading) match(words []string, i int) int {
	for k, w := range words {
		if w == "_" {
			for skip := 1; skip <= mostBetween && i+skip <= len(r.words); skip++ {
				if end := r.match(words[k+1:], i+skip); end > 0 {
					return end
				}
			}
			return 0
		}
		if i >= len(r.words) || r.words[i].named || w != r.words[i].lower && w != r.words[i].verb {
			return 0
		}
		i++
	}
	return i
}

// has reports whether the message says something, anywhere.
func (r *reading) has(key string) bool {
	_, there := r.cue(key)
	return there
}

// cue is the first phrase that says something.
func (r *reading) cue(key string) (cue, bool) {
	for _, c := range r.cues() {
		if c.says == key {
			return c, true
		}
	}
	return cue{}, false
}
