package mail

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed data/quotes.txt
var quotesText string

// announced are the words before what a mail repeats of others.
type announced struct {
	wrote                [][2]string
	original, from, sent []string
}

var quotes = readQuotes(quotesText)

func readQuotes(data string) (a announced) {
	for line := range strings.Lines(data) {
		kind, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch kind {
		case "wrote":
			begin, end, _ := strings.Cut(words, "|")
			a.wrote = append(a.wrote, [2]string{strings.TrimSpace(begin), strings.TrimSpace(end)})
		case "original":
			a.original = append(a.original, words)
		case "from":
			a.from = append(a.from, words)
		case "sent":
			a.sent = append(a.sent, words)
		}
	}
	return a
}

// apart parts a text into what its writer says, and what is repeated of others: the lines after a ">", and everything
// after a repeated header or the announcement of a quotation at the end.
func apart(text string) (own, quoted string) {
	var mine, theirs []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		rest := lines[i:]
		n, whole := quotes.announce(rest)
		switch {
		case n > 0 && (whole || allQuoted(rest[n:])):
			theirs = append(theirs, rest...)
			i = len(lines)
		case n > 0:
			theirs = append(theirs, rest[:n]...)
			i += n - 1
		case isQuoted(lines[i]):
			theirs = append(theirs, lines[i])
		default:
			mine = append(mine, lines[i])
		}
	}
	return tidy(mine), tidy(theirs)
}

// announce is how many lines announce a quotation; 0 if none does. Whole says that all lines after them are quoted.
func (a announced) announce(lines []string) (n int, whole bool) {
	line := strings.TrimSpace(lines[0])
	dashed := strings.HasPrefix(line, "--")
	if dashed && slices.ContainsFunc(a.original, func(words string) bool { return strings.Contains(line, words) }) {
		return 1, true
	}
	begins := func(lines []string, with []string) bool {
		return len(lines) > 0 && slices.ContainsFunc(with, func(word string) bool {
			return strings.HasPrefix(strings.TrimLeft(strings.TrimSpace(lines[0]), "* "), word)
		})
	}
	if begins(lines, a.from) && (begins(lines[1:], a.sent) || len(lines) > 2 && begins(lines[2:], a.sent)) {
		return 1, true
	}
	for n := 1; n <= min(2, len(lines)); n++ {
		said := strings.TrimSpace(strings.Join(lines[:n], " "))
		for _, wrote := range a.wrote {
			if !strings.HasPrefix(said, wrote[0]) || !strings.HasSuffix(said, wrote[1]) || !strings.ContainsAny(said, digits) {
				continue
			}
			next := slices.IndexFunc(lines[n:], func(l string) bool { return strings.TrimSpace(l) != "" })
			return n, next >= 0 && !isQuoted(lines[n+next])
		}
	}
	return 0, false
}

// digits are in the time of what is quoted.
const digits = "0123456789"

func isQuoted(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " "), ">") }

func allQuoted(lines []string) bool {
	return !slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" && !isQuoted(l) })
}

// tidy joins lines, with at most one empty line between two others.
func tidy(lines []string) string {
	var kept []string
	for _, line := range lines {
		line = strings.TrimRight(line, " \t")
		if line != "" || len(kept) > 0 && kept[len(kept)-1] != "" {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}
