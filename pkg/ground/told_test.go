package ground

import (
	"strings"
	"testing"
)

// withoutTold is a message of the small world without what it only tells.
func withoutTold(language, text string, arranging bool) string {
	things := home()
	if strings.Contains(text, "tasks") {
		things = append(chores(), Thing{Kind: Task, ID: "posters", Title: "Print posters", Column: "In Progress"})
	}
	people := []Person{
		{Name: "Yara Stone", Said: "yara"}, {Name: "Al Reyes", Said: "al"}, {Name: "Bruno Lima", Said: "bruno"},
		{Name: "Carlos Rey", Said: "carlos"},
	}
	m := Message{Text: text, Language: language, Now: now, People: people, Things: things}
	return WithoutTold(m, arranging)
}

// A clause that only tells why, or how things are, is left out beside a request. What the request means by a pronoun of
// it is said in its place.
func TestWithoutTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "give the gutters to al, yara is swamped", "give the gutters to al"},
		{"en", "yara has the flu, give the gutters to al", "give the gutters to al"},
		{"en", "yara just wrote that she's running late, push the osteopath back by half an hour",
			"push the osteopath back by half an hour"},
		{"en", "my knee is acting up again so cancel friday's fencing practice", "cancel friday's fencing practice"},
		{"en", "since yara's flying in on thursday anyway, let's do dinner with her that night",
			"let's do dinner with yara thursday night"},
		{"en", "yara is sick so reassign her in progress tasks to bruno",
			"reassign yara's in progress tasks to bruno"},
		{"en", "yara is sick so reassign her in progress tasks to carlos",
			"reassign yara's in progress tasks to carlos"},
		{"en", "remind me to water the plants on friday, they always die on me", "remind me to water the plants on friday"},
		{"en", "cancel the osteopath because my knee hurts", "cancel the osteopath"},
		{"es", "quita el osteopath, me duele la rodilla", "quita el osteopath"},
		{"he", "תבטל את ה-osteopath, הילדים חולים", "תבטל את ה-osteopath"},
		{"es", "me he torcido el tobillo, quita el osteopath", "quita el osteopath"},
		{"es", "quita el osteopath que me duele la cabeza", "quita el osteopath"},
		{"he", "תבטל את ה-osteopath כי כואב לי הראש", "תבטל את ה-osteopath"},
		{"he", "שכחתי לגמרי ממנו, אז תבטל את ה-osteopath", "תבטל את ה-osteopath"},
	} {
		if got := withoutTold(c.language, c.text, false); got != c.want {
			t.Errorf("%q is read as %q, want %q", c.text, got, c.want)
		}
	}
}

// Nothing is left out that binds the request, that is asked for as well, that is to be written or kept, or that the
// request means by a word like "it".
func TestNotOnlyTold(t *testing.T) {
	t.Parallel()
	for language, texts := range map[string][]string{
		"en": {
			"if yara is ill, give the gutters to al", "give the gutters to al, not if yara is ill",
			"lunch with al on friday, he can't before one", "lunch with al on friday, he's vegetarian",
			"i paid the visa fee, check that off", "the visa is done, cancel the osteopath",
			"the dentist called, they can only do thursday at 11, put that in",
			"tell yara i can't come tomorrow, my knee hurts", "tell yara i can't come because my knee hurts",
			"note that the key is under the mat, al keeps losing his",
			"yara is in town on friday, let's have lunch", "we ran out of coffee this morning, add it to the shopping list",
			"i'm away on thursday, cancel the fencing practice", "i promised al the slides, remind me on thursday",
			"wipe my calendar for friday because i'm traveling and notify everyone i meet", "cancel the osteopath and my walk",
			"dinner with al on saturday, and let my wife know", "walk with al on sunday, and check the weather",
			"cancel fencing practice unless it's raining", "move the osteopath to friday if i'm sick",
			"remind me to take my pills when i'm tired", "archive the mails i've been ignoring",
			"drop everything i've been avoiding", "add eggs to the shopping list, brown sugar",
			"the osteopath got cancelled, and the gala moved to friday", "cancel the osteopath, only if it rains",
			"is the osteopath on friday, or thursday?", "cancel the osteopath not because my knee hurts",
			"lentils are finished, add tahini to the boat trip", "yara's coming over, lunch on friday at one",
		},
		"es": {
			"cena con al el sábado, nada de pescado", "yara no puede antes de las tres, comida con ella el viernes",
			"se acabó el café, añádelo a shopping", "archiva los correos que me ha mandado yara",
			"añade a shopping pan, vino tinto", "yara está enferma, reasigna sus tareas a bruno",
		},
		"he": {"נגמר הקפה, תוסיף אותו ל-shopping", "אני לא פנוי ביום חמישי, תבטל את ה-fencing practice"},
	} {
		for _, text := range texts {
			if got := withoutTold(language, text, false); got != text {
				t.Errorf("%q is read as %q", text, got)
			}
		}
	}
}

