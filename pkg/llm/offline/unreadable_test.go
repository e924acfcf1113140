package offline

import "testing"

// A language that is not read is named by its tag, and answered in one sentence of it.
func TestLanguagesThatAreNotRead(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"est-ce qu'on peut se voir demain avec Lucie ?":  "fr",
		"können wir uns am Freitag mit Jonas treffen?":   "de",
		"podemos marcar uma reunião na terça às 10?":     "pt",
		"possiamo vederci domani per pranzo con Marco?":  "it",
		"yarın saat üçte Ayşe ile görüşme ayarla lütfen": "tr",
		"bisa kita rapat besok pagi dengan Budi?":        "id",
		"chúng ta có thể gặp nhau ngày mai không":        "vi",
		"kunnen we morgen koffie drinken met Sanne?":     "nl",
		"czy możemy się spotkać w piątek po południu":    "pl",
		"tukutane kesho asubuhi na Juma kwa kahawa":      "sw",
		"magkita tayo bukas ng hapon kasama si Liza":     "tl",
		"давай встретимся завтра в три":                  "ru",
		"зустріньмося завтра з Оксаною":                  "uk",
		"明天下午三点和小李开会":                                    "zh",
		"明日の午後に田中さんと会議":                                  "ja",
		"내일 오후에 민수랑 커피":                                  "ko",
		"कल राहुल के साथ बैठक":                           "hi",
		"اجتماع مع سارة غدا":                             "ar",
		"فردا با سارا جلسه":                              "fa",
		"আগামীকাল রিনার সাথে দেখা":                       "bn",
	} {
		r := understand(classifyData{Message: message, HasEvent: true}, someDay)
		if intent, topic := r.intent(); r.Language != want || intent != converse || r.acknowledge(intent, topic) != r.unread {
			t.Errorf("%q is %s and %s, want %s and words only", message, r.Language, intent, want)
		}
	}
}

// Names and single words of another language leave a message what it is.
func TestForeignWordsWithinAMessage(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"coffee with François and Jürgen on Tuesday": english,
		"lunch at Chez Panisse with Maria":           english,
		"dinner at La Taqueria on Friday":            english,
		"tapas with José at El Toro":                 english,
		"Da Vinci lecture with Kim tomorrow":         english,
		"on sunday with Van Der Berg":                english,
		"brunch at Café de la Presse":                english,
		"coffee with 田中 tomorrow":                    english,
		"Luca":                                       english,
		"comida con François en Le Bistro mañana":    "es",
		"encárgame una tarta":                        "es",
		"¿hay aparcamiento allí?":                    "es",
		"cena con João el viernes":                   "es",
		"קפה עם Marco מחר":                           "he",
	} {
		if r := understand(classifyData{Message: message}, someDay); r.Language != want || r.unread != "" {
			t.Errorf("%q is %s (%q), want %s", message, r.Language, r.unread, want)
		}
	}
}
