package offline

import (
	"encoding/json"
	"testing"
)

func TestThingsAreWellFormed(t *testing.T) {
	t.Parallel()
	for _, language := range languages() {
		if _, err := readThings(language); err != nil {
			t.Error(err)
		}
	}
}

// A tool, the things that it means and its values are each read by a rule of their own.
func TestThing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, language, want string }{
		{"remind me to mend the kite by friday", "en",
			`task_createTask {"dueDate":"2026-03-06","reminder":"2026-03-06","title":"mend the kite"}`},
		{"Remind me at 5pm to ring Ines", "en", `task_createTask {"reminder":"2026-03-04T17:00","title":"ring Ines"}`},
		{"every friday remind me to air the tent", "en", `task_createTask {"dueDate":"2026-03-06",` +
			`"recurrence":"FREQ=WEEKLY;BYDAY=FR","reminder":"2026-03-06","title":"air the tent"}`},
		{"add a task: Mend the kite, it takes an hour, high priority", "en",
			`task_createTask {"estimatedMinutes":60,"priority":"high","title":"Mend the kite"}`},
		{"reassign Rotem's overdue tasks to Ines", "en",
			`task_updateTask {"assignee":"Ines","selection":{"assignee":"Rotem","overdue":true}}`},
		{"push the kite task back two days", "en",
			`task_updateTask {"laterByDays":2,"selection":{"one":true,"titleHas":["kite"]}}`},
		{"put twine, two hooks and glue on the kite list", "en",
			`list_add {"items":["twine","two hooks","glue"],"list":"kite"}`},
		{"got the twine", "en", "none"},
		{"i got the twine", "en", `list_setItem {"done":true,"items":["twine"]}`},
		{"note that the kite is red", "en", `note_save {"text":"the kite is red"}`},
		{"Ines's birthday is march 9th 1985", "en",
			`contact_save {"birthday":"1985-03-09","contact":"Ines"}`},
		{"what's Ines's birthday", "en", `contact_find {"aspect":"birthday","query":"Ines"}`},
		{"תזכיר לי לתקן את העפיפון עד יום שישי", "he",
			`task_createTask {"dueDate":"2026-03-06","reminder":"2026-03-06","title":"לתקן את העפיפון"}`},
		{"תוסיף חוט ודבק לרשימת הקניות", "he", `list_add {"items":["חוט","דבק"],"list":"קניות"}`},
		{"recordame el viernes arreglar el barrilete", "es",
			`task_createTask {"reminder":"2026-03-06","title":"arreglar el barrilete"}`},
		{"¿qué hay en la lista de la compra?", "es", `list_view {"list":"compra"}`},
		{"put glue on the kite list, the old one is dry", "en", `list_add {"items":["glue"],"list":"kite"}`},
		{"pon cola en la lista de la compra, que ya no queda", "es", `list_add {"items":["cola"],"list":"compra"}`},
		{"תוסיף דבק לרשימת הקניות, נגמר לנו", "he", `list_add {"items":["דבק"],"list":"קניות"}`},
		{"mete cola en la lista, mañana pego la cometa", "es", "none"},
		{"we need 5 hooks on the kite list, not 3", "en", `list_setItem {"items":["5 hooks"],"list":"kite"}`},
		{"change the hooks on the kite list to 3", "en", `list_setItem {"items":["3 hooks"],"list":"kite"}`},
		{"rename the kite list to Winter", "en", `list_rename {"list":"kite","name":"Winter"}`},
		{"clear everything ticked off", "en", `list_remove {"which":"done"}`},
		{"we're out of time", "en", "none"},
		{"put it on the kite list", "en", "none"},
		{"what's the code of the kite locker", "en", `note_search {"query":"code of the kite locker"}`},
		{"forget what I noted about the kite", "en", `note_delete {"notes":["kite"]}`},
		{"new contact: Ines Roth, ines@kites.example, kite maker", "en",
			`contact_save {"emails":["ines@kites.example"],"name":"Ines Roth","role":"kite maker"}`},
		{"guarda a Ines Roth como mi vecina, 600 555 011", "es",
			`contact_save {"name":"Ines Roth","phone":"600 555 011","role":"vecina"}`},
		{"תשמור את אינס רוט כשכנה שלי, 050-5550111", "he",
			`contact_save {"name":"אינס רוט","phone":"050-5550111","role":"שכנה"}`},
		{"add ines@kites.example to the kite trip", "en", "none"},
		{"forget my lunch rule", "en", `preference_forget {"keys":["lunch_hours"]}`},
		{"forget my lunch with Ines", "en", "none"},
		{"forget my boss' home address", "en", "none"},
		{"forget that I train on Mondays", "en", `preference_forget {"keys":["gym_schedule"]}`},
		{"my meetings are 25 minutes by default", "en", `preference_updatePreferences {"updates":` +
			`[{"days":[],"key":"default_duration","value":"25","without":[]}]}`},
		{"don't remind me to mend the kite", "en", "none"},
		{"I should really mend the kite some day", "en", "none"},
		{"remind me what i am doing on sunday", "en", "none"},
		{"note that i have a seminar on friday", "en", "none"},
	} {
		if got := callIn(t, c.message, c.language, keeping{}); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.message, got, c.want)
		}
	}
}

