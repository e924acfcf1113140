package plan_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"convene/pkg/plan"
)

// tools are a few tools as the assistant has them.
func tools(tb testing.TB) plan.Catalogue {
	tb.Helper()
	selection := `{"type":"object","properties":{"from":{"anyOf":[{"type":"array","items":{"type":"string"}},
		{"type":"null"}]},
		"ids":{"type":"array","items":{"type":"string"}},"with":{"type":"array","items":{"type":"string"}},
		"without":{"type":"array","items":{"type":"string"}}}}`
	of := func(family, gives string, changes bool, properties string) plan.Tool {
		s, err := plan.ReadSchema(json.RawMessage(`{"type":"object","properties":{` + properties + `}}`))
		if err != nil {
			tb.Fatal(err)
		}
		return plan.Tool{Family: family, Gives: gives, Changes: changes, Offered: true, Arguments: s,
			Fits: func(raw []byte) error {
				if strings.Contains(string(raw), "colour") {
					return fmt.Errorf("colour is not known here")
				}
				return nil
			}}
	}
	items := `"items":{"type":"array","items":{"type":"object"}}`
	all := map[string]plan.Tool{
		"find":   of("calendar", "events", false, `"selection":`+selection),
		"delete": of("calendar", "changes", true, `"selection":`+selection),
		"people": of("items", "people", false, items),
		"count":  of("items", "number", false, items),
		"tasks":  of("task", "tasks", false, `"selection":`+selection),
		"done":   of("task", "tasks", true, `"taskId":{"type":"string"},"selection":`+selection),
		"times":  of("calendar", "times", false, `"durationMinutes":{"type":"integer"}`),
		"block": of("schedule", "changes", true,
			`"title":{"type":"string"},"date":{"type":"string"},"startTime":{"type":"string"},"endTime":{"type":"string"}`),
		"write": of("calendar", "changes", true,
			`"people":{"type":"array","items":{"type":"string"}},"text":{"type":"string"}`),
		"confirm": {Family: "system", Arguments: &plan.Schema{}},
	}
	return func(name string) (plan.Tool, bool) {
		tool, ok := all[name]
		return tool, ok
	}
}

func steps(tb testing.TB, text string) plan.Plan {
	tb.Helper()
	var p plan.Plan
	if err := json.Unmarshal([]byte(`{"steps":[`+text+`]}`), &p); err != nil {
		tb.Fatal(err)
	}
	return p
}

const friday = `{"id":"friday","tool":"find","arguments":{"selection":{}}}`

