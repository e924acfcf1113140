package when

import "strings"

// unglued takes words apart that were written without the space between them: "nextweek", "2pmTuesday", "5thof May".
func unglued(raw []token) []token {
	for i := range raw {
		if glueAt(raw, i) == 0 {
			continue
		}
		out := make([]token, i, len(raw)+4)
		copy(out, raw)
		for j := i; j < len(raw); j++ {
			out = append(out, raw[j])
			if n := glueAt(raw, j); n > 0 {
				left, right := &out[len(out)-1], raw[j]
				right.text, right.start, right.glued = right.text[n:], right.start+n, false
				left.text, left.end = left.text[:n], left.start+n
				out = append(out, right)
			}
		}
		return out
	}
	return raw
}

// glueAt is where the word at token i falls into two that belong together; 0 where it does not.
func glueAt(raw []token, i int) int {
	w := raw[i].text
	if raw[i].kind != word || len(w) < 4 || len(w) > maxGlued || theGrammar.openings[w] || english.vocabulary[w] ||
		english.telling[w] || !ascii(w) {
		return 0
	}
	numbered := raw[i].glued && i > 0 && raw[i-1].kind == number
	for n := 2; n < len(w)-1; n++ {
		if joins(w[:n], w[n:], numbered) {
			return n
		}
	}
	return 0
}

// maxGlued is the longest of such words, in letters.
const maxGlued = 20

// joins reports whether two words make sense side by side. numbered says that a number stands right before the first.
func joins(left, right string, numbered bool) bool {
	_, day := weekdays[left]
	day = day || left == "tomorrow" || left == "today"
	switch right {
	case "ish":
		return cardinals[left] > 0 || numbered && suffixes[left] == meridiemSuffix
	case "of":
		return numbered && suffixes[left] == ordinalSuffix
	case "at":
		return day
	case "morning", "afternoon", "evening", "night":
		return day || left == "this"
	}
	if !gluable(right) {
		return false
	}
	return theGrammar.words["gluing"][left] || day && right != "week" || numbered && suffixes[left] != noSuffix
}

// gluable reports whether a word is found glued to the one before it.
func gluable(w string) bool {
	_, day := weekdays[w]
	return day || months[w] > 0 && len(w) > 3 || w == "week" || w == "weekend" || w == "month" ||
		strings.HasPrefix(w, "to") && (w == "tomorrow" || w == "today" || w == "tonight")
}

// suffix is what stands glued to a number.
type suffix uint8

const (
	noSuffix suffix = iota
	ordinalSuffix
	meridiemSuffix
)

var suffixes = map[string]suffix{
	"th": ordinalSuffix, "st": ordinalSuffix, "nd": ordinalSuffix, "rd": ordinalSuffix, "am": meridiemSuffix,
	"pm": meridiemSuffix,
}
