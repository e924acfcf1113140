package message_test

import (
	"testing"

	"convene/pkg/message"
)

func TestQuoteIsInert(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "",
		" \n\t":                              "",
		"Bring\tthe passport\r\n\r\n# Now":   "> Bring the passport\n> \\# Now",
		"See https://evil.example/a?b":       "> See `https://evil.example/a?b`",
		"[Click](http://evil.example) **x**": "> \\[Click\\](`http://evil.example`) \\*\\*x\\*\\*",
		"a\u202eb<script>":                   "> ab\\<script\\>",
	} {
		if got := message.Quote(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
