package task

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/tool"
)

// backlog is all tasks of a person; broken says that some cannot be read.
type backlog struct {
	tasks  []task.Task
	broken bool
}

func (b backlog) Tasks(context.Context, meet.Person) ([]task.Task, error) {
	if b.broken {
		return b.tasks, errors.New("unreachable")
	}
	return b.tasks, nil
}

func (backlog) Home(context.Context, meet.Person) string { return "convene" }

// calendar is a person's events.
type calendar []meet.Occurrence

func (c calendar) Events(context.Context, meet.Person, interval.Span) ([]meet.Occurrence, error) {
	return slices.Clone(c), nil
}

var (
	zone = time.FixedZone("", -8*60*60)
	now  = time.Date(2026, time.November, 23, 8, 0, 0, 0, zone) // a Monday
	me   = meet.Person{ID: "me", Name: "Morgan Ellis", Email: "morgan@example.com"}
	al   = meet.Person{ID: "al", Name: "Al Chen", Email: "al@example.com"}
	nia  = meet.Person{ID: "nia", Name: "Nia Johnson", Email: "nia@example.com"}
)

func focus() meet.Occurrence {
	start := time.Date(2026, time.November, 24, 13, 0, 0, 0, zone)
	return meet.Occurrence{UID: "focus", Title: "Focus", Kind: meet.WorkBlock, Span: interval.From(start, 2*time.Hour)}
}

func tasks() []task.Task {
	return []task.Task{
		{ID: "slides", Title: "Send the slides", Status: task.Backlog, Priority: task.High, Due: "2026-11-27",
			EstimatedMinutes: 45, Column: "Work"},
		{ID: "report", Title: "Write the report", Status: task.Backlog, Due: "2026-12-04", EstimatedMinutes: 180,
			Dependencies: []string{"figures"}},
		{ID: "figures", Title: "Collect the figures", Status: task.Scheduled, BlockID: "focus", EstimatedMinutes: 60},
		{ID: "plants", Title: "Water the plants", Status: task.Backlog, Due: "2026-11-28", Recurrence: "FREQ=WEEKLY",
			Reminder: "2026-11-28T09:00:00-08:00"},
		{ID: "bill", Title: "Pay the bill", Status: task.Backlog, Due: "2026-11-20", EstimatedMinutes: 10,
			Priority: task.High},
		{ID: "page", Title: "Build the page", Status: task.InProgress, Board: "Site", Column: "In Progress",
			Assignee: al.Email, Due: "2026-11-30"},
		{ID: "logo", Title: "Draw the logo", Status: task.InProgress, Board: "Site", Column: "In Review",
			Assignee: al.Email, Due: "2026-11-19"},
		{ID: "old", Title: "Write the plan", Status: task.Completed, Board: "Site", Column: "Completed",
			Assignee: nia.Email, Completed: "2026-11-02T10:00:00-08:00"},
	}
}

func newWorld(b backlog, c calendar) *world.World {
	recur := func(_, due string, _ time.Time) (next, rule string) {
		day, err := interval.ParseDate(due)
		if err != nil {
			return "", ""
		}
		return day.AddDays(7).String(), "FREQ=WEEKLY"
	}
	return &world.World{
		Now: now, Owner: me, Language: "en", Key: "turn", Agenda: agenda.NewCopy(c, me), Tasks: task.NewCopy(b, me, recur),
		People: func(name string) (found []meet.Person) {
			for _, p := range []meet.Person{me, al, nia} {
				if strings.HasPrefix(p.Name, name) || p.Email == name {
					found = append(found, p)
				}
			}
			return found
		},
	}
}

var set = sync.OnceValue(Set)

// call runs a tool of the family.
func call(t *testing.T, w *world.World, name, arguments string) (world.Result, error) {
	t.Helper()
	i := slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return set()[i].Call(t.Context(), w, []byte(arguments))
}

