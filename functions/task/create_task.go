package task

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/tool"
	"convene/pkg/when"
)

//go:embed create_task.md
var createTaskWords string

// CreateTaskArguments are one new task.
type CreateTaskArguments struct {
	Title            string   `json:"title"`
	Description      *string  `json:"description" jsonschema:"nullable"`
	EstimatedMinutes *int     `json:"estimatedMinutes" jsonschema:"nullable"`
	Priority         *string  `json:"priority" jsonschema:"nullable,enum=high,enum=medium,enum=low"`
	DueDate          *string  `json:"dueDate" jsonschema:"nullable"`
	Reminder         *string  `json:"reminder" jsonschema:"nullable"`
	ReminderBefore   *ahead   `json:"reminderBefore" jsonschema:"nullable"`
	Assignee         *string  `json:"assignee" jsonschema:"nullable"`
	Board            *string  `json:"board" jsonschema:"nullable"`
	Column           *string  `json:"column" jsonschema:"nullable"`
	Tags             []string `json:"tags"`
	Dependencies     []string `json:"dependencies"`
	Recurrence       *string  `json:"recurrence" jsonschema:"nullable"`
	// More are titles of further tasks, of which the same is said.
	More []string `json:"more"`
}

// ahead is some minutes before an event of the owner's calendar.
type ahead struct {
	Event   string `json:"event"`
	Minutes int    `json:"minutes"`
}

// of is that time before the next such event.
func (a ahead) of(ctx context.Context, w *world.World) (at string, err error) {
	one := true
	found, err := w.Targets(ctx, agenda.Selection{TitleHas: []string{a.Event}, One: &one})
	if asked, ok := errors.AsType[*world.AmbiguousError](err); ok {
		asked.Argument = "reminderBefore.event"
	}
	if err != nil {
		return "", err
	}
	start := slices.Concat(found.Events, found.ReadOnly)[0].Span.Start
	return start.Add(-time.Duration(a.Minutes) * time.Minute).In(w.Zone()).Format(time.RFC3339), nil
}

// createTask makes one task. One that matters comes with an offer of time for it.
func createTask() world.Tool {
	return world.Define("task_createTask", createTaskWords, changes(meet.CreateResource), func(
		ctx context.Context, w *world.World, in CreateTaskArguments,
	) (world.Answer[Changed], error) {
		a := begin(w)
		title := meet.Caption(in.Title)
		if err := entitled(w, title); err != nil {
			return a.Answer, err
		}
		found, err := w.FindTasks(ctx, task.Selection{})
		if err != nil && !found.Unread {
			return a.Answer, err
		}
		t := task.Task{
			Title: title, Tags: in.Tags, Dependencies: in.Dependencies, Priority: task.Medium, Source: "chat",
			Column: w.Preferred().TaskList,
		}
		if in.ReminderBefore != nil {
			at, err := in.ReminderBefore.of(ctx, w)
			if err != nil {
				return a.Answer, err
			}
			in.Reminder = &at
		}
		fields := settings{
			Description: in.Description, EstimatedMinutes: in.EstimatedMinutes, Priority: in.Priority, DueDate: in.DueDate,
			Reminder: in.Reminder, Assignee: in.Assignee, Board: in.Board, Column: in.Column, Recurrence: in.Recurrence,
		}
		if err := fields.put(w, &t, found.All); err != nil {
			return a.Answer, err
		}
		t.Provider = shelf(t, found.All)
		for _, title := range append([]string{title}, in.More...) {
			if t.Title = meet.Caption(title); strings.TrimSpace(t.Title) == "" {
				return a.Answer, tool.BadArgument("more", "a task needs a title")
			}
			made, err := a.change(ctx, nil, &t)
			if err != nil {
				return a.Answer, err
			}
			a.twin(made, found.All)
			a.offer(ctx, made)
		}
		return a.done(ctx, found.Unread)
	})
}

// entitled is an error if a title does not say what is to be done.
func entitled(w *world.World, title string) error {
	if strings.TrimSpace(title) == "" {
		return tool.BadArgument("title", "a task needs a title")
	}
	if onlyTime(w, title) {
		return fault.New(fault.NotFound, "%s", say(w, "onlyTime", "title", w.Voice().Title(title)))
	}
	return nil
}

