package task_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/task/tasktest"
)

func ids(tasks []task.Task) string {
	var list []string
	for _, t := range tasks {
		list = append(list, t.ID)
	}
	return strings.Join(list, " ")
}

// shared is a board of several people, and a list of the owner's.
func shared() []task.Task {
	return []task.Task{
		{ID: "a", Title: "Add animation to carousel", Status: task.Backlog, Board: "Front end", Column: "Backlog",
			Assignee: "leila.azizi@example.com", Due: "2026-11-20"},
		{ID: "b", Title: "Fix alignment in profile page", Status: task.InProgress, Board: "Front end",
			Column: "In Progress", Assignee: "kofi.mensah@example.com", Due: "2026-11-30"},
		{ID: "c", Title: "Fix alignment in home page", Status: task.InProgress, Board: "Front end", Column: "In Review",
			Assignee: "kofi.mensah@example.com", Due: "2026-11-20"},
		{ID: "d", Title: "Optimize query", Status: task.Completed, Board: "Back end", Column: "Completed",
			Assignee: "kofi.mensah@example.com", Due: "2026-11-18"},
		{ID: "e", Title: "Pagar el alquiler", Status: task.Backlog, Priority: task.High, Tags: []string{"Home"},
			Due: "2026-11-23T08:30:00Z"},
		{ID: "f", Title: "לשלוח את החוזה", Status: task.Backlog, Priority: task.Low, Created: "2026-11-01T08:00:00Z"},
	}
}

func TestASelection(t *testing.T) {
	t.Parallel()
	kofi := meet.Person{ID: "kofi", Name: "Kofi Mensah", Email: "kofi.mensah@example.com"}
	scene := task.Scene{Owner: tasktest.Owner(), Scene: agenda.Scene{Now: now, People: func(name string) []meet.Person {
		if strings.EqualFold(name, "kofi") {
			return []meet.Person{kofi}
		}
		return nil
	}}}
	for selection, want := range map[string]string{
		`{}`:                   "a c e b f",
		`{"assignee":"Kofi"}`:  "c b",
		`{"assignee":"leila"}`: "a", // no one knows her, and the board has her name
		`{"assignee":"me"}`:    "e f",
		`{"assignee":"Zoe"}`:   "",
		`{"assignee":"Kofi","status":"in_progress"}`:            "b",
		`{"assignee":"Kofi","column":"in review"}`:              "c",
		`{"column":"done"}`:                                     "d",
		`{"status":"completed"}`:                                "d",
		`{"board":"front-end","status":"open"}`:                 "a c b",
		`{"overdue":true}`:                                      "a c e",
		`{"overdue":true,"assignee":"kofi"}`:                    "c",
		`{"dueFrom":"2026-11-20","dueTo":"2026-11-23"}`:         "a c e",
		`{"dueFrom":"2026-11-23"}`:                              "e b",
		`{"dueTo":"2026-11-23T08:00"}`:                          "a c",
		`{"tags":["home"]}`:                                     "e",
		`{"priority":"low"}`:                                    "f",
		`{"titleHas":["alignment"]}`:                            "c b",
		`{"titleHas":["the alignment task"],"first":1}`:         "c",
		`{"titleHas":["fix"],"titleLacks":["home"]}`:            "b",
		`{"titleHas":["alqiler"]}`:                              "e", // a slip
		`{"titleHas":["query"]}`:                                "d", // completed, and nothing else is called so
		`{"titleHas":["חוזה"]}`:                                 "f",
		`{"order":"-due","first":2}`:                            "b e",
		`{"order":"priority","first":1}`:                        "e",
		`{"ids":["d","a"]}`:                                     "d a",
		`{"from":[]}`:                                           "",
		`{"from":["b"],"titleHas":["carousel"]}`:                "",
		`{"titleHas":["add animation to carousel"],"one":true}`: "a",
		// several are named, one each; none if one of them is unknown
		`{"titleHas":["carousel","query","carousel"],"one":true,"status":"open"}`: "",
		`{"titleHas":["alqiler","carousel","alquiler"],"one":true}`:               "e a",
	} {
		var s task.Selection
		if err := json.Unmarshal([]byte(selection), &s); err != nil {
			t.Fatal(err)
		}
		got, err := s.Select(shared(), scene)
		if err != nil || ids(got) != want {
			t.Errorf("%s: %q, %v; want %q", selection, ids(got), err, want)
		}
	}
	one := true
	_, err := task.Selection{TitleHas: []string{"fix alignment"}, One: &one}.Select(shared(), scene)
	if several, ok := errors.AsType[*task.AmbiguousError](err); !ok || ids(several.Options) != "c b" {
		t.Errorf("one of two: %v, want both as options", err)
	}
	_, err = task.Selection{TitleHas: []string{"carousel", "fix alignment"}, One: &one}.Select(shared(), scene)
	several, ok := errors.AsType[*task.AmbiguousError](err)
	if !ok || several.Phrase != 1 || ids(several.Options) != "b c" {
		t.Errorf("the second of two phrases: %v, want its options", err)
	}
	soon := "soon"
	if _, err := (task.Selection{DueTo: &soon}).Select(shared(), scene); fault.As(err).Field != "dueTo" {
		t.Errorf("a wrong date: %v", err)
	}
}

