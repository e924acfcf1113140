package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"convene/pkg/meet"
)

// owner calls tools as one person.
type owner struct {
	*testing.T
	server, id string
}

// toolCall is what came of a call, as far as tests look at it.
type toolCall struct {
	Response meet.Response
	Changes  *meet.ChangeSet
	Applied  *meet.Applied
}

func (o owner) call(name, arguments string) (result toolCall) {
	o.Helper()
	request(o.T, "POST "+o.server+"/v1/tools/"+name, `{"organizer":"`+o.id+`","arguments":`+arguments+`}`,
		http.StatusOK, &result)
	return result
}

func (o owner) confirm(set meet.ChangeSet) {
	o.Helper()
	request(o.T, "POST "+o.server+"/v1/changes/"+string(set.ID)+"/confirm", `{"digest":"`+set.Digest+`"}`, http.StatusOK,
		nil)
}

func (o owner) undo(set meet.ChangeSet) {
	o.Helper()
	request(o.T, "POST "+o.server+"/v1/changes/"+string(set.ID)+"/undo", `{}`, http.StatusOK, nil)
}

// lists are the items of all lists, as they stand.
func (o owner) lists() string {
	o.Helper()
	var l struct {
		Lists []struct {
			Name  string
			Items []struct {
				Text     string
				Quantity json.Number
				Done     bool
			}
		}
	}
	request(o.T, "GET "+o.server+"/v1/people/"+o.id+"/lists", "", http.StatusOK, &l)
	var all []string
	for _, one := range l.Lists {
		var items []string
		for _, i := range one.Items {
			text := i.Text + " " + i.Quantity.String()
			if i.Done {
				text += " done"
			}
			items = append(items, text)
		}
		all = append(all, one.Name+": "+strings.Join(items, ", "))
	}
	return strings.Join(all, "; ")
}

func (o owner) notes() (texts []string) {
	o.Helper()
	var n struct{ Notes []struct{ Text string } }
	request(o.T, "GET "+o.server+"/v1/people/"+o.id+"/notes", "", http.StatusOK, &n)
	for _, one := range n.Notes {
		texts = append(texts, one.Text)
	}
	return texts
}

func keptWorld(t *testing.T) (mira, otto owner) {
	t.Helper()
	server := serveWorld(t, folder(t, map[string]string{
		"meta.json": worldMetaJSON, "people.json": worldPeopleJSON,
		"lists.json": `[{"name":"Shopping","items":[{"text":"milk"},{"text":"soap","done":true}]}]`,
		"notes.json": `[{"text":"Boiler: the valve is from 2019","created":"2027-01-10T09:00:00Z"}]`,
	}))
	return owner{t, server, "mira"}, owner{t, server, "otto"}
}

// What is the user's own is changed at once; a list with things on it and a contact are asked about; all is undone.
func TestListsNotesAndContactsOfAWorld(t *testing.T) {
	t.Parallel()
	mira, otto := keptWorld(t)
	mira.call("list_add", `{"items":["milk, two breads"]}`)
	added := mira.call("list_setItem", `{"items":["milk"],"done":true}`)
	if got := mira.lists(); got != "Shopping: milk 1 done, soap 1 done, breads 2" || added.Applied == nil {
		t.Errorf("lists: %s", got)
	}
	gone := mira.call("list_delete", `{"list":"shopping"}`)
	if gone.Changes.Status != meet.ChangesPending || mira.lists() == "" {
		t.Errorf("a list with things on it: %s", gone.Changes.Status)
	}
	mira.confirm(*gone.Changes)
	if got := mira.lists(); got != "" {
		t.Errorf("after its deletion: %s", got)
	}
	mira.undo(*gone.Changes)
	mira.undo(*added.Changes) // what the later change left stays
	if got := mira.lists(); got != "Shopping: milk 1, soap 1 done, breads 2" {
		t.Errorf("after the undos: %s", got)
	}
	mira.call("note_save", `{"text":"Gate code is 4471"}`)
	if got := mira.notes(); !slices.Equal(got, []string{"Gate code is 4471", "Boiler: the valve is from 2019"}) {
		t.Errorf("notes: %q", got)
	}
	found := mira.call("note_search", `{"query":"valves of the boiler"}`)
	if got := found.Response.Display.Description; !strings.Contains(got, "2019") || strings.Contains(got, "4471") {
		t.Errorf("found: %s", got)
	}
	if got := otto.lists() + strings.Join(otto.notes(), ""); got != "" {
		t.Errorf("another person sees %s", got)
	}
}

// A contact is a person whom scheduling knows, and whom no one else knows.
func TestContactsAreThePeopleOfScheduling(t *testing.T) {
	t.Parallel()
	mira, otto := keptWorld(t)
	saved := mira.call("contact_save", `{"name":"Marta Ruiz","emails":["marta@pipes.example"],"birthday":"--05-03"}`)
	if saved.Applied == nil {
		t.Fatalf("%+v", saved.Response)
	}
	wants(t, newAgent(t, mira.server).call("propose", map[string]any{"message": "call Marta on Tuesday"}),
		"outcome = proposed", "event.participants.1.name = Marta Ruiz")
	for who, want := range map[owner]int{mira: 1, otto: 0} {
		var data struct{ Contacts []struct{ Name string } }
		if err := json.Unmarshal(who.call("contact_find", `{"query":"Marta"}`).Response.Data, &data); err != nil {
			t.Fatal(err)
		}
		if len(data.Contacts) != want {
			t.Errorf("%s knows %+v", who.id, data.Contacts)
		}
	}
	gone := mira.call("contact_delete", `{"contact":"Otto"}`)
	if gone.Changes.Status != meet.ChangesPending {
		t.Fatalf("a deletion is %s", gone.Changes.Status)
	}
	mira.confirm(*gone.Changes)
	request(t, "GET "+mira.server+"/v1/people/otto", "", http.StatusNotFound, nil)
	mira.undo(*gone.Changes)
	request(t, "GET "+mira.server+"/v1/people/otto", "", http.StatusOK, nil)
}

// A note is kept while the model of embeddings cannot be reached, and its words find it.
func TestANoteIsKeptWithoutEmbeddings(t *testing.T) {
	t.Parallel()
	me := owner{t, startServer(t, "", "--openai-base-url=http://127.0.0.1:1/v1/"), "me"}
	if saved := me.call("note_save", `{"text":"The radiator leaks"}`); saved.Applied == nil {
		t.Fatalf("%+v", saved.Response)
	}
	var found struct {
		Notes     []struct{ Text string }
		ByMeaning bool
	}
	if err := json.Unmarshal(me.call("note_search", `{"query":"radiators"}`).Response.Data, &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Notes) != 1 || found.ByMeaning {
		t.Errorf("%+v", found)
	}
}

// An address book is read as the people of --people.
func TestPeopleOfVCards(t *testing.T) {
	t.Parallel()
	book := folder(t, map[string]string{"book.vcf": "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Marta Ruiz\r\nUID:marta\r\n" +
		"TITLE:Plumber\r\nBDAY:--0503\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:4.0\r\nFN:Me\r\nUID:me\r\nEND:VCARD\r\n"})
	me := owner{t, startServer(t, "", "--people="+book+"/book.vcf"), "me"}
	got := me.call("contact_find", `{"query":"plumber","aspect":"birthday"}`).Response.Display.Description
	if !strings.Contains(got, "Marta Ruiz**: birthday May 3") {
		t.Error(got)
	}
}
