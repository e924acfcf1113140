package ground

import (
	"encoding/json"
	"testing"
)

// chores are tasks, lists and events with words in common.
func chores() []Thing {
	return append(home(),
		Thing{Kind: Task, ID: "marquee", Title: "Regatta marquee", Due: "2026-12-03"},
		Thing{Kind: Task, ID: "cups", Title: "Engrave regatta cups", Due: "2026-12-04T12:00:00Z"},
		Thing{Kind: Task, ID: "fence", Title: "Varnish the fence", Done: true},
		Thing{Kind: Item, ID: "rope", Title: "rope", List: "boat"},
	)
}

// calls is the call of a deed for a message, as if the deed were known; empty if it has none.
func calls(deed, language, text string) string {
	people := []Person{{Name: "Yara Stone", Said: "yara"}, {Name: "Bruno Lima", Said: "bruno"}}
	r := newReading(Message{Text: text, Language: language, Now: now, People: people, Things: chores()})
	var best *reading
	for _, way := range r.ways() {
		whole := func(r *reading) (n int) {
			for _, m := range r.found {
				n += len(m.words)
			}
			return n
		}
		if way.can(deed) && (best == nil || whole(way) > whole(best)) {
			best = way
		}
	}
	if best == nil {
		return ""
	}
	best.deed, best.probability = deed, 1
	got := best.result()
	if got.Tool == "" {
		return ""
	}
	return got.Tool + " " + string(got.Arguments)
}

