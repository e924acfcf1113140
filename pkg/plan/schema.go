package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tool is what a plan has to know of a tool.
type Tool struct {
	// Family is the tool's; what its arguments mean by an id is of that family.
	Family string
	// Gives is the type of what it gives: "events", "people", "number", …
	Gives string
	// Changes says that it changes something, and Offered that a plan may have it.
	Changes, Offered bool
	// Arguments says what its arguments are, and Fits what of some arguments does not fit.
	Arguments *Schema
	Fits      func(arguments []byte) error
}

// Catalogue has the tools by their names.
type Catalogue func(name string) (t Tool, ok bool)

// Schema is the part of a JSON Schema that says what stands where.
type Schema struct {
	Type       string             `json:"type"`
	Properties map[string]*Schema `json:"properties"`
	Items      *Schema            `json:"items"`
	AnyOf      []*Schema          `json:"anyOf"`
}

// ReadSchema reads a JSON Schema.
func ReadSchema(raw json.RawMessage) (s *Schema, err error) {
	err = json.Unmarshal(raw, &s)
	return s, err
}

// solid is the schema without null.
func (s *Schema) solid() (is *Schema, nullable bool) {
	if s == nil {
		return &Schema{}, false
	}
	for _, branch := range s.AnyOf {
		if branch.Type == "null" {
			nullable = true
		} else if is == nil {
			is = branch
		}
	}
	if is == nil {
		is = s
	}
	return is, nullable
}

// place is where a reference stands: the schema there, and the name of the property that has it.
type place struct {
	family, path, name string
	is                 *Schema
	nullable           bool
}

// want is what an argument needs of what a step gave.
type want string

const (
	wantIDs    want = "ids"
	wantItems  want = "items"
	wantPeople want = "people"
	wantNumber want = "number"
	wantMoment want = "time"
	wantText   want = "text"
)

// byName are the names of arguments that tell what they need.
var byName = map[want][]string{
	wantPeople: {
		"people", "with", "without", "attendees", "addAttendees", "removeAttendees", "to", "cc", "bcc", "participants",
	},
	wantItems: {"items", "others"},
	wantMoment: {
		"start", "end", "startTime", "endTime", "date", "time", "newTime", "newStartTime", "newEndTime", "newDate",
	},
}

// wants is what the place needs. Senders of mails are people, and "from" of any other selection are ids.
func (p place) wants() want {
	element, _ := p.is.solid()
	many := element.Type == "array"
	if many {
		element, _ = element.Items.solid()
	}
	is := func(w want) bool { return slices.Contains(byName[w], p.name) }
	switch {
	case element.Type == "object":
		return wantItems
	case element.Type == "integer" || element.Type == "number":
		return wantNumber
	case many && is(wantPeople), many && p.name == "from" && !p.nullable, p.name == "assignee", p.name == "organizer":
		return wantPeople
	case p.isID() && (many || p.name != "from"):
		return wantIDs
	case is(wantMoment):
		return wantMoment
	}
	return wantText
}

// isID reports whether the place has ids, by its name.
func (p place) isID() bool {
	return slices.Contains([]string{"id", "ids", "from", "block", "dependencies", "addDependencies"}, p.name) ||
		strings.HasSuffix(p.name, "Id") || strings.HasSuffix(p.name, "Ids")
}

// many reports whether the place has a list.
func (p place) many() bool { return p.is.Type == "array" }

// kindsOf are the kinds of things by what an argument's name has of them; otherwise the family tells.
var kindsOf = []struct{ has, kind string }{
	{"task", "tasks"}, {"dependencies", "tasks"}, {"email", "mails"}, {"block", "events"},
}

// kindOfFamily is the kind of things that a family is about.
var kindOfFamily = map[string]string{
	"calendar": "events", "schedule": "events", "items": "events", "task": "tasks", "email": "mails", "list": "lists",
	"note": "notes", "contact": "people",
}

// kind is the kind of things whose ids the place needs.
func (p place) kind() string {
	path := strings.ToLower(p.path)
	for _, k := range kindsOf {
		if strings.Contains(path, k.has) {
			return k.kind
		}
	}
	return kindOfFamily[p.family]
}

