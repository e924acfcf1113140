package list

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/functions/world"
	"convene/pkg/list"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
	"convene/pkg/tool"
)

var set = sync.OnceValue(Set)

// newWorld has lists, as clients get them.
func newWorld(t *testing.T, lists string) *world.World {
	t.Helper()
	read, err := list.Read([]byte(lists))
	if err != nil {
		t.Fatal(err)
	}
	values := record.Values{}
	for _, l := range read {
		if values[l.ID], err = l.Encode(); err != nil {
			t.Fatal(err)
		}
	}
	book := record.Book{
		Kind: list.Kind, Store: recordtest.Shelf{}, Given: func(meet.PersonID) record.Values { return values },
	}
	return &world.World{
		Now: time.Date(2026, time.November, 25, 8, 0, 0, 0, time.UTC), Language: "en", Key: "turn",
		Own: map[meet.ChangeWhat]*record.Copy{meet.ListThing: book.NewCopy("dana")},
	}
}

const household = `[
	{"id": "s", "name": "Shopping", "items": [
		{"id": "1", "text": "oat milk"}, {"id": "2", "text": "bread", "quantity": 2},
		{"id": "3", "text": "soap", "done": true}]},
	{"id": "p", "name": "Packing for Lisbon", "items": [{"id": "4", "text": "passport"}, {"id": "5", "text": "soap"}]}]`

func call(t *testing.T, w *world.World, name, arguments string) (world.Result, error) {
	t.Helper()
	i := slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return set()[i].Call(t.Context(), w, []byte(arguments))
}

// changesOf are the changes in words.
func changesOf(t *testing.T, w *world.World, result world.Result) string {
	t.Helper()
	var lines []string
	for _, c := range result.Changes {
		lines = append(lines, strings.TrimSpace(message.NewVoice(w.Language, w.Now).Change(c)+" "+string(c.Class)))
	}
	return strings.Join(lines, " | ")
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, language, lists, arguments, want string }{
		{"list_add", "en", household, `{"items":["milk, two breads and those small cheeses"]}`,
			"Add milk and small cheeses to **Shopping**"},
		{"list_add", "en", household, `{"items":["three breads","soap"]}`,
			"Put soap back on **Shopping**; Change bread (2) → bread (3) on **Shopping**"},
		{"list_add", "en", household, `{"list":"my camping list","items":["tent","2 torches"]}`,
			"Make the list **Camping** with tent and torches (2)"},
		{"list_add", "en", `[]`, `{"items":["milk"]}`, "Make the list **Shopping** with milk"},
		{"list_add", "es", `[]`, `{"items":["leche y dos panes"]}`, "Crear la lista **Compra** con leche y panes (2)"},
		{"list_add", "he", `[{"id":"s","name":"קניות"}]`, `{"items":["חלב ושני לחמים"]}`,
			"להוסיף חלב ולחמים (2) לרשימה **קניות**"},
		{"list_add", "en", household, `{"list":"gifts","items":[]}`, "Make the list **Gifts**"},
		{"list_setItem", "en", household, `{"items":["oat milk","the breads"],"done":true}`,
			"Tick off oat milk and bread (2) on **Shopping**"},
		{"list_setItem", "en", household, `{"items":["bread"],"quantity":1,"unit":"loaf"}`,
			"Change bread (2) → bread (1 loaf) on **Shopping**"},
		{"list_setItem", "en", household, `{"items":["3 breads"]}`, "Change bread (2) → bread (3) on **Shopping**"},
		{"list_rename", "en", household, `{"list":"packing","name":"the Lisbon list"}`,
			"Rename the list **Packing for Lisbon** to **Lisbon**"},
		{"list_setItem", "en", household, `{"items":["bread"],"text":"rye bread"}`,
			"Change bread (2) → rye bread (2) on **Shopping**"},
		{"list_setItem", "en", household, `{"list":"shopping","which":"open","done":true}`,
			"Tick off oat milk and bread (2) on **Shopping**"},
		{"list_setItem", "en", household, `{"items":["bread"],"moveTo":"packing"}`,
			"Add bread (2) to **Packing for Lisbon** | Remove bread (2) from **Shopping**"},
		{"list_setItem", "en", household, `{"list":"shopping","items":["soap"],"moveTo":"packing"}`,
			"Remove soap from **Shopping**"},
		{"list_setItem", "en", household, `{"items":["passport"],"moveTo":"hand luggage"}`,
			"Make the list **Hand luggage** with passport | Remove passport from **Packing for Lisbon**"},
		{"list_remove", "en", household, `{"items":["oat milk","passport"]}`,
			"Remove passport from **Packing for Lisbon** | Remove oat milk from **Shopping**"},
		{"list_remove", "en", household, `{"list":"groceries","which":"done"}`, "Remove soap from **Shopping**"},
		{"list_remove", "en", `[{"id":"a","name":"Trip","items":[{"id":"1","text":"hat"},{"id":"2","text":"tea"},
			{"id":"3","text":"map"},{"id":"4","text":"pen"},{"id":"5","text":"cup"},{"id":"6","text":"jar"}]}]`,
			`{"list":"trip","which":"all"}`, "Remove hat, tea, map, pen, cup and jar from **Trip** R2"},
		{"list_delete", "en", household, `{"list":"the packing list"}`,
			"Delete the list **Packing for Lisbon** with passport and soap R2"},
		{"list_delete", "en", `[{"id":"a","name":"Ideas"}]`, `{"list":"ideas"}`, "Delete the list **Ideas**"},
		{"list_setItem", "en", household, `{"items":["passport"],"done":false}`, ""},
		{"list_add", "en", household, `{"items":["bread","Oat-milk"]}`, ""},
	} {
		w := newWorld(t, c.lists)
		w.Language = c.language
		result, err := call(t, w, c.name, c.arguments)
		if err != nil || result.Response.Error != nil {
			t.Errorf("%s %s: %v, %+v", c.name, c.arguments, err, result.Response.Error)
			continue
		}
		if got := changesOf(t, w, result); got != c.want {
			t.Errorf("%s %s: %s\nwant %s", c.name, c.arguments, got, c.want)
		}
	}
}

