package ground

import (
	"strings"
	"testing"
)

// What people keep besides their calendar is asked for in many ways: each is one call, or none if something would be
// lost.
func TestWhatPeopleKeep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "remind me to mend the kite by friday",
			`task_createTask {"dependencies":[],"dueDate":"2026-11-27","reminder":"2026-11-27","tags":[],` +
				`"title":"mend the kite"}`},
		{"es", "recuérdame el viernes arreglar el barrilete",
			`task_createTask {"dependencies":[],"reminder":"2026-11-27","tags":[],"title":"arreglar el barrilete"}`},
		{"he", "תזכיר לי לתקן את העפיפון ביום שישי",
			`task_createTask {"dependencies":[],"reminder":"2026-11-27","tags":[],"title":"לתקן את העפיפון"}`},
		{"en", "i don't work on fridays",
			`preference_updatePreferences {"updates":[{"days":["friday"],"key":"working_hours","on":true,` +
				`"without":[{"end":"24:00","start":"00:00"}]}]}`},
		{"es", "no trabajo los lunes",
			`preference_updatePreferences {"updates":[{"days":["monday"],"key":"working_hours","on":true,` +
				`"without":[{"end":"24:00","start":"00:00"}]}]}`},
		{"he", "אני לא עובדת בימי ראשון",
			`preference_updatePreferences {"updates":[{"days":["sunday"],"key":"working_hours","on":true,` +
				`"without":[{"end":"24:00","start":"00:00"}]}]}`},
		{"en", "keep me a lunch break between 1 and 2",
			`preference_updatePreferences {"updates":[{"days":[],"key":"lunch_hours",` +
				`"value":"{\"defaultEnd\":\"14:00\",\"defaultStart\":\"13:00\"}","without":[]}]}`},
		{"es", "déjame la pausa de comida entre las 13:00 y las 14:00",
			`preference_updatePreferences {"updates":[{"days":[],"key":"lunch_hours",` +
				`"value":"{\"defaultEnd\":\"14:00\",\"defaultStart\":\"13:00\"}","without":[]}]}`},
		{"he", "תשאיר לי הפסקת צהריים בין 13:00 ל-14:00",
			`preference_updatePreferences {"updates":[{"days":[],"key":"lunch_hours",` +
				`"value":"{\"defaultEnd\":\"14:00\",\"defaultStart\":\"13:00\"}","without":[]}]}`},
		{"en", "i don't work on friday", ""},
		{"en", "i don't work with yara on fridays", ""},
		{"en", "don't remind me to mend the kite", ""},
		{"en", "remind me to mend the kite on friday, 20 min before fencing practice",
			`task_createTask {"dependencies":[],"reminder":"2026-11-27T17:40","tags":[],"title":"mend the kite"}`},
		{"he", "תזכיר לי לתקן את העפיפון ביום שישי, 20 דקות לפני fencing practice",
			`task_createTask {"dependencies":[],"reminder":"2026-11-27T17:40","tags":[],"title":"לתקן את העפיפון"}`},
		{"es", "recuérdame arreglar el barrilete el viernes, 20 minutos antes de fencing practice",
			`task_createTask {"dependencies":[],"reminder":"2026-11-27T17:40","tags":[],"title":"arreglar el barrilete"}`},
		{"en", "remind me to mend the kite on friday, 20 min before zumba", ""},
		{"en", "the plumber's coming and i cant remember the year of the valve", ""},
		{"en", "where did i write down the valve? the plumber's coming tomorrow and needs it",
			`note_search {"query":"valve","tags":[]}`},
		{"es", "quita la harina de la lista shopping", `list_remove {"items":["harina"],"list":"shopping"}`},
		{"en", "take the whole tahini jar off", `list_remove {"items":["tahini"]}`},
		{"en", "we're out of rice, put two eggs on the shopping list", ""},
		{"en", "add to that note that al is coming on friday at 5", ""},
		{"he", "מחר לא יורד גשם", ""},
		{"en", "remind me in two weeks to mend the kite",
			`task_createTask {"dependencies":[],"reminder":"2026-12-07","tags":[],"title":"mend the kite"}`},
		{"he", "תוסיפי משימה לתקן את העפיפון עד יום שישי",
			`task_createTask {"dependencies":[],"dueDate":"2026-11-27","tags":[],"title":"לתקן את העפיפון"}`},
		{"es", "crea una tarea: arreglar el barrilete antes del viernes",
			`task_createTask {"dependencies":[],"dueDate":"2026-11-26","tags":[],"title":"arreglar el barrilete"}`},
		{"en", "delay the visa by a week", `task_updateTask {"selection":{"ids":["visa"]},"updates":{"laterByDays":7}}`},
		{"es", "retrasa la visa un día", `task_updateTask {"selection":{"ids":["visa"]},"updates":{"laterByDays":1}}`},
		{"he", "תדחה את ה-visa בשבועיים", `task_updateTask {"selection":{"ids":["visa"]},"updates":{"laterByDays":14}}`},
		{"en", "put a rope, 3 mugs and a lamp on the boat list",
			`list_add {"items":["a rope, 3 mugs and a lamp"],"list":"boat"}`},
		{"es", "ya he limpiado los gutters", `task_completeTask {"selection":{"ids":["gutters"]}}`},
		{"en", "delete the note about easter eggs", `note_delete {"notes":["easter eggs"]}`},
		{"en", "i don't eat fish, bear that in mind", `note_save {"tags":[],"text":"i don't eat fish, bear that in mind"}`},
		{"es", "soy celíaco, tenlo en cuenta", `note_save {"tags":[],"text":"soy celíaco, tenlo en cuenta"}`},
		{"he", "אני טבעוני, קח את זה בחשבון", `note_save {"tags":[],"text":"אני טבעוני, קח את זה בחשבון"}`},
		{"en", "Yara moved, her new address is 7 Mill Lane", `contact_save {"addNotes":"address: 7 Mill Lane",` +
			`"contact":"Yara Stone","emails":[],"removeEmails":[]}`},
		{"en", "remind me every sunday evening to mend the kite", `task_createTask {"dependencies":[],` +
			`"dueDate":"2026-11-29","recurrence":"FREQ=WEEKLY;BYDAY=SU","reminder":"2026-11-29T17:00","tags":[],` +
			`"title":"mend the kite"}`},
		{"en", "remind me every other sunday at 9 to mend the kite", `task_createTask {"dependencies":[],` +
			`"dueDate":"2026-11-29","recurrence":"FREQ=WEEKLY;INTERVAL=2;BYDAY=SU","reminder":"2026-11-29T09:00","tags":[],` +
			`"title":"mend the kite"}`},
		{"he", "תמחק מ-shopping הכול חוץ מ-tahini", `list_remove {"items":["lentils"],"list":"shopping"}`},
		{"es", "borra el recordatorio de arreglar el barrilete", ""},
		{"en", "i've got everything on the shopping list except the tahini",
			`list_setItem {"done":true,"items":["lentils"],"list":"shopping"}`},
		{"en", "i bought everything but the lentils", `list_setItem {"done":true,"items":["tahini"],"list":"shopping"}`},
		{"en", "no meetings after 5 from now on", `preference_updatePreferences ` +
			`{"updates":[{"days":[],"key":"meeting_hours","latest":"17:00","without":[]}]}`},
		{"en", "start a list for the picnic with twine, two hooks and glue",
			`list_add {"items":["twine, two hooks and glue"],"list":"the picnic"}`},
		{"en", "new contact: Ines Roth, ines@kites.example, she's our neighbour", `contact_save ` +
			`{"emails":["ines@kites.example"],"name":"Ines Roth","removeEmails":[],"role":"neighbour"}`},
		{"es", "guarda a Ines Roth como mi vecina, ines@kites.example", `contact_save ` +
			`{"emails":["ines@kites.example"],"name":"Ines Roth","removeEmails":[],"role":"vecina"}`},
		{"en", "delete al's phone number",
			`contact_save {"contact":"Al Reyes","emails":[],"phone":"","removeEmails":[]}`},
		{"en", "who has a birthday this month?",
			`contact_find {"birthdays":{"start":"2026-11-23","end":"2026-12-01"}}`},
		{"en", "what's the code of the kite locker", `note_search {"query":"code kite locker","tags":[]}`},
		{"en", "add to the kite note that the string broke", ""},
		{"he", "תרשום שהמפתח אצל השכנה", `note_save {"tags":[],"text":"המפתח אצל השכנה"}`},
		{"en", "meetings should be 25 minutes unless i say otherwise", `preference_updatePreferences ` +
			`{"updates":[{"days":[],"key":"default_duration","value":"25","without":[]}]}`},
		{"en", "always ask me before you delete anything", `preference_updatePreferences ` +
			`{"updates":[{"days":[],"key":"confirmations","value":"{\"always\":[\"delete\"]}","without":[]}]}`},
		{"he", "תדבר איתי בעברית", `preference_updatePreferences ` +
			`{"updates":[{"days":[],"key":"language","value":"\"he\"","without":[]}]}`},
		{"en", "what should i tackle first?", `task_getBacklogWithScores {}`},
		{"en", "push all my overdue tasks to friday",
			`task_updateTask {"selection":{"assignee":"me","overdue":true},"updates":{"dueDate":"2026-11-27"}}`},
		{"es", "cuántas tareas tiene yara?", `task_viewTasks {"selection":{"assignee":"Yara Stone"}}`},
	} {
		got := read(c.language, c.text)
		if call := text(got); call != c.want {
			t.Errorf("%q is %s with %.2f:\n got %s\nwant %s", c.text, got.Deed, got.Probability, call, c.want)
		}
	}
}

