// Package microsoft keeps tasks in the lists of Microsoft To Do. To Do keeps the title, the text, the day that a task
// is due, a reminder, the importance, the categories and whether the task is begun or completed; pkg/task/overlay keeps
// the rest.
//
// A recurrence is not given to To Do, which would make the next task by itself when one is completed, beside ours. A
// linked resource has the id under which a task was created, so that a repeat finds it. If-Match is not documented for
// tasks; the version is read right before each change, too.
package microsoft

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"convene/pkg/calendar"
	"convene/pkg/calendar/microsoft"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/task/remote"
)

// Name is the provider's.
const Name = "microsoft"

// application is the name of our linked resources.
const application = "Convene"

// Server has the task lists of the accounts that are connected for calendars and tasks. It is a remote.Server.
type Server struct{ Calendar *microsoft.Calendar }

// Name is Name.
func (Server) Name() string { return Name }

// Connected reports whether the person has such an account.
func (s Server) Connected(ctx context.Context, person meet.Person) bool {
	return s.Calendar.KeepsTasks(ctx, person)
}

func (s Server) lists(ctx context.Context, person meet.Person) ([]microsoft.TaskList, error) {
	lists, err := s.Calendar.TaskLists(ctx, person)
	if errors.Is(err, calendar.ErrNoCalendar) {
		return nil, task.ErrNotConnected
	}
	return lists, err
}

// Items are the tasks of all lists.
func (s Server) Items(ctx context.Context, person meet.Person) ([]remote.Item, error) {
	lists, err := s.lists(ctx, person)
	items, unread := calendar.GatherAll(lists, func(l microsoft.TaskList) ([]remote.Item, error) {
		tasks, err := l.Tasks(ctx)
		items := make([]remote.Item, len(tasks))
		for i, one := range tasks {
			items[i] = place{l, person.Zone(), one}.item()
		}
		return items, err
	})
	return items, cmp.Or(err, unread)
}

// Create makes the task in the list that its board names, or in the default one.
func (s Server) Create(ctx context.Context, person meet.Person, t task.Task) (task.Task, error) {
	lists, err := s.lists(ctx, person)
	if len(lists) == 0 {
		return t, cmp.Or(err, error(fault.Invalid("provider", "The Microsoft account has no list for tasks.")))
	}
	i := slices.IndexFunc(lists, func(l microsoft.TaskList) bool { return strings.EqualFold(l.Name, t.Board) })
	p := place{list: lists[max(i, 0)], zone: person.Zone()}
	fields := fieldsOf(t, nil)
	fields["linkedResources"] = []microsoft.LinkedResource{{
		ApplicationName: application, ExternalID: t.ID, DisplayName: application,
	}}
	made, err := p.list.Create(ctx, fields)
	if err != nil {
		return t, err
	}
	return p.read(*made), nil
}

// place is where a task stands, and the task.
type place struct {
	list microsoft.TaskList
	zone *time.Location
	todo microsoft.TodoTask
}

func (p place) item() remote.Item {
	item := remote.Item{Task: p.read(p.todo), Write: p.write}
	item.Becomes = func(to task.Task, members []string) (task.Task, error) {
		after, err := remote.Merged(p.todo, fieldsOf(to, members))
		return p.read(after), err
	}
	for _, link := range p.todo.Linked {
		if link.ApplicationName == application {
			item.Made = link.ExternalID
		}
	}
	return item
}

// read is what To Do has of a task. A status that only To Do knows is a backlog.
func (p place) read(todo microsoft.TodoTask) task.Task {
	t := task.Task{
		ID: todo.ID, Title: meet.Caption(todo.Title), Description: text(todo), Tags: todo.Categories, Provider: Name,
		Priority: priorities[todo.Importance], Status: cmp.Or(statuses[todo.Status], task.Backlog),
		Due: day(todo.Due, p.zone),
	}
	if todo.IsReminderOn {
		t.Reminder = p.moment(todo.Reminder)
	}
	if !t.Open() {
		t.Completed = p.moment(todo.Completed)
	}
	if !todo.Created.IsZero() {
		t.Created = todo.Created.In(p.zone).Format(time.RFC3339)
	}
	if p.list.WellKnown != "defaultList" {
		t.Board = p.list.Name
	}
	return t
}

