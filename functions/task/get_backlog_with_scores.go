package task

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/task"
	"convene/pkg/tool"
)

//go:embed get_backlog_with_scores.md
var getBacklogWithScoresWords string

// GetBacklogWithScoresArguments bound the tasks. MaxDuration is in minutes.
type GetBacklogWithScoresArguments struct {
	MinScore         *int  `json:"minScore" jsonschema:"nullable"`
	MaxDuration      *int  `json:"maxDuration" jsonschema:"nullable"`
	IncludeCompleted *bool `json:"includeCompleted" jsonschema:"nullable"`
	Limit            *int  `json:"limit" jsonschema:"nullable"`
}

// getBacklogWithScores lists the owner's own tasks by score.
func getBacklogWithScores() world.Tool {
	return world.Define("task_getBacklogWithScores", getBacklogWithScoresWords, reads(), func(
		ctx context.Context, w *world.World, in GetBacklogWithScoresArguments,
	) (world.Answer[List], error) {
		if in.MaxDuration != nil && *in.MaxDuration < 1 {
			return world.Answer[List]{}, tool.BadArgument("maxDuration", "must be at least one minute")
		}
		found, err := w.FindTasks(ctx, task.Selection{})
		if err != nil {
			return world.Answer[List]{}, err
		}
		found.Tasks = task.Ranked(keep(found.All, func(t task.Task) bool {
			return t.OwnedBy(w.Owner) && (t.Open() || in.IncludeCompleted != nil && *in.IncludeCompleted) &&
				(in.MinScore == nil || t.Score(w.Now).Total >= *in.MinScore) &&
				(in.MaxDuration == nil || t.Effort() <= *in.MaxDuration)
		}), w.Now)
		return list(w, found, in.Limit)
	})
}
