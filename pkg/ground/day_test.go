package ground

import "testing"

// What people say of their own day is in the call, and nothing that they do not say.
func TestTheOwnDay(t *testing.T) {
	t.Parallel()
	const osteopath, set = `"selection":{"ids":["osteopath"]}`, "calendar_updateEvents"
	const find, create, block = "calendar_findEvents", "calendar_createEvents", "schedule_createTimeBlock"
	for _, c := range []struct{ language, text, tool, arguments string }{
		// A day beside a length tells which event is meant.
		{"en", "shift fencing practice on friday half an hour later", "calendar_moveEvents",
			`{"selection":{"ids":["fencing-27"]},"to":{"byMinutes":30}}`},
		// Hours and a day that stand apart are said of the same events, and a day before all names is that of all.
		{"en", "push everything after 5 pm by half an hour on friday", "calendar_moveEvents",
			`{"selection":{"ids":["fencing-27"]},"to":{"byMinutes":30}}`},
		{"en", "push everything after 9 pm by half an hour on friday", "", ""},
		{"en", "friday: cancel the harbour walk and fencing practice", "calendar_deleteEvents",
			`{"selection":{"ids":["harbour","fencing-27"]}}`},
		// Who will not be there on its day does not move it.
		{"en", "i'd rather not do fencing practice on friday", "calendar_deleteEvents",
			`{"selection":{"ids":["fencing-27"]}}`},
		{"en", "move fencing practice on friday to saturday", "calendar_moveEvents",
			`{"selection":{"ids":["fencing-27"]},"to":{"date":"2026-11-28"}}`},
		{"en", "friday: cancel the harbour walk and the osteopath", "", ""},
		// "It" is one thing, and not all of its day.
		{"es", "no puedo ir al cóctel el viernes, quítalo", "", ""},
		// "More" is in addition, and a day tells that not all of a series is meant.
		{"en", "fencing practice on tuesday always overruns, give it 30 more minutes", set,
			`{"selection":{"ids":["fencing-24"]},"set":{"longerByMinutes":30}}`},
		// How something is not called is no name.
		{"en", "rename the osteopath to knee check, not checkup", set, `{` + osteopath + `,"set":{"title":"knee check"}}`},
		{"es", `cambia el nombre de osteopath por "rodilla", no por "pie"`, set,
			`{` + osteopath + `,"set":{"title":"rodilla"}}`},
		{"he", "תשני את השם של osteopath ל-knee, לא foot", set, `{` + osteopath + `,"set":{"title":"knee"}}`},
		// Where an event is, is told.
		{"en", "the osteopath is in oakland now", set, `{` + osteopath + `,"set":{"location":"oakland"}}`},
		{"es", "el osteopath es en la sala tres", set, `{` + osteopath + `,"set":{"location":"la sala tres"}}`},
		// What stands after an event, or before it, is on its day.
		{"en", "what's after the harbour walk?", find, `{"aspect":"list","selection":` +
			`{"window":{"start":"2026-11-27T11:00","end":"2026-11-28T00:00"}}}`},
		{"en", "what comes right after the harbour walk", find, `{"aspect":"list","selection":` +
			`{"first":1,"order":"start","window":{"start":"2026-11-27T11:00","end":"2026-11-28T00:00"}}}`},
		{"es", "¿qué tengo después del osteopath?", find, `{"aspect":"list","selection":` +
			`{"window":{"start":"2026-11-26T16:00","end":"2026-11-27T00:00"}}}`},
		{"he", "מה יש לי אחרי ה-osteopath?", find, `{"aspect":"list","selection":` +
			`{"window":{"start":"2026-11-26T16:00","end":"2026-11-27T00:00"}}}`},
		// Time is kept beside an event, for all that is named, and for whole days.
		{"en", "block half an hour before the osteopath for getting there", block, `{"date":"2026-11-26",` +
			`"endTime":"15:00","startTime":"14:30","title":"getting there","type":"blocked"}`},
		{"es", "bloquea media hora antes del osteopath para llegar", block, `{"date":"2026-11-26",` +
			`"endTime":"15:00","startTime":"14:30","title":"llegar","type":"blocked"}`},
		{"he", "תחסמי חצי שעה לפני ה-osteopath", block, `{"date":"2026-11-26",` +
			`"endTime":"15:00","startTime":"14:30","title":"זמן חסום","type":"blocked"}`},
		{"en", "block tomorrow 9 to 10 for reading and writing", block, `{"date":"2026-11-24",` +
			`"endTime":"10:00","startTime":"09:00","title":"reading and writing","type":"blocked"}`},
		{"en", "i'm away 7th to 9th of december, block those days out", create,
			`{"events":[{"end":"2026-12-10","start":"2026-12-07","title":"Blocked"}]}`},
		{"es", "bloquea del 7 al 9 de diciembre", create,
			`{"events":[{"end":"2026-12-10","start":"2026-12-07","title":"Bloqueado"}]}`},
		{"es", "bloquea toda la semana que viene", create,
			`{"events":[{"end":"2026-12-07","start":"2026-11-30","title":"Bloqueado"}]}`},
		// Who states to be away is away on whole days.
		{"en", "i'm on vacation next week", create,
			`{"events":[{"end":"2026-12-07","start":"2026-11-30","title":"Vacation"}]}`},
		{"en", "block every morning on monday", block, `{"date":"2026-11-30","endTime":"12:00","startTime":"08:00",` +
			`"title":"Blocked","type":"blocked"}`},
		{"en", "block 30 minutes after lunch", block, `{"date":"2026-11-23","durationMinutes":30,"endTime":"17:00",` +
			`"startTime":"13:00","title":"Blocked","type":"blocked"}`},
		{"en", "block lunch tomorrow 12 to 1", block, `{"date":"2026-11-24","endTime":"13:00","startTime":"12:00",` +
			`"title":"lunch","type":"blocked"}`},
		{"en", "i'm off sick tomorrow", create,
			`{"events":[{"end":"2026-11-25","start":"2026-11-24","title":"Off sick"}]}`},
		{"es", "hoy estoy enferma", create, `{"events":[{"end":"2026-11-24","start":"2026-11-23","title":"Enferma"}]}`},
		{"en", "taking friday off", create, `{"events":[{"end":"2026-11-28","start":"2026-11-27","title":"Off"}]}`},
		{"en", "i'll be in Berlin from the 7th to the 9th of december", create,
			`{"events":[{"end":"2026-12-10","start":"2026-12-07","title":"In Berlin"}]}`},
		{"en", "out of office from 2 to 4 on friday", block, `{"date":"2026-11-27",` +
			`"endTime":"16:00","startTime":"14:00","title":"Out of office","type":"blocked"}`},
		{"es", "el viernes no trabajo", create,
			`{"events":[{"end":"2026-11-28","start":"2026-11-27","title":"No trabajo"}]}`},
		{"he", "אני בחופשה בשבוע הבא", create,
			`{"events":[{"end":"2026-12-06","start":"2026-11-29","title":"חופשה"}]}`},
		{"en", "block friday all day", create, `{"events":[{"end":"2026-11-28","start":"2026-11-27","title":"Blocked"}]}`},
		// The event beside which another one goes is that of the day which is named.
		{"en", "move the harbour walk to right after fencing practice on friday", "calendar_moveEvents",
			`{"selection":{"ids":["harbour"]},"to":{"date":"2026-11-27","time":"19:00"}}`},
	} {
		if got := read(c.language, c.text); got.Tool != c.tool || string(got.Arguments) != c.arguments {
			t.Errorf("%q is %s with %.2f, %s %s; want %s %s",
				c.text, got.Deed, got.Probability, got.Tool, got.Arguments, c.tool, c.arguments)
		}
	}
}

