package ground

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/linear"
)

var now = time.Date(2026, time.November, 23, 8, 0, 0, 0, time.UTC) // a Monday

// home is a small world: the words of its titles stand in no sentence that was learned.
func home() []Thing {
	at := func(day, hour int) interval.Span {
		return interval.From(time.Date(2026, time.November, day, hour, 0, 0, 0, time.UTC), time.Hour)
	}
	return []Thing{
		{Kind: Event, ID: "osteopath", Title: "Osteopath", Span: at(26, 15)},
		{Kind: Event, ID: "fencing-24", Series: "fencing", Title: "Fencing practice", Span: at(24, 18)},
		{Kind: Event, ID: "fencing-27", Series: "fencing", Title: "Fencing practice", Span: at(27, 18)},
		{Kind: Event, ID: "harbour", Title: "Harbour walk", Span: at(27, 10), Guests: []string{"Yara Stone"}},
		{Kind: Event, ID: "gala", Title: "Charity gala", Span: at(28, 19), Invited: true},
		{Kind: Event, ID: "panel", Title: "Panel of experts", Span: at(29, 10), Invited: true, Guests: []string{"Al Reyes"}},
		{Kind: Task, ID: "gutters", Title: "Clean the gutters"},
		{Kind: Task, ID: "visa", Title: "Apply for the visa"},
		{Kind: Task, ID: "gala-dress", Title: "Charity gala dress"},
		{Kind: List, ID: "shopping", Title: "Shopping"},
		{Kind: List, ID: "boat", Title: "Boat trip"},
		{Kind: Item, ID: "lentils", Title: "lentils", List: "shopping"},
		{Kind: Item, ID: "tahini", Title: "tahini", List: "shopping"},
	}
}

func read(language, text string, last ...string) Reading {
	people := []Person{{Name: "Yara Stone", Said: "Yara"}, {Name: "Al Reyes", Said: "Al"}}
	return Read(Message{Text: text, Language: language, Now: now, People: people, Things: home(), Last: last})
}

// What a message names and says is the call of a tool, in words that no rule foresees.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, tool, arguments string }{
		{"en", "gutters are clean at last, check that off", "task_completeTask", `{"selection":{"ids":["gutters"]}}`},
		{"en", "the osteopath isn't happening after all", "calendar_deleteEvents", `{"selection":{"ids":["osteopath"]}}`},
		{"en", "can the osteopath be half an hour later please", "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"byMinutes":30}}`},
		{"en", "I'll be 10 minutes late for the harbour walk", "calendar_notifyAttendees",
			`{"people":[],"selection":{"ids":["harbour"]},"subject":null,"text":"I'll be 10 minutes late"}`},
		{"es", "llego tarde al osteopath", "calendar_findEvents", `{"aspect":"who","selection":{"ids":["osteopath"]}}`},
		{"en", "i'd rather have the osteopath on friday at 4", "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"date":"2026-11-27","time":"16:00?"}}`},
		{"en", "move friday's fencing practice to 7pm", "calendar_moveEvents",
			`{"selection":{"ids":["fencing-27"]},"to":{"time":"19:00"}}`},
		{"en", "move tuesday's fencing practice to friday at 7pm", "calendar_moveEvents",
			`{"selection":{"ids":["fencing-24"]},"to":{"date":"2026-11-27","time":"19:00"}}`},
		{"en", "give the visa to yara", "task_updateTask",
			`{"selection":{"ids":["visa"]},"updates":{"assignee":"Yara Stone"}}`},
		{"en", "visa by wednesday please instead", "task_updateTask",
			`{"selection":{"ids":["visa"]},"updates":{"dueDate":"2026-11-25"}}`},
		{"en", "rename the osteopath to \"Doctor Hands\"", "calendar_updateEvents",
			`{"selection":{"ids":["osteopath"]},"set":{"title":"Doctor Hands"}}`},
		{"en", "got the lentils and the tahini", "list_setItem", `{"done":true,"items":["lentils","tahini"]}`},
		{"en", "what time does the osteopath start", "calendar_findEvents",
			`{"aspect":"when","selection":{"ids":["osteopath"]}}`},
		{"es", "ya tengo los lentils", "list_setItem", `{"done":true,"items":["lentils"]}`},
		{"es", "el osteopath pásalo a las 10 de la mañana", "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"time":"10:00"}}`},
		{"en", `put "bake bread" on wednesday at 9 at night for 15 min`, createBlock,
			`{"date":"2026-11-25","endTime":"21:15","startTime":"21:00","title":"bake bread","type":"blocked"}`},
		{"es", `pon "hacer pan" el miércoles a las 9 de la noche 15 minutos`, createBlock,
			`{"date":"2026-11-25","endTime":"21:15","startTime":"21:00","title":"hacer pan","type":"blocked"}`},
		{"en", `put "osteopath" on friday at 4pm`, "calendar_moveEvents",
			`{"selection":{"ids":["osteopath"]},"to":{"date":"2026-11-27","time":"16:00"}}`},
		{"he", "תבטל את ה-Osteopath", "calendar_deleteEvents", `{"selection":{"ids":["osteopath"]}}`},
	} {
		if got := read(c.language, c.text); got.Tool != c.tool || string(got.Arguments) != c.arguments {
			t.Errorf("%q is %s with %.2f, %s %s; want %s %s",
				c.text, got.Deed, got.Probability, got.Tool, got.Arguments, c.tool, c.arguments)
		}
	}
}

// Nothing is changed that is forbidden, bound to a condition, told of the past, or for which something has no place.
func TestNothingIsRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"don't cancel the osteopath", "if it rains cancel the fencing practice", "unless yara objects, delete the visa",
		"should i move the osteopath?", "thanks, the gala was lovely", "osteopath", "", "no borres el osteopath",
		"I usually cancel the osteopath", "we need to talk about cancelling the osteopath", "the osteopath called",
		"nobody should cancel the osteopath", "I haven't applied for the visa", "i'm running late",
		"cancel the osteopath and tell yara why", "move the osteopath", "cancel the osteopath on monday",
		"lunch with yara tomorrow", strings.Repeat("cancel the osteopath ", 100),
	} {
		if got := read("en", text); got.Tool != "" && !got.Reads {
			t.Errorf("%q is %s with %.2f: %s %s", text, got.Deed, got.Probability, got.Tool, got.Arguments)
		}
	}
}

