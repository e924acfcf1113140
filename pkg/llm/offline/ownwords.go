package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// company are the names of a message as a list, as far as they look like names and like nothing else.
func (o tongue) company(people []person) string {
	if len(people) == 0 || len(people) > maxNamesSaid ||
		slices.ContainsFunc(people, func(p person) bool { return !plainName(p.name) }) {
		return ""
	}
	names := make([]string, len(people))
	for i, p := range people {
		names[i] = upperFirst(p.name)
	}
	last := len(names) - 1
	if last == 0 {
		return o.With + names[0]
	}
	return o.With + strings.Join(names[:last], ", ") + o.joint(people[last].name) + names[last]
}

// joint is the word for "and" before a name. Spanish has another one before the sound of i, Hebrew a dash before
// letters of another script.
func (o tongue) joint(name string) string {
	if r, _ := utf8.DecodeRuneInString(name); o.And == hebrewAnd && unicode.Is(unicode.Hebrew, r) {
		return " ו"
	}
	if first := strings.ToLower(name); o.And == " y " &&
		(strings.HasPrefix(first, "i") || strings.HasPrefix(first, "hi") && !strings.HasPrefix(first, "hie")) {
		return " e "
	}
	return o.And
}

// phraseOfDays is the first phrase of days of a message in any language, as it is written: letters, digits and what
// stands between them.
func (s *sentence) phraseOfDays(people []person) string {
	for _, e := range s.time.Entities {
		if e.Kind != "date" {
			continue
		}
		text := strings.Join(strings.Fields(s.text[e.Start:e.End]), " ")
		if name, rest, more := strings.Cut(text, " "); more && e.Start > 0 &&
			(capitalised(name) || slices.Contains(namesOf(people), name)) {
			text = rest // "Al el martes" is someone, and then a day
		}
		ordinary := !strings.ContainsFunc(text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" '/-", r)
		})
		if len(text) <= maxPhrase && ordinary {
			return text
		}
		return ""
	}
	return ""
}
