package message

import (
	"strings"
	"unicode"
)

// A Unicode isolate takes its direction from its own first letter, apart from the text around it.
const (
	isolate    = "\u2068"
	isolateEnd = "\u2069"
)

func isolated(s string) string { return isolate + s + isolateEnd }

// isRightToLeft reports whether a language of composed messages is written right to left.
func isRightToLeft(tag string) bool { return tag == "he" || tag == "ar" }

// apart isolates a left-to-right text within a right-to-left message. In other messages it returns the text itself.
func (f *Facts) apart(s string) string { return apartIn(f.spoken(), s) }

func apartIn(language, s string) string {
	if s == "" || !isRightToLeft(language) || strings.HasPrefix(s, isolate) || startsFromRight(s) {
		return s
	}
	return isolated(s)
}

// startsFromRight reports whether the first letter of a text is written right to left.
func startsFromRight(s string) bool {
	i := strings.IndexFunc(s, unicode.IsLetter)
	return i >= 0 && unicode.In(firstRune(s[i:]), unicode.Hebrew, unicode.Arabic)
}

func withoutIsolates(s string) string {
	if !strings.Contains(s, isolate) {
		return s
	}
	return strings.NewReplacer(isolate, "", isolateEnd, "").Replace(s)
}

// attached fills a hole that follows a Hebrew preposition of one letter, with a dash before letters of another script.
func (f *Facts) attached(pattern, hole, text string) string {
	if isRightToLeft(f.spoken()) && !startsFromRight(text) {
		text = "־" + text
	}
	return fill(pattern, hole, text)
}

// inOneDirection isolates left-to-right words in a right-to-left text, so that names and clock times keep their
// positions.
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
