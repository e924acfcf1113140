package message

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"convene/pkg/meet"
)

// chore is a task as a change shows it.
type chore struct {
	Title, Description, Assignee, Board, Column, Due, Reminder, Status, Priority, BlockID, Recurrence string

	EstimatedMinutes   int
	Tags, Dependencies []string
}

func choreOf(raw json.RawMessage) *chore {
	var t chore
	if isNull(raw) || json.Unmarshal(raw, &t) != nil {
		return nil
	}
	return &t
}

// task is a change of a task. A completion, and an assignment to a time block, have verbs of their own.
func (v Voice) task(c meet.Change, done string) string {
	before, after := choreOf(c.Before), choreOf(c.After)
	switch {
	case after == nil:
		return v.say("task.delete"+done, "title", v.Title(c.Title))
	case before == nil:
		before = &chore{Status: "backlog", Priority: "medium"}
		return v.withMarks(v.say("task.create"+done, "title", v.Title(after.Title)), v.chores(*before, *after, true))
	}
	verb, was := "task.change", *before
	switch {
	case before.Status != "completed" && after.Status == "completed":
		verb, was.Column, was.Recurrence = "task.complete", after.Column, after.Recurrence
		was.Status = after.Status
	case before.BlockID != after.BlockID && after.BlockID != "":
		verb, was.BlockID, was.Status = "task.assign", after.BlockID, after.Status
	case before.BlockID != after.BlockID:
		verb, was.BlockID, was.Status = "task.unassign", after.BlockID, after.Status
	}
	if was.Column != after.Column && was.Status != after.Status {
		was.Status = after.Status // the column says it
	}
	fields := v.chores(was, *after, false)
	if verb == "task.change" {
		return v.say(verb+done, "title", v.Title(before.Title), "fields", strings.Join(fields, "; "))
	}
	return v.withMarks(v.say(verb+done, "title", v.Title(before.Title)), fields)
}

func (v Voice) withMarks(line string, marks []string) string {
	if len(marks) == 0 {
		return line
	}
	return v.say("marked", "line", line, "marks", strings.Join(marks, ", "))
}

// chores are the members in which two tasks differ: of a new one what it has, otherwise both values.
func (v Voice) chores(before, after chore, isNew bool) (list []string) {
	length := func(minutes int) string {
		if minutes == 0 {
			return ""
		}
		return v.Length(minutes)
	}
	count := func(list []string) string {
		if len(list) == 0 {
			return ""
		}
		return strconv.Itoa(len(list))
	}
	rows := []struct{ name, from, to string }{
		{"title", v.caption(before.Title, titleLimit), v.caption(after.Title, titleLimit)},
		{"due", v.moment(before.Due), v.moment(after.Due)},
		{"reminder", v.moment(before.Reminder), v.moment(after.Reminder)},
		{"recurrence", v.Repetition(before.Recurrence), v.Repetition(after.Recurrence)},
		{"assignee", v.inert(before.Assignee), v.inert(after.Assignee)},
		{"board", v.inert(before.Board), v.inert(after.Board)},
		{"column", v.inert(before.Column), v.inert(after.Column)},
		{"status", v.value(before.Status), v.value(after.Status)},
		{"priority", v.value(before.Priority), v.value(after.Priority)},
		{"effort", length(before.EstimatedMinutes), length(after.EstimatedMinutes)},
		{"tags", v.inert(strings.Join(before.Tags, ", ")), v.inert(strings.Join(after.Tags, ", "))},
		{"dependencies", count(before.Dependencies), count(after.Dependencies)},
		{"notes", v.inert(before.Description), v.inert(after.Description)},
	}
	for _, row := range rows {
		switch {
		case row.from == row.to || isNew && row.name == "title":
		case isNew:
			list = append(list, v.say("field."+row.name)+": "+row.to)
		default:
			list = append(list, v.say("field", "field", v.say("field."+row.name),
				"from", cmp.Or(row.from, v.say("none")), "to", cmp.Or(row.to, v.say("none"))))
		}
	}
	return list
}

// moment is a date or a time with an offset in words; empty for none.
func (v Voice) moment(s string) string {
	if day, err := time.ParseInLocation(time.DateOnly, s, v.now.Location()); err == nil {
		return v.Day(day)
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return ""
	}
	return v.When(at.In(v.now.Location()))
}