// onlyTime reports whether a title says when and not what: "an hour before". It is of no task that anyone has.
func onlyTime(w *world.World, title string) bool {
	rest, read := title, when.Setting{Language: w.Language}.Read(title, w.Now)
	for _, e := range slices.Backward(read.Entities) {
		rest = rest[:e.Start] + " " + rest[e.End:]
	}
	for word := range strings.FieldsSeq(strings.ToLower(rest)) {
		if !slices.Contains(timely, word) {
			return false
		}
	}
	return len(read.Entities) > 0
}

// timely are words that stand beside a length of time in the languages that are read.
var timely = strings.Fields("before ahead earlier early in at antes en לפני בעוד מראש")

// shelf is the provider that has the list of a new task; empty if none has it.
func shelf(t task.Task, all []task.Task) string {
	for _, other := range all {
		if t.Column != "" && task.SameColumn(other.Column, t.Column) && other.Board == t.Board {
			return other.Provider
		}
	}
	return ""
}

// twin says that there is an open task of that title already.
func (a *answer) twin(made task.Task, all []task.Task) {
	for _, t := range all {
		if t.Open() && strings.EqualFold(t.Title, made.Title) && t.Board == made.Board {
			a.note("twin", "task", one(a.World, t))
			return
		}
	}
}

// settings are new values of a task; null ones stay as they are, and empty ones are taken away.
type settings struct {
	Title            *string  `json:"title" jsonschema:"nullable"`
	Description      *string  `json:"description" jsonschema:"nullable"`
	AddNotes         *string  `json:"addNotes" jsonschema:"nullable"`
	Assignee         *string  `json:"assignee" jsonschema:"nullable"`
	Board            *string  `json:"board" jsonschema:"nullable"`
	Column           *string  `json:"column" jsonschema:"nullable"`
	Status           *string  `json:"status" jsonschema:"nullable,enum=backlog,enum=scheduled,enum=in_progress,enum=completed"`
	Priority         *string  `json:"priority" jsonschema:"nullable,enum=high,enum=medium,enum=low,enum="`
	DueDate          *string  `json:"dueDate" jsonschema:"nullable"`
	When             *string  `json:"when" jsonschema:"nullable"`
	LaterByDays      *int     `json:"laterByDays" jsonschema:"nullable"`
	EstimatedMinutes *int     `json:"estimatedMinutes" jsonschema:"nullable"`
	Reminder         *string  `json:"reminder" jsonschema:"nullable"`
	Recurrence       *string  `json:"recurrence" jsonschema:"nullable"`
	AddTags          []string `json:"addTags"`
	RemoveTags       []string `json:"removeTags"`
	AddDependencies  []string `json:"addDependencies"`
}

// put sets the values of a task. An error names the one that is wrong.
func (s settings) put(w *world.World, t *task.Task, all []task.Task) (err error) {
	assign(&t.Description, s.Description)
	assign(&t.EstimatedMinutes, s.EstimatedMinutes)
	for to, from := range map[*string]*string{&t.Title: s.Title, &t.Board: s.Board, &t.Column: s.Column} {
		if from != nil {
			*to = meet.Caption(*from)
		}
	}
	if s.AddNotes != nil {
		t.Description = strings.TrimSpace(t.Description + "\n" + *s.AddNotes)
	}
	if s.Status != nil {
		t.Status = task.Status(*s.Status)
	}
	if s.Priority != nil {
		t.Priority = task.Priority(*s.Priority)
	}
	if s.Assignee != nil {
		if t.Assignee, err = assignee(w, *s.Assignee, all); err != nil {
			return err
		}
	}
	if s.DueDate != nil {
		if t.Due, err = moment(w, "dueDate", *s.DueDate); err != nil {
			return err
		}
	}
	for _, change := range []func(*world.World, *task.Task) error{s.when, s.later} {
		if err := change(w, t); err != nil {
			return err
		}
	}
	if s.Reminder != nil {
		if t.Reminder, err = moment(w, "reminder", *s.Reminder); err != nil {
			return err
		}
		if day, err := interval.ParseDate(t.Reminder); err == nil {
			t.Reminder = morning(w, day)
		}
	}
	return s.repeat(w, t)
}

