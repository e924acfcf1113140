package people

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"convene/pkg/meet"
)

// Mentioned lists the people whom the words of a text may mean, with those words: a first name with as much of the
// full name as follows, a last name alone, a usual short form, and a first name in the other script. "Sam Rivera" is
// one person, "Sam" everyone of that name. It takes linear time, and prefers too many matches: May is found in every
// month of May.
func (c Contacts) Mentioned(text string) []meet.Mention {
	s := scan{text: text, tokens: tokensOf(text), Contacts: c, parts: map[string][]namePart{}}
	for i, name := range s.names {
		for j, word := range name {
			s.parts[word] = append(s.parts[word], namePart{i, j})
		}
	}
	var found []meet.Mention
	for i := 0; i < len(s.tokens); {
		mentions, n := s.at(i)
		for _, m := range mentions {
			if !slices.ContainsFunc(found, func(f meet.Mention) bool {
				return f.Words == m.Words && f.Person.ID == m.Person.ID && f.Person.Name == m.Person.Name
			}) {
				found = append(found, m)
			}
		}
		i += n
	}
	return found
}

// token is a word of a text, normalized, and where it stands.
type token struct {
	word       string
	start, end int
}

// tokensOf splits a text as words does. The geresh within a Hebrew word belongs to it.
func tokensOf(text string) (tokens []token) {
	start, before := -1, ' '
	for i, r := range text + " " {
		geresh := unicode.Is(unicode.Hebrew, before) && strings.ContainsRune("׳'’", r)
		switch inside := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || geresh; {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			tokens = append(tokens, token{fold(text[start:i]), start, i})
			start = -1
		}
		before = r
	}
	return tokens
}

// namePart is word i of a person's name.
type namePart struct{ person, i int }

// scan is a text in which names are looked for.
type scan struct {
	text   string
	tokens []token
	Contacts
	// parts are the words of all names.
	parts map[string][]namePart
	// compared counts the words that were compared with the names of the other script.
	compared int
}

// mostCompared bounds how many words of a text are compared with names of another script.
const mostCompared = 100

// at lists whom the words from token i on may mean, and how many tokens that takes; 1 for nobody.
func (s *scan) at(i int) (mentions []meet.Mention, n int) {
	t := s.tokens[i]
	for _, prefix := range attached(t.word) {
		if found := s.begin(strings.TrimPrefix(t.word, prefix)); len(found) > 0 {
			return s.longest(found, i, t.start+len(prefix))
		}
	}
	return nil, 1
}

// attached are the letters that may stand in front of a name without a space: the Hebrew "and", "to", "from" and
// "that".
func attached(word string) []string {
	all := []string{""}
	if common[word] {
		return all
	}
	for _, prefix := range []string{"ו", "ל", "מ", "ש", "ול", "ומ", "וש"} {
		if rest, ok := strings.CutPrefix(word, prefix); ok && utf8.RuneCountInString(rest) > 1 {
			all = append(all, prefix)
		}
	}
	return all
}

// begin are the words of names that a word may be, by the best way in which any fits.
func (s *scan) begin(word string) []namePart {
	first := func(p namePart) bool { return p.i == 0 }
	exact := s.parts[word]
	if slices.ContainsFunc(exact, first) {
		return slices.DeleteFunc(slices.Clone(exact), func(p namePart) bool { return !first(p) })
	}
	if len(exact) > 0 {
		return exact
	}
	var found []namePart
	for _, other := range otherForms()[word] {
		for _, p := range s.parts[other] {
			if first(p) {
				found = append(found, p)
			}
		}
	}
	if len(found) > 0 || s.compared == mostCompared {
		return found
	}
	hebrew := isHebrew(word)
	s.compared++
	for i, name := range s.names {
		if len(name) > 0 && isHebrew(name[0]) != hebrew && spelledAlike([]string{word}, name[:1]) {
			found = append(found, namePart{i, 0})
		}
	}
	return found
}

// longest are those of the people whose names go on the longest, from token i on. The words begin at a byte of the
// text.
func (s *scan) longest(found []namePart, i, start int) (mentions []meet.Mention, most int) {
	for _, p := range found {
		n := 1
		for name := s.names[p.person]; p.i+n < len(name) && s.goesOn(i+n) && likeWord(s.tokens[i+n].word, name[p.i+n]); {
			n++
		}
		if n > most {
			mentions, most = nil, n
		}
		if n == most {
			mentions = append(mentions, meet.Mention{
				Person: s.People[p.person], Words: s.text[start:s.tokens[i+n-1].end],
			})
		}
	}
	return mentions, most
}

// goesOn reports whether token i may belong to the name that the one before it begins.
func (s *scan) goesOn(i int) bool {
	if i >= len(s.tokens) {
		return false
	}
	between := s.text[s.tokens[i-1].end:s.tokens[i].start]
	return strings.Trim(between, " -'’") == ""
}

// likeWord reports whether a word is one of a name, in either script or with a slip of the keys.
func likeWord(word, name string) bool {
	return spelledAlike([]string{word}, []string{name}) || near(word, name)
}

// otherForms are the names that a short form stands for, and the short forms of a name.
var otherForms = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, n := range nicknames {
		for short := range strings.FieldsSeq(n.short) {
			for long := range strings.FieldsSeq(n.long) {
				all[short], all[long] = append(all[short], long), append(all[long], short)
			}
		}
	}
	return all
})
