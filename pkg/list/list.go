// Package list has the words and rules of lists of things, to buy or to pack: how words become items with their
// quantities, which list and which items are meant, and what is on a list already.
package list

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/record"
)

// List is a list as clients get it.
type List struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Items []Item `json:"items"`
}

// Item is a thing on a list.
type Item struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// Quantity is at least a little more than zero; 1 if nothing was said. Unit is as it was said, and empty for pieces.
	Quantity float64 `json:"quantity"`
	Unit     string  `json:"unit,omitempty"`
	Done     bool    `json:"done"`
}

// stored is a list as it is kept: its items by id, so that changes of two of them do not meet.
type stored struct {
	Name  string          `json:"name"`
	Items map[string]kept `json:"items"`
}

// kept is an item with its place on the list.
type kept struct {
	Item
	Place int `json:"place"`
}

// Decode reads a list that Encode wrote.
func Decode(id string, value []byte) (List, error) {
	var s stored
	if err := json.Unmarshal(value, &s); err != nil {
		return List{}, fmt.Errorf("list %s: %w", id, err)
	}
	l := List{ID: id, Name: s.Name, Items: []Item{}}
	inOrder := func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Items[a].Place, s.Items[b].Place), cmp.Compare(a, b))
	}
	for _, key := range slices.SortedFunc(maps.Keys(s.Items), inOrder) {
		item := s.Items[key].Item
		item.ID = key
		l.Items = append(l.Items, item)
	}
	return l, nil
}

// Encode is the list as it is kept, without its id.
func (l List) Encode() ([]byte, error) {
	s := stored{l.Name, map[string]kept{}}
	for i, item := range l.Items {
		s.Items[item.ID] = kept{item, i}
	}
	return json.Marshal(s)
}

// show is a stored list as clients get it.
func show(id string, value []byte) (json.RawMessage, error) {
	l, err := Decode(id, value)
	if err != nil {
		return nil, err
	}
	return meet.MarshalLine(l)
}

// MostItems bounds a list.
const MostItems = 1000

// validate returns a fault that names what is wrong with a stored list.
func validate(id string, value []byte) error {
	l, err := Decode(id, value)
	if err != nil {
		return fault.Invalid("list", "is no list").Because(err)
	}
	return l.check()
}

func (l List) check() error {
	if l.Name == "" || l.Name != meet.Caption(l.Name) {
		return fault.Invalid("name", "must be one line of text")
	}
	if len(l.Items) > MostItems {
		return fault.Invalid("items", "a list has at most %d items", MostItems)
	}
	for _, item := range l.Items {
		switch {
		case item.ID == "":
			return fault.Invalid("items", "an item has no id")
		case item.Text == "" || item.Text != meet.Caption(item.Text) || item.Unit != meet.Caption(item.Unit):
			return fault.Invalid("items", "the text of an item must be one line")
		case item.Quantity <= 0 || item.Quantity > mostQuantity:
			return fault.Invalid("items", "the quantity of %q must be more than 0, and at most %d", item.Text, mostQuantity)
		}
	}
	return nil
}

const mostQuantity = 1_000_000

// Read reads lists as clients get them: a JSON array. Ids and quantities may be missing.
func Read(data []byte) ([]List, error) {
	var lists []List
	if err := json.Unmarshal(data, &lists); err != nil {
		return nil, err
	}
	for i := range lists {
		l := &lists[i]
		l.ID, l.Name = cmp.Or(l.ID, fmt.Sprintf("list-%d", i+1)), meet.Caption(l.Name)
		for j := range l.Items {
			item := &l.Items[j]
			item.ID, item.Text = cmp.Or(item.ID, fmt.Sprintf("%s-%d", l.ID, j+1)), meet.Caption(item.Text)
			item.Quantity = cmp.Or(item.Quantity, 1)
		}
		if err := l.check(); err != nil {
			return nil, fmt.Errorf("list %d: %w", i+1, err)
		}
	}
	return lists, nil
}

// Add puts an item on the list. What is there already stays one item: it is wanted again if it was done, and its
// quantity rises to the new one. Before is the item that was there; nil if there was none.
func (l *List) Add(item Item) (after Item, before *Item) {
	i := slices.IndexFunc(l.Items, func(o Item) bool { return same(o.Text, item.Text) })
	if i < 0 {
		l.Items = append(slices.Clone(l.Items), item)
		return item, nil
	}
	was := l.Items[i]
	now := was
	switch {
	case was.Done:
		now.Done, now.Quantity, now.Unit = false, item.Quantity, item.Unit
	case same(was.Unit, item.Unit), item.Unit == "" && !measured(was.Unit):
		now.Quantity = max(was.Quantity, item.Quantity)
	case item.Unit != "":
		now.Quantity, now.Unit = item.Quantity, item.Unit
	}
	l.Items = slices.Clone(l.Items)
	l.Items[i] = now
	return now, &was
}

// measured reports whether a unit is of weight or volume, in any language.
func measured(unit string) bool {
	for _, l := range languages() {
		if slices.Contains(l.Measures, fold(unit)) {
			return true
		}
	}
	return false
}

// same reports whether two texts are the same thing: the same words, whatever their endings, accents and small words.
func same(a, b string) bool {
	x, y := agenda.Stems(a), agenda.Stems(b)
	return slices.Equal(x, y) && (len(x) > 0 || a == b)
}

// Called are the lists that a name may mean: by id, by all its words, or the one for shopping by any word for it.
func Called(lists []List, name string) []List {
	var found []List
	for _, fits := range []func(List) bool{
		func(l List) bool { return l.ID == name },
		func(l List) bool { return strings.EqualFold(l.Name, name) },
		func(l List) bool { return slices.Equal(essence(l.Name), essence(name)) },
		func(l List) bool { return forShopping(l.Name) && forShopping(name) },
	} {
		for _, l := range lists {
			if fits(l) {
				found = append(found, l)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	if bare(name) == "" {
		return nil
	}
	return agenda.Called(lists, []string{bare(name)}, true, func(l List) meet.Occurrence {
		return meet.Occurrence{Title: l.Name}
	})
}

// Usual are the lists that may be meant if none is named: that for shopping, or else the only one, or else all.
func Usual(lists []List) []List {
	if i := slices.IndexFunc(lists, func(l List) bool { return forShopping(l.Name) }); i >= 0 {
		return lists[i : i+1]
	}
	return lists
}

// Find are the items that words may mean: by id, by exactly these words, or by all of them.
func (l List) Find(words string) []Item {
	i := slices.IndexFunc(l.Items, func(item Item) bool { return item.ID == words })
	switch {
	case i >= 0:
		return l.Items[i : i+1]
	case len(agenda.Stems(words)) == 0:
		return nil
	}
	return agenda.Called(l.Items, []string{words}, true, func(item Item) meet.Occurrence {
		return meet.Occurrence{Title: item.Text}
	})
}

// Kind are lists as records.
var Kind = record.Kind{What: meet.ListThing, Show: show, Validate: validate}

// All are lists from their records, in the order of their names.
func All(records record.Values) ([]List, error) {
	lists := make([]List, 0, len(records))
	for id, value := range records {
		l, err := Decode(id, value)
		if err != nil {
			return nil, err
		}
		lists = append(lists, l)
	}
	slices.SortFunc(lists, func(a, b List) int {
		return cmp.Or(strings.Compare(agenda.Fold(a.Name), agenda.Fold(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	return lists, nil
}
