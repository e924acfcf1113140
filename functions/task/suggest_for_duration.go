package task

import (
	"context"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/tool"
)

//go:embed suggest_for_duration.md
var suggestForDurationWords string

// SuggestForDurationArguments say how many minutes there are, and what the best use of them is.
type SuggestForDurationArguments struct {
	Duration  int             `json:"duration"`
	Strategy  *string         `json:"strategy" jsonschema:"nullable,enum=best_fit,enum=priority,enum=quick_wins,enum=mixed"`
	Selection *task.Selection `json:"selection" jsonschema:"nullable"`
}

// Suggestions are the data of task_suggestForDuration: the best combination by the strategy first, then those of the
// other strategies that differ.
type Suggestions struct {
	Suggestions []Suggestion `json:"suggestions"`
}

// Suggestion is a combination of tasks that fits.
type Suggestion struct {
	Strategy     task.Strategy    `json:"strategy"`
	Combination  []world.TaskItem `json:"combination"`
	TotalMinutes int              `json:"totalMinutes"`
	TotalScore   int              `json:"totalScore"`
	Reasoning    string           `json:"reasoning"`
}

// suggestForDuration finds which tasks fit best into some minutes.
func suggestForDuration() world.Tool {
	is := reads()
	is.Operation = meet.Execute
	return world.Define("task_suggestForDuration", world.WithTaskSelection(suggestForDurationWords), is, func(
		ctx context.Context, w *world.World, in SuggestForDurationArguments,
	) (answer world.Answer[Suggestions], err error) {
		if in.Duration < 1 || in.Duration > task.MostMinutes {
			return answer, tool.BadArgument("duration", "must be 1 to %d minutes", task.MostMinutes)
		}
		s := task.Selection{Assignee: new("me")}
		if in.Selection != nil {
			s = *in.Selection
		}
		found, err := shown(ctx, w, s)
		if err != nil {
			return answer, err
		}
		fit := w.Unassigned(ctx, found)
		by := task.BestFit
		if in.Strategy != nil {
			by = task.Strategy(*in.Strategy)
		}
		answer.Data.Suggestions = suggestions(w, fit, in.Duration, by)
		v := w.Voice()
		answer.Display, answer.Title = meet.ListDisplay, say(w, "fitTitle", "length", v.Length(in.Duration))
		if len(answer.Data.Suggestions) == 0 {
			answer.Description = say(w, "noFit", "length", v.Length(in.Duration))
			return answer, nil
		}
		best := task.Fit(fit, in.Duration, by, w.Now)
		answer.Components = w.TaskCards(best.Tasks)
		answer.Description = answer.Data.Suggestions[0].Reasoning + "\n\n" + lines(w, best.Tasks)
		if found.Unread {
			answer.Description += "\n\n" + w.Say("tasksUnread")
		}
		answer.Suggestions = []string{say(w, "askBacklog")}
		return answer, nil
	})
}

// suggestions are the best combinations of the strategies, that of the given one first, each once.
func suggestions(w *world.World, tasks []task.Task, minutes int, first task.Strategy) []Suggestion {
	list, seen := []Suggestion{}, []string{}
	for _, by := range slices.Concat([]task.Strategy{first}, task.Strategies()) {
		c := task.Fit(tasks, minutes, by, w.Now)
		var ids []string
		for _, t := range c.Tasks {
			ids = append(ids, t.ID)
		}
		if key := strings.Join(ids, "\x00"); len(ids) > 0 && !slices.Contains(seen, key) {
			seen = append(seen, key)
			list = append(list, Suggestion{
				Strategy: by, Combination: w.TaskItems(c.Tasks, false), TotalMinutes: c.Minutes, TotalScore: c.Score,
				Reasoning: reasoning(w, c, minutes),
			})
		}
	}
	return list
}

// reasoning says why a combination was chosen, in words.
func reasoning(w *world.World, c task.Combination, minutes int) string {
	v := w.Voice()
	text := say(w, "why."+string(c.Strategy), "n", strconv.Itoa(len(c.Tasks)), "used", v.Length(c.Minutes),
		"length", v.Length(minutes), "score", strconv.Itoa(c.Score))
	guessed := keep(c.Tasks, func(t task.Task) bool { return t.EstimatedMinutes == 0 })
	if len(guessed) > 0 {
		text += " " + say(w, "guessed", "titles", w.TaskTitles(guessed), "length", v.Length(guessed[0].Effort()))
	}
	if late := keep(c.Tasks, func(t task.Task) bool { return t.Overdue(w.Now) }); len(late) > 0 {
		text += " " + say(w, "late", "titles", w.TaskTitles(late))
	}
	return text
}
