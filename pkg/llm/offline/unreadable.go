package offline

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// knownLanguage is one that is told from others; one with a sentence is not read.
type knownLanguage struct {
	tag, script, sentence string
	words                 map[string]bool
}

// knownLanguages are those of data/languages.txt, read once. A test reads the embedded file.
var knownLanguages = sync.OnceValue(func() (all []knownLanguage) {
	text, err := data.ReadFile("data/languages.txt")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		head, rest, ok := strings.Cut(line, ": ")
		sentence, list, both := strings.Cut(rest, "|")
		tag, script, named := strings.Cut(head, " ")
		if ok && both && named && !strings.HasPrefix(line, "#") {
			all = append(all, knownLanguage{tag, script, strings.TrimSpace(sentence), wordSet(list)})
		}
	}
	return all
})

// scripts are those that tell a language, or a few. Japanese is told by its own letters, although it has others too.
var scripts = map[string][]*unicode.RangeTable{
	"Latin": {unicode.Latin}, "Han": {unicode.Han}, "Kana": {unicode.Hiragana, unicode.Katakana},
	"Hangul": {unicode.Hangul}, "Devanagari": {unicode.Devanagari}, "Bengali": {unicode.Bengali},
	"Telugu": {unicode.Telugu}, "Tamil": {unicode.Tamil}, "Cyrillic": {unicode.Cyrillic}, "Arabic": {unicode.Arabic},
}

// foreign is the language of a text if the rules know it and do not read it. A name or a single word within another
// language does not tell: more than half of the letters must be of the script, and of the Latin one a third of the
// words, at least two, of that language, and more than of English and of Spanish.
func foreign(text string) (language knownLanguage, isUnread bool) {
	script := scriptOf(text)
	language, sure := mostlyOf(text, script)
	return language, (sure || script != "Latin" && script != "") && language.sentence != ""
}

// mostlyOf is the language of a script that has most words of a text, and whether they are enough to tell.
func mostlyOf(text, script string) (language knownLanguage, sure bool) {
	said := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '-'
	})
	slices.Sort(said)
	said = slices.Compact(said)
	most := -1
	for _, l := range knownLanguages() {
		if l.script != script {
			continue
		}
		n := 0
		for _, w := range said {
			if l.words[w] {
				n++
			}
		}
		if n > most {
			language, most = l, n
		}
	}
	return language, most >= 2 && most*3 >= len(said)
}

// scriptOf is the script of more than half of the letters of a text; empty if there is none.
func scriptOf(text string) string {
	letters, counts := 0, map[string]int{}
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		for name, tables := range scripts {
			if unicode.In(r, tables...) {
				counts[name]++
			}
		}
	}
	if counts["Kana"] > 0 && counts["Kana"] >= counts["Latin"] {
		return "Kana"
	}
	for name, n := range counts {
		if n*2 > letters {
			return name
		}
	}
	return ""
}
