package task

import (
	"context"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/task"
	"convene/pkg/tool"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

// mostChanges is how many tasks one call may change.
const mostChanges = 200

// Changed is the data of a tool that changes tasks.
type Changed struct {
	// Tasks are the tasks as they would be; those to be deleted as they are.
	Tasks []world.TaskItem `json:"tasks"`
	// Blocks are the time blocks whose tasks change.
	Blocks []world.BlockLoad `json:"blocks"`
	// Unread says that some tasks could not be read, so that others may be missing.
	Unread bool `json:"unread"`
}

func changes(operation meet.Operation) world.Trait {
	return world.Trait{
		Family: Family, Effect: world.Changes, Needs: "tasks", Gives: world.Tasks, Operation: operation,
		Resource: meet.TaskResource,
	}
}

func reads() world.Trait {
	return world.Trait{
		Family: Family, Effect: world.Reads, Needs: "tasks", Gives: world.Tasks, Operation: meet.ReadResource,
		Resource: meet.TaskResource,
	}
}

// Which says which tasks are meant: one by its id, or all of a selection.
type Which struct {
	TaskID    *string         `json:"taskId" jsonschema:"nullable"`
	Selection *task.Selection `json:"selection" jsonschema:"nullable"`
}

// find are the tasks that are meant, at least one.
func (in Which) find(ctx context.Context, w *world.World) (world.FoundTasks, error) {
	var s task.Selection
	switch {
	case in.Selection != nil: // a choice between several replaces it
		s = *in.Selection
		if in.TaskID != nil {
			s.IDs = append(s.IDs, *in.TaskID)
		}
	case in.TaskID != nil:
		s.IDs = []string{*in.TaskID}
	default:
		return world.FoundTasks{}, tool.BadArgument("selection", "say which tasks: by selection, or one by taskId")
	}
	return w.TaskTargets(ctx, s)
}

// answer gathers the changes of a tool.
type answer struct {
	*world.World
	world.Answer[Changed]
	tasks []task.Task
	// touched are the ids of the blocks whose tasks change.
	touched []string
	notes   []string
}

func begin(w *world.World) *answer {
	a := &answer{World: w}
	a.Display = meet.ConfirmationDisplay
	return a
}

// say fills in one of the family's phrases.
func say(w *world.World, name string, pairs ...string) string {
	return w.Voice().Say(phrases, name, pairs...)
}

// note adds a sentence to the answer.
func (a *answer) note(name string, pairs ...string) {
	a.notes = append(a.notes, say(a.World, name, pairs...))
}

// change adds the change of a task: before is nil for a new one, after to delete it. What changes nothing is left out.
func (a *answer) change(ctx context.Context, before, after *task.Task) (now task.Task, err error) {
	c, now, same, err := a.AmendTask(ctx, before, after)
	if err != nil {
		return now, err
	}
	a.tasks = append(a.tasks, now)
	if same {
		return now, nil
	}
	a.Changes = append(a.Changes, c)
	if at := now.DayOnly(); at != "" && after != nil && (before == nil || before.Due != now.Due) {
		a.note("dayOnly", "provider", at)
	}
	if at, ok := now.RemindAt(); ok && at.Before(a.Now) && now.Recurrence == "" && after != nil && retimed(before, now) {
		a.note("passed", "when", a.Voice().When(at))
	}
	for _, t := range []*task.Task{before, after} {
		if t != nil && t.BlockID != "" && !slices.Contains(a.touched, t.BlockID) {
			a.touched = append(a.touched, t.BlockID)
		}
	}
	return now, nil
}

// retimed reports whether a task has another time, or is new; before is nil then.
func retimed(before *task.Task, now task.Task) bool {
	return before == nil || before.Due != now.Due || before.Reminder != now.Reminder
}

// done is the answer with all that was gathered.
func (a *answer) done(ctx context.Context, unread bool) (world.Answer[Changed], error) {
	a.Data = Changed{Tasks: a.TaskItems(a.tasks, true), Blocks: []world.BlockLoad{}, Unread: unread}
	if len(a.Changes) > mostChanges {
		return a.Answer, fault.New(fault.TooLarge, "%s", say(a.World, "tooMany", "n", strconv.Itoa(mostChanges)))
	}
	if a.Title = a.Voice().Count(phrases, "changes", len(a.Changes)); len(a.Changes) == 0 {
		a.Title = say(a.World, "already")
		a.notes = append(a.notes, a.Title)
	}
	for _, block := range blocksOf(ctx, a.World, a.touched) {
		load := a.Load(block)
		a.Data.Blocks = append(a.Data.Blocks, load)
		a.note("filled", "title", a.Voice().Title(block.Title), "when", a.Voice().Span(block.Span, false),
			"percent", world.Percent(load.Filled))
	}
	if unread {
		a.notes = append(a.notes, a.Say("tasksUnread"))
	}
	a.Description = strings.Join(a.notes, " ")
	a.Components = a.TaskCards(a.tasks)
	return a.Answer, nil
}

// blocksOf are the time blocks with these ids, as far as the calendars could be read.
func blocksOf(ctx context.Context, w *world.World, ids []string) []meet.Occurrence {
	if len(ids) == 0 {
		return nil
	}
	found, err := w.Find(ctx, agenda.Selection{IDs: ids, Kinds: []string{"block"}})
	if err != nil {
		return nil // the tasks change all the same
	}
	return found.Events
}

// one puts a task into a line: its title, when it is due, and what tells it from others.
func one(w *world.World, t task.Task) string {
	v := w.Voice()
	var marks []string
	add := func(mark string) {
		if mark != "" {
			marks = append(marks, mark)
		}
	}
	switch due := w.Due(t); {
	case !t.Open():
		add(say(w, "completed"))
	case due == "":
	case t.Overdue(w.Now):
		add(say(w, "overdue", "when", due))
	default:
		add(say(w, "due", "when", due))
	}
	if t.Priority == task.High || t.Priority == task.Low {
		add(say(w, string(t.Priority)))
	}
	if t.EstimatedMinutes > 0 {
		add(v.Length(t.EstimatedMinutes))
	}
	if t.Column != "" {
		add(v.Title(t.Column))
	}
	add(w.Assignee(t))
	line := "**" + v.Title(t.Title) + "**"
	if len(marks) > 0 {
		line += " (" + strings.Join(marks, ", ") + ")"
	}
	return line
}

// lines are tasks one below the other, the first few of many.
func lines(w *world.World, tasks []task.Task) string {
	const most = 25
	var list []string
	for _, t := range tasks[:min(most, len(tasks))] {
		list = append(list, "- "+one(w, t))
	}
	if rest := len(tasks) - most; rest > 0 {
		list = append(list, "- "+say(w, "more", "n", strconv.Itoa(rest)))
	}
	return strings.Join(list, "\n")
}

// offer suggests a time block for a task that matters: the first free working time before its deadline, and within a
// week, that is long enough.
func (a *answer) offer(ctx context.Context, t task.Task) {
	if t.Priority != task.High || !t.Open() || t.BlockID != "" || !t.OwnedBy(a.Owner) {
		return
	}
	const week, grid = 7 * 24 * time.Hour, 15 * time.Minute
	span := interval.From(a.Now.Truncate(grid).Add(grid), week)
	if at, ok := t.Deadline(a.Zone()); ok && at.After(a.Now) && at.Before(span.End) {
		span.End = at
	}
	events, err := a.Agenda.Events(ctx, span)
	if err != nil {
		return // what cannot be read may be busy
	}
	var busy []interval.Span
	for _, o := range events {
		if !o.Transparent && !o.Declined() {
			busy = append(busy, o.Span)
		}
	}
	free, _ := a.Spare(a.Working(span).Minus(interval.NewSet(busy...)), span, world.UsualHours)
	need := time.Duration(t.Effort()) * time.Minute
	for _, gap := range free {
		if gap.Duration() < need {
			continue
		}
		at, v := interval.From(gap.Start, need), a.Voice()
		a.note("room", "when", v.Span(at, false))
		a.Suggestions = append(a.Suggestions, say(a.World, "doBlock",
			"from", v.Clock(at.Start), "to", v.Clock(at.End), "day", v.OnDay(at.Start)))
		return
	}
}
