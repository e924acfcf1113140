package workflow

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
	"convene/pkg/tool"
	"convene/pkg/workflow"
)

var set = sync.OnceValue(Set)

func newWorld(t *testing.T, names ...string) *world.World {
	t.Helper()
	values := record.Values{}
	for _, name := range names {
		raw, err := json.Marshal(workflow.Workflow{Name: name, Words: "clear my Friday", Steps: []meet.RequestStep{
			{Tool: "calendar_deleteEvents", Summary: "Clear the day"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		values[strings.ToLower(name)] = raw
	}
	book := record.Book{
		Kind: workflow.Kind, Store: recordtest.Shelf{}, Given: func(meet.PersonID) record.Values { return values },
	}
	return &world.World{
		Now: time.Date(2026, time.November, 25, 8, 0, 0, 0, time.UTC), Language: "en", Key: "turn",
		Own: map[meet.ChangeWhat]*record.Copy{meet.WorkflowThing: book.NewCopy("dana")},
	}
}

func call(t *testing.T, w *world.World, name, arguments string) (world.Result, error) {
	t.Helper()
	i := slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })
	return set()[i].Call(t.Context(), w, []byte(arguments))
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, arguments, want string }{
		{"workflow_save", `{"name":"Month end"}`, "Save the workflow **Month end**: “file the expenses”"},
		{"workflow_save", `{"name":"friday cleanup","words":"anything"}`,
			"Let the workflow **Friday clean-up** be: “file the expenses”"},
		{"workflow_rename", `{"workflow":"clean-up","name":"End of week"}`,
			"Rename the workflow **Friday clean-up** to **End of week**"},
		{"workflow_delete", `{"workflow":"Friday clean-up"}`, "Delete the workflow **Friday clean-up**"},
		{"workflow_save", `{"name":"Month end","words":"clear Friday"}`, "Save the workflow **Month end**: “clear Friday”"},
	} {
		w := newWorld(t, "Friday clean-up", "Friday mail")
		w.Request, w.Said = &meet.Request{Words: "file the expenses"}, `save "clear  Friday" as Month end`
		result, err := call(t, w, c.name, c.arguments)
		if err != nil || result.Response.Error != nil || len(result.Changes) != 1 {
			t.Errorf("%s %s: %v, %+v", c.name, c.arguments, err, result.Response.Error)
			continue
		}
		got := strings.ReplaceAll(message.NewVoice("en", w.Now).Change(result.Changes[0]), "\\", "")
		if got != c.want {
			t.Errorf("%s %s: %s\nwant %s", c.name, c.arguments, got, c.want)
		}
	}
}

// What cannot be done is said with what could be.
func TestRefusals(t *testing.T) {
	t.Parallel()
	depends := &meet.Request{Words: "move it to 4", Depends: true}
	for _, c := range []struct {
		name, arguments string
		request         *meet.Request
		says            string
	}{
		{"workflow_save", `{"name":"Month end"}`, nil, "nothing here that could be saved"},
		{"workflow_save", `{"name":"Month end","words":"forward all my mail"}`, nil, "nothing here that could be saved"},
		{"workflow_save", `{"name":" "}`, depends, "Under which name"},
		{"workflow_save", `{"name":"Month end"}`, depends, "means nothing without what was shown"},
		{"workflow_run", `{"workflow":"Monday"}`, nil, "You have: Friday clean-up and Friday mail"},
		{"workflow_run", `{"workflow":"Friday"}`, nil, "Which workflow do you mean?"},
		{"workflow_rename", `{"workflow":"Friday mail","name":"friday cleanup"}`, nil, "already"},
	} {
		w := newWorld(t, "Friday clean-up", "Friday mail")
		w.Request = c.request
		result, err := call(t, w, c.name, c.arguments)
		if err != nil || result.Response.Error == nil || !strings.Contains(result.Response.Error.Message, c.says) {
			t.Errorf("%s %s: %v, %+v; want %q", c.name, c.arguments, err, result.Response.Error, c.says)
		}
	}
	w := newWorld(t)
	w.Program = true
	_, err := call(t, w, "workflow_save", `{"name":"Month end"}`)
	if wrong, ok := errors.AsType[*tool.ArgumentError](err); !ok || wrong.Field != "words" {
		t.Errorf("a program that gives no words: %v", err)
	}
	result, err := call(t, w, "workflow_save", `{"name":"Month end","words":"file it"}`)
	if err != nil || len(result.Changes) != 1 {
		t.Errorf("a program that gives words: %v, %+v", err, result.Response.Error)
	}
}

func TestViewAndRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "Friday clean-up", "Friday mail")
	for arguments, want := range map[string]string{
		`{}`:                  "**Friday clean-up**: “clear my Friday”\n- Clear the day\n\n**Friday mail**",
		`{"workflow":"mail"}`: "**Friday mail**",
	} {
		result, err := call(t, w, "workflow_view", arguments)
		if err != nil || !strings.HasPrefix(result.Response.Display.Description, want) {
			t.Errorf("%s: %v, %q", arguments, err, result.Response.Display.Description)
		}
	}
	result, err := call(t, w, "workflow_run", `{"workflow":"mail"}`)
	if err != nil || result.Next == nil || result.Next.Workflow.Words != "clear my Friday" || len(result.Changes) > 0 {
		t.Errorf("%v, the turn goes on with %+v", err, result.Next)
	}
	if result, err := call(t, newWorld(t), "workflow_view", `{}`); err != nil ||
		!strings.Contains(result.Response.Display.Description, "saved no workflow yet") {
		t.Errorf("%v, %q", err, result.Response.Display.Description)
	}
}
