package world

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/tool"
)

//go:embed task_selection.md
var taskSelectionWords string

// WithTaskSelection are a tool's words with those for the members of a selection of tasks.
func WithTaskSelection(words string) string { return words + "\n" + taskSelectionWords }

// FoundTasks is what a selection means among the owner's tasks.
type FoundTasks struct {
	Tasks []task.Task
	// All are all of the owner's tasks. Unread says that some could not be read.
	All    []task.Task
	Unread bool
}

// FindTasks are the tasks that a selection means, to show: all of those that fit where one is meant.
func (w *World) FindTasks(ctx context.Context, s task.Selection) (f FoundTasks, err error) {
	f.All, err = w.Tasks.All(ctx)
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	if f.Unread = err != nil; f.Unread && len(f.All) == 0 {
		return f, fault.New(fault.Unavailable, "%s", w.Say("tasksUnreadable")).Later(0).Because(err)
	}
	f.Tasks, err = s.Select(f.All, task.Scene{Scene: w.Scene(), Owner: w.Owner})
	if several, ok := errors.AsType[*task.AmbiguousError](err); ok {
		f.Tasks = several.Options
		return f, several
	}
	return f, argument(err)
}

// TaskTargets are the tasks that a selection means, to change them: at least one. An error is an *AmbiguousError, a
// wrong argument, or a fault, which says what is near.
func (w *World) TaskTargets(ctx context.Context, s task.Selection) (FoundTasks, error) {
	found, err := w.FindTasks(ctx, s)
	w.unsure = w.unsure || found.Unread && len(s.IDs) == 0 && s.From == nil
	if several, ok := errors.AsType[*task.AmbiguousError](err); ok {
		asked := &AmbiguousError{Question: w.Say("whichTask")}
		if len(s.TitleHas) > 1 {
			asked.Argument = fmt.Sprintf("selection.titleHas[%d]", several.Phrase)
		}
		for _, t := range several.Options {
			asked.Options = append(asked.Options, meet.Option{ID: t.ID, Label: t.Title, Detail: w.AboutTask(t)})
		}
		return found, asked
	}
	if err == nil && len(found.Tasks) == 0 {
		return found, w.noTask(ctx, s, found)
	}
	return found, err
}

// noTask says that no task fits, and which ones are near: those that are called so or are that person's, or else the
// most urgent ones.
func (w *World) noTask(ctx context.Context, s task.Selection, found FoundTasks) error {
	text := w.Say("noTask")
	s.TitleHas = slices.DeleteFunc(slices.Clone(s.TitleHas), func(phrase string) bool {
		called, err := w.FindTasks(ctx, task.Selection{TitleHas: []string{phrase}, Assignee: s.Assignee})
		return err == nil && len(s.TitleHas) > 1 && len(called.Tasks) > 0
	})
	if len(s.TitleHas) > 0 {
		text = w.Say("noTaskCalled", "what", w.Voice().Title(strings.Join(s.TitleHas, ", ")))
	}
	var near FoundTasks
	for _, wider := range []task.Selection{
		{TitleHas: s.TitleHas, Assignee: s.Assignee}, {TitleHas: s.TitleHas}, {Assignee: s.Assignee}, {},
	} {
		if some, err := w.FindTasks(ctx, wider); err == nil && len(near.Tasks) == 0 {
			near.Tasks = task.Ranked(some.Tasks, w.Now)
		}
	}
	const most = 3
	if len(near.Tasks) > 0 {
		text += " " + w.Say("there", "titles", w.TaskTitles(near.Tasks[:min(most, len(near.Tasks))]))
	}
	if found.Unread {
		text += " " + w.Say("tasksUnread")
	}
	return fault.New(fault.NotFound, "%s", text)
}

// AboutTask tells a task from others of its title: when it is due, where it stands, and whose it is.
func (w *World) AboutTask(t task.Task) string {
	var parts []string
	for _, part := range []string{w.Due(t), t.Board, t.Column, w.Assignee(t)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " · ")
}

// Assignee is whose task it is, by name; empty for the owner's own.
func (w *World) Assignee(t task.Task) string {
	if t.OwnedBy(w.Owner) {
		return ""
	}
	if w.People != nil {
		if known := w.People(t.Assignee); len(known) == 1 {
			return w.Voice().Person(known[0].Name, known[0].Email)
		}
	}
	return w.Voice().Person("", t.Assignee)
}

// Due is when a task is due, in words; empty if it is not.
func (w *World) Due(t task.Task) string {
	at, ok := t.Deadline(w.Zone())
	if day, err := interval.ParseDate(t.Due); err == nil {
		return w.Voice().Day(day.Start(w.Zone()))
	}
	if !ok {
		return ""
	}
	return w.Voice().When(at)
}

// TaskTitles are the titles of tasks, each once: the first few of many.
func (w *World) TaskTitles(tasks []task.Task) string {
	as := make([]meet.Occurrence, len(tasks))
	for i, t := range tasks {
		as[i].Title = t.Title
	}
	return w.Titles(as)
}

