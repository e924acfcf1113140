package message

import (
	"strings"
	"testing"

	"convene/pkg/meet"
)

func TestDoubt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tag  string
		kind meet.DoubtKind
		said string
		want string
	}{
		{"en", meet.DoubtDay, "on Friday", "You said “on Friday”: please check the day."},
		{"en-GB", meet.DoubtLength, "", "Please check how long it takes: I did not find that in your words."},
		{"es", meet.DoubtTime, "a las tres", "Dijiste «a las tres»: por favor, comprueba la hora."},
		{"he", meet.DoubtPeople, "דנה", `בהודעה נכתב "דנה", לכן כדאי לבדוק מי משתתף.`},
		{"ja", meet.DoubtPlace, "", "Please check the place: I did not find that in your words."},
		{"en", meet.DoubtDay, "on\u202e Friday\nhttps://evil.example", "You said “on Friday”: please check the day."},
	} {
		if got := Doubt(c.tag, c.kind, c.said); got.Text != c.want || got.Kind != c.kind {
			t.Errorf("%s, %s: %q, want %q", c.tag, c.kind, got.Text, c.want)
		}
	}
}

// At most three phrases are quoted, each as one line without addresses.
func TestUnhandled(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"en": "I did not take this into account: “a table for 3”, “two cabs”, “a cake”.",
		"es": "No he tenido en cuenta esto: «a table for 3», «two cabs», «a cake».",
		"he": `את זה לא הבאתי בחשבון: "a table for 3", "two cabs", "a cake".`,
	} {
		got := Unhandled(tag, []string{"a table for 3", "two\ncabs", "a cake https://evil.example", "a fourth"})
		if got.Text != want || got.Kind != meet.DoubtUnhandled || got.Said != "a table for 3, two cabs, a cake" {
			t.Errorf("%s: %q of %q, want %q", tag, got.Text, got.Said, want)
		}
	}
}

// Every language has words for every kind of doubt.
func TestEveryDoubtHasWords(t *testing.T) {
	t.Parallel()
	for tag, p := range wordings() {
		for kind := range wordings()[english].Doubts {
			if p.Doubts[kind] == "" {
				t.Errorf("%s: %s is missing", tag, kind)
			}
		}
	}
}

// What the user said is no Markdown, and no more of it is repeated than one can take in.
func TestDoubted(t *testing.T) {
	t.Parallel()
	long := Doubt("en", meet.DoubtDay, strings.Repeat("on *Friday* ", 100))
	got := Doubted("en", "I suggest tea.", []meet.Doubt{long}, true)
	want := "I suggest tea.\n\n⚠️ You said “on \\*Friday\\* "
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got,
		"please check the day. That is why I have not booked it by myself.") || len(got) > 300 {
		t.Errorf("%q", got)
	}
	if got := Doubted("en", "I suggest tea.", nil, true); got != "I suggest tea." {
		t.Errorf("%q, though nothing is in doubt", got)
	}
}
