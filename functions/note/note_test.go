package note

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/functions/world"
	"convene/pkg/embedding"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/note"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
	"convene/pkg/tool"
)

var set = sync.OnceValue(Set)

// near finds notes whose text begins with a word; away says that the model of embeddings does not answer.
type near struct {
	word string
	away bool
}

func (n near) Near(_ context.Context, _ string, notes []note.Note) (found []embedding.Near, err error) {
	if n.away {
		return nil, errors.New("away")
	}
	for i, one := range notes {
		if strings.HasPrefix(one.Text, n.word) {
			found = append(found, embedding.Near{Index: i, Similarity: 1})
		}
	}
	return found, nil
}

func newWorld(t *testing.T) *world.World {
	t.Helper()
	values := record.Values{}
	for id, text := range map[string]string{
		"a": "Ultrasound: all fine", "b": "Boiler: the valve is from 2019", "c": "Gate code is 4471",
		"d": "Gym locker code 3-18-27",
	} {
		n := note.Note{
			ID: id, Text: text, Created: time.Date(2026, time.November, 20, 9, 0, 0, 0, time.UTC), Tags: []string{"home"},
		}
		raw, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		values[id] = raw
	}
	book := record.Book{
		Kind: note.Kind, Store: recordtest.Shelf{}, Given: func(meet.PersonID) record.Values { return values },
	}
	return &world.World{
		Now: time.Date(2026, time.November, 25, 8, 0, 0, 0, time.UTC), Language: "en", Key: "turn",
		Meaning: near{"none", false},
		Own:     map[meet.ChangeWhat]*record.Copy{meet.NoteThing: book.NewCopy("dana")},
	}
}

func call(t *testing.T, w *world.World, name, arguments string) (world.Result, error) {
	t.Helper()
	i := slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return set()[i].Call(t.Context(), w, []byte(arguments))
}

func TestSearch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		meaning         near
		arguments, want string
		byMeaning       bool
	}{
		{near{"none", false}, `{"query":"what did I note about the ultrasounds?"}`,
			"- Friday, November 20: “Ultrasound: all fine” (home)", true},
		{near{"Gate", false}, `{"query":"garden door"}`, "Gate code is 4471", true},
		{near{"", true}, `{"query":"valve"}`, "Boiler", false},
		{near{"none", false}, `{"query":"saunas"}`, "No note says anything about “saunas”.", true},
		{near{}, `{"tags":["#Home"],"limit":1}`, "Ultrasound", false},
		{near{}, `{"tags":["work"]}`, "There are no such notes.", false},
		{near{}, `{"window":{"start":"2026-11-20","end":"2026-11-20"},"query":null}`, "Ultrasound", false},
		{near{}, `{"window":{"start":"2026-11-21","end":"2026-11-26"}}`, "There are no such notes.", false},
	} {
		w := newWorld(t)
		w.Meaning = c.meaning
		result, err := call(t, w, "note_search", c.arguments)
		var data Notes
		if err := errors.Join(err, json.Unmarshal(result.Response.Data, &data)); err != nil {
			t.Fatal(err)
		}
		if got := result.Response.Display.Description; !strings.Contains(got, c.want) || data.ByMeaning != c.byMeaning {
			t.Errorf("%s: %q, by meaning %t", c.arguments, got, data.ByMeaning)
		}
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, language, arguments, want string }{
		{"note_save", "en", `{"text":" Wifi is on the fridge ","tags":["#home"]}`, "Save the note “Wifi is on the fridge”"},
		{"note_save", "es", `{"text":"El wifi está en la nevera"}`, "Guardar la nota «El wifi está en la nevera»"},
		{"note_save", "he", `{"text":"הסיסמה על המקרר"}`, "לשמור את הפתק ״הסיסמה על המקרר״"},
		{"note_save", "en", `{"text":"changed on Fridays","addTo":"gate code"}`,
			"Change the note to “Gate code is 4471 changed on Fridays”"},
		{"note_save", "en", `{"text":"Gate code is 9","replace":"c"}`, "Change the note to “Gate code is 9”"},
		{"note_save", "en", `{"text":"gate code is 4471"}`, ""},
		{"note_delete", "en", `{"notes":["valve","the gate"]}`,
			"Delete the note “Boiler: the valve is from 2019” | Delete the note “Gate code is 4471”"},
	} {
		w := newWorld(t)
		w.Language = c.language
		result, err := call(t, w, c.name, c.arguments)
		if err != nil || result.Response.Error != nil {
			t.Errorf("%s %s: %v, %+v", c.name, c.arguments, err, result.Response.Error)
			continue
		}
		var lines []string
		for _, change := range result.Changes {
			lines = append(lines, strings.ReplaceAll(message.NewVoice(c.language, w.Now).Change(change), "\\", ""))
		}
		if got := strings.Join(lines, " | "); got != c.want {
			t.Errorf("%s %s: %s\nwant %s", c.name, c.arguments, got, c.want)
		}
	}
}

// Where a note has only some of the words, another one may be meant, and its owner is asked first.
func TestANoteOfSomeOfTheWordsIsDoubted(t *testing.T) {
	t.Parallel()
	for words, unsure := range map[string]bool{"gate code": false, "gate code of the garage": true} {
		result, err := call(t, newWorld(t), "note_delete", `{"notes":["`+words+`"]}`)
		if err != nil || len(result.Changes) != 1 || result.Unsure != unsure {
			t.Errorf("%s: %v, %d changes, unsure %t", words, err, len(result.Changes), result.Unsure)
		}
	}
}

// A note that was saved is found by later steps of the turn.
func TestANewNoteIsFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := call(t, w, "note_save", `{"text":"Wifi is on the fridge"}`); err != nil {
		t.Fatal(err)
	}
	result, err := call(t, w, "note_search", `{"query":"wifi"}`)
	if err != nil || !strings.Contains(result.Response.Display.Description, "today: “Wifi is on the fridge”") {
		t.Errorf("%v, %q", err, result.Response.Display.Description)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for arguments, says := range map[string]string{
		`{"notes":["code"]}`: "Which note", `{"notes":["zebra"]}`: "No note says anything",
	} {
		result, err := call(t, newWorld(t), "note_delete", arguments)
		if err != nil || result.Response.Error == nil || !strings.Contains(result.Response.Error.Message, says) {
			t.Errorf("%s: %v, %+v", arguments, err, result.Response.Error)
		}
	}
	for _, c := range []struct{ name, arguments, field string }{
		{"note_save", `{"text":" "}`, "text"}, {"note_save", `{"text":"a","addTo":"c","replace":"c"}`, "replace"},
		{"note_save", `{"text":"` + strings.Repeat("a", note.LongestText+1) + `"}`, "text"},
		{"note_search", `{"limit":0}`, "limit"}, {"note_search", `{"window":{"start":"soon","end":"later"}}`, "window.start"},
		{"note_delete", `{"notes":[]}`, "notes"},
	} {
		_, err := call(t, newWorld(t), c.name, c.arguments)
		wrong, ok := errors.AsType[*tool.ArgumentError](err)
		if !ok || wrong.Field != c.field {
			t.Errorf("%s %.60s: %v, want one that names %q", c.name, c.arguments, err, c.field)
		}
	}
}