// A column that stands for a status and the status follow each other; a list of one's own does not.
func TestABoard(t *testing.T) {
	t.Parallel()
	onBoard := shared()[0]
	for _, c := range []struct {
		name           string
		from           task.Task
		set            func(*task.Task)
		column, status string
	}{
		{"to another column", onBoard, func(t *task.Task) { t.Column = "in progress" }, "In Progress", "in_progress"},
		{"as the board writes it", onBoard, func(t *task.Task) { t.Column = "REVIEW" }, "In Review", "in_progress"},
		{"done by its column", onBoard, func(t *task.Task) { t.Column = "done" }, "Completed", "completed"},
		{"done by its status", onBoard, func(t *task.Task) { t.Status = task.Completed }, "Completed", "completed"},
		{"begun by its status", onBoard, func(t *task.Task) { t.Status = task.InProgress }, "In Progress", "in_progress"},
		{"scheduled", onBoard, func(t *task.Task) { t.BlockID = "x" }, "Backlog", "scheduled"},
		{"back from review", shared()[2], func(t *task.Task) { t.Status = task.Backlog }, "Backlog", "backlog"},
		{"still in review", shared()[2], func(t *task.Task) { t.Title = "Other" }, "In Review", "in_progress"},
		{"a list of one's own", task.Task{ID: "x", Status: task.Backlog, Column: "Home"},
			func(t *task.Task) { t.Status = task.Completed }, "Home", "completed"},
		{"a new one on a board", task.Task{}, func(t *task.Task) { t.Board, t.Column = "Front end", "in review" },
			"In Review", "in_progress"},
		{"a new one", task.Task{}, func(t *task.Task) { t.Title = "New" }, "", "backlog"},
	} {
		to := c.from
		c.set(&to)
		got := task.Settle(c.from, to, shared(), now)
		if got.Column != c.column || string(got.Status) != c.status || (got.Completed != "") == got.Open() {
			t.Errorf("%s: %q, %s, completed %q; want %q, %s",
				c.name, got.Column, got.Status, got.Completed, c.column, c.status)
		}
	}
}

func TestScores(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		task task.Task
		want task.Breakdown
	}{
		{"nothing is known", task.Task{}, task.Breakdown{Priority: 25}},
		{"low and old", task.Task{Priority: task.Low, Created: "2026-01-01T00:00:00Z"}, task.Breakdown{Priority: 10,
			Age: 20}},
		{"of last week", task.Task{Created: "2026-11-13T09:00:00Z"}, task.Breakdown{Priority: 25, Age: 5}},
		{"overdue", task.Task{Priority: task.High, Due: "2026-11-22"}, task.Breakdown{Priority: 40, Urgency: 40}},
		{"today", task.Task{Due: "2026-11-23", EstimatedMinutes: 10}, task.Breakdown{Priority: 25, Urgency: 34}},
		{"in a week", task.Task{Due: "2026-11-30", EstimatedMinutes: 30}, task.Breakdown{Priority: 25, Urgency: 5}},
		{"in a week, and much to do", task.Task{Due: "2026-11-30", EstimatedMinutes: 40 * 60}, task.Breakdown{Priority: 25,
			Urgency: 26}},
		{"completed", task.Task{Status: task.Completed, Due: "2026-11-22"}, task.Breakdown{}},
	} {
		got := c.task.Score(now)
		if got.Parts != c.want || got.Total != c.want.Priority+c.want.Age+c.want.Urgency {
			t.Errorf("%s: %d, %+v; want %+v", c.name, got.Total, got.Parts, c.want)
		}
	}
}