// differences are the members that a change sets, as "name=value".
func differences(t *testing.T, c meet.Change) string {
	t.Helper()
	var before, after map[string]any
	if json.Unmarshal(c.Before, &before) != nil || json.Unmarshal(c.After, &after) != nil {
		t.Fatalf("%s %s", c.Before, c.After)
	}
	var list []string
	for name, value := range after {
		empty := value == "" || value == 0.0 || cmp.Equal(value, []any{})
		if !cmp.Equal(value, before[name]) && (before != nil || !empty) && name != "completed" && name != "created" {
			raw, _ := json.Marshal(value)
			list = append(list, name+"="+strings.Trim(string(raw), `"`))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// One call changes what is meant, and nothing else.
func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, tool, arguments string
		want                  []string
		affects               string
	}{
		{"a new task", "task_createTask", `{"title":"Call Nia","dueDate":"2026-11-25","estimatedMinutes":20}`, []string{
			"create Call Nia: due=2026-11-25 estimatedMinutes=20 id=turn-1 priority=medium provider=convene source=chat " +
				"status=backlog title=Call Nia",
		}, ""},
		{"one that repeats, with a reminder", "task_createTask",
			`{"title":"Stretch","recurrence":"FREQ=WEEKLY","reminder":"2026-11-23T18:00"}`, []string{
				"create Stretch: due=2026-11-23 id=turn-1 priority=medium provider=convene recurrence=FREQ=WEEKLY " +
					"reminder=2026-11-23T18:00:00-08:00 source=chat status=backlog title=Stretch",
			}, ""},
		{"one on another's board", "task_createTask",
			`{"title":"Choose the font","board":"Site","column":"in review","assignee":"Nia"}`, []string{
				"create Choose the font: assignee=nia@example.com board=Site column=In Review id=turn-1 priority=medium " +
					"provider=convene source=chat status=in_progress title=Choose the font",
			}, "Nia Johnson"},
		{"all of somebody's in a column", "task_updateTask",
			`{"selection":{"assignee":"Al","status":"in_progress"},"updates":{"column":"in review"}}`, []string{
				"update Build the page: column=In Review",
			}, "Al Chen"},
		{"overdue ones to another", "task_updateTask",
			`{"selection":{"assignee":"Al","overdue":true},"updates":{"assignee":"Nia"}}`, []string{
				"update Draw the logo: assignee=nia@example.com",
			}, "Al Chen, Nia Johnson"},
		{"a column says the status", "task_updateTask", `{"selection":{"titleHas":["page"]},"updates":{"column":"done"}}`,
			[]string{
				"update Build the page: column=Completed status=completed",
			}, "Al Chen"},
		{"put off", "task_updateTask",
			`{"selection":{"titleHas":["the slides task"]},"updates":{"laterByDays":3}}`, []string{
				"update Send the slides: due=2026-11-30",
			}, ""},
		{"a time of day, on the day that it was", "task_updateTask", `{"taskId":"slides","updates":{"when":"16:30"}}`,
			[]string{"update Send the slides: due=2026-11-27T16:30:00-08:00"}, ""},
		{"a day, for one without", "task_updateTask", `{"taskId":"figures","updates":{"when":"2026-11-25"}}`,
			[]string{"update Collect the figures: due=2026-11-25"}, ""},
		{"a time of day today, for one without", "task_updateTask", `{"taskId":"figures","updates":{"when":"16:30"}}`,
			[]string{"update Collect the figures: due=2026-11-23T16:30:00-08:00"}, ""},
		{"a new day keeps the time of day", "task_updateTask", `{"taskId":"call","updates":{"when":"2026-11-30"}}`,
			[]string{"update Call the bank: reminder=2026-11-30T10:15:00-08:00"}, ""},
		{"put off a reminder", "task_updateTask", `{"taskId":"call","updates":{"laterByDays":1}}`,
			[]string{"update Call the bank: reminder=2026-11-25T10:15:00-08:00"}, ""},
		{"put off one without a day", "task_updateTask", `{"taskId":"figures","updates":{"laterByDays":2}}`,
			[]string{"update Collect the figures: due=2026-11-25"}, ""},
		{"a reminder before an event", "task_createTask",
			`{"title":"Print it","reminderBefore":{"event":"focus","minutes":30}}`, []string{
				"create Print it: id=turn-1 priority=medium provider=convene reminder=2026-11-24T12:30:00-08:00 source=chat " +
					"status=backlog title=Print it",
			}, ""},
		{"no due date", "task_updateTask", `{"taskId":"slides","updates":{"dueDate":""}}`,
			[]string{"update Send the slides: due="}, ""},
		{"completed, on its board too", "task_completeTask", `{"taskId":"logo"}`, []string{
			"update Draw the logo: column=Completed status=completed",
		}, "Al Chen"},
		{"one that comes back", "task_completeTask", `{"selection":{"titleHas":["plants"]}}`, []string{
			"update Water the plants: recurrence= status=completed",
			"create Water the plants: due=2026-12-05 id=turn-2 provider=convene recurrence=FREQ=WEEKLY " +
				"reminder=2026-12-05T09:00:00-08:00 status=backlog title=Water the plants",
		}, ""},
		{"done already", "task_completeTask", `{"taskId":"old"}`, nil, ""},
		{"deleted", "task_deleteTask", `{"selection":{"titleHas":["pay bill"]}}`, []string{"delete Pay the bill: "}, ""},
		{"into a block", "task_assignToTimeBlock", `{"taskIds":["slides"],"blockId":"focus"}`, []string{
			"update Send the slides: blockId=focus status=scheduled",
		}, ""},
		{"out of its block", "task_assignToTimeBlock", `{"taskIds":["figures"],"unassign":true}`, []string{
			"update Collect the figures: blockId= status=backlog",
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			all := append(tasks(), task.Task{
				ID: "call", Title: "Call the bank", Status: task.Backlog, Reminder: "2026-11-24T10:15:00-08:00",
			})
			result, err := call(t, newWorld(backlog{tasks: all}, calendar{focus()}), c.tool, c.arguments)
			if err != nil || result.Response.Error != nil {
				t.Fatalf("%v, %+v", err, result.Response.Error)
			}
			var got, affects []string
			for _, change := range result.Changes {
				got = append(got, string(change.Kind)+" "+change.Title+": "+differences(t, change))
				for _, who := range change.Affects {
					affects = append(affects, who.Name)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if list := strings.Join(affects, ", "); list != c.affects {
				t.Errorf("%q hear of it, want %q", list, c.affects)
			}
		})
	}
}

func TestWhatIsSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, tool, arguments, want string }{
		{"what is near", "task_deleteTask", `{"selection":{"titleHas":["flurb"]}}`,
			"There is no task called flurb. There is Pay the bill"},
		{"near ones of that name", "task_updateTask",
			`{"selection":{"titleHas":["slides"],"assignee":"Al"},"updates":{"priority":"low"}}`,
			"There is Send the slides."},
		{"which one", "task_completeTask", `{"selection":{"titleHas":["the"],"assignee":"Al","one":true}}`,
			"Which task do you mean?"},
		{"a stranger", "task_updateTask", `{"taskId":"slides","updates":{"assignee":"Zoe"}}`, "I know no one called Zoe."},
		{"the fill of a block", "task_completeTask", `{"taskId":"figures"}`, "Focus, tomorrow, 1:00–3:00 PM: 0% filled."},
		{"more than fits", "task_assignToTimeBlock", `{"taskIds":["report"],"blockId":"focus"}`,
			"200% filled. That is more than fits into the block."},
		{"what waits for it", "task_completeTask", `{"taskId":"figures"}`, "1 task waited for it."},
		{"room for what matters", "task_createTask", `{"title":"Sign the lease","priority":"high"}`,
			"There is room for it: today, 9:00–9:30 AM."},
		{"a twin", "task_createTask", `{"title":"pay the bill"}`,
			"There is such a task already: **Pay the bill** (overdue since Friday, November 20"},
		{"a time that has passed", "task_createTask", `{"title":"Call Nia","reminder":"2026-11-23T06:00"}`,
			"That time has passed (today at 6:00 AM), so no reminder comes."},
		{"earlier than no day", "task_updateTask", `{"taskId":"figures","updates":{"laterByDays":-1}}`,
			"Collect the figures has no due date that could be earlier."},
		{"before no event", "task_createTask", `{"title":"Pack","reminderBefore":{"event":"flight","minutes":30}}`,
			"There is no flight in your calendar."},
		{"only when", "task_createTask", `{"title":"an hour before"}`, "I read only when (an hour before)"},
		{"no block", "task_assignToTimeBlock", `{"taskIds":["report"],"blockId":"lunch"}`,
			"Lunch is an event and not a time block."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lunch := meet.Occurrence{UID: "lunch", Title: "Lunch", Span: interval.From(now.Add(4*time.Hour), time.Hour)}
			result, err := call(t, newWorld(backlog{tasks: tasks()}, calendar{focus(), lunch}), c.tool, c.arguments)
			if err != nil {
				t.Fatal(err)
			}
			said := result.Response.Display.Description
			if result.Response.Error != nil {
				said = result.Response.Error.Message
			}
			if !strings.Contains(said, c.want) {
				t.Errorf("said %q, want %q", said, c.want)
			}
		})
	}
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		`task_createTask {"title":" "}`:                                            "title",
		`task_createTask {"title":"A","dueDate":"soon"}`:                           "dueDate",
		`task_createTask {"title":"A","recurrence":"FREQ=WEEKLY","dueDate":"x"}`:   "dueDate",
		`task_updateTask {"taskId":"slides","updates":{}}`:                         "updates",
		`task_updateTask {"updates":{"priority":"low"}}`:                           "selection",
		`task_updateTask {"taskId":"slides","updates":{"title":""}}`:               "updates.title",
		`task_updateTask {"taskId":"slides","updates":{"estimatedMinutes":-5}}`:    "updates.estimatedMinutes",
		`task_updateTask {"taskId":"slides","updates":{"recurrence":"x"}}`:         "",
		`task_viewTasks {"selection":{"dueFrom":"soon"}}`:                          "selection.dueFrom",
		`task_viewTasks {"limit":0}`:                                               "limit",
		`task_viewTasks {"reminded":{"start":"soon","end":"later"}}`:               "reminded.start",
		`task_suggestForDuration {"duration":0}`:                                   "duration",
		`task_assignToTimeBlock {"blockId":"focus"}`:                               "taskIds",
		`task_assignToTimeBlock {"taskIds":["slides"]}`:                            "blockId",
		`task_assignToTimeBlock {"taskIds":["slides"],"blockId":"focus","more":1}`: "",
	} {
		name, body, _ := strings.Cut(arguments, " ")
		_, err := call(t, newWorld(backlog{tasks: tasks()}, calendar{focus()}), name, body)
		wrong, ok := errors.AsType[*tool.ArgumentError](err)
		if want == "" && strings.Contains(arguments, "recurrence") {
			continue // this rule is read by the calendar's code
		}
		if !ok || want != "" && wrong.Field != want {
			t.Errorf("%s: %v, want an error of %q", arguments, err, want)
		}
	}
}

