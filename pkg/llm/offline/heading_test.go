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
		// whoever takes part has a name
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
		{"הוסף אירוע מחר בספרייה", "פגישה בספרייה", "", ""},
	} {
		got := templateOf(onWednesday(c.message))
		place := got.PlaceName
		if got.Where != nil {
			place += got.Where.Area
		}
		if people := strings.Join(got.Participants, " "); got.Title != c.title || people != c.people || place != c.place {
			t.Errorf("%q\n got %q with %q at %q\nwant %q with %q at %q", c.message, got.Title, people, place, c.title, c.people, c.place)
		}
	}
}

func TestRemindersInHebrew(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"תזכירי לי מחר בשמונה להשקות את העציצים": "להשקות את העציצים",
		"תזכיר לי להזמין שולחן ביום חמישי":       "להזמין שולחן",
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
