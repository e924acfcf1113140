package message

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"convene/pkg/meet"
)

//go:embed data/things.json
var thingsJSON []byte

// aboutThings are the phrases about lists, notes and contacts.
var aboutThings = sync.OnceValue(func() Phrases { return ReadPhrases(thingsJSON) })

// tellers say a change of a thing that a person keeps here. Done is ".done" for what has been done.
var tellers = map[meet.ChangeWhat]func(v Voice, c meet.Change, done string) string{
	meet.TaskThing: Voice.task, meet.ListThing: Voice.ofList, meet.NoteThing: Voice.ofNote,
	meet.ContactThing: Voice.ofContact, meet.EmailThing: Voice.ofMail, meet.WorkflowThing: Voice.ofWorkflow,
}

// shownList is a list as a change shows it.
type shownList struct {
	Name  string
	Items []ListItem
}

// ListItem is a thing on a list.
type ListItem struct {
	ID       string
	Text     string
	Quantity float64
	Unit     string
	Done     bool
}

func (l shownList) item(id string) *ListItem {
	for i := range l.Items {
		if l.Items[i].ID == id {
			return &l.Items[i]
		}
	}
	return nil
}

// Item is a thing on a list with its quantity: "bread (2)", "wine (2 bottles)".
func (v Voice) Item(text string, quantity float64, unit string) string {
	n := strconv.FormatFloat(quantity, 'f', -1, 64)
	switch {
	case unit != "":
		return v.Say(aboutThings(), "amountOf", "text", v.Title(text), "n", n, "unit", v.inert(unit))
	case quantity != 1:
		return v.Say(aboutThings(), "amount", "text", v.Title(text), "n", n)
	}
	return v.Title(text)
}

func (v Voice) item(i ListItem) string { return v.Item(i.Text, i.Quantity, i.Unit) }

func (v Voice) ofList(c meet.Change, done string) string {
	var before, after shownList
	if json.Unmarshal(orEmpty(c.Before), &before) != nil || json.Unmarshal(orEmpty(c.After), &after) != nil {
		return v.setting(c, done)
	}
	said := func(name, title string, items []string) string {
		return v.Say(aboutThings(), name+done, "title", v.Title(title), "from", v.Title(before.Name), "items", v.List(items))
	}
	whole := func(name string, l shownList) string {
		if len(l.Items) > 0 {
			name += "With"
		}
		var items []string
		for _, i := range l.Items {
			items = append(items, v.item(i))
		}
		return said(name, l.Name, items)
	}
	if c.Kind == meet.CreateThing {
		return whole("list", after)
	}
	if c.Kind == meet.DeleteThing {
		return whole("unlist", before)
	}
	changes := v.itemChanges(before, after)
	var parts []string
	if before.Name != after.Name {
		parts = append(parts, said("rename", after.Name, nil))
	}
	for _, name := range []string{"add", "remove", "tick", "untick", "alter"} {
		if len(changes[name]) > 0 {
			parts = append(parts, said(name, after.Name, changes[name]))
		}
	}
	return strings.Join(parts, "; ")
}

// itemChanges are the items that a change of a list adds, removes, ticks off, puts back and alters, in words.
func (v Voice) itemChanges(before, after shownList) map[string][]string {
	changes := map[string][]string{}
	for _, is := range after.Items {
		was := before.item(is.ID)
		name, text := "", v.item(is)
		switch {
		case was == nil:
			name = "add"
		case is.Done && !was.Done:
			name = "tick"
		case was.Done && !is.Done:
			name = "untick"
		case v.item(*was) != text:
			name, text = "alter", v.Say(aboutThings(), "becomes", "from", v.item(*was), "to", text)
		}
		if name != "" {
			changes[name] = append(changes[name], text)
		}
	}
	for _, was := range before.Items {
		if after.item(was.ID) == nil {
			changes["remove"] = append(changes["remove"], v.item(was))
		}
	}
	return changes
}

