package when

import (
	"strings"
	"testing"
	"time"
)

// heaps are what costs most to read: every word begins something, or leans on what stands before it.
var heaps = []string{
	"a b c ", "the day after ", "Monday 3pm or ", "((((", "lorem ipsum dolor ", "at 4 for 2 ", "x", "not Monday or ",
	"first ", "9:", "next next ",
	"\u202e", "from 5 to ", "two weeks from ", "ב", "ו ב ל ", "יום שני ", "בעוד ", "שני של ", "el martes de la ",
	"de 2 a ", "las 5 y ", "5-", "1.2.",
	"tomorow ", "mañana por la ", "the week of the ", "quarter past ", "all the whole ", "between the 5 and ", "חודש ",
	"the next one ",
	"a\u0301\u0301\u0301\u0301 ", "1a'", "א\"", "x'1'",
}

func TestReadingAllocatesLittle(t *testing.T) {
	now := time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC)
	for language, text := range sentences {
		if got := testing.AllocsPerRun(20, func() { Read(text, now) }); got > 200 {
			t.Errorf("%s: %.0f allocations for 15 words, want at most 200", language, got)
		}
	}
	for i := 0; i < len(heaps); i += 4 {
		unit := heaps[i]
		text := strings.Repeat(unit, 100_000/len(unit))
		if got := testing.AllocsPerRun(1, func() { Read(text, now) }); got > 60_000 {
			t.Errorf("%q: %.0f allocations for 100 kB", unit, got)
		}
	}
}

// sentences have fifteen words each, of the kind that people write.
var sentences = map[string]string{
	"english": "lunch with Noa next Tuesday or Thursday after noon for about an hour, but not Friday",
	"hebrew":  "ארוחת צהריים עם נועה ביום שלישי או חמישי הבא אחרי 12 לשעה וחצי, לא בשישי",
	"spanish": "comida con Noa el próximo martes o el jueves después de las doce, menos el viernes",
}

func BenchmarkRead(b *testing.B) {
	for language, text := range sentences {
		b.Run(language, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Read(text, time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC))
			}
		})
	}
}

func BenchmarkReadHuge(b *testing.B) {
	for _, unit := range heaps {
		text := strings.Repeat(unit, 100_000/len(unit))
		b.Run(strings.TrimSpace(unit), func(b *testing.B) {
			for b.Loop() {
				Read(text, time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC))
			}
		})
	}
}
