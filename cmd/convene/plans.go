package main

import (
	"context"
	"encoding/json"
	"sync"

	"convene/functions"
	"convene/pkg/clause"
	"convene/pkg/ground"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/plan"
	"convene/pkg/tool"
)

// readPlan reads a message that asks for several operations, each operation by the rules of the built-in model.
func readPlan(ctx context.Context, m ground.Message) (made plan.Plan, lost string, ok bool) {
	said := map[string][]string{}
	for _, p := range m.People {
		said[p.Name] = append(said[p.Name], p.Said)
	}
	read := clause.Read(ctx, m, func(one ground.Message, shown ground.Kind) (ground.Call, bool) {
		name, arguments, ok := offline.Single(offline.Clause{
			Text: one.Text, Language: one.Language, Now: one.Now, Said: said, Shown: shownAs[shown],
		}, offeredInPlans())
		return ground.Call{Tool: name, Arguments: arguments}, ok
	})
	if read.Lost || read.Several {
		lost = read.Unread
	}
	return read.Plan, lost, read.Several
}

// shownAs are the kinds of things as the built-in model calls those that were shown.
var shownAs = map[ground.Kind]string{ground.Event: "events", ground.Task: "tasks", ground.Mail: "mails"}

// offeredInPlans are all tools with their arguments.
var offeredInPlans = sync.OnceValue(func() (offered []offline.Offered) {
	var all tool.Set[struct{}, llm.Call]
	for _, t := range functions.Tools() {
		all = append(all, t.Recorded())
	}
	for _, t := range all.Tools() {
		if raw, err := json.Marshal(t.Parameters); err == nil { // it came from JSON
			offered = append(offered, offline.Offered{Name: t.Name, Parameters: raw})
		}
	}
	return offered
})
