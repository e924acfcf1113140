// Package schedule has the tools of the family schedule: one .go and one .md each.
package schedule

import "convene/functions/world"

// Family is the name of the family.
const Family = "schedule"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{
		viewSchedule(),
		createTimeBlock(),
		moveTimeBlock(),
		deleteTimeBlock(),
		findGaps(),
		batchCreateBlocks(),
		analyzeUtilization(),
		fillWorkBlock(),
	}
}
