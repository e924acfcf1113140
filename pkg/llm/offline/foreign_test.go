package offline

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"
)

func TestLanguagesAreComplete(t *testing.T) {
	t.Parallel()
	for _, language := range languages()[1:] {
		own, err := readTongue(language)
		if err != nil {
			t.Fatal(err)
		}
		for topic := range englishTongue().Acknowledge.Topics {
			if own.Acknowledge.Topics[topic] == "" {
				t.Errorf("%s: nothing is said of %s", language, topic)
			}
		}
		for change := range englishTongue().Acknowledge.Changes {
			if own.Acknowledge.Changes[change] == "" {
				t.Errorf("%s: nothing is said of the change %s", language, change)
			}
		}
		for kind := range usualMinutes {
			if own.Nouns[kind] == "" || own.Acknowledge.What[kind] == "" {
				t.Errorf("%s: there is no word for %s", language, kind)
			}
		}
		c := own.Compose
		for _, text := range []string{c.Suggested, c.Moved, c.Updated, c.At, c.Event, c.NoTime, c.Options, c.Times,
			c.Caution, c.TryOne, c.TryOther} {
			if text == "" {
				t.Errorf("%s: a sentence is missing: %+v", language, c)
			}
		}
		for expression, meaning := range own.words {
			if n := len(strings.Fields(expression)); n == 0 || n > maxGloss || expression != strings.ToLower(expression) {
				t.Errorf("%s: %q, for %q, can never be found", language, expression, meaning)
			}
		}
	}
}

func TestAcknowledgmentsInOwnWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		message string
		event   bool
		want    string
	}{
		//nolint:misspell // it is Spanish
		{"¿Podemos cenar con Marta e Iker el viernes?",
			false, "Voy a buscar un buen momento para cenar con Marta e Iker el viernes."},
		//nolint:misspell // it is Spanish
		{"quiero un café con Noor todos los lunes", false,
			"Voy a buscar un buen momento para el café con Noor todos los lunes. Con otras personas será un solo evento."},
		{"más tarde", true, "Voy a buscar horarios más tardíos."},
		{"mejor el jueves", true, "Voy a mirar ese día."},
		{"añade a Theo", true, "Voy a cambiar quién participa."},
		{"en otro sitio", true, "Voy a buscar otro lugar."},
		{"gracias", true, "¡De nada! Avísame si hay algo más."},
		{"deshazlo", true, "Lo vuelvo a dejar como estaba."},
		{"אפשר לקבוע ארוחת צהריים עם רותם ביום שלישי?", false, "אחפש זמן טוב לארוחת צהריים עם רותם ביום שלישי."},
		{"קפה עם רותם ודן", false, "אחפש זמן טוב לקפה עם רותם ודן."},
		{"מוקדם יותר", true, "אחפש מועדים מוקדמים יותר."},
		{"במקום אחר", true, "אחפש מקום אחר."},
		{"איפה זה?", true, "אבדוק בהצעה."},
		{"קפה עם אל מחר", false, "אחפש זמן טוב לקפה עם אל מחר."},
		{"ניפגש אני ותמר מחר?", false, "אחפש זמן טוב עם תמר מחר."},
		{"צהריים עם רותם ביום שני", false, "אחפש זמן טוב לארוחת צהריים עם רותם ביום שני."},
		{"hola", false, "¡Hola! Pregúntame qué tienes, dime qué cambiar, recordar o escribir, o con quién quieres " +
			"quedar, y me ocupo."},
		//nolint:misspell // it is Spanish
		{"té en vez de café con Noor el lunes", false, "Voy a buscar un buen momento para el té con Noor el lunes."},
		//nolint:misspell // it is Spanish
		{"Noor y yo cenamos el jueves", false, "Voy a buscar un buen momento para cenar con Noor el jueves."},
		{"¿y el miércoles?", true, "Voy a mirar ese día."},
		//nolint:misspell // it is Spanish
		{"¿qué tiempo hace mañana?", false, "En eso no puedo ayudar. Me ocupo de tu calendario, tus tareas, listas, " +
			"notas y correo, y busco momentos y lugares para quedar."},
		{"recuérdame una hora antes", true, "No entiendo qué debo guardar. Di por ejemplo «recuérdame llamar al banco» o " +
			"«añade leche a la lista de la compra»."},
		{"פגישה עם אמא ביום ראשון", false, "אחפש זמן טוב לפגישה עם אמא ביום ראשון."},
		{"ארוחת ערב עם אחי ותמר ביום שבת", false, "אחפש זמן טוב לארוחת ערב עם אחי ותמר ביום שבת."},
		{"לא תודה", true, "אין בעיה. כתבו לי מה תעדיפו, ואבדוק מחדש."},
		{"שלום", false, "שלום! אפשר לשאול אותי מה יש ביומן, לכתוב לי מה לשנות, לזכור או לשלוח, או עם מי תרצו להיפגש."},
	} {
		if got := classify(classifyData{Message: c.message, HasEvent: c.event}).Acknowledgment; got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.message, got, c.want)
		}
	}
}

func TestAnswersInOwnWords(t *testing.T) {
	t.Parallel()
	for asked, answer := range map[string]string{
		"¿A qué Sam te refieres: Sam Rivera o Sam Okafor?": "Rivera",
		"לאיזה Sam הכוונה: Sam Rivera או Sam Okafor?":      "השני",
		"Which Sam do you mean: Sam Rivera or Sam Okafor?": "the second",
	} {
		got := classify(classifyData{Message: answer, RecentTurns: []Exchange{{"quedar con Sam", asked}}})
		if got.Intent != handleEvent {
			t.Errorf("%q to %q is %s", answer, asked, got.Intent)
		}
	}
}

