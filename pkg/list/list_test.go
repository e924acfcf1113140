package list_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/list"
)

func shopping() list.List {
	return list.List{ID: "s", Name: "Shopping list", Items: []list.Item{
		{ID: "1", Text: "oat milk", Quantity: 1}, {ID: "2", Text: "bread", Quantity: 2},
		{ID: "3", Text: "tomatoes", Quantity: 1, Unit: "kg"}, {ID: "4", Text: "soap", Quantity: 3, Done: true},
		{ID: "5", Text: "milk chocolate", Quantity: 1}, {ID: "6", Text: "wine", Quantity: 2, Unit: "bottles"},
	}}
}

// A list is kept with its items in their order, and shown as it was.
func TestEncode(t *testing.T) {
	t.Parallel()
	value, err := shopping().Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := list.Decode("s", value)
	if diff := cmp.Diff(shopping(), got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	shown, err := list.Kind.Show("s", value)
	const begins = `{"id":"s","name":"Shopping list","items":[{"id":"1","text":"oat milk"`
	if err != nil || !strings.HasPrefix(string(shown), begins) {
		t.Errorf("%s, %v", shown, err)
	}
}

// What is there already is not doubled: it is wanted again if it was done, and its quantity can only rise.
func TestAdd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		add, want list.Item
		there     bool
	}{
		{list.Item{ID: "9", Text: "eggs", Quantity: 12}, list.Item{ID: "9", Text: "eggs", Quantity: 12}, false},
		{list.Item{Text: "Breads", Quantity: 1}, list.Item{ID: "2", Text: "bread", Quantity: 2}, true},
		{list.Item{Text: "bread", Quantity: 3}, list.Item{ID: "2", Text: "bread", Quantity: 3}, true},
		{list.Item{Text: "tomato", Quantity: 2}, list.Item{ID: "3", Text: "tomatoes", Quantity: 1, Unit: "kg"}, true},
		{
			list.Item{Text: "tomatoes", Quantity: 2, Unit: "kg"},
			list.Item{ID: "3", Text: "tomatoes", Quantity: 2, Unit: "kg"}, true,
		},
		{
			list.Item{Text: "bread", Quantity: 1, Unit: "loaves"},
			list.Item{ID: "2", Text: "bread", Quantity: 1, Unit: "loaves"}, true,
		},
		{
			list.Item{Text: "wine", Quantity: 3}, list.Item{ID: "6", Text: "wine", Quantity: 3, Unit: "bottles"}, true,
		},
		{list.Item{Text: "soap", Quantity: 1}, list.Item{ID: "4", Text: "soap", Quantity: 1}, true},
		{list.Item{ID: "9", Text: "milk", Quantity: 1}, list.Item{ID: "9", Text: "milk", Quantity: 1}, false},
	} {
		l := shopping()
		got, before := l.Add(c.add)
		if got != c.want || (before != nil) != c.there {
			t.Errorf("%+v: %+v, there %t", c.add, got, before != nil)
		}
		if i := slices.Index(l.Items, c.want); i < 0 || c.there == (len(l.Items) == 7) {
			t.Errorf("%+v: the list has %+v", c.add, l.Items)
		}
	}
}

// The list for shopping is meant by any word for it, and others by their words in any order and case.
func TestCalled(t *testing.T) {
	t.Parallel()
	lists := []list.List{
		{ID: "s", Name: "Shopping"}, {ID: "p", Name: "Packing for Lisbon"}, {ID: "h", Name: "Hardware store"},
		{ID: "m", Name: "Maletas de verano"},
	}
	for name, want := range map[string]string{
		"shopping": "s", "my shopping list": "s", "groceries": "s", "grocery list": "s", "lista de la compra": "s",
		"רשימת הקניות": "s", "packing": "p", "lisbon packing list": "p", "the packing list": "p", "p": "p",
		"hardware": "h", "maletas": "m", "books": "", "list": "", "": "",
	} {
		var ids []string
		for _, l := range list.Called(lists, name) {
			ids = append(ids, l.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := list.Usual(lists); len(got) != 1 || got[0].ID != "s" {
		t.Errorf("usual: %+v", got)
	}
	if got := list.Usual(lists[1:3]); len(got) != 2 {
		t.Errorf("usual without one for shopping: %+v", got)
	}
}

// The item of exactly these words counts for more than others that have them.
func TestFind(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"milk": "1 5", "oat milk": "1", "the bread": "2", "breads": "2", "bresd": "2", "3": "3", "gin": "", "": "",
	} {
		var ids []string
		for _, item := range shopping().Find(words) {
			ids = append(ids, item.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		`7`, `{"name":""}`, `{"name":"a\nb"}`, `{"name":"a","items":{"1":{"text":"","quantity":1}}}`,
		`{"name":"a","items":{"1":{"text":"x","quantity":0}}}`, `{"name":"a","items":{"1":{"text":"x","quantity":1e9}}}`,
	} {
		if err := list.Kind.Validate("id", []byte(value)); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: %v", value, err)
		}
	}
	lists, err := list.Read([]byte(
		`[{"name":"Shopping","items":[{"text":"milk"},{"text":"eggs","quantity":6,"done":true}]}]`))
	want := []list.List{{ID: "list-1", Name: "Shopping", Items: []list.Item{
		{ID: "list-1-1", Text: "milk", Quantity: 1}, {ID: "list-1-2", Text: "eggs", Quantity: 6, Done: true},
	}}}
	if diff := cmp.Diff(want, lists); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
