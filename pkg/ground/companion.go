package ground

import (
	"regexp"
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

// companions find pronouns by language. "Her" may go on with what is hers, so that only few words may follow.
var companions = []struct {
	with    string
	one     *regexp.Regexp
	several *regexp.Regexp
}{
	{
		"with", regexp.MustCompile(`(?i)\bwith (?:him\b|her(?:$|[.,;!?]| ` +
			`(?:on|at|in|for|about|over|this|that|next|today|tonight|tomorrow|before|after|and|then|too|please|sometime|` +
			`soon)\b))`),
		regexp.MustCompile(`(?i)\bwith them(?: both)?\b`),
	},
	{
		"invite", regexp.MustCompile(`(?i)\binvite (?:him|her)(?:$|[.,;!?]| ` +
			`(?:to|for|on|at|over|too|as well|and|next|tomorrow)\b)`),
		regexp.MustCompile(`(?i)\binvite them(?: both)?\b`),
	},
	{"invita a", regexp.MustCompile(`(?i)\binv[ií]tal[oa](?:$|[^\p{L}])`), regexp.MustCompile(`(?i)\binv[ií]tal[oa]s\b`)},
	{
		"תזמין את", regexp.MustCompile(`תזמי[ןנ]י? אות[הו](?:$|[^\p{L}])`),
		regexp.MustCompile(`תזמי[ןנ]י? אות[םן](?:$|[^\p{L}])`),
	},
	{"con", regexp.MustCompile(`(?i)\bcon (?:ella|él)(?:$|[^\p{L}])`), regexp.MustCompile(`(?i)\bcon ell[oa]s\b`)},
	{"עם", regexp.MustCompile(`(?:^|\s)אי?ת[הו](?:$|[^\p{L}])`), regexp.MustCompile(`(?:^|\s)אי?ת[םן](?:$|[^\p{L}])`)},
}

// CompanionIn finds the first such pronoun.
func CompanionIn(text string) (c Companion, ok bool) {
	for _, l := range companions {
		for _, several := range []bool{false, true} {
			of := l.one
			if several {
				of = l.several
			}
			if at := of.FindStringIndex(text); at != nil {
				c = Companion{Start: at[0], With: l.with, Several: several}
				c.Start += len(text[at[0]:at[1]]) - len(strings.TrimLeft(text[at[0]:at[1]], " \n\t"))
				c.End = c.Start + lengthOf(text[c.Start:], l.with)
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
