package stages

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"convene/functions"
	"convene/pkg/ground"
	"convene/pkg/meet"
)

// What is named goes before a look at other things, and before a new thing of which less is said.
func TestAPlanOfTheRulesYields(t *testing.T) {
	t.Parallel()
	tools, err := functions.NewToolbox(functions.Tools())
	if err != nil {
		t.Fatal(err)
	}
	w := worker{planner: planner{tools: tools}}
	for _, c := range []struct {
		ruled, tool, named, arguments string
		want                          bool
	}{
		{"calendar_findEvents", "task_viewTasks", `{}`, `{"selection":{"priority":"high"}}`, true},
		{"task_viewTasks", "task_viewTasks", `{}`, `{"selection":{"priority":"high"}}`, false},
		{"task_createTask", "task_createTask", `{"title":"noa: call","tags":[],"assignee":null}`,
			`{"title":"call","assignee":"Noa"}`, true},
		{"task_updateTask", "task_updateTask", `{"selection":{"titleHas":["visa"],"one":true},"updates":{"due":"x"}}`,
			`{"selection":{"ids":["1"]},"updates":{"due":"x","priority":"high"}}`, true},
		{"task_createTask", "task_createTask", `{"title":"call","dueDate":"2026-11-27"}`, `{"title":"call"}`, false},
		{"calendar_deleteEvents", "calendar_suggestLighter", `{"selection":{"all":true}}`, `{"date":"2026-11-27"}`, true},
		{"calendar_moveEvents", "calendar_updateEvents", `{"to":{"byMinutes":30}}`, `{"set":{"durationMinutes":30}}`, true},
		{"calendar_suggestLighter", "calendar_deleteEvents", `{"date":"2026-11-27"}`, `{"selection":{"ids":["1"]}}`, false},
	} {
		plan := planned{Call: &meet.PlannedCall{Tool: c.ruled, Arguments: json.RawMessage(c.named)}}
		g := grounded{Reading: ground.Reading{
			Tool: c.tool, Arguments: json.RawMessage(c.arguments), Probability: 0.9, Plain: true,
		}}
		if got := w.yields(plan, g); got != c.want {
			t.Errorf("%s %s yields to %s %s: %t", c.ruled, c.named, c.tool, c.arguments, got)
		}
	}
}

// What the message does not want done so is done if the call says what stays.
func TestWhatIsForbidden(t *testing.T) {
	t.Parallel()
	tools, err := functions.NewToolbox(functions.Tools())
	if err != nil {
		t.Fatal(err)
	}
	w := worker{planner: planner{tools: tools}}
	for arguments, want := range map[string]bool{
		`{"selection":{"except":[]},"to":{"timeOfDay":{"start":"08:00","end":"12:00"},"avoid":[]}}`:             true,
		`{"selection":{"except":[{"weekdays":["monday"]}]},"to":{"date":"2026-11-27","window":null}}`:           true,
		`{"selection":{"except":[{"weekdays":["monday"]}]},"to":{"timeOfDay":{"start":"08:00","end":"12:00"}}}`: false,
		`{"selection":{},"to":{"window":{"start":"2026-11-27","end":"2026-11-30"},"avoid":["gym"]}}`:            false,
	} {
		plan := planned{Call: &meet.PlannedCall{Tool: "calendar_moveEvents", Arguments: json.RawMessage(arguments)}}
		if got := w.forbids(plan, grounded{Reading: ground.Reading{Denied: true}}); got != want {
			t.Errorf("%s is forbidden: %t", arguments, got)
		}
	}
}

// Of one list that was shown, "the second one" is an item.
func TestItemsOfAListAreShown(t *testing.T) {
	t.Parallel()
	for data, want := range map[string][]string{
		`{"lists":[{"id":"s","items":[{"id":"a"},{"id":"b"}]}]}`: {"a", "b"},
		`{"lists":[{"id":"s","items":[{"id":"a"}]},{"id":"t"}]}`: nil,
		`{"tasks":[{"id":"1"}]}`:                                 {"1"},
	} {
		if got := shownIn(json.RawMessage(data)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
}

// A weekday alone may be the one of this week or of the event's, which is asked.
func TestAWeekdayOfAnotherWeek(t *testing.T) {
	t.Parallel()
	const tuesday = `{"start":"2026-12-08T15:30:00Z"}`
	for _, c := range []struct {
		language, text, to string
		want               bool
	}{
		{"en", "move the dentist to wednesday", `{"start":"2026-12-02T15:30:00Z"}`, true},
		{"es", "mueve el dentista al miércoles", `{"start":"2026-12-02T15:30:00Z"}`, true},
		{"he", "תזיז את רופא השיניים ליום רביעי", `{"start":"2026-12-02T15:30:00Z"}`, true},
		{"en", "move the dentist to wednesday", `{"start":"2026-12-09T15:30:00Z"}`, false},
		{"en", "move the dentist to friday", `{"start":"2026-12-11T15:30:00Z"}`, false},
		{"en", "move the dentist to tomorrow", `{"start":"2026-12-02T15:30:00Z"}`, false},
		{"en", "move the dentist to december 2", `{"start":"2026-12-02T15:30:00Z"}`, false},
	} {
		one := stored{Change: meet.Change{Before: json.RawMessage(tuesday), After: json.RawMessage(c.to)}}
		now := time.Date(2026, time.December, 1, 8, 0, 0, 0, time.UTC)
		if got := leavesWeek([]stored{one}, ground.Message{Text: c.text, Language: c.language, Now: now}); got != c.want {
			t.Errorf("%q to %s: %t", c.text, c.to, got)
		}
	}
}
