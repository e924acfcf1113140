package ground

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
)

// What is asked of the own day and things is shown as it was asked for, and nothing that narrows it is lost.
func TestLooks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "which day is the lightest this week?",
			`schedule_analyzeUtilization {"date":"2026-11-23","until":"2026-11-29","which":"lightest"}`},
		{"en", "what's my busiest day next week",
			`schedule_analyzeUtilization {"date":"2026-11-30","until":"2026-12-06","which":"fullest"}`},
		{"es", "¿cuál es mi día menos ocupado?",
			`schedule_analyzeUtilization {"date":"2026-11-23","until":"2026-11-29","which":"lightest"}`},
		{"he", "באיזה יום אני הכי עמוס השבוע",
			`schedule_analyzeUtilization {"date":"2026-11-23","until":"2026-11-28","which":"fullest"}`},
		{"en", "what do i have besides work tomorrow?", `calendar_findEvents {"aspect":"list","selection":` +
			`{"except":[{"titleHas":["work"]}],"window":{"start":"2026-11-24","end":"2026-11-25"}}}`},
		{"es", "qué hay para el viernes", `schedule_viewSchedule {"from":"2026-11-27","to":"2026-11-27"}`},
		{"es", "¿qué tareas tengo para el viernes?", `task_viewTasks {"selection":{"assignee":"me","dueTo":"2026-11-27"}}`},
		{"en", "what meetings do I have with Yara?", `calendar_findEvents {"aspect":"list","selection":` +
			`{"window":{"start":"2026-11-23","end":"2026-12-21"},"with":["Yara Stone"]}}`},
		{"en", "what meetings do I have with Yara today?", `calendar_findEvents {"aspect":"list","selection":` +
			`{"window":{"start":"2026-11-23","end":"2026-11-24"},"with":["Yara Stone"]}}`},
		{"en", "how much free time do i have left tomorrow", `schedule_findGaps {"date":"2026-11-24"}`},
		{"en", "when's the next time i'm free for three hours straight", `calendar_findTimes ` +
			`{"durationMinutes":180,"people":[],"window":{"start":"2026-11-23","end":"2026-12-01"}}`},
		{"es", "¿cuándo es el próximo hueco de tres horas?", `calendar_findTimes ` +
			`{"durationMinutes":180,"people":[],"window":{"start":"2026-11-23","end":"2026-12-01"}}`},
		{"en", "am i free for lunch on wednesday",
			`schedule_findGaps {"between":{"start":"12:00","end":"14:00"},"date":"2026-11-25"}`},
		{"en", "what do i have to get done today?", `task_viewTasks {"selection":{"assignee":"me","dueTo":"2026-11-23"}}`},
		{"es", "¿qué me queda pendiente hoy?", `task_viewTasks {"selection":{"assignee":"me","dueTo":"2026-11-23"}}`},
		{"he", "אילו משימות יש לי היום?", `task_viewTasks {"selection":{"assignee":"me","dueTo":"2026-11-23"}}`},
		{"en", "is anything overdue?", `task_viewTasks {"selection":{"assignee":"me","overdue":true}}`},
		{"en", "everyone's overdue tasks", `task_viewTasks {"selection":{"overdue":true}}`},
		{"en", "my reminders for tomorrow",
			`task_viewTasks {"reminded":{"start":"2026-11-24","end":"2026-11-25"},"selection":{"assignee":"me"}}`},
		{"en", "what have you stored about me?", `preference_view {"keys":[]}`},
		{"es", "¿qué preferencias tienes guardadas?", `preference_view {"keys":[]}`},
		{"he", "אילו העדפות שמרת לי?", `preference_view {"keys":[]}`},
		{"en", "who all do i know", `contact_find {"aspect":null,"query":null}`},
		{"es", "¿qué hay en mis listas?", `list_view {"list":null}`},
		{"he", "מה יש ברשימות שלי?", `list_view {"list":null}`},
		{"en", "any notes on boats?", `note_search {"query":"boats","tags":[]}`},
		{"en", "rank my to-dos", `task_getBacklogWithScores {}`},
		{"en", "what should i do now?", `task_getBacklogWithScores {}`},
		{"en", "what can i do in half an hour", `task_suggestForDuration {"duration":30}`},
		{"en", "what can I get done in the next 20 minutes", `task_suggestForDuration {"duration":20}`},
		{"en", "which of my tasks could i finish in under 20 minutes before the end of the day",
			`task_suggestForDuration {"duration":20}`},
		{"he", "אילו משימות אפשר לגמור ב-20 דקות לפני סוף היום", `task_suggestForDuration {"duration":20}`},
		{"he", "מה יש לי לעשות השבוע שדחוף?",
			`task_viewTasks {"selection":{"assignee":"me","dueTo":"2026-11-28","priority":"high"}}`},
		{"en", "what's still open this week?",
			`task_viewTasks {"selection":{"dueFrom":"2026-11-23","dueTo":"2026-11-29"}}`},
		{"en", "who are my contacts?", `contact_find {"aspect":null,"query":null}`},
		{"he", "מי אנשי הקשר שלי?", `contact_find {"aspect":null,"query":null}`},
		{"en", "any birthdays this month?",
			`contact_find {"birthdays":{"start":"2026-11-23","end":"2026-12-01"}}`},
		{"en", "when's her birthday", " "}, // and nobody knows whose
		{"en", "what's due this week that's mine",
			`task_viewTasks {"selection":{"assignee":"me","dueFrom":"2026-11-23","dueTo":"2026-11-29"}}`},
		{"en", "anything i can drop tomorrow?", `calendar_suggestLighter {"date":"2026-11-24"}`},
		{"en", "what else do i have about home", `note_search {"query":"home","tags":[]}`},
		{"en", "show my notes about work", `note_search {"query":"work","tags":[]}`},
		{"en", "show my notes from last month about the boiler", `note_search {"query":"boiler","tags":[],` +
			`"window":{"start":"2026-10-01T00:00","end":"2026-11-01T00:00"}}`},
		{"es", "mis notas de octubre", `note_search {"query":null,"tags":[],` +
			`"window":{"start":"2026-10-01T00:00","end":"2026-11-01T00:00"}}`},
	} {
		if got := read(c.language, c.text); got.Tool+" "+string(got.Arguments) != c.want {
			t.Errorf("%q is %s with %.2f, %s %s; want %s", c.text, got.Deed, got.Probability, got.Tool, got.Arguments, c.want)
		}
	}
}

