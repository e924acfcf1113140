package ground

import "testing"

// What is told without a name after a call for the calendar is of the event at hand, with what waits of it.
func TestOfAtHand(t *testing.T) {
	t.Parallel()
	const (
		update  = "calendar_updateEvents"
		at      = `{"selection":{"ids":["osteopath"]},"set":`
		invites = at + `{"addAttendees":["Yara Stone","Al"]}}`
		moves   = `{"selection":{"ids":["osteopath"]},"to":{"time":"17:00"}}`
	)
	for _, c := range []struct{ language, text, before, arguments, want string }{
		{"en", "it's at the harbour clinic, put that in", update, invites,
			at + `{"addAttendees":["Yara Stone","Al"],"location":"the harbour clinic"}}`},
		{"es", "es en la calle Mayor 5", "calendar_findEvents", `{}`, at + `{"location":"la calle Mayor 5"}}`},
		{"he", "ותכתוב שזה במרפאה ברחוב הנמל", "calendar_findEvents", `{}`, at + `{"location":"מרפאה ברחוב הנמל"}}`},
		{"en", "it's at 6", "calendar_findEvents", `{}`, ""},
		{"en", "it's at the same time as fencing", "calendar_findEvents", `{}`, ""},
		{"es", "está en conflicto con esgrima", "calendar_findEvents", `{}`, ""},
		{"he", "תרשום שזה ביומן", "calendar_findEvents", `{}`, ""},
		{"en", "it's in haifa, right?", "calendar_findEvents", `{}`, ""},
		{"en", "take yara to the dentist on friday", update, invites, ""},
		{"en", "drop yara a line that i'm late", update, invites, ""},
		{"en", "take yara off and move it to 5", update, invites, ""},
		{"en", "and add a note to my shopping list: eggs", "calendar_findEvents", `{}`, ""},
		{"en", "it's in my calendar", "calendar_findEvents", `{}`, ""},
		{"en", "and add a note: bring the scans", "calendar_findEvents", `{}`, at + `{"addNotes":"bring the scans"}}`},
		{"es", "y añade una nota: llevar la tarjeta", "calendar_findEvents", `{}`, at + `{"addNotes":"llevar la tarjeta"}}`},
		{"en", "add a note: bring the scans", "calendar_findEvents", `{}`, ""}, // a note of the user's own
		{"en", "take yara off again, she can't make it", update, invites, at + `{"addAttendees":["Al"]}}`},
		{"en", "no wait, not yara", update, invites, at + `{"addAttendees":["Al"]}}`},
		{"en", "also make it an hour and a half", "calendar_moveEvents", moves,
			`{"scope":null,"selection":{"ids":["osteopath"]},"to":{"durationMinutes":90,"time":"17:00"}}`},
		{"en", "i'm running late, make it start at 3:30 and end the same", "calendar_findEvents", `{}`,
			`{"selection":{"ids":["osteopath"]},"to":{"durationMinutes":30,"time":"15:30"}}`},
		{"es", "llego tarde, pon que empieza a las 3 y media y termina igual", "calendar_findEvents", `{}`,
			`{"selection":{"ids":["osteopath"]},"to":{"durationMinutes":30,"time":"15:30"}}`},
		{"he", "אני מאחרת, תרשום שזה מתחיל ב-15:30 ונגמר אותו דבר", "calendar_findEvents", `{}`,
			`{"selection":{"ids":["osteopath"]},"to":{"durationMinutes":30,"time":"15:30"}}`},
		{"en", "make it start at 6 and end the same", "calendar_findEvents", `{}`, ""},
		{"en", "it's at the harbour clinic", "task_createTask", `{}`, ""},
		{"en", "move it to 8", "calendar_createEvents", `{"events":[{"recurrence":"FREQ=DAILY"}]}`,
			`{"scope":"all","selection":{"ids":["osteopath"]},"to":{"time":"08:00?"}}`},
		{"es", "mejor ponlo a las 8", "calendar_createEvents", `{"events":[{"recurrence":"FREQ=DAILY"}]}`,
			`{"scope":"all","selection":{"ids":["osteopath"]},"to":{"time":"08:00?"}}`},
		{"en", "move it to 8 on friday", "calendar_createEvents", `{"events":[{"recurrence":"FREQ=DAILY"}]}`, ""},
	} {
		m := Message{
			Text: c.text, Language: c.language, Now: now, Things: chores(), AtHand: "osteopath", Last: []string{"osteopath"},
			Waits: true, Done: c.before == "calendar_createEvents", Before: Call{Tool: c.before, Arguments: []byte(c.arguments)},
			People: []Person{{Name: "Yara Stone", Said: "yara"}},
		}
		if got := ofAtHand(m); string(got.Arguments) != c.want {
			t.Errorf("%q after %s is %s %s, want %s", c.text, c.before, got.Tool, got.Arguments, c.want)
		}
	}
}

// One event that is named, and nothing but what is asked or told of it.
func TestOfOneEvent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, tool, arguments string }{
		{"en", "show me the osteopath", "calendar_findEvents", `{"aspect":"details","selection":{"ids":["osteopath"]}}`},
		{"es", "muéstrame el osteopath", "calendar_findEvents", `{"aspect":"details","selection":{"ids":["osteopath"]}}`},
		{"en", "fencing practice is at 6 this friday, just this once", "calendar_moveEvents",
			`{"selection":{"ids":["fencing-27"]},"to":{"date":"2026-11-27","time":"18:00?"}}`},
		{"en", "the osteopath moved to friday", "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"date":"2026-11-27"}}`},
		{"en", "the osteopath is at 5 so pick up the kids first", "", ""},
		{"en", "the osteopath is nice", "", ""},
	} {
		got := ofOneEvent(Message{Text: c.text, Language: c.language, Now: now, Things: chores()})
		if got.Tool != c.tool || string(got.Arguments) != c.arguments {
			t.Errorf("%q is %s %s, want %s %s", c.text, got.Tool, got.Arguments, c.tool, c.arguments)
		}
	}
}
