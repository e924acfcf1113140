package offline

import (
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"convene/pkg/testenv"
	"convene/pkg/when"
)

// Reading a message looks at a word at most so often for each word of it.
const looksPerWord = 8_000

// looks is how often the rules look at a word when they classify a message, make a template of it and change one by it.
func looks(message string) (steps, words int) {
	now := time.Date(2026, time.November, 20, 9, 0, 0, 0, time.UTC)
	r := understand(classifyData{Message: message, HasEvent: true}, now)
	r.acknowledge(r.intent())
	d := templateData{
		Message: message, Timezone: "UTC", RecentTurns: []exchange{{User: "coffee with Al", Assistant: "Here it is."}},
		Template: &knownTemplate{
			Title: "Coffee with Al", Activity: "coffee", Duration: 30, Participants: []string{"Al", "Dana Kim"},
		},
		Event: &offeredEvent{Start: "2026-11-24T10:00:00Z", End: "2026-11-24T10:30:00Z", Place: "Zuni Café"},
	}
	e := edited(d, now)
	d.Template, d.Event = nil, nil
	s, own := d.wish(now, when.Setting{})
	newTemplate(d, &s, own)
	a := newAccount(s.text, idleBooks()[english])
	a.find(s.time, Expressed{Texts: []string{"Coffee with Al"}, Now: now})
	a.left()
	return r.said.steps + r.wish.steps + e.steps + s.steps + a.steps, max(len(r.said.words), len(s.words))
}

// A word that stands there three times as often costs three times as much, whichever it is, alone and beside others.
func TestNoWordIsReadInMoreThanLinearTime(t *testing.T) {
	t.Parallel()
	all := vocabulary(t)
	for _, word := range testenv.Sample(100, all) {
		straight(t, word)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range testenv.Count(60, 5_000) {
		mix := make([]string, 2+random.IntN(2))
		for i := range mix {
			mix[i] = all[random.IntN(len(all))]
			if random.IntN(2) == 0 {
				mix[i] = besides[random.IntN(len(besides))]
			}
		}
		straight(t, strings.Join(mix, " "))
	}
	for _, unit := range heaps {
		straight(t, unit)
	}
}

// Nobody pays for a long paste: what is read of a message is bounded.
func TestReadingALongPasteIsBounded(t *testing.T) {
	t.Parallel()
	const plain = "please can you schedule a meeting with Noor on Monday or what is on my calendar. "
	for _, unit := range append(heaps, plain) {
		if steps, words := looks(strings.Repeat(unit, 160_000/len(unit))); words > maxText || steps > 10_000_000 {
			t.Errorf("160 kB of %q: %d words were read, with %d looks", unit, words, steps)
		}
	}
}

// straight holds the cost of a repeated text to a straight line, but for the ends of the text.
func straight(t *testing.T, unit string) {
	t.Helper()
	var steps [3]int
	for i := range steps {
		var words int
		steps[i], words = looks(strings.Repeat(unit+" ", 32*(i+2)))
		if steps[i] > looksPerWord*(words+10) {
			t.Errorf("%q: %d looks at %d words, want at most %d for each", unit, steps[i], words, looksPerWord)
		}
	}
	if bend := steps[2] - 2*steps[1] + steps[0]; bend > 1_000 {
		t.Errorf("%q: 64, 96 and 128 of it take %v looks, which bends by %d", unit, steps, bend)
	}
}

// vocabulary are the words of all languages' files.
func vocabulary(t *testing.T) []string {
	t.Helper()
	set := map[string]bool{}
	for _, language := range languages() {
		files, err := data.ReadDir(path.Join("data", language))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := data.ReadFile(path.Join("data", language, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			for w := range strings.FieldsFuncSeq(string(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
				set[w] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// besides is what stands beside the words of a vocabulary.
var besides = strings.Fields(`Al Al's Zuni Dana Kim send Send meet with and me , . : / & - “ ” " ( ) ' @ at # 1 7:30
	al@example.com instead not near in the a of house no sushi option כהן של עם García con`)

// heaps are what costs most to read.
var heaps = []string{
	"and me", "“quoted", "Send Al", "a ,", ": the", "edit 7", "sit in", "not at Zuni or", "כהן", "w-2", "at home",
	"with Al and", "a\u0301\u0301\u0301", "ב",
}

// FuzzReadingIsBounded reads messages that repeat themselves.
func FuzzReadingIsBounded(f *testing.F) {
	for _, unit := range heaps {
		f.Add(unit)
	}
	f.Fuzz(func(t *testing.T, unit string) {
		if len(unit) < 40 {
			straight(t, unit)
		}
	})
}
