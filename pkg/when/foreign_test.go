package when_test

import (
	"testing"

	"convene/pkg/when"
)

func TestReadBroadlySpanish(t *testing.T) {
	t.Parallel()
	for _, s := range [][2]string{
		{"15 mar", "Mar 15"},
		{"1ro de mayo", "May 1"},
		{"el primer día del próximo mes", "Apr 1"},
		{"a primeros de abril", "Apr 1-Apr 10"},
		{"la segunda quincena de mayo", "May 16-May 31"},
		{"el próximo trimestre", "Apr 1-Jun 30"},
		{"de hoy en ocho", "Mar 11"},
		{"de mañana en ocho", "Mar 12"},
		{"cancela lo de mañana", "Mar 5"},
		{"la reunión de mañana a las 3", "Mar 5, at 15:00"},
		{"a las 8 de mañana", "Mar 5, at 08:00"},
		{"el viernes de mañana", "Mar 6, 08:00-12:00"},
		{"dos días después de Navidad", "Dec 27"},
		{"la víspera de Navidad", "Dec 24"},
		{"a más tardar el jueves", "Mar 4-Mar 5"},
		{"a las doce de la noche", "at 00:00"},
		{"tipo 3", "14:30-15:30, about"},
		{"de 15 a 17 h", "at 15:00, for 120m"},
		{"de 9 a 12 de la mañana", "at 09:00, for 180m"},
		{"del 10/3 al 14/3", "Mar 10-Mar 14"},
		{"media horita", "for 30m"},
		{"Semana Santa", "Mar 30-Apr 5"},
		{"Domingo de Ramos", "Mar 29"},
		{"Lunes de Pascua", "Apr 6"},
		{"Viernes Negro", "Nov 27"},
		{"miérc", "Mar 11"},
		{"biernes", "Mar 6"},
		{"el lune", "Mar 9"},
		{"mñn", "Mar 5"},
		{"la sem que viene", "Mar 9-Mar 15"},
		{"el próx. viernes", "Mar 13"},
		{"vuelo 1245", ""},
		{"reunión el 9/4/2026 a las 16:30", "Apr 9, at 16:30"},
		{"el 9 y el 10 de abril", "Apr 9-Apr 10"},
		{"el 9 o el 10 de abril", "Apr 9-Apr 10"},
		{"la primera quincena de abril", "Apr 1-Apr 15"},
		{"a finales del próximo mes", "Apr 24-Apr 30"},
		{"a comienzos del año que viene", "Jan 1 2027-May 2"},
		{"durante el verano", "Jun 21-Sep 23"},
		{"el segundo trimestre de 2027", "Apr 1 2027-Jun 30"},
		{"mañana a última hora", "Mar 5, 15:00-18:00"},
		{"el domingo a media tarde", "Mar 8, 15:00-18:00"},
		{"los lunes y miércoles a las 7", "Mar 9 + Mar 11 + Mar 16 + Mar 18 + Mar 23 + Mar 25 + Mar 30 + Apr 1, at 07:00"},
		{"de hoy en una semana", "Mar 11"},
		{"el miércoles de ceniza", "Feb 10 2027"},
		{"en Semana Santa", "Mar 30-Apr 5"},
		{"el lunes después de Semana Santa", "Apr 6"},
		{"del tres al seis de junio", "Jun 3-Jun 6"},
		{"a las veintidós treinta", "at 22:30"},
		{"a las veintiuna y cuarto", "at 21:15"},
		{"a las veintidós menos cuarto", "at 21:45"},
		{"a las 19 hs", "at 19:00"},
		{"a las 9 horas", "at 09:00"},
		{"entre las dieciséis y las dieciocho", "16:00-18:00"},
		{"de diez a once y media", "at 10:00, for 90m"},
		{"entre las 4 y las 5 y media", "16:00-17:30"},
		{"el 20-04", "Apr 20"},
		{"las dos primeras semanas de mayo", "May 1-May 14"},
		{"el último día del año", "Dec 31"},
		{"la víspera de Reyes", "Jan 5 2027"},
	} {
		if got := described(when.Setting{Language: "es"}.Read(s[0], wednesday(t))); got != s[1] {
			t.Errorf("Read(%q)\n got %s\nwant %s", s[0], got, s[1])
		}
	}
}

