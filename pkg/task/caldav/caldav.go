// Package caldav keeps tasks as VTODO objects (RFC 5545) in the task lists of people's CalDAV accounts. A task's board
// is the name of its list, unless it says another; a new one is put in the list of that name. What others wrote in an
// object stays.
package caldav

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/calendar/caldav"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/task/remote"
)

// Name is the provider's.
const Name = "caldav"

// Server has the task lists of the accounts that are connected for calendars. It is a remote.Server.
type Server struct {
	Calendar *caldav.Calendar
	// Now is the clock.
	Now func() time.Time
}

// Name is Name.
func (Server) Name() string { return Name }

func (s Server) lists(ctx context.Context, person meet.Person) ([]caldav.TaskList, error) {
	lists, err := s.Calendar.TaskLists(ctx, person)
	if errors.Is(err, calendar.ErrNoCalendar) {
		return nil, task.ErrNotConnected
	}
	return lists, err
}

// Connected reports whether an account has a list for new tasks, or cannot be read.
func (s Server) Connected(ctx context.Context, person meet.Person) bool {
	lists, err := s.lists(ctx, person)
	return err != nil && !errors.Is(err, task.ErrNotConnected) || home(lists, "") >= 0
}

// home is the index of the list for new tasks of a board; negative if there is none.
func home(lists []caldav.TaskList, board string) int {
	i := slices.IndexFunc(lists, func(l caldav.TaskList) bool { return l.Writable && strings.EqualFold(l.Name, board) })
	if i < 0 {
		i = slices.IndexFunc(lists, func(l caldav.TaskList) bool { return l.Writable })
	}
	return i
}

// Items are the tasks of all lists. One that stands in two lists counts in the first.
func (s Server) Items(ctx context.Context, person meet.Person) ([]remote.Item, error) {
	lists, err := s.lists(ctx, person)
	if len(lists) == 0 {
		return nil, err
	}
	own := home(lists, "")
	indices := make([]int, len(lists))
	for i := range indices {
		indices[i] = i
	}
	items, readErr := calendar.GatherAll(indices, func(i int) ([]remote.Item, error) {
		objects, err := lists[i].Objects(ctx)
		errs := []error{err}
		var items []remote.Item
		for _, o := range objects {
			at := place{server: s, zone: person.Zone(), list: lists[i], object: o}
			if i != own {
				at.board = lists[i].Name
			}
			one, err := at.item()
			items, errs = append(items, one...), append(errs, err)
		}
		return items, calendar.Join(errs...)
	})
	seen := map[string]bool{}
	items = slices.DeleteFunc(items, func(item remote.Item) bool {
		double := seen[item.Task.ID]
		seen[item.Task.ID] = true
		return double
	})
	return items, calendar.Join(err, readErr)
}

// place is where a task stands.
type place struct {
	server Server
	zone   *time.Location
	list   caldav.TaskList
	object caldav.TaskObject
	// board is that of tasks which say none.
	board string
}

// item is the object's task; none if it is of something else, or cancelled.
func (p place) item() ([]remote.Item, error) {
	t, ok, err := p.read(p.object.Data)
	if !ok {
		return nil, err
	}
	return []remote.Item{{Task: t, Made: t.ID, Becomes: p.becomes, Write: p.write}}, nil
}

// read is the task of an object.
func (p place) read(data []byte) (t task.Task, ok bool, err error) {
	tasks, problems, err := icalendar.ReadTasks(data, p.zone)
	if err == nil && len(tasks) == 0 && len(problems) > 0 {
		err = problems[0]
	}
	if err != nil {
		return t, false, fault.New(fault.CalendarFailed, "a task in the list %q cannot be read", p.list.Name).Because(err)
	}
	if len(tasks) == 0 {
		return t, false, nil
	}
	t = tasks[0]
	t.Board, t.Provider = cmp.Or(t.Board, p.board), Name
	return t, true, nil
}

// amended is the object with other values of a task's members.
func (p place) amended(to task.Task, members []string) ([]byte, error) {
	data, err := icalendar.AmendTask(p.object.Data, to, members, p.server.Now())
	if err != nil {
		return nil, fmt.Errorf("amend task: %w", err)
	}
	return data, nil
}

func (p place) becomes(to task.Task, members []string) (task.Task, error) {
	data, err := p.amended(to, members)
	if err != nil {
		return to, err
	}
	to, _, err = p.read(data)
	return to, err
}

func (p place) write(ctx context.Context, to *task.Task, members []string) (now task.Task, err error) {
	var data []byte
	if to != nil {
		if data, err = p.amended(*to, members); err != nil {
			return now, err
		}
	}
	data, err = p.list.Replace(ctx, p.object, data)
	return p.standing(data, to != nil, err)
}

// standing is the task of an object that was written.
func (p place) standing(data []byte, stands bool, err error) (now task.Task, _ error) {
	if errors.Is(err, caldav.ErrTaskChanged) {
		return now, remote.ErrRaced
	}
	if err != nil || !stands {
		return now, err
	}
	now, ok, err := p.read(data)
	if err == nil && !ok {
		err = task.Changed() // it was deleted at once
	}
	return now, err
}

// Create writes the task to the list that its board names, or to the best for new tasks. Its id is its UID.
func (s Server) Create(ctx context.Context, person meet.Person, t task.Task) (task.Task, error) {
	lists, err := s.lists(ctx, person)
	if err != nil {
		return t, err
	}
	i := home(lists, t.Board)
	if i < 0 {
		return t, fault.Invalid("provider", "The CalDAV account has no list that takes tasks.")
	}
	p := place{server: s, zone: person.Zone(), list: lists[i]}
	if i != home(lists, "") {
		p.board = lists[i].Name
	}
	data, err := lists[i].Create(ctx, t.ID, icalendar.WriteTasks([]task.Task{t}, s.Now()))
	return p.standing(data, true, err)
}
