package system

import (
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed show_workflow_history.md
var showWorkflowHistoryWords string

// ShowWorkflowHistoryArguments say which runs.
type ShowWorkflowHistoryArguments struct {
	Type  *string `json:"type" jsonschema:"nullable"`
	Limit *int    `json:"limit" jsonschema:"nullable"`
}

// showWorkflowHistory is not there yet.
func showWorkflowHistory() world.Tool {
	return notYet[ShowWorkflowHistoryArguments](
		"system_showWorkflowHistory", showWorkflowHistoryWords, "noWorkflows", meet.ReadResource)
}
