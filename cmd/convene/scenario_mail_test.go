package main

import "testing"

// Conversations about mail, and requests of several steps with it, with no model but the built-in rules. Their files
// are scenarios under testdata/mail.
func TestScenariosOfMail(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios(t, "mail") {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			c := &client{t: t, server: wired(t, parseSettings(t, s.settings...)).url(), conversation: "c-" + s.name}
			var seen []any
			for _, step := range s.steps {
				seen = append(seen, c.take(step))
				check(t, step, seen)
			}
		})
	}
}
