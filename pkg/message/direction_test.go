package message

import (
	"strings"
	"testing"
)

func TestAcknowledgmentsKeepNamesTogether(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"אחפש זמן טוב לקפה עם Al.", "אחפש זמן טוב לקפה עם \u2068Al\u2069."},
		{"אחפש זמן עם Al Chen ועם Dana, בבקשה.", "אחפש זמן עם \u2068Al Chen\u2069 ועם \u2068Dana\u2069, בבקשה."},
		{"אחפש זמן טוב.", "אחפש זמן טוב."},
		{"Let me see what דן has.", "Let me see what דן has."},
		{"Voy a ver.", "Voy a ver."},
	} {
		got, problems := Acknowledgment(c.text, "")
		if got != c.want || problems != 0 {
			t.Errorf("%q is %q with %d problems, want %q", c.text, got, problems, c.want)
		}
	}
}

func TestIsolatesAreBalanced(t *testing.T) {
	t.Parallel()
	for _, s := range scenes(t) {
		text := new(withLanguage(s.facts, "he")).Proposal(s.choice)
		depth := 0
		for _, r := range text {
			switch string(r) {
			case isolate:
				depth++
			case isolateEnd:
				depth--
			}
			if depth < 0 || depth > 1 {
				t.Fatalf("%s: isolates are nested or left open:\n%q", s.name, text)
			}
		}
		if depth != 0 {
			t.Errorf("%s: an isolate is left open:\n%q", s.name, text)
		}
	}
}

func TestOnlyRightToLeftMessagesHaveIsolates(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{"en", "es", "de"} {
		f := withLanguage(coffee(t), tag)
		if text := f.Proposal(four()) + f.When(0) + f.PlaceLink(0) + f.Name("Al Rivera"); withoutIsolates(text) != text {
			t.Errorf("%s: isolates in %q", tag, text)
		}
	}
}

// A model may not put marks of direction anywhere but where a fact has them.
func TestReaderRefusesOtherMarksOfDirection(t *testing.T) {
	t.Parallel()
	f := withLanguage(coffee(t), "he")
	good := f.Proposal(four())
	for _, mark := range []string{"\u202e", "\u2066", "\u2067", "\u200f", isolate, isolateEnd} {
		for _, text := range []string{mark + good, good + mark, strings.Replace(good, " ", " "+mark, 3)} {
			if _, _, err := check(f, four(), PathProposal, text); err == nil {
				t.Errorf("%U passed in\n%q", []rune(mark), text)
			}
		}
	}
}
