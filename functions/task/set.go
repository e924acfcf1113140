// Package task has the tools of the family task: one .go and one .md each.
package task

import "convene/functions/world"

// Family is the name of the family.
const Family = "task"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{
		viewTasks(),
		createTask(),
		updateTask(),
		completeTask(),
		deleteTask(),
		getBacklogWithScores(),
		assignToTimeBlock(),
		suggestForDuration(),
	}
}
