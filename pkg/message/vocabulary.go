package message

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

//go:embed data/vocabulary.txt
var vocabularyText string

//go:embed data/lexicon.txt
var lexiconText string

// vocabulary is the ordinary words of one language.
type vocabulary struct {
	language string
	words    map[string]bool
	// allowed and refused are phrases that are judged otherwise than their words.
	allowed, refused []string
}

// vocabularies are those of all languages that have one, by base language, read once.
var vocabularies = sync.OnceValue(func() map[string]vocabulary {
	all := map[string]vocabulary{}
	for tag, lines := range sections(vocabularyText) {
		v := vocabulary{language: tag, words: map[string]bool{}}
		for _, line := range lines {
			v.read(line)
		}
		all[tag] = v
	}
	return all
})

func (v *vocabulary) read(line string) {
	mark, rest, _ := strings.Cut(line, " ")
	switch mark {
	case "=":
		v.allowed = append(v.allowed, rest)
	case "!":
		v.refused = append(v.refused, rest)
	default:
		for _, word := range strings.Fields(line) {
			v.words[word] = true
		}
	}
}

// sections splits an embedded text at its [headings]; lines that begin with # are remarks.
func sections(text string) map[string][]string {
	found := map[string][]string{}
	heading := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			heading = strings.Trim(line, "[]")
		default:
			found[heading] = append(found[heading], line)
		}
	}
	return found
}

// phraseIndexes are the phrases of each language with a vocabulary together with those of English, read once.
var phraseIndexes = sync.OnceValue(func() map[string]factIndex {
	all := map[string]factIndex{}
	for tag, v := range vocabularies() {
		x := factIndex{}
		vocabularies()[english].index(x)
		v.index(x)
		all[tag] = x
	}
	return all
})

// phrasesBeside are the allowed and refused phrases of a message: those of its language and of English.
func phrasesBeside(base string) factIndex {
	if x, ok := phraseIndexes()[base]; ok {
		return x
	}
	return phraseIndexes()[english]
}

func (v vocabulary) index(x factIndex) {
	for _, phrase := range v.allowed {
		x.addSentence(phrase, role{kind: allowedPhrase, language: v.language})
	}
	for _, phrase := range v.refused {
		x.addSentence(phrase, role{kind: refusedPhrase, language: v.language})
	}
}

// knows reports whether a word is ordinary. first says that it begins a sentence and may have a capital for that ("May"
// may not).
func (v vocabulary) knows(word string, first bool) bool {
	if v.words[word] {
		return true
	}
	lower := lowerFirst(word)
	return first && lower != word && !meanings().days[v.language][fold(word)] && v.words[lower]
}

func lowerFirst(s string) string { return withFirst(s, unicode.ToLower) }
func upperFirst(s string) string { return withFirst(s, unicode.ToUpper) }

func withFirst(s string, change func(rune) rune) string {
	r, size := utf8.DecodeRuneInString(s)
	changed := change(r)
	if changed == r && r != utf8.RuneError {
		return s
	}
	return string(changed) + s[size:]
}

// lexicon is folded words that state something: in any language, and the days and months of each.
type lexicon struct {
	all  map[string]string
	days map[string]map[string]bool
}

// meanings is the lexicon of all languages, read once.
var meanings = sync.OnceValue(func() lexicon {
	lex := lexicon{all: map[string]string{}, days: map[string]map[string]bool{}}
	for tag, language := range names() {
		days := map[string]bool{}
		for _, name := range append(language.WeekdayWords, language.MonthWords...) {
			for _, word := range strings.FieldsFunc(name, notWord) {
				if utf8.RuneCountInString(word) > 2 || unicode.Is(unicode.Han, firstRune(word)) &&
					utf8.RuneCountInString(word) > 1 {
					days[fold(word)] = true
					lex.all[fold(word)] = KindWeekday
				}
			}
		}
		lex.days[tag] = days
	}
	kinds := map[string]string{"time": KindTime, "number": KindTime, "zone": KindZone}
	for heading, lines := range sections(lexiconText) {
		for word := range strings.FieldsSeq(strings.Join(lines, " ")) {
			lex.all[fold(word)] = kinds[heading]
		}
	}
	return lex
})

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// meaningOf is KindWeekday, KindTime or KindZone for a word that states one in any language, and empty for all others.
// Abbreviations of one or two letters do not count, because each is an ordinary word somewhere.
func meaningOf(word string) string {
	if strings.ContainsFunc(word, unicode.IsNumber) {
		return KindTime
	}
	return meanings().all[fold(strings.Trim(word, ".,;:!?"))]
}

// statesTime reports whether a word states a day or time in that language or in English. It is the test for names,
// which may be days in other languages ("Sam" is Saturday in Slovak).
func statesTime(word, language string) bool {
	word = strings.Trim(word, ".,;:!?")
	folded, lex := fold(word), meanings()
	return strings.ContainsFunc(word, unicode.IsNumber) || lex.all[folded] == KindTime ||
		lex.days[english][folded] || lex.days[language][folded]
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// fold is a word without case and without the accents of Latin, Greek and Cyrillic letters, in NFC.
func fold(word string) string {
	if isASCII(word) {
		return strings.ToLower(word)
	}
	bare := strings.Map(func(r rune) rune {
		switch {
		case r >= '\u0300' && r <= '\u036f':
			return -1
		case r == '’' || r == 'ʼ':
			return '\''
		}
		return r
	}, norm.NFD.String(strings.ToLower(word)))
	return norm.NFC.String(bare)
}
