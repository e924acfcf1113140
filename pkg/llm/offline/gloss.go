package offline

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// ownWords are those in which a title of another language is written. The zero value is English.
type ownWords struct {
	// name is the activity as the user said it; with and and join it to the names.
	name, with, and string
}

// titled is ownWords' form of what English calls "coffee with Al and Dana".
func (o ownWords) titled(names []string) string {
	if len(names) == 0 {
		return o.name
	}
	last := len(names) - 1
	if last == 0 {
		return o.name + o.with + names[0]
	}
	return o.name + o.with + strings.Join(names[:last], ", ") + o.and + names[last]
}

// wish is the message as the rules read it: an English one as it stands, one in another language by those of its words
// that are known, in English. Whoever stands behind "with" takes part under the name as written.
func (d templateData) wish(now time.Time, setting when.Setting) (sentence, ownWords) {
	text := readable(d.Message)
	setting.Theirs = d.theirs()
	var own ownWords
	switch languageOf(text) {
	case "es":
		own = ownWords{with: " con ", and: " y "}
		text, own.name = gloss(text, spanishWords, "")
	case "he":
		own = ownWords{with: " עם ", and: " ו"}
		text, own.name = gloss(text, hebrewWords, "בלוה")
	}
	return parseWish(text, now, setting), own
}

// theirs is the one zone, other than the user's, in which the people live whom the message names, or all who may take part
// where it names none of them; nil where there is none or more.
func (d templateData) theirs() (zone *time.Location) {
	named := slices.DeleteFunc(slices.Clone(d.People), func(p zoned) bool {
		first, _, _ := strings.Cut(p.Name, " ")
		return first == "" || !strings.Contains(strings.ToLower(d.Message), strings.ToLower(first))
	})
	if len(named) == 0 {
		named = d.People
	}
	for _, p := range named {
		loc, err := interval.Zone(p.Timezone)
		if err != nil || p.Timezone == "" || p.Timezone == d.Timezone {
			continue
		}
		if zone != nil && zone.String() != loc.String() {
			return nil
		}
		zone = loc
	}
	return zone
}

// maxGloss is the longest expression of another language, in words.
const maxGloss = 4

// gloss writes what is known of a text in English words and leaves out the rest, but for names behind "with". particles
// are letters that the language writes in front of a word without a space. activity is the word of the text that says
// what to meet for.
func gloss(text string, known map[string]string, particles string) (english, activity string) {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !inWord(r) && r != ':' && r != '-' && r != '@' && r != '.' && r != '/'
	})
	var out []string
	place := elsewhereInText
	for i := 0; i < len(words); {
		meaning, n := glossAt(words[i:], known, particles)
		if n > 0 {
			if activity == "" && (meals[meaning] != "" || talks[meaning] != "") {
				activity = strings.ToLower(strings.Join(words[i:i+n], " "))
			}
			place = place.behind(meaning)
		} else {
			meaning, place = place.name(words[i])
			n = 1
		}
		if meaning != "" {
			out = append(out, meaning)
		}
		i += n
	}
	return strings.Join(out, " "), activity
}

// listPlace is where in a list of names a word of a text stands.
type listPlace int

const (
	elsewhereInText listPlace = iota
	beforeName
	behindName
)

// behind is the place of the word behind one that means so much in English.
func (p listPlace) behind(meaning string) listPlace {
	switch {
	case meaning == "with", meaning == "and" && p == behindName, meaning == "" && p == beforeName:
		return beforeName
	default:
		return elsewhereInText
	}
}

// name is what becomes of a word that the language's table does not have: a name or a part of one where one may stand,
// itself where it says the same in any language, nothing otherwise.
func (p listPlace) name(w string) (english string, next listPlace) {
	first, size := utf8.DecodeRuneInString(w)
	w = strings.Trim(w, ".:-/")
	switch {
	case w == "":
		return "", elsewhereInText
	case p == beforeName, p == behindName && unicode.IsUpper(first):
		return w, behindName
	case p == behindName && first == 'ו' && utf8.RuneCountInString(w) > 2:
		// The Hebrew "and" is one letter in front of the name.
		return "and " + w[size:], behindName
	case understood(w):
		return w, p.behind(strings.ToLower(w))
	default:
		return "", elsewhereInText
	}
}

// glossAt is what the longest known expression at the head of the words means, and how many words it has.
func glossAt(words []string, known map[string]string, particles string) (meaning string, n int) {
	for n := min(maxGloss, len(words)); n > 0; n-- {
		text := strings.ToLower(strings.Trim(strings.Join(words[:n], " "), ".:-/"))
		if meaning, ok := known[text]; ok {
			return meaning, n
		}
		for _, p := range particles {
			rest, ok := strings.CutPrefix(text, string(p))
			if meaning, isKnown := known[strings.TrimPrefix(rest, "-")]; ok && isKnown && meaning != "with" && meaning != "and" {
				return meaning, n
			}
		}
	}
	return "", 0
}