// All that is wrong is told at once, and a plan that is right passes.
func TestCheck(t *testing.T) {
	t.Parallel()
	many := make([]string, 400)
	for i := range many {
		many[i] = fmt.Sprintf(`{"id":"s%d","tool":"find"}`, i)
	}
	for name, c := range map[string]struct {
		steps string
		want  []string
	}{
		"right": {friday + `,{"id":"who","tool":"people","arguments":{"items":{"$from":"friday"}}},
			{"id":"clear","tool":"delete","arguments":{"selection":{"from":{"$from":"friday"}}}},
			{"id":"tell","tool":"write","arguments":{"people":["dana@example.com",{"$from":"who"}],"text":"x"},
				"dependsOn":["clear"],
			 "condition":{"$from":"friday","is":"more than","n":2}}`, nil},
		"a member of an item": {friday + `,{"id":"each","tool":"block","arguments":{"title":{"$item":"title"}},
			"forEach":{"$from":"friday"}}`, nil},
		"the first time": {`{"id":"free","tool":"times"},{"id":"b","tool":"block",
			"arguments":{"date":{"$from":"free"},"startTime":{"$from":"free"},"title":{"$from":"free","member":"start"}}}`, nil},
		"empty":    {"", []string{"this one has 0"}},
		"too long": {strings.Join(many, ","), []string{"this one has 400"}},
		"an unknown tool, and not only": {`{"id":"a","tool":"fly"},{"id":"a","tool":"find"}`, []string{`no tool "fly"`,
			`two steps have the id "a"`}},
		"a tool that no plan may have": {`{"id":"a","tool":"confirm"}`, []string{"not offered"}},
		"an id that is none": {`{"id":"","tool":"find"},{"id":"a b","tool":"find"}`, []string{`the id ""`,
			`the id "a b"`}},
		"references to nothing": {`{"id":"a","tool":"find","dependsOn":["x"],"condition":{"$from":"y","is":"empty"},
			"forEach":{"$from":"z"},"arguments":{"selection":{"from":{"$from":"w"}}}}`, []string{`"x"`, `"y"`, `"z"`, `"w"`}},
		"itself": {`{"id":"a","tool":"find","arguments":{"selection":{"from":{"$from":"a"}}}}`, []string{`refers to "a"`}},
		"tasks, and not events": {friday + `,{"id":"b","tool":"done","arguments":{"selection":{"from":{"$from":"friday"}}}}`,
			[]string{`needs ids of tasks, and "friday" gives events`}},
		"people, and not events": {friday + `,{"id":"b","tool":"write","arguments":{"people":{"$from":"friday"}}}`,
			[]string{`needs people, and "friday" gives events`}},
		"each of a number": {friday + `,{"id":"n","tool":"count","arguments":{"items":{"$from":"friday"}}},
			{"id":"b","tool":"find","forEach":{"$from":"n"}}`, []string{"forEach needs a list"}},
		"an item without a list": {`{"id":"a","tool":"block","arguments":{"title":{"$item":"title"}}}`,
			[]string{"no forEach"}},
		"arguments": {`{"id":"a","tool":"find","arguments":{"colour":1}}`, []string{"colour is not known"}},
		"no condition": {friday + `,{"id":"b","tool":"find","condition":{"$from":"friday","is":"odd","n":-1}}`,
			[]string{`is "odd"`, "is -1"}},
		"retries": {`{"id":"a","tool":"find","retries":9}`, []string{"retries is 9"}},
		"a circle": {`{"id":"a","tool":"find","dependsOn":["c"]},{"id":"b","tool":"find","dependsOn":["a"]},
			{"id":"c","tool":"find","dependsOn":["b"]},{"id":"d","tool":"find"}`, []string{"wait for each other: a, b, c"}},
		"too deep": {`{"id":"a","tool":"find","arguments":` + strings.Repeat(`{"x":`, 50) + "1" + strings.Repeat("}", 51),
			[]string{"nested too deeply"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := plan.Check(steps(t, c.steps), tools(t))
			if (err == nil) != (c.want == nil) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, without %q", err, want)
				}
			}
		})
	}
}

// random is a plan of steps that need earlier ones, listed in any order.
func random(tb testing.TB, r *rand.Rand) plan.Plan {
	tb.Helper()
	n := 1 + r.IntN(plan.MostSteps)
	var p plan.Plan
	for i := range n {
		s := plan.Step{ID: fmt.Sprintf("s%d", i), Tool: []string{"find", "delete"}[r.IntN(2)],
			Arguments: json.RawMessage("{}")}
		for j := range i {
			switch r.IntN(3 * n) {
			case 0:
				s.DependsOn = append(s.DependsOn, p.Steps[j].ID)
			case 1:
				s.Condition = &plan.Condition{From: p.Steps[j].ID, Is: []plan.Is{plan.Empty, plan.NotEmpty}[r.IntN(2)]}
			case 2:
				s.Arguments = json.RawMessage(`{"selection":{"from":{"$from":"` + p.Steps[j].ID + `"}}}`)
			}
		}
		p.Steps = append(p.Steps, s)
	}
	r.Shuffle(n, func(i, j int) { p.Steps[i], p.Steps[j] = p.Steps[j], p.Steps[i] })
	if err := plan.Check(p, tools(tb)); err != nil {
		tb.Fatal(err)
	}
	return p
}

