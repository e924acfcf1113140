package ground

import (
	"testing"

	"convene/pkg/interval"
)

// A series moves to other days of the week, or loses some; today is Monday, and fencing is on Tuesdays and Fridays.
func TestOnOtherDays(t *testing.T) {
	t.Parallel()
	const move, first = "calendar_moveEvents", `{"scope":"following","selection":{"ids":["fencing-24"]},"to":`
	for _, c := range []struct{ language, text, tool, arguments string }{
		{"en", "move fencing practice to wednesdays", move, first + `{"repeatsOn":["wednesday"]}}`},
		{"en", "fencing practice should be on mondays and thursdays at 6pm", move,
			first + `{"repeatsOn":["monday","thursday"],"time":"18:00"}}`},
		{"es", "mueve fencing practice a los jueves", move, first + `{"repeatsOn":["thursday"]}}`},
		{"he", "תעביר את fencing practice לימי רביעי", move, first + `{"repeatsOn":["wednesday"]}}`},
		{"en", "move the friday fencing practice to saturdays", move,
			`{"scope":"following","selection":{"ids":["fencing-27"],"weekdays":["friday"]},"to":{"repeatsOn":["saturday"]}}`},
		{"en", "move fencing practice to wednesdays in december", "", ""},
		{"en", "from thursday on fencing practice is on wednesdays", move,
			`{"scope":"following","selection":{"ids":["fencing-27"],"window":{"end":"2026-11-28","start":"2026-11-26"}},` +
				`"to":{"repeatsOn":["wednesday"]}}`},
		{"en", "cancel fencing practice on fridays, except the last one", "", ""},
		{"en", "cancel fencing practice on fridays", move, first + `{"repeatsOn":["tuesday"]}}`},
		{"en", "I've started piano practice, every wednesday", "", ""},
		{"en", "move fencing practice to wednesday", move, `{"selection":{"ids":["fencing-24"]},"to":{"date":"2026-11-25"}}`},
	} {
		got := Read(Message{Text: c.text, Language: c.language, Now: now, Things: chores()})
		if string(got.Arguments) != c.arguments || got.Tool != c.tool {
			t.Errorf("%q is %s, %s %s; want %s", c.text, got.Deed, got.Tool, got.Arguments, c.arguments)
		}
	}
}

// A series moves to another hour on the days that it has, all of it or from a day on.
func TestAtAnotherHour(t *testing.T) {
	t.Parallel()
	const (
		all      = `{"scope":"following","selection":{"ids":["fencing-24"]},"to":{"time":"21:30"}}`
		thursday = `{"scope":"following","selection":{"ids":["fencing-27"],` +
			`"window":{"end":"2026-11-28","start":"2026-11-26"}},"to":{"time":"21:30"}}`
	)
	for _, c := range []struct{ language, text, arguments string }{
		{"en", "move fencing practice to 9:30pm every day", all},
		{"en", "can you move fencing practice to 9:30pm every day from thursday on", thursday},
		{"en", "always do fencing practice at 9:30pm starting thursday", thursday},
		{"es", "pasa fencing practice a las 21:30 todos los días a partir del jueves", thursday},
		{"es", "pasa el fencing practice a las 21:30 a partir del jueves", thursday},
		{"he", "תזיז את ה-fencing practice ל-21:30 כל יום החל מיום חמישי", thursday},
		{"he", "מיום חמישי ה-fencing practice תמיד ב-21:30", thursday},
		{"en", "move fencing practice to 9:30pm every day this week", ""},
		{"en", "move fencing practice to every day at 9:30pm", ""},
		{"en", "make fencing practice every day", `{"selection":{"ids":["fencing-24"]},"set":{"recurrence":"FREQ=DAILY"}}`},
		{"en", "move fencing practice to 9:30pm every tuesday",
			`{"scope":"following","selection":{"ids":["fencing-24"]},"to":{"repeatsOn":["tuesday"],"time":"21:30"}}`},
		{"en", "move fencing practice from friday to 9:30pm",
			`{"selection":{"ids":["fencing-27"]},"to":{"time":"21:30"}}`},
		{"he", "תזיז את fencing practice מחר לשמונה בערב",
			`{"selection":{"ids":["fencing-24"]},"to":{"date":"2026-11-24","time":"20:00"}}`},
		{"en", "move fencing practice to 9:30pm on friday",
			`{"selection":{"ids":["fencing-27"]},"to":{"date":"2026-11-27","time":"21:30"}}`},
	} {
		got := Read(Message{Text: c.text, Language: c.language, Now: now, Things: chores()})
		if string(got.Arguments) != c.arguments {
			t.Errorf("%q is %s, %s %s; want %s", c.text, got.Deed, got.Tool, got.Arguments, c.arguments)
		}
	}
}

