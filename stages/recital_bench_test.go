package stages

import (
	"strings"
	"testing"

	"convene/prompts"
)

func BenchmarkRecitedIn(b *testing.B) {
	library, err := prompts.New()
	if err != nil {
		b.Fatal(err)
	}
	told := instructionsOf(library.Instructions())
	said := `{"message":"` + strings.Repeat(`I've found a time that works for everybody: **Monday, May 5 at 12:00 PM** `+
		`at [Corner Cup](https://maps.example/1).\n`, 12) + `"}`
	b.ReportAllocs()
	for b.Loop() {
		if told.recitedIn(said) {
			b.Fatal("nothing was recited")
		}
	}
}
