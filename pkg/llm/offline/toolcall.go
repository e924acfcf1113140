package offline

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// clarify is the tool that asks the user; its question is the only argument.
const clarify = "clarify"

// isTool reports whether a function is one of the assistant's tools, which are named by family.
func isTool(name string) bool { return name == clarify || strings.Contains(name, "_") }

// operate answers with the one call that does what a message asks for, or with a question.
func (m *Model) operate(offered []tool, d planData) (name string, arguments any) {
	now, err := parseTime(d.Now)
	if err != nil {
		now = m.options.Now()
	}
	language := Language(readable(d.Message), d.RecentTurns)
	all := operations(d.Message, language, now, known{contacts: d.People}, d.pointing())
	call := d.call(all, language, now, offered)
	return call.name, call.arguments
}

// operationCall is a call of a tool with its arguments.
type operationCall struct {
	name      string
	arguments any
}

// call is the call for the operations of a message.
func (d planData) call(all []operation, language string, now time.Time, offered []tool) operationCall {
	asks := tongueOf(language).Clarify
	switch {
	case len(all) == 0:
		return asking(asks[missesForm])
	case len(all) > 1:
		return asking(asks["tool"])
	case all[0].missing != "":
		return asking(asks[all[0].missing])
	case all[0].aside != "" && duties[all[0].verb].changes:
		return asking(filled(asks["unread"], "{words}", quotable(all[0].aside)))
	}
	op := all[0]
	if follows(op.verb) {
		if call, ok := d.again(op, now, offered); ok {
			return call
		}
		return asking(asks[missesForm])
	}
	f := op.facts(now)
	for _, name := range duties[op.verb].tools {
		i := slices.IndexFunc(offered, func(t tool) bool { return t.Function.Name == name })
		if i < 0 {
			continue
		}
		if arguments, ok := f.in(offered[i].Function.Parameters); ok {
			return operationCall{name, arguments}
		}
	}
	return asking(asks["tool"])
}

func asking(text string) operationCall {
	return operationCall{clarify, struct {
		Question string `json:"question"`
	}{text}}
}

// quotable are words that may be repeated.
func quotable(text string) string {
	var words []string
	for w := range strings.FieldsSeq(text) {
		if w = strings.Trim(w, ".,;:!?\"()"); onlyPlain(w) && len(words) < maxDeed {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// schema is what of a strict JSON Schema says which arguments there are.
type schema struct {
	Type       any                `json:"type"`
	Properties map[string]*schema `json:"properties"`
	AnyOf      []*schema          `json:"anyOf"`
	Items      *schema            `json:"items"`
	Enum       []any              `json:"enum"`
}

// is reports whether the schema allows a type.
func (s *schema) is(name string) bool {
	switch t := s.Type.(type) {
	case string:
		return t == name
	case []any:
		return slices.Contains(t, any(name))
	}
	return slices.ContainsFunc(s.AnyOf, func(b *schema) bool { return b.is(name) })
}

// object is the branch that has properties; nil for none.
func (s *schema) object() *schema {
	if s.Properties != nil {
		return s
	}
	for _, b := range s.AnyOf {
		if o := b.object(); o != nil {
			return o
		}
	}
	return nil
}

// in puts the facts into the arguments that a schema describes. It is not ok if one that is needed has no place there.
func (f *facts) in(raw json.RawMessage) (arguments map[string]any, ok bool) {
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, false
	}
	placed := map[string]bool{}
	arguments, _ = f.fill(&s, placed)
	for _, names := range f.needed {
		if !slices.ContainsFunc(names, func(n string) bool { return placed[n] }) {
			return nil, false
		}
	}
	return arguments, true
}

// fill is an object of a schema, and whether any fact is in it.
func (f *facts) fill(s *schema, placed map[string]bool) (object map[string]any, some bool) {
	object = map[string]any{}
	for name, property := range s.Properties {
		value, known := f.values[name]
		if fitted, fits := fit(value, property); known && fits {
			object[name], placed[name], some = fitted, true, true
			continue
		}
		object[name] = property.blank()
		if inner := property.object(); inner != nil && !property.is("null") && name != "selection" {
			if filled, any := f.fill(inner, placed); any {
				object[name], some = filled, true
			}
		}
	}
	return object, some
}

// fit is a value in the form of a schema; it is not ok if it has another type.
func fit(value any, s *schema) (fitted any, ok bool) {
	raw, err := json.Marshal(value)
	if err != nil || value == nil {
		return nil, false
	}
	var plain any
	if err := json.Unmarshal(raw, &plain); err != nil {
		return nil, false
	}
	return conform(plain, s)
}

func conform(value any, s *schema) (any, bool) {
	switch v := value.(type) {
	case nil:
		return s.blank(), true
	case string:
		allowed := func(b *schema) bool { return b.is("string") && (len(b.Enum) == 0 || slices.Contains(b.Enum, value)) }
		return v, allowed(s) || slices.ContainsFunc(s.AnyOf, allowed)
	case float64:
		return v, s.is("integer") || s.is("number")
	case bool:
		return v, s.is("boolean")
	case []any:
		list := s.list()
		if list == nil {
			return nil, false
		}
		for i := range v {
			var ok bool
			if v[i], ok = conform(v[i], list); !ok {
				return nil, false
			}
		}
		return v, true
	case map[string]any:
		o := s.object()
		if o == nil {
			return nil, false
		}
		out := map[string]any{}
		for name, property := range o.Properties {
			fitted, ok := conform(v[name], property)
			if !ok {
				return nil, false
			}
			out[name] = fitted
		}
		return out, true
	}
	return nil, false
}

// list is the schema of the items; nil if it is none of a list.
func (s *schema) list() *schema {
	if s.Items != nil {
		return s.Items
	}
	for _, b := range s.AnyOf {
		if l := b.list(); l != nil {
			return l
		}
	}
	return nil
}

// blank is the value for what was not said.
func (s *schema) blank() any {
	switch {
	case s.is("null"):
		return nil
	case s.is("array"):
		return []any{}
	case s.object() != nil:
		out := map[string]any{}
		for name, property := range s.object().Properties {
			out[name] = property.blank()
		}
		return out
	case s.is("boolean"):
		return false
	case s.is("integer"), s.is("number"):
		return 0
	}
	return ""
}
