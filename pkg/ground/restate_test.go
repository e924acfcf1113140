package ground

import (
	"testing"
	"time"
)

func TestAsWish(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"grace said we should meet tomorrow at 3, book it", "meet with grace tomorrow at 3, book it"},
		{"my landlord asked to have a quick call on monday", "quick call with my landlord on monday"},
		{"Noam me dijo que nos viéramos el jueves", "quedar con Noam el jueves"},
		{"גרייס אמרה שניפגש מחר", "פגישה עם גרייס מחר"},
		{"he asked to meet tomorrow", "meet with him tomorrow"},
		{"grace said to talk to sam about it", "grace said to talk to sam about it"},
		{"grace said we should fix the roof", "grace said we should fix the roof"},
		{"remind me that grace said we should meet", "remind me that grace said we should meet"},
		{"Noam dijo que no puede el jueves", "Noam dijo que no puede el jueves"},
	} {
		if got := asWish(c[0]); got != c[1] {
			t.Errorf("%q is %q, want %q", c[0], got, c[1])
		}
	}
}

func TestToThem(t *testing.T) {
	t.Parallel()
	one, both := []string{"Dana Whitfield"}, []string{"Dana Whitfield", "Al Chen"}
	for _, c := range []struct {
		people     []string
		text, want string
	}{
		{one, "and tell him i'll bring water", "and tell Dana Whitfield i'll bring water"},
		{both, "tell them i'll be late", "tell Dana Whitfield and Al Chen i'll be late"},
		{one, "dile que llevo el libro", "dile a Dana Whitfield que llevo el libro"},
		{both, "avísales que llego tarde", "avísales a Dana Whitfield y a Al Chen que llego tarde"},
		{one, "תגיד לה שאני מביא את הספר", "תגיד לDana Whitfield שאני מביא את הספר"},
		{one, "תשאלי אותה אם זה בסדר", "תשאלי את Dana Whitfield אם זה בסדר"},
		{both, "tell him i'll be late", "tell him i'll be late"},
		{nil, "tell him i'll be late", "tell him i'll be late"},
		{one, "move him to friday", "move him to friday"},
		{one, "i'll tell him", "i'll tell him"},
	} {
		if got := ToThem(c.text, c.people); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAlike(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 25, 13, 30, 0, 0, now.Location())
	booked := Likeness{
		Title: "Lunch with Dana", Start: start, End: start.Add(time.Hour), People: []string{"Dana Whitfield"}, Booked: true,
	}
	proposed := booked
	proposed.Booked = false
	for _, c := range []struct {
		like                 Likeness
		language, text, want string
	}{
		{proposed, "en", "and the same with Sam the week after", "schedule Lunch 13:30-14:30 with Sam 2026-12-02"},
		{proposed, "en", "same again with Sam", "schedule Lunch with Sam"},
		{booked, "en", "another one with Sam on friday at 4", "schedule Lunch with Sam on friday at 4"},
		{booked, "en", "also on friday", "schedule Lunch 13:30-14:30 with Dana Whitfield on friday"},
		{booked, "es", "y lo mismo con Al el viernes", "organiza Lunch 13:30-14:30 con Al el viernes"},
		{booked, "he", "גם ביום חמישי", "תקבע Lunch 13:30-14:30 עם Dana Whitfield ביום חמישי"},
		{proposed, "en", "book a followup with him the same time next week as well",
			"schedule followup with Dana Whitfield on 2026-12-02 13:30-14:30"},
		{booked, "en", "and set up another call with Sam, at the same time the day after",
			"schedule call with Sam on 2026-11-26 13:30-14:30"},
		{proposed, "en", "schedule a check-in same time the following week",
			"schedule check-in with Dana Whitfield on 2026-12-02 13:30-14:30"},
		{proposed, "es", "agenda otra reunión con ella a la misma hora la semana que viene",
			"agenda reunión con Dana Whitfield el 2026-12-02 13:30-14:30"},
		{booked, "es", "pon un seguimiento con Dana la próxima semana a la misma hora",
			"agenda seguimiento con Dana el 2026-12-02 13:30-14:30"},
		{proposed, "he", "תקבע עוד פגישה איתה באותה שעה בשבוע הבא",
			"תקבע פגישה עם Dana Whitfield ב-2026-12-02 13:30-14:30"},
		{proposed, "en", "make it the same time next week", ""},
		{proposed, "en", "book a table for two at the same time next week at Nopa", ""},
		{proposed, "en", "also on friday", ""},
		{booked, "en", "also invite grace", ""},
		{booked, "en", "also tomorrow i need to buy milk", ""},
		{booked, "en", "keep the same place", ""},
	} {
		if got := Alike(Message{Text: c.text, Language: c.language, Now: now}, c.like); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

// A general word for an event with what tells another one is none of the calendar.
func TestOneOfAnotherKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"gala de ópera todos los martes a las siete": 0, "gala אופרה ביום שלישי": 0, "gala el viernes": 1,
		"mueve la gala de ópera al viernes": 1,
	} {
		all := newReading(Message{Text: text, Now: now, Things: home()}).named()
		if got := len(keep(all, func(m mention) bool { return m.kind == Event })); got != want {
			t.Errorf("%q names %d events, want %d", text, got, want)
		}
	}
}

// A wish to hear about something is one to see it, and an answer in the first person is one answer.
func TestSaidInOtherWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"could you tell me a bit about the drinks on wednesday, like where it is": "show me the drinks on wednesday",
		"tell me about the place":                     "show me the place",
		"cuéntame algo sobre el concierto":            "muéstrame el concierto",
		"tell me what you can do":                     "tell me what you can do",
		"tell me about yourself":                      "tell me about yourself",
		"say yes to him, and that i'll bring coffee":  `tell him "yes, i'll bring coffee"`,
		"reply: no, i can't make it":                  `reply "no, i can't make it"`,
		"tell him yes, i'm in, and remind me to pack": "tell him yes, i'm in, and remind me to pack",
		"whats my longest free stretch on friday":     "what's my longest gap on friday",
		"a call with uh marcus":                       "a call with marcus",
		"there's that concert, so forget it":          "there's that concert, so forget it",
		"details of the dentist":                      "show me the dentist",
		"dame los detalles de la fiesta":              "muéstrame la fiesta",
		"and on saturday, what time is the run?":      "what time is the run on saturday?",
		"¿y el sábado a qué hora es lo de correr?":    "¿a qué hora es lo de correr el sábado?",
		"can you help me plan my day?": "show me my day, show me my tasks that are due by today, " +
			"and tell me when I'm free today",
		"organízame el día": "muéstrame mi día, muéstrame mis tareas hasta hoy y dime cuándo estoy libre hoy",
		"plan my day trip":  "plan my day trip",
		"tomorrow when I get home remind me to feed the cat": "tomorrow when I get home remind me to feed the cat",
		"reply that I need another week for this":            "reply that I need another week for this",
	} {
		if got := InFull(Message{Text: text, Now: now}, false); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"tell me about the place":            "tell me about the place",
		"tell me about the concert":          "show me the concert",
		"there's that concert, so forget it": "forget it",
		"right, the concert. then saturday":  "saturday",
	} {
		if got := InFull(Message{Text: text, Now: now}, true); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
