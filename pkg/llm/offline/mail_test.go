package offline

import (
	"encoding/json"
	"testing"
)

// The same words say which mails are meant, whatever is to be done with them, and words that say nothing known are
// never left out.
func TestMailsAreMeant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, language, want string }{
		{"what's new in my mailbox", "en", `email_viewEmails {"selection":{"unread":true}}`},
		{"who still waits for a reply from me?", "en", `email_batchCategorize {"category":"needs_reply"}`},
		{"any mail from Ines about the kite since monday", "en",
			`email_search {"selection":{"from":["Ines"],"since":"2026-03-02","words":["kite"]}}`},
		{"emails from last week with attachments", "en",
			`email_search {"selection":{"hasAttachment":true,"since":"2026-02-23","until":"2026-03-01"}}`},
		{"open Rotem's latest email", "en", `email_readEmail {"selection":{"first":1,"from":["Rotem"]}}`},
		{"did my landlord Omar Haddad write about the roof?", "en",
			`email_search {"selection":{"from":["Omar Haddad"],"words":["roof"]}}`},
		{"what's the door code? it's in an email i got", "en", `email_search {"selection":{"words":["door code"]}}`},
		{"the emails about the meeting on friday", "en", `email_search {"selection":{"words":["meeting friday"]}}`},
		{"sort my unread mail", "en", `email_batchCategorize {"selection":{"unread":true}}`},
		{"archive everything from Kite & Co. older than two weeks", "en",
			`email_archiveBatch {"selection":{"from":["Kite \u0026 Co"],"until":"2026-02-17"}}`},
		{"delete the parcel emails", "en", `email_deleteBatch {"selection":{"named":["parcel"]}}`},
		{"archive the newsletters", "en", `email_archiveBatch {"selection":{"newsletter":true}}`},
		{"archive the mails from the City Newsletter", "en", `email_archiveBatch {"selection":{"from":["City Newsletter"]}}`},
		{"star the mail from Ines", "en", `email_flag {"selection":{"from":["Ines"],"one":true},"starred":true}`},
		{"make a task of the roof email due friday", "en",
			`email_createTaskFromEmail {"dueDate":"2026-03-06","selection":{"named":["roof"],"one":true}}`},
		{"reply to Ines's last email saying thanks", "en",
			`email_compose {"body":"thanks","do":"send","kind":"reply","selection":{"first":1,"from":["Ines"]}}`},
		{"email Ines titled 'Kite' saying 'Are you coming?'", "en",
			`email_compose {"body":"Are you coming?","do":"send","kind":"new","subject":"Kite","to":["Ines"]}`},
		{"forward my most recent email from Ines to Rotem and Omar", "en",
			`email_compose {"do":"send","kind":"forward","selection":{"first":1,"from":["Ines"]},"to":["Rotem","Omar"]}`},
		{"תעביר לארכיון את המיילים מרותם", "he", `email_archiveBatch {"selection":{"from":["רותם"]}}`},
		{"תראה לי מיילים שלא נקראו מאתמול", "he",
			`email_viewEmails {"selection":{"since":"2026-03-03","unread":true,"until":"2026-03-03"}}`},
		{"מי מחכה לתשובה?", "he", `email_batchCategorize {"category":"needs_reply"}`},
		{"abre el último correo de Ines", "es", `email_readEmail {"selection":{"first":1,"from":["Ines"]}}`},
		{"archiva los correos de Omar de hace más de tres días", "es",
			`email_archiveBatch {"selection":{"from":["Omar"],"until":"2026-02-28"}}`},
		{"¿me ha escrito Ines?", "es", `email_search {"selection":{"from":["Ines"]}}`},

		{"archive the newsletters except the one from Ines", "en", "none"},
		{"delete the emails from Ines and archive the rest", "en", "none"},
		{"archive it if it is from Ines", "en", "none"},
		{"don't archive the newsletters", "en", "none"},
		{"delete my mail", "en", "none"},
		{"archive those", "en", "none"},
		{"make a task of it", "en", "none"},
		{"borra los correos de Ines menos el último", "es", "none"},
		{"תמחק את המיילים מרותם חוץ מהאחרון", "he", "none"},
		{"send them an email saying 'Hi'", "en", "none"},
		{"hey i met one of my old classmates today", "en", "none"},
		{"what's Ines's email", "en", `contact_find {"aspect":"email","query":"Ines"}`},
	} {
		if got := callIn(t, c.message, c.language, keeping{}); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.message, got, c.want)
		}
	}
}

// What was shown last is meant by its number, or as one of several, which the tool asks about.
func TestMailsThatWereShown(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"archive those":         `email_archiveBatch {"selection":{"ids":["shown"]}}`,
		"delete it":             `email_deleteBatch {"selection":{"ids":["shown"],"one":true}}`,
		"open the second one":   `email_readEmail {"selection":{"ids":["shown:2"]}}`,
		"and the last one?":     `email_readEmail {"selection":{"ids":["shown:3"]}}`,
		"make a task of it":     `email_createTaskFromEmail {"selection":{"ids":["shown"],"one":true}}`,
		"mark them as read":     `email_flag {"read":true,"selection":{"ids":["shown"]}}`,
		"abre el segundo":       `email_readEmail {"selection":{"ids":["shown:2"]}}`,
		"תעביר אותם לארכיון":    `email_archiveBatch {"selection":{"ids":["shown"]}}`,
		"open the fifth one":    "none",
		"reply with 'Fine'":     "none",
		"star the one from Ari": `email_flag {"selection":{"from":["Ari"],"one":true},"starred":true}`,
	} {
		language := languageIn(readable(message), nil)
		if got := callIn(t, message, language, keeping{mails: 3}); got != want {
			t.Errorf("%q:\n got %s\nwant %s", message, got, want)
		}
	}
}

// callIn is the call that a message is read as.
func callIn(t *testing.T, message, language string, stands keeping) string {
	t.Helper()
	thing, ok := thingIn(message, language, wednesday, stands)
	if !ok {
		return "none"
	}
	arguments, err := json.Marshal(thing.values)
	if err != nil {
		t.Fatal(err)
	}
	return thing.tool + " " + string(arguments)
}
