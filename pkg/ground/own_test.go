package ground

import (
	"encoding/json"
	"testing"
)

// What people say of their own day and things becomes the call that they mean, and nothing that they say is lost.
func TestOwnThings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, tool, arguments string }{
		// A reminder has all of its words, also if these name an event or begin as a task does.
		{"en", "remind me to clean before noon", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-23T12:00","tags":[],"title":"clean"}`},
		{"en", "remind me at 5 to clean the gutters", "task_updateTask",
			`{"selection":{"ids":["gutters"]},"updates":{"reminder":"2026-11-23T17:00"}}`},
		{"en", "remind me tomorrow to cancel the osteopath", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-24","tags":[],"title":"cancel the osteopath"}`},
		{"en", "remind me that the rent is due on friday", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-27","tags":[],"title":"the rent is due"}`},
		{"en", "every weekday at 9 remind me to stretch", "task_createTask",
			`{"dependencies":[],"dueDate":"2026-11-24","recurrence":"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",` +
				`"reminder":"2026-11-24T09:00","tags":[],"title":"stretch"}`},
		{"en", "remind me to stretch every day at 9", "task_createTask",
			`{"dependencies":[],"dueDate":"2026-11-23","recurrence":"FREQ=DAILY",` +
				`"reminder":"2026-11-23T09:00","tags":[],"title":"stretch"}`},
		{"es", "recuérdame llamar al fontanero mañana a las dos", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-24T14:00","tags":[],"title":"llamar al fontanero"}`},
		{"es", "recuérdame que mañana vence el alquiler", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-24","tags":[],"title":"vence el alquiler"}`},
		{"he", "תזכיר לי כל יום ראשון לשלם לגננת", "task_createTask",
			`{"dependencies":[],"dueDate":"2026-11-29","recurrence":"FREQ=WEEKLY;BYDAY=SU",` +
				`"reminder":"2026-11-29","tags":[],"title":"לשלם לגננת"}`},
		{"en", "remind me about the osteopath the day before", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-25T15:00","tags":[],"title":"Osteopath"}`},
		{"en", "remind me about fencing practice an hour before", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-24T17:00","tags":[],"title":"Fencing practice"}`},
		{"en", "remind me to email yara the contract by friday", "task_createTask",
			`{"dependencies":[],"dueDate":"2026-11-27","reminder":"2026-11-27","tags":[],"title":"email yara the contract"}`},
		{"en", "remind me 20 minutes before the harbour walk to grab a jacket", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-27T09:40","tags":[],"title":"grab a jacket"}`},
		{"en", "remind me two days before the harbour walk to grab a jacket", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-25T10:00","tags":[],"title":"grab a jacket"}`},
		{"he", "תזכיר לי יומיים לפני ה-harbour walk לקנות כרטיס", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-25T10:00","tags":[],"title":"לקנות כרטיס"}`},
		{"en", "before the fencing practice on friday remind me to grab the mask", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-27T17:45","tags":[],"title":"grab the mask"}`},
		{"en", "remind me friday to call mom when the fencing practice is over", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-27T19:00","tags":[],"title":"call mom"}`},
		{"en", "after the osteopath next month remind me to pay", "", ""},
		{"en", "after the volcano tour next week remind me to buy film", "", ""},
		{"en", "after lunch tomorrow remind me to buy film", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-24T13:00","tags":[],"title":"buy film"}`},
		{"en", "remind me when the report is done to send it", "task_createTask",
			`{"dependencies":[],"tags":[],"title":"send it"}`},
		{"es", "después del osteopath de esta semana recuérdame recoger la receta", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-26T16:00","tags":[],"title":"recoger la receta"}`},
		{"es", "recuérdame llamar a mamá el viernes cuando acabe el fencing practice", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-27T19:00","tags":[],"title":"llamar a mamá"}`},
		{"he", "תזכיר לי רבע שעה אחרי ה-osteopath ביום חמישי להתקשר לאמא", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-26T16:15","tags":[],"title":"להתקשר לאמא"}`},
		{"he", "כשה-osteopath נגמר תזכיר לי לשלם", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-26T16:00","tags":[],"title":"לשלם"}`},
		// What is out is wanted, one by one; what else is to be added is no item.
		{"en", "were out of flour and rice", "list_add", `{"items":["flour and rice"],"list":null}`},
		{"en", "we're running low on honey", "list_add", `{"items":["honey"],"list":null}`},
		{"en", "i think i already grabbed the lentils yesterday", "list_setItem", `{"done":true,"items":["lentils"]}`},
		{"en", "we're out of time", "", ""},
		{"es", "se acabó el café, y añade también 2 latas de atún a la compra", "", ""},
		{"he", "נגמר לנו הקפה והתה", "list_add", `{"items":["קפה ותה"],"list":null}`},
		{"he", "נגמר לנו הסוכר והקמח, ותוסיפי", "", ""},
		// What is done may be taken off, be it a task or an item; what is booked is not deleted with it.
		{"en", "i applied for the visa, so you can cross that one off", "task_completeTask",
			`{"selection":{"ids":["visa"]}}`},
		{"en", "got the tahini so cross it off", "list_setItem", `{"done":true,"items":["tahini"]}`},
		{"en", "i paid bay electric this morning so you can take that one off", "", ""},
		{"es", "ya compré el tahini y los lentils, quítalos porfa", "list_setItem",
			`{"done":true,"items":["tahini","lentils"]}`},
		{"es", "ya hice los gutters, táchalo", "task_completeTask", `{"selection":{"ids":["gutters"]}}`},
		{"he", "ניקיתי את ה-gutters אז תסמן את זה", "task_completeTask", `{"selection":{"ids":["gutters"]}}`},
		{"en", "move everything on friday to thursday", "calendar_moveEvents",
			`{"selection":{"ids":["harbour","fencing-27"]},"to":{"date":"2026-11-26"}}`},
		{"en", "set a reminder for tomorrow at 7 to bring the umbrella", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-24T07:00","tags":[],"title":"bring the umbrella"}`},
		{"he", "תזכיר לי להתקשר לבנק ב-9", "task_createTask",
			`{"dependencies":[],"reminder":"2026-11-23T09:00","tags":[],"title":"להתקשר לבנק"}`},
		// A length is none by which something moves, and a new name has all of its words.
		{"en", "make my fencing practice on friday 90 minutes", "calendar_updateEvents",
			`{"selection":{"ids":["fencing-27"]},"set":{"durationMinutes":90}}`},
		{"en", "rename the visa task to apply for both visas", "task_updateTask",
			`{"selection":{"ids":["visa"]},"updates":{"title":"apply for both visas"}}`},
		{"en", "i will drop it off tomorrow", "", ""},
		{"en", "what have i not bought yet", "list_view", `{"list":"shopping","which":"open"}`},
		// What is kept.
		{"en", "note: the plumber charges 90 an hour", "note_save",
			`{"tags":[],"text":"the plumber charges 90 an hour"}`},
		{"es", "anota que el fontanero viene con su hermano", "note_save",
			`{"tags":[],"text":"el fontanero viene con su hermano"}`},
		{"en", "add buy candles to my tasks", "task_createTask",
			`{"dependencies":[],"tags":[],"title":"buy candles"}`},
		{"en", "add take out the trash to my tasks", "task_createTask",
			`{"dependencies":[],"tags":[],"title":"take out the trash"}`},
		{"en", "start a new list for the party: balloons, paper cups", "list_add",
			`{"items":["balloons, paper cups"],"list":"party"}`},
		{"es", "pon la tarea del pasaporte para el lunes", "", ``},
		{"he", "תוסיף בננות לרשימת הקניות", "list_add", `{"items":["בננות"],"list":"shopping"}`},
		{"en", "start a new list for christmas gifts", "list_add", `{"items":[],"list":"christmas gifts"}`},
		{"en", "add a contact for peter lang, peter@example.com", "contact_save",
			`{"emails":["peter@example.com"],"name":"peter lang","removeEmails":[]}`},
		{"es", "guarda un contacto para luis pérez, luis@example.com", "contact_save",
			`{"emails":["luis@example.com"],"name":"luis pérez","removeEmails":[]}`},
		{"en", "clear the boat list", "list_remove", `{"items":[],"list":"boat","which":"all"}`},
		{"en", "remind me two days before", "", ""},
		{"he", "תרשום פתק: הקוד לשער 4471", "note_save", `{"tags":[],"text":"הקוד לשער 4471"}`},
		// What is looked at.
		{"en", "what's next?", "calendar_findEvents", `{"aspect":"when","selection":{"ids":["fencing-24"]}}`},
		{"es", "¿qué sigue?", "calendar_findEvents", `{"aspect":"when","selection":{"ids":["fencing-24"]}}`},
		// What is left of today begins now.
		{"en", "ok what have i still got left today", "calendar_findEvents",
			`{"aspect":"list","selection":{"window":{"start":"2026-11-23T08:00","end":"2026-11-24"}}}`},
		{"es", "¿qué me queda hoy?", "calendar_findEvents",
			`{"aspect":"list","selection":{"window":{"start":"2026-11-23T08:00","end":"2026-11-24"}}}`},
		{"he", "מה עוד נשאר לי היום?", "calendar_findEvents",
			`{"aspect":"list","selection":{"window":{"start":"2026-11-23T08:00","end":"2026-11-24"}}}`},
		{"en", "what's left in my calendar on friday", "schedule_viewSchedule",
			`{"from":"2026-11-27","to":"2026-11-27"}`},
		// The last time is one that is over.
		{"en", "when was my last osteopath appointment", "calendar_findEvents",
			`{"aspect":"when","selection":{"first":1,"order":"-start","titleHas":["Osteopath"]}}`},
		{"es", "cuándo fue la última vez que fui a fencing", "calendar_findEvents",
			`{"aspect":"when","selection":{"first":1,"order":"-start","titleHas":["Fencing practice"]}}`},
		{"he", "מתי היה ה-Osteopath האחרון שלי", "calendar_findEvents",
			`{"aspect":"when","selection":{"first":1,"order":"-start","titleHas":["Osteopath"]}}`},
		{"he", "מה הבא?", "calendar_findEvents", `{"aspect":"when","selection":{"ids":["fencing-24"]}}`},
		{"en", "anything i can do in 10 minutes?", "task_suggestForDuration", `{"duration":10}`},
		{"en", "when is mom's birthday?", "contact_find", `{"aspect":"birthday","query":"mom"}`},
		{"es", "¿cuándo es el cumpleaños de mamá?", "contact_find", `{"aspect":"birthday","query":"mamá"}`},
		{"en", "what did the plumber say?", "note_search", `{"query":"plumber","tags":[]}`},
		{"en", "where did i park?", "note_search", `{"query":"park","tags":[]}`},
		{"en", "show me yesterday's notes", "note_search",
			`{"query":null,"tags":[],"window":{"start":"2026-11-22T00:00","end":"2026-11-23T00:00"}}`},
		{"he", "מתי אני מסיים היום?", "calendar_findEvents",
			`{"aspect":"list","selection":{"first":1,"order":"-start",` +
				`"window":{"start":"2026-11-23","end":"2026-11-24"}}}`},
		{"en", "which of my tasks have no due date", "task_viewTasks",
			`{"selection":{"assignee":"me","dueTo":"none"}}`},
		{"en", "which one is the most urgent?", "task_getBacklogWithScores", `{"limit":1}`},
		{"es", "cuál es la más urgente de mis tareas", "task_getBacklogWithScores", `{"limit":1}`},
		{"he", "כמה משימות יש לי השבוע", "task_viewTasks", // the user's own
			`{"selection":{"assignee":"me","dueFrom":"2026-11-23","dueTo":"2026-11-28"}}`},
		{"en", "how many hours of meetings do i have this week", "calendar_findEvents",
			`{"aspect":"length","selection":{"window":{"start":"2026-11-23","end":"2026-11-30"}}}`},
		{"en", "what do i still need to pack", "list_view", `{"list":"packing","which":"open"}`},
		{"en", "who has a birthday coming up", "contact_find",
			`{"birthdays":{"start":"2026-11-23","end":"2027-11-23"}}`},
		{"en", "what do you know about yara", "contact_find", `{"aspect":null,"query":"Yara Stone"}`},
		{"en", "what was that gift idea for yara again", "note_search", `{"query":"gift idea yara","tags":[]}`},
		// Time that is freed: nothing is deleted for some of it, and what is left out may stand first.
		{"en", "free up an hour on wednesday", "schedule_findGaps", `{"date":"2026-11-25","minDuration":60}`},
		{"en", "clear my day", "calendar_deleteEvents",
			`{"selection":{"window":{"start":"2026-11-23T08:00","end":"2026-11-24T00:00"}}}`},
		{"en", "cancel the rest of my day", "calendar_deleteEvents",
			`{"selection":{"window":{"start":"2026-11-23T08:00","end":"2026-11-24T00:00"}}}`},
		{"en", "except for the osteopath, clear thursday", "calendar_deleteEvents",
			`{"selection":{"except":[{"titleHas":["Osteopath"]}],"window":{"start":"2026-11-26","end":"2026-11-27"}}}`},
		{"en", "make time for the gutters tomorrow", "", ``},
		{"en", "put a task to buy a card the day before", "", ``},
		{"he", "תמחק את הביצים מהרשימה", "list_remove", `{"items":["ביצים"],"list":null}`},
	} {
		if got := read(c.language, c.text); got.Tool != c.tool || string(got.Arguments) != c.arguments {
			t.Errorf("%q is %s %s; want %s %s", c.text, got.Tool, got.Arguments, c.tool, c.arguments)
		}
	}
}

// A message of few words goes on with what was shown or made.
func TestGoesOn(t *testing.T) {
	t.Parallel()
	const made = `{"title":"call the bank","reminder":"2026-11-24T14:00"}`
	things := append(home(), Thing{Kind: Task, ID: "bank", Title: "call the bank", At: "2026-11-24T14:00:00Z"})
	for _, c := range []struct {
		language, text, before, arguments string
		last                              []string
		want                              string
	}{
		{"en", "do that one at 3 today", "task_getBacklogWithScores",
			`{}`, []string{"visa"}, `task_updateTask {"selection":{"ids":["visa"]},"updates":{"reminder":"2026-11-23T15:00"}}`},
		{"en", "do the second one tomorrow morning", "task_viewTasks",
			`{}`, []string{"gutters", "visa"},
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"reminder":"2026-11-24T08:00"}}`},
		{"en", "do that one at 3 today", "task_viewTasks", `{}`, []string{"gutters", "visa"}, ` `},
		{"en", "delete the second one", "note_search", `{}`, []string{"n1", "n2"}, `note_delete {"notes":["n2"]}`},
		{"en", "move it to tomorrow", "task_viewTasks", `{}`, []string{"gutters", "visa"}, ` `},
		{"en", "only the paint ones", "task_viewTasks", `{"selection":{"dueTo":"2026-11-28"}}`,
			[]string{"gutters", "visa"}, `task_viewTasks {"selection":{"dueTo":"2026-11-28","titleHas":["paint"]}}`},
		{"en", "only the high priority ones", "task_viewTasks", `{"selection":{"dueTo":"2026-11-28"}}`,
			[]string{"gutters", "visa"}, `task_viewTasks {"selection":{"dueTo":"2026-11-28","priority":"high"}}`},
		{"en", "and the last one?", "calendar_findEvents",
			`{"aspect":"list","selection":{"order":"start","first":1}}`, []string{"harbour"},
			`calendar_findEvents {"aspect":"list","selection":{"first":1,"order":"-start"}}`},
		{"en", "and two more things: butter and salt", "list_add", `{"items":["x"],"list":"shopping"}`,
			nil, `list_add {"items":["butter and salt"],"list":"shopping"}`},
		{"he", "תוסיף בננות", "list_view", `{"list":"shopping"}`, nil, `list_add {"items":["בננות"],"list":"shopping"}`},
		{"es", "mejor tres", "task_createTask", made, []string{"bank"},
			`task_updateTask {"selection":{"ids":["bank"]},"updates":{"when":"2026-11-24T15:00"}}`},
		{"en", "better three", "task_createTask", made, []string{"bank"},
			`task_updateTask {"selection":{"ids":["bank"]},"updates":{"when":"2026-11-24T15:00"}}`},
	} {
		got := Read(Message{
			Text: c.text, Language: c.language, Now: now, Things: things, Last: c.last, Listed: c.last,
			Before: Call{Tool: c.before, Arguments: json.RawMessage(c.arguments)},
		})
		if got := got.Tool + " " + string(got.Arguments); got != c.want {
			t.Errorf("%q after %s is %s; want %s", c.text, c.before, got, c.want)
		}
	}
}

// A name that two people have stands as it was said, so that it is asked which one is meant.
func TestTwoOfOneName(t *testing.T) {
	t.Parallel()
	people := []Person{{Name: "Yara Stone", Said: "Yara"}, {Name: "Yara Moss", Said: "Yara"}}
	got := Read(Message{Text: "what's Yara's email", Language: "en", Now: now, People: people, Things: home()})
	if want := `{"aspect":"email","query":"Yara"}`; string(got.Arguments) != want {
		t.Errorf("%s %s, want %s", got.Tool, got.Arguments, want)
	}
}
