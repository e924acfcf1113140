package task

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"convene/pkg/agenda"
)

//go:embed data/columns.txt
var columnsTxt string

// stage is what a column of a board stands for.
type stage struct {
	name   string
	status Status
}

// columns are the stages by the folded names of columns.
var columns = sync.OnceValue(func() map[string]stage {
	all := map[string]stage{}
	for line := range strings.Lines(columnsTxt) {
		head, names, ok := strings.Cut(strings.TrimSpace(line), ":")
		if strings.HasPrefix(line, "#") || !ok {
			continue
		}
		name, status, _ := strings.Cut(head, " = ")
		for one := range strings.SplitSeq(names, ",") {
			all[folded(one)] = stage{strings.TrimSpace(name), Status(status)}
		}
	}
	return all
})

// folded is a name in lower case with its letters and digits only.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, agenda.Fold(name))
}

// SameColumn reports whether two names mean one column: "done" is the column "Completed".
func SameColumn(a, b string) bool {
	return folded(a) == folded(b) || columns()[folded(a)].name != "" && columns()[folded(a)] == columns()[folded(b)]
}

// Settle completes a task that is changed: a column that stands for a status and the status follow each other, a new
// column is written as the board writes it, a block makes a task scheduled, and Completed is when it was completed.
// Before is zero for a new task; all are the owner's tasks.
func Settle(before, after Task, all []Task, now time.Time) Task {
	if after.Column != before.Column {
		after.Column = written(after, after.Column, all)
		if is := columns()[folded(after.Column)]; is.name != "" && after.Status == before.Status && stageOf(before) != is {
			after.Status = is.status
		}
	}
	after.Status = cmp.Or(after.Status, Backlog)
	switch {
	case after.BlockID != "" && after.BlockID != before.BlockID && after.Status == Backlog:
		after.Status = Scheduled
	case after.BlockID == "" && before.BlockID != "" && after.Status == Scheduled:
		after.Status = Backlog
	}
	if is := columns()[folded(after.Column)]; after.Status != before.Status && is.name != "" &&
		is.status != after.boarded() {
		after.Column = written(after, string(after.boarded()), all)
	}
	switch {
	case after.Open():
		after.Completed = ""
	case before.Open() || before.ID == "":
		after.Completed = now.Format(time.RFC3339)
	}
	return after
}

// Placed is a task from a file, with the status for which its column stands if it has none of its own.
func (t Task) Placed() Task {
	if is := columns()[folded(t.Column)]; is.name != "" && (t.Status == "" || t.Status == Backlog) {
		t.Status = is.status
	}
	t.Status = cmp.Or(t.Status, Backlog)
	return t
}

// boarded is the status that a column can stand for.
func (t Task) boarded() Status {
	if t.Status == Scheduled {
		return Backlog
	}
	return t.Status
}

// stageOf is the stage of a task: that of its column, or else of its status.
func stageOf(t Task) stage {
	if is := columns()[folded(t.Column)]; is.name != "" {
		return is
	}
	return stage{string(t.boarded()), t.boarded()}
}

// written is a column as the task's board writes it, or else any other, or else as it is called.
func written(t Task, called string, all []Task) string {
	for _, onBoard := range []bool{true, false} {
		for _, other := range all {
			if SameColumn(other.Column, called) && (!onBoard || other.Board == t.Board) {
				return other.Column
			}
		}
	}
	if is := columns()[folded(called)]; is.name == called {
		words := strings.Fields(strings.ReplaceAll(called, "_", " "))
		for i, w := range words {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
		return strings.Join(words, " ")
	}
	return called
}

// Named are the different names that tasks have for something, in order of their first use.
func Named(tasks []Task, of func(Task) string) (names []string) {
	for _, t := range tasks {
		if name := of(t); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
