package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// NothingError says that a step has nothing to do, because another one gave nothing.
type NothingError struct{ From string }

func (e NothingError) Error() string { return fmt.Sprintf("step %s gave nothing", e.From) }

// Bind are the arguments of a step with what its references stand for. Item is that of ForEach, nil without it. A
// NothingError says that there is nothing to do. No list of ids or people is ever empty by a reference: a selection
// with an empty one would mean everything.
func (s *State) Bind(i int, t Tool, item json.RawMessage) (json.RawMessage, error) {
	step := s.Plan.Steps[i]
	return step.replace(t, func(at place, ref reference) (any, error) {
		things := []json.RawMessage{item}
		if ref.From != "" {
			things = Items(s.of(ref.From).Gave)
		}
		value, err := at.bound(things, ref, s.of(ref.From).Gave)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at.path, err)
		}
		return value, nil
	})
}

// mayBeEmpty are arguments in which nothing means nothing.
var mayBeEmpty = []string{"items", "others", "without", "except", "cc", "bcc"}

// bound is what a reference stands for at a place.
func (p place) bound(things []json.RawMessage, ref reference, gave json.RawMessage) (any, error) {
	var values []any
	switch wants := p.wants(); {
	case ref.From == "" || ref.Member != "":
		values = each(things, func(one json.RawMessage) []any { return memberOf(one, ref.Member) })
		if ref.From != "" && !p.many() && len(values) > 1 {
			values = values[:1]
		}
	case wants != wantIDs && wants != wantItems && textIn(gave) != "":
		values = []any{textIn(gave)}
	case wants == wantNumber:
		return json.Number(fmt.Sprint(Count(gave))), nil
	case wants == wantItems:
		values = each(things, decodedThing)
	case wants == wantPeople:
		values = distinct(each(things, peopleOf))
	case wants == wantIDs:
		values = distinct(each(things, func(one json.RawMessage) []any { return memberOf(one, "id") }))
	case wants == wantMoment && len(things) > 0:
		values = p.moment(things[0])
	case wants == wantText:
		values = []any{fmt.Sprint(Count(gave))}
	}
	switch {
	case p.many() && (len(values) > 0 || slices.Contains(mayBeEmpty, p.name)):
		return append([]any{}, values...), nil
	case len(values) == 0 && ref.From != "":
		return nil, NothingError{ref.From}
	case len(values) == 0:
		return nil, fmt.Errorf("the item has no %s", ref.Member)
	case len(values) > 1:
		return nil, fmt.Errorf("needs one thing, and there are %d", len(values))
	}
	return values[0], nil
}

// textIn is what a result says, if it is a text: an answer of the user.
func textIn(gave json.RawMessage) string {
	var said struct{ Text string }
	_ = json.Unmarshal(gave, &said) // of some results it is no text
	return said.Text
}

// each is what f makes of all things.
func each(things []json.RawMessage, f func(json.RawMessage) []any) (values []any) {
	for _, one := range things {
		values = append(values, f(one)...)
	}
	return values
}

func decodedThing(one json.RawMessage) []any {
	value, err := decoded(one)
	if err != nil {
		return nil
	}
	return []any{value}
}

// memberOf is a member of a thing; a text is all of it. Of lists all elements.
func memberOf(one json.RawMessage, name string) []any {
	value, err := decoded(one)
	if err != nil {
		return nil
	}
	if object, ok := value.(map[string]any); ok {
		value = object[name]
	}
	switch value := value.(type) {
	case nil:
		return nil
	case []any:
		return value
	case string:
		if value == "" {
			return nil
		}
	}
	return []any{value}
}

// peopleOf are the addresses that a thing has of people, or their names if there are none: a person, a contact, the
// sender of a mail.
func peopleOf(one json.RawMessage) (people []any) {
	var thing struct {
		Email, Name, FromEmail string
		From                   json.RawMessage
	}
	if err := json.Unmarshal(one, &thing); err != nil {
		return memberOf(one, "") // the address itself
	}
	var sender struct{ Email string }
	_ = json.Unmarshal(thing.From, &sender) // of some things it is no object
	if who := first(thing.Email, thing.FromEmail, sender.Email, thing.Name); who != "" {
		return []any{who}
	}
	return nil
}

// moment is when a thing begins or ends, in the form that the argument has.
func (p place) moment(one json.RawMessage) []any {
	var thing struct{ Start, End, StartTime, EndTime string }
	if json.Unmarshal(one, &thing) != nil {
		return nil
	}
	at := first(thing.Start, thing.StartTime)
	if strings.Contains(strings.ToLower(p.name), "end") {
		at = first(thing.End, thing.EndTime)
	}
	layouts := map[string]string{
		"date": time.DateOnly, "newDate": time.DateOnly, "time": "15:04", "startTime": "15:04", "endTime": "15:04",
		"newStartTime": "15:04", "newEndTime": "15:04",
	}
	if moment, err := time.Parse(time.RFC3339, at); err == nil && layouts[p.name] != "" {
		at = moment.Format(layouts[p.name])
	}
	if at == "" {
		return nil
	}
	return []any{at}
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// distinct are the texts of values, each once.
func distinct(values []any) (once []any) {
	seen := map[string]bool{}
	for _, v := range values {
		if text, ok := v.(string); ok && !seen[text] {
			seen[text], once = true, append(once, v)
		}
	}
	return once
}

// lists are the members of results that have their things, the first that a result has counting.
var lists = []string{
	"people", "events", "tasks", "blocks", "created", "emails", "contacts", "notes", "times", "gaps", "lists", "groups",
	"combination", "categorized",
}

// Items are the things that a result has.
func Items(gave json.RawMessage) []json.RawMessage {
	var data map[string]json.RawMessage
	if json.Unmarshal(gave, &data) != nil {
		return nil
	}
	for _, name := range lists {
		var items []json.RawMessage
		if raw, has := data[name]; has && json.Unmarshal(raw, &items) == nil {
			return items
		}
	}
	for _, name := range []string{"event", "block", "task", "email", "note", "contact"} { // it has one thing
		if raw, has := data[name]; has && string(raw) != "null" {
			return []json.RawMessage{raw}
		}
	}
	return nil
}

// Unread reports whether a result says that something could not be read, or of whom nothing is known.
func Unread(gave json.RawMessage) bool {
	var data struct {
		Unread  bool
		Unknown []json.RawMessage
	}
	_ = json.Unmarshal(gave, &data) // of some results it is something else
	return data.Unread || len(data.Unknown) > 0
}

// Count is how many things a result has, or the number that it is.
func Count(gave json.RawMessage) int {
	var counted struct{ Count *int }
	if json.Unmarshal(gave, &counted) == nil && counted.Count != nil {
		return *counted.Count
	}
	return len(Items(gave))
}

// Join is the result of a step that ran for each of several items: its lists one after the other.
func Join(gave []json.RawMessage) json.RawMessage {
	joined := map[string][]json.RawMessage{}
	for _, one := range gave {
		var data map[string]json.RawMessage
		if json.Unmarshal(one, &data) != nil {
			continue
		}
		for name, raw := range data {
			var items []json.RawMessage
			if json.Unmarshal(raw, &items) == nil && items != nil {
				joined[name] = append(joined[name], items...)
			} else if slices.Contains([]string{"event", "block", "task", "email", "note", "contact"}, name) {
				joined[name+"s"] = append(joined[name+"s"], raw)
			}
		}
	}
	raw, err := json.Marshal(joined)
	if err != nil {
		return nil
	}
	return raw
}