// text is the call of a reading; empty if it has none.
func text(r Reading) string {
	if r.Tool == "" {
		return ""
	}
	return r.Tool + " " + string(r.Arguments)
}

// One word of what was shown last is enough to mean it.
func TestOneOfWhatWasShown(t *testing.T) {
	t.Parallel()
	m := Message{Text: "give the clogged one to al", Language: "en", Now: now, Last: []string{"a", "b"},
		People: []Person{{Name: "Al Reyes", Said: "al"}},
		Things: []Thing{
			{Kind: Task, ID: "a", Title: "Clear out the clogged drain behind the old boathouse"},
			{Kind: Task, ID: "b", Title: "Write to the harbour master about berths"},
		}}
	want := `task_updateTask {"selection":{"ids":["a"]},"updates":{"assignee":"Al Reyes"}}`
	if got := text(Read(m)); got != want {
		t.Error(got)
	}
	if m.Last = nil; Read(m).Sure {
		t.Error("it is done at once though nothing was shown")
	}
}

// Mails are meant by how old they are at least.
func TestOldMails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "archive the newsletters older than ten days", `"ids":["kiln-sale"]`},
		{"es", "archiva los boletines de hace más de una semana", `"ids":["kiln-sale"]`},
		{"he", "תעביר לארכיון את הניוזלטרים מלפני יותר משבוע", `"ids":["kiln-sale"]`},
		{"en", "archive the newsletters older than a year", `"until":"2025-11-23T00:00"`},
		{"en", "archive the newsletters older than my dog", ``},
	} {
		got := readMails(c.language, c.text)
		switch {
		case c.want == "" && got.Tool == "":
		case c.want == "" || got.Tool != "email_archiveBatch" || !strings.Contains(string(got.Arguments), c.want):
			t.Errorf("%q: %s %s with %.2f", c.text, got.Tool, got.Arguments, got.Probability)
		case got.Sure && c.want[1] == 'u':
			t.Errorf("%q is done at once", c.text)
		}
	}
}

