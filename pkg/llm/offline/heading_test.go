package offline

import (
	"strings"
	"testing"
)

func TestTitlesInHebrew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, title, people, place string }{
		{"תוסיפי ליומן חזרה של הלהקה מחר בשש בערב", "חזרה של הלהקה", "", ""},
		{"קבע לי בדיקת שמיעה ביום שני בתשע וחצי", "בדיקת שמיעה", "", ""},
		{"צור אירוע חדש בשם ערב שירה ביום חמישי בשמונה", "ערב שירה", "", ""},
		{"שריין לי שעה מחר בבוקר לכתיבת הסיכום", "כתיבת הסיכום", "", ""},
		{"תוסיף ליומן להחזיר ספרים מחר בארבע", "להחזיר ספרים", "", ""},
		{"קבע פגישה ביום רביעי אחר הצהריים לבדיקת חוזה", "פגישה לבדיקת חוזה", "", ""},
		{"קבעי פגישה בנושא גיוסים עם תמר מחר בעשר", "פגישה בנושא גיוסים עם תמר", "תמר", ""},
		// each participant has a name
		{"תזמן פגישה עם רותם עידו ונועה ביום שני", "פגישה עם רותם, עידו ונועה", "רותם עידו נועה", ""},
		{"הזמן את רותם לארוחת צהריים מחר", "ארוחת צהריים עם רותם", "רותם", ""},
		{"פגישה עם דוקטור אדלר ביום שלישי בעשר", "פגישה עם אדלר", "אדלר", ""},
		{"קבע פגישה עם צוות המכירות מחר בשתיים", "פגישה עם צוות המכירות", "", ""},
		{"שיחה עם השרברב מחר בתשע בבוקר", "שיחה עם השרברב", "", ""},
		{"קפה עם רותם כהן ונועה לוי מחר", "קפה עם רותם ונועה", "רותם נועה", ""},
		{"קפה עם הדס מחר בעשר", "קפה עם הדס", "הדס", ""},
		// where
		{"ארוחת ערב במסעדת השקד ביום ראשון בשמונה", "ארוחת ערב", "", "מסעדת השקד"},
		{"אימון ריצה בפארק הדרומי מחר בשבע בבוקר", "אימון ריצה", "", "פארק הדרומי"},
		{"קבע כנס בחיפה ביום שני", "כנס", "", "חיפה"},
		{"הוסף תור ביום שני בעשר במרפאה של אדלר", "תור במרפאה של אדלר", "", ""},
		{"ארוחת ערב בבית ביום ראשון בשמונה", "ארוחת ערב בבית", "", ""},
		{"ארוחת ערב במסעדה איטלקית מחר", "ארוחת ערב במסעדה איטלקית", "", ""},
		{"קפה בעבודה עם רותם מחר בעשר", "קפה בעבודה עם רותם", "רותם", ""},
		{"הוסף אירוע מחר בספרייה", "פגישה בספרייה", "", ""},
	} {
		got := templateOf(onWednesday(c.message))
		place := got.PlaceName
		if got.Where != nil {
			place += got.Where.Area
		}
		if people := strings.Join(got.Participants, " "); got.Title != c.title || people != c.people || place != c.place {
			t.Errorf("%q\n got %q with %q at %q\nwant %q with %q at %q", c.message, got.Title, people, place, c.title,
				c.people, c.place)
		}
	}
}

func TestTitlesInSpanish(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, title, people, place string }{
		{"ponme el ensayo de la banda mañana a las seis de la tarde", "Ensayo de la banda", "", ""},
		{"tengo clase de cerámica el martes a las 5", "clase de cerámica", "", ""},
		{"plan de obra con Inés y Bruno el jueves a las 4", "plan de obra con Inés y Bruno", "Inés Bruno", ""},
		{"quiero quedar con Bruno para hablar de la mudanza mañana",
			"reunión con Bruno para hablar de la mudanza", "Bruno", ""},
		{"podemos cenar con Inés el sábado", "cena con Inés", "Inés", ""},
		{"una llamada con la gestora el lunes a las 12", "llamada con la gestora", "", ""},
		{"una caña con Bruno el viernes a las 8", "caña con Bruno", "Bruno", ""},
		{"reunión con Bruno en la calle Olmo 31 el martes a las 10", "reunión con Bruno", "Bruno", "calle Olmo 31"},
		{"bloquea la tarde del viernes", "bloqueado", "", ""},
	} {
		got := templateOf(onWednesday(c.message))
		people := strings.Join(got.Participants, " ")
		if !strings.EqualFold(got.Title, c.title) || people != c.people || got.PlaceName != c.place {
			t.Errorf("%q\n got %q with %q at %q\nwant %q with %q at %q", c.message, got.Title, people, got.PlaceName,
				c.title, c.people, c.place)
		}
	}
}

// TestKeepsTimeFree: a time that is only kept free is as long as what is named of the day, with nobody and nowhere.
func TestKeepsTimeFree(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]struct {
		title   string
		minutes int
	}{
		"block friday afternoon":                     {"blocked", 300},
		"block off thursday":                         {"blocked", 480},
		"block friday afternoon for the tax return":  {"tax return", 300},
		"block an hour on friday for the tax return": {"tax return", 60},
		"תחסום לי את יום שישי אחר הצהריים":           {"חסום", 300},
	} {
		got := templateOf(onWednesday(message))
		minutes := 0
		if got.Duration != nil {
			minutes = *got.Duration
		}
		if got.Title != want.title || minutes != want.minutes || got.EventType != "in-person" || got.PlaceName != "" ||
			len(got.Participants)+len(got.SuggestedPlaceTypes) > 0 {
			t.Errorf("%q: %+v for %d minutes, want %q for %d", message, got, minutes, want.title, want.minutes)
		}
	}
}

func TestRemindersInHebrew(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"תזכירי לי מחר בשמונה להשקות את העציצים": "להשקות את העציצים",
		"תזכיר לי להזמין שולחן ביום חמישי":       "להזמין שולחן",
		"תזכיר לי לבטל את המינוי מחר":            "לבטל את המינוי",
		"שים תזכורת לכנס בחיפה ביום שני":         "כנס בחיפה",
		"תזכורת חדשה": "",
	} {
		if got := Understand(message, Talk{}); got.Intent != Reminder || got.Title != want {
			t.Errorf("%q is %s of %q, want a reminder of %q", message, got.Intent, got.Title, want)
		}
	}
}

func TestUnderstandHebrew(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]Intent{
		"יש לי שיעור שחייה מחר בחמש":     Create,
		"יש לי שיעור שחייה מחר בחמש?":    Query,
		"ביום שני בעשר פגישה עם העירייה": Create,
		"שני את הפגישה ליום שלישי":       Update,
		"להקדים את הפגישה ליום ראשון":    Update,
		"הטיול בוטל תמחקי אותו":          Delete,
		"מה קבעתי למחר":                  Query,
		"עם מי אני נפגש בשלוש":           Query,
		"תמצא לי זמן לפגישה עם רותם":     Create,
		"תכווני שעון לשבע":               Reminder,
		"יש הצגות השבוע":                 Suggest,
		"תורידי את הווליום":              Other,
		"אנחנו נוסעים בשבת תוסיפי ליומן": Create,
		"יום ההולדת של רותם בשבוע הבא":   Create,
		"תודיע לי על הטיסה ביום שני":     Reminder,
	} {
		if got := Understand(message, Talk{}); got.Intent != want {
			t.Errorf("%q is %s (%v), want %s", message, got.Intent, got.Weights, want)
		}
	}
}
