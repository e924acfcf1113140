package when_test

import (
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"", "Monday morning, or if not, Tuesday afternoon", "from 2 to 4 on the 31st", "the day after the day after Easter",
		"not not Friday",
		"at 99:99", "12/31/99 24:00", "half past midnight", "99999999 weeks from now", "2h30m2h30m", "יום שלישי אחרי 4",
		"☕ 3️⃣pm", "el 13 al 15 de julio a las 5 menos 10", "ב-5 וחצי בערב ו״שני״ ה-31 לחודש", "יום ב׳־ג׳",
		"de 2 a 4 de 5 a 6 de mayo de 2027", "after\x00before\xff",
		"0001-01-01 to 9999-12-31 not weekdays in 2000-01-01 to 2099-01-01", "23:59 to 0:00 Tokyo time",
		"every last first next", "travel 30m", "on this calendar",
	} {
		f.Add(s, int64(1_772_640_000))
	}
	f.Fuzz(func(t *testing.T, text string, at int64) {
		now := time.Unix(at%4_000_000_000, 0).In(wednesday(t).Location())
		check(t, text, when.Read(text, now))
		for _, language := range []string{"he", "es"} {
			check(t, text, when.Setting{Language: language}.Read(text, now))
		}
	})
}

// check holds a reading to what every one promises.
func check(t *testing.T, text string, r when.Reading) {
	t.Helper()
	end := 0
	for _, e := range r.Entities {
		if e.Start < end || e.End <= e.Start || e.End > len(text) {
			t.Fatalf("entity %+v out of order or out of the text", e)
		}
		end = e.End
	}
	for _, d := range append(r.Dates, r.ExcludedDates...) {
		if d.End.Before(d.Start) || d.Start.IsZero() || d.Start.DaysUntil(d.End) >= 366 {
			t.Fatalf("range %v is none", d)
		}
	}
	for _, h := range []when.Hours{r.Hours, r.ExcludedHours} {
		for _, day := range h.Week {
			checkWindows(t, day)
		}
		for _, on := range h.On {
			checkWindows(t, on.Windows)
		}
	}
	if r.Duration < 0 || r.Travel < 0 {
		t.Fatalf("negative length: %v, %v", r.Duration, r.Travel)
	}
}

func checkWindows(t *testing.T, list []interval.Window) {
	t.Helper()
	for _, w := range list {
		if w.Start < 0 || w.Start >= interval.EndOfDay || w.End < 0 || w.End > interval.EndOfDay {
			t.Fatalf("window %v lies outside the day", w)
		}
	}
}