// Two requests in one message are never one of them alone.
func TestAThingAndMoreIsAsked(t *testing.T) {
	t.Parallel()
	got, ok := thingIn("remind me to mend the kite and cancel my haircut tomorrow", "en", wednesday, keeping{})
	if !ok || !got.twice {
		t.Error(got, ok)
	}
}

// Tasks that stand are named by words of the message, one or several, with a reason beside them, or only pointed at
// after they were shown. What names none is left to the calendar.
func TestTasksThatStand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		message, language string
		stands            keeping
		want              string
	}{
		{"push the kite to friday", "en", keeping{}, "none"},
		{"push the kite to friday", "en", keeping{tasks: []string{"kite"}},
			`task_updateTask {"selection":{"one":true,"titleHas":["kite"]},"when":"2026-03-06"}`},
		{"tick off the kite and the tent", "en", keeping{tasks: []string{"kite", "tent"}},
			`task_completeTask {"selection":{"one":true,"titleHas":["kite","tent"]}}`},
		{"ines has the flu, give the kite to rotem", "en", keeping{tasks: []string{"kite"}},
			`task_updateTask {"assignee":"rotem","selection":{"one":true,"titleHas":["kite"]}}`},
		{"if it rains, give the kite to rotem", "en", keeping{tasks: []string{"kite"}}, "none"},
		{"i forgot the kite", "en", keeping{tasks: []string{"kite"}}, "none"},
		{"make it 4:30", "en", keeping{shown: 1, changed: true},
			`task_updateTask {"selection":{"from":["shown"]},"when":"16:30"}`},
		{"actually on friday", "en", keeping{shown: 2, changed: true}, "none"},
		{"the second one is done", "en", keeping{shown: 2}, `task_completeTask {"selection":{"from":["shown:2"]}}`},
		{"push the second one to friday", "en", keeping{}, "none"},
		{"ines is ill, move all her stuff to rotem", "en", keeping{},
			`task_updateTask {"assignee":"rotem","selection":{"assignee":"ines"}}`},
		{"move all her stuff to rotem", "en", keeping{}, "none"},
		{"push everything overdue to friday", "en", keeping{},
			`task_updateTask {"selection":{"assignee":"me","overdue":true},"when":"2026-03-06"}`},
		{"ya arreglé el barrilete, márcalo", "es", keeping{tasks: []string{"barrilete"}},
			`task_completeTask {"selection":{"one":true,"titleHas":["barrilete"]}}`},
		{"סיימתי עם העפיפון, תסמן", "he", keeping{tasks: []string{"העפיפון"}},
			`task_completeTask {"selection":{"one":true,"titleHas":["העפיפון"]}}`},
	} {
		got := "none"
		if thing, ok := thingIn(c.message, c.language, wednesday, c.stands); ok {
			arguments, err := json.Marshal(thing.values)
			if err != nil {
				t.Fatal(err)
			}
			got = thing.tool + " " + string(arguments)
		}
		if got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.message, got, c.want)
		}
	}
}
