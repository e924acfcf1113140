// Package workflow has the words and rules of requests that people keep under a name, and of runs: plans that were
// carried out or wait for an answer. What is kept of a request is what its owner said. It is read anew whenever it is
// run, so that "next Friday" is the next one from then on.
package workflow

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/record"
)

// Workflow is a request that its owner keeps under a name.
type Workflow struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Words are what the owner said: the message that is read anew.
	Words    string `json:"words"`
	Language string `json:"language"`
	// Steps are those of the plan as it was when it was saved.
	Steps   []meet.RequestStep `json:"steps"`
	Created time.Time          `json:"created"`
}

// The bounds of a workflow, in characters.
const (
	LongestName  = 80
	LongestWords = 8000
)

// Kind are workflows as records.
var Kind = record.Kind{What: meet.WorkflowThing, Show: show, Validate: validate}

// Decode reads a stored workflow.
func Decode(id string, value []byte) (w Workflow, err error) {
	if err := json.Unmarshal(value, &w); err != nil {
		return w, fmt.Errorf("workflow %s: %w", id, err)
	}
	if w.ID = id; w.Steps == nil {
		w.Steps = []meet.RequestStep{}
	}
	return w, nil
}

func show(id string, value []byte) (json.RawMessage, error) {
	w, err := Decode(id, value)
	if err != nil {
		return nil, err
	}
	return meet.MarshalLine(w)
}

// validate returns a fault that names what is wrong with a stored workflow.
func validate(id string, value []byte) error {
	w, err := Decode(id, value)
	if err != nil {
		return fault.Invalid("workflow", "is no workflow").Because(err)
	}
	switch {
	case w.Name == "" || w.Name != meet.Caption(w.Name):
		return fault.Invalid("name", "must be one line of text")
	case utf8.RuneCountInString(w.Name) > LongestName:
		return fault.Invalid("name", "has at most %d characters", LongestName)
	case strings.TrimSpace(w.Words) == "" || utf8.RuneCountInString(w.Words) > LongestWords:
		return fault.Invalid("words", "must have 1 to %d characters", LongestWords)
	}
	return nil
}

// All are workflows from their records, by name.
func All(records record.Values) ([]Workflow, error) {
	list := make([]Workflow, 0, len(records))
	for id, value := range records {
		w, err := Decode(id, value)
		if err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b Workflow) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return list, nil
}

// Exactly are the workflows of that id or name, whatever the case, accents, marks and spaces.
func Exactly(name string, all []Workflow) (found []Workflow) {
	said := strings.Join(agenda.Stems(name), "")
	for _, w := range all {
		if w.ID == name || said != "" && strings.Join(agenda.Stems(w.Name), "") == said {
			found = append(found, w)
		}
	}
	return found
}

// Named are the workflows that words may mean: those of exactly that name or, if there is none, those whose names have
// all of the words.
func Named(words string, all []Workflow) (found []Workflow) {
	if found = Exactly(words, all); len(found) > 0 {
		return found
	}
	said := agenda.Stems(words)
	for _, w := range all {
		name := agenda.Stems(w.Name)
		missing := func(s string) bool {
			return !slices.ContainsFunc(name, func(n string) bool { return agenda.Similar(s, n) })
		}
		if len(said) > 0 && !slices.ContainsFunc(said, missing) {
			found = append(found, w)
		}
	}
	return found
}
