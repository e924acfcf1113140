package message

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestStripLinks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, want string
		removed          int
	}{
		{"nothing to do", "Let me find a time for coffee with Al!", "Let me find a time for coffee with Al!", 0},
		{"Hebrew", "בשמחה, אחפש זמן לקפה עם דן.", "בשמחה, אחפש זמן לקפה עם דן.", 0},
		{"Markdown link", "See [the menu](https://evil.example/a).", "See the menu.", 1},
		{"bare link", "See https://evil.example/a?b=c now", "See now", 1},
		{"www", "See www.evil.example now", "See now", 1},
		{"domain", "See evil.example/path now", "See now", 1},
		{"address", "Write to eve@evil.example please", "Write to please", 1},
		{"image", "Look ![x](https://evil.example/x.png) here", "Look here", 1},
		{"HTML", "<b>Sure</b>, <script>alert(1)</script>", "Sure, alert(1)", 4},
		{"entity", "Sure &#x3c;b&#x3e; &amp; good", "Sure & good", 1},
		{"script address", "Go javascript:alert(1) there", "Go there", 1},
		{"direction and zero width", "Su\u202ere\u200b", "Sure", 2},
		{"lines", "Sure.\n\nLet me see.", "Sure. Let me see.", 0},
		{"nested link", "[a](http://x[b](http://y))", "ab", 0},
		{"empty", "", "", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, removed := StripLinks(test.text)
			if test.name == "nested link" {
				if strings.ContainsAny(got, "[]") || strings.Contains(got, "://") || removed == 0 {
					t.Errorf("StripLinks = %q, %d, want no link", got, removed)
				}
				return
			}
			if got != test.want || removed != test.removed {
				t.Errorf("StripLinks = %q, %d, want %q, %d", got, removed, test.want, test.removed)
			}
		})
	}
}

func TestStripLinksIsShort(t *testing.T) {
	t.Parallel()
	sentences, _ := StripLinks(strings.Repeat("Let me see. ", 100))
	if !strings.HasSuffix(sentences, "see.") || utf8.RuneCountInString(sentences) > acknowledgmentLimit {
		t.Errorf("cut to %q, want whole sentences of at most %d characters", sentences, acknowledgmentLimit)
	}
	words, _ := StripLinks(strings.Repeat("word ", 100))
	if !strings.HasSuffix(words, "word…") {
		t.Errorf("cut to %q, want whole words", words)
	}
}

func FuzzStripLinks(f *testing.F) {
	for _, seed := range []string{"[a](http://x)", "![", "<<b>b>", "www.www.a.b", "a@b@c.de", "\xff\u202e", "&amp;lt;",
		"[a][b](c)", "http://http://x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := StripLinks(text)
		if strings.ContainsAny(got, "<>[]@`\n") || strings.Contains(got, "://") ||
			strings.Contains(strings.ToLower(got), "www.a") {
			t.Errorf("StripLinks(%q) = %q", text, got)
		}
		if utf8.RuneCountInString(got) > acknowledgmentLimit || strings.ContainsFunc(got, unicode.IsControl) ||
			!utf8.ValidString(got) {
			t.Errorf("StripLinks(%q) = %q", text, got)
		}
	})
}

// However an address is disguised, none comes out of what a model says at once.
func TestStripLinksLeavesNoAddress(t *testing.T) {
	t.Parallel()
	for _, dot := range []string{
		".", "[.]", "(.)", "{.}", "[dot]", " (dot) ", " . ", "\u2024", "\u3002", "\uff0e", "\uff61", "\u0701", "\u200b.",
		".\u2060", "&#46;", "&period;", "&amp;#46;",
		"**.**", "*.*", "`.`", "<b>.</b>", ".<b></b>", "[.](x)", "\\.",
	} {
		for _, around := range []string{"%", "https://%/pay", "hxxps[:]//%", "www.%", "eve@%", "[menu](//%)", "%/login",
			"//%", "![x](%)", "<%>", "http:\u2215\u2215%"} {
			text := "Let me look at " + strings.ReplaceAll(around, "%", "evil"+dot+"example") + " for you."
			got, removed := StripLinks(text)
			if strings.Contains(got, "example") || strings.Contains(got, "evil") || removed == 0 {
				t.Errorf("%q is shown as %q", text, got)
			}
			if again, more := StripLinks(got); again != got || more != 0 {
				t.Errorf("%q becomes %q", got, again)
			}
		}
	}
}
