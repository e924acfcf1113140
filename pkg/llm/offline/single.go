package offline

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Offered is a tool that a message may ask for, with the JSON Schema of its arguments.
type Offered struct {
	Name       string
	Parameters json.RawMessage
}

// Clause is a part of a message that may ask for one operation.
type Clause struct {
	Text, Language string
	Now            time.Time
	// Said are the words that may mean people, by their names.
	Said map[string][]string
	// Shown is the type of the things that "them" means: events, tasks or mails. Empty if it means none.
	Shown string
}

// Single is the call of the one tool that a clause asks for. It is not ok if the rules cannot make sense of every word.
// What words like "them" mean is "shown" in the call's selection.
func Single(c Clause, offered []Offered) (name string, arguments json.RawMessage, ok bool) {
	d := planData{Message: c.Text}
	for name, words := range c.Said {
		d.People = append(d.People, zoned{Name: name, Said: words})
	}
	slices.SortFunc(d.People, func(a, b zoned) int { return strings.Compare(a.Name, b.Name) })
	if c.Shown != "" {
		d.Shown = list{Type: c.Shown, Count: manyShown}
		d.RecentTurns = []exchange{{Assistant: "(" + c.Shown + ")"}}
	}
	tools := make([]tool, len(offered))
	for i, o := range offered {
		tools[i] = tool{Function: functionName(o)}
	}
	all := operations(c.Text, c.Language, c.Now, known{contacts: d.People}, d.pointing())
	call := operationCall{name: clarify}
	if len(all) == 1 && all[0].aside == "" && !follows(all[0].verb) {
		call = d.call(all, c.Language, c.Now, tools)
	}
	if call.name == clarify {
		return "", nil, false
	}
	arguments, err := json.Marshal(call.arguments)
	return call.name, arguments, err == nil
}
