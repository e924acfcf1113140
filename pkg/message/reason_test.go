package message

import "testing"

func TestUnreadIsSaidInTheLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, reason, want string }{
		{"es", "no calendar is connected", "no hay ningún calendario conectado"},
		{"es-MX", "the feed is gone; add its new address", "no se pudo leer el calendario"},
		{"he", "nobody by this name is among your contacts", "אין איש קשר בשם הזה"},
		{"en", "the feed is gone; add its new address", "the feed is gone; add its new address"},
		{"tlh", "no calendar is connected", "no calendar is connected"},
		{"he", "", ""},
	} {
		if got := Unread(c.language, c.reason); got != c.want {
			t.Errorf("Unread(%s, %q) = %q, want %q", c.language, c.reason, got, c.want)
		}
	}
	for language, own := range reasons() {
		if len(own) != len(reasons()["es"]) || own[anyReason] == "" {
			t.Errorf("%s: there are %d reasons, or none for any", language, len(own))
		}
	}
}