// The rest of a series follows what was done to one of it, if that is all that is said.
func TestSeriesThen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language, text, to string
		done               bool
		want               string
	}{
		{"en", "not just this week, every week", `{"byMinutes":30}`, true,
			`{"scope":"following","selection":{"ids":["fencing-27"]},"to":{"byMinutes":30}}`},
		{"es", "siempre", `{"date":"2026-11-24","time":"18:00"}`, false,
			`{"scope":"following","selection":{"ids":["fencing-24"]},"to":{"time":"18:00"}}`},
		{"he", "כל שבוע", `{"time":"18:00"}`, true,
			`{"scope":"following","selection":{"ids":["fencing-27"]},"to":{"time":"18:00"}}`},
		{"en", "every week", `{"date":"2026-11-25"}`, true, ""}, // to another day: that is asked
		{"en", "every week with yara", `{"byMinutes":30}`, true, ""},
	} {
		m := Message{
			Text: c.text, Language: c.language, Now: now, Things: chores(), Last: []string{"fencing-24"}, Done: c.done,
			Waits: true, Before: Call{Tool: "calendar_moveEvents", Arguments: []byte(`{"to":` + c.to + `}`)},
		}
		got := follow(m)
		if string(got.Arguments) != c.want {
			t.Errorf("%q after %s is %s %s, want %s", c.text, c.to, got.Tool, got.Arguments, c.want)
		}
	}
}

// What is to happen again and again at a time is a series.
func TestSeriesOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, rule, start string }{
		{"en", "choir every other monday at 6pm starting next week till the end of march",
			"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;UNTIL=20270331T235959Z", "2026-11-30T18:00"},
		{"en", "swim tuesdays and thursdays at 7am in december", "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261231T235959Z",
			"2026-12-01T07:00"},
		{"es", "natación los martes y jueves a las 7 de la mañana", "FREQ=WEEKLY;BYDAY=TU,TH", "2026-11-24T07:00"},
		{"es", "yoga cada martes a las 19:00 a partir de enero", "FREQ=WEEKLY;BYDAY=TU", "2027-01-05T19:00"},
		{"he", "יוגה כל יום שלישי בשבע בערב", "FREQ=WEEKLY;BYDAY=TU", "2026-11-24T19:00"},
		{"en", "journal daily at 9pm", "FREQ=DAILY", "2026-11-23T21:00"},
		{"en", "swim every monday or tuesday at 7am", "", ""},
		{"en", "swim every tuesday at 7am for six weeks", "", ""}, // how many that are is not read
		{"en", "swim every day at 7am except sunday", "", ""},
		{"en", "swim every tuesday", "", ""},
		{"en", "swim on tuesday at 7am", "", ""},
		{"en", "rent on the first of every month at 9", "", ""},
	} {
		got, ok := SeriesOf(Message{Text: c.text, Language: c.language, Now: now})
		if got.Rule != c.rule || got.Start != c.start || ok != (c.rule != "") {
			t.Errorf("%q is %+v, %v; want %s from %s", c.text, got, ok, c.rule, c.start)
		}
	}
}

// Hours are set by what people tell of their days, and by nothing that is only once or with others.
func TestHabit(t *testing.T) {
	t.Parallel()
	const (
		first = `{"updates":[{"days":[],`
		works = `"key":"working_hours",`
		some  = `{"updates":[{"days":`
	)
	for _, c := range []struct{ language, text, want string }{
		{"en", "on fridays I finish at 2", some + `["friday"],` + works + `"latest":"14:00","without":[]}]}`},
		{"es", "los viernes termino a las 2", some + `["friday"],` + works + `"latest":"14:00","without":[]}]}`},
		{"he", "ובימי שישי אני מסיים לעבוד בשתיים",
			some + `["friday"],` + works + `"latest":"14:00","without":[]}]}`},
		{"en", "I'm off on Mondays after 4", some + `["monday"],` + works + `"latest":"16:00","without":[]}]}`},
		{"en", "I start at 10 on mondays", some + `["monday"],"earliest":"10:00",` + works + `"without":[]}]}`},
		{"es", "trabajo de 9 a 6 de lunes a miércoles", first + works + `"value":"{` +
			`\"mon\":[{\"start\":\"09:00\",\"end\":\"18:00\"}],\"tue\":[{\"start\":\"09:00\",\"end\":\"18:00\"}],` +
			`\"wed\":[{\"start\":\"09:00\",\"end\":\"18:00\"}]}","without":[]}]}`},
		{"en", "don't book anything between 1 and 2, that's when I eat",
			first + `"key":"lunch_hours","value":"{\"defaultEnd\":\"14:00\",\"defaultStart\":\"13:00\"}",` +
				`"without":[]}]}`},
		{"he", "אני אוכל צהריים כל יום מ-12:30 עד 1",
			first + `"key":"lunch_hours","value":"{\"defaultEnd\":\"13:00\",\"defaultStart\":\"12:30\"}",` +
				`"without":[]}]}`},
		{"en", "I finish on friday at 2", ""},
		{"en", "I work tomorrow and friday from 9 to 1", ""},
		{"en", "I'm off next monday and tuesday after 3", ""},
		{"en", "I work 9 to 5 every day but not fridays", ""},
		{"en", "I'm off on Mondays until noon", some + `["monday"],"earliest":"12:00",` + works + `"without":[]}]}`},
		{"es", "como siempre, a las 2", ""},
		{"en", "I have lunch with Yara every friday at 1", ""},
		{"es", "salgo el viernes a las 2", ""},
		{"en", "I work with the band on fridays at 2", ""},
	} {
		people := []Person{{Name: "Yara Stone", Said: "Yara"}}
		got := habit(Message{Text: c.text, Language: c.language, Now: now, People: people})
		if string(got.Arguments) != c.want {
			t.Errorf("%q is %s, want %s", c.text, got.Arguments, c.want)
		}
	}
	if r := interval.DateOf(now).Weekday(); r != 1 {
		t.Fatalf("the tests begin on %v", r)
	}
}
