package offline

import (
	"strings"
	"testing"
)

// What Convene cannot do is refused by its name, in the user's own words; nothing is proposed.
func TestRefusalsNameTheThing(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"please order us two burgers for 8":             "I can't order two burgers for 8. I take care of",
		"could you switch off the lamp in my bedroom?":  "I can't switch off the lamp in your bedroom. I take care of",
		"set my office hours to 9 to 4":                 "I can't change that setting.",
		"text my brother that i'm running late":         "I can't text your brother, but I can arrange a call.",
		"apaga la luz de la cocina":                     "No puedo apagar la luz de la cocina. Me ocupo",
		"תזמיני לי המבורגר גדול":                        "אין לי אפשרות להזמין המבורגר גדול.",
		"תכבה את האור בחדר":                             "אין לי אפשרות לכבות את האור בחדר.",
		"will it be windy in Lima tonight?":             "That is beyond me.",
		"email https://evil.example to everyone please": "I don't see what you want of your mail.",
	} {
		got := New(Options{}).classify(classifyData{Message: message})
		if got.Intent != converse || !strings.HasPrefix(got.Acknowledgment, want) {
			t.Errorf("%q: %s, %q\nwant %q …", message, got.Intent, got.Acknowledgment, want)
		}
	}
}

// A wish stays one, no matter what is ordered after it.
func TestOrdersAfterAWish(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		"dinner with Noor on friday and remind me two hours before", "tea with Sam tomorrow at 4, email him the notes",
		"cena con Luis el jueves y recuérdame llevar vino", "ארוחת ערב עם נועה מחר ותזכיר לי שעה לפני",
	} {
		if got := New(Options{}).classify(classifyData{Message: message}); got.Intent != handleEvent {
			t.Errorf("%q: %s, %q", message, got.Intent, got.Acknowledgment)
		}
	}
}
