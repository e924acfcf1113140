package when_test

import (
	"strings"
	"testing"
	"time"

	"convene/pkg/when"
)

func BenchmarkReadHuge(b *testing.B) {
	for _, unit := range []string{"a b c ", "the day after ", "Monday 3pm or ", "((((", "lorem ipsum dolor ", "at 4 for 2 ", "x"} {
		text := strings.Repeat(unit, 100_000/len(unit))
		b.Run(strings.TrimSpace(unit), func(b *testing.B) {
			for b.Loop() {
				when.Read(text, time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC))
			}
		})
	}
}
