package ground

import "testing"

// What people say of events of their calendar is in the call.
func TestEvents(t *testing.T) {
	t.Parallel()
	const osteopath, friday = `"selection":{"ids":["osteopath"]}`, `"window":{"start":"2026-11-27","end":"2026-11-28"}`
	for _, c := range []struct{ language, text, tool, arguments string }{
		// Everybody who is named is invited, also if the name is a word of another language.
		{"en", "add yara and al to the osteopath", "calendar_updateEvents",
			`{` + osteopath + `,"set":{"addAttendees":["Yara Stone","Al Reyes"]}}`},
		// Events are meant that no title names.
		{"en", "cancel my 3pm on thursday", "calendar_deleteEvents", `{` + osteopath + `}`},
		{"en", "cancel the first thing on friday", "calendar_deleteEvents", `{"selection":{"ids":["harbour"]}}`},
		{"en", "move everything on friday to sunday", "calendar_moveEvents",
			`{"selection":{"ids":["harbour","fencing-27"]},"to":{"date":"2026-11-29"}}`},
		{"en", "move my next appointment to thursday", "calendar_moveEvents",
			`{"selection":{"ids":["fencing-24"]},"to":{"date":"2026-11-26"}}`},
		{"en", "move the harbour walk to right after the osteopath", "calendar_moveEvents",
			`{"selection":{"ids":["harbour"]},"to":{"date":"2026-11-26","time":"16:00"}}`},
		{"en", "move the harbour walk to before the osteopath", "calendar_moveEvents",
			`{"selection":{"ids":["harbour"]},"to":{"date":"2026-11-26","time":"14:00"}}`},
		{"en", "cancel the osteopath, not the harbour walk", "calendar_deleteEvents", `{` + osteopath + `}`},
		// An hour without its half of the day is told as such.
		{"en", "push the osteopath to 5", "calendar_moveEvents", `{` + osteopath + `,"to":{"time":"17:00?"}}`},
		{"en", "the osteopath will be on https://meet.example/vc-99", "calendar_updateEvents",
			`{` + osteopath + `,"set":{"addNotes":"https://meet.example/vc-99"}}`},
		// "It" is the event that the sentence before names.
		{"en", "Al can't make the osteopath. Move it to friday", "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"date":"2026-11-27"}}`},
		{"es", "Al no puede ir al osteopath. Muévelo al viernes", "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"date":"2026-11-27"}}`},
		{"he", "אל לא יכול להגיע ל-osteopath. תזיז אותו ליום שישי", "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"date":"2026-11-27"}}`},
		{"en", "email Al about the osteopath, move it to friday", "", ""},
		// What moves to a free time of a day moves to none that is taken.
		{"en", "move the osteopath to a free slot on friday", "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"window":{"start":"2026-11-27","end":"2026-11-28"}}}`},
		{"es", "mueve el osteopath a un hueco libre el viernes", "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"window":{"start":"2026-11-27","end":"2026-11-28"}}}`},
		{"he", "תזיז את osteopath לזמן פנוי ביום שישי", "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"window":{"start":"2026-11-27","end":"2026-11-28"}}}`},
		{"en", "tell al i can't make the panel", "calendar_respond", `{"answer":"declined","selection":{"ids":["panel"]}}`},
		{"en", "change the name of the osteopath meeting to knee check", "calendar_updateEvents",
			`{` + osteopath + `,"set":{"title":"knee check"}}`},
		// What is on a day goes to an hour.
		{"en", "move the first thing on friday to 3pm", "calendar_moveEvents",
			`{"selection":{"ids":["harbour"]},"to":{"time":"15:00"}}`},
		// Times are cleared but for what is excepted.
		{"en", "clear my friday afternoon", "calendar_deleteEvents",
			`{"selection":{"timeOfDay":{"start":"12:00","end":"17:00"},` + friday + `}}`},
		{"en", "wipe friday except the harbour walk", "calendar_deleteEvents",
			`{"selection":{"except":[{"titleHas":["Harbour walk"]}],` + friday + `}}`},
		{"en", "cancel everything on friday with yara", "calendar_deleteEvents",
			`{"selection":{` + friday + `,"with":["Yara Stone"]}}`},
		{"en", "clear friday but keep the harbour walk", "calendar_deleteEvents",
			`{"selection":{"except":[{"titleHas":["Harbour walk"]}],` + friday + `}}`},
		{"he", "תבטל את harbour ואת fencing ביום שישי", "calendar_deleteEvents",
			`{"selection":{"ids":["harbour","fencing-27"]}}`},
		{"en", "accept the invite from al", "calendar_respond", `{"answer":"accepted","selection":{"ids":["panel"]}}`},
		{"en", "move fencing practice to thursdays from now on", "calendar_moveEvents",
			`{"scope":"following","selection":{"ids":["fencing-24"]},"to":{"repeatsOn":["thursday"]}}`},
		{"es", "alarga el osteopath media hora", "calendar_updateEvents", `{` + osteopath + `,"set":{"longerByMinutes":30}}`},
		{"en", "the osteopath has to be over by 3:30, shorten it", "calendar_updateEvents",
			`{` + osteopath + `,"set":{"durationMinutes":30}}`},
		{"en", "let fencing practice run until 9", "calendar_updateEvents",
			`{"selection":{"ids":["fencing-24"]},"set":{"durationMinutes":180}}`},
		{"he", "תקדים את ה-Osteopath בחצי שעה", "calendar_moveEvents", `{` + osteopath + `,"to":{"byMinutes":-30}}`},
		{"en", "put two hours of focus time on thursday at 9", "schedule_createTimeBlock",
			`{"date":"2026-11-26","endTime":"11:00","startTime":"09:00","title":"focus time","type":"blocked"}`},
		// Where the hours are longer than the block, it is somewhere in them.
		{"en", "please block an hour for email tomorrow at 3", "schedule_createTimeBlock", `{"date":"2026-11-24",` +
			`"endTime":"16:00","startTime":"15:00","title":"email","type":"blocked"}`},
		{"en", "block two hours for taxes on thursday morning", "schedule_createTimeBlock", `{"date":"2026-11-26",` +
			`"durationMinutes":120,"endTime":"12:00","startTime":"08:00","title":"taxes","type":"blocked"}`},
		{"es", "bloquea una hora el jueves por la tarde para leer", "schedule_createTimeBlock", `{"date":"2026-11-26",` +
			`"durationMinutes":60,"endTime":"17:00","startTime":"12:00","title":"leer","type":"blocked"}`},
		{"en", "is yara free on friday", "calendar_checkAvailability", `{"people":["Yara Stone"],` + friday + `}`},
		// Own time is blocked, on several days at once.
		{"en", "block 8 to 9 on tuesday and thursday for admin", "calendar_createEvents",
			`{"events":[{"end":"2026-11-24T09:00","start":"2026-11-24T08:00","title":"admin"},` +
				`{"end":"2026-11-26T09:00","start":"2026-11-26T08:00","title":"admin"}]}`},
		{"es", "bloquéame el jueves de 12 a 14 para preparar la charla", "schedule_createTimeBlock",
			`{"date":"2026-11-26","endTime":"14:00","startTime":"12:00","title":"preparar la charla","type":"blocked"}`},
		// Events repeat.
		{"en", "make the osteopath weekly", "calendar_updateEvents",
			`{` + osteopath + `,"set":{"recurrence":"FREQ=WEEKLY"}}`},
		{"es", "que el osteopath se repita cada dos semanas", "calendar_updateEvents",
			`{` + osteopath + `,"set":{"recurrence":"FREQ=WEEKLY;INTERVAL=2"}}`},
		{"es", "el osteopath es cada dos semanas a partir de ahora", "calendar_updateEvents",
			`{` + osteopath + `,"set":{"recurrence":"FREQ=WEEKLY;INTERVAL=2"}}`},
		{"en", "whatever you do, don't move the osteopath", "calendar_findEvents", `{"aspect":"when",` + osteopath + `}`},
		// "An" is a part of the length that it counts.
		{"en", "shorten the osteopath to an hour and a half", "calendar_updateEvents",
			`{` + osteopath + `,"set":{"durationMinutes":90}}`},
		// As many as are said, the next or the first ones.
		{"en", "cancel my next two fencing practices", "calendar_deleteEvents",
			`{"selection":{"ids":["fencing-24","fencing-27"]}}`},
		{"es", "cancela las próximas dos fencing", "calendar_deleteEvents",
			`{"selection":{"ids":["fencing-24","fencing-27"]}}`},
		{"he", "תבטל את שתי הפגישות הבאות שלי", "calendar_deleteEvents",
			`{"selection":{"ids":["fencing-24","osteopath"]}}`},
		{"en", "cancel the first two things on friday", "calendar_deleteEvents",
			`{"selection":{"ids":["harbour","fencing-27"]}}`},
		// For how long a name holds is no part of it.
		{"en", "rename fencing practice to sword night from now on", "calendar_updateEvents",
			`{"scope":"following","selection":{"ids":["fencing-24"]},"set":{"title":"sword night"}}`},
		// A copy leaves the event where it is.
		{"en", "copy the osteopath to friday", "calendar_copyEvents", `{` + osteopath + `,"to":{"date":"2026-11-27"}}`},
		// What says how it is now says nothing new.
		{"en", "the osteopath takes 30 minutes, not 60", "calendar_updateEvents",
			`{` + osteopath + `,"set":{"durationMinutes":30}}`},
		{"es", "el osteopath y el harbour walk, cancélalos los dos", "calendar_deleteEvents",
			`{"selection":{"ids":["osteopath","harbour"]}}`},
		{"he", "תני ל-Osteopath עוד רבע שעה", "calendar_updateEvents", `{` + osteopath + `,"set":{"longerByMinutes":15}}`},
		{"en", "the osteopath is at 12 Station Road now, not Mill Lane", "calendar_updateEvents",
			`{` + osteopath + `,"set":{"location":"12 Station Road"}}`},
		// All of a series is meant, or what comes of it.
		{"en", "move all my fencing practice to 7pm", "calendar_moveEvents",
			`{"scope":"all","selection":{"ids":["fencing-24"]},"to":{"time":"19:00"}}`},
		// A person may stand behind a pronoun.
		{"en", "yara is ill. cancel my next appointment with her", "calendar_deleteEvents",
			`{"selection":{"ids":["harbour"]}}`},
		// All but one is not that one, and a weekday is left out in any week.
		{"en", "cancel everything on friday but the harbour walk", "calendar_deleteEvents",
			`{"selection":{"except":[{"titleHas":["Harbour walk"]}],` + friday + `}}`},
		{"en", "clear next week, mondays excepted", "calendar_deleteEvents",
			`{"selection":{"except":[{"weekdays":["monday"]}],"window":{"start":"2026-11-30","end":"2026-12-07"}}}`},
		{"he", "תפני לי את השבוע הבא חוץ מיום שלישי", "calendar_deleteEvents",
			`{"selection":{"except":[{"weekdays":["tuesday"]}],"window":{"start":"2026-11-29","end":"2026-12-06"}}}`},
		// What is on a day is not all that comes after it, unless that is said.
		{"he", "תבטל הכל מיום חמישי", "calendar_deleteEvents",
			`{"selection":{"window":{"start":"2026-11-26","end":"2026-11-27"}}}`},
		{"he", "תבטל הכל מיום חמישי ואילך", "calendar_deleteEvents",
			`{"selection":{"window":{"start":"2026-11-26","end":"2026-12-24"}}}`},
		// A day that is too full is no day to be cleared.
		{"en", "take some load off thursday", "calendar_suggestLighter", `{"date":"2026-11-26"}`},
		{"he", "תוריד לי עומס מיום חמישי", "calendar_suggestLighter", `{"date":"2026-11-26"}`},
		{"es", "aligérame un poco el jueves", "calendar_suggestLighter", `{"date":"2026-11-26"}`},
		// Questions are about hours, people and lengths.
		{"en", "is yara coming to the harbour walk", "calendar_findEvents",
			`{"aspect":"who","selection":{"ids":["harbour"]}}`},
		{"es", "a qué hora acabo el viernes", "calendar_findEvents",
			`{"aspect":"list","selection":{"first":1,"order":"-start",` + friday + `}}`},
		{"en", "anything on friday evening", "calendar_findEvents",
			`{"aspect":"list","selection":{"timeOfDay":{"start":"17:00","end":"21:00"},` + friday + `}}`},
		{"en", "how many meetings on friday", "calendar_findEvents", `{"aspect":"count","selection":{` + friday + `}}`},
		{"en", "a two-hour gap before friday?", "calendar_findTimes",
			`{"durationMinutes":120,"people":[],"window":{"start":"2026-11-23","end":"2026-11-27"}}`},
	} {
		if got := read(c.language, c.text); got.Tool != c.tool || string(got.Arguments) != c.arguments {
			t.Errorf("%q is %s with %.2f, %s %s; want %s %s",
				c.text, got.Deed, got.Probability, got.Tool, got.Arguments, c.tool, c.arguments)
		}
	}
}

// Nothing is changed if the message says more or else than the call would.
func TestEventsThatStay(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"move the osteopath earlier", "i may have to cancel the osteopath", "why did you cancel the osteopath",
		"add yara or al to the osteopath", "move the osteopath from 1 to 2",
		"move the osteopath two hours later or earlier", "cancel three meetings on friday",
		"move the osteopath by an hour", "friday 3pm osteopath", "cancel al's osteopath",
		"cancel both the osteopath and the gala and the harbour walk",
		"start the osteopath half an hour earlier but still finish at the same time", "cancel my meeting",
		"cancel zumba tomorrow", "cancel yoga with yara on friday",
		"invite yara, not al, to the osteopath", "cancel the velvet osteopath", "talk to yara before the osteopath",
		"email everyone at the osteopath and title it \"Remember\"",
	} {
		if got := read("en", text); got.Tool != "" && !got.Reads {
			t.Errorf("%q is %s with %.2f: %s %s", text, got.Deed, got.Probability, got.Tool, got.Arguments)
		}
	}
}

// What is said after an event was shown is of that event, also without a word for it. It is never plain.
func TestGoingOn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"yara comes too":               `{"selection":{"ids":["osteopath"]},"set":{"addAttendees":["Yara Stone"]}}`,
		"friday would be better":       `{"selection":{"ids":["osteopath"]},"to":{"date":"2026-11-27"}}`,
		"what's on friday":             `{"from":"2026-11-27","to":"2026-11-27"}`,
		"breakfast tomorrow at 8?":     ``,
		"piano on friday at 5":         ``,
		"put piano on friday at 5":     ``,
		"pon piano el viernes a las 5": ``,
	} {
		got := read("en", text, "osteopath")
		if string(got.Arguments) != want || got.Plain && !got.Reads {
			t.Errorf("%q is %s with %.2f: %s %s", text, got.Deed, got.Probability, got.Tool, got.Arguments)
		}
	}
}

// Where something goes never says which event is meant, even if nothing is where it is said to be.
func TestWhereItGoesIsNotWhereItIs(t *testing.T) {
	t.Parallel()
	for text, language := range map[string]string{
		"next week's osteopath, do it a day earlier": "en",
		"this week's tennis, move it to friday":      "en",
		"move my 2pm on Wednesday to 6pm":            "en",
		"move wednesday's fencing to friday":         "en",
		"move fencing on wednesday till friday":      "en",
		"move my 11am on thursday to 3pm":            "en",
		"mueve el fencing del miércoles al viernes":  "es",
		"תזיז את ה-fencing של יום רביעי ליום שישי":   "he",
	} {
		if got := read(language, text); got.Tool != "" && got.Probability > 0.5 {
			t.Errorf("%q is %s with %.2f: %s %s", text, got.Deed, got.Probability, got.Tool, got.Arguments)
		}
	}
}
