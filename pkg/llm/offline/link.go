package offline

import (
	"strings"
)

// withoutLinks blanks out addresses: nothing in them is a wish. What stands before one in the same word stays: "[Al](".
func withoutLinks(text string) string {
	lower := strings.ToLower(text)
	if len(lower) != len(text) || !strings.Contains(lower, "://") && !strings.Contains(lower, "www.") &&
		!strings.Contains(lower, "@") {
		return text
	}
	out := []byte(text)
	for start := 0; start < len(out); {
		end := start
		for end < len(out) && out[end] > ' ' {
			end++
		}
		for i := start + linkStart(lower[start:end]); i < end; i++ {
			out[i] = ' '
		}
		start = end + 1
	}
	return string(out)
}

// linkStart is where in a word without spaces an address begins, its length where it has none.
func linkStart(field string) int {
	if i := strings.Index(field, "://"); i >= 0 {
		for i > 0 && field[i-1] >= 'a' && field[i-1] <= 'z' {
			i--
		}
		return i
	}
	if i := strings.Index(field, "www."); i >= 0 {
		return i
	}
	if strings.Contains(strings.TrimLeft(field, "@"), "@") {
		return 0
	}
	return len(field)
}

// mailbox is an e-mail address in a text.
type mailbox struct {
	text       string
	start, end int
}

// maxMailbox is the longest address that counts, in bytes.
const maxMailbox = 100

// mailboxesIn finds the e-mail addresses in a text: those that stand as words of their own.
func mailboxesIn(text string) []mailbox {
	if !strings.Contains(text, "@") || len(strings.ToLower(text)) != len(text) {
		return nil
	}
	var found []mailbox
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && text[end] > ' ' && text[end] != ',' && text[end] != ';' {
			end++
		}
		from, to := start, end
		for from < to && strings.IndexByte(`<("'*`, text[from]) >= 0 {
			from++
		}
		for to > from && strings.IndexByte(`>)"'*.:!?`, text[to-1]) >= 0 {
			to--
		}
		if isMailbox(text[from:to]) {
			found = append(found, mailbox{text[from:to], from, to})
		}
		start = end + 1
	}
	return found
}

// isMailbox reports whether s is an address as people write one: name@host.tld, of the plainest characters.
func isMailbox(s string) bool {
	name, host, ok := strings.Cut(s, "@")
	if !ok || name == "" || len(s) > maxMailbox || !strings.Contains(strings.Trim(host, "."), ".") {
		return false
	}
	plain := func(part, more string) bool {
		return strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"+more) == ""
	}
	return plain(name, "._%+-") && plain(host, ".-") && !strings.HasPrefix(host, ".")
}