// Of several tasks that share the word that is said, the user is asked which one is meant.
func TestOneOfSeveralTasks(t *testing.T) {
	t.Parallel()
	of := []Thing{
		{Kind: Task, ID: "print", Title: "Print the brochure"}, {Kind: Task, ID: "fold", Title: "Translate the brochure"},
	}
	for text, want := range map[string]string{
		"delete the brochure task":       `task_deleteTask {"selection":{"one":true,"titleHas":["brochure"]}}`,
		"mark the brochure task as done": `task_completeTask {"selection":{"one":true,"titleHas":["brochure"]}}`,
	} {
		got := Read(Message{Text: text, Language: "en", Now: now, Things: of})
		if said := got.Tool + " " + string(got.Arguments); said != want {
			t.Errorf("%q: got %s, want %s", text, said, want)
		}
	}
}

// What is added to a list by its name is added at once, also if it is several things.
func TestSeveralThingsForOneList(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"add apples and pears to the shopping list", "put figs and plums on the shopping list"} {
		m := Message{Text: text, Language: "en", Now: now, Things: []Thing{{Kind: List, ID: "s", Title: "Shopping"}}}
		if got := Read(m); got.Tool != "list_add" || !got.Sure {
			t.Errorf("%q: %s, sure: %t", text, got.Tool, got.Sure)
		}
	}
}

// An item of which only a part is named, with another word, is another one.
func TestAnotherItem(t *testing.T) {
	t.Parallel()
	of := append(home(), Thing{Kind: Item, ID: "oat", Title: "oat milk", List: "shopping"})
	for _, c := range [][3]string{
		{"en", "take the plain milk off", `list_remove {"items":["plain milk"],"list":"shopping"}`},
		{"en", "i already got oat milk. take the plain milk off", `list_setItem {"done":true,` +
			`"items":["plain milk"],"list":"shopping"}`},
		{"en", "take the milk off", `list_remove {"items":["oat"]}`},
		{"en", "take the oat milk off", `list_remove {"items":["oat"]}`},
		{"es", "quita la milk entera", `list_remove {"items":["milk entera"],"list":"shopping"}`},
	} {
		if got := text(Read(Message{Text: c[1], Language: c[0], Now: now, Things: of})); got != c[2] {
			t.Errorf("%q is %s, want %s", c[1], got, c[2])
		}
	}
}