// A question of what else there is says nothing more of the one event that was seen.
func TestWhatElseThereIs(t *testing.T) {
	t.Parallel()
	for text, language := range map[string]string{
		"y qué más tengo para el viernes": "es", "qué más hay el viernes": "es", "and what else do i have for friday": "en",
		"ומה עוד יש לי ביום שישי": "he",
	} {
		if got := read(language, text, "osteopath"); got.Tool != "" && got.Tool != "schedule_viewSchedule" {
			t.Errorf("%q is %s with %.2f, %s %s", text, got.Deed, got.Probability, got.Tool, got.Arguments)
		}
	}
}

// Few words go on with what was shown: to what comes after it, to the other end, or with one of what was listed.
func TestWhatComesNext(t *testing.T) {
	t.Parallel()
	shown := func(tool, call string) Call { return Call{tool, []byte(call)} }
	found := shown("calendar_findEvents", `{}`)
	compared := shown("schedule_analyzeUtilization", `{"date":"2026-11-23","until":"2026-11-29","which":"lightest"}`)
	kept := shown("preference_updatePreferences", `{"updates":[{"key":"lunch_hours"}]}`)
	tasks := shown("task_viewTasks", `{}`)
	for _, c := range []struct {
		before         Call
		last           []string
		language, text string
		want           string
	}{
		{compared, nil, "en", "and the busiest?",
			`schedule_analyzeUtilization {"date":"2026-11-23","until":"2026-11-29","which":"fullest"}`},
		{compared, nil, "es", "¿y el más ocupado?",
			`schedule_analyzeUtilization {"date":"2026-11-23","until":"2026-11-29","which":"fullest"}`},
		{found, []string{"fencing-24"}, "en", "and the one after?",
			`calendar_findEvents {"aspect":"when","selection":{"ids":["fencing-27"]}}`},
		{found, []string{"harbour", "fencing-24"}, "en", "what's the next thing after that",
			`calendar_findEvents {"aspect":"when",` +
				`"selection":{"first":1,"order":"start","window":{"start":"2026-11-27T11:00","end":"2027-11-27T11:00"}}}`},
		{found, []string{"harbour", "fencing-24"}, "he", "ואחרי זה?", `calendar_findEvents {"aspect":"when",` +
			`"selection":{"first":1,"order":"start","window":{"start":"2026-11-27T11:00","end":"2027-11-27T11:00"}}}`},
		{found, []string{"harbour"}, "en", "and before it?", `calendar_findEvents {"aspect":"list","selection":` +
			`{"window":{"start":"2026-11-27T00:00","end":"2026-11-27T10:00"}}}`},
		{found, []string{"harbour"}, "en", "make it 3:30 to 4:15", `calendar_moveEvents ` +
			`{"selection":{"ids":["harbour"]},"to":{"durationMinutes":45,"time":"15:30"}}`},
		{found, []string{"harbour"}, "en", "actually make it 3:30 and only 45 minutes", `calendar_moveEvents ` +
			`{"selection":{"ids":["harbour"]},"to":{"durationMinutes":45,"time":"15:30?"}}`},
		{found, []string{"harbour"}, "en", "how long until then",
			`calendar_findEvents {"aspect":"when","selection":{"ids":["harbour"]}}`},
		{shown("task_updateTask", `{"updates":{"dueDate":"2026-11-27"}}`), []string{"visa"}, "en",
			"push the gutters to monday", `task_updateTask ` +
				`{"selection":{"ids":["gutters"]},"updates":{"dueDate":"2026-11-30"}}`},
		{shown("task_updateTask", `{"updates":{"reminder":"2026-11-24T10:00"}}`), []string{"visa"}, "en", "no, 10:30",
			`task_updateTask {"selection":{"ids":["visa"]},"updates":{"reminder":"2026-11-24T10:30"}}`},
		{found, []string{"bday"}, "en", "what day of the week is that",
			`calendar_findEvents {"aspect":"when","selection":{"ids":["bday"]}}`},
		{kept, nil, "en", "forget that", `preference_forget {"keys":["lunch_hours"]}`},
		{tasks, []string{"visa", "gutters"}, "en", "cancel the first one", `task_deleteTask {"selection":{"ids":["visa"]}}`},
		{found, []string{"bday"}, "en", "remind me the day before", `task_createTask {"dependencies":[],` +
			`"reminder":"2026-12-01T09:00","tags":[],"title":"Nadia's birthday"}`},
		{found, nil, "en", "remind me the day before", " "},
		{found, nil, "en", "remind me 3 days before to buy a card", " "},
		{found, []string{"bday"}, "en", "any other birthdays coming up?",
			`contact_find {"birthdays":{"start":"2026-11-23","end":"2027-11-23"}}`},
	} {
		birthday := interval.From(time.Date(2026, time.December, 2, 0, 0, 0, 0, time.UTC), 24*time.Hour)
		m := Message{
			Text: c.text, Language: c.language, Now: now, Last: c.last, Listed: c.last, Before: c.before,
			Things: append(home(), Thing{Kind: Event, ID: "bday", Title: "Nadia's birthday", Span: birthday}),
		}
		if len(c.last) == 1 {
			m.AtHand = c.last[0]
		}
		if got := Read(m); got.Tool+" "+string(got.Arguments) != c.want {
			t.Errorf("%q after %s is %s %s, want %s", c.text, c.before.Tool, got.Tool, got.Arguments, c.want)
		}
	}
}

