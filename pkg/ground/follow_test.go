package ground

import (
	"fmt"
	"strings"
	"testing"

	"convene/pkg/interval"
)

// A detail is asked of the one person with whom something is arranged, and no reminder is before something unnamed.
func TestBesideAnEvent(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"what's her number?", `contact_find {"aspect":"phone","query":"Yara Stone"}`, "en"},
		{"¿cuál es su teléfono?", `contact_find {"aspect":"phone","query":"Yara Stone"}`, "es"},
		{"remind me the day before", "", "en"}, {"remind me an hour before", "", "en"},
		{"recuérdame una hora antes", "", "es"},
		{"תזכיר לי יום לפני", "", "he"}, {"again next week", "", "en"},
	} {
		got := Read(Message{Text: c[0], Language: c[2], Now: now, Things: home(), Company: "Yara Stone"})
		if call := strings.TrimSpace(got.Tool + " " + string(got.Arguments)); call != c[1] {
			t.Errorf("%q: %s, want %s", c[0], call, c[1])
		}
	}
}

// Few words go on with the call of the turn before, and say nothing without it.
func TestFollowing(t *testing.T) {
	t.Parallel()
	reminded := Call{"task_createTask", []byte(`{"title":"x","reminder":"2026-11-24T09:00"}`)}
	due := Call{"task_createTask", []byte(`{"title":"x","dueDate":"2026-11-24"}`)}
	added := Call{"list_add", []byte(`{"items":["tahini"],"list":"shopping"}`)}
	evening := Call{"task_createTask", []byte(`{"title":"x","reminder":"2026-11-24T09:00"}`)}
	later := Call{"task_createTask", []byte(`{"title":"x","dueDate":"2026-12-10"}`)}
	shown := Call{"task_viewTasks", []byte(`{"selection":{"overdue":true}}`)}
	coded := Call{"note_save", []byte(`{"text":"the shed key is number 17"}`)}
	saved := Call{"contact_save", []byte(`{"name":"Uma Lind","emails":[]}`)}
	looked := Call{"list_view", []byte(`{"list":"shopping"}`)}
	noted := Call{"note_save", []byte(`{"text":"x"}`)}
	met := Call{"contact_find", []byte(`{"query":"Yara Stone","aspect":"email"}`)}
	block := Call{createBlock, []byte(`{"title":"x","date":"2026-11-24","startTime":"12:00","endTime":"14:00"}`)}
	threeToFive := `calendar_moveEvents {"selection":{"ids":["made"]},"to":{"durationMinutes":120,"time":"15:00"}}`
	for _, c := range []struct {
		before               Call
		last, language, text string
		want                 string
	}{
		{reminded, "visa", "en", "make it 10",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-24T10:00"}}`},
		{reminded, "visa", "en", "10 ish",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-24T10:00"}}`},
		{reminded, "visa", "en", "friday",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-27T09:00"}}`},
		{reminded, "visa", "en", "move that to friday",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-27T09:00"}}`},
		{reminded, "visa", "en", "actually friday, thursday i'm running",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-27T09:00"}}`},
		{reminded, "visa", "es", "mejor el viernes, que mañana está cerrado",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-27T09:00"}}`},
		{reminded, "visa", "he", "בעצם ביום שישי, מחר לא יורד גשם",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-27T09:00"}}`},
		{reminded, "visa", "en", "make it friday, and buy milk", ""},
		{reminded, "visa", "en", "push that back an hour",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-24T10:00"}}`},
		{reminded, "visa", "en", "make it 45 minutes",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-23T08:45"}}`},
		{reminded, "visa", "en", "make that 30",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-23T08:30"}}`},
		{reminded, "visa", "es", "mejor el viernes",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-27T09:00"}}`},
		{reminded, "visa", "he", "בעצם ביום שישי",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-27T09:00"}}`},
		{evening, "visa", "he", "בעצם בעשר",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"when":"2026-11-24T10:00"}}`},
		{later, "new x", "en", "make it tuesday", `task_createTask {"dueDate":"2026-12-08","title":"x"}`},
		{later, "new x", "es", "mejor el martes", `task_createTask {"dueDate":"2026-12-08","title":"x"}`},
		{later, "new x", "he", "בעצם ביום שלישי", `task_createTask {"dueDate":"2026-12-08","title":"x"}`},
		{later, "new x", "en", "push it back a week", `task_createTask {"dueDate":"2026-12-17","title":"x"}`},
		{shown, "visa", "en", "do that tomorrow at 4 then",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"reminder":"2026-11-24T16:00"}}`},
		{added, "shopping", "en", "and a drum for Yara", `list_add {"items":["a drum for Yara"],"list":"shopping"}`},
		{added, "shopping", "es", "y un tambor para Yara", `list_add {"items":["un tambor para Yara"],"list":"shopping"}`},
		{added, "shopping", "en", "and dinner with Yara", ""},
		{coded, "n1", "en", "sorry, it's 72", `note_save {"replace":"n1","tags":[],"text":"the shed key is number 72"}`},
		{coded, "n1", "es", "perdón, es 72", `note_save {"replace":"n1","tags":[],"text":"the shed key is number 72"}`},
		{coded, "n1", "he", "בעצם זה 72", `note_save {"replace":"n1","tags":[],"text":"the shed key is number 72"}`},
		{coded, "n1", "en", "actually, thanks", ""},
		{coded, "n1", "en", "oops, the barn, not shed",
			`note_save {"replace":"n1","tags":[],"text":"the barn key is number 17"}`},
		{saved, "p", "en", "her birthday is march 3",
			`contact_save {"birthday":"--03-03","contact":"Uma Lind","emails":[],"removeEmails":[]}`},
		{saved, "p", "es", "su cumpleaños es el 3 de marzo",
			`contact_save {"birthday":"--03-03","contact":"Uma Lind","emails":[],"removeEmails":[]}`},
		{saved, "p", "he", "יום ההולדת שלה ב-3 במרץ",
			`contact_save {"birthday":"--03-03","contact":"Uma Lind","emails":[],"removeEmails":[]}`},
		{due, "new x", "en", "actually friday", `task_createTask {"dueDate":"2026-11-27","title":"x"}`},
		{reminded, "visa", "en", "call it feed the cat",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"title":"feed the cat"}}`},
		{reminded, "visa", "en", "is it tomorrow?", ""}, {reminded, "visa", "en", "what's on tomorrow", ""},
		{added, "shopping", "en", "and a loaf of rye", `list_add {"items":["a loaf of rye"],"list":"shopping"}`},
		{added, "shopping", "es", "y huevos también", `list_add {"items":["huevos"],"list":"shopping"}`},
		{added, "shopping", "he", "וגם ביצים", `list_add {"items":["ביצים"],"list":"shopping"}`},
		{added, "boat", "en", "put a rope on it too", `list_add {"items":["a rope"],"list":"boat"}`},
		{added, "shopping", "en", "no, not the tahini", `list_remove {"items":["tahini"],"list":"shopping"}`},
		{added, "shopping", "en", "and ring the plumber", ""}, {noted, "n1", "en", "forget it", ""},
		{added, "shopping", "en", "and remind me tomorrow", ""}, {added, "shopping", "en", "and the osteopath?", ""},
		{looked, "lentils", "en", "what's left?", `list_view {"list":"shopping","which":"open"}`},
		{looked, "boat", "en", "and add 2 boxes of screws", `list_add {"items":["2 boxes of screws"],"list":"boat"}`},
		{looked, "lentils", "en", "and ring the plumber", ""},
		{looked, "lentils", "es", "¿qué falta?", `list_view {"list":"shopping","which":"open"}`},
		{noted, "n1", "en", "delete that note", `note_delete {"notes":["n1"]}`},
		{noted, "n1", "he", "תמחק את הפתק הזה", `note_delete {"notes":["n1"]}`},
		{noted, "n1", "en", "add to that: it is blue", `note_save {"addTo":"n1","tags":[],"text":"it is blue"}`},
		{noted, "n1", "en", "add to that note that the key that she gave me is blue and opens the shed",
			`note_save {"addTo":"n1","tags":[],"text":"the key that she gave me is blue and opens the shed"}`},
		{noted, "n1", "es", "añade a esa nota que es azul", `note_save {"addTo":"n1","tags":[],"text":"es azul"}`},
		{noted, "n1", "he", "תוסיף לפתק הזה שזה כחול", `note_save {"addTo":"n1","tags":[],"text":"שזה כחול"}`},
		{due, "visa", "en", "find time for it on friday",
			createBlock + ` {"date":"2026-11-27","durationMinutes":30,"title":"Apply for the visa","type":"work"}`},
		{reminded, "visa", "es", "prográmalo", createBlock + ` {"date":"2026-11-24","endTime":"09:30",` +
			`"startTime":"09:00","title":"Apply for the visa","type":"work"}`},
		{reminded, "visa", "en", "schedule it with yara", ""},
		{Call{}, "visa", "en", "block an hour for it tomorrow at 2", createBlock + ` {"date":"2026-11-24",` +
			`"endTime":"15:00","startTime":"14:00","title":"Apply for the visa","type":"blocked"}`},
		{met, "", "en", "and her birthday?", `contact_find {"aspect":"birthday","query":"Yara Stone"}`},
		{block, "new x", "en", "make it 3 hours",
			createBlock + ` {"date":"2026-11-24","endTime":"15:00","startTime":"12:00","title":"x"}`},
		{block, "new x", "en", "make it 90",
			createBlock + ` {"date":"2026-11-24","endTime":"13:30","startTime":"12:00","title":"x"}`},
		{block, "new x", "en", "wednesday instead",
			createBlock + ` {"date":"2026-11-25","endTime":"14:00","startTime":"12:00","title":"x"}`},
		{block, "new x", "en", "make it from 3 to 5 instead",
			createBlock + ` {"date":"2026-11-24","endTime":"17:00","startTime":"15:00","title":"x"}`},
		{block, "made", "es", "mejor de 3 a 5", threeToFive},
		{block, "made", "en", "make it from 3 to 5 instead", threeToFive},
		{block, "made", "he", "עדיף מ-3 עד 5", threeToFive},
		{block, "made", "en", "make it 3 to 5 on friday with al", ""},
	} {
		things := home()
		for i := range things {
			if things[i].ID == "visa" {
				things[i].At, things[i].Minutes = "2026-11-24T09:00:00Z", 30
			}
		}
		got := Read(Message{
			Text: c.text, Language: c.language, Now: now, Things: things, Last: []string{c.last}, Before: c.before,
			People: called(c.text, "Yara Stone", "Yara"),
		})
		call := got.Tool + " " + string(got.Arguments)
		if c.want != "" && call != c.want || c.want == "" && got.Tool != "" && !got.Reads {
			t.Errorf("%q after %s is %s, want %s", c.text, c.before.Tool, call, c.want)
		}
	}
}

// What is asked of all tasks is asked of each one by one, and nobody loses all of them by a word.
func TestSweeping(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mark everything as done": `task_completeTask {"selection":{"assignee":"me","status":"open"}}`,
		"delete all my tasks":     " ",
		"move all tasks due this week to next week except the visa": `task_updateTask {"selection":{"dueFrom":"2026-11-23",` +
			`"dueTo":"2026-11-29","titleLacks":["Apply for the visa"]},"updates":{"laterByDays":7}}`,
		"push everything thats due tomorrow to wednesday": `task_updateTask {"selection":{"dueFrom":"2026-11-24",` +
			`"dueTo":"2026-11-24"},"updates":{"dueDate":"2026-11-25"}}`,
		"remove everything from the shopping list except the tahini": `list_remove {"items":["lentils"],"list":"shopping"}`,
		"clear the shopping list except the soap":                    " ",
	} {
		got := Read(Message{Text: text, Language: "en", Now: now, Things: home(), Last: []string{"visa"}})
		if call := got.Tool + " " + string(got.Arguments); call != want {
			t.Errorf("%q is %s, want %s", text, call, want)
		}
		if got.Tool != "" && got.Sure {
			t.Errorf("%q is done without being asked for", text)
		}
	}
}

// Titles are without what is said beside them, and have the priority that this says.
func TestAsides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "remind me to get the car washed, no rush, sometime",
			`{"dependencies":[],"priority":"low","tags":[],"title":"get the car washed"}`},
		{"en", "when you get a chance add a task to back up the laptop",
			`{"dependencies":[],"tags":[],"title":"back up the laptop"}`},
		{"en", "remind me to send the vet my thanks", `{"dependencies":[],"tags":[],"title":"send the vet my thanks"}`},
		{"es", "cuando puedas, apunta comprar un regalo para mi hermana, sin prisa",
			`{"dependencies":[],"priority":"low","tags":[],"title":"comprar un regalo para mi hermana"}`},
		{"en", "new task: descale the kettle, due sunday, 15 min",
			`{"dependencies":[],"dueDate":"2026-11-29","estimatedMinutes":15,"tags":[],"title":"descale the kettle"}`},
		{"en", "remind me to renew the card before the end of the month",
			`{"dependencies":[],"dueDate":"2026-11-30","reminder":"2026-11-30","tags":[],"title":"renew the card"}`},
		{"en", "task: buy milk, eggs and flour", `{"dependencies":[],"tags":[],"title":"buy milk, eggs and flour"}`},
		{"en", "remind me every tuesday at 9am to water the ferns", `{"dependencies":[],"dueDate":"2026-11-24",` +
			`"recurrence":"FREQ=WEEKLY;BYDAY=TU","reminder":"2026-11-24T09:00","tags":[],"title":"water the ferns"}`},
	} {
		if got := read(c.language, c.text); got.Tool != "task_createTask" || string(got.Arguments) != c.want {
			t.Errorf("%q is %s %s, want %s", c.text, got.Tool, got.Arguments, c.want)
		}
	}
}

// What is only mused about, or asked of the past, changes nothing.
func TestMusing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"i should probably clean the gutters at some point", "did i already clean the gutters?", "have i got the lentils?",
		"keep meaning to apply for the visa", "add nothing to the list", "plan my tasks into the gaps tomorrow",
	} {
		if got := read("en", text, "gutters"); got.Tool != "" && !got.Reads {
			t.Errorf("%q is %s %s", text, got.Tool, got.Arguments)
		}
	}
}

// What follows a yes or thanks is a request of its own, unless it says nothing of one.
func TestAfterAssent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"yes and buy milk":               "buy milk",
		"thanks, and add a task to rest": "add a task to rest",
		"great, remind me to call yara":  "remind me to call yara",
		"sí, y añade leche a la lista":   "añade leche a la lista",
		"כן, תזכיר לי לקנות חלב":         "תזכיר לי לקנות חלב",
		"yes":                                "",
		"yes, please":                        "",
		"great lunch":                        "",
		"good and bad":                       "",
		"no, and buy milk":                   "",
		"add nice and soft bread to my list": "",
	} {
		if got := AfterAssent(text); got != want {
			t.Errorf("%q leaves %q, want %q", text, got, want)
		}
	}
}

// What may be a yes goes before a request of its own, also one that is joined to the last of several words.
func TestAssents(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Assent{
		"ok, send it and archive the newsletters": {"ok, send it", "archive the newsletters"},
		"yes. and what's on my shopping list?":    {"yes", "what's on my shopping list?"},
		"vale, mándalo y apunta leche":            {"vale, mándalo", "apunta leche"},
		"sí, y ¿qué tengo el viernes?":            {"sí", "¿qué tengo el viernes?"},
		"כן, ותוסיף חלב לרשימה":                   {"כן", "תוסיף חלב לרשימה"},
		"yes, please":                             {},
		"yes, what else is on tomorrow?":          {},
		"yes, but show me my mails":               {},
		"yes, and show me tomorrow first":         {},
		"sí, y antes dime qué hay el viernes":     {},
		"כן, ורק אחרי זה תראה לי את מחר":          {},
		"yes, then move the stand-up to 10":       {},
		"great lunch":                             {},
	} {
		var got Assent
		if ways := Assents(text); len(ways) > 0 {
			got = ways[0]
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"make it later": true, "cancel it on friday": true, "ponlo más tarde": true, "dile que venga": true,
		"cancela el gimnasio": false,
		"תזיז את זה":          true, "buy milk": false, "apunta leche": false, "תוסיף חלב": false,
	} {
		if got := PointsBack(text); got != want {
			t.Errorf("%q points back: %t", text, got)
		}
	}
}

// An event that was called off is called off of another time too, or instead, and moved nowhere. What is called off too
// joins what waits.
func TestCalledOffThenToo(t *testing.T) {
	t.Parallel()
	const (
		friday = `{"selection":{"titleHas":["Fencing practice"],"window":{"start":"2026-11-27","end":"2026-11-28"}}}`
		both   = `{"selection":{"ids":["fencing-24","fencing-27"]}}`
	)
	for text, want := range map[string]string{
		"and on friday": both, "friday too": both, "and friday as well": both, "friday instead?": "",
		"sorry i meant friday, not tuesday": friday, "friday i mean": friday, "and the one after that too": both,
		"no, friday":                 friday,
		"actually the one on friday": friday, "no, dentist friday": "",
		"y el viernes también": both, "וגם ביום שישי": both,
		"and the osteopath too": `{"selection":{"ids":["fencing-24","osteopath"]}}`,
	} {
		got := Read(Message{
			Text: text, Now: now, Things: home(), Waits: true, Last: []string{"fencing-24"}, AtHand: "fencing-24",
			Before: Call{"calendar_deleteEvents", []byte(`{"selection":{"ids":["fencing-24"]}}`)},
		})
		if want != "" && (string(got.Arguments) != want || got.Tool != "calendar_deleteEvents" || got.Sure) {
			t.Errorf("%q is %s: %s", text, got.Tool, got.Arguments)
		}
		if want == "" && got.Tool == "calendar_deleteEvents" {
			t.Errorf("%q deletes %s", text, got.Arguments)
		}
	}
}

// By how much something moves is corrected, also where it has moved already.
func TestMovedByAnotherLength(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"no wait, half an hour": 30, "actually 90 minutes": 90, "no, media hora": 30, "make it 30 minutes": 0,
		"no wait half an hour?": 0,
	} {
		for _, done := range []bool{false, true} {
			got := follow(Message{
				Text: text, Now: now, Things: home(), Waits: true, Done: done, Last: []string{"fencing-24"},
				Before: Call{"calendar_moveEvents", []byte(`{"selection":{"titleHas":["x"]},"to":{"byMinutes":60}}`)},
			})
			selection, by := `{"titleHas":["x"]}`, want
			if done {
				selection, by = `{"ids":["fencing-24"]}`, want-60
			}
			call := fmt.Sprintf(`{"selection":%s,"to":{"byMinutes":%d}}`, selection, by)
			if want != 0 && string(got.Arguments) != call || want == 0 && got.Tool == "calendar_moveEvents" {
				t.Errorf("%q is %s: %s, want %s", text, got.Tool, got.Arguments, call)
			}
		}
	}
}

// What is blocked is blocked on another day too, at the same hours or others.
func TestBlockedOnAnotherDayToo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"and friday too":        `"date":"2026-11-27","endTime":"12:00","startTime":"10:00"`,
		"same on friday":        `"date":"2026-11-27","endTime":"12:00","startTime":"10:00"`,
		"y el viernes también":  `"date":"2026-11-27","endTime":"12:00","startTime":"10:00"`,
		"and friday 2 to 3 too": `"date":"2026-11-27","endTime":"15:00","startTime":"14:00"`,
		"friday instead":        "", "and the dentist on friday too": "",
	} {
		got := follow(Message{
			Text: text, Now: now, Things: home(), Waits: true, Done: true, Last: []string{"block"},
			Before: Call{createBlock, []byte(`{"date":"2026-11-26","startTime":"10:00","endTime":"12:00","title":"Report"}`)},
		})
		if want != "" && !strings.Contains(string(got.Arguments), want) || want == "" && got.Tool == createBlock {
			t.Errorf("%q is %s: %s, want %s", text, got.Tool, got.Arguments, want)
		}
	}
}

// called is the one person whose name a text has.
func called(text, name, said string) []Person {
	if !strings.Contains(text, said) {
		return nil
	}
	return []Person{{Name: name, Said: said}}
}

// The one of several free times that is named is kept, whatever stands before it.
func TestUseOffered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"he", "תשריין לי את הראשון לכתיבת הדוח", `{"date":"2026-11-26","endTime":"16:00","startTime":"15:00",` +
			`"title":"כתיבת הדוח","type":"blocked"}`},
		{"en", "book me the second one for the report", `{"date":"2026-11-24","endTime":"19:00","startTime":"18:00",` +
			`"title":"the report","type":"blocked"}`},
		{"he", "תשריין לי חצי שעה מתוך השני לדוח", ""},
	} {
		got := useOffered(Message{
			Text: c.text, Language: c.language, Now: now, Offered: []interval.Span{home()[0].Span, home()[1].Span},
			Before: Call{Tool: "calendar_findTimes", Arguments: []byte(`{}`)},
		})
		if string(got.Arguments) != c.want {
			t.Errorf("%q is %s %s, want %s", c.text, got.Tool, got.Arguments, c.want)
		}
	}
}