// Words that point mean what was seen last; without it, nothing.
func TestPointing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"cancel it": "osteopath", "move the second one to friday": "fencing-24", "take that off my calendar": "osteopath",
	} {
		last := []string{want}
		if strings.Contains(text, "second") {
			last = []string{"osteopath", want}
		}
		var call struct{ Selection struct{ IDs []string } }
		got := read("en", text, last...)
		if err := json.Unmarshal(got.Arguments, &call); err != nil || !slices.Equal(call.Selection.IDs, []string{want}) {
			t.Errorf("%q is %s with %.2f: %s %s", text, got.Deed, got.Probability, got.Tool, got.Arguments)
		}
		if alone := read("en", text); alone.Tool != "" {
			t.Errorf("%q alone is %s %s", text, alone.Tool, alone.Arguments)
		}
	}
}

// A title is data: whatever it orders, the deed is the one of the same message about a harmless title.
func TestTitlesOrderNothing(t *testing.T) {
	t.Parallel()
	file, err := os.Open("../../testdata/injection/agenda.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var hostile struct{ At, Text string }
		if err := json.Unmarshal(lines.Bytes(), &hostile); err != nil {
			t.Fatal(err)
		}
		if hostile.At != "SUMMARY" {
			continue
		}
		n++
		soon := interval.From(now.Add(time.Hour), time.Hour)
		things := []Thing{{Kind: Event, ID: "theirs", Title: hostile.Text, Span: soon}}
		for _, text := range []string{"when is %s", "thanks, %s was lovely", "%s"} {
			want := Read(Message{Text: fmt.Sprintf(text, "Osteopath"), Language: "en", Now: now, Things: home()})
			got := Read(Message{Text: fmt.Sprintf(text, hostile.Text), Language: "en", Now: now, Things: things})
			if got.Tool != "" && !got.Reads || got.Deed != want.Deed {
				t.Errorf("%q about %q is %s (%s), want %s", text, hostile.Text, got.Deed, got.Tool, want.Deed)
			}
		}
	}
	if n == 0 {
		t.Error("no title orders anything")
	}
}

// The models are whole, small enough, and know all deeds.
func TestTheEmbeddedModelsAreWhole(t *testing.T) {
	t.Parallel()
	for name, data := range map[string][]byte{"deeds": weights, "spans": spans, "roles": toldWeights} {
		m, err := linear.Decode[string](bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]string{"deeds": Deeds(), "spans": Boundaries(), "roles": Roles()}[name]
		if !slices.Equal(m.Classes, want) {
			t.Errorf("%s: %q, want %q", name, m.Classes, want)
		}
		if len(data) > 2<<20 {
			t.Errorf("%s take %d bytes, more than 2 MiB", name, len(data))
		}
	}
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	things := home()
	for i := range 300 {
		things = append(things, Thing{
			Kind: Event, ID: fmt.Sprint(i), Title: fmt.Sprintf("Meeting number %d of the board", i%40),
			Span: interval.From(now.Add(time.Duration(i)*time.Hour), time.Hour),
		})
	}
	for b.Loop() {
		Read(Message{
			Text: "could you move friday's fencing practice to 7pm please", Language: "en", Now: now, Things: things,
		})
	}
}

