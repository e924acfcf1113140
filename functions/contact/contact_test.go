package contact

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/people"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
	"convene/pkg/tool"
)

var set = sync.OnceValue(Set)

func newWorld(t *testing.T) *world.World {
	t.Helper()
	values := record.Values{}
	for _, c := range []meet.Contact{
		{
			Person: meet.Person{ID: "dana", Name: "Dana Whitfield", Email: "dana@example.org"}, Phone: "555 0143",
			Birthday: "1988-05-03", Emails: []string{"dw@studio.example"},
		},
		{Person: meet.Person{ID: "al", Name: "Al Chen"}, Birthday: "--12-04"},
		{Person: meet.Person{ID: "sam-1", Name: "Sam Rivera"}}, {Person: meet.Person{ID: "sam-2", Name: "Sam Okafor"}},
	} {
		raw, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		values[string(c.ID)] = raw
	}
	book := record.Book{
		Kind: people.Kind, Store: recordtest.Shelf{}, Given: func(meet.PersonID) record.Values { return values },
	}
	return &world.World{
		Now: time.Date(2026, time.November, 25, 8, 0, 0, 0, time.UTC), Language: "en", Key: "turn",
		Owner: meet.Person{ID: "me", Name: "Morgan", Email: "me@example.com"},
		Own:   map[meet.ChangeWhat]*record.Copy{meet.ContactThing: book.NewCopy("me")},
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

func plain(text string) string { return strings.ReplaceAll(text, "\\", "") }

func TestFind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, arguments, want string }{
		{"en", `{"query":"Dana","aspect":"birthday"}`,
			"**Dana Whitfield**: birthday May 3, 1988 (next: Monday, May 3, 2027, turning 39)"},
		{"es", `{"query":"Al","aspect":"birthday"}`,
			"**Al Chen**: cumpleaños 4 de diciembre (próximo: viernes 4 de diciembre)"},
		{"he", `{"query":"דנה","aspect":"phone"}`, "555 0143"},
		{"en", `{"query":"Sam"}`, "**Sam Okafor**: nothing else is known.\n**Sam Rivera**: nothing else is known."},
		{"en", `{"query":"sam-1","aspect":"email"}`, "**Sam Rivera** has no email address here."},
		{"en", `{"birthdays":{"start":"2026-12-01","end":"2027-06-01"}}`,
			"**Al Chen**: birthday December 4 (next: Friday, December 4)\n**Dana"},
		{"en", `{"birthdays":{"start":"2026-12-05","end":"2026-12-31"}}`, "No birthday is known in that time."},
		{"en", `{"query":"Zoe"}`, "I know no “Zoe”."},
		{"en", `{"query":"dw@studio.example"}`, "email dana@example.org, dw@studio.example"},
	} {
		w := newWorld(t)
		w.Language = c.language
		result, err := call(t, w, "contact_find", c.arguments)
		if got := plain(result.Response.Display.Description); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: %v, %q", c.arguments, err, got)
		}
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, language, arguments, want string }{
		{"contact_save", "en", `{"name":"Marta Ruiz","emails":["marta@pipes.example","m@home.example"],"phone":"555-0117",
			"role":"plumber","birthday":"--02-29","notes":"Has the key."}`,
			"Save the contact **Marta Ruiz**: email marta@pipes.example; more emails m@home.example; phone 555-0117; " +
				"role plumber; birthday February 29; notes Has the key."},
		{"contact_save", "es", `{"name":"Marta Ruiz"}`, "Guardar el contacto **Marta Ruiz**"},
		{"contact_save", "en", `{"name":"dana whitfield","phone":"1"}`,
			"Change the contact **Dana Whitfield**: phone 555 0143 → 1"},
		{"contact_save", "en", `{"name":"Al","phone":"12 34"}`, "Change the contact **Al Chen**: phone 12 34"},
		{"contact_save", "he", `{"contact":"דנה","birthday":"1988-05-04"}`,
			"לשנות את איש הקשר **Dana Whitfield**: יום הולדת 3 במאי 1988 ← 4 במאי 1988"},
		{"contact_save", "en", `{"contact":"Dana","birthday":"--05-04"}`,
			"Change the contact **Dana Whitfield**: birthday May 3, 1988 → May 4, 1988"},
		{"contact_save", "en", `{"contact":"Dana","removeEmails":["dana@example.org"],"phone":""}`,
			"Change the contact **Dana Whitfield**: email dana@example.org → dw@studio.example; " +
				"more emails dw@studio.example → none; phone 555 0143 → none"},
		{"contact_save", "en", `{"contact":"Dana","emails":["DANA@example.org"]}`, ""},
		{"contact_delete", "en", `{"contact":"Al"}`, "Delete the contact **Al Chen**"},
	} {
		w := newWorld(t)
		w.Language = c.language
		result, err := call(t, w, c.name, c.arguments)
		if err != nil || result.Response.Error != nil {
			t.Errorf("%s %s: %v, %+v", c.name, c.arguments, err, result.Response.Error)
			continue
		}
		got := ""
		for _, change := range result.Changes {
			got += message.NewVoice(c.language, w.Now).Change(change)
		}
		got = strings.NewReplacer("\\", "", "\u2066", "", "\u2068", "", "\u2069", "").Replace(got)
		if got != c.want {
			t.Errorf("%s %s: %s\nwant %s", c.name, c.arguments, got, c.want)
		}
	}
}

// Later steps know a new contact by name, and its owner alone does.
func TestANewContactIsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := call(t, w, "contact_save", `{"name":"Marta Ruiz","emails":["marta@pipes.example"]}`); err != nil {
		t.Fatal(err)
	}
	found := w.People("Marta")
	if len(found) != 1 || found[0].Email != "marta@pipes.example" || found[0].Owner != "me" {
		t.Errorf("%+v", found)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, arguments, says string }{
		{"contact_save", `{"contact":"Sam","phone":"1"}`, "Which Sam"},
		{"contact_save", `{"contact":"Zoe","phone":"1"}`, "I know no “Zoe”"},
		{"contact_save", `{"contact":"Al","emails":["dw@studio.example"]}`, "is the address of **Dana Whitfield**"},
		{"contact_save", `{"contact":"Al","removeEmails":["x@example.com"]}`, "is no address of **Al Chen**"},
		{"contact_delete", `{"contact":"Sam"}`, "Which Sam"},
	} {
		result, err := call(t, newWorld(t), c.name, c.arguments)
		if err != nil || result.Response.Error == nil || !strings.Contains(result.Response.Error.Message, c.says) {
			t.Errorf("%s: %v, %+v", c.arguments, err, result.Response.Error)
		}
	}
	for _, c := range []struct{ name, arguments, field string }{
		{"contact_save", `{}`, "name"}, {"contact_save", `{"contact":"Al","birthday":"May 3"}`, "birthday"},
		{"contact_save", `{"name":"Bo","phone":"call me"}`, "phone"},
		{"contact_save", `{"name":"Bo","emails":["no"]}`, "emails"},
		{"contact_find", `{"limit":0}`, "limit"}, {"contact_delete", `{"contact":""}`, "contact"},
	} {
		_, err := call(t, newWorld(t), c.name, c.arguments)
		wrong, ok := errors.AsType[*tool.ArgumentError](err)
		if !ok || wrong.Field != c.field {
			t.Errorf("%s %s: %v, want one that names %q", c.name, c.arguments, err, c.field)
		}
	}
}