func TestTheBacklog(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ arguments, want string }{
		{`task_viewTasks {}`, "bill logo slides plants page report figures"},
		{`task_viewTasks {"selection":{"order":"due"}}`, "logo bill slides plants page report figures"},
		{`task_viewTasks {"includeCompleted":true,"selection":{"board":"site"}}`, "logo page old"},
		{`task_viewTasks {"selection":{"titleHas":["plan"]}}`, "old"},
		{`task_viewTasks {"limit":2}`, "bill logo"},
		{`task_viewTasks {"reminded":{"start":"2026-11-28","end":"2026-11-29"}}`, "plants"},
		{`task_viewTasks {"reminded":{"start":"2026-11-24","end":"2026-11-25"}}`, ""},
		{`task_viewTasks {"selection":{"status":"completed"},"finished":{"start":"2026-11-01","end":"2026-11-08"}}`, "old"},
		{`task_viewTasks {"selection":{"status":"completed"},"finished":{"start":"2026-11-08","end":"2026-11-09"}}`, ""},
		{`task_viewTasks {"selection":{"dueFrom":"2026-11-27","dueTo":"2026-11-28","order":"due"}}`, "slides plants"},
		{`task_viewTasks {"selection":{"block":"focus"}}`, "figures"},
		{`task_getBacklogWithScores {}`, "bill slides plants report figures"},
		{`task_getBacklogWithScores {"maxDuration":45}`, "bill slides plants"},
		{`task_getBacklogWithScores {"minScore":60}`, "bill"},
	} {
		name, body, _ := strings.Cut(c.arguments, " ")
		result, err := call(t, newWorld(backlog{tasks: tasks()}, nil), name, body)
		var data List
		if err == nil {
			err = json.Unmarshal(result.Response.Data, &data)
		}
		var got []string
		for _, item := range data.Tasks {
			got = append(got, item.ID)
			sum := item.Parts.Priority + item.Parts.Age + item.Parts.Urgency
			if item.Total != sum || item.DueDate != item.Due {
				t.Errorf("%s: a score of %d of %+v, due %s and %s", item.ID, item.Total, item.Parts, item.Due, item.DueDate)
			}
		}
		if ids := strings.Join(got, " "); err != nil || ids != c.want {
			t.Errorf("%s: %q, %v; want %q", c.arguments, ids, err, c.want)
		}
	}
}

