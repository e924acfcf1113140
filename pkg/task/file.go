package task

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"convene/pkg/meet"
)

// ReadJSON are the tasks of a JSON array in the shape in which they are listed. Members may be missing. The error names
// the task that is wrong.
func ReadJSON(data []byte) (tasks []Task, err error) {
	if err := json.Unmarshal(data, &tasks); err != nil {
		return nil, fmt.Errorf("tasks: %w", err)
	}
	for i := range tasks {
		t := &tasks[i]
		if t.Title = meet.Caption(t.Title); t.ID == "" {
			t.ID = named(t.Title + t.Due + strconv.Itoa(i))
		}
		*t = t.Placed()
		if err := t.Check(); err != nil {
			return nil, fmt.Errorf("tasks: [%d]: %w", i, err)
		}
	}
	return tasks, nil
}

// The keys of todo.txt that Convene reads and writes, as key:value; others stay in the title.
const (
	dueKey      = "due"
	idKey       = "id"
	minutesKey  = "min"
	listKey     = "list"
	assigneeKey = "for"
)

// ReadTodoTxt are the tasks of a file in the form of todo.txt, a task a line: "(A) 2026-11-20 Call Al +Sales @phone
// due:2026-11-27". A project is the board, contexts are tags. Dates are in the zone. A line that is no task is a
// problem, and the others are read.
func ReadTodoTxt(data []byte, zone *time.Location) (tasks []Task, problems []error) {
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		t := todo(line, zone).Placed()
		for n := 1; t.ID == "" || seen[t.ID]; n++ { // two lines may be the same
			t.ID = named(line + strings.Repeat("#", n))
		}
		if err := t.Check(); err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", i+1, err))
			continue
		}
		tasks, seen[t.ID] = append(tasks, t), true
	}
	return tasks, problems
}

// named is an id that is the same whenever a file is read.
func named(text string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(text)) // a hash takes everything
	return "task-" + strconv.FormatUint(sum.Sum64(), 36)
}

func todo(line string, zone *time.Location) Task {
	t := Task{Status: Backlog}
	words := strings.Fields(line)
	take := func(is bool) bool {
		if is {
			words = words[1:]
		}
		return is
	}
	date := func() (day string) {
		if len(words) == 0 {
			return ""
		}
		at, err := time.ParseInLocation(time.DateOnly, words[0], zone)
		if !take(err == nil) {
			return ""
		}
		return at.Format(time.RFC3339)
	}
	if take(len(words) > 0 && words[0] == "x") {
		t.Status = Completed
	}
	if len(words) > 0 && len(words[0]) == 3 && words[0][0] == '(' && words[0][2] == ')' {
		t.Priority = map[byte]Priority{'A': High, 'B': Medium}[words[0][1]]
		if take(words[0][1] >= 'A' && words[0][1] <= 'Z') && t.Priority == "" {
			t.Priority = Low
		}
	}
	if !t.Open() {
		t.Completed = date()
	}
	t.Created = date()
	var title []string
	for _, word := range words {
		if !t.tagged(word) {
			title = append(title, word)
		}
	}
	t.Title = meet.Caption(strings.Join(title, " "))
	return t
}

// tagged reads a project, a context or a key of todo.txt, and reports whether the word is one.
func (t *Task) tagged(word string) bool {
	if name, is := strings.CutPrefix(word, "+"); is && name != "" && t.Board == "" {
		t.Board = spaces(name)
		return true
	}
	if name, is := strings.CutPrefix(word, "@"); is && name != "" {
		t.Tags = append(t.Tags, spaces(name))
		return true
	}
	key, value, _ := strings.Cut(word, ":")
	switch key {
	case dueKey:
		is := Task{Due: value}
		if _, ok := is.Deadline(time.UTC); !ok {
			return false
		}
		t.Due = value
	case minutesKey:
		n, err := strconv.Atoi(value)
		if err != nil {
			return false
		}
		t.EstimatedMinutes = n
	case idKey:
		t.ID = value
	case listKey:
		t.Column = spaces(value)
	case assigneeKey:
		t.Assignee = spaces(value)
	default:
		return false
	}
	return value != ""
}

// spaces reads a name that is one word in todo.txt.
func spaces(name string) string { return strings.ReplaceAll(name, "_", " ") }

func oneWord(name string) string { return strings.Join(strings.Fields(name), "_") }

// WriteTodoTxt are tasks in the form of todo.txt. What it has no place for is left out: descriptions, reminders,
// dependencies, blocks and recurrences.
func WriteTodoTxt(tasks []Task) []byte {
	var b strings.Builder
	for _, t := range tasks {
		var words []string
		add := func(prefix, word string) {
			if word != "" {
				words = append(words, prefix+word)
			}
		}
		day := func(at string) string { return at[:min(len(at), len(time.DateOnly))] }
		if !t.Open() {
			add("", "x")
		}
		add("", map[Priority]string{High: "(A)", Medium: "(B)", Low: "(C)"}[t.Priority])
		add("", day(t.Completed))
		add("", day(t.Created))
		add("", strings.Join(strings.Fields(t.Title), " "))
		add("+", oneWord(t.Board))
		for _, tag := range t.Tags {
			add("@", oneWord(tag))
		}
		add(listKey+":", oneWord(t.Column))
		add(assigneeKey+":", oneWord(t.Assignee))
		add(dueKey+":", t.Due)
		if t.EstimatedMinutes > 0 {
			add(minutesKey+":", strconv.Itoa(t.EstimatedMinutes))
		}
		add(idKey+":", t.ID)
		b.WriteString(strings.Join(words, " ") + "\n")
	}
	return []byte(b.String())
}