// text is the text of a task without its markup.
func text(todo microsoft.TodoTask) string {
	if !strings.EqualFold(todo.Body.ContentType, "html") {
		return todo.Body.Content
	}
	var b strings.Builder
	for z := html.NewTokenizer(strings.NewReader(todo.Body.Content)); ; {
		switch z.Next() { //nolint:exhaustive // the others have no text
		case html.ErrorToken:
			return strings.TrimSpace(b.String())
		case html.TextToken:
			b.Write(z.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			if name, _ := z.TagName(); slices.Contains([]string{"br", "p", "div"}, string(name)) {
				b.WriteByte('\n')
			}
		}
	}
}

// The values that To Do has names for.
var (
	priorities = map[string]task.Priority{"high": task.High, "low": task.Low}
	statuses   = map[string]task.Status{"inProgress": task.InProgress, "completed": task.Completed}
)

// day is a due date: the day itself at midnight, as To Do keeps it, or else that of the moment.
func day(t *microsoft.TodoTime, zone *time.Location) string {
	if t == nil {
		return ""
	}
	at, err := t.At()
	if err != nil {
		return ""
	}
	if at.Hour() != 0 || at.Minute() != 0 {
		at = at.In(zone)
	}
	return at.Format(time.DateOnly)
}

func (p place) moment(t *microsoft.TodoTime) string {
	if t == nil {
		return ""
	}
	at, err := t.At()
	if err != nil {
		return ""
	}
	return at.In(p.zone).Format(time.RFC3339)
}

func importance(t task.Task) string {
	if t.Priority == task.High || t.Priority == task.Low {
		return string(t.Priority)
	}
	return "normal"
}

func progress(t task.Task) string {
	for name, status := range statuses {
		if status == t.Status {
			return name
		}
	}
	return "notStarted"
}

// fieldsOf are the named members of a task as To Do takes them; all that it keeps if none are named.
func fieldsOf(t task.Task, members []string) map[string]any {
	fields := map[string]any{}
	for name, set := range map[string]func(){
		"title":       func() { fields["title"] = t.Title },
		"description": func() { fields["body"] = map[string]string{"content": t.Description, "contentType": "text"} },
		"tags":        func() { fields["categories"] = append([]string{}, t.Tags...) },
		"priority":    func() { fields["importance"] = importance(t) },
		"status":      func() { fields["status"] = progress(t) },
		"due":         func() { fields["dueDateTime"] = midnight(t.Due) },
		"reminder": func() {
			at, err := time.Parse(time.RFC3339, t.Reminder)
			fields["isReminderOn"], fields["reminderDateTime"] = err == nil, nil
			if err == nil {
				fields["reminderDateTime"] = microsoft.TodoTimeOf(at)
			}
		},
	} {
		if members == nil || slices.Contains(members, name) {
			set()
		}
	}
	return fields
}

// midnight is the day of a due date or time as To Do keeps it; nil for none.
func midnight(due string) any {
	at, err := time.Parse(time.DateOnly, due[:min(len(due), len(time.DateOnly))])
	if err != nil {
		return nil
	}
	return microsoft.TodoTimeOf(at)
}

func (p place) write(ctx context.Context, to *task.Task, members []string) (now task.Task, err error) {
	var fields map[string]any
	if to != nil {
		if fields = fieldsOf(*to, members); len(fields) == 0 {
			return p.read(p.todo), nil // the overlay keeps what changes
		}
	}
	todo, err := p.list.Change(ctx, p.todo, fields)
	if errors.Is(err, microsoft.ErrTaskChanged) {
		return now, remote.ErrRaced
	}
	if err != nil || to == nil {
		return now, err
	}
	return p.read(*todo), nil
}
