package offline

import (
	"strings"
	"unicode"
)

// spanish are words that occur in Spanish and not in English.
var spanish = wordSet(`el los las una con para por que qué mañana quiero quisiera podemos puedes reunión cita almuerzo almorzar cena cenar desayuno
	café próxima próximo semana viernes lunes martes miércoles jueves sábado domingo hola gracias tarde noche después antes cuándo dónde
	necesito quedar vamos tomar agendar programar reservar mi tu su es está más otra otro también cancelar`)

// languageOf is the language of a message as a tag: by its script, or by words that only one language has.
func languageOf(text string) string {
	hebrew, latin := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Hebrew, r):
			hebrew++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	if hebrew > 0 && hebrew*2 > latin {
		return "he"
	}
	found, all := 0, 0
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		all++
		if spanish[w] {
			found++
		}
	}
	if strings.ContainsAny(text, "¿¡ñ") && found > 0 || found >= 2 && found*4 >= all {
		return "es"
	}
	return "en"
}

// foreign are the words of other languages by which a message is sorted, as beginnings of words.
var foreign = map[string][]string{
	handleEvent: {"פגיש", "להיפגש", "נפגש", "קפה", "ארוחת", "צהריים", "שיחה", "לקבוע", "תקבע", "קבע", "בירה", "זום", "לתאם", "תאם", "מאוחר", "מוקדם", "במקום", "להזיז", "תזיז",
		"café", "almuerzo", "almorzar", "cena", "cenar", "desayun", "reunión", "reunion", "cita", "quedar", "llamada", "agendar", "programar", "reservar", "cerveza", "tarde", "temprano", "cambiar", "mover"},
	showMore:          {"עוד אפשרויות", "מה עוד", "אפשרויות אחרות", "más opciones", "otras opciones", "qué más", "muéstrame más"},
	suggestActivities: {"מה קורה", "מה יש לעשות", "רעיונות", "משהו כיף", "qué hacer", "qué pasa", "algo divertido", "ideas para", "qué hay"},
}

// foreignIntent sorts a message in another language by the words that it has.
func foreignIntent(s sentence, d classifyData) (string, topic) {
	lower := strings.ToLower(s.text)
	says := func(intent string) bool {
		for _, w := range foreign[intent] {
			if strings.Contains(lower, w) {
				return true
			}
		}
		return false
	}
	_, named := s.activityOf()
	switch {
	case d.Asked != "" && s.size() <= 4:
		return handleEvent, noTopic
	case says(showMore):
		return showMore, noTopic
	case says(suggestActivities):
		return suggestActivities, noTopic
	case says(handleEvent), named:
		return handleEvent, noTopic
	default:
		return converse, noTopic
	}
}

// greetings in other languages, one sentence for each intent.
var foreignWords = map[string]map[string]string{
	"he": {
		handleEvent:       "אחפש זמן שמתאים לכולם.",
		showMore:          "אבדוק אילו אפשרויות נוספות יש.",
		suggestActivities: "אבדוק מה אפשר לעשות.",
		converse:          "אני עוזר לקבוע פגישות: כתבו לי עם מי, מתי ומה תרצו לעשות, ואמצא זמן ומקום.",
	},
	"es": {
		handleEvent:       "Voy a buscar un momento que convenga a todos.", //nolint:misspell // it is Spanish
		showMore:          "Voy a ver qué otras opciones hay.",
		suggestActivities: "Voy a ver qué se puede hacer.",
		converse:          "Te ayudo a organizar encuentros: dime con quién, cuándo y qué te gustaría hacer, y busco cuándo y dónde.",
	},
}
