// Package items has the tools of the family items: one .go and one .md each.
package items

import "convene/functions/world"

// Family is the name of the family.
const Family = "items"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return nil
}
