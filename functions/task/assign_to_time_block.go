package task

import (
	"context"
	_ "embed"
	"slices"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/tool"
)

//go:embed assign_to_time_block.md
var assignToTimeBlockWords string

// AssignToTimeBlockArguments say which tasks, and which block; without a block the tasks are taken out of theirs.
type AssignToTimeBlockArguments struct {
	TaskIDs   []string          `json:"taskIds"`
	Selection *task.Selection   `json:"selection" jsonschema:"nullable"`
	BlockID   *string           `json:"blockId" jsonschema:"nullable"`
	TimeBlock *agenda.Selection `json:"timeBlock" jsonschema:"nullable"`
	Unassign  *bool             `json:"unassign" jsonschema:"nullable"`
}

// Assigned are the data of task_assignToTimeBlock.
type Assigned struct {
	// Assigned are the ids of the tasks that are in the block then, and Failed those that are not.
	Assigned []string          `json:"assigned"`
	Failed   []Unassignable    `json:"failed"`
	Block    *world.BlockLoad  `json:"block"`
	Tasks    []world.TaskItem  `json:"tasks"`
	Blocks   []world.BlockLoad `json:"blocks"`
}

// Unassignable is a task that cannot be assigned, and why.
type Unassignable struct {
	TaskID string `json:"taskId"`
	Reason string `json:"reason"`
}

// assignToTimeBlock puts tasks into a time block. A block may be overfull, which is told.
func assignToTimeBlock() world.Tool {
	words := world.WithTaskSelection(assignToTimeBlockWords)
	return world.Define("task_assignToTimeBlock", words, changes(meet.UpdateResource), assignTasks)
}

func assignTasks(
	ctx context.Context, w *world.World, in AssignToTimeBlockArguments,
) (answer world.Answer[Assigned], err error) {
	data := Assigned{Assigned: []string{}, Failed: []Unassignable{}}
	found, err := in.tasks(ctx, w, &data)
	if err != nil {
		return answer, err
	}
	block, err := in.block(ctx, w)
	if err != nil {
		return answer, err
	}
	a, id := begin(w), ""
	if block != nil {
		id = block.Key()
	}
	for _, t := range found.Tasks {
		if !t.Open() {
			data.Failed = append(data.Failed, Unassignable{t.ID, say(w, "isDone", "title", w.Voice().Title(t.Title))})
			continue
		}
		to := t
		to.BlockID = id
		if _, err := a.change(ctx, &t, &to); err != nil {
			return answer, err
		}
		data.Assigned = append(data.Assigned, t.ID)
	}
	for _, f := range data.Failed {
		a.notes = append(a.notes, f.Reason)
	}
	done, err := a.done(ctx, found.Unread)
	data.Tasks, data.Blocks = done.Data.Tasks, done.Data.Blocks
	answer = world.Answer[Assigned]{
		Display: done.Display, Title: done.Title, Description: done.Description, Components: done.Components,
		Changes: done.Changes,
	}
	if block != nil {
		data.Block = new(w.Load(*block))
		answer.Components = append([]meet.Component{w.Block(*block)}, answer.Components...)
		if data.Block.Filled > 1 {
			answer.Description += " " + say(w, "overfull")
		}
	}
	answer.Data = data
	return answer, err
}

// tasks are the tasks that are meant. Ids that no task has are noted as failed, unless none has one.
func (in AssignToTimeBlockArguments) tasks(
	ctx context.Context, w *world.World, data *Assigned,
) (world.FoundTasks, error) {
	if in.Selection != nil {
		return Which{Selection: in.Selection}.find(ctx, w)
	}
	if len(in.TaskIDs) == 0 {
		return world.FoundTasks{}, tool.BadArgument("taskIds", "say which tasks: by taskIds, or by selection")
	}
	found, err := w.TaskTargets(ctx, task.Selection{IDs: in.TaskIDs})
	for _, id := range in.TaskIDs {
		if err == nil && !slices.ContainsFunc(found.Tasks, func(t task.Task) bool { return t.ID == id }) {
			data.Failed = append(data.Failed, Unassignable{id, w.Say("noTask")})
		}
	}
	return found, err
}

// block is the time block that is meant; nil to take tasks out of theirs.
func (in AssignToTimeBlockArguments) block(ctx context.Context, w *world.World) (*meet.Occurrence, error) {
	var s agenda.Selection
	switch {
	case in.Unassign != nil && *in.Unassign:
		return nil, nil
	case in.BlockID != nil:
		s.IDs = []string{*in.BlockID}
	case in.TimeBlock != nil:
		if s = *in.TimeBlock; len(s.Kinds) == 0 {
			s.Kinds = []string{"block"}
		}
	default:
		return nil, tool.BadArgument("blockId", "say which block: by blockId, or by timeBlock")
	}
	s.One = new(true)
	found, err := w.Targets(ctx, s)
	if err != nil {
		return nil, err
	}
	if block := found.Events[0]; block.Kind != "" {
		return &block, nil
	}
	return nil, fault.New(fault.Conflict, "%s", say(w, "noBlock", "title", w.Voice().Title(found.Events[0].Title)))
}
