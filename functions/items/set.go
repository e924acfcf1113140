// Package items has the tools of the family items: one .go and one .md each. They read their arguments alone: the
// events that an earlier step gave.
package items

import "convene/functions/world"

// Family is the name of the family.
const Family = "items"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{filter(), sort(), count(), attendees(), missing(), pick(), durations()}
}
