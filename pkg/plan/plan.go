// Package plan is a request that takes several steps: calls of tools with references from one to another. It has the
// words and the rules: what is wrong with a plan (Check), which steps may run (State), and what a reference stands for
// (Step.Bind). Package stages carries plans out.
package plan

import "encoding/json"

// Plan is what a message becomes that one call cannot do.
type Plan struct {
	Name  string `json:"name"`
	Steps []Step `json:"steps"`
}

// Step is one call of a tool.
type Step struct {
	// ID names the step within its plan.
	ID   string `json:"id"`
	Tool string `json:"tool"`
	// Arguments are those of the tool. An object {"$from": "friday"} stands for what the step friday gave, as the argument
	// needs it (ids, items, people), {"$from": "free", "member": "start"} for a member of the first thing that it gave,
	// and {"$item": "title"} for a member of the item of ForEach.
	Arguments json.RawMessage `json:"arguments"`
	// HumanSummary says in the user's language what the step is for.
	HumanSummary string `json:"humanSummary"`
	// DependsOn are steps that come before, besides those that are referred to.
	DependsOn []string `json:"dependsOn,omitempty"`
	// Condition decides whether the step runs; nil is always.
	Condition *Condition `json:"condition,omitempty"`
	// ForEach runs the step for each item that a step gave.
	ForEach *Reference `json:"forEach,omitempty"`
	// Retries is how often a step that failed for a moment is tried again.
	Retries int `json:"retries,omitempty"`
}

// Reference stands for what another step gives.
type Reference struct {
	From string `json:"$from"`
}

// Condition is about how much another step gave.
type Condition struct {
	From string `json:"$from"`
	Is   Is     `json:"is"`
	// N is the number of MoreThan.
	N int `json:"n,omitempty"`
}

// Is is a kind of condition. The list is closed: there is no language of expressions.
type Is string

// The kinds of conditions.
const (
	Empty    Is = "empty"
	NotEmpty Is = "not empty"
	MoreThan Is = "more than"
)