func TestTodoTxt(t *testing.T) {
	t.Parallel()
	file := "(A) 2026-11-20 Call Al about the deck: page 2 +Sales @phone due:2026-11-27 min:20 id:1\n" +
		"x (C) 2026-11-22 2026-11-01 Pay rent @home\n\n" +
		"(Z) water plants list:My_garden for:nia@example.com key:value\n@home due:2026-11-27\n"
	got, problems := task.ReadTodoTxt([]byte(file), time.UTC)
	want := []task.Task{
		{
			ID: "1", Title: "Call Al about the deck: page 2", Board: "Sales", Tags: []string{"phone"}, Due: "2026-11-27",
			EstimatedMinutes: 20, Status: task.Backlog, Priority: task.High, Created: "2026-11-20T00:00:00Z",
		},
		{
			Title: "Pay rent", Tags: []string{"home"}, Status: task.Completed, Completed: "2026-11-22T00:00:00Z",
			Created: "2026-11-01T00:00:00Z", Priority: task.Low,
		},
		{Title: "water plants key:value", Column: "My garden", Assignee: "nia@example.com", Status: task.Backlog,
			Priority: task.Low},
	}
	if len(got) != 3 || len(problems) != 1 || !strings.Contains(problems[0].Error(), "line 5") {
		t.Fatalf("%+v, %v", got, problems)
	}
	again, _ := task.ReadTodoTxt([]byte(file), time.UTC)
	written, _ := task.ReadTodoTxt(task.WriteTodoTxt(got), time.UTC)
	for i := range want {
		if want[i].ID == "" {
			want[i].ID = again[i].ID // the same whenever it is read
		}
	}
	for name, read := range map[string][]task.Task{"read": got, "written and read": written} {
		if diff := cmp.Diff(want, read); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	full := tasktest.Full()
	raw, err := json.Marshal([]task.Task{full, {Title: "Short", Column: "Done"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := task.ReadJSON(raw)
	if err != nil || !task.Same(got[0], full) || got[1].ID == "" || got[1].Status != task.Completed {
		t.Errorf("%+v, %v", got, err)
	}
	for file, want := range map[string]string{`[{"title":"A"},{"title":""}]`: "[1]",
		`[{"title":"A","due":"soon"}]`: "due", `{}`: "tasks"} {
		if _, err := task.ReadJSON([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
}

// keeper is a provider with one task, or one that has failed.
type keeper struct {
	task.Provider
	name string
	err  error
}

func (k keeper) Name() string { return k.name }

func (k keeper) Tasks(context.Context, meet.Person) ([]task.Task, error) {
	if k.err != nil {
		return nil, k.err
	}
	return []task.Task{{ID: k.name, Provider: k.name}}, nil
}

func (k keeper) Connected(context.Context, meet.Person) bool {
	return !errors.Is(k.err, task.ErrNotConnected)
}

func (k keeper) Apply(_ context.Context, _ meet.Person, a task.Amendment) (task.Task, error) {
	return task.Task{ID: a.Key, Provider: k.name}, k.err
}

// What one provider cannot tell does not hide what others do, and a change goes to the provider of its task.
func TestADirectory(t *testing.T) {
	t.Parallel()
	broken := errors.New("unreachable")
	d := task.Directory{Providers: []task.Provider{
		keeper{name: "far", err: task.ErrNotConnected}, keeper{name: "down", err: broken}, keeper{name: "ours"},
	}}
	if got, err := d.Tasks(t.Context(), tasktest.Owner()); ids(got) != "ours" || !errors.Is(err, broken) {
		t.Errorf("%+v, %v", got, err)
	}
	if home := d.Home(t.Context(), tasktest.Owner()); home != "down" {
		t.Errorf("new tasks go to %s, want the first that is connected", home)
	}
	for provider, want := range map[string]string{"ours": "", "down": "unreachable", "gone": "not connected"} {
		got, err := d.Apply(t.Context(), tasktest.Owner(), task.Amendment{Key: "k", To: &task.Task{Provider: provider}})
		if want == "" && (err != nil || got.Provider != "ours") || want != "" && (err == nil ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v, %v; want %q", provider, got, err, want)
		}
	}
}

func Example() {
	tasks := []task.Task{
		{ID: "1", Title: "Call Al", EstimatedMinutes: 15, Priority: task.High},
		{ID: "2", Title: "Write the report", EstimatedMinutes: 120},
		{ID: "3", Title: "Pay the bill", EstimatedMinutes: 10, Due: "2026-11-22"},
	}
	for _, t := range task.Fit(tasks, 30, task.ByPriority, now).Tasks {
		fmt.Println(t.Title, t.Score(now).Total)
	}
	// Output:
	// Call Al 40
	// Pay the bill 65
}

// Another task keeps its lists if one that was made of it gets others.
func TestWithLeavesTheTask(t *testing.T) {
	t.Parallel()
	was := task.Task{ID: "1", Title: "Call", Tags: []string{"deck"}, Dependencies: []string{"2"}}
	is := was.With(task.Task{Tags: []string{"other"}, Dependencies: []string{"3"}}.Members())
	if was.Tags[0] != "deck" || was.Dependencies[0] != "2" || is.Tags[0] != "other" {
		t.Errorf("it became %+v, and the new one is %+v", was, is)
	}
}