// What is blocked, in a block, or another's is not suggested; every strategy is told with its reason.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	result, err := call(t, newWorld(backlog{tasks: tasks()}, calendar{focus()}), "task_suggestForDuration",
		`{"duration":60,"strategy":"quick_wins"}`)
	var data Suggestions
	if err == nil {
		err = json.Unmarshal(result.Response.Data, &data)
	}
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range data.Suggestions {
		line := string(s.Strategy)
		for _, item := range s.Combination {
			line += " " + item.ID
		}
		got = append(got, line)
		if s.Reasoning == "" || s.TotalMinutes > 60 {
			t.Errorf("%s: %d minutes, %q", line, s.TotalMinutes, s.Reasoning)
		}
	}
	want := []string{"quick_wins bill slides"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("suggestions (-want +got):\n%s", diff)
	}
	if !strings.Contains(result.Response.Display.Description, "Overdue: Pay the bill.") {
		t.Errorf("said %q", result.Response.Display.Description)
	}
}

// A task is no longer in a block that is gone or over; if the calendar cannot tell, it is.
func TestATaskWhoseBlockIsGone(t *testing.T) {
	t.Parallel()
	over := focus()
	over.Span = interval.From(now.Add(-5*time.Hour), time.Hour)
	for name, c := range map[string]struct {
		calendar agenda.Base
		want     bool
	}{
		"a block to come": {calendar{focus()}, false}, "one that is over": {calendar{over}, true},
		"none": {calendar{}, true}, "no one knows": {blind{}, false},
	} {
		w := newWorld(backlog{tasks: tasks()}, nil)
		w.Agenda = agenda.NewCopy(c.calendar, me)
		result, err := call(t, w, "task_suggestForDuration", `{"duration":60,"strategy":"best_fit"}`)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(result.Response.Display.Description, "Collect the figures"); got != c.want {
			t.Errorf("%s: suggested %t, want %t", name, got, c.want)
		}
	}
}

// blind is a calendar that cannot be read.
type blind struct{}

func (blind) Events(context.Context, meet.Person, interval.Span) ([]meet.Occurrence, error) {
	return nil, errors.New("unreachable")
}

// What cannot be read is never taken for nothing.
func TestUnreadTasks(t *testing.T) {
	t.Parallel()
	some := newWorld(backlog{tasks: tasks()[:1], broken: true}, nil)
	if result, err := call(t, some, "task_viewTasks", `{}`); err != nil ||
		!strings.Contains(result.Response.Display.Description, "could not be read") {
		t.Errorf("%v, said %q", err, result.Response.Display.Description)
	}
	none := newWorld(backlog{broken: true}, nil)
	if result, err := call(t, none, "task_viewTasks", `{}`); err != nil || result.Response.Error == nil ||
		!result.Response.Error.Recoverable {
		t.Errorf("%v, %+v", err, result.Response.Error)
	}
}

// Every phrase has its words in each language.
func TestWords(t *testing.T) {
	t.Parallel()
	for name := range phrases["en"] {
		for _, language := range []string{"he", "es"} {
			if phrases[language][name] == "" {
				t.Errorf("%s lacks %s", language, name)
			}
		}
	}
}
