package system

import (
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed resume_workflow.md
var resumeWorkflowWords string

// ResumeWorkflowArguments say which run goes on.
type ResumeWorkflowArguments struct {
	WorkflowID string `json:"workflowId"`
}

// resumeWorkflow is not there yet.
func resumeWorkflow() world.Tool {
	return notYet[ResumeWorkflowArguments]("system_resumeWorkflow", resumeWorkflowWords, "noWorkflows", meet.Execute)
}
