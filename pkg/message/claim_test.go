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
		"en": "Let's grab coffee with Al next week", "es": "Tomemos un café con Al la semana que viene",
		"he": "קפה עם אל בשבוע הבא",
	}[language]
	return f, filledIn(facts, opening, nil), asked
}

// No model tells people what has happened, who answered and who is free: neither at once, nor in a message, nor while
// one is written.
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
			for _, whole := range []string{opening + " " + text, text + " " + opening,
				opening + "\n\n" + text + "\n\n" + f.Sentences(four()).Closing} {
				got, preview, err := check(*f, four(), PathProposal, whole)
				shown := err == nil && strings.Contains(got, text) ||
					strings.Contains(preview, strings.TrimRight(plain(text), ".!"))
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

// A sentence that claims something goes, with the marks and the space around it; what is around it stays as it was,
// however the message is split. A line of a list, and a heading, cannot go alone.
func TestClaimsAreLeftOut(t *testing.T) {
	t.Parallel()
	f, opening, _ := opened(t, "en")
	facts := with(*f, meet.Shown{Times: true})
	f = facts.Prepared()
	closing := f.Sentences(four()).Closing
	option := "- **" + f.Short(1) + "**"
	for _, test := range []struct {
		name, text, want, kind string
		left                   int
	}{
		{"in the middle", opening + " It is booked!! Enjoy!", opening + " Enjoy!", "", 1},
		{"at the beginning", "Done! " + opening, opening, "", 1},
		{"behind an inverted mark", "¡Done! " + opening, opening, "", 1},
		{"two of them", opening + " It is booked. Everyone said yes. Enjoy!", opening + " Enjoy!", "", 2},
		{"a paragraph", opening + "\n\nEveryone said yes.\n\n" + closing, opening + "\n\n" + closing, "", 1},
		{"a line", opening + "\nEveryone said yes\n" + closing, opening + "\n" + closing, "", 1},
		{"at the end, without a mark", opening + " It is booked", opening, "", 1},
		{"with a smile", opening + " It is booked! 🎉 Enjoy!", opening + " Enjoy!", "", 1},
		{"with a ready-made sentence", opening + " Everyone accepted, and " + closing, opening, "", 1},
		{"a question", opening + " Should I get it booked?", opening + " Should I get it booked?", "", 0},
		{"with the time", "Everyone is free on **" + f.When(0) + "** at " + f.PlaceLink(0) + ".", "", KindMissing, 1},
		{"in a list", opening + "\n\n" + option + " - Al said yes\n", "", KindClaim, 0},
		{"as a heading", opening + "\n\nEveryone is free:\n" + option, "", KindClaim, 0},
		{"where nothing is proposed", f.Standing() + " I've moved it.", "", "", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := PathProposal
			if test.want == "" && test.kind == "" {
				path, test.want = PathAlternatives, f.Standing()
			}
			fresh := func() *Reader { return NewReader(f, four(), path) }
			r := fresh()
			got := read(r, test.text)
			if got.message != test.want || got.kind != test.kind || r.LeftOut() != test.left {
				t.Errorf("%d left out of %q (%s), want %q (%s)", r.LeftOut(), got.message, got.kind, test.want, test.kind)
			}
			for i := range test.text {
				if split := read(fresh(), test.text[:i], test.text[i:]); split.message != got.message || split.kind != got.kind {
					t.Fatalf("split at %d: %+v, want %+v", i, split, got)
				}
			}
			for _, claim := range []string{"booked!", "booked.", "said yes", "accepted", "Done", "free:", "moved it"} {
				if preview := read(fresh(), strings.Split(test.text, "")...).preview; strings.Contains(preview, claim) {
					t.Errorf("the preview shows %q: %q", claim, preview)
				}
			}
		})
	}
}