func TestProposalsInOwnWords(t *testing.T) {
	t.Parallel()
	d := offer()
	d.Language, d.Title = "es-MX", "Café con Noor"
	d.Slots[0].When = "martes 10 de marzo a las 14:00"
	const spanish = "Propongo **Café con Noor** para el **martes 10 de marzo a las 14:00** en [Mill " +
		"Cafe](https://maps.example/mill)."
	if got, _, _ := strings.Cut(propose(d).Message, "\n"); got != spanish {
		t.Errorf("got %q", got)
	}
	d.Language = "he"
	d.Slots[0].When = "יום שלישי, 10 במרץ בשעה 14:00"
	if got := propose(d).Message; !strings.Contains(got, "ב**יום שלישי, 10 במרץ בשעה 14:00** ב־[Mill Cafe]") {
		t.Errorf("got %q", got)
	}
	d.Places[0].Link = "[קפה לבן](https://maps.example/lavan)"
	if got := propose(d).Message; !strings.Contains(got, " ב[קפה לבן]") {
		t.Errorf("got %q", got)
	}
	d.Sentences.Standing = "המועד המקורי עדיין בתוקף."
	if got := otherTimes(d).Message; !strings.HasPrefix(got, d.Sentences.Standing+"\n\nשקלתי גם") {
		t.Errorf("got %q", got)
	}
}

func TestRenamingInOwnWords(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"llámalo Planes de otoño": "Planes de otoño", "cambia el título a Charla": "Charla",
		"תקרא לזה תכנון רבעוני": "תכנון רבעוני",
	} {
		d := onWednesday(message)
		d.Template = &knownTemplate{Title: "café con Noor", Activity: "coffee", Duration: 30, Participants: []string{"Noor"}}
		got := newEdit(d, time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC))
		if got.NewTitle == nil || *got.NewTitle != want {
			t.Errorf("%q: %+v, want %q", message, got.NewTitle, want)
		}
	}
}

func TestEditsInOwnWords(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"20 minutos más", "editType=duration; newDuration=50"},
		{"alárgalo una hora", "editType=duration; newDuration=90"},
		{"otro día", "editType=date; newExcludedDates=2026-03-10"},
		{"el jueves a la misma hora", "editType=multiple; newPreferredSchedulableDates=2026-03-12; " +
			"newPreferredSchedulableHours=daily 14:00"},
		{"Mia en vez de Al",
			"editType=participants; newTitle=Coffee with Mia; addParticipants=[Mia]; removeParticipants=[Al]"},
		{"Foreign Cinema en vez de ahí", "editType=place; newPlaceName=Foreign Cinema"},
		{"más cerca de mí", "editType=place; newWhere={area:,landmark:,person:me,anchor:location}"},
		{"mejor en mi casa", "editType=place"},
		{"quita a Al", "editType=participants; newTitle=Coffee; removeParticipants=[Al]"},
		{"עוד רבע שעה", "editType=duration; newDuration=45"},
		{"תאריך בחצי שעה", "editType=duration; newDuration=60"},
		{"שעה אחת", "editType=duration; newDuration=60"},
		{"תזיז ל-11", "editType=time; newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 11:00"},
		{"באחת", "editType=time; newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 13:00"},
		{"תדחה בשעה", "editType=time; newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 15:00"},
		{"תקדים בחצי שעה",
			"editType=time; newPreferredSchedulableDates=2026-03-10; newPreferredSchedulableHours=daily 13:30"},
		{"יום אחר", "editType=date; newExcludedDates=2026-03-10"},
		{"לא שם שוב", "editType=place; excludePlaces=[Corner Cafe]"},
		{"קרוב אליי", "editType=place; newWhere={area:,landmark:,person:me,anchor:location}"},
		{"Foreign Cinema במקום", "editType=place; newPlaceName=Foreign Cinema"},
		{"תצרף את מיה", "editType=participants; newTitle=Coffee with Al and מיה; addParticipants=[מיה]"},
	} {
		d := afterCoffee(c[0])
		d.RecentTurns = []exchange{{User: "café con Al la semana que viene"}}
		if strings.ContainsFunc(c[0], func(r rune) bool { return unicode.Is(unicode.Hebrew, r) }) {
			d.RecentTurns[0].User = "קפה עם אל בשבוע הבא"
		}
		name, got := stage3(d)
		if want := c[1]; name != "editEventTemplate" || got != want {
			t.Errorf("%q: %s\n got %s\nwant %s", c[0], name, got, want)
		}
	}
}

// Whatever is put together of the words that the rules know is read without a panic, and acknowledged in words.
func TestAnyMixOfKnownWordsIsRead(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	for _, language := range languages()[1:] {
		var all []string
		for expression := range tongues()[language].words {
			all = append(all, expression)
		}
		all = append(all, "Al", "Noor", "15:00", "?", ",", "el 3 de mayo", "ב-14:30", "ו", "\"", "https://cal.example/x", "2")
		for range 400 {
			var words []string
			for range 1 + random.IntN(8) {
				words = append(words, all[random.IntN(len(all))])
			}
			message := strings.Join(words, " ")
			got := classify(classifyData{Message: message, HasEvent: random.IntN(2) == 0})
			if !strings.ContainsFunc(got.Acknowledgment, unicode.IsLetter) {
				t.Errorf("%q is acknowledged with %q", message, got.Acknowledgment)
			}
			d := onWednesday(message)
			stage3(d)
			d.Template = &knownTemplate{Title: "café con Noor", Activity: "coffee", Duration: 30, Participants: []string{"Noor"}}
			stage3(d)
		}
	}
}