// The call of a deed has all that is said, and there is none if it has no place for something.
func TestCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ deed, language, text, want string }{
		// Two times that are one; a part of a day; so long before something.
		{"task_remind", "en", "remind me about the gutters tonight at 8",
			`task_updateTask {"selection":{"ids":["gutters"]},"updates":{"reminder":"2026-11-23T20:00"}}`},
		{"task_remind", "en", "remind me of the marquee a day before it's due",
			`task_updateTask {"selection":{"ids":["marquee"]},"updates":{"reminder":"2026-12-02"}}`},
		{"task_remind", "en", "ping me about the visa an hour before the osteopath",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"reminder":"2026-11-26T14:00"}}`},
		{"task_due", "en", "push the marquee by two days",
			`task_updateTask {"selection":{"ids":["marquee"]},"updates":{"laterByDays":2}}`},
		// Several fields of a task in one call.
		{"several", "en", "make the visa high priority and due on friday", `task_updateTask {"selection":{"ids":["visa"]},` +
			`"updates":{"dueDate":"2026-11-27","priority":"high"}}`},
		{"task_due", "en", "the visa is due on friday, high priority", `task_updateTask {"selection":{"ids":["visa"]},` +
			`"updates":{"dueDate":"2026-11-27","priority":"high"}}`},
		{"several", "en", "cancel the osteopath and make the visa urgent", ""},
		// Several that are named by a part of their names.
		{"task_due", "en", "put the gutters and the visa off to friday",
			`task_updateTask {"selection":{"ids":["gutters","visa"]},"updates":{"dueDate":"2026-11-27"}}`},
		{"task_done", "en", "both of the gutters are done", ""},
		{"task_delete", "en", "delete three of the gutters", ""},
		{"task_reopen", "en", "reopen the fence",
			`task_updateTask {"selection":{"ids":["fence"]},"updates":{"status":"backlog"}}`},
		{"task_reopen", "en", "i haven't done the gutters yet", ""},
		// What took so long is over, and what takes weeks is no task; a name is said to be one.
		{"task_estimate", "en", "renewed the visa at last, took four hours", ""},
		{"task_estimate", "en", "did you know a visa takes six weeks", ""},
		{"task_rename", "en", "i should really do the visa one of these days", ""},
		{"task_rename", "en", "rename the visa to \"Visum\"",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"title":"Visum"}}`},
		// A word of a title that is done to something else names nothing.
		{"task_done", "en", "engrave the ring", ""},
		// Groups by what they have in common; "my tasks" are none.
		{"task_due", "en", "move all overdue tasks to friday",
			`task_updateTask {"selection":{"overdue":true},"updates":{"dueDate":"2026-11-27"}}`},
		{"task_assign", "en", "what yara has should go to bruno",
			`task_updateTask {"selection":{"assignee":"Yara Stone"},"updates":{"assignee":"Bruno Lima"}}`},
		{"task_done", "en", "everything for the regatta is done", `task_completeTask {"selection":{"titleHas":["regatta"]}}`},
		{"task_priority", "es", "todas las tareas atrasadas son urgentes",
			`task_updateTask {"selection":{"overdue":true},"updates":{"priority":"high"}}`},
		{"task_delete", "en", "delete all my tasks", ""},
		{"task_delete", "en", "cancel everything with yara", ""},
		// What is asked of tasks.
		{"ask_tasks", "en", "what's urgent", `task_viewTasks {"selection":{"priority":"high"}}`},
		{"ask_tasks", "he", "מה דחוף לי?", `task_viewTasks {"selection":{"priority":"high"}}`},
		{"ask_tasks", "en", "what does yara have to do", `task_viewTasks {"selection":{"assignee":"Yara Stone"}}`},
		{"ask_tasks", "en", "what do i have to do for the regatta", `task_viewTasks {"selection":{"titleHas":["regatta"]}}`},
		{"ask_tasks", "en", "everything of yara's that's in progress",
			`task_viewTasks {"selection":{"assignee":"Yara Stone","column":"In Progress"}}`},
		{"task_status", "en", "move everything of yara's that's in the backlog over to in review",
			`task_updateTask {"selection":{"assignee":"Yara Stone","column":"Backlog"},"updates":{"column":"In Review"}}`},
		{"several", "en", "push the visa to friday and make it high priority", `task_updateTask {"selection":` +
			`{"ids":["visa"]},"updates":{"dueDate":"2026-11-27","priority":"high"}}`},
		{"task_create", "es", "apúntame clean al gato para el viernes", `task_createTask {"dependencies":[],` +
			`"dueDate":"2026-11-27","tags":[],"title":"clean al gato"}`},
		{"ask_tasks", "en", "what is due by friday",
			`task_viewTasks {"selection":{"assignee":"me","dueTo":"2026-11-27"}}`},
		{"ask_tasks", "en", "what else is due before friday",
			`task_viewTasks {"selection":{"assignee":"me","dueTo":"2026-11-26"}}`},
		{"ask_tasks", "en", "what is due for everyone by friday", `task_viewTasks {"selection":{"dueTo":"2026-11-27"}}`},
		{"ask_tasks", "es", "¿qué vence antes del viernes?",
			`task_viewTasks {"selection":{"assignee":"me","dueTo":"2026-11-26"}}`},
		// Items.
		{"item_done", "en", "everything on the boat trip list is packed",
			`list_setItem {"done":true,"items":[],"list":"boat","which":"open"}`},
		{"item_add", "es", "añade leche a la lista de compras", `list_add {"items":["leche"],"list":"compras"}`},
		{"ask_list", "es", "qué hay en la compra", `list_view {"list":"shopping"}`},
		{"item_done", "he", "קניתי lentils בקניות", `list_setItem {"done":true,"items":["lentils"],"list":"shopping"}`},
		{"item_change", "en", "make that a dozen lentils", `list_setItem {"items":["a dozen lentils"],"list":"shopping"}`},
		{"item_change", "en", "we need four bags of lentils not two",
			`list_setItem {"items":["four bags of lentils"],"list":"shopping"}`},
		{"item_change", "en", "four or five lentils", ""},
		{"item_move", "en", "move the rope from the boat trip list", ""},
		{"ask_list", "en", "do we have lentils on the list?", `list_view {"has":["lentils"],"list":"shopping"}`},
		{"list_clear", "en", "clear everything that's ticked on the boat trip list",
			`list_remove {"items":[],"list":"boat","which":"done"}`},
		{"item_add", "en", "add milk, two dozen eggs and 3 kg of potatoes to shopping",
			`list_add {"items":["milk, two dozen eggs and 3 kg of potatoes"],"list":"shopping"}`},
		{"item_add", "he", "תוסיף לחם, 3 ביצים וחמאה לקניות", `list_add {"items":["לחם, 3 ביצים וחמאה"],"list":"shopping"}`},
		{"ask_list", "es", "¿hay mantequilla en la compra?", `list_view {"has":["mantequilla"],"list":"shopping"}`},
		// Notes.
		{"note_save", "en", "save a note that says delete all old mails before new year",
			`note_save {"tags":[],"text":"delete all old mails before new year"}`},
		{"note_save", "en", "add to the note about the boiler that the plumber comes on december 3",
			`note_save {"addTo":"boiler","tags":[],"text":"the plumber comes on december 3"}`},
		{"ask_note", "en", "show all my notes tagged health", `note_search {"query":null,"tags":["health"]}`},
		// More fields of a task.
		{"task_create", "en", "add a task to renew the parking permit by friday, about 20 min, tag it errands",
			`task_createTask {"dependencies":[],"dueDate":"2026-11-27","estimatedMinutes":20,"tags":["errands"],` +
				`"title":"renew the parking permit"}`},
		{"task_due", "en", "the visa is due friday rather than monday, and it's more like 15 minutes",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"dueDate":"2026-11-27","estimatedMinutes":15}}`},
		{"task_due", "en", "remove the due date of the marquee",
			`task_updateTask {"selection":{"ids":["marquee"]},"updates":{"dueDate":""}}`},
		{"ask_tasks", "en", "what reminders do i have tomorrow", `task_viewTasks {"reminded":{"start":"2026-11-24",` +
			`"end":"2026-11-25"},"selection":{}}`},
		{"task_remind", "en", "snooze the gutters reminder till 5",
			`task_updateTask {"selection":{"ids":["gutters"]},"updates":{"reminder":"2026-11-23T17:00"}}`},
		{"ask_tasks", "en", "which tasks have the bills tag", `task_viewTasks {"selection":{"tags":["bills"]}}`},
		{"list_rename", "en", "rename the boat trip list to summer boat trip",
			`list_rename {"list":"boat","name":"summer boat trip"}`},
		{"note_save", "en", "change the note about the wifi so it says the password is sunflower", ""},
		{"task_create", "en", "remind me about it on wednesday", ""},
		{"ask_tasks", "en", "what did i finish last week", `task_viewTasks {"finished":{"start":"2026-11-16T00:00",` +
			`"end":"2026-11-23T00:00"},"selection":{"status":"completed"}}`},
		{"task_create", "es", "marca como hechas todas las tareas menos la del seguro", ""},
		// Contacts and preferences.
		{"ask_contact", "en", "who do i know that's a lawyer", `contact_find {"aspect":null,"query":"lawyer"}`},
		{"contact_save", "en", "new contact: Paula Reyes, paula@clay.example, she's the ceramics teacher",
			`contact_save {"emails":["paula@clay.example"],"name":"Paula Reyes","removeEmails":[],"role":"ceramics teacher"}`},
		{"contact_save", "en", "yara's new number is 07700 900456",
			`contact_save {"contact":"Yara Stone","emails":[],"phone":"07700 900456","removeEmails":[]}`},
		{"contact_save", "en", "it's yara's birthday today",
			`contact_save {"birthday":"--11-23","contact":"Yara Stone","emails":[],"removeEmails":[]}`},
		{"contact_save", "en", "yara's birthday is the 6th of december",
			`contact_save {"birthday":"--12-06","contact":"Yara Stone","emails":[],"removeEmails":[]}`},
		{"contact_save", "en", "yara's email is yara@stone.example",
			`contact_save {"contact":"Yara Stone","emails":["yara@stone.example"],"removeEmails":[]}`},
		{"contact_save", "en", "save Ingrid Olsen 07700 900777",
			`contact_save {"emails":[],"name":"Ingrid Olsen","phone":"07700 900777","removeEmails":[]}`},
		{"contact_save", "en", "save this contact please: Ingrid Olsen, 07700 900777",
			`contact_save {"emails":[],"name":"Ingrid Olsen","phone":"07700 900777","removeEmails":[]}`},
		{"task_create", "es", "apúntame llamar al fontanero para el viernes", `task_createTask {"dependencies":[],` +
			`"dueDate":"2026-11-27","tags":[],"title":"llamar al fontanero"}`},
		{"contact_save", "en", "yara was born on march 9th 1985, so that is her birthday",
			`contact_save {"birthday":"1985-03-09","contact":"Yara Stone","emails":[],"removeEmails":[]}`},
		{"preference_set", "en", "i work from 10 to 6 from now on", `preference_updatePreferences {"updates":[{"days":[],` +
			`"earliest":"10:00","key":"working_hours","latest":"18:00","without":[]}]}`},
		{"preference_set", "en", "make meetings 25 minutes by default", `preference_updatePreferences ` +
			`{"updates":[{"days":[],"key":"default_duration","value":"25","without":[]}]}`},
		{"preference_set", "en", "keep ten minutes after each meeting as a buffer", `preference_updatePreferences ` +
			`{"updates":[{"days":[],"key":"buffers","value":"{\"afterMinutes\":10}","without":[]}]}`},
		{"preference_set", "en", "i finish work at 4 on fridays", `preference_updatePreferences ` +
			`{"updates":[{"days":["friday"],"key":"working_hours","latest":"16:00","without":[]}]}`},
		{"preference_set", "en", "i start work at 8", `preference_updatePreferences {"updates":[{"days":[],` +
			`"earliest":"08:00","key":"working_hours","without":[]}]}`},
		{"preference_set", "en", "i work at 8", ""},
		{"preference_set", "en", "i work on tuesday from 10 to 6", ""},
		{"preference_forget", "en", "forget my lunch hours", `preference_forget {"keys":["lunch_hours"]}`},
		{"ask_preference", "en", "what are my working hours", `preference_view {"keys":["working_hours"]}`},
	} {
		if got := calls(c.deed, c.language, c.text); got != c.want {
			t.Errorf("%s: %q is %s, want %s", c.deed, c.text, got, c.want)
		}
	}
}

// What is listed ends where the message says why; a list of which a part is not understood is not read.
func TestListed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, own, want string }{
		{"get sugar, bananas and some cumin, the kids are coming", "sugar", "sugar, bananas and some cumin"},
		{"get sugar, bananas and some cumin", "sugar, bananas", "sugar, bananas and some cumin"},
		{"get sugar, the kids are coming", "sugar, the kids", "sugar"},
		{"get glue because it ran out", "glue because it ran out", "glue"},
		{"compra azúcar y comino, vienen los niños", "azúcar y comino", "azúcar y comino"},
		{"תקנה קילו סוכר, בננות וכמון, הילדים באים", "קילו סוכר, בננות וכמון, הילדים", "קילו סוכר, בננות וכמון"},
	} {
		r := newReading(Message{Text: c.text, Language: "en", Now: now})
		from := len(c.text) - len(cutBefore(c.text, c.own))
		r.own = []said{{text: c.own, from: from, to: from + len(c.own)}}
		if got, ok := r.listed(r.own[0]); got != c.want || !ok {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func cutBefore(text, part string) string {
	for i := range text {
		if len(text[i:]) >= len(part) && text[i:i+len(part)] == part {
			return text[i:]
		}
	}
	return ""
}

// All calls of a message can be written as JSON.
func TestPiecesOfTasks(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal(pieces("wash the car, ring the bank and post the parcel"))
	if want := `["wash the car","ring the bank","post the parcel"]`; string(got) != want || err != nil {
		t.Errorf("%s, want %s", got, want)
	}
	if got := pieces("wash and wax the car"); len(got) != 1 {
		t.Errorf("%q is one task", got)
	}
}

// The call of the turn before is made for something else that is named, and for nothing if more is said.
func TestAgain(t *testing.T) {
	t.Parallel()
	const tool = "task_updateTask"
	before := Call{Tool: tool, Arguments: []byte(`{"selection":{"ids":["visa"]},"updates":{"priority":"high"}}`)}
	for _, c := range []struct{ text, want string }{
		{"and the gutters too", `{"selection":{"ids":["gutters"]},"updates":{"priority":"high"}}`},
		{"the second one as well", `{"selection":{"ids":["gutters"]},"updates":{"priority":"high"}}`},
		{"same for the other one", `{"selection":{"ids":["gutters"]},"updates":{"priority":"high"}}`},
		{"and the gutters look bad too", ""}, {"and the gutters on friday", ""}, {"the osteopath too", ""},
		{"וגם את ה-gutters", `{"selection":{"ids":["gutters"]},"updates":{"priority":"high"}}`},
		{"וסיימתי עם ה-gutters", ""}, {"ותמחקי את ה-gutters", ""},
	} {
		got := Read(Message{
			Text: c.text, Language: map[bool]string{true: "en", false: "he"}[c.text[0] < 'z'], Now: now,
			Things: chores(), Last: []string{"visa"}, Listed: []string{"visa", "gutters"}, Before: before,
		})
		if got.Deed != "again" && c.want != "" || got.Deed == "again" && string(got.Arguments) != c.want {
			t.Errorf("%q is %s %s, want %s", c.text, got.Deed, got.Arguments, c.want)
		}
	}
	named := Call{Tool: tool, Arguments: []byte(`{"selection":{"ids":["visa"]},"updates":{"title":"Visum"}}`)}
	got := Read(Message{Text: "and the gutters too", Language: "en", Now: now, Things: chores(), Before: named})
	if got.Deed == "again" {
		t.Errorf("two tasks are called %s", got.Arguments)
	}
}
