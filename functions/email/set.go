// Package email has the tools of the family email: one .go and .md each.
package email

import "convene/functions/world"

// Family is the name of the family.
const Family = "email"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{
		viewEmails(),
		search(),
		readEmail(),
		getBacklog(),
		categorizeEmail(),
		batchCategorize(),
		groupBySender(),
		archiveBatch(),
		deleteBatch(),
		flag(),
		createTaskFromEmail(),
	}
}