// What is guessed of a change is asked for before it is made.
func TestGuesses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"I prefer mornings": `preference_updatePreferences ` +
			`{"updates":[{"days":[],"earliest":"08:00","key":"meeting_hours","latest":"12:00","without":[]}]}`,
		"never have lunch before 12:30": `preference_updatePreferences {"updates":[{"days":[],"key":"lunch_hours",` +
			`"value":"{\"defaultEnd\":\"13:30\",\"defaultStart\":\"12:30\"}","without":[]}]}`,
		"put 15 minutes between the harbour walk and fencing practice on friday": createBlock + ` {"date":"2026-11-27",` +
			`"durationMinutes":15,"endTime":"18:00","startTime":"11:00","title":"Blocked","type":"blocked"}`,
		"put 15 minutes between fencing practice and the osteopath": " ", // which are on different days
		"i prefer tea": " ",
	} {
		if got := read("en", text); got.Tool+" "+string(got.Arguments) != want || got.Sure {
			t.Errorf("%q is %s %s, want %s; sure: %v", text, got.Tool, got.Arguments, want, got.Sure)
		}
	}
}

// "And" goes on with the day that was shown.
func TestTheDayShownGoesOn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"and in the afternoon?": "2026-11-26", "what's on in the afternoon?": "2026-11-23",
	} {
		got := Read(Message{
			Text: text, Language: "en", Now: now, Things: home(), Day: interval.Date{Year: 2026, Month: time.November, Day: 26},
		})
		if !strings.Contains(string(got.Arguments), want) {
			t.Errorf("%q is %s %s, want %s", text, got.Tool, got.Arguments, want)
		}
	}
}

