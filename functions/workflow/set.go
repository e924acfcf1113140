// Package workflow has the tools of the family workflow: one .go and one .md each. They keep requests under names.
package workflow

import (
	"convene/functions/world"
	"convene/pkg/meet"
)

// Family is the name of the family.
const Family = "workflow"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{save(), view(), run(), rename(), deleteWorkflow()}
}

func trait(effect world.Effect, operation meet.Operation) world.Trait {
	gives := world.Workflows
	if effect == world.Changes {
		gives = world.ChangeList
	}
	return world.Trait{
		Family: Family, Effect: effect, Gives: gives, Operation: operation, Resource: meet.WorkflowResource,
	}
}