// repeat sets how the task repeats. A rule counts from a due date: today, if there is none.
func (s settings) repeat(w *world.World, t *task.Task) error {
	if s.Recurrence == nil {
		return nil
	}
	t.Recurrence = strings.TrimPrefix(strings.TrimSpace(*s.Recurrence), "RRULE:")
	if t.Recurrence == "" {
		return nil
	}
	if t.Due == "" {
		t.Due = w.Now.Format(time.DateOnly)
	}
	if !w.Tasks.Recurs(t.Recurrence, t.Due, w.Now) {
		return tool.BadArgument("recurrence", "%q is no RRULE that gives another date", t.Recurrence)
	}
	return nil
}

// moment is an argument as a task has it: a date, or a time with its offset; empty for none.
func moment(w *world.World, field, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	if day, err := interval.ParseDate(text); err == nil {
		return day.String(), nil
	}
	at, err := agenda.Moment(text, w.Zone(), field)
	if err != nil {
		return "", tool.BadArgument(field, "%q is no date; write 2026-11-27, or 2026-11-27T17:00 for a time", text)
	}
	return at.In(w.Zone()).Format(time.RFC3339), nil
}

// morning is when a reminder of a day comes: as the owner's work begins, or at nine.
func morning(w *world.World, day interval.Date) string {
	const nine = 9 * time.Hour
	at := day.Start(w.Zone()).Add(nine)
	if working := w.Working(day.Span(w.Zone())); len(working) > 0 {
		at = working[0].Start
	}
	return at.Format(time.RFC3339)
}

// counts is the time of a task that a new one replaces: its reminder, if it has no deadline.
func counts(t *task.Task) *string {
	if t.Due == "" && t.Reminder != "" {
		return &t.Reminder
	}
	return &t.Due
}

// when sets the day, the time of day, or both. What is not said of it stays: "16:30" is on the day that it was, and a
// new day keeps the time of day.
func (s settings) when(w *world.World, t *task.Task) error {
	if s.When == nil {
		return nil
	}
	stands, text := counts(t), *s.When
	was, err := time.Parse(time.RFC3339, *stands)
	was = was.In(w.Zone())
	day, clock := was.Format(time.DateOnly), was.Format("T15:04")
	if err != nil {
		clock = ""
		if day = *stands; day == "" {
			day = w.Now.Format(time.DateOnly)
		}
	}
	if _, err := interval.ParseClock(text); err == nil {
		text = day + "T" + text
	} else if _, err := interval.ParseDate(text); err == nil {
		text += clock
	}
	*stands, err = moment(w, "when", text)
	return err
}

// later puts off the deadline or the reminder by days; a task without one is due so many days after today.
func (s settings) later(w *world.World, t *task.Task) error {
	if s.LaterByDays == nil {
		return nil
	}
	days, stands := *s.LaterByDays, counts(t)
	if day, err := interval.ParseDate(*stands); err == nil {
		*stands = day.AddDays(days).String()
		return nil
	}
	if at, err := time.Parse(time.RFC3339, *stands); err == nil {
		*stands = at.In(w.Zone()).AddDate(0, 0, days).Format(time.RFC3339)
		return nil
	}
	if days < 0 {
		return fault.New(fault.Conflict, "%s", say(w, "noDue", "title", w.Voice().Title(t.Title)))
	}
	*stands = interval.DateOf(w.Now).AddDays(days).String()
	return nil
}

// assignee is whom a name means, as a task has it: empty for none, and for the owner's own tasks.
func assignee(w *world.World, name string, all []task.Task) (string, error) {
	if name = strings.TrimSpace(name); name == "" || strings.EqualFold(name, "none") {
		return "", nil
	}
	for _, called := range task.Named(all, func(t task.Task) string { return t.Assignee }) {
		if strings.EqualFold(called, name) {
			return called, nil
		}
	}
	p, err := w.Person("assignee", name)
	if err != nil {
		return "", err
	}
	if p.Email == "" {
		return p.Name, nil
	}
	return p.Email, nil
}

func assign[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}