// A thing on a list is not meant where only a task of that name can be.
func TestATaskIsMeantAndNoItem(t *testing.T) {
	t.Parallel()
	m := Message{Text: "push the visa thing to monday", Language: "en", Now: now}
	m.Things = append(home(), Thing{Kind: Item, ID: "visa-item", Title: "visa", List: "boat"})
	const want = `{"selection":{"ids":["visa"]},"updates":{"dueDate":"2026-11-30"}}`
	if got := Read(m); got.Tool != "task_updateTask" || string(got.Arguments) != want {
		t.Errorf("%s %s", got.Tool, got.Arguments)
	}
}

// What takes something back asks for nothing that an answer could complete.
func TestARefusalIsNotAnswered(t *testing.T) {
	t.Parallel()
	m := Message{Text: "at 6 instead", Language: "en", Now: now, Things: home()}
	if got := Answered(m, "no just the fencing practice"); got != "" {
		t.Errorf("%q", got)
	}
}

func TestAsMove(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "cancel my gym on friday and put it on saturday", "move my gym on friday to saturday"},
		{"es", "cancela el gimnasio del viernes y ponlo el sábado", "pasa el gimnasio del viernes a el sábado"},
		{"en", "cancel my gym and put it on my shopping list", "cancel my gym and put it on my shopping list"},
	} {
		if got := asMove(Message{Text: c.text, Language: c.language, Now: now}); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

// An hour that is said alone is in the half of the day in which it was before, unless people sleep then.
func TestTheNearestHour(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"07:00", "18:00", "19:00"}, {"10:00", "09:00", "10:00"}, {"17:00", "09:00", "17:00"}, {"15:00", "", "15:00"},
	} {
		if got := nearest(c[0], c[1]); got != c[2] {
			t.Errorf("%v is %s", slices.Clone(c[:]), got)
		}
	}
}

// The hours of some days are set beside those of the rest, or not at all.
func TestHoursOfOtherDays(t *testing.T) {
	t.Parallel()
	week := func(usual, friday string) string {
		var all []string
		for _, day := range []string{"mon", "tue", "wed", "thu"} {
			all = append(all, fmt.Sprintf(`\"%s\":[%s]`, day, usual))
		}
		return strings.Join(all, ",") + fmt.Sprintf(`,\"fri\":[%s]`, friday)
	}
	hours := func(start, end string) string { return fmt.Sprintf(`{\"start\":\"%s\",\"end\":\"%s\"}`, start, end) }
	for text, want := range map[string]string{
		"I work 8:30 to 5, fridays only till 1":          week(hours("08:30", "17:00"), hours("08:30", "13:00")),
		"my working hours are 9 to 5:30, fridays 9 to 3": week(hours("09:00", "17:30"), hours("09:00", "15:00")),
		"trabajo de 9 a 5, los viernes hasta las 3":      week(hours("09:00", "17:00"), hours("09:00", "15:00")),
	} {
		got := Read(Message{Text: text, Now: now, Things: home()})
		if got.Tool != "preference_updatePreferences" || !strings.Contains(string(got.Arguments), want) {
			t.Errorf("%q is %s: %s, want %s", text, got.Tool, got.Arguments, want)
		}
		if !OnOtherDays(text) {
			t.Errorf("%q has hours of other days", text)
		}
	}
}