// What is on the list already is said, and a list that was made is there for later steps.
func TestAddTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, household)
	if _, err := call(t, w, "list_add", `{"list":"camping","items":["tent"]}`); err != nil {
		t.Fatal(err)
	}
	result, err := call(t, w, "list_add", `{"list":"camping list","items":["a tent and a stove"]}`)
	if err != nil {
		t.Fatal(err)
	}
	var data Lists
	if err := json.Unmarshal(result.Response.Data, &data); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(data.Already, []string{"tent"}) || changesOf(t, w, result) != "Add stove to **Camping**" ||
		!strings.Contains(result.Response.Display.Description, "tent: on **Camping** already") {
		t.Errorf("%+v, %s, %q", data, changesOf(t, w, result), result.Response.Display.Description)
	}
}

func TestView(t *testing.T) {
	t.Parallel()
	w := newWorld(t, household)
	for arguments, want := range map[string]string{
		`{}`: "**Packing for Lisbon**:\n- passport\n- soap\n\n" +
			"**Shopping**:\n- oat milk\n- bread (2)\n- ✓ soap",
		`{"list":"groceries","which":"open"}`: "**Shopping**:\n- oat milk\n- bread (2)",
		`{"list":"packing","which":"done"}`:   "**Packing for Lisbon** is empty.",
		// What is asked for, and what is not there.
		`{"list":"groceries","has":["butter"]}`:         "“butter” is not on **Shopping**.",
		`{"list":"groceries","has":["bread","butter"]}`: "“butter” is not on **Shopping**.\n\n**Shopping**:\n- bread (2)",
	} {
		result, err := call(t, w, "list_view", arguments)
		if got := result.Response.Display.Description; err != nil || got != want {
			t.Errorf("%s: %v, %q", arguments, err, got)
		}
	}
}

// What fits nothing names what there is; what fits several asks; and nothing is changed.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, lists, arguments, says string }{
		{"list_view", household, `{"list":"books"}`, "There are Packing for Lisbon and Shopping."},
		{"list_view", `[]`, `{"list":"books"}`, "There are no lists."},
		{"list_remove", household, `{"items":["wine"]}`, "There are passport, soap, oat milk"},
		{"list_remove", household, `{"items":["soap"]}`, "Which “soap”"},
		{"list_remove", household, `{"list":"packing","which":"done"}`, "ticked off"},
		{"list_delete", household, `{"list":"books"}`, "There is no list “Books”"},
		{"list_add", `[{"id":"a","name":"Books"},{"id":"b","name":"Films"}]`, `{"items":["Dune"]}`, "Which list"},
		{"list_setItem", household, `{"items":["passport"],"moveTo":"packing"}`, "already"},
		{"list_rename", household, `{"list":"packing","name":"shopping"}`, "already"},
	} {
		result, err := call(t, newWorld(t, c.lists), c.name, c.arguments)
		if err != nil || result.Response.Error == nil || !strings.Contains(result.Response.Error.Message, c.says) ||
			len(result.Changes) != 0 {
			t.Errorf("%s %s: %v, %+v, %d changes", c.name, c.arguments, err, result.Response.Error, len(result.Changes))
		}
	}
	for _, c := range []struct{ name, arguments, field string }{
		{"list_add", `{"items":[]}`, "items"}, {"list_add", `{"items":[" , "]}`, "items"},
		{"list_add", `{"list":"shopping","items":[]}`, "items"},
		{"list_setItem", `{"items":["bread"]}`, ""}, {"list_rename", `{"list":"packing","name":" "}`, "name"},
		{"list_setItem", `{"items":["bread"],"quantity":0}`, "quantity"},
		{"list_setItem", `{"items":["bread","soap"],"text":"x"}`, "text"}, {"list_setItem", `{"done":true}`, "items"},
		{"list_remove", `{}`, "items"}, {"list_delete", `{"list":""}`, "list"},
	} {
		_, err := call(t, newWorld(t, household), c.name, c.arguments)
		wrong, ok := errors.AsType[*tool.ArgumentError](err)
		if !ok || wrong.Field != c.field {
			t.Errorf("%s %s: %v, want one that names %q", c.name, c.arguments, err, c.field)
		}
	}
}
