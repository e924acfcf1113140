package system

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/tool"
	"convene/pkg/workflow"
)

//go:embed show_workflow_history.md
var showWorkflowHistoryWords string

// ShowWorkflowHistoryArguments say which runs.
type ShowWorkflowHistoryArguments struct {
	Type  *string `json:"type" jsonschema:"nullable"`
	Limit *int    `json:"limit" jsonschema:"nullable"`
}

// Runs are the data of the tools about runs.
type Runs struct {
	Runs []workflow.Run `json:"runs"`
}

// about is the trait of a tool about runs.
func about(operation meet.Operation) world.Trait {
	return bare(world.Reads, operation, meet.WorkflowResource)
}

// usually is how many runs are shown if no number is named, and mostRuns how many at most.
const (
	usually  = 10
	mostRuns = 100
)

// showWorkflowHistory shows the plans that ran or wait, the newest first.
func showWorkflowHistory() world.Tool {
	return world.Define("system_showWorkflowHistory", showWorkflowHistoryWords, about(meet.ReadResource), func(
		ctx context.Context, w *world.World, in ShowWorkflowHistoryArguments,
	) (answer world.Answer[Runs], err error) {
		limit := usually
		if in.Limit != nil {
			if limit = *in.Limit; limit < 1 || limit > mostRuns {
				return answer, tool.BadArgument("limit", "must be 1 to %d", mostRuns)
			}
		}
		if w.Runs == nil {
			return answer, fault.New(fault.Unavailable, "%s", say(w, "noRunsHere"))
		}
		all, err := w.Runs.Runs(ctx, mostRuns)
		if err != nil {
			return answer, err
		}
		answer.Data, answer.Display, answer.Title = Runs{[]workflow.Run{}}, meet.ListDisplay, say(w, "runs")
		var lines []string
		for _, run := range all {
			other := in.Type != nil && len(workflow.Exactly(*in.Type, []workflow.Workflow{{Name: run.Workflow}})) == 0
			if other || len(lines) == limit {
				continue
			}
			answer.Data.Runs = append(answer.Data.Runs, run)
			lines = append(lines, "- "+told(w, run))
		}
		if answer.Description = strings.Join(lines, "\n"); len(lines) == 0 {
			answer.Description = say(w, "noRuns")
		}
		return answer, nil
	})
}

// told is a run in words: when it began, what was asked for, and how it stands.
func told(w *world.World, run workflow.Run) string {
	name, status := "run", "run."+string(run.Status)
	pairs := []string{
		"when", w.Voice().When(run.Started.In(w.Zone())), "words", w.Voice().Quote(run.Words), "status", say(w, status),
	}
	if run.Workflow != "" {
		name, pairs = "runOf", append(pairs, "name", w.Voice().Title(run.Workflow))
	}
	text := say(w, name, pairs...)
	if run.Question != nil {
		text += " " + w.Voice().Title(run.Question.Question)
	}
	return text
}
