package ground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Birthday is what a text says of a day that it names as somebody's birthday: "on his birthday", "el día del cumpleaños
// de Eva", "ביום ההולדת של נועה".
type Birthday struct {
	// Start and End bound the words in the text, in bytes; On is the preposition that a date has there instead.
	Start, End int
	On         string
	Language   string
	// Name is whose birthday it is; empty for a pronoun. Own says that it is the user's.
	Name string
	Own  bool
	// Before is how many days before the birthday the day is: "three days before Eva's birthday".
	Before int
}

// birthdays find such words by language: whose it is by a pronoun, and by a name.
var birthdays = []struct {
	language, on string
	of           *regexp.Regexp
}{
	{"en", "on ", regexp.MustCompile(`(?i)\b(?:on|before) (?:(his|her|their|my)|` +
		`(\p{L}+(?: \p{L}+)?)['’]s) (?:birthday|b-?day)`)},
	{"es", "el ", regexp.MustCompile(
		`(?i)(?:^|\s)((?:el d[ií]a del?|en(?: el)?|antes del?) (?:(su|` +
			`mi) )?cumple(?:años)?(?: de (\p{L}+(?: \p{Lu}\p{L}+)?))?)`)},
	{"he", "ב-", regexp.MustCompile(`(?:^|\s)((?:ב|לפני )יום[ -]ה?הולדת([והי]| של[והי])?(?: של ([\p{L}'-]+))?)`)},
}

// goesBack has the words begin with how long before the birthday the day is; false if that is not said.
func (b *Birthday) goesBack(text string) bool {
	at := form("how long").FindStringSubmatchIndex(text[:b.Start])
	if at == nil {
		return false
	}
	n, unit := 1, ""
	if at[4] >= 0 {
		word := strings.ToLower(text[at[4]:at[5]])
		number, err := strconv.Atoi(word)
		if err != nil {
			number = max(0, slices.Index(spelling, word)%mostSpelt)
			if number == 0 && !form("a day").MatchString(word) {
				return false // "a few days before"
			}
			number = max(1, number)
		}
		n, unit = number, strings.ToLower(text[at[6]:at[7]])
	} else if unit = text[at[8]:at[9]]; strings.HasSuffix(unit, "יים") {
		n = 2
	}
	if strings.HasPrefix(unit, "week") || strings.HasPrefix(unit, "semana") || strings.HasPrefix(unit, "שבוע") {
		n *= 7
	}
	b.Before, b.Start = n, at[2]
	return true
}

// Named are the words of a text for the day that has to be known: all, or those behind "before".
func (b Birthday) Named(text string) string {
	said := text[b.Start:b.End]
	if at := form("before word").FindStringIndex(said); b.Before > 0 && at != nil {
		return said[at[1]:]
	}
	return said
}

// BirthdayIn finds the first such words of a text that writes nothing.
func BirthdayIn(text string) (b Birthday, ok bool) {
	if form("writes").MatchString(text) && !form("reminds").MatchString(text) {
		return b, false
	}
	for _, l := range birthdays {
		at := l.of.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		from := at[len(at)-6] // of the words themselves: all, or the first group
		if l.language == "en" {
			from = at[0]
		}
		group := func(n int) string {
			if at[2*n] < 0 {
				return ""
			}
			return text[at[2*n]:at[2*n+1]]
		}
		last := len(at)/2 - 1
		whose := strings.TrimSpace(strings.ToLower(group(last - 1)))
		b = Birthday{Start: from, End: at[1], On: l.on, Language: l.language, Name: group(last)}
		b.Own = whose == "my" || whose == "mi" || whose == "י" || whose == "שלי"
		next, _ := utf8.DecodeRuneInString(text[b.End:])
		if form("before it").MatchString(text[b.Start:b.End]) && !b.goesBack(text) {
			return b, false
		}
		return b, !unicode.IsLetter(next) && !form("of birthday").MatchString(text[b.End:])
	}
	return b, false
}
