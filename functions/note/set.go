// Package note has the tools of the family note: one .go and one .md each.
package note

import (
	"convene/functions/world"
	"convene/pkg/meet"
)

// Family is the name of the family.
const Family = "note"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{save(), search(), deleteNotes()}
}

func trait(effect world.Effect, operation meet.Operation) world.Trait {
	gives := world.Notes
	if effect == world.Changes {
		gives = world.ChangeList
	}
	return world.Trait{Family: Family, Effect: effect, Gives: gives, Operation: operation, Resource: meet.NoteResource}
}
