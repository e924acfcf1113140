package ground

import (
	"strings"
)

// Companion is what a text says of somebody beside whom something is done, whom it names only by a pronoun: "a call
// with her", "con ellos", "קפה איתו".
type Companion struct {
	// Start and End bound the words in the text, in bytes; With is the preposition of the language.
	Start, End int
	With       string
	// Several says that more than one may be meant.
	Several bool
}

// CompanionIn finds the first such pronoun.
func CompanionIn(text string) (c Companion, ok bool) {
	for _, name := range []string{"one companion", "several companions"} {
		for _, way := range ways(name) {
			if at := way.form.FindStringIndex(text); at != nil {
				c = Companion{Start: at[0], With: way.becomes, Several: name != "one companion"}
				c.Start += len(text[at[0]:at[1]]) - len(strings.TrimLeft(text[at[0]:at[1]], " \n\t"))
				c.End = c.Start + lengthOf(text[c.Start:], c.With)
				return c, true
			}
		}
	}
	return c, false
}

// lengthOf is how long the preposition and the pronoun at the start of a text are; one word in Hebrew.
func lengthOf(text, with string) int {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n\t.,;!?", r) })
	if !strings.HasPrefix(strings.ToLower(text), with) {
		return len(words[0])
	}
	return strings.Index(text, words[1]) + len(words[1])
}

// Name is the text with the names of those who are meant in place of the pronoun.
func (c Companion) Name(text string, names []string) string {
	and := map[string]string{"with": " and ", "con": " y ", "עם": " ו"}[c.With]
	return text[:c.Start] + c.With + " " + strings.Join(names, and) + text[c.End:]
}