func ExampleRead() {
	r := Read(Message{
		Text: "the gutters are clean at last, check that off", Language: "en", Now: now,
		Things: []Thing{{Kind: Task, ID: "7", Title: "Clean the gutters"}},
	})
	fmt.Println(r.Deed, r.Tool, string(r.Arguments))
	// Output: task_done task_completeTask {"selection":{"ids":["7"]}}
}

// What a message supposes, waves aside, leaves out or only tells is not done, and no rule does it either.
func TestReadDenies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text string }{
		{"en", "what would happen if i moved the osteopath to friday at 4?"},
		{"en", "never mind the gutters"},
		{"en", "Yara wants my thoughts on the visa"},
		{"es", "Yara necesita el visa para el viernes"},
		{"en", "remind me the evening before to bring my broken bowl"},
		{"es", "recuérdame la noche antes que lleve el bol"},
		{"he", "תזכיר לי ערב לפני להביא את הקערה"},
		{"en", "i'm at the fair from the 11th to the 14th, put it there, don't block anything"},
		{"en", "not the lentils"},
		{"en", "Yara says she can't do the osteopath"},
		{"en", "I already called off the osteopath, just so you know"},
		{"es", "¿qué pasaría si muevo el osteopath al viernes?"},
		{"es", "da igual lo de los gutters"},
		{"he", "מה יקרה אם אני אבטל את ה-osteopath?"},
		{"he", "לא משנה ה-gutters"},
		{"en", "was the osteopath ever cancelled"},
		{"en", "the shopping list still has lentils on it, doesn't it"},
		{"es", "¿se canceló el osteopath del jueves?"},
		{"en", "imagine I cancelled the osteopath"},
		{"es", "supongamos que cancelo el osteopath"},
		{"en", "cancel one of the fencing practices"},
		{"es", "al me pidió mover osteopath a las 2"},
		{"en", "Yara is asking to move the osteopath to 3"},
		{"en", "Yara has a new email address"},
		{"en", "thanks for cancelling the osteopath"},
		{"es", "gracias por cancelar el osteopath"},
		{"en", "there's no osteopath this week"},
		{"he", "אין לי כוח היום"},
		{"en", "my visa expires in may"},
		{"en", "cancel my next three fencing practices"},
	} {
		if got := read(c.language, c.text); got.Tool != "" || !got.Denied {
			t.Errorf("%q: %s %s %s, denied %t", c.text, got.Deed, got.Tool, got.Arguments, got.Denied)
		}
	}
	for _, text := range []string{"no osteopath this week", "would you mind if we moved the osteopath to friday at 4pm"} {
		if got := read("en", text); got.Tool == "" || got.Denied {
			t.Errorf("%q: %s %q, denied %t", text, got.Deed, got.Tool, got.Denied)
		}
	}
}

// No call is made of words that only look like what is there: what is to be done is something else, or has no name.
func TestReadsNoOther(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"clean the terrace by friday", "buy a charity dress tomorrow", "make a list", "a list please",
		"add lentils to the shopping list and order them", "remind me of something", "bring my shoes",
		"delete the note about the boiler and fix the boiler",
	} {
		if got := read("en", text); got.Tool != "" && got.Tool != "task_createTask" {
			t.Errorf("%q: %s %s", text, got.Deed, got.Arguments)
		}
	}
	for _, text := range []string{"haz una lista", "una lista por favor", "תעשה רשימה", "תמחק אחת מהמשימות שלי"} {
		if got := read(map[bool]string{true: "es", false: "he"}[text[0] < 'z'], text); got.Tool != "" {
			t.Errorf("%q: %s %s", text, got.Deed, got.Arguments)
		}
	}
	for _, text := range []string{"Sam said he'd bring the tent at 9", "my sister suggested a picnic on sunday"} {
		if got := read("en", text); !got.Elsewhere() {
			t.Errorf("%q may ask for a new event", text)
		}
	}
	if got := read("en", "Yara asked me to lunch tomorrow at 1"); got.Elsewhere() {
		t.Error("an invitation is no new event")
	}
}

// Events that are over are not moved or called off, unless a time means them.
func TestReadOfEventsThatAreOver(t *testing.T) {
	t.Parallel()
	past := Thing{Kind: Event, ID: "tapas", Title: "Tapas", Span: interval.From(now.AddDate(0, 0, -3), time.Hour)}
	for text, want := range map[string]string{
		"cancel the tapas": "", "move the tapas to 9pm": "", "where were the tapas?": "calendar_findEvents",
		"cancel last friday's tapas": "calendar_deleteEvents",
	} {
		got := Read(Message{Text: text, Language: "en", Now: now, Things: []Thing{past}})
		if got.Tool != want {
			t.Errorf("%q: %s %s, want %q", text, got.Tool, got.Arguments, want)
		}
	}
}
