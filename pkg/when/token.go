package when

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	word tokenKind = iota
	number
	mark
)

// token is a word in lower case with its spelling mended, a number of at most six digits, or one other character.
type token struct {
	kind       tokenKind
	text       string
	start, end int
	// value and digits are of numbers: "07" is 7 of two digits.
	value, digits int
	// glued says that nothing stands between this token and the one before.
	glued bool
	// capital says that the word is written with a capital first letter.
	capital bool
}

func tokenize(text string) []token {
	tokens := make([]token, 0, len(text)/5+1)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) || ignorable(r) {
			i += size
			continue
		}
		t := next(text, i, r, size)
		t.glued = len(tokens) > 0 && tokens[len(tokens)-1].end == t.start
		tokens = append(tokens, t)
		i = t.end
	}
	return tokens
}

// ignorable characters change how others look and say nothing: variation selectors, keycaps, joiners, marks of
// direction.
func ignorable(r rune) bool {
	return r == '\uFE0F' || r == '\u20E3' || unicode.Is(unicode.Cf, r) || r == utf8.RuneError
}

func next(text string, i int, r rune, size int) token {
	switch {
	case r >= '0' && r <= '9':
		return numeral(text, i)
	case unicode.IsLetter(r):
		end := i + run(text[i:], letter)
		return wordAt(text, i, end)
	default:
		return token{kind: mark, text: text[i : i+size], start: i, end: i + size}
	}
}

// numeral reads digits, or a word that begins with one ("2moro"). More than six digits are no number of time.
func numeral(text string, i int) token {
	n := run(text[i:], digit)
	if all := n + run(text[i+n:], letter); all > n {
		if mended, ok := aliases[strings.ToLower(text[i:i+min(all, maxWord)])]; ok {
			return token{kind: word, text: mended, start: i, end: i + all}
		}
	}
	t := token{kind: number, text: text[i : i+n], start: i, end: i + n, digits: n}
	if n > 6 {
		t.kind = mark
		return t
	}
	for _, c := range t.text {
		t.value = t.value*10 + int(c-'0')
	}
	return t
}

// maxWord is the longest run of letters, in bytes, that can be a word of time.
const maxWord = 32

func wordAt(text string, start, end int) token {
	t := token{kind: word, start: start, end: end}
	first, _ := utf8.DecodeRuneInString(text[start:])
	t.capital = unicode.IsUpper(first)
	if end-start > maxWord {
		return t
	}
	t.text = mend(strings.ReplaceAll(strings.ToLower(text[start:end]), "\u2019", "'"))
	return t
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

// letter accepts apostrophes too, which stand within words: "o'clock", "don't".
func letter(r rune) bool {
	return unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || r == '\'' || r == '\u2019'
}

// run is how many bytes at the start of s are characters of the class.
func run(s string, class func(rune) bool) int {
	for i, r := range s {
		if !class(r) || r == utf8.RuneError {
			return i
		}
	}
	return len(s)
}

// mend is a lower-case word as the grammar knows it: abbreviations written out, slips of spelling put right.
func mend(w string) string {
	// "Friday's meeting" is on Friday.
	bare := strings.TrimSuffix(w, "'s")
	if full, ok := aliases[bare]; ok {
		return full
	}
	corrected := spelling.Correct(bare)
	if bare != w && !possessives[corrected] {
		return w
	}
	return corrected
}

// possessives are the days that own what happens on them.
var possessives = map[string]bool{
	"monday": true, "tuesday": true, "wednesday": true, "thursday": true, "friday": true, "saturday": true, "sunday": true,
	"today": true, "tomorrow": true, "tonight": true,
}

// aliases are ways of writing that no dictionary holds.
var aliases = map[string]string{
	"2moro": "tomorrow", "2morrow": "tomorrow", "tmrw": "tomorrow", "tmr": "tomorrow", "tmw": "tomorrow",
	"tomo": "tomorrow", "tomoz": "tomorrow", "2mrw": "tomorrow",
	"2nite": "tonight", "2night": "tonight", "tonite": "tonight", "2day": "today", "tdy": "today",
	"nxt": "next", "nex": "next", "wk": "week", "wks": "weeks", "wknd": "weekend", "wkend": "weekend", "wkends": "weekends",
	"aft": "afternoon", "aftn": "afternoon", "arvo": "afternoon", "morn": "morning",
	"mon": "monday", "tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "weds": "wednesday",
	"thu": "thursday", "thur": "thursday", "thurs": "thursday", "fri": "friday", "sat": "saturday", "sun": "sunday",
	"min": "minutes", "mins": "minutes", "minute": "minutes",
	"hr": "hours", "hrs": "hours", "hour": "hours", "day": "day",
	"jan": "january", "feb": "february", "apr": "april", "jun": "june", "jul": "july", "aug": "august",
	"sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december",
	"b4": "before", "btwn": "between", "til": "until", "till": "until", "thru": "through", "abt": "about",
	"oclock": "o'clock", "cant": "can't", "dont": "don't",
	"doesnt": "doesn't", "isnt": "isn't", "wont": "won't", "arent": "aren't", "midmorning": "mid-morning",
	"midafternoon": "mid-afternoon", "xmas": "christmas",
}

// spelling holds the words of time that are long enough to be recognized with a slip.
var spelling = NewLexicon([]string{
	"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow", "tonight", "morning",
	"afternoon", "evening", "weekend", "january", "february", "august", "september", "october", "november", "december",
	"thanksgiving", "christmas", "halloween", "until", "minutes", "between", "earlier", "thursdays", "tuesdays", "mondays",
	"fridays", "saturdays", "sundays", "wednesdays", "mornings", "afternoons", "evenings", "weekends", "breakfast",
	"brunch", "dinner",
}, []string{"sundae", "sundaes", "sundry", "diner", "diners", "branch", "warning", "mourning", "weekender", "moaning", "frida"})