func TestReadBroadlyHebrew(t *testing.T) {
	t.Parallel()
	for _, s := range [][2]string{
		{"ב15.3", "Mar 15"},
		{"ב-15.3", "Mar 15"},
		{"יום שישי ה-13", "Mar 13"},
		{"היום האחרון של החודש", "Mar 31"},
		{"היום האחרון של מאי", "May 31"},
		{"במרץ 2027", "Mar 1 2027-Mar 31"},
		{"יום ה הקרוב", "Mar 5"},
		{"שבוע מהיום", "Mar 11"},
		{"תוך שלושה ימים", "Mar 4-Mar 7"},
		{"באמצע השבוע הבא", "Mar 9-Mar 11"},
		{"השבוע של ה-13 באפריל", "Apr 12-Apr 18"},
		{"במאי", "May 1-May 31"},
		{"בחודש מאי", "May 1-May 31"},
		{"השנה", "Mar 4-Dec 31"},
		{"ב-2027", "Jan 1 2027-Dec 31"},
		{"בקיץ", "Jun 21-Sep 23"},
		{"ברבעון הבא", "Apr 1-Jun 30"},
		{"בשלושת הימים הקרובים", "Mar 5-Mar 7"},
		{"בשבועיים הקרובים", "Mar 5-Mar 18"},
		{"לא יאוחר מיום חמישי", "Mar 4-Mar 5"},
		{"בעוד שעה וחצי", "Mar 4, at 10:30"},
		{"בשעה הקרובה", "Mar 4, 09:00-10:00"},
		{"בין ה-10 ל-14 במרץ", "Mar 10-Mar 14"},
		{"מ-10.3 עד 14.3", "Mar 10-Mar 14"},
		{"ערב סוכות", "Sep 25"},
		{"ערב שבועות", "May 21"},
		{"ט\"ו באב", "Jul 29"},
		{"מחרר", "Mar 5"},
		{"ביום שלשי", "Mar 10"},
		{"יום רבעי", "Mar 11"},
		{"ביום חמשי", "Mar 5"},
		{"יום שישיי", "Mar 6"},
		{"סופשבוע", "Mar 6-Mar 7"},
		{"יש לי שני ילדים", ""},
		{"טיסה 1245", ""},
		{"ב-9 או ב-10 באפריל", "Apr 9-Apr 10"},
		{"בין 9 ל-12 באפריל", "Apr 9-Apr 12"},
		{"בתחילת השנה הבאה", "Jan 1 2027-May 2"},
		{"בסוף השנה", "Dec 1-Dec 31"},
		{"ב-3.04 ב-9:00", "Apr 3, at 09:00"},
		{"בשעה 8.10", "at 08:10"},
		{"מ-3.05 עד 5.05", "May 3-May 5"},
		{"בין העשרים לעשרים וחמישה במאי", "May 20-May 25"},
		{"מחמישה עד שבעה ביוני", "Jun 5-Jun 7"},
		{"בשביעי לאפריל", "Apr 7"},
		{"בשמונה ושלושים", "at 08:30"},
		{"בארבע ארבעים וחמש", "at 16:45"},
		{"השבוע האחרון של אפריל", "Apr 24-Apr 30"},
		{"בעוד שנה", "Mar 4 2027"},
		{"ארוחת שישי בשבע", "Mar 6, at 19:00"},
		{"בשבועות", "May 22"},
		{"ראיון בתשע", "at 09:00"},
	} {
		if got := described(when.Setting{Language: "he"}.Read(s[0], wednesday(t))); got != s[1] {
			t.Errorf("Read(%q)\n got %s\nwant %s", s[0], got, s[1])
		}
	}
}