// understood reports whether a word says in any language what it says in English: a number, a clock, a word that the
// rules for activities know.
func understood(w string) bool {
	w = strings.ToLower(w)
	if unicode.IsDigit(rune(w[0])) {
		return true
	}
	return meals[w] != "" || dishes[w] || talks[w] != "" || w == "with" || w == "pm" || w == "am"
}

// spanishWords and hebrewWords are what people say most often when they arrange to meet. An empty meaning is one that
// changes nothing and does not stand for a name.
var spanishWords = map[string]string{
	"café": "coffee", "cafe": "coffee", "cafecito": "coffee", "té": "tea", "almuerzo": "lunch", "almorzar": "lunch", "comida": "lunch",
	"comer": "lunch", "cena": "dinner", "cenar": "dinner", "desayuno": "breakfast", "desayunar": "breakfast", "cerveza": "beer",
	"cervezas": "beers", "copas": "drinks", "llamada": "call", "llamar": "call", "videollamada": "zoom", "reunión": "meeting",
	"reunion": "meeting", "reunirme": "meeting", "cita": "appointment", "paseo": "walk", "cine": "cinema",
	"con": "with", "y": "and", "e": "and", "sin": "without",
	"hoy": "today", "mañana": "tomorrow", "pasado mañana": "the day after tomorrow", "esta noche": "tonight", "esta tarde": "this afternoon",
	"por la mañana": "in the morning", "de la mañana": "in the morning", "en la mañana": "in the morning",
	"por la tarde": "in the afternoon", "de la tarde": "in the afternoon", "en la tarde": "in the afternoon",
	"por la noche": "in the evening", "de la noche": "in the evening", "en la noche": "in the evening", "mediodía": "noon", "al mediodía": "at noon",
	"lunes": "monday", "martes": "tuesday", "miércoles": "wednesday", "miercoles": "wednesday", "jueves": "thursday", "viernes": "friday",
	"sábado": "saturday", "sabado": "saturday", "domingo": "sunday", "fin de semana": "the weekend", "este fin de semana": "this weekend",
	"esta semana": "this week", "la próxima semana": "next week", "próxima semana": "next week", "la semana que viene": "next week",
	"semana que viene": "next week", "la semana próxima": "next week", "a la": "at", "a las": "at", "después de las": "after", "antes de las": "before",
	"dentista": "dentist", "médico": "doctor", "doctor": "doctor", "peluquería": "haircut",
	"el": "", "la": "", "los": "", "las": "", "mi": "", "un": "", "una": "one", "o": "or", "más tarde": "later", "más temprano": "earlier", "antes": "earlier", "en lugar": "instead", "minutos": "minutes",
	"horas": "hours", "hora": "hour", "en persona": "in person", "por teléfono": "phone", "en línea": "online",
}

var hebrewWords = map[string]string{
	"קפה": "coffee", "תה": "tea", "ארוחת צהריים": "lunch", "ארוחת ערב": "dinner", "ארוחת בוקר": "breakfast", "בירה": "beer", "יין": "wine",
	"שיחה": "call", "שיחת טלפון": "call", "טלפון": "phone", "פגישה": "meeting", "פגישת": "meeting", "להיפגש": "meeting", "זום": "zoom",
	"עם": "with", "בלי": "without", "או": "or",
	"היום": "today", "מחר": "tomorrow", "מחרתיים": "the day after tomorrow", "הערב": "tonight",
	"בוקר": "in the morning", "בוקר מוקדם": "early in the morning", "צהריים": "at noon", "אחר הצהריים": "in the afternoon", "אחרי הצהריים": "in the afternoon",
	"אחהצ": "in the afternoon", "ערב": "in the evening", "לילה": "at night",
	"ראשון": "sunday", "שני": "monday", "שלישי": "tuesday", "רביעי": "wednesday", "חמישי": "thursday", "שישי": "friday", "שבת": "saturday",
	"יום ראשון": "sunday", "יום שני": "monday", "יום שלישי": "tuesday", "יום רביעי": "wednesday", "יום חמישי": "thursday",
	"יום שישי": "friday", "יום שבת": "saturday", "השבוע": "this week", "שבוע הבא": "next week", "סוף השבוע": "the weekend", "סופש": "the weekend",
	"שעה": "at", "אחרי": "after", "לפני": "before",
	"אחת": "one", "שתיים": "two", "שלוש": "three", "ארבע": "four", "חמש": "five", "שש": "six", "שבע": "seven", "שמונה": "eight",
	"תשע": "nine", "עשר": "ten", "אחת עשרה": "eleven", "שתים עשרה": "twelve",
	"מאוחר יותר": "later", "שעה מאוחרת יותר": "later", "מוקדם יותר": "earlier", "במקום": "instead", "דקות": "minutes", "שעתיים": "two hours", "שעות": "hours",
}