// AmendTask is the change of a task, made on the working copy, so that later steps see it. Before is nil for a new
// task, which gets an id; after is nil to delete one. Same is true if nothing would change; then there is no change.
func (w *World) AmendTask(
	ctx context.Context, before, after *task.Task,
) (c meet.Change, now task.Task, same bool, err error) {
	all, _ := w.Tasks.All(ctx) // what could not be read has been told
	a := task.Amendment{Key: w.nextKey(), From: before, Asked: w.Now}
	if after != nil {
		to, was := *after, task.Task{}
		if before == nil {
			to.ID, to.Created = a.Key, w.Now.Format(time.RFC3339)
		} else {
			was = *before
		}
		to = task.Settle(was, to, all, w.Now)
		if before != nil && task.Same(was, to) {
			return c, to, true, nil
		}
		if err := to.Check(); err != nil {
			return c, to, false, argumentOf(err)
		}
		a.To = &to
	}
	a = w.Tasks.Make(ctx, a)
	c, err = a.Change(w.Owner)
	w.reach(&c)
	return c, a.Task(), false, err
}

// reach names the people who hear of a change, as far as they are known.
func (w *World) reach(c *meet.Change) {
	for i, who := range c.Affects {
		if w.People == nil {
			return
		}
		if known := w.People(who.Name); len(known) == 1 {
			c.Affects[i] = meet.Affected{Name: known[0].Name, Email: known[0].Email}
		}
	}
}

// argumentOf is a wrong field of a task as the caller's mistake.
func argumentOf(err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Code == fault.InvalidRequest {
		return tool.BadArgument(f.Field, "%s", f.Message)
	}
	return err
}

// BlockLoad is a time block with the tasks that are assigned to it.
type BlockLoad struct {
	agenda.Event
	// Tasks are those that are assigned to the block, and Filled the open estimated minutes among them by the minutes of
	// the block: 1 is full.
	Tasks  []TaskItem `json:"tasks"`
	Filled float64    `json:"filled"`

	minutes, taken int
}

// TaskItem is a task as a tool gives it: as it is listed, with its deadline under the name that arguments have, and its
// score.
type TaskItem struct {
	taskMembers
	DueDate string `json:"dueDate"`
	task.Score
	// Pending marks a task that is not written yet.
	Pending bool `json:"pending"`
}

// taskMembers are the members of a task.
type taskMembers task.Task

// TaskItems are tasks as tools give them.
func (w *World) TaskItems(tasks []task.Task, pending bool) []TaskItem {
	items := make([]TaskItem, len(tasks))
	for i, t := range tasks {
		items[i] = TaskItem{taskMembers: taskMembers(t.Listed()), DueDate: t.Due, Score: t.Score(w.Now), Pending: pending}
	}
	return items
}

// TaskCards show tasks, each as a taskCard.
func (w *World) TaskCards(tasks []task.Task) []meet.Component {
	parts := make([]meet.Component, len(tasks))
	for i, item := range w.TaskItems(tasks, false) {
		parts[i] = Part(meet.TaskCardPart, item)
	}
	return parts
}

// ReadTasks reads the owner's tasks, so that blocks are shown with theirs. What cannot be read is missing there.
func (w *World) ReadTasks(ctx context.Context) {
	if w.Tasks != nil {
		_, _ = w.Tasks.All(ctx) // blocks are shown without
	}
}

// Load is a block with its tasks, as the working copy has them.
func (w *World) Load(block meet.Occurrence) BlockLoad {
	assigned := w.assigned(block)
	load := BlockLoad{
		Event: agenda.EventOf(block, w.Zone()), Tasks: w.TaskItems(assigned, false),
		minutes: int(block.Span.Duration().Minutes()),
	}
	for _, t := range assigned {
		if t.Open() {
			load.taken += t.Effort()
		}
	}
	if load.minutes > 0 {
		load.Filled = float64(load.taken) / float64(load.minutes)
	}
	return load
}

// FreeMinutes are the minutes of the block that its open tasks leave.
func (b BlockLoad) FreeMinutes() int { return b.minutes - b.taken }

// Unassigned are the tasks of what was found that can be done now: they are open, wait for no other, and are in no time
// block that is still to come.
func (w *World) Unassigned(ctx context.Context, found FoundTasks) []task.Task {
	var blocks []string
	for _, t := range found.Tasks {
		if t.BlockID != "" {
			blocks = append(blocks, t.BlockID)
		}
	}
	inBlock := func(t task.Task) bool { return t.BlockID != "" }
	if len(blocks) > 0 {
		if there, err := w.Find(ctx, agenda.Selection{IDs: blocks}); err == nil && !there.Unread {
			inBlock = func(t task.Task) bool {
				return slices.ContainsFunc(there.Events, func(o meet.Occurrence) bool {
					return o.Key() == t.BlockID && o.Span.End.After(w.Now)
				})
			}
		}
	}
	return slices.DeleteFunc(task.Ranked(found.Tasks, w.Now), func(t task.Task) bool {
		return !t.Open() || inBlock(t) || t.Blocked(found.All)
	})
}

// assigned are the tasks of a block, as far as tasks have been read.
func (w *World) assigned(block meet.Occurrence) (tasks []task.Task) {
	if w.Tasks == nil || block.Kind == "" {
		return nil
	}
	for _, t := range w.Tasks.Known() {
		if t.BlockID == block.Key() {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// Percent is a part in whole per cent.
func Percent(part float64) string { return strconv.Itoa(int(part*100 + 0.5)) }