// Every step runs after what it needs, at most once, and none that needs a failed one; all others have run in the end,
// also if the state is kept and read between.
func TestStepsRunInOrder(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := random(t, r)
		state, ran, failed := plan.NewState(p, tools(t)), map[string]bool{}, map[string]bool{}
		for {
			ready := state.Ready()
			if len(ready) == 0 {
				break
			}
			for _, i := range ready {
				s := p.Steps[i]
				if s.Tool == "delete" && len(ready) > 1 {
					t.Fatalf("seed %d: %s changes something beside other steps", seed, s.ID)
				}
				if ran[s.ID] {
					t.Fatalf("seed %d: %s runs twice", seed, s.ID)
				}
				ran[s.ID] = true
				for _, id := range s.Needs() {
					at := slices.IndexFunc(p.Steps, func(o plan.Step) bool { return o.ID == id })
					if is := state.Steps[at].Status; is != plan.Completed && is != plan.Skipped {
						t.Fatalf("seed %d: %s runs though %s is %s", seed, s.ID, id, is)
					}
				}
			}
			for _, i := range ready {
				state.Steps[i] = plan.Outcome{Status: plan.Completed, Gave: json.RawMessage(`{"events":[]}`)}
				if r.IntN(10) == 0 {
					state.Steps[i] = plan.Outcome{Status: plan.Failed}
					failed[p.Steps[i].ID] = true
				}
			}
			if r.IntN(4) == 0 {
				state = kept(t, state)
			}
		}
		for i, s := range p.Steps {
			bad := slices.ContainsFunc(state.Before(i), func(j int) bool { return failed[p.Steps[j].ID] })
			switch is := state.Steps[i].Status; {
			case bad && is == plan.Skipped: // the condition was false before the failed step mattered
			case bad != (is == plan.Blocked) && !failed[s.ID]:
				t.Fatalf("seed %d: %s is %s, and something before it has failed: %v", seed, s.ID, is, bad)
			case is == plan.Pending || is == plan.Ready:
				t.Fatalf("seed %d: %s never ended", seed, s.ID)
			}
		}
	}
}

// kept is a state as another process reads it.
func kept(t *testing.T, s *plan.State) *plan.State {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var again plan.State
	if err := json.Unmarshal(raw, &again); err != nil {
		t.Fatal(err)
	}
	again.Continue(tools(t))
	return &again
}

// Reads run side by side; what is listed after a change waits for it, and a waiting step stops the rest.
func TestReadySteps(t *testing.T) {
	t.Parallel()
	state := plan.NewState(steps(t, `{"id":"a","tool":"find"},{"id":"b","tool":"find"},{"id":"c","tool":"delete"},
		{"id":"d","tool":"find"},{"id":"e","tool":"find","dependsOn":["a"]}`), tools(t))
	end := func(status plan.Status, indices ...int) {
		for _, i := range indices {
			state.Steps[i].Status = status
		}
	}
	for i, want := range [][]int{{0, 1}, {2}, {3, 4}, nil} {
		got := state.Ready()
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: %v, want %v", i, got, want)
		}
		end(plan.Completed, got...)
	}
	end(plan.Waiting, 1)
	end(plan.Pending, 2)
	if got := state.Ready(); got != nil {
		t.Errorf("%v run while a step waits", got)
	}
	if i, waits := state.Waits(); i != 1 || !waits {
		t.Errorf("step %d waits: %v", i, waits)
	}
}

// A condition about something that could not all be read does not hold, and neither does its opposite.
func TestAConditionOfWhatIsUnread(t *testing.T) {
	t.Parallel()
	for _, gave := range []string{`{"events":[{}],"unread":true}`, `{"times":[{}],"unknown":["Al"]}`} {
		for _, is := range []plan.Is{plan.Empty, plan.NotEmpty, plan.MoreThan} {
			state := plan.NewState(steps(t, friday+`,{"id":"b","tool":"find","condition":{"$from":"friday","is":"`+
				string(is)+`"}}`), tools(t))
			state.Steps[0] = plan.Outcome{Status: plan.Completed, Gave: json.RawMessage(gave)}
			if ready := state.Ready(); ready != nil || state.Steps[1].Status != plan.Blocked {
				t.Errorf("%s, %s: the step is %s, and %v are ready", gave, is, state.Steps[1].Status, ready)
			}
		}
	}
}

