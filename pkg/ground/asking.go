package ground

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// asking are the lines of asking.txt: how a question is put to those of whom it is said.
var asking = sync.OnceValue(func() (all struct {
	before, told *regexp.Regexp
	lines        []putting
	// second are words that change, with what they are then.
	second map[string]string
}) {
	all.second = map[string]string{}
	lines("asking.txt", func(name, rest string) {
		form, says, put := strings.Cut(rest, " => ")
		switch {
		case name == "before":
			all.before = regexp.MustCompile("(?i)" + rest)
		case name == "told":
			all.told = regexp.MustCompile("(?i)" + rest)
		case put:
			all.lines = append(all.lines, putting{name, regexp.MustCompile(`(?i)^` + form + `[\s.?!]*$`), says})
		default:
			for pair := range strings.FieldsSeq(rest) {
				of, is, _ := strings.Cut(pair, "/")
				all.second[of] = is
			}
		}
	})
	return all
})

// putting is a way to put a question: what is said of someone, and what is said to them.
type putting struct {
	name string
	form *regexp.Regexp
	says string
}

// Put is what a mail says if words before it ask for it: "if she can come", after "ask ines", is "Can you come?". What
// is only told stays as it is.
func Put(text, before string) string {
	all := asking()
	asks, tells := all.before.MatchString(before), all.told.MatchString(before)
	if tells && strings.HasSuffix(strings.TrimSpace(before), " to") {
		text = "to " + text
	}
	for _, line := range all.lines {
		at := line.form.FindStringSubmatch(text)
		if at == nil || !asks && (line.name != "order" || !tells) {
			continue
		}
		verb, rest := at[len(at)-2], toThem(at[len(at)-1])
		said := strings.NewReplacer("{1}", at[1], "{verb}", baseForm(verb), "{rest}", rest).Replace(line.says)
		mark := strings.IndexFunc(said, unicode.IsLetter)
		first, n := utf8.DecodeRuneInString(said[mark:])
		return said[:mark] + string(unicode.ToUpper(first)) + said[mark+n:]
	}
	return text
}

// baseForm is an English verb as it stands beside "you".
func baseForm(verb string) string {
	lower := strings.ToLower(verb)
	stem, ies := strings.CutSuffix(lower, "ies")
	switch is, changes := asking().second[lower]; {
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
	words = ofHer.ReplaceAllString(words, "${1}your ")
	return spoken.ReplaceAllStringFunc(strings.TrimRight(words, " .?!"), func(w string) string {
		return asking().second[strings.ToLower(w)]
	})
}

// ofHer is a "her" before what is hers, and spoken are the other words that change.
var (
	ofHer  = regexp.MustCompile(`(?i)(^|\s)her (?:\b)`)
	spoken = regexp.MustCompile(`(?i)\b(?:his|their|him)\b`)
)
