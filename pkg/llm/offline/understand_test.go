package offline

import (
	"strings"
	"testing"
)

func TestCuesAreWellFormed(t *testing.T) {
	t.Parallel()
	for _, language := range languages() {
		text, err := data.ReadFile("data/" + language + "/cues.txt")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseCues(string(text)); err != nil {
			t.Errorf("%s: %v", language, err)
		}
		if len(cueBooks()[language].alternatives) == 0 {
			t.Errorf("%s has no cues", language)
		}
	}
}

func TestCuesThatAreNoneAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"create: no weight", "create x: no number", "dance 3: no such intent", "create 3: {nothing}", "create 3: <nothing>",
		"create 3: ", "just words",
	} {
		if _, err := parseCues(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// An intent that needs no weighing is a sentence and its cues.
func TestAnIntentOfTheStagesIsData(t *testing.T) {
	t.Parallel()
	book, err := parseCues("> ping: I hear you.\nping 9: ^are you there $\n")
	if err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]string{"Are you there?": "ping", "asdf qwer": converse} {
		r := understand(classifyData{Message: message}, someDay)
		r.weigh(book)
		intent, topic := r.intent()
		if text := r.acknowledge(intent, topic); intent != want || (text == "I hear you.") != (want == "ping") {
			t.Errorf("%q is %s, %q; want %s", message, intent, text, want)
		}
	}
}

func TestPhrases(t *testing.T) {
	t.Parallel()
	book, err := parseCues("= day: monday tues*\n= statement: can\n~ please | could you | do not\n~~ i want to\n= " +
		"auxiliary: have\n% ו\n")
	if err != nil {
		t.Fatal(err)
	}
	book.english = true
	for _, c := range []struct {
		phrase, message string
		want            bool
	}{
		{"cancel", "do cancel it", true},
		{"cancel", "cancellation", false},
		{"cancel*", "cancellation", true},
		{"^cancel", "please cancel it", true},
		{"^cancel", "do cancel it", false},
		{"^cancel", "zoe cancel it", true},
		{"^can", "zoe can do it", false},
		{"^have", "have lunch", true},
		{"^have", "i want to have lunch", false},
		{"it $", "cancel it", true},
		{"it $", "cancel it now", false},
		{"move .. to", "move my long meeting to", true},
		{"move .. to", "move a b c d e f to", false},
		{"move _ to", "move it to", true},
		{"move _ to", "move to", false},
		{"show me? more", "show more", true},
		{"show me? more", "show me more", true},
		{"on <day>", "on Tuesday", true},
		{"on <day>", "on Friday", false},
		{"what is", "what's up", true},
		{"קפה", "וקפה", true},
	} {
		p := cueParser{book: book, classes: map[string][]string{"day": {"monday", "tues*"}}}
		phrase, err := p.phrase(c.phrase)
		if err != nil {
			t.Fatal(err)
		}
		s := sentence{}
		for w := range strings.FieldsSeq(strings.ToLower(c.message)) {
			s.words = append(s.words, word{text: w, lower: w})
		}
		h := book.hear(&s)
		if got := phrase.holds(&h); got != c.want {
			t.Errorf("%q in %q: %v, want %v", c.phrase, c.message, got, c.want)
		}
	}
}

func TestUnderstand(t *testing.T) {
	t.Parallel()
	for want, messages := range map[Intent][]string{
		Create: {
			"Plan a farewell dinner with Noor for Thursday", "i have a physio appointment on the 9th at 8",
			"Could you pencil in a walk with Theo tomorrow",
			"reserve a table for three at Lumen tonight", "I want to have tea with Zoe at five",
			"put the school play on my calendar for Monday",
			"Necesito una reunión con Marta el lunes", "agéndame un café con Luis mañana a las 10",
			"quedar con Paula el viernes",
			"תקבעי פגישה עם רותם ליום חמישי בעשר", "אפשר לקבוע ארוחת ערב עם יואב מחר?", "שבץ ביומן תור לרופא ביום ראשון",
		},
		Query: {
			"when is my next physio appointment", "Do I have any lectures tomorrow?", "can you tell me what I have on Friday",
			"what's on my schedule this weekend",
			"Who is coming to the reunion on Sunday?", "please check if I'm free at noon", "list my meetings for today",
			"confirm my reservation at Lumen",
			"¿qué tengo el martes?", "¿a qué hora es mi próxima reunión?", "מה יש לי ביומן מחר?", "מתי הפגישה הבאה שלי?",
			"האם אני פנויה ביום שלישי?",
		},
		Delete: {
			"cancel my physio appointment on Friday", "Please take the book club off my calendar",
			"I don't need my reservation at Lumen anymore", "get rid of Sunday's picnic",
			"cancela mi reunión del lunes", "borra la cita con el dentista", "תבטל את הפגישה עם רותם",
			"תמחקי את כל האירועים מחר",
		},
		Update: {
			"move my physio appointment to Monday", "Push the book club back an hour",
			"reschedule Thursday's lecture for Friday", "Theo can't make it to the picnic on Sunday",
			"cambia mi reunión del lunes al martes", "תזיזי את הפגישה שלי עם רותם ליום רביעי",
		},
		Reminder: {
			"remind me to water the plants at six", "set an alarm for 5:30", "what's on my shopping list",
			"add bread to the grocery list",
			"recuérdame llamar a mamá", "תזכירי לי לקנות לחם", "שימי שעון מעורר לשש",
		},
		Suggest: {
			"anything fun going on in town this weekend?", "where should we go for tapas tonight",
			"can you recommend a quiet bar nearby", "what is there to do with kids on Sunday",
			"¿qué se puede hacer este fin de semana?", "recomiéndame un restaurante", "מה אפשר לעשות בסוף השבוע?",
			"תמליצי על מסעדה טובה באזור",
		},
		Help:   {"what can you do?", "¿qué puedes hacer?", "מה אתה יודע לעשות?"},
		Cancel: {"never mind", "forget it", "olvídalo", "לא משנה"},
		Other: {
			"how cold will it get tonight", "translate good night into French", "turn the kitchen lights off",
			"why is my card declined", "pon música tranquila", "¿va a llover mañana?",
			"נגן מוזיקה שקטה", "ספר לי בדיחה",
		},
	} {
		for _, message := range messages {
			if u := Understand(message, Talk{}); u.Intent != want {
				t.Errorf("%q is %s, want %s: %v", message, u.Intent, want, u.Weights)
			}
		}
	}
}

func TestUnderstandBehindAProposal(t *testing.T) {
	t.Parallel()
	talk := Talk{
		HasEvent: true, Turns: []Exchange{{User: "Coffee with Noor on Monday at 3", Assistant: "I've scheduled it."}},
	}
	for want, messages := range map[Intent][]string{
		Edit: {
			"half an hour later please", "any earlier times?", "make it 45 minutes", "not on a Monday", "what about Wednesday",
			"add Theo to that", "it should last until five",
			"más tarde", "mejor el jueves", "מאוחר יותר", "ביום רביעי במקום",
		},
		Create: {
			"Also schedule a call with Zoe on Friday at 9", "and then add another lunch with Theo on Thursday",
			"now book a table for two at Lumen on Saturday",
		},
		Confirm:  {"yes", "looks good", "yes, book it", "sí", "כן", "that works"},
		Query:    {"show me my Thursday", "what do I have on Friday?", "when is my next lecture?"},
		ShowMore: {"show me more", "any other time?", "other times?", "más opciones", "עוד אפשרויות"},
		Delete:   {"cancel it please and delete the event", "תמחק את האירוע"},
	} {
		for _, message := range messages {
			if u := Understand(message, talk); u.Intent != want {
				t.Errorf("%q is %s, want %s: %v", message, u.Intent, want, u.Weights)
			}
		}
	}
}

func TestLanguageOfAConversationStays(t *testing.T) {
	t.Parallel()
	spanish := Talk{HasEvent: true, Turns: []Exchange{{User: "Café con Noor el lunes", Assistant: "He programado…"}}}
	for message, want := range map[string]string{
		"15:30": "es", "Noor Haddad": "es", "ok": "en", "make it later": "en", "mejor el martes": "es", "ביום שני": "he",
	} {
		if u := Understand(message, spanish); u.Language != want {
			t.Errorf("%q is in %s, want %s", message, u.Language, want)
		}
	}
}

func BenchmarkUnderstand(b *testing.B) {
	for b.Loop() {
		Understand("Could you please set up a lunch meeting with Noor and Theo for next Thursday at noon", Talk{})
	}
}

func TestWhatSomebodyTellsOfTheirDaysIsAWish(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"Theo is dropping by on Friday at 6", "the recital starts at seven tomorrow",
		"please make a meet with my manager"} {
		if u := Understand(message, Talk{}); u.Intent != Create {
			t.Errorf("%q is %s: %v", message, u.Intent, u.Weights)
		}
	}
}

