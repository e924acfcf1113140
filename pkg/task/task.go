// Package task is what a person has to do: a task, which tasks a selection means, how urgent each is, which of them fit
// into some minutes, and the contract of those who keep tasks.
package task

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Task is a thing to do, in the shape in which it is listed and kept. Texts that are empty are not set.
type Task struct {
	// ID names the task among all of its owner's.
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// Assignee is an address, or a name without one; the owner if it is empty.
	Assignee string `json:"assignee"`
	Board    string `json:"board"`
	// Column is the list in which the task stands. Some columns stand for a status (see Settle).
	Column string `json:"column"`
	// Due is a date ("2026-11-27"), by whose end the task is due, or a time with an offset.
	Due string `json:"due"`
	// Reminder is a time with an offset.
	Reminder string   `json:"reminder"`
	Status   Status   `json:"status" enum:"backlog,scheduled,in_progress,completed"`
	Priority Priority `json:"priority" enum:"high,medium,low,"`
	// EstimatedMinutes is the effort; zero if nobody has estimated it.
	EstimatedMinutes int      `json:"estimatedMinutes"`
	Tags             []string `json:"tags"`
	// Dependencies are the ids of the tasks that must be completed first.
	Dependencies []string `json:"dependencies"`
	// BlockID is the UID of the time block to which the task is assigned.
	BlockID string `json:"blockId"`
	// Source is where the task came from, as "email".
	Source string `json:"source"`
	// Created and Completed are times with an offset.
	Created   string `json:"created"`
	Completed string `json:"completed"`
	// Recurrence is an RRULE (RFC 5545, 3.3.10) that counts from Due.
	Recurrence string `json:"recurrence"`
	// Provider is who keeps the task.
	Provider string `json:"provider"`
}

// Status is how far a task has come.
type Status string

// The statuses. A scheduled task is assigned to a time block.
const (
	Backlog    Status = "backlog"
	Scheduled  Status = "scheduled"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
)

// Priority is how much a task matters; empty if nobody has said.
type Priority string

// The priorities.
const (
	High   Priority = "high"
	Medium Priority = "medium"
	Low    Priority = "low"
)

// Open reports whether the task is still to be done.
func (t Task) Open() bool { return t.Status != Completed }

// Deadline is the moment by which the task is due: of a date, the end of the day in the zone. Ok is false without one.
func (t Task) Deadline(zone *time.Location) (at time.Time, ok bool) {
	if day, err := interval.ParseDate(t.Due); err == nil {
		return day.AddDays(1).Start(zone), true
	}
	at, err := time.Parse(time.RFC3339, t.Due)
	return at.In(zone), err == nil
}

// RemindAt is when its owner is told of the task: at its reminder, or else when it is due if that is a time. Ok is
// false if there is neither, or the task is completed.
func (t Task) RemindAt() (at time.Time, ok bool) {
	at, err := time.Parse(time.RFC3339, cmp.Or(t.Reminder, t.Due))
	return at, err == nil && t.Open()
}

// Overdue reports whether the task is open and its deadline has passed.
func (t Task) Overdue(now time.Time) bool {
	at, ok := t.Deadline(now.Location())
	return ok && t.Open() && !at.After(now)
}

// OwnedBy reports whether the task is the person's own to do.
func (t Task) OwnedBy(p meet.Person) bool {
	return t.Assignee == "" || strings.EqualFold(t.Assignee, p.Email) || t.Assignee == string(p.ID) ||
		strings.EqualFold(t.Assignee, p.Name)
}

// Bounds of a task.
const (
	longestTitle   = 500
	longestText    = 20_000
	mostMinutes    = 60 * 24 * 365
	mostInLists    = 100
	longestElement = 200
)

// Check returns a fault that names the field which is wrong, or nil.
func (t Task) Check() error {
	moment := func(s string) bool { _, err := time.Parse(time.RFC3339, s); return err == nil || s == "" }
	_, due := t.Deadline(time.UTC)
	long := func(s string) bool { return len(s) > longestElement }
	lists := slices.Concat(t.Tags, t.Dependencies)
	for _, wrong := range []struct {
		is             bool
		field, problem string
	}{
		{t.ID == "" || long(t.ID), "id", "must be a short text"},
		{strings.TrimSpace(t.Title) == "", "title", "is empty"},
		{len(t.Title) > longestTitle, "title", "is too long"},
		{len(t.Description) > longestText, "description", "is too long"},
		{long(t.Assignee), "assignee", "is too long"},
		{long(t.Board), "board", "is too long"},
		{long(t.Column), "column", "is too long"},
		{t.Due != "" && !due, "due", "must be a date (2026-11-27) or a time with an offset"},
		{!moment(t.Reminder), "reminder", "must be a time with an offset"},
		{!moment(t.Created), "created", "must be a time with an offset"},
		{!moment(t.Completed), "completed", "must be a time with an offset"},
		{!slices.Contains(statuses(), t.Status), "status", "is none of backlog, scheduled, in_progress, completed"},
		{!slices.Contains(priorities(), t.Priority), "priority", "is none of high, medium, low"},
		{t.EstimatedMinutes < 0 || t.EstimatedMinutes > mostMinutes, "estimatedMinutes", "must be a number of minutes"},
		{len(t.Tags) > mostInLists || slices.ContainsFunc(t.Tags, long), "tags", "are too many or too long"},
		{len(t.Dependencies) > mostInLists || slices.ContainsFunc(lists, long), "dependencies", "are too many or too long"},
		{slices.Contains(t.Dependencies, t.ID), "dependencies", "name the task itself"},
		{t.Recurrence != "" && !due, "recurrence", "needs a due date from which it counts"},
		{long(t.Recurrence), "recurrence", "is too long"},
		{long(t.BlockID), "blockId", "is too long"},
	} {
		if wrong.is {
			return fault.Invalid(wrong.field, "%s", wrong.problem)
		}
	}
	return nil
}

func statuses() []Status { return []Status{Backlog, Scheduled, InProgress, Completed} }

func priorities() []Priority { return []Priority{"", High, Medium, Low} }

// Listed is the task with empty lists in place of none, as it is encoded.
func (t Task) Listed() Task {
	t.Tags, t.Dependencies = append([]string{}, t.Tags...), append([]string{}, t.Dependencies...)
	return t
}

// Members are the task's members in JSON by name.
func (t Task) Members() (all map[string]json.RawMessage) {
	raw, err := meet.MarshalLine(t.Listed())
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		panic("task: " + err.Error()) // it has texts and numbers only
	}
	return all
}

// With is the task with other members.
func (t Task) With(members map[string]json.RawMessage) Task {
	t = t.Listed() // JSON is read into the lists that are there
	raw, err := json.Marshal(members)
	if err == nil {
		err = json.Unmarshal(raw, &t)
	}
	if err != nil {
		panic("task: " + err.Error()) // they are members of a task
	}
	return t
}

// Same reports whether both tasks say the same.
func Same(a, b Task) bool { return len(Differ(a, b)) == 0 }

// Differ names the members in which two tasks differ, in alphabetical order.
func Differ(a, b Task) (names []string) {
	is := b.Members()
	for name, value := range a.Members() {
		if string(value) != string(is[name]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ByAge orders tasks by when they were created, and those of one time by their ids.
func ByAge(a, b Task) int { return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.ID, b.ID)) }
