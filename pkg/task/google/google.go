// Package google keeps tasks in the lists of Google Tasks, which has their titles, their notes, the day that they are
// due and whether they are completed; pkg/task/overlay keeps the rest.
//
// Google takes no ids from clients and has no fields of their own. So that a repeat after a lost answer finds the task,
// its notes end in a line with the id under which it was created, which is not told as a part of its description.
// Positions and subtasks are left alone. If-Match is not documented for tasks; the version is read right before each
// change, too.
package google

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	gtasks "google.golang.org/api/tasks/v1"

	"convene/pkg/calendar"
	"convene/pkg/calendar/google"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/task/remote"
)

// Name is the provider's.
const Name = "google"

// Server has the task lists of the accounts that are connected for calendars and tasks. It is a remote.Server.
type Server struct{ Calendar *google.Calendar }

// Name is Name.
func (Server) Name() string { return Name }

// Connected reports whether the person has such an account.
func (s Server) Connected(ctx context.Context, person meet.Person) bool {
	return s.Calendar.KeepsTasks(ctx, person)
}

func (s Server) lists(ctx context.Context, person meet.Person) ([]google.TaskList, error) {
	lists, err := s.Calendar.TaskLists(ctx, person)
	if errors.Is(err, calendar.ErrNoCalendar) {
		return nil, task.ErrNotConnected
	}
	return lists, err
}

// Items are the tasks of all lists.
func (s Server) Items(ctx context.Context, person meet.Person) ([]remote.Item, error) {
	lists, err := s.lists(ctx, person)
	items, unread := calendar.GatherAll(lists, func(l google.TaskList) (items []remote.Item, err error) {
		tasks, err := l.Tasks(ctx)
		for _, one := range tasks {
			if !one.Deleted {
				items = append(items, place{l, person.Zone(), one}.item())
			}
		}
		return items, err
	})
	return items, cmp.Or(err, unread)
}

// Create makes the task in the list that its board names, or in the main one.
func (s Server) Create(ctx context.Context, person meet.Person, t task.Task) (task.Task, error) {
	lists, err := s.lists(ctx, person)
	if len(lists) == 0 {
		return t, cmp.Or(err, error(fault.Invalid("provider", "The Google account has no list for tasks.")))
	}
	i := slices.IndexFunc(lists, func(l google.TaskList) bool { return strings.EqualFold(l.Name, t.Board) })
	p := place{list: lists[max(i, 0)], zone: person.Zone()}
	made, err := p.list.Create(ctx, fieldsOf(t, nil, t.ID))
	if err != nil {
		return t, err
	}
	return p.read(made), nil
}

// place is where a task stands, and the task.
type place struct {
	list   google.TaskList
	zone   *time.Location
	google *gtasks.Task
}

func (p place) item() remote.Item {
	item := remote.Item{Task: p.read(p.google), Write: p.write}
	_, item.Made = notes(p.google.Notes)
	item.Becomes = func(to task.Task, members []string) (task.Task, error) {
		after, err := remote.Merged(*p.google, fieldsOf(to, members, item.Made))
		return p.read(&after), err
	}
	return item
}

// read is what Google has of a task.
func (p place) read(g *gtasks.Task) task.Task {
	t := task.Task{
		ID: g.Id, Title: meet.Caption(g.Title), Due: g.Due[:min(len(g.Due), len(time.DateOnly))], Status: task.Backlog,
		Provider: Name,
	}
	t.Description, _ = notes(g.Notes)
	if g.Status == completed {
		t.Status = task.Completed
		if at, err := time.Parse(time.RFC3339, zero(g.Completed)); err == nil {
			t.Completed = at.In(p.zone).Format(time.RFC3339)
		}
	}
	if !p.list.Main {
		t.Board = p.list.Name
	}
	return t
}

func zero(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// The statuses of Google.
const (
	completed = "completed"
	open      = "needsAction"
)

// mark begins the last line of our notes.
const mark = "convene:"

var marked = regexp.MustCompile(`\n*` + mark + `(\S+)\s*$`)

// notes are the description in a task's notes, and the id under which we created it.
func notes(text string) (description, made string) {
	at := marked.FindStringSubmatchIndex(text)
	if at == nil {
		return text, ""
	}
	return text[:at[0]], text[at[2]:at[3]]
}

// longestNotes bounds a description, in bytes. Google refuses more than 8192 characters.
const longestNotes = 7500

// fieldsOf are the named members of a task as Google takes them; all that it keeps if none are named. It is nil if
// Google keeps none of them.
func fieldsOf(t task.Task, members []string, made string) (kept *gtasks.Task) {
	fields := &gtasks.Task{}
	for name, set := range map[string]func(){
		"title": func() { fields.Title = t.Title },
		"description": func() {
			fields.Notes = strings.ToValidUTF8(t.Description[:min(len(t.Description), longestNotes)], "")
			if made != "" {
				fields.Notes = strings.TrimLeft(fields.Notes+"\n\n"+mark+made, "\n")
			}
			fields.ForceSendFields = append(fields.ForceSendFields, "Notes")
		},
		"due": func() {
			if day, err := time.Parse(time.DateOnly, t.Due[:min(len(t.Due), len(time.DateOnly))]); err == nil {
				fields.Due = day.Format(time.RFC3339)
			} else {
				fields.NullFields = append(fields.NullFields, "Due")
			}
		},
		"status": func() {
			fields.Status = completed
			if t.Open() {
				fields.Status = open
				fields.NullFields = append(fields.NullFields, "Completed")
			}
		},
	} {
		if members == nil || slices.Contains(members, name) {
			set()
			kept = fields
		}
	}
	return kept
}

func (p place) write(ctx context.Context, to *task.Task, members []string) (now task.Task, err error) {
	var fields *gtasks.Task
	if to != nil {
		_, made := notes(p.google.Notes)
		if fields = fieldsOf(*to, members, made); fields == nil {
			return p.read(p.google), nil // the overlay keeps what changes
		}
	}
	changed, err := p.list.Change(ctx, p.google, fields)
	if errors.Is(err, google.ErrTaskChanged) {
		return now, remote.ErrRaced
	}
	if err != nil || to == nil {
		return now, err
	}
	return p.read(changed), nil
}
