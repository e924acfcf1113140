package message

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"convene/pkg/meet"
)

// corpus is the lines of a file under testdata by their heading.
func corpus(tb testing.TB, file string) map[string][]string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		tb.Fatal(err)
	}
	return sections(string(text))
}

// opened is a world in which people speak a language, and the sentence with which an honest message begins there.
func opened(tb testing.TB, language string) (f *Facts, opening string, asked string) {
	tb.Helper()
	facts := withLanguage(with(coffee(tb), meet.Shown{}), language)
	f = facts.Prepared()
	opening = map[string]string{
		"en": "I suggest **{title}** for **{when}** at {place}.",
		"es": "Sugiero **{title}** para el **{when}** en {place}.",
		"he": "אני מציע **{title}** ל**{when}** ב{place}.",
	}[language]
	asked = map[string]string{
		"en": "Let's grab coffee with Al next week", "es": "Tomemos un café con Al la semana que viene", "he": "קפה עם אל בשבוע הבא",
	}[language]
	return f, filledIn(facts, opening, nil), asked
}

// No model tells people what has happened, who answered and who is free: neither at once, nor in a message, nor while one
// is written.
func TestClaimsOfState(t *testing.T) {
	t.Parallel()
	for heading, sentences := range corpus(t, "claims.txt") {
		language := heading[:2]
		f, opening, asked := opened(t, language)
		missed := 0
		for _, sentence := range sentences {
			text := filledIn(*f, sentence, map[string]string{"al": f.Name("Al Rivera")})
			if clean, _ := Acknowledgment(plain(text), asked); clean != "" {
				missed++
				t.Errorf("%s: an acknowledgment says %q", heading, clean)
			}
			for _, whole := range []string{opening + " " + text, text + " " + opening, opening + "\n\n" + text + "\n\n" + f.Sentences(four()).Closing} {
				got, preview, err := check(*f, four(), PathProposal, whole)
				shown := err == nil && strings.Contains(got, text) || strings.Contains(preview, strings.TrimRight(plain(text), ".!"))
				if shown {
					missed++
					t.Errorf("%s: a message says %q", heading, text)
					break
				}
			}
		}
		t.Logf("%s: %d of %d sentences pass, as an acknowledgment or within a message", heading, missed, 2*len(sentences))
		if len(sentences) < 20 {
			t.Errorf("%s: only %d sentences", heading, len(sentences))
		}
	}
}

// What honest models write is shown as it is.
func TestHonestSentencesPass(t *testing.T) {
	t.Parallel()
	for heading, sentences := range corpus(t, "honest.txt") {
		f, opening, asked := opened(t, heading[:2])
		refused := 0
		for _, sentence := range sentences {
			text := filledIn(*f, sentence, map[string]string{"al": f.Name("Al Rivera")})
			if strings.HasSuffix(heading, "ack") {
				if clean, _ := Acknowledgment(text, asked); clean != text {
					refused++
					t.Errorf("%s: %q becomes %q", heading, text, clean)
				}
				continue
			}
			whole := opening + " " + text
			if got, _, err := check(*f, four(), PathProposal, whole); err != nil || got != whole {
				refused++
				t.Errorf("%s: %v: %s", heading, err, at(whole, err))
			}
		}
		t.Logf("%s: %d of %d honest sentences are refused", heading, refused, len(sentences))
	}
	for _, language := range []string{"en", "es", "he"} {
		all := corpus(t, "honest.txt")
		if n := len(all[language+" message"]) + len(all[language+" ack"]); n < 60 {
			t.Errorf("%s: %d honest sentences", language, n)
		}
	}
}
