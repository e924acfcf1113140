package task

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Selection says which tasks are meant. It is an argument of every tool that reads or changes tasks, so that what is
// found can also be changed. Null and empty members select everything; all members must fit. Completed tasks are meant
// only if the selection says so, or if nothing else fits.
type Selection struct {
	// TitleHas are what the user calls the tasks: one of them must be in the title, and with One each of them is one task.
	// A phrase may also be a task's id. TitleLacks must not be in the title.
	TitleHas   []string `json:"titleHas"`
	TitleLacks []string `json:"titleLacks"`
	// Assignee is an id, an address or a name; "me" is the owner, and "none" nobody.
	Assignee *string `json:"assignee" jsonschema:"nullable"`
	Board    *string `json:"board" jsonschema:"nullable"`
	Column   *string `json:"column" jsonschema:"nullable"`
	// Status is one of the statuses, or "open". A task in review is not in progress.
	Status   *string `json:"status" jsonschema:"nullable,enum=open,enum=backlog,enum=scheduled,enum=in_progress,enum=completed"`
	Priority *string `json:"priority" jsonschema:"nullable,enum=high,enum=medium,enum=low"`
	// DueFrom and DueTo are dates, both included, or times; with "none" as DueTo, tasks are meant that are never due.
	DueFrom *string `json:"dueFrom" jsonschema:"nullable"`
	DueTo   *string `json:"dueTo" jsonschema:"nullable"`
	// Overdue tasks are due before today, or at a time that has passed.
	Overdue *bool `json:"overdue" jsonschema:"nullable"`
	// Tags must all be the task's.
	Tags []string `json:"tags"`
	// Block is the UID of the time block to which the tasks are assigned.
	Block *string `json:"block" jsonschema:"nullable"`
	// Order is how the tasks are sorted before First counts; by due date if null, tasks without one last.
	Order *string `json:"order" jsonschema:"nullable,enum=due,enum=-due,enum=priority,enum=-priority,enum=created,enum=-created"`
	// First is how many of them are meant.
	First *int `json:"first" jsonschema:"nullable"`
	// One says that the user means a single task: if several fit, the tool asks.
	One *bool    `json:"one" jsonschema:"nullable"`
	IDs []string `json:"ids"`
	// From are the ids of an earlier result, and null if there is none: no task is one of an empty result.
	From *[]string `json:"from" jsonschema:"nullable"`
}

// Scene is what a selection is read against.
type Scene struct {
	agenda.Scene
	Owner meet.Person
}

// AmbiguousError says that one task was meant, and that several fit: the phrase of TitleHas with that index, if there
// are several phrases.
type AmbiguousError struct {
	Options []Task
	Phrase  int
}

func (e *AmbiguousError) Error() string { return fmt.Sprintf("%d tasks fit", len(e.Options)) }

// Select picks the tasks that are meant, in the selection's order. If a single one is meant and several fit, the error
// is an *AmbiguousError; any other is a fault that names the wrong member.
func (s Selection) Select(tasks []Task, scene Scene) ([]Task, error) {
	rules, err := s.rules(scene)
	if err != nil {
		return nil, err
	}
	chosen := keep(tasks, rules...)
	if s.Status == nil && s.Column == nil && len(s.IDs) == 0 && s.From == nil {
		chosen = s.open(chosen)
	}
	one := s.One != nil && *s.One
	if one && len(s.TitleHas) > 1 {
		return s.each(chosen)
	}
	chosen = s.titled(chosen, one || s.First != nil && *s.First == 1)
	s.sort(chosen, scene.Now.Location())
	if s.First != nil {
		chosen = chosen[:min(max(0, *s.First), len(chosen))]
	}
	if one && len(chosen) > 1 {
		return nil, &AmbiguousError{Options: chosen}
	}
	return chosen, nil
}

// each are the tasks that the phrases call, one each; none at all if a phrase calls none.
func (s Selection) each(tasks []Task) (chosen []Task, err error) {
	for i, phrase := range s.TitleHas {
		s.TitleHas = []string{phrase}
		switch called := s.titled(tasks, true); len(called) {
		case 0:
			return nil, nil
		case 1:
			if !slices.ContainsFunc(chosen, func(t Task) bool { return t.ID == called[0].ID }) {
				chosen = append(chosen, called[0])
			}
		default:
			return nil, &AmbiguousError{called, i}
		}
	}
	return chosen, nil
}

// open are the open tasks that the titles call, or else completed ones that they do.
func (s Selection) open(tasks []Task) []Task {
	called := s.titled(tasks, false)
	if open := keep(called, Task.Open); len(open) > 0 || len(s.TitleHas) == 0 {
		return open
	}
	return called
}

// titled are the tasks that the titles call. Single says that one is meant.
func (s Selection) titled(tasks []Task, single bool) []Task {
	as := func(t Task) meet.Occurrence { return meet.Occurrence{Title: t.Title} }
	if named := keep(tasks, func(t Task) bool { return slices.Contains(s.TitleHas, t.ID) }); len(named) > 0 {
		return named
	}
	chosen := agenda.Called(tasks, bare(s.TitleHas), single, as)
	if len(s.TitleLacks) == 0 {
		return chosen
	}
	out := map[string]bool{}
	for _, t := range agenda.Called(chosen, bare(s.TitleLacks), false, as) {
		out[t.ID] = true
	}
	return keep(chosen, func(t Task) bool { return !out[t.ID] })
}

