package system

import (
	"context"
	_ "embed"
	"slices"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/workflow"
)

//go:embed resume_workflow.md
var resumeWorkflowWords string

// ResumeWorkflowArguments say which run goes on: by its id or the name of its workflow; null is the latest that waits.
type ResumeWorkflowArguments struct {
	WorkflowID *string `json:"workflowId" jsonschema:"nullable"`
}

// resumeWorkflow shows what a run waits for. In a conversation its question is asked again, and the next message may
// answer it.
func resumeWorkflow() world.Tool {
	return world.Define("system_resumeWorkflow", resumeWorkflowWords, about(meet.Execute), func(
		ctx context.Context, w *world.World, in ResumeWorkflowArguments,
	) (answer world.Answer[Runs], err error) {
		run, err := waiting(ctx, w, in.WorkflowID)
		if err != nil {
			return answer, err
		}
		answer = world.Answer[Runs]{
			Data: Runs{[]workflow.Run{run}}, Display: meet.CardDisplay, Title: say(w, "runs"), Description: told(w, run),
		}
		if run.Status == workflow.Waiting || run.Status == workflow.Lapsed {
			answer.Next = &world.Next{Run: &run}
		}
		return answer, nil
	})
}

// waiting is the run of that id, or the latest one of that workflow. Without a name it is the latest that waits or has
// lapsed.
func waiting(ctx context.Context, w *world.World, name *string) (run workflow.Run, err error) {
	if w.Runs == nil {
		return run, fault.New(fault.Unavailable, "%s", say(w, "noRunsHere"))
	}
	all, err := w.Runs.Runs(ctx, mostRuns)
	if err != nil {
		return run, err
	}
	fits := func(r workflow.Run) bool { return r.Status == workflow.Waiting }
	if name != nil {
		fits = func(r workflow.Run) bool {
			return r.ID == *name || len(workflow.Exactly(*name, []workflow.Workflow{{Name: r.Workflow}})) > 0
		}
	}
	i := slices.IndexFunc(all, fits)
	if i < 0 && name == nil {
		i = slices.IndexFunc(all, func(r workflow.Run) bool { return r.Status == workflow.Lapsed })
	}
	if i < 0 {
		return run, fault.New(fault.NotFound, "%s", say(w, "noneWaits"))
	}
	return all[i], nil
}
