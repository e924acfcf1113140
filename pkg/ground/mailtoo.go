package ground

import (
	"encoding/json"
	"strings"
)

// asMailToo is a message that asks for the same to be done to another mail as the turn before did, as one that says
// what: "and the one about the sign-in too", after mails were marked as read. Any other message stays as it is.
func asMailToo(m Message) string {
	said := doneToMails(m.Before)[m.Language]
	for _, way := range ways("another mail") {
		if said != "" && way.becomes == m.Language && way.form.MatchString(m.Text) {
			return strings.TrimSpace(way.form.ReplaceAllString(m.Text, said))
		}
	}
	return m.Text
}

// doneToMails is how a call is said that does something to mails, by language; nil for any other call.
func doneToMails(before Call) map[string]string {
	var call struct {
		Read, Starred *bool
		MoveTo        any
	}
	if json.Unmarshal(before.Arguments, &call) != nil {
		return nil
	}
	switch {
	case before.Tool == "email_archiveBatch":
		return map[string]string{
			"en": "archive the mail$1 $2", "es": "archiva el correo $2", "he": "תעביר לארכיון את המייל $2",
		}
	case before.Tool != "email_flag" || call.MoveTo != nil:
		return nil
	case call.Read != nil && *call.Read:
		return map[string]string{
			"en": "mark the mail$1 $2 as read", "es": "marca el correo $2 como leído", "he": "תסמן את המייל $2 כנקרא",
		}
	case call.Read != nil:
		return map[string]string{
			"en": "mark the mail$1 $2 as unread", "es": "marca el correo $2 como no leído", "he": "תסמן את המייל $2 כלא נקרא",
		}
	case call.Starred != nil && *call.Starred:
		return map[string]string{"en": "star the mail$1 $2", "es": "destaca el correo $2", "he": "תסמן בכוכב את המייל $2"}
	}
	return nil
}
