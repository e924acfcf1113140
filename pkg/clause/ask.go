package clause

import (
	"encoding/json"
	"slices"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/ground"
)

// plainly is how probable a deed has to be that is read by the things that a clause names.
const plainly = 0.8

// ask is the call that a clause asks for: by the rules or, if every word is understood, by the things that it names.
func (r *reader) ask(s state, text string) (ground.Call, bool) {
	shown, key := s.shown(), callKey(s, text)
	if known, done := r.calls[key]; done {
		return known.call, known.ok
	}
	if !r.mayRead(text) {
		return ground.Call{}, false
	}
	m := r.Message
	m.Text, m.Listed, m.Before = text, nil, ground.Call{}
	if shown != ground.Nothing || ground.WroteShown(r.Message).Address == "" {
		m.Last = nil // "it" is no mail that was shown
	}
	pointAt(&m, shown)
	call, ok := r.rules(m, shown)
	if ok {
		ok = r.believes(call)
	}
	named := ground.Read(m)
	plain := isPlain(named) || named.Probability >= ground.Surely && names(named.Arguments, m.Last)
	switch {
	case plain && (!ok || named.Probability >= ground.Surely ||
		choosesTask(named) && family(call.Tool) == "calendar"):
		call, ok = ground.Call{Tool: named.Tool, Arguments: named.Arguments}, true
	case named.Denied && !reads[call.Tool]:
		ok = false // it says what is not to be done
	case ok && named.Plain && named.Tool != call.Tool && !named.Reads && !reads[call.Tool]:
		ok = false // they read other deeds
	}
	r.calls[key] = asked{call, ok, named.Deed, named.Probability}
	return call, ok
}

// shown is the kind of the things that "them" means.
func (s state) shown() ground.Kind {
	if s.things == nil {
		return ground.Nothing
	}
	return s.things.kind
}

// callKey tells clauses apart that may be read in other ways.
func callKey(s state, text string) string { return string(s.shown()) + "\n" + text }

// isPlain reports whether a reading is plain and probable enough for a step.
func isPlain(named ground.Reading) bool {
	of := family(named.Tool)
	plain := named.Plain || ofShown(named.Arguments) || named.Clear && mild[of] || choosesTask(named)
	likely := named.Probability >= plainly || named.Reads && of == "email" ||
		named.Plain && of == "list" && named.Probability >= hardly // a list is named as well
	return named.Tool != "" && plain && likely
}

// choosesTask reports whether a reading is of one of several tasks, among which the user is asked.
func choosesTask(named ground.Reading) bool {
	var of struct {
		Selection struct {
			TitleHas []string
			One      bool
		}
	}
	err := json.Unmarshal(named.Arguments, &of)
	return err == nil && family(named.Tool) == "task" && of.Selection.One && len(of.Selection.TitleHas) > 0
}

// pointAt lets "them" mean the things of an earlier clause, which are not known yet: one thing stands for them.
func pointAt(m *ground.Message, kind ground.Kind) {
	some := ground.Thing{Kind: kind, ID: theShown}
	switch mails := m.Mails; {
	case kind == ground.Mail && mails != nil:
		some.Letter = &ground.Letter{}
		m.Mails = func() []ground.Thing { return append(slices.Clip(mails()), some) }
	case kind == ground.Task:
		m.Things = append(slices.Clip(m.Things), some)
	default:
		return
	}
	m.Last = []string{theShown}
}

// mild are the families of tools for things that a part of their name tells.
var mild = map[string]bool{"task": true, "list": true, "email": true}

// theShown is the id of what an earlier clause found.
const theShown = ground.Shown

// ofShown reports whether a call is for what an earlier clause found.
func ofShown(arguments json.RawMessage) bool { return names(arguments, []string{theShown}) }

// names reports whether a call is for just the one thing that was seen last.
func names(arguments json.RawMessage, last []string) bool {
	return len(last) == 1 && strings.Contains(string(arguments), `"ids":["`+last[0]+`"]`)
}

// mayRead takes the words of a text from those that may still be read; false if there are no more.
func (r *reader) mayRead(text string) bool {
	r.words -= len(strings.Fields(text))
	return r.words >= 0 && !r.ended()
}

// believes reports whether the texts in a call hold no word that joins clauses: such a one was not read but swallowed.
// Neither is what is meant by a small word the title of anything new.
func (r *reader) believes(call ground.Call) bool {
	var given struct {
		Title     string
		Selection map[string]any
	}
	if json.Unmarshal(call.Arguments, &given) != nil || r.book.is("vague", given.Title) {
		return false
	}
	for _, name := range []string{"titleHas", "named", "subject", "from", "assignee"} {
		list, _ := given.Selection[name].([]any)
		if name == "titleHas" && slices.ContainsFunc(list, r.unknownTo(family(call.Tool))) {
			return false
		}
		for _, text := range append(list, given.Selection[name]) {
			if said, ok := text.(string); ok && r.book.is("swallowed", said) {
				return false
			}
		}
	}
	return true
}

// unknownTo reports whether a title has no word of anything that the user has: of events, if it is for the calendar.
func (r *reader) unknownTo(family string) func(title any) bool {
	return func(title any) bool {
		text, _ := title.(string)
		stems := slices.DeleteFunc(agenda.Stems(text), agenda.Idle)
		has := func(s string) bool {
			return slices.ContainsFunc(stems, func(o string) bool { return agenda.SameThing(s, o) })
		}
		return !slices.ContainsFunc(r.Things, func(t ground.Thing) bool {
			return (family != "calendar" || t.Kind == ground.Event) && slices.ContainsFunc(agenda.Stems(t.Title), has)
		})
	}
}

// asked is what the readers of single operations made of a clause.
type asked struct {
	call ground.Call
	ok   bool
	// deed is what the clause asks for, also if no call is made of it, and likely how probable that is.
	deed   string
	likely float64
}
