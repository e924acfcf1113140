package google

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
	gtasks "google.golang.org/api/tasks/v1"

	"convene/pkg/account"
	"convene/pkg/account/google"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

// TaskList is a list of Google Tasks in one of a person's accounts. Its methods' errors are faults for the person.
type TaskList struct {
	ID, Name string
	// Main says that it is the account's first.
	Main bool

	api *gtasks.Service
}

// ErrTaskChanged says that another version of a task stands at Google, or none.
var ErrTaskChanged = errors.New("google: the task has changed")

// KeepsTasks reports whether the person has an account whose tasks may be read and changed.
func (c *Calendar) KeepsTasks(ctx context.Context, person meet.Person) bool {
	_, err := c.taskAccounts(ctx, person)
	return !errors.Is(err, calendar.ErrNoCalendar)
}

func (c *Calendar) taskAccounts(ctx context.Context, person meet.Person) ([]account.Account, error) {
	accounts, err := c.accounts.Accounts(ctx, person.ID, account.Google)
	if err != nil {
		return nil, failed("list accounts", fmt.Errorf("%w: %w", google.ErrAccount, err))
	}
	accounts = slices.DeleteFunc(accounts, func(a account.Account) bool { return !a.Tasks })
	if len(accounts) == 0 {
		return nil, calendar.ErrNoCalendar
	}
	return accounts, nil
}

// TaskLists are those of the person's accounts whose tasks may be read and changed, the main one of each first. With an
// error some are missing; calendar.ErrNoCalendar says that there is no such account.
func (c *Calendar) TaskLists(ctx context.Context, person meet.Person) ([]TaskList, error) {
	accounts, err := c.taskAccounts(ctx, person)
	if err != nil {
		return nil, err
	}
	return calendar.GatherAll(accounts, func(a account.Account) (lists []TaskList, err error) {
		api, err := c.openTasks(ctx, a)
		if err != nil {
			return nil, err
		}
		call := api.Tasklists.List().MaxResults(taskPage)
		err = pages(func(token string) (string, error) {
			page, err := call.PageToken(token).Context(ctx).Do()
			if err == nil && page.Kind != "tasks#taskLists" {
				err = errNotUnderstood
			}
			if err != nil {
				return "", err
			}
			for _, l := range page.Items {
				lists = append(lists, TaskList{ID: l.Id, Name: l.Title, Main: len(lists) == 0, api: api})
			}
			return page.NextPageToken, nil
		})
		return lists, taskFault("list task lists", err)
	})
}

// taskPage is Google's maximum of tasks or lists on a page.
const taskPage = 100

// openTasks is Google's client of the Tasks API, as open is that of calendars.
func (c *Calendar) openTasks(ctx context.Context, a account.Account) (*gtasks.Service, error) {
	if a.Problem != "" {
		return nil, failure(a.Problem)
	}
	options := []option.ClientOption{
		option.WithHTTPClient(&http.Client{Transport: &google.Bearer{Accounts: c.accounts, ID: a.ID, Next: c.http}}),
		option.WithLogger(slog.New(slog.DiscardHandler)),
	}
	if c.tasks != "" {
		options = append(options, option.WithEndpoint(strings.TrimSuffix(c.tasks, "/")+"/"))
	}
	api, err := gtasks.NewService(ctx, options...)
	if err != nil {
		return nil, fault.New(fault.Internal, "Google Tasks is not set up correctly.").Because(err)
	}
	return api, nil
}

// pages asks for one page after the other, by their tokens.
func pages(ask func(token string) (next string, err error)) error {
	token := ""
	for range maxPages {
		next, err := ask(token)
		if err != nil || next == "" {
			return err
		}
		token = next
	}
	return fmt.Errorf("more than %d pages: %w", maxPages, errNotUnderstood)
}

// Tasks are all of the list, also completed ones that Google's own apps hide.
func (l TaskList) Tasks(ctx context.Context) (tasks []*gtasks.Task, err error) {
	call := l.api.Tasks.List(l.ID).MaxResults(taskPage).ShowCompleted(true).ShowHidden(true).ShowAssigned(true)
	err = pages(func(token string) (string, error) {
		page, err := call.PageToken(token).Context(ctx).Do()
		if err == nil && page.Kind != "tasks#tasks" {
			err = errNotUnderstood
		}
		if err != nil {
			return "", err
		}
		tasks = append(tasks, page.Items...)
		return page.NextPageToken, nil
	})
	return tasks, taskFault("list tasks", err)
}

// Create makes a task. It is not repeated if the answer is lost.
func (l TaskList) Create(ctx context.Context, t *gtasks.Task) (*gtasks.Task, error) {
	made, err := l.api.Tasks.Insert(l.ID, t).Context(outbound.Once(ctx)).Do()
	return made, taskFault("create task", err)
}

// Change gives a task other fields, or deletes it if there are none, if it is still as it was read.
func (l TaskList) Change(ctx context.Context, was, fields *gtasks.Task) (now *gtasks.Task, err error) {
	if fields == nil {
		call := l.api.Tasks.Delete(l.ID, was.Id).Context(ctx)
		call.Header().Set("If-Match", was.Etag)
		err = call.Do()
	} else {
		call := l.api.Tasks.Patch(l.ID, was.Id, fields).Context(ctx)
		call.Header().Set("If-Match", was.Etag)
		now, err = call.Do()
	}
	if refused, ok := errors.AsType[*googleapi.Error](err); ok && slices.Contains([]int{
		http.StatusNotFound, http.StatusConflict, http.StatusGone, http.StatusPreconditionFailed,
	}, refused.Code) {
		return nil, ErrTaskChanged
	}
	return now, taskFault("change task", err)
}

// taskFault is err as a fault for the tasks' owner.
func taskFault(operation string, err error) error {
	refused, ok := errors.AsType[*googleapi.Error](err)
	if ok && refused.Code == http.StatusForbidden && !google.RefusalOf(refused).Limits() {
		return failure("Google does not let Convene see the tasks; connect it again, with tasks").Because(
			google.RefusalOf(refused))
	}
	return failed(operation, err)
}
