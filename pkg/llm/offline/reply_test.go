package offline

import (
	"fmt"
	"testing"
	"time"
)

func TestReply(t *testing.T) {
	t.Parallel()
	set := Waiting{Kind: WaitingChanges, Options: []string{
		"Swim lesson", "Dentist", "Lunch with Maya", "Dentist follow-up call",
	}}
	deletes := Waiting{Kind: WaitingChanges, Options: set.Options, Deeds: []string{"delete"}}
	mail := Waiting{Kind: WaitingChanges, Options: []string{"Re: Slides"}, Deeds: []string{"send email"}}
	task := Waiting{Kind: WaitingChanges, Options: []string{"Water the plants"}, Deeds: []string{"create task"}}
	told := Waiting{
		Kind: WaitingChanges, Options: []string{"Gym", "I can make it"}, Deeds: []string{"delete", "send"},
		Details: []string{"Wednesday", "Al Chen"},
	}
	several := Waiting{
		Kind: WaitingChanges, Options: []string{"Pottery class", "I can't come", "book another lesson"},
		Deeds:   []string{"delete event", "send email", "create task"},
		Details: []string{"tomorrow Tuesday November 24 3:30 PM", "Maya Cohen", ""},
	}
	varios := Waiting{
		Kind: WaitingChanges, Options: []string{"Dentista", "No puedo ir", "pedir otra cita"}, Deeds: several.Deeds,
		Details: []string{"ayer domingo 22 de noviembre 15:30", "Maya Cohen", ""},
	}
	kama := Waiting{
		Kind: WaitingChanges, Options: []string{"חוג", "אני לא מגיע", "לקבוע שיעור השלמה"}, Deeds: several.Deeds,
		Details: []string{"מחר יום שלישי 24 בנובמבר 15:30", "Maya Cohen", ""},
	}
	day := func(n int) time.Time { return time.Date(2026, 11, n, 9, 0, 0, 0, time.UTC) }
	aged := Waiting{
		Kind: WaitingChanges, Options: []string{"Sale", "Lamps", "Free delivery"}, Times: []time.Time{day(9), day(2), day(5)},
	}
	hebrew := Waiting{Kind: WaitingChanges, Options: []string{"שיעור שחייה", "רופא שיניים", "ארוחה עם מאיה"}}
	spanish := Waiting{Kind: WaitingChanges, Options: []string{"Clase de natación", "Dentista", "Comida con Maya"}}
	which := Waiting{Kind: WaitingChoices, Options: []string{"Maya Cohen", "Maya Ortiz", "Noa Levi"}}
	mails := Waiting{Kind: WaitingChanges, Options: []string{
		"This week in the city", "Notes: what is new in the toolchain", "Five breads for a rainy week",
	}}
	for _, c := range []struct {
		waiting       Waiting
		message, want string
	}{
		{set, "yes", "yes []"},
		{set, "Yes, please do!", "yes []"},
		{set, "go ahead, thanks", "yes []"},
		{set, "all of them", "yes []"},
		{set, "no", "no []"},
		{set, "never mind", "no []"},
		{set, "only the first two", "only [0 1]"},
		{set, "just the swim lesson and lunch", "only [0 2]"},
		{set, "only 1 and 3", "only [0 2]"},
		{set, "the last one only", "only [3]"},
		{set, "not the lunch", "not [2]"},
		{deletes, "delete the lunch", "only [2]"},
		{deletes, "ok, move the lunch", "other []"},
		{set, "yes, but not the swim lesson", "not [0]"},
		{set, "everything except lunch with Maya", "not [2]"},
		{set, "keep the swim lesson", "not [0]"},
		{set, "but leave the swim lesson where it is", "not [0]"},
		{set, "leave the lunch out", "not [2]"},
		{set, "the lunch as it is", "not [2]"},
		{set, "the lunch is fine where it is", "not [2]"},
		{deletes, "i still want the lunch", "not [2]"},
		{set, "no wait, the swim lesson isn't finished yet", "not [0]"},
		{set, "not the dentist", "not [1 3]"},
		{set, "undo", "undo []"},
		{set, "put it back", "undo []"},
		{set, "make it 4:30 instead", "other []"},
		{set, "yes and move the rest to Monday", "other []"},
		{set, "no, too early", "other []"},
		{set, "only the ninth", "other []"},
		{set, "don't undo", "other []"},
		{set, "cancel the dentist", "other []"},
		{set, "what's my week like?", "other []"},
		{mails, "what's my week like?", "other []"},
		{mails, "what is in the city?", "other []"},
		{mails, "this week", "other []"},
		{mails, "only the week in the city", "only [0]"},
		{mails, "not the toolchain", "not [1]"},
		{set, "no, only the lunch", "only [2]"},
		{set, "no, not the lunch", "not [2]"},
		{told, "no, don't tell al", "not [1]"},
		{told, "don't email al", "not [1]"},
		{told, "leave out the mail", "not [1]"},
		{told, "no mail to al", "not [1]"},
		{told, "ok but don't tell him", "not [1]"},
		{told, "no, only the gym", "only [0]"},
		{told, "tell al", "other []"},
		{told, "no, tell al", "other []"},
		{told, "no se lo digas", "not [1]"},
		{told, "אל תגידי לו", "not [1]"},
		{Waiting{Kind: WaitingChanges, Options: []string{"Late"}, Deeds: []string{"send"}}, "ok send", "yes []"},
		{aged, "only the two oldest then", "only [1 2]"},
		{aged, "keep the newest one", "not [0]"},
		{aged, "not the oldest", "not [1]"},
		{aged, "only the oldest three", "only [0 1 2]"},
		{aged, "only the oldest four", "other []"},
		{aged, "how many would that be", "again []"},
		{aged, "how many is that?", "again []"},
		{aged, "how many meetings do i have", "other []"},
		{aged, "solo los dos más antiguos", "only [1 2]"},
		{aged, "רק הישן ביותר", "only [1]"},
		{set, "only the oldest", "other []"},
		{set, "", "other []"},
		{set, "all but the last two", "not [2 3]"},
		{several, "just the calendar part", "only [0]"},
		{several, "don't send the mail yet, only the calendar entry", "only [0]"},
		{several, "keep the class, but keep the reminder", "only [2]"},
		{several, "keep the class but send the mail", "only [1]"},
		{several, "without number 3", "not [2]"},
		{several, "the mail can wait", "not [1]"},
		{several, "I don't need the reminder", "not [2]"},
		{several, "only send the mail", "only [1]"},
		{several, "the first one, not the rest", "only [0]"},
		{several, "yes to the first, the rest can wait", "only [0]"},
		{several, "not the mail, everything else yes", "only [0 2]"},
		{several, "not the first but the second", "only [1]"},
		{several, "not the mail, not the rest either", "other []"},
		{several, "not the one of tomorrow", "not [0]"},
		{several, "only the first two things", "only [0 1]"},
		{varios, "solo lo del calendario", "only [0]"},
		{varios, "el correo no", "not [1]"},
		{varios, "la tarea no hace falta", "not [2]"},
		{varios, "deja el dentista pero manda el correo", "only [1]"},
		{varios, "todos menos el de ayer", "not [0]"},
		{varios, "manda el correo, lo demás no", "only [1]"},
		{varios, "menos los dos últimos", "not [1 2]"},
		{kama, "רק את שני הדברים הראשונים", "only [0 1]"},
		{kama, "בלי התזכורת", "not [2]"},
		{kama, "את האחרון לא", "not [2]"},
		{kama, "הראשון והשלישי בלבד", "other []"}, // or that of Tuesday
		{hebrew, "הראשון והשלישי בלבד", "only [0 2]"},
		{kama, "את הראשון כן, את השאר לא", "only [0]"},
		{kama, "לא את זה של מחר", "not [0]"},
		{hebrew, "כן", "yes []"},
		{hebrew, "לא תודה", "no []"},
		{hebrew, "רק השניים הראשונים", "only [0 1]"},
		{hebrew, "הכל חוץ מהרופא שיניים", "not [1]"},
		{hebrew, "לא את השחייה", "not [0]"},
		{hebrew, "תחזיר את זה", "undo []"},
		{hebrew, "תזיז לשעה ארבע", "other []"},
		{hebrew, "בטל", "no []"},
		{Waiting{Kind: WaitingChanges}, "בטל", "undo []"},
		{set, "no wait, leave it where it is", "no []"},
		{set, "no, leave it as it was", "undo []"},
		{Waiting{Kind: WaitingChanges}, "no wait, leave it where it is", "undo []"},
		{Waiting{Kind: WaitingChanges}, "leave it where it is", "other []"},
		{spanish, "no, déjala como estaba", "undo []"},
		{hebrew, "לא משנה, תשאירי כמו שזה", "no []"},
		{Waiting{Kind: WaitingChanges, Added: true}, "take it off", "undo []"},
		{Waiting{Kind: WaitingChanges, Added: true}, "no, quítalo", "undo []"},
		{Waiting{Kind: WaitingChanges}, "take it off", "other []"},
		{set, "ok?", "again []"}, {set, "ok wait", "again []"}, {set, "hm, not the swim lesson", "not [0]"},
		{set, "all of them?", "again []"},
		{set, "great, who's in it?", "again []"}, {set, "sure, why not", "yes []"}, {set, "no wait", "no []"},
		{set, "wait, only the first two", "only [0 1]"}, {hebrew, "כן?", "again []"}, {spanish, "vale, espera", "again []"},
		{Waiting{Kind: WaitingEvent}, "is it confirmed?", "other []"}, {set, "are they confirmed?", "other []"},
		{Waiting{Kind: WaitingEvent}, "book it", "yes []"}, {Waiting{Kind: WaitingEvent}, "yep book", "yes []"},
		{Waiting{Kind: WaitingEvent}, "reserva", "yes []"}, {Waiting{Kind: WaitingEvent}, "book lunch", "other []"},
		{spanish, "¿está confirmado?", "other []"},
		{mail, "put it in my calendar", "other []"}, {mail, "book it", "other []"}, {mail, "send it", "yes []"},
		{task, "schedule it", "other []"}, {task, "add it", "yes []"}, {deletes, "put it in my calendar", "other []"},
		{Waiting{Kind: WaitingEvent}, "great, thanks", "other []"},
		{Waiting{Kind: WaitingEvent}, "great, thats perfect, invite him", "yes []"},
		{Waiting{Kind: WaitingEvent}, "lovely, send it over to her", "yes []"},
		{Waiting{Kind: WaitingEvent}, "perfecto, mándasela", "yes []"},
		{Waiting{Kind: WaitingEvent}, "genial, invítalos por favor", "yes []"},
		{Waiting{Kind: WaitingEvent}, "y apúntamelo en el calendario", "yes []"},
		{Waiting{Kind: WaitingEvent}, "סבבה, תשלחי להם", "yes []"},
		{Waiting{Kind: WaitingEvent, Alone: true}, "great, invite him", "other []"},
		{Waiting{Kind: WaitingEvent, Alone: true}, "סבבה, תשלח לה", "other []"},
		{Waiting{Kind: WaitingEvent}, "lovely", "other []"}, {Waiting{Kind: WaitingEvent}, "invite marcus", "other []"},
		{Waiting{Kind: WaitingEvent}, "perfect, invite him at 4", "other []"},
		{mail, "send it over to her", "yes []"}, {mail, "great, invite him", "other []"}, {mail, "lovely", "yes []"},
		{set, "great", "yes []"},
		{spanish, "sí, adelante", "yes []"},
		{spanish, "mejor no", "no []"},
		{spanish, "solo los dos primeros", "only [0 1]"},
		{spanish, "todo menos el dentista", "not [1]"},
		{spanish, "no el dentista", "not [1]"},
		{spanish, "deshaz eso", "undo []"},
		{spanish, "mejor a las cinco", "other []"},
		{which, "the second one", "pick [1]"},
		{which, "Ortiz", "pick [1]"},
		{which, "I mean Noa", "pick [2]"},
		{which, "2", "pick [1]"},
		{which, "Maya", "other []"},
		{which, "all of them", "pick [0 1 2]"},
		{which, "neither", "no []"},
		{which, "la segunda", "pick [1]"},
		{which, "השנייה", "pick [1]"},
		{which, "the fourth", "other []"},
	} {
		a := Reply(c.message, c.waiting)
		if got := fmt.Sprint(a.Kind, " ", a.Indices); got != c.want {
			t.Errorf("%q: %s, want %s", c.message, got, c.want)
		}
	}
}

// A message that is no answer may begin with a no, or correct what was said.
func TestReplyDeniesOrCorrects(t *testing.T) {
	t.Parallel()
	one := Waiting{Kind: WaitingChanges, Options: []string{"Dentist"}}
	for _, c := range []struct {
		message          string
		denies, corrects bool
	}{
		{"no, delete the opera", true, false},
		{"not that one, the swim lesson", true, false},
		{"not the list, just the charger", true, false},
		{"esa no, la de equipo", true, false},
		{"לא אותו, את השחייה", true, false},
		{"I meant the swim lesson", true, false},
		{"sorry, the swim lesson", false, true},
		{"perdona, la clase", false, true},
		{"no problem, thanks a lot", false, false},
		{"move it to 5, not to 4", false, false},
		{"what's on friday?", false, false},
	} {
		if a := Reply(c.message, one); a.Kind != AnswerOther || a.Denies != c.denies || a.Corrects != c.corrects {
			t.Errorf("%q: %s, denies %t, corrects %t", c.message, a.Kind, a.Denies, a.Corrects)
		}
	}
}
