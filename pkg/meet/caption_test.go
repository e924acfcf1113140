package meet_test

import (
	"strings"
	"testing"

	"convene/pkg/meet"
)

func TestCaption(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                    "",
		" \t\r\n ":                            "",
		"Coffee with Al":                      "Coffee with Al",
		"Booking.com: Q3, 24/7 & more // now": "Booking: Q3, 24/7 & more // now",
		"data: Q3":                            "data: Q3",
		"קפה עם רות":                          "קפה עם רות",
		"می\u200cخواهم":                       "می\u200cخواهم",
		"👩\u200d💻 demo":                       "👩\u200d💻 demo",
		"Coffee\r\nATTENDEE:x":                "Coffee ATTENDEE:x",
		"a\u2028b\u0000c\u001b[2J":            "a b c [2J",
		"a\u202eb\u2066c\u200bd\U000e0061":    "abcd",
		"see https://evil.example/x?y now":    "see now",
		"https://evil.example":                "",
		"x javascript:alert(1) y":             "x y",
		"hhttp://xttp://evil.example":         "",
		"mailto:a@b.example":                  "",
		"data:text/html,<b>x":                 "<b>x",
		"ｈｔｔｐｓ：／／ｅｖｉｌ．ｅｘａｍｐｌｅ tea": "tea",
		"\xff\xfeCafé": "Café",
	} {
		if got := meet.Caption(text); got != want {
			t.Errorf("Caption(%q) = %q, want %q", text, got, want)
		}
		if again := meet.Caption(meet.Caption(text)); again != want {
			t.Errorf("Caption twice of %q = %q", text, again)
		}
	}
	if got := []rune(meet.Caption(strings.Repeat("é", 500))); len(got) != meet.MaxText || got[meet.MaxText-1] != '…' {
		t.Errorf("%d characters, ending in %c", len(got), got[len(got)-1])
	}
}

// Whatever is made a caption of, it is one, and making one of it again changes nothing.
func FuzzCaption(f *testing.F) {
	for _, seed := range []string{"Coffee", "https://x", "a\u202eb", "a\u200cb", "\ufffd", "a  b", "a\u00a0b", " a",
		"Zuni Café", "m\u0000ailto:x", "mailmailto:x to:y", "ht\u200btp://x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		caption := meet.Caption(text)
		if again := meet.Caption(caption); again != caption {
			t.Errorf("%q becomes %q", caption, again)
		}
		if closely := meet.Caption(" " + text); closely != caption {
			t.Errorf("%q becomes %q, and %q with a space ahead of it", text, caption, closely)
		}
		if strings.Contains(caption, "://") && !strings.Contains(text, ":") {
			t.Errorf("%q", caption)
		}
	})
}

func BenchmarkCaption(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		meet.Caption("Four Barrel Coffee, 375 Valencia St, San Francisco, CA 94103")
	}
}