// What there is to do is asked about beside an event that is being arranged, and leaves that as it is.
func TestIdeasAreNoChange(t *testing.T) {
	t.Parallel()
	proposal := Talk{HasEvent: true, Turns: []Exchange{{User: "tea with Noor on Tuesday"}}}
	for message, want := range map[string]Intent{
		"what's happening this weekend?": Suggest, "what is there to do on Saturday?": Suggest,
		"¿qué pasa este fin de semana?":   Suggest,
		"¿qué hay para hacer este finde?": Suggest, "מה קורה בסוף השבוע?": Suggest, "מה קורה בסופ״ש?": Suggest,
		"what about this weekend?": Edit, "¿y este fin de semana?": Edit, "remind me an hour before": Reminder,
		"recuérdame una hora antes": Reminder,
		"not there again":           Edit, "más cerca de mí": Edit, "קרוב אליי": Edit, "15 minutos más": Edit,
	} {
		if got := Understand(message, proposal).Intent; got != want {
			t.Errorf("%q: got %s, want %s", message, got, want)
		}
	}
	for _, message := range []string{"¿qué pasa este fin de semana?", "מה קורה בסוף השבוע?",
		"what's happening this weekend?"} {
		if got := Understand(message, Talk{}).Intent; got != Suggest {
			t.Errorf("%q at first: got %s, want %s", message, got, Suggest)
		}
	}
}