// gives is the kind of what a tool gives.
func (t Tool) gives() string {
	switch t.Gives {
	case "changes":
		return kindOfFamily[t.Family]
	case "blocks":
		return "events"
	}
	return t.Gives
}

// suits reports whether the place can have what the tool gives. A member is any that things have.
func (p place) suits(t Tool, member string) bool {
	gives := t.gives()
	counted := []string{"events", "tasks", "mails", "people", "notes", "lists", "gaps", "times"}
	switch p.wants() {
	case wantIDs:
		return gives == p.kind()
	case wantItems:
		return gives == "events" && slices.Contains(byName[wantItems], p.name)
	case wantPeople:
		return gives == "people" || gives == "mails" || gives == "text"
	case wantNumber:
		return gives == "number" || slices.Contains(counted, gives)
	case wantMoment:
		return gives == "gaps" || gives == "times" || gives == "events" || gives == "text"
	default:
		return member != "" && slices.Contains(counted, gives) || gives == "text" || gives == "number"
	}
}

// reference is what stands in arguments for something that is only known when the plan runs.
type reference struct {
	// From is the step that gives it; empty if it is a member of the item.
	From, Member string
}

// referenceIn is the reference that a value of JSON is.
func referenceIn(value any) (ref reference, is bool) {
	object, ok := value.(map[string]any)
	if !ok {
		return ref, false
	}
	if member, ok := object["$item"].(string); ok && len(object) == 1 {
		return reference{Member: member}, true
	}
	from, ok := object["$from"].(string)
	member, has := object["member"]
	ref = reference{From: from}
	if ref.Member, _ = member.(string); !ok || len(object) > 2 || len(object) == 2 && !has {
		return ref, false
	}
	return ref, true
}

// decoded are arguments as a value of JSON; empty ones are an object.
func decoded(arguments json.RawMessage) (value any, err error) {
	if len(bytes.TrimSpace(arguments)) == 0 {
		return map[string]any{}, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// deepest is how many levels arguments may have.
const deepest = 20

// replaced is a value of JSON in which each reference is what instead makes of it. In a list a reference becomes as
// many elements as it stands for.
func replaced(value any, at place, instead func(place, reference) (any, error)) (any, error) {
	if strings.Count(at.path, ".")+strings.Count(at.path, "[") > deepest {
		return nil, fmt.Errorf("%s: is nested too deeply", at.path)
	}
	if ref, is := referenceIn(value); is {
		return instead(at, ref)
	}
	switch value := value.(type) {
	case map[string]any:
		return replacedMembers(value, at, instead)
	case []any:
		return replacedElements(value, at, instead)
	}
	return value, nil
}

func replacedMembers(object map[string]any, at place, instead func(place, reference) (any, error)) (any, error) {
	made := make(map[string]any, len(object))
	for _, name := range sortedKeys(object) {
		is, nullable := at.is.Properties[name].solid()
		member := place{at.family, strings.TrimPrefix(at.path+"."+name, "."), name, is, nullable}
		value, err := replaced(object[name], member, instead)
		if err != nil {
			return nil, err
		}
		made[name] = value
	}
	return made, nil
}

func replacedElements(list []any, at place, instead func(place, reference) (any, error)) (any, error) {
	made := []any{}
	for i, element := range list {
		if _, is := referenceIn(element); is { // it stands for several elements
			value, err := replaced(element, at, instead)
			if err != nil {
				return nil, err
			}
			more, _ := value.([]any)
			made = append(made, more...)
			continue
		}
		is, _ := at.is.Items.solid()
		value, err := replaced(element, place{at.family, at.path + "[" + strconv.Itoa(i) + "]", at.name, is, false}, instead)
		if err != nil {
			return nil, err
		}
		made = append(made, value)
	}
	return made, nil
}

func sortedKeys(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for name := range object {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	return keys
}

// replace replaces the references of a step's arguments.
func (s Step) replace(t Tool, instead func(place, reference) (any, error)) (json.RawMessage, error) {
	value, err := decoded(s.Arguments)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	is, _ := t.Arguments.solid()
	if value, err = replaced(value, place{family: t.Family, is: is}, instead); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}
