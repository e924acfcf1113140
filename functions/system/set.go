// Package system has the tools of the family system: one .go and one .md each. They decide about what waits, and ask.
package system

import "convene/functions/world"

// Family is the name of the family.
const Family = "system"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{
		presentProposal(),
		awaitConfirmation(),
		confirmProposal(),
		modifyProposal(),
		cancelProposal(),
		undo(),
		presentChoices(),
		askFor(),
		showWorkflowHistory(),
		resumeWorkflow(),
		provideFeedback(),
		showPatterns(),
		clearContext(),
	}
}
