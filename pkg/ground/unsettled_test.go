package ground

import "testing"

// What says when by something that nobody knows is no move, and the words are told.
func TestUnsettled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "move friday's fencing practice to saturday after the run", "after the run"},
		{"en", "move the osteopath to friday before brunch", "before brunch"},
		{"en", "push fencing practice to after the shops on saturday", "after the shops"},
		{"es", "pasa fencing practice del viernes al sábado después de correr", "después de correr"},
		{"es", "el fencing del viernes no voy a poder, pásalo al sábado antes de correr", "antes de correr"},
		{"he", "תעביר את ה-osteopath ליום שישי אחרי הריצה", "אחרי הריצה"},
		{"en", "move friday's fencing practice to saturday after the harbour walk", ""},
		{"en", "move the osteopath to friday after all", ""},
		{"es", "mueve el osteopath al viernes lo antes posible", ""},
		{"he", "תעביר את ה-osteopath ליום שישי אחרי הצהריים", ""},
		{"en", "remind me on friday to stretch after the run", ""},
		{"en", "cancel the osteopath after the run", ""},
	} {
		m := Message{Text: c.text, Language: c.language, Now: now, Things: home()}
		if got := Unsettled(m); got != c.want {
			t.Errorf("%q has %q, want %q", c.text, got, c.want)
		}
		if got := Read(m); c.want != "" && !got.Denied {
			t.Errorf("%q is %s %s", c.text, got.Tool, got.Arguments)
		}
	}
}