// Nothing is changed by what only asks, by what the user did not say, or by words for only some events of a time. Two
// events that change places are no move, and a day of which nothing was said is none.
func TestTheOwnDayStays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text string }{
		{"en", "i didnt say cancel the osteopath"}, {"en", "I don't want to cancel the osteopath"},
		{"es", "no te dije que cancelaras el osteopath"}, {"he", "לא אמרתי לבטל את ה-osteopath"},
		{"en", "what is the osteopath moved to"}, {"en", "shift the osteopath"},
		{"en", "cancel all recurring meetings next week"}, {"es", "cancela las reuniones privadas del viernes"},
		{"he", "תבטלי את כל הפגישות הפרטיות ביום שישי"}, {"en", "clear that day"},
		{"es", "renombra osteopath como harbour walk"},
		{"en", "call the osteopath harbour walk"},
		{"en", "friday is gutters"}, {"en", "swap the osteopath and the harbour walk"},
		{"es", "cambia el osteopath por la harbour walk"},
		{"he", "תחליפי בין ה-osteopath ל-harbour walk"},
	} {
		if got := read(c.language, c.text); got.Tool != "" && !got.Reads {
			t.Errorf("%q is %s with %.2f: %s %s", c.text, got.Deed, got.Probability, got.Tool, got.Arguments)
		}
	}
}
