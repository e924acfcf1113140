// Package calendar has the tools of the family calendar: one .go and one .md each.
package calendar

import "convene/functions/world"

// Family is the name of the family.
const Family = "calendar"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return nil
}