// What is being talked about is meant by "it", if what was told names nothing.
func TestToldBesideWhatIsAtHand(t *testing.T) {
	t.Parallel()
	const text, want = "sorry my boss is being a pain, make it an hour later", "make it an hour later"
	if got := withoutTold("en", text, true); got != want {
		t.Errorf("%q is read as %q while an event is arranged", text, got)
	}
	if got := withoutTold("en", text, false); got != text {
		t.Errorf("%q is read as %q without one", text, got)
	}
	for text, want := range map[string]string{
		"drop yara, she's on vacation that week":               "drop yara",
		"and make it 1:30, i have fencing practice before":     "and make it 1:30",
		"drop yara, only if she can't do friday":               "drop yara, only if she can't do friday",
		"drop yara, friday works better then":                  "drop yara, friday works better then",
		"drop yara, and invite al":                             "drop yara, and invite al",
		"with yara, she can't before three":                    "with yara, she can't before three",
		"i have fencing practice then, can we say friday at 4": "can we say friday at 4",
	} {
		if got := withoutTold("en", text, true); got != want {
			t.Errorf("%q is read as %q while an event is arranged, want %q", text, got, want)
		}
	}
}

// An event that is only said to be in the way of something else is not what is changed.
func TestWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, rest string }{
		{"en", "make it friday instead, i have the osteopath on thursday", "make it friday instead"},
		{"en", "no wait, thursday is the osteopath, put it on friday", "no wait, put it on friday"},
		{"es", "mejor el viernes, que el jueves tengo osteopath", "mejor el viernes"},
		{"he", "תזיז את זה ליום שישי, כי ביום חמישי יש לי osteopath", "תזיז את זה ליום שישי"},
	} {
		m := Message{Text: c.text, Language: c.language, Now: now, Things: home(), Last: []string{"harbour"}, Waits: true}
		if got := WithoutTold(m, false); got != c.rest {
			t.Errorf("%q is read as %q, want %q", c.text, got, c.rest)
		}
		m.Last, m.Waits = nil, false
		if got := Read(m); got.Tool != "" {
			t.Errorf("%q is %s %s, while nothing was seen", c.text, got.Tool, got.Arguments)
		}
	}
	for text, last := range map[string]string{
		"tell al i can't come, i have the osteopath on thursday": "harbour",
		"email yara: sorry, i have the osteopath on thursday":    "harbour",
		"is the osteopath on friday, or thursday?":               "harbour",
		"i have the osteopath on thursday at 3, move it to 4":    "gutters",
	} {
		people := []Person{{Name: "Yara Stone", Said: "yara"}, {Name: "Al Reyes", Said: "al"}}
		m := Message{Text: text, Language: "en", Now: now, People: people, Things: home(), Last: []string{last}, Waits: true}
		if got := WithoutTold(m, false); got != text {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	if got := read("en", "i have the osteopath on thursday at 3, move it to 4"); got.Tool != "calendar_moveEvents" {
		t.Errorf("what is named before it is not moved: %s", got.Deed)
	}
}

// Beside a request that takes away what was seen last, or moves it by a length, no clause around it says which or when.
func TestWithoutToldOfWhatWasSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "cancel that, i'll be dead", "cancel that"},
		{"en", "cancel that, i can't", "cancel that"},
		{"es", "cancela eso, estoy enferma", "cancela eso"},
		{"es", "el del 27 quítalo que estoy de vacaciones", "el del 27 quítalo"},
		{"he", "תבטל את זה, אני בחופש", "תבטל את זה"},
		{"en", "the one on the 27th, drop it, i'm travelling", "the one on the 27th, drop it"},
		{"en", "my boss wants me on a call at 4 that day so move it an hour earlier pls", "move it an hour earlier pls"},
		{"en", "cancel that, i'll take the 5pm one", ""},
		{"en", "cancel that, and tell yara", ""},
		{"en", "my boss wants me on a call at 4 so move it there", ""},
	} {
		m := Message{
			Text: c.text, Language: c.language, Now: now, Things: home(), AtHand: "osteopath", Last: []string{"osteopath"},
			Before: Call{Tool: "calendar_findEvents", Arguments: []byte(`{}`)},
		}
		want := c.want
		if want == "" {
			want = c.text
		}
		if got := WithoutTold(m, false); got != want {
			t.Errorf("%q is read as %q, want %q", c.text, got, want)
		}
	}
	several := Message{
		Text: "cancel that, i'll be away", Language: "en", Now: now, Things: home(), Last: []string{"osteopath", "harbour"},
	}
	if got := WithoutTold(several, false); got != several.Text {
		t.Errorf("of several events %q is read as %q", several.Text, got)
	}
	if got := read("en", "do i have anything the morning after"); got.Tool != "" {
		t.Errorf("the morning after nothing is shown: %s", got.Arguments)
	}
}

// What is added moves nothing that has its name, and what is said of another event than the one that is called off
// deletes nothing.
func TestWhatIsAddedMovesNothing(t *testing.T) {
	t.Parallel()
	for language, texts := range map[string][]string{
		"en": {"add fencing practice every monday 7 to 8", "cancel that, i'll take the 10am one"},
		"es": {"añade fencing practice todos los lunes de 7 a 8", "agrega fencing practice cada lunes a las 7"},
		"he": {"הוסף fencing practice כל יום שני מ-7 עד 8", "תוסיפי fencing practice כל יום שני ב-7"},
	} {
		for _, text := range texts {
			if got := read(language, text, "gala"); got.Tool == "calendar_moveEvents" || got.Tool == "calendar_deleteEvents" {
				t.Errorf("%q is %s %s", text, got.Tool, got.Arguments)
			}
		}
	}
}
