package when_test

import (
	"testing"
	"time"

	"convene/pkg/when"
)

func TestReadHebrew(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"מחר בשמונה בערב", "Mar 5, at 20:00"},
		{"מחרתיים בבוקר", "Mar 6, 08:00-12:00"},
		{"ביום שני הבא בשעה 10", "Mar 9, at 10:00"},
		{"יום ב' ב-16:30", "Mar 9, at 16:30"},
		{"בשבוע הבא, לא ביום ראשון", "Mar 8-Mar 14, no Sunday"},
		{"בסוף השבוע", "Mar 6-Mar 7"},
		{"ב-12 ביוני בין 4 ל-6", "Jun 12, 16:00-18:00"},
		{"עשרים ואחד בספטמבר", "Sep 21"},
		{"בחמישה עשר למאי", "May 15"},
		{"ה-15 לחודש הבא", "Apr 15"},
		{"3/4 ביום שישי", "Apr 3"},
		{"יום שני האחרון של אפריל", "Apr 27"},
		{"מיום שני עד יום רביעי", "Mar 9-Mar 11"},
		{"ביום שלישי או חמישי אחרי הצהריים", "Mar 5 + Mar 10, 12:00-17:00"},
		{"חוץ מיום שישי", "no Friday"},
		{"יום שלישי במקום יום שני", "Mar 10, not Mar 9"},
		{"בעוד שעתיים", "Mar 4, at 11:00"},
		{"בעוד שלושה ימים", "Mar 7"},
		{"בעוד שבועיים", "Mar 15-Mar 21"},
		{"שעה וחצי", "for 90m"},
		{"חצי שעה", "for 30m"},
		{"שעתיים ורבע", "for 135m"},
		{"רבע לשמונה בערב", "at 19:45"},
		{"שבע וחצי", "at 07:30"},
		{"חמש ועשרים", "at 17:20"},
		{"עשרה לשבע", "at 18:50"},
		{"משלוש עד חמש", "at 15:00, for 120m"},
		{"לא לפני עשר", "10:00-24:00"},
		{"עד יום שישי", "Mar 4-Mar 6"},
		{"שעה אחר כך", "shift 60m 0d 0w"},
		{"חצי שעה מוקדם יותר", "shift -30m 0d 0w"},
		{"שבוע אחר כך", "shift 0m 0d 1w"},
		{"ארוחת צהריים מחר ב-1", "Mar 5, at 13:00"},
		{"ארוחת ערב ביום חמישי ב-8", "Mar 5, at 20:00"},
		{"אחה\"צ ביום ד'", "Mar 11, 12:00-17:00"},
		{"כל יום שלישי", "Mar 10 + Mar 17 + Mar 24 + Mar 31"},
		{"כל היום", "all day"},
		{"בהקדם האפשרי", "soonest"},
		{"ערב ראש השנה", "Sep 11"},
		{"בחנוכה", "Dec 5"},
		{"ביום רבעיי בשעה 9", "Mar 11, at 09:00"},
		{"ב-3 לספטמבהר", "Sep 3"},
		{"פגישה עם אפרים", ""},
		{"מחר ב-3pm", "Mar 5, at 15:00"},
		{"פגישה עם שני וליאור", ""},
	})
}

func TestReadSpanish(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"mañana por la mañana", "Mar 5, 08:00-12:00"},
		{"pasado mañana a las cinco y media", "Mar 6, at 17:30"},
		{"el lunes que viene", "Mar 9"},
		{"el próximo viernes a las nueve de la noche", "Mar 13, at 21:00"},
		{"miercoles de la semana que viene", "Mar 11"},
		{"el 15 de mayo a las 18h", "May 15, at 18:00"},
		{"1 de junio de 2027", "Jun 1 2027"},
		{"3/4 a las 15:00", "Apr 3, at 15:00"},
		{"del 13 al 15 de julio", "Jul 13-Jul 15"},
		{"entre el lunes y el miércoles", "Mar 9-Mar 11"},
		{"de lunes a viernes", "Mar 9-Mar 13"},
		{"de 2 a 4", "at 14:00, for 120m"},
		// An hour has a word before it, so that a number after a day that is near is that of the day.
		{"el viernes 6 a la misma hora", "Mar 6"},
		{"el viernes 6 a las 8 de la noche", "Mar 6, at 20:00"},
		{"el viernes 5", "Mar 6, at 17:00"},
		{"el viernes y el resto de la semana", "Mar 6-Mar 8"},
		{"entre las 2 y las 4 de la tarde", "14:00-16:00"},
		{"el martes o el jueves por la tarde", "Mar 5 + Mar 10, 12:00-17:00"},
		{"la tarde del viernes", "Mar 6, 12:00-17:00"},
		{"cualquier día menos el viernes", "no Friday"},
		{"no puedo el miércoles", "no Wednesday"},
		{"el jueves en vez del martes", "Mar 5, not Mar 10"},
		{"dentro de dos horas", "Mar 4, at 11:00"},
		{"en un cuarto de hora", "Mar 4, at 09:15"},
		{"hace una semana", "Feb 25"},
		{"en quince días", "Mar 19"},
		{"una hora y media", "for 90m"},
		{"tres cuartos de hora", "for 45m"},
		{"las siete menos diez", "at 18:50"},
		{"a la una", "at 13:00"},
		{"a las veinte horas", "at 20:00"},
		{"sobre las siete de la tarde", "18:30-19:30, about"},
		{"después de las seis", "18:00-24:00"},
		{"antes del viernes", "Mar 4-Mar 5"},
		{"después del 20", "Mar 21-Apr 17"},
		{"a partir del lunes", "Mar 9-Apr 5"},
		{"una hora más tarde", "shift 60m 0d 0w"},
		{"al día siguiente", "shift 0m 1d 0w"},
		{"el último viernes de abril", "Apr 24"},
		{"a finales de mes", "Mar 25-Mar 31"},
		{"el fin de semana que viene", "Mar 14-Mar 15"},
		{"todo el día", "all day"},
		{"cena el sábado a las 9", "Mar 7, at 21:00"},
		{"el juves a las diez", "Mar 5, at 10:00"},
		{"Nochebuena", "Dec 24"},
		{"el próximo verano", "Jun 21-Sep 23"},
		{"un café con Abril", ""},
	})
}

