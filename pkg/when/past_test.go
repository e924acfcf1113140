package when_test

import (
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// What has been is looked for in the past; what only sounds so is to come.
func TestWhatHasBeen(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, time.November, 30, 14, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"what did I do on november 24?":           "2026-11-24",
		"who did we meet on the 24th":             "2026-11-24",
		"what was in my calendar on the 8th":      "2026-11-08",
		"what did I have on friday":               "2026-11-27",
		"what did i have last friday":             "2026-11-27",
		"what did I do yesterday":                 "2026-11-29",
		"¿qué tuve el 24 de noviembre?":           "2026-11-24",
		"¿con quién estuve el jueves?":            "2026-11-26",
		"מה היה לי ב-24 בנובמבר":                  "2026-11-24",
		"what do I have on november 24?":          "2027-11-24",
		"what did I plan for friday?":             "2026-12-04",
		"what was in my calendar on january 5th?": "2027-01-05",
	} {
		r := when.Setting{Standing: true, Past: when.AsksOfPast(text)}.Read(text, monday)
		if len(r.Dates) != 1 || r.Dates[0].Start.String() != want {
			t.Errorf("%q is of %v, want %s", text, r.Dates, want)
		}
	}
}

// A question about a span of dates without a year is about the one that has just been.
func TestASpanThatHasJustBeen(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, time.November, 30, 14, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"from november 9 to november 22":           "2026-11-09",
		"from 9 to 22 november 2027":               "2027-11-09",
		"from november 9 to november 22 next year": "2027-11-09",
		"between august 3 and september 2":         "2026-08-03",
		"from march 3 to april 2":                  "2027-03-03",
		"from december 14 to december 31":          "2026-12-14",
		"on november 9":                            "2027-11-09",
		"in october":                               "2027-10-01",
		"del 9 al 22 de noviembre":                 "2026-11-09",
		"מ-9 בנובמבר עד 22 בנובמבר":                "2026-11-09",
	} {
		r := when.Setting{Standing: true}.Read(text, monday)
		if len(r.Dates) != 1 {
			t.Fatalf("%q is of %v", text, r.Dates)
		}
		got := when.JustBeen(text, r.Dates[0], interval.DateOf(monday))
		if got.Start.String() != want || got.Start.DaysUntil(got.End) != r.Dates[0].Start.DaysUntil(r.Dates[0].End) {
			t.Errorf("%q is of %v, want %s", text, got, want)
		}
	}
}

// What is there "para el viernes" is on that day; what is to be done by then has until then.
func TestForADay(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, time.November, 30, 14, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"qué tengo para el viernes": "2026-12-04", "para el viernes": "2026-12-04", "qué hay hasta el viernes": "2026-11-30",
		"what do i have for friday": "2026-12-04", "מה יש לי ליום שישי": "2026-12-04",
	} {
		if r := (when.Setting{Standing: true}).Read(text, monday); len(r.Dates) != 1 || r.Dates[0].Start.String() != want {
			t.Errorf("%q is of %v, want it from %s", text, r.Dates, want)
		}
	}
	if r := when.Read("terminar el informe para el viernes", monday); r.Dates[0].Start.String() != "2026-11-30" {
		t.Errorf("a deadline is of %v", r.Dates)
	}
}
