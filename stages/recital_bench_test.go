package stages

import (
	"strings"
	"testing"

	"convene/prompts"
)

// What a turn's message is looked through for.
func BenchmarkRecitedIn(b *testing.B) {
	library, err := prompts.New()
	if err != nil {
		b.Fatal(err)
	}
	told := instructionsOf(library.Instructions())
	said := strings.Repeat(`I've scheduled **Coffee with Al** for **Monday, November 23 at 3:00 PM** at [Dandelion Chocolate](https://maps.example/?q=1).\n\n`, 12)
	b.ReportAllocs()
	for b.Loop() {
		if told.recitedIn(`{"message": "` + said + `"}`) {
			b.Fatal("nothing is repeated")
		}
	}
}