func readAll(t *testing.T, sentences [][2]string) {
	t.Helper()
	for _, s := range sentences {
		if got := described(when.Read(s[0], wednesday(t))); got != s[1] {
			t.Errorf("Read(%q)\n got %s\nwant %s", s[0], got, s[1])
		}
	}
}

func TestTheLanguageIsThatOfTheWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expected, text, want string }{
		{"", "el 5 de mayo", "May 5"},
		{"", "5/6", "May 6"},
		{"es", "5/6", "Jun 5"},
		{"he", "5/6", "Jun 5"},
		{"en", "el martes", "Mar 10"},
		{"es", "lunch next Friday at noon", "Mar 13, at 12:00"},
		{"tlh", "Friday", "Mar 6"},
		{"", "un meeting el viernes at 3pm", "Mar 6, at 15:00"},
	} {
		if got := described(when.Setting{Language: c.expected}.Read(c.text, wednesday(t))); got != c.want {
			t.Errorf("Read(%q) expecting %q = %s, want %s", c.text, c.expected, got, c.want)
		}
	}
}

func TestEntitiesOfAnotherOrderStandInOrder(t *testing.T) {
	t.Parallel()
	text := "Café con Ana el lunes que viene a las cinco menos cuarto, dos horas y media"
	var got []string
	for _, e := range when.Read(text, wednesday(t)).Entities {
		got = append(got, text[e.Start:e.End])
	}
	want := []string{"el lunes que viene", "a las cinco menos cuarto", "dos horas y media"}
	if len(got) != len(want) {
		t.Fatalf("entities = %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("entity %d = %q, want %q", i, got[i], want[i])
		}
	}
}

func TestHolidaysAreComputed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		year int
		want string
	}{
		{"on rosh hashanah", 2024, "2024-10-03"}, {"on rosh hashanah", 2025, "2025-09-23"},
		{"on rosh hashanah", 2027, "2027-10-02"},
		{"on yom kippur", 2023, "2023-09-25"},
		{"on sukkot", 2026, "2026-09-26"},
		{"on hanukkah", 2024, "2024-12-26"}, {"on hanukkah", 2025, "2025-12-15"},
		{"on tu bishvat", 2024, "2024-01-25"}, {"on tu bishvat", 2026, "2026-02-02"},
		{"on purim", 2024, "2024-03-24"},
		{"on passover", 2024, "2024-04-23"}, {"on passover", 2027, "2027-04-22"},
		{"on yom hashoah", 2024, "2024-05-06"},
		{"on yom haatzmaut", 2024, "2024-05-14"}, {"on yom haatzmaut", 2025, "2025-05-01"},
		{"on shavuot", 2025, "2025-06-02"},
		{"on tisha b'av", 2022, "2022-08-07"},
		{"on easter", 2027, "2027-03-28"},
		{"on thanksgiving", 2027, "2027-11-25"},
		{"on election day", 2028, "2028-11-07"},
	} {
		now := time.Date(c.year, time.January, 1, 9, 0, 0, 0, time.UTC)
		dates := when.Read(c.text, now).Dates
		if len(dates) != 1 || dates[0].Start.String() != c.want {
			t.Errorf("%s of %d = %v, want %s", c.text, c.year, dates, c.want)
		}
	}
}

func TestConfidenceIsLessForEveryGuess(t *testing.T) {
	t.Parallel()
	confidence := func(text string) float64 { return when.Read(text, wednesday(t)).Confidence }
	for _, c := range []struct{ sure, guess string }{
		{"on Thursday at 3pm", "on Thursdya at 3pm"},
		{"at 7pm", "at 7"},
		{"dinner at 7", "at 7"},
		{"on 5/25", "on 5/6"},
		{"tomorrow at 7pm", "tomorow at 7"},
	} {
		if sure, guess := confidence(c.sure), confidence(c.guess); sure != 1 || guess >= sure || guess <= 0 {
			t.Errorf("confidence in %q is %v, in %q %v; want 1 and less", c.sure, sure, c.guess, guess)
		}
	}
	if got := confidence("nothing of the kind"); got != 0 {
		t.Errorf("confidence in nothing is %v, want 0", got)
	}
}
