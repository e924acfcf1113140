// Package calendarname finds which of their calendars people name in a message: "what's in my work calendar?", "en mi
// calendario de trabajo", "ביומן העבודה". The readers of messages then read the rest, so that no name of a calendar
// becomes a title, and put the calendar into the call that they make.
package calendarname

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Named is a message that names a calendar.
type Named struct {
	// Name is that of the calendar, in lower case and without an article; empty if the message names none, or several.
	Name string
	// Rest is the message without the name, Without that without the calendar as well ("block 9 to 10 for taxes"), and
	// Phrase the words that name it, as "work calendar".
	Rest, Without, Phrase string
}

//go:embed words.txt
var data string

// language is what the words of one language are. Before says that a name stands before the word for a calendar.
type language struct {
	noun, between, lead, name, several []string
	before, letters                    bool
}

var languages = sync.OnceValue(func() map[string]language {
	all := map[string]language{}
	for line := range strings.Lines(data) {
		head, words, ok := strings.Cut(strings.TrimSpace(line), ": ")
		tag, part, of := strings.Cut(head, " ")
		if !ok || !of || strings.HasPrefix(line, "#") {
			continue
		}
		l := all[tag]
		l.before, l.letters = tag == "en", tag == "he"
		*map[string]*[]string{
			"noun": &l.noun, "between": &l.between, "lead": &l.lead, "name": &l.name, "several": &l.several,
		}[part] = strings.Fields(words)
		all[tag] = l
	}
	return all
})

var word = regexp.MustCompile(`[\p{L}\p{M}]+`)

// In finds the one calendar that a message names. Without one, Rest is the message.
func In(message string) Named {
	places := word.FindAllStringIndex(message, -1)
	words := make([]string, len(places))
	for i, p := range places {
		words[i] = strings.ToLower(message[p[0]:p[1]])
	}
	found := Named{Rest: message, Without: message}
	for _, l := range languages() {
		several := slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(l.several, func(s string) bool { return strings.HasPrefix(w, s) })
		})
		nouns := 0
		for i, w := range words {
			if !slices.Contains(l.noun, l.bare(w)) {
				continue
			}
			nouns++
			from, to, name := l.beside(words, i)
			if name == "" || several || nouns > 1 {
				continue
			}
			first, last := min(from, i), max(to, i)
			found = Named{Name: name, Rest: without(message, places[from][0], places[to][1])}
			found.Phrase = message[places[first][0]:places[last][1]]
			for first > 0 && slices.Contains(l.lead, words[first-1]) {
				first--
			}
			found.Without = without(message, places[first][0], places[last][1])
		}
		if nouns > 1 {
			return Named{Rest: message, Without: message}
		}
	}
	return found
}

// without is a text without a part of it and the space before that.
func without(text string, from, to int) string {
	before := strings.TrimRight(text[:from], " ")
	if before == "" {
		return strings.TrimLeft(text[to:], " ")
	}
	return before + text[to:]
}

// beside is the name beside a word for a calendar, and the words from and to which it is said.
func (l language) beside(words []string, i int) (from, to int, name string) {
	if l.before {
		if i > 0 && slices.Contains(l.name, words[i-1]) {
			return i - 1, i - 1, words[i-1]
		}
		return 0, 0, ""
	}
	k := i + 1
	for k < len(words) && slices.Contains(l.between, words[k]) {
		k++
	}
	if k < len(words) && slices.Contains(l.name, l.bare(words[k])) {
		return i + 1, k, l.bare(words[k])
	}
	return 0, 0, ""
}

// bare is a word without the letters that Hebrew writes before it.
func (l language) bare(w string) string {
	for rest := w; l.letters && rest != ""; {
		if slices.Contains(l.noun, rest) || slices.Contains(l.name, rest) {
			return rest
		}
		cut, ok := "", false
		for _, letter := range []string{"ב", "ל", "מ", "ה", "ש", "ו"} {
			if cut, ok = strings.CutPrefix(rest, letter); ok {
				break
			}
		}
		if !ok {
			break
		}
		rest = cut
	}
	return w
}
