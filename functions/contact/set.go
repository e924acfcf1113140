// Package contact has the tools of the family contact: one .go and one .md each. Contacts are the people whom
// scheduling knows.
package contact

import (
	"convene/functions/world"
	"convene/pkg/meet"
)

// Family is the name of the family.
const Family = "contact"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{find(), save(), deleteContact()}
}

func trait(effect world.Effect, operation meet.Operation) world.Trait {
	gives := world.People
	if effect == world.Changes {
		gives = world.ChangeList
	}
	return world.Trait{Family: Family, Effect: effect, Gives: gives, Operation: operation, Resource: meet.ContactResource}
}
