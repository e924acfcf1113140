package ground

import (
	"testing"
	"time"

	"convene/pkg/interval"
)

// What the user tells of events that stand is done already. What asks for something besides, is of something else, or
// is told when a task is done, is no report.
func TestReports(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 23, 8, 0, 0, 0, time.UTC)
	at := func(hour int) interval.Span {
		return interval.From(time.Date(2026, time.November, 24, hour, 0, 0, 0, time.UTC), time.Hour)
	}
	things := []Thing{
		{Kind: Event, ID: "1", Title: "Dentist", Span: at(9)}, {Kind: Event, ID: "2", Title: "Gym", Span: at(18)},
		{Kind: Event, ID: "3", Title: "רופא שיניים", Span: at(9)}, {Kind: Event, ID: "4", Title: "חדר כושר", Span: at(18)},
		{Kind: Event, ID: "5", Title: "Dentista", Span: at(9)}, {Kind: Event, ID: "6", Title: "Gimnasio", Span: at(18)},
		{Kind: Task, ID: "7", Title: "Cancel the magazine"},
	}
	for text, want := range map[string]bool{
		"en I cancelled the dentist and moved the gym to 9am":          true,
		"en I've already moved the gym to Friday. I told Noa too.":     true,
		"en we rescheduled the dentist":                                true,
		"en ya":                                                        false,
		"en I cancelled the dentist, can you move the gym to 9am?":     false,
		"en I cancelled the dentist and move the gym to 9am":           false,
		"en I moved the gym, so remove the dentist":                    false,
		"en I cancelled the magazine":                                  false,
		"en I moved house":                                             false,
		"en cancel the dentist and move the gym to 9am":                false,
		"en they moved the gym, it's at 9 now":                         false,
		"es Ya cancelé el dentista y moví el gimnasio a las 9":         true,
		"es hemos pasado el gimnasio al lunes y cancelado el dentista": true,
		"es ya he cancelado el dentista, pasa el gimnasio a las 9":     false,
		"es cancele el dentista y mueva el gimnasio a las 9":           false,
		"es ¿cancelé el dentista?":                                     false,
		"he ביטלתי את רופא השיניים והזזתי את חדר הכושר ל-9":            true,
		"he כבר דחינו את חדר הכושר ליום שני":                           true,
		"he ביטלתי את רופא השיניים, תזיז את חדר הכושר ל-9":             false,
		"he תבטל את רופא השיניים ותזיז את חדר הכושר ל-9":               false,
		"he לא ביטלתי את רופא השיניים":                                 false,
	} {
		m := Message{Text: text[3:], Language: text[:2], Now: now, Things: things}
		if got := Reports(m); got != want {
			t.Errorf("%q reports: %t, want %t", text, got, want)
		}
		if read := Read(m); want && (!read.Reports || read.Tool != "") {
			t.Errorf("%q: %+v", text, read)
		}
	}
}
