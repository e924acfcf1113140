package ground

import (
	"encoding/json"
	"testing"
)

// What says no more than which other mail asks for what was just done to one.
func TestAsMailToo(t *testing.T) {
	t.Parallel()
	read, archive := `{"read":true,"starred":null,"moveTo":null}`, `{"selection":{"ids":["m1"]}}`
	for _, c := range []struct{ language, tool, arguments, text, want string }{
		{"en", "email_flag", read, "and the one about the kites too", "mark the mail about the kites as read"},
		{"en", "email_archiveBatch", archive, "and also the ones from Yara", "archive the mails from Yara"},
		{"es", "email_archiveBatch", archive, "y el de las cometas también", "archiva el correo de las cometas"},
		{"he", "email_flag", read, "וגם המייל על העפיפון", "תסמן את המייל על העפיפון כנקרא"},
		{"en", "email_archiveBatch", archive, "what about the one on kites?", "what about the one on kites?"},
		{"en", "task_completeTask", archive, "and the one about the kites too", "and the one about the kites too"},
		{"en", "email_flag", `{"moveTo":"archive","read":true}`, "and the one about kites", "and the one about kites"},
	} {
		m := Message{Text: c.text, Language: c.language, Before: Call{Tool: c.tool, Arguments: json.RawMessage(c.arguments)}}
		if got := asMailToo(m); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}
