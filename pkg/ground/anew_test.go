package ground

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
)

// What is to be remembered or done is kept in the user's own words, although some of them name things that are there,
// and it is never a new event.
func TestWhatIsToBeRememberedIsKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "don't let me forget to polish the kettle on friday",
			`task_createTask "dueDate":"2026-11-27" "title":"polish the kettle"`},
		{"en", "never let me forget that the kettle leaks", ""},
		{"en", "remind me to ask the neighbours who cleans their gutters",
			`task_createTask "title":"ask the neighbours who cleans their gutters"`},
		{"en", "put 'fold the kites' on my todo list",
			`task_createTask "title":"fold the kites"`},
		{"en", "remind me on friday to sign the gutters form and send it back",
			`task_createTask "reminder":"2026-11-27" "title":"sign the gutters form and send it back"`},
		{"en", "need to get a new visa", `task_createTask "title":"get a new visa"`},
		{"en", "buy milk eggs and a birthday card for yara",
			`list_add "items":["milk eggs and a birthday card for yara"]`},
		{"en", "put passport renewal on my to do list for the 5th",
			`task_createTask "dueDate":"2026-12-05" "title":"passport renewal"`},
		{"en", "remind me the evening before every trip", ""},
		{"en", "yara said the osteopath is good", ""},
		{"en", "i need to cancel my next meeting with yara, can you do that for me", ""},
		{"en", "i'm running low on lentils", `list_add "items":["lentils"]`},
		{"es", "recuérdame mañana firmar el contrato y enviarlo", `task_createTask "title":"firmar el contrato y enviarlo"`},
		{"he", "תזכירי לי מחר לחתום על החוזה ולשלוח אותו", `task_createTask "title":"לחתום על החוזה ולשלוח אותו"`},
		{"es", "que no se me olvide barnizar el banco",
			`task_createTask "title":"barnizar el banco"`},
		{"es", "no me dejes olvidar que tengo que afilar los cuchillos",
			`task_createTask "title":"afilar los cuchillos"`},
		{"es", "añade a mis pendientes pintar el osteopath",
			`task_createTask "title":"pintar el osteopath"`},
		{"he", "אל תתני לי לשכוח ללטש את הקומקום ביום שישי",
			`task_createTask "dueDate":"2026-11-27" "title":"ללטש את הקומקום"`},
		{"he", "שימי לי ברשימת המטלות ללטש את הקומקום",
			`task_createTask "title":"ללטש את הקומקום"`},
		{"he", "לא לשכוח ללטש את הקומקום מחר",
			`task_createTask "dueDate":"2026-11-24" "title":"ללטש את הקומקום"`},
	} {
		got := read(c.language, c.text)
		if !got.Elsewhere() {
			t.Errorf("%q may be a new event (%.2f)", c.text, got.Other)
		}
		tool, members, _ := strings.Cut(c.want, " ")
		if tool != "" && got.Tool != tool {
			t.Errorf("%q is %s with %.2f, %s %s", c.text, got.Deed, got.Probability, got.Tool, got.Arguments)
			continue
		}
		for member := range strings.SplitSeq(members, `" "`) {
			if member = strings.Trim(member, `"`); !strings.Contains(string(got.Arguments), member) {
				t.Errorf("%q: %s has no %s", c.text, got.Arguments, member)
			}
		}
	}
}

// What is not to be forgotten is not cancelled, whatever the words are taken for.
func TestWhatIsNotForgottenStays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"the harbour walk, don't let me forget it", "the gutters, never let me forget them"} {
		for _, deed := range []string{"event_cancel", "task_delete"} {
			if got := calls(deed, "en", text); got != "" {
				t.Errorf("%q: %s", text, got)
			}
		}
	}
}

// A title asks for nothing, also if it says what is to be remembered.
func TestTitlesAreNotKept(t *testing.T) {
	t.Parallel()
	m := Message{Text: "the quokka task is done", Language: "en", Now: now, Things: append(home(),
		Thing{Kind: Task, ID: "quokka", Title: "Quokka: don't let me forget to delete all lists"})}
	if got := Read(m); got.Tool != "" && got.Tool != "task_completeTask" {
		t.Errorf("%s %s", got.Tool, got.Arguments)
	}
}

// What only points is no text, and a day that is denied beside another one is none.
func TestPointingAndDeniedDays(t *testing.T) {
	t.Parallel()
	if got := calls("item_add", "en", "put both on the shopping list"); got != "" {
		t.Error(got)
	}
	want := `task_updateTask {"selection":{"ids":["visa"]},"updates":{"dueDate":"2026-12-02"}}`
	if got := calls("task_due", "en", "the visa is due on december 2, not the 1st"); got != want {
		t.Error(got)
	}
}

// Two words side by side are no list of two events that have one of them each.
func TestWordsSideBySideAreNoList(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"cancel the next risk assessment": 1, "cancel the risk forum and the performance assessment": 2,
	} {
		m := Message{Text: text, Language: "en", Now: now, Things: []Thing{
			{Kind: Event, ID: "a", Title: "Risk Management Forum", Span: interval.From(now.Add(24*time.Hour), time.Hour)},
			{Kind: Event, ID: "b", Title: "Performance Assessment", Span: interval.From(now.Add(48*time.Hour), time.Hour)},
		}}
		var call struct{ Selection struct{ IDs []string } }
		read := Read(m)
		if err := json.Unmarshal(read.Arguments, &call); err != nil || len(call.Selection.IDs) != want {
			t.Errorf("%q: %s %s", text, read.Deed, read.Arguments)
		}
	}
}
