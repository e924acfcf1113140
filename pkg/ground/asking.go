package ground

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// second are words of the third person with those of the second: what is said about somebody is said to them.
var second = map[string]string{
	"isn": "aren", "hasn": "haven", "wasn": "weren", "doesn": "don", "is": "are", "are": "are", "was": "were",
	"has": "have", "does": "do", "goes": "go", "his": "your", "their": "your", "him": "you", "he": "you",
	"she": "you", "they": "you", "them": "you", "hers": "yours", "theirs": "yours", "s": "re",
}

// Put is what a mail says if words before it ask for it: "if she can come", after "ask ines", is "Can you come?". What
// is told of those who get it is said to them: "I'll bring her book", after "tell ines", is "I'll bring your book".
func Put(text, before string) string {
	if at := form("asks besides").FindStringSubmatchIndex(text); at != nil && at[0] > 0 {
		return Put(text[:at[0]], before) + ". " + Put(text[at[4]:], text[at[2]:at[3]]+" ")
	}
	asks, tells := form("before asked").MatchString(before), form("before told").MatchString(before)
	if tells && strings.HasSuffix(strings.TrimSpace(before), " to") {
		text = "to " + text
	}
	var lines []rewording
	if asks || tells {
		lines = ways("put order")
	}
	if asks {
		lines = slices.Concat(lines, ways("put question"))
	}
	for _, line := range lines {
		at := line.form.FindStringSubmatch(text)
		if at == nil {
			continue
		}
		verb, rest := at[len(at)-2], toThem(at[len(at)-1])
		said := strings.NewReplacer("{1}", at[1], "{verb}", baseForm(verb), "{rest}", rest).Replace(line.becomes)
		mark := strings.IndexFunc(said, unicode.IsLetter)
		first, n := utf8.DecodeRuneInString(said[mark:])
		return said[:mark] + string(unicode.ToUpper(first)) + said[mark+n:]
	}
	return toReader(text, before)
}

// toReader is what a mail says that tells its reader something of themselves. Of whom else it may tell something, it
// stays as it is: "her brother says he can come".
func toReader(text, before string) string {
	named := func(at []string) bool { return !form("month or day").MatchString(at[1]) }
	if !form("addressing").MatchString(before) || form("other people").MatchString(text) ||
		slices.ContainsFunc(capital.FindAllStringSubmatch(text, -1), named) {
		return text
	}
	of := one
	he, she := form("his").MatchString(text), form("hers").MatchString(text)
	if form("several readers").MatchString(before) {
		of = several
	} else if he && she {
		return text
	}
	text = of.subject.ReplaceAllStringFunc(text, func(said string) string {
		at := of.subject.FindStringSubmatch(said)
		return "you" + at[1] + baseForm(at[2])
	})
	text = form("and that").ReplaceAllString(text, "$1 $2")
	if of == one {
		text = herOwn.ReplaceAllString(form("herself").ReplaceAllString(text, "you$1"), "your$1")
	}
	return of.pronouns.ReplaceAllStringFunc(text, func(w string) string { return second[strings.ToLower(w)] })
}

// spokenOf are the pronouns for the people whom a mail is about: subject is "he" or "they" with the verb behind it.
type spokenOf struct{ subject, pronouns *regexp.Regexp }

func newSpokenOf(subject, others string) *spokenOf {
	return &spokenOf{
		subject: regexp.MustCompile(`(?i)\b(?:` + subject +
			`)( (?:(?:always|never|still|also|just|really|already) )?|['’])(\w+)`),
		pronouns: regexp.MustCompile(`(?i)\b(?:` + subject + `|` + others + `)\b`),
	}
}

// The words for one person and for several, a word that may be a name, and a "her" that is an owner.
var (
	one     = newSpokenOf("he|she", "him|his|hers")
	several = newSpokenOf("they", "them|theirs?")
	capital = regexp.MustCompile(`[\p{Ll},;] (\p{Lu}\p{L}+)`)
	herOwn  = regexp.MustCompile(`(?i)\bher( \w)`)
)

// baseForm is an English verb as it stands beside "you".
func baseForm(verb string) string {
	lower := strings.ToLower(verb)
	stem, ies := strings.CutSuffix(lower, "ies")
	switch is, changes := second[lower]; {
	case changes:
		return is
	case ies:
		return stem + "y"
	case sibilant.MatchString(lower):
		return strings.TrimSuffix(lower, "es")
	case strings.HasSuffix(lower, "s") && !strings.HasSuffix(lower, "ss"):
		return strings.TrimSuffix(lower, "s")
	}
	return verb
}

var sibilant = regexp.MustCompile(`(?:sh|ch|ss|x|zz)es$`)

// toThem are words in which those who are asked are spoken to: "his slides" are "your slides".
func toThem(words string) string {
	words = form("of her").ReplaceAllString(words, "${1}your ")
	return form("spoken").ReplaceAllStringFunc(strings.TrimRight(words, " .?!"), func(w string) string {
		return second[strings.ToLower(w)]
	})
}
