package ground

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a message leaves out of the mails that it asks for stays, and a message that leaves out nothing that there is
// has no call.
func TestMailsAreLeftOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "archive all mails from clay weekly except the one about glazes", "archiveBatch: kiln-sale"},
		{"en", "delete everything from hetzner but keep the invoice", "deleteBatch: backup"},
		{"en", "archive all mails from hetzner, not the last one", "archiveBatch: backup"},
		{"en", "mark all mails from clay weekly as read except the newest", "flag: kiln-sale | read true"},
		{"en", "archive all mails from hetzner except the ones from gerald", ""},
		{"en", "archive everything from hetzner except the concert tickets", ""},
		{"es", "borra todos los correos de hetzner menos el último", "deleteBatch: backup"},
		{"he", "תמחק את כל המיילים של hetzner חוץ מהאחרון", "deleteBatch: backup"},
		// Older than a day.
		{"en", "archive everything from clay weekly older than last sunday", "archiveBatch: glazes+kiln-sale"},
		{"en", "delete everything from hetzner older than sunday", "deleteBatch: backup"},
		// What is not to be done first, and what is instead.
		{"en", "don't answer gerald's mail, just archive it", "archiveBatch: rent"},
		{"es", "no borres el correo de gerald, solo archívalo", "archiveBatch: rent"},
	} {
		if got := readMails(c.language, c.text); inShort(t, got) != c.want {
			t.Errorf("%q is %s with %.2f, %s; want %s", c.text, got.Deed, got.Probability, inShort(t, got), c.want)
		}
	}
}

// A mail that is not to go yet is a draft without the words that say so.
func TestMailsAreHeldBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "write to omar that the gate is shut, but don't send it yet",
			"compose: new | draft | Omar Haddad | the gate is shut"},
		{"en", "tell omar that the gate is shut. draft only", "compose: new | draft | Omar Haddad | the gate is shut"},
		{"es", "escribe a omar que la puerta está cerrada, pero no lo envíes todavía",
			"compose: new | draft | Omar Haddad | la puerta está cerrada"},
		{"he", "תכתוב ליערה שהשער סגור, אבל אל תשלח עוד", "compose: new | draft | Yara Stone | השער סגור"},
		{"en", "tell omar that it's just a draft", "compose: new | send | Omar Haddad | it's just a draft"},
		{"en", "reply to gerald that the lunch on friday works, but i'll be ten minutes late",
			"compose: rent | reply | send | the lunch on friday works, but i'll be ten minutes late"},
		{"en", "forward hetzner's invoice to omar with a note saying lunch is on me",
			"compose: hosting | forward | send | Omar Haddad | lunch is on me"},
	} {
		if got := readMails(c.language, c.text); inShort(t, got) != c.want {
			t.Errorf("%q is %s with %.2f, %s; want %s", c.text, got.Deed, got.Probability, inShort(t, got), c.want)
		}
	}
}

// What somebody would have done, or what others say, asks for nothing.
func TestWouldHaveAndHearsay(t *testing.T) {
	t.Parallel()
	for language, texts := range map[string][]string{
		"en": {
			"i would have forwarded hetzner's invoice to omar but he's away", "my sister says i should archive gerald's mail",
			"i should have deleted the mail from gerald", "i'll see to the visa myself on friday",
		},
		"es": {"mi madre dice que borre el correo de gerald", "habría archivado el correo de gerald"},
		"he": {"אמא שלי אומרת שאמחק את המייל מ-Gerald", "הייתי מוחק את המייל מ-Gerald"},
	} {
		for _, text := range texts {
			if got := readMails(language, text); got.Tool != "" && !got.Reads {
				t.Errorf("%q is %s %s", text, got.Tool, got.Arguments)
			}
		}
	}
}

// Numbers mean what was listed, if nothing else can be counted by them.
func TestThingsAreNumbered(t *testing.T) {
	t.Parallel()
	listed := []string{"lunch", "city", "colours", "hosting"}
	for text, want := range map[string]string{
		"archive 2 and 4": "archiveBatch: city+hosting", "delete number 3": "deleteBatch: colours",
		"archive 2 mails": "", "archive 9": "", "delete the last one": "deleteBatch: hosting",
	} {
		if got := readMails("en", text, listed...); inShort(t, got) != want {
			t.Errorf("%q is %s, %s; want %s", text, got.Deed, inShort(t, got), want)
		}
	}
}

// A task that a message calls one, and that there is not, makes no request of events.
func TestUnknownTasks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "delete the task about the taxes", `task_deleteTask {"selection":{"one":true,"titleHas":["taxes"]}}`},
		{"es", "borra la tarea del anuncio", `task_deleteTask {"selection":{"one":true,"titleHas":["anuncio"]}}`},
		{"he", "תמחק את המשימה של הסקר", `task_deleteTask {"selection":{"one":true,"titleHas":["סקר"]}}`},
		{"en", "move the taxes task to friday",
			`task_updateTask {"selection":{"one":true,"titleHas":["taxes"]},"updates":{"dueDate":"2026-11-27"}}`},
	} {
		got := Read(Message{Text: c.text, Language: c.language, Now: now, Things: chores()})
		if call := got.Tool + " " + string(got.Arguments); call != c.want {
			t.Errorf("%q is %s: %s, want %s", c.text, got.Deed, call, c.want)
		}
	}
}

// A message that only says how much the task matters that was seen last, how long it takes or when it is due, is of it.
func TestTasksAreAmended(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"actually high priority": `{"priority":"high"}`, "due friday": `{"dueDate":"2026-11-27"}`,
		"it takes about 20 minutes": `{"estimatedMinutes":20}`, "ask about the high prices": "",
	} {
		got := Read(Message{Text: text, Language: "en", Now: now, Things: chores(), Last: []string{"marquee"}})
		var call struct {
			Selection struct{ IDs []string }
			Updates   json.RawMessage
		}
		if got.Tool == "task_updateTask" && json.Unmarshal(got.Arguments, &call) != nil {
			t.Fatal(string(got.Arguments))
		}
		if string(call.Updates) != want || want != "" && strings.Join(call.Selection.IDs, "+") != "marquee" {
			t.Errorf("%q is %s: %s %s, want %s", text, got.Deed, got.Tool, got.Arguments, want)
		}
	}
}