// What a reference stands for depends on the argument, and nothing never means everything.
func TestBind(t *testing.T) {
	t.Parallel()
	events := `{"events":[{"id":"1","title":"A"},{"id":"2","title":"B"}],"count":1}`
	times := `{"times":[{"start":"2026-11-27T09:30:00+02:00","end":"2026-11-27T10:00:00+02:00"},{"start":"x","end":"y"}]}`
	for name, c := range map[string]struct{ tool, arguments, from, gave, want string }{
		"ids": {"delete", `{"selection":{"from":{"$from":"a"},"with":["x"]}}`, "find", events,
			`{"selection":{"from":["1","2"],"with":["x"]}}`},
		"ids and more": {"delete", `{"selection":{"ids":["0",{"$from":"a"}]}}`, "find", events,
			`{"selection":{"ids":["0","1","2"]}}`},
		"items": {"people", `{"items":{"$from":"a"}}`, "find", events,
			`{"items":[{"id":"1","title":"A"},{"id":"2","title":"B"}]}`},
		"no items": {"people", `{"items":{"$from":"a"}}`, "find", `{"events":[]}`, `{"items":[]}`},
		"people": {"write", `{"people":{"$from":"a"}}`, "people", `{"people":["x@y.z","x@y.z"],"events":[1,2]}`,
			`{"people":["x@y.z"]}`},
		"contacts": {"write", `{"people":{"$from":"a"}}`, "people",
			`{"contacts":[{"name":"X","email":"x@y.z"},{"name":"Y"}]}`, `{"people":["x@y.z","Y"]}`},
		"a time": {"block",
			`{"date":{"$from":"a"},"startTime":{"$from":"a"},"endTime":{"$from":"a"},"title":{"$from":"a","member":"end"}}`,
			"times", times,
			`{"date":"2026-11-27","endTime":"10:00","startTime":"09:30","title":"2026-11-27T10:00:00+02:00"}`},
		"a number":        {"times", `{"durationMinutes":{"$from":"a"}}`, "find", events, `{"durationMinutes":1}`},
		"one id":          {"done", `{"taskId":{"$from":"a"}}`, "tasks", `{"tasks":[{"id":"t"}]}`, `{"taskId":"t"}`},
		"one id of two":   {"done", `{"taskId":{"$from":"a"}}`, "tasks", `{"tasks":[{"id":"t"},{"id":"u"}]}`, "there are 2"},
		"no ids":          {"delete", `{"selection":{"ids":{"$from":"a"}}}`, "find", `{"events":[]}`, "gave nothing"},
		"nothing skipped": {"delete", `{"selection":{"from":{"$from":"a"}}}`, "find", ``, "gave nothing"},
		"with nobody":     {"find", `{"selection":{"with":{"$from":"a"}}}`, "people", `{"people":[]}`, "gave nothing"},
		"without nobody": {"find", `{"selection":{"without":{"$from":"a"}}}`, "people", `{"people":[]}`,
			`{"selection":{"without":[]}}`},
		"no first of none": {"block", `{"startTime":{"$from":"a"}}`, "times", `{"times":[]}`, "gave nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := steps(t, `{"id":"a","tool":"`+c.from+`"},{"id":"b","tool":"`+c.tool+`","arguments":`+c.arguments+`}`)
			if err := plan.Check(p, tools(t)); err != nil {
				t.Fatal(err)
			}
			state := plan.NewState(p, tools(t))
			state.Steps[0] = plan.Outcome{Status: plan.Completed, Gave: json.RawMessage(c.gave)}
			tool, _ := tools(t)(c.tool)
			got, err := state.Bind(1, tool, nil)
			if err != nil {
				got = []byte(err.Error())
			}
			if string(got) != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// The member of an item stands for itself, also if the item is a text.
func TestBindItem(t *testing.T) {
	t.Parallel()
	p := steps(t, friday+`,{"id":"b","tool":"block","arguments":{"title":{"$item":"title"}},"forEach":{"$from":"friday"}}`)
	state := plan.NewState(p, tools(t))
	block, _ := tools(t)("block")
	for item, want := range map[string]string{`{"title":"A"}`: `{"title":"A"}`, `"x"`: `{"title":"x"}`} {
		if got, err := state.Bind(1, block, json.RawMessage(item)); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", item, got, err, want)
		}
	}
	if _, err := state.Bind(1, block, json.RawMessage(`{"id":"1"}`)); err == nil {
		t.Error("a member that the item lacks: no error")
	}
}

// The results of a step for several items are one.
func TestJoin(t *testing.T) {
	t.Parallel()
	got := plan.Join([]json.RawMessage{[]byte(`{"events":[1],"count":1}`), []byte(`{"events":[2,3]}`), nil,
		[]byte(`{"task":{"id":"t"}}`)})
	if want := `{"events":[1,2,3],"tasks":[{"id":"t"}]}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Nothing that a plan can hold makes the check panic.
func FuzzCheck(f *testing.F) {
	f.Add(friday)
	f.Add(`{"id":"a","tool":"write","arguments":{"people":[{"$from":"a","member":1},{"$item":2}]},"forEach":{"$from":""}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var p plan.Plan
		if json.Unmarshal([]byte(`{"steps":[`+text+`]}`), &p) != nil {
			return
		}
		if plan.Check(p, tools(t)) == nil {
			state := plan.NewState(p, tools(t))
			for _, i := range state.Ready() {
				tool, _ := tools(t)(p.Steps[i].Tool)
				_, _ = state.Bind(i, tool, nil)
			}
		}
	})
}
