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
		{"tell al ", "I'm in and ask if there's room for one more",
			"I'm in. Could you tell me whether there's room for one more?"},
		{"contéstales que ", "sí me apunto y pregunta si queda sitio", "sí me apunto. ¿Queda sitio?"},
		{"תכתוב לדנה ש", "אני בא ותשאל אותה מתי מתחילים", "אני בא. מתי מתחילים?"},
		{"tell al ", "to bring his laptop", "Please bring your laptop"},
		{"tell al ", "not to wait", "Please don't wait"},
		{"an email asking him to ", "send the slides", "Please send the slides"},
		{"preguntando ", "si puede enviar el pdf", "¿Puede enviar el pdf?"},
		{"pregúntale a al ", "cuándo llega", "¿Cuándo llega?"},
		{"תשאל את דנה ", "אם היא יכולה לבוא", "את יכולה לבוא?"},
		{"תשאל את דנה ", "מתי היא מגיעה", "מתי את מגיעה?"},
		{"tell al ", "if he comes late we start", "if you come late we start"},
		{"tell al ", "I'm sorry, and he gets them today", "I'm sorry, and you get them today"},
		{"text dana that ", "I miss her and her dog", "I miss you and your dog"},
		{"let al know ", "he's late and I'm waiting for him", "you're late and I'm waiting for you"},
		{"tell al and dana that ", "they can bring theirs", "you can bring yours"},
		{"tell grace ", "her brother called and he wants it back", "her brother called and he wants it back"},
		{"tell grace ", "when Marcus comes he brings it", "when Marcus comes he brings it"},
		{"tell grace that ", "she is late on Monday", "you are late on Monday"},
		{"reply to al: ", "he is right", "he is right"},
		{"tell grace ", "she doesn't need to wait", "you don't need to wait"},
		{"let al know ", "he left his kite here and that I'll bring it", "you left your kite here and I'll bring it"},
		{"reply that ", "to know it helps", "to know it helps"},
	} {
		if got := Put(c.text, c.before); got != c.want {
			t.Errorf("%s%s: %q, want %q", c.before, c.text, got, c.want)
		}
	}
}
