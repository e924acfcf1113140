package microsoft

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"convene/pkg/account"
	"convene/pkg/account/graph"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// TaskList is a list of Microsoft To Do in one of a person's accounts. Its methods' errors are faults for the person.
type TaskList struct {
	ID   string `json:"id"`
	Name string `json:"displayName"`
	// WellKnown is defaultList, flaggedEmails or none.
	WellKnown string `json:"wellknownListName"`

	calendar *Calendar
	from     graph.Opener
}

// TodoTask is a task at Graph. Graph keeps the day of a due date only, at midnight in UTC.
type TodoTask struct {
	ETag       string   `json:"@odata.etag"`
	ID         string   `json:"id"`
	Title      string   `json:"title"`
	Status     string   `json:"status"`
	Importance string   `json:"importance"`
	Categories []string `json:"categories"`
	Body       struct {
		Content     string `json:"content"`
		ContentType string `json:"contentType"`
	} `json:"body"`
	Due          *TodoTime        `json:"dueDateTime"`
	Reminder     *TodoTime        `json:"reminderDateTime"`
	IsReminderOn bool             `json:"isReminderOn"`
	Completed    *TodoTime        `json:"completedDateTime"`
	Created      time.Time        `json:"createdDateTime"`
	Linked       []LinkedResource `json:"linkedResources"`
}

// LinkedResource is where a task came from.
type LinkedResource struct {
	ApplicationName string `json:"applicationName"`
	ExternalID      string `json:"externalId"`
	DisplayName     string `json:"displayName"`
}

// TodoTime is a time in a zone.
type TodoTime struct{ stamp }

// At is the moment.
func (t TodoTime) At() (time.Time, error) { return t.moment() }

// TodoTimeOf is a moment as Graph takes it.
func TodoTimeOf(t time.Time) TodoTime {
	return TodoTime{stamp{t.UTC().Format("2006-01-02T15:04:05"), "UTC"}}
}

// ErrTaskChanged says that another version of a task stands at Graph, or none.
var ErrTaskChanged = errors.New("microsoft: the task has changed")

// TaskLists are those of the person's accounts whose tasks may be read and changed, the default one of each first. With
// an error some are missing; calendar.ErrNoCalendar says that there is no such account.
func (c *Calendar) TaskLists(ctx context.Context, person meet.Person) ([]TaskList, error) {
	accounts, err := c.taskAccounts(ctx, person)
	if err != nil {
		return nil, err
	}
	return calendar.GatherAll(accounts, func(a account.Account) (lists []TaskList, err error) {
		if a.Problem != "" {
			return nil, fault.New(fault.CalendarFailed, "%s", a.Problem)
		}
		first := graph.Get("/me/todo/lists", graph.Query{}.With("$top", taskPage))
		_, err = graph.Walk(ctx, c.graph, graph.By(a.ID), first, func(l *TaskList) error {
			l.calendar, l.from = c, graph.By(a.ID)
			lists = append(lists, *l)
			return nil
		})
		slices.SortStableFunc(lists, func(a, b TaskList) int { return a.rank() - b.rank() })
		return lists, taskFault(err)
	})
}

// KeepsTasks reports whether the person has an account whose tasks may be read and changed.
func (c *Calendar) KeepsTasks(ctx context.Context, person meet.Person) bool {
	_, err := c.taskAccounts(ctx, person)
	return err == nil
}

func (c *Calendar) taskAccounts(ctx context.Context, person meet.Person) ([]account.Account, error) {
	accounts, err := c.connected(ctx, person.ID)
	accounts = slices.DeleteFunc(accounts, func(a account.Account) bool { return !a.Tasks })
	if err == nil && len(accounts) == 0 {
		err = calendar.ErrNoCalendar
	}
	return accounts, err
}

// taskPage is the requested size of a page.
const taskPage = "100"

func (l TaskList) rank() int {
	return slices.Index([]string{"defaultList", "none", "flaggedEmails"}, l.WellKnown) & 3
}

func (l TaskList) path() string { return "/me/todo/lists/" + url.PathEscape(l.ID) + "/tasks" }

// Tasks are all of the list, with what they are linked to.
func (l TaskList) Tasks(ctx context.Context) (tasks []TodoTask, err error) {
	q := graph.Query{}.With("$top", taskPage).With("$expand", "linkedResources")
	_, err = graph.Walk(ctx, l.calendar.graph, l.from, graph.Get(l.path(), q), func(t *TodoTask) error {
		tasks = append(tasks, *t)
		return nil
	})
	return tasks, taskFault(err)
}

// Create makes a task of these fields.
func (l TaskList) Create(ctx context.Context, fields map[string]any) (*TodoTask, error) {
	made, err := graph.Ask[TodoTask](ctx, l.calendar.graph, l.from, graph.Request{
		Method: http.MethodPost, Target: l.path(), Body: fields, Once: true,
	})
	return made, taskFault(err)
}

// Change gives a task other fields, or deletes it if there are none, if it is still as it was read.
func (l TaskList) Change(ctx context.Context, t TodoTask, fields map[string]any) (now *TodoTask, err error) {
	r := graph.Request{
		Method: http.MethodPatch, Target: l.path() + "/" + url.PathEscape(t.ID), Match: t.ETag, Body: fields,
	}
	if fields == nil {
		r.Method = http.MethodDelete
		err = l.calendar.graph.Call(ctx, l.from, r, nil)
	} else {
		now, err = graph.Ask[TodoTask](ctx, l.calendar.graph, l.from, r)
	}
	if graph.IsStatus(err, http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed) {
		err = ErrTaskChanged
	}
	if errors.Is(err, ErrTaskChanged) {
		return nil, err
	}
	return now, taskFault(err)
}

// taskFault is err as a fault for the tasks' owner.
func taskFault(err error) error {
	if graph.IsStatus(err, http.StatusForbidden) {
		return fault.New(fault.CalendarFailed, "Microsoft does not let Convene see the tasks; connect it again, with tasks").
			Because(err)
	}
	return asFault(err)
}
