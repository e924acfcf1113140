package message

import (
	"strings"
	"unicode"
)

// The marks around a text whose direction must not mix with that of the text around it: an isolate that takes its
// direction from its own first letter, and its end.
const (
	isolate    = "\u2068"
	isolateEnd = "\u2069"
)

func isolated(s string) string { return isolate + s + isolateEnd }

// isRightToLeft reports whether a language that composed messages are in is written from the right.
func isRightToLeft(tag string) bool { return tag == "he" || tag == "ar" }

// apart keeps a text together within a message that is written from the right, where its first letter is one that is
// written from the left. Everywhere else it is the text itself.
func (f *Facts) apart(s string) string {
	if s == "" || !isRightToLeft(f.spoken()) || strings.HasPrefix(s, isolate) || startsFromRight(s) {
		return s
	}
	return isolated(s)
}

// startsFromRight reports whether the first letter of a text is written from the right.
func startsFromRight(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) {
			return unicode.In(r, unicode.Hebrew, unicode.Arabic)
		}
	}
	return false
}

func withoutIsolates(s string) string {
	if !strings.Contains(s, isolate) {
		return s
	}
	return strings.NewReplacer(isolate, "", isolateEnd, "").Replace(s)
}

// attached fills a hole to which Hebrew writes a preposition of one letter. Before letters of another script that
// letter takes a dash.
func (f *Facts) attached(pattern, hole, text string) string {
	if isRightToLeft(f.spoken()) && !startsFromRight(text) {
		text = "־" + text
	}
	return fill(pattern, hole, text)
}

// inOneDirection puts isolates around the words of a text that are written from the left, where the text is written
// from the right: names and clock times would otherwise change places with what stands beside them.
func inOneDirection(text string) string {
	if isASCII(text) || !mostlyFromRight(text) {
		return text
	}
	var b strings.Builder
	for text != "" {
		from := strings.IndexFunc(text, fromLeft)
		if from < 0 {
			break
		}
		end := from
		for end < len(text) {
			n := run(text[end:], func(r rune) bool {
				return !unicode.IsSpace(r) && !unicode.In(r, unicode.Hebrew, unicode.Arabic)
			})
			if n == 0 || !strings.ContainsFunc(text[end:end+n], fromLeft) {
				break
			}
			end += n
			if space := run(text[end:], unicode.IsSpace); space > 0 && end+space < len(text) &&
				fromLeft(firstRune(text[end+space:])) {
				end += space
			}
		}
		run := strings.TrimRight(text[from:end], " .,;:!?\"'”)")
		b.WriteString(text[:from] + isolated(run))
		text = text[from+len(run):]
	}
	return b.String() + text
}

func fromLeft(r rune) bool { return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) }

func mostlyFromRight(text string) bool {
	right, left := 0, 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hebrew, unicode.Arabic):
			right++
		case fromLeft(r):
			left++
		}
	}
	return right > 0 && right*2 > left
}
