// Package preference has the tools of the family preference: one .go and one .md each.
package preference

import "convene/functions/world"

// Family is the name of the family.
const Family = "preference"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{view(), updatePreferences(), forget()}
}
