// Package list has the tools of the family list: one .go and one .md each. pick.go says which list and which items are
// meant.
package list

import (
	"convene/functions/world"
	"convene/pkg/meet"
)

// Family is the name of the family.
const Family = "list"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{view(), add(), setItem(), rename(), remove(), deleteList()}
}

func trait(effect world.Effect, operation meet.Operation) world.Trait {
	gives := world.Lists
	if effect == world.Changes {
		gives = world.ChangeList
	}
	return world.Trait{Family: Family, Effect: effect, Gives: gives, Operation: operation, Resource: meet.ListResource}
}
