package ground

import "testing"

// What someone is asked is put to them; what they are told stays as it is.
func TestPut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, text, want string }{
		{"ask ines ", "if she can print her photos", "Can you print your photos?"},
		{"ask ines ", "if he's free tomorrow", "Are you free tomorrow?"},
		{"ask al by mail ", "whether they'll come", "Will you come?"},
		{"ask al ", "if he needs anything for his trip", "Do you need anything for your trip?"},
		{"ask al ", "if he watches the game", "Do you watch the game?"},
		{"ask al ", "whether he got the slides", "Could you tell me whether you got the slides?"},
		{"ask al ", "if she has time on friday", "Do you have time on friday?"},
		{"ask al ", "if the room is free", "Could you tell me whether the room is free?"},
		{"an email to al asking ", "what he wants to see", "Could you tell me what you want to see?"},
		{"email al and ask him ", "when he's back", "Could you tell me when you are back?"},
		{"ask him ", "for the form", "Could I have the form?"},
		{"tell al ", "to bring his laptop", "Please bring your laptop"},
		{"tell al ", "not to wait", "Please don't wait"},
		{"an email asking him to ", "send the slides", "Please send the slides"},
		{"preguntando ", "si puede enviar el pdf", "¿Puede enviar el pdf?"},
		{"pregúntale a al ", "cuándo llega", "¿Cuándo llega?"},
		{"תשאל את דנה ", "אם היא יכולה לבוא", "את יכולה לבוא?"},
		{"תשאל את דנה ", "מתי היא מגיעה", "מתי את מגיעה?"},
		{"tell al ", "if he comes late we start", "if he comes late we start"},
		{"reply that ", "to know it helps", "to know it helps"},
	} {
		if got := Put(c.text, c.before); got != c.want {
			t.Errorf("%s%s: %q, want %q", c.before, c.text, got, c.want)
		}
	}
}