// taskWords are words for any task, which titles lack.
var taskWords = []string{
	"task", "tasks", "todo", "todos", "to-do", "to-dos", "item", "ticket", "tarea", "tareas", "pendiente", "משימה",
	"המשימה", "משימות", "משימת",
}

// bare are phrases without words for any task, unless they have no others.
func bare(phrases []string) []string {
	list := make([]string, len(phrases))
	for i, phrase := range phrases {
		words := slices.DeleteFunc(strings.Fields(phrase), func(w string) bool {
			return slices.Contains(taskWords, strings.ToLower(w))
		})
		list[i] = cmp.Or(strings.Join(words, " "), phrase)
	}
	return list
}

func keep(tasks []Task, rules ...func(Task) bool) (fit []Task) {
	for _, t := range tasks {
		if !slices.ContainsFunc(rules, func(holds func(Task) bool) bool { return !holds(t) }) {
			fit = append(fit, t)
		}
	}
	return fit
}

// rules are the members of the selection but for titles.
func (s Selection) rules(scene Scene) (rules []func(Task) bool, err error) {
	must := func(asked bool, rule func(Task) bool) {
		if asked {
			rules = append(rules, rule)
		}
	}
	value := func(s *string) string {
		if s == nil {
			return ""
		}
		return strings.TrimSpace(*s)
	}
	must(value(s.Assignee) != "", scene.assigned(value(s.Assignee)))
	must(value(s.Board) != "", func(t Task) bool { return folded(t.Board) == folded(*s.Board) })
	must(value(s.Column) != "", func(t Task) bool { return SameColumn(t.Column, *s.Column) })
	must(value(s.Status) != "", func(t Task) bool { return t.is(*s.Status) })
	must(value(s.Priority) != "", func(t Task) bool { return string(t.Priority) == *s.Priority })
	must(s.Overdue != nil, func(t Task) bool { return t.Overdue(scene.Now) == *s.Overdue })
	for _, tag := range s.Tags {
		must(true, func(t Task) bool {
			return slices.ContainsFunc(t.Tags, func(has string) bool { return folded(has) == folded(tag) })
		})
	}
	must(value(s.Block) != "", func(t Task) bool { return t.BlockID == *s.Block })
	must(len(s.IDs) > 0, func(t Task) bool { return slices.Contains(s.IDs, t.ID) })
	must(s.From != nil, func(t Task) bool { return slices.Contains(*s.From, t.ID) })
	zone := scene.Now.Location()
	if value(s.DueFrom) != "" {
		from, err := agenda.Moment(*s.DueFrom, zone, "dueFrom")
		if err != nil {
			return nil, err
		}
		must(true, func(t Task) bool { at, ok := t.Deadline(zone); return ok && at.After(from) })
	}
	if strings.EqualFold(value(s.DueTo), "none") {
		must(true, func(t Task) bool { return t.Due == "" })
	} else if value(s.DueTo) != "" {
		to, err := agenda.Moment(*s.DueTo, zone, "dueTo")
		if err != nil {
			return nil, err
		}
		if day, err := interval.ParseDate(*s.DueTo); err == nil {
			to = day.AddDays(1).Start(zone)
		}
		must(true, func(t Task) bool { at, ok := t.Deadline(zone); return ok && !at.After(to) })
	}
	if s.First != nil && *s.First < 1 {
		return nil, fault.Invalid("first", "must be at least 1")
	}
	return rules, nil
}

// is reports whether a task has a status that a selection names. A column beside the status's own ("In Review") does
// not count as it.
func (t Task) is(status string) bool {
	if status == "open" {
		return t.Open()
	}
	return string(t.Status) == status && (t.Status != InProgress || stageOf(t).name == status)
}

// assigned returns whether a task is a person's: the one whom the name means, or one with that name.
func (scene Scene) assigned(name string) func(Task) bool {
	switch {
	case strings.EqualFold(name, "none"):
		return func(t Task) bool { return t.Assignee == "" }
	case strings.EqualFold(name, "me"):
		return func(t Task) bool { return t.OwnedBy(scene.Owner) }
	}
	is := scene.Called(name)
	own := is(meet.Attendee{Name: scene.Owner.Name, Email: scene.Owner.Email})
	return func(t Task) bool {
		if t.Assignee == "" {
			return own
		}
		who := meet.Attendee{Name: t.Assignee}
		if address(t.Assignee) {
			who = meet.Attendee{Email: t.Assignee}
		}
		return is(who)
	}
}

func address(assignee string) bool { return strings.Contains(assignee, "@") }

func (s Selection) sort(tasks []Task, zone *time.Location) {
	order := "due"
	if s.Order != nil {
		order = *s.Order
	}
	by, descending := strings.CutPrefix(order, "-")
	slices.SortStableFunc(tasks, func(a, b Task) int {
		if descending {
			a, b = b, a
		}
		switch by {
		case "priority":
			return cmp.Compare(priorityOf(a), priorityOf(b))
		case "created":
			return cmp.Compare(a.Created, b.Created)
		}
		return compareDue(a, b, zone, descending)
	})
}

// compareDue compares deadlines; a task without one comes last, also in reverse.
func compareDue(a, b Task, zone *time.Location, reverse bool) int {
	first, one := a.Deadline(zone)
	second, other := b.Deadline(zone)
	switch {
	case one && other:
		return first.Compare(second)
	case one == other:
		return 0
	case one != reverse:
		return -1
	}
	return 1
}

// priorityOf is a task's priority as a number: the highest is 0, and none is as medium.
func priorityOf(t Task) int {
	switch t.Priority {
	case High:
		return 0
	case Low:
		return 2
	default:
		return 1
	}
}