func (v Voice) ofNote(c meet.Change, done string) string {
	var note struct{ Text string }
	name, shown := "note", c.After
	if c.Kind == meet.UpdateThing {
		name = "renote"
	}
	if c.Kind == meet.DeleteThing {
		name, shown = "unnote", c.Before
	}
	if json.Unmarshal(orEmpty(shown), &note) != nil {
		return v.setting(c, done)
	}
	return v.Say(aboutThings(), name+done, "text", v.inert(note.Text))
}

func (v Voice) ofWorkflow(c meet.Change, done string) string {
	var before, after struct{ Name, Words string }
	if json.Unmarshal(orEmpty(c.Before), &before) != nil || json.Unmarshal(orEmpty(c.After), &after) != nil {
		return v.setting(c, done)
	}
	name := "workflow"
	switch {
	case c.Kind == meet.DeleteThing:
		name, after = "unworkflow", before
	case c.Kind == meet.UpdateThing && before.Name != after.Name:
		name = "callworkflow"
	case c.Kind == meet.UpdateThing:
		name = "reworkflow"
	}
	return v.Say(aboutThings(), name+done, "title", v.Title(after.Name), "from", v.Title(before.Name),
		"text", v.inert(after.Words))
}

// Quote is a text of several lines as one, in which no program makes a link: its beginning, if it is long.
func (v Voice) Quote(text string) string { return v.inert(text) }

// contactFields are what a contact is told by, in this order.
var contactFields = []string{"name", "email", "emails", "phone", "role", "birthday", "notes"}

func (v Voice) ofContact(c meet.Change, done string) string {
	var before, after map[string]json.RawMessage
	if json.Unmarshal(orEmpty(c.Before), &before) != nil || json.Unmarshal(orEmpty(c.After), &after) != nil {
		return v.setting(c, done)
	}
	var fields []string
	for _, name := range contactFields {
		if c.Kind == meet.CreateThing && name == "name" || slices.Equal(before[name], after[name]) {
			continue
		}
		value := v.fact(name, after[name])
		if c.Kind == meet.UpdateThing && !isNull(before[name]) {
			value = v.Say(aboutThings(), "becomes", "from", v.fact(name, before[name]), "to", value)
		}
		fields = append(fields, v.Say(aboutThings(), "value", "field", v.Say(aboutThings(), "field."+name), "value", value))
	}
	name := "recontact"
	switch {
	case c.Kind == meet.DeleteThing:
		name = "uncontact"
	case c.Kind == meet.CreateThing && len(fields) > 0:
		name = "contactWith"
	case c.Kind == meet.CreateThing:
		name = "contact"
	}
	return v.Say(aboutThings(), name+done, "title", v.Title(c.Title), "fields", strings.Join(fields, "; "))
}

// fact is a member of a contact in words.
func (v Voice) fact(name string, raw json.RawMessage) string {
	var text string
	if name == "birthday" && json.Unmarshal(raw, &text) == nil {
		return v.Birthday(text)
	}
	return v.words(raw)
}

// Birthday is "1987-05-03", or "--05-03" without a year, in words: a date without its weekday.
func (v Voice) Birthday(date string) string {
	layout, text := time.DateOnly, date
	if rest, yearless := strings.CutPrefix(date, "--"); yearless {
		layout, text = "2006-01-02", "2000-"+rest // a leap year
	}
	t, err := time.Parse(layout, text)
	if err != nil {
		return v.inert(date)
	}
	name := "birthday"
	if text == date {
		name = "birthdayYear"
	}
	return v.Say(aboutThings(), name, "month", v.tongue.names.Months[t.Month()-1], "day", strconv.Itoa(t.Day()),
		"year", strconv.Itoa(t.Year()))
}

// orEmpty is an object for a value that there is not.
func orEmpty(raw json.RawMessage) json.RawMessage {
	if isNull(raw) {
		return json.RawMessage("{}")
	}
	return raw
}
