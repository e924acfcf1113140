package system

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
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/tool"
	"convene/pkg/workflow"
)

var set = sync.OnceValue(Set)

var now = time.Date(2026, time.November, 25, 8, 0, 0, 0, time.UTC)

// desk of one set. Things have changed meanwhile if fresh is set.
type oneSet struct {
	set     meet.ChangeSet
	applied *meet.Applied
	fresh   *meet.ChangeSet
	deeds   []string
}

func (d *oneSet) Get(_ context.Context, id meet.ChangesID) (meet.ChangeSet, *meet.Applied, error) {
	if id != d.set.ID {
		return meet.ChangeSet{}, nil, fault.New(fault.NotFound, "There is no such change.")
	}
	return d.set, d.applied, nil
}

func (d *oneSet) Confirm(
	_ context.Context, id meet.ChangesID, digest string, only []string,
) (meet.Applied, *meet.ChangeSet, error) {
	switch {
	case id != d.set.ID:
		return meet.Applied{}, nil, fault.New(fault.NotFound, "There is no such change.")
	case digest != d.set.Digest:
		return meet.Applied{}, nil, fault.New("digest_mismatch", "This is not what was shown.")
	case d.fresh != nil:
		return meet.Applied{}, d.fresh, fault.New("changed", "It has changed meanwhile.")
	}
	d.deeds = append(d.deeds, "confirm "+strings.Join(only, ","))
	until := now.Add(time.Hour)
	d.set.Status = meet.ChangesApplied
	d.applied = &meet.Applied{ChangesID: id, Outcome: meet.AllApplied, UndoUntil: &until}
	return *d.applied, nil, nil
}

func (d *oneSet) Cancel(_ context.Context, _ meet.ChangesID, reason string) (meet.ChangeSet, error) {
	d.deeds, d.set.Status = append(d.deeds, "cancel "+reason), meet.ChangesCancelled
	return d.set, nil
}

func (d *oneSet) Undo(_ context.Context, id meet.ChangesID) (meet.Applied, error) {
	d.deeds, d.set.Status = append(d.deeds, "undo"), meet.ChangesUndone
	return meet.Applied{ChangesID: id, Outcome: meet.AllApplied}, nil
}

func newDesk() *oneSet {
	change := func(id string, dependsOn ...string) meet.Change {
		return meet.Change{ID: id, Title: "Change " + id, DependsOn: dependsOn, Deed: json.RawMessage(`{"key":"` + id + `"}`)}
	}
	return &oneSet{set: meet.ChangeSet{ID: "ch_1", Digest: "sha256:1", Status: meet.ChangesPending, Changes: []meet.Change{
		change("1"), change("2", "1"), change("3"),
	}}}
}

func call(t *testing.T, w *world.World, name, arguments string) (world.Result, error) {
	t.Helper()
	i := slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return set()[i].Call(t.Context(), w, []byte(arguments))
}

// on runs a tool that must succeed over a desk.
func on(t *testing.T, d *oneSet, name, arguments string) (Proposal, world.Result) {
	t.Helper()
	result, err := call(t, &world.World{Now: now, Language: "en", Desk: d}, name, arguments)
	if err != nil || result.Response.Error != nil {
		t.Fatalf("%s %s: %v, %+v", name, arguments, err, result.Response.Error)
	}
	var data Proposal
	if err := json.Unmarshal(result.Response.Data, &data); err != nil {
		t.Fatal(err)
	}
	if result.Response.Display.Title == "" {
		t.Errorf("%s has no title", name)
	}
	return data, result
}

// No model is offered a tool that confirms, or decides about what waits.
func TestNoToolOfTheFamilyIsForModels(t *testing.T) {
	t.Parallel()
	for _, of := range set() {
		if !of.Bare {
			t.Errorf("%s may be offered to models", of.Name())
		}
	}
}

func TestAProposalIsShownWithWhatConfirmsIt(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"system_presentProposal", "system_awaitConfirmation"} {
		data, result := on(t, newDesk(), name, `{"id":"ch_1"}`)
		ui := result.Response.UI
		if data.Changes.Digest != "sha256:1" || len(data.Changes.Changes) != 3 || !ui.ConfirmationRequired ||
			ui.ConfirmationID != "ch_1" || len(ui.Suggestions) != 2 {
			t.Errorf("%s: %+v, %+v", name, data, ui)
		}
	}
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	d := newDesk()
	data, result := on(t, d, "system_confirmProposal", `{"id":"ch_1","digest":"sha256:1","only":["1","3"]}`)
	if !cmp.Equal(d.deeds, []string{"confirm 1,3"}) || data.Applied == nil || data.Changes.Status != meet.ChangesApplied {
		t.Errorf("%v, %+v", d.deeds, data)
	}
	if ui := result.Response.UI; ui.ConfirmationRequired || !cmp.Equal(ui.Suggestions, []string{"Undo"}) {
		t.Errorf("%+v", ui)
	}
	on(t, newDesk(), "system_confirmProposal", `{"id":"ch_1","digest":"sha256:1"}`)
}

// Whatever is not what was shown is refused with its own code, and nothing is done.
func TestARefusedConfirmationSaysWhy(t *testing.T) {
	t.Parallel()
	changed := newDesk()
	changed.fresh = &meet.ChangeSet{ID: "ch_2", Digest: "sha256:2"}
	for arguments, c := range map[string]struct {
		desk *oneSet
		code string
	}{
		`{"id":"ch_1","digest":"sha256:0"}`: {newDesk(), "digest_mismatch"},
		`{"id":"ch_9","digest":"sha256:1"}`: {newDesk(), "not_found"},
		`{"id":"ch_1","digest":"sha256:1"}`: {changed, "changed"},
	} {
		result, err := call(t, &world.World{Now: now, Desk: c.desk}, "system_confirmProposal", arguments)
		if err != nil || result.Response.Error == nil || result.Response.Error.Code != c.code || len(c.desk.deeds) != 0 {
			t.Errorf("%s: %v, %+v, %v; want %s", arguments, err, result.Response.Error, c.desk.deeds, c.code)
		}
		if c.code == "changed" {
			var fresh meet.ChangeSet
			if err := json.Unmarshal(result.Response.Error.Details, &fresh); err != nil || fresh.ID != "ch_2" {
				t.Errorf("the fresh set is %s", result.Response.Error.Details)
			}
		}
	}
}

func TestCancelAndUndo(t *testing.T) {
	t.Parallel()
	d := newDesk()
	data, _ := on(t, d, "system_cancelProposal", `{"id":"ch_1","reason":"too early"}`)
	if data.Changes.Status != meet.ChangesCancelled || !cmp.Equal(d.deeds, []string{"cancel too early"}) {
		t.Errorf("%+v, %v", data, d.deeds)
	}
	d = newDesk()
	data, result := on(t, d, "system_undo", `{"id":"ch_1"}`)
	if data.Applied == nil || !cmp.Equal(d.deeds, []string{"undo"}) || result.Response.Display.Title != "Undone" {
		t.Errorf("%+v, %v", data, d.deeds)
	}
}

// What is left is proposed anew, with its deeds, in place of the old set; what depends on a change goes with it.
func TestModifyLeavesOut(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string][]string{
		`{"id":"ch_1","without":["3"]}`: {"1", "2"}, `{"id":"ch_1","without":["1"]}`: {"3"},
	} {
		d := newDesk()
		_, result := on(t, d, "system_modifyProposal", arguments)
		var left []string
		for _, c := range result.Changes {
			left = append(left, c.ID)
			if c.Deed == nil {
				t.Errorf("%s: change %s has lost its deed", arguments, c.ID)
			}
		}
		if !cmp.Equal(left, want) || result.Replaces != "ch_1" || len(d.deeds) != 0 || len(d.set.Changes) != 3 {
			t.Errorf("%s: %v left, replaces %q, %v", arguments, left, result.Replaces, d.deeds)
		}
	}
}

func TestWhatDoesNotWaitCannotBeModified(t *testing.T) {
	t.Parallel()
	d := newDesk()
	d.set.Status = meet.ChangesExpired
	for _, name := range []string{"system_modifyProposal", "system_awaitConfirmation"} {
		arguments := `{"id":"ch_1"}`
		if name == "system_modifyProposal" {
			arguments = `{"id":"ch_1","without":["1"]}`
		}
		result, err := call(t, &world.World{Now: now, Desk: d}, name, arguments)
		if err != nil || result.Response.Error == nil || result.Response.Error.Message != "Expired" {
			t.Errorf("%s: %v, %+v", name, err, result.Response.Error)
		}
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	w := &world.World{Now: now, Language: "en"}
	result, err := call(t, w, "system_presentChoices",
		`{"question":"Which Sam?","options":[{"label":"Sam Rivera","detail":"design"},{"id":"b","label":"Sam Lee"}]}`)
	want := &meet.Choices{Question: "Which Sam?", Free: true, Options: []meet.Option{
		{ID: "1", Label: "Sam Rivera", Detail: "design"}, {ID: "b", Label: "Sam Lee"},
	}}
	if diff := cmp.Diff(want, result.Choices); err != nil || diff != "" || result.Response.Error != nil {
		t.Errorf("%v, %+v (-want +got):\n%s", err, result.Response.Error, diff)
	}
	result, err = call(t, w, "system_askFor", `{"question":"Until when?"}`)
	if c := result.Choices; err != nil || c == nil || c.Question != "Until when?" || len(c.Options) != 0 {
		t.Errorf("%v, %+v", err, c)
	}
}

func TestClearContext(t *testing.T) {
	t.Parallel()
	cleared := 0
	w := &world.World{Now: now, Language: "en", Clear: func(context.Context) error { cleared++; return nil }}
	result, err := call(t, w, "system_clearContext", `{}`)
	if err != nil || result.Response.Error != nil || cleared != 1 {
		t.Errorf("%v, %+v, cleared %d times", err, result.Response.Error, cleared)
	}
}

// What is not there says so in words, in the owner's language; it is no empty success.
func TestWhatIsNotThereSaysSo(t *testing.T) {
	t.Parallel()
	for name, arguments := range map[string]string{
		"system_showWorkflowHistory": `{}`, "system_resumeWorkflow": `{"workflowId":"w"}`,
		"system_provideFeedback": `{"type":"proposal","feedback":"too early"}`, "system_showPatterns": `{}`,
		"system_clearContext": `{}`, "system_confirmProposal": `{"id":"ch_1","digest":"sha256:1"}`,
		"system_undo": `{"id":"ch_1"}`, "system_cancelProposal": `{"id":"ch_1"}`,
		"system_presentProposal": `{"id":"ch_1"}`,
	} {
		said := map[string]bool{}
		for _, language := range []string{"en", "he", "es"} {
			result, err := call(t, &world.World{Now: now, Language: language}, name, arguments)
			if err != nil || result.Response.Error == nil || result.Response.Error.Code != "unavailable" {
				t.Fatalf("%s: %v, %+v", name, err, result.Response.Error)
			}
			said[result.Response.Error.Message] = true
		}
		if len(said) != 3 || said[""] {
			t.Errorf("%s says %v", name, said)
		}
	}
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, arguments, field string }{
		{"system_confirmProposal", `{"id":"ch_1","digest":"sha256:1","only":[]}`, "only"},
		{"system_modifyProposal", `{"id":"ch_1","without":[]}`, "without"},
		{"system_modifyProposal", `{"id":"ch_1","without":["9"]}`, "without"},
		{"system_modifyProposal", `{"id":"ch_1","without":["1","3"]}`, "without"},
		{"system_presentChoices", `{"question":"Which?","options":[{"label":"A"}]}`, "options"},
		{"system_presentChoices", `{"question":"Which?","options":[{"label":"A"},{"label":""}]}`, "options[1]"},
		{"system_presentChoices", `{"question":" ","options":[{"label":"A"},{"label":"B"}]}`, "question"},
		{"system_askFor", `{"question":""}`, "question"},
		{"system_confirmProposal", `{"id":"ch_1"}`, ""},
	} {
		_, err := call(t, &world.World{Now: now, Desk: newDesk()}, c.name, c.arguments)
		if wrong, ok := errors.AsType[*tool.ArgumentError](err); !ok || wrong.Field != c.field {
			t.Errorf("%s %s: %v, want one that names %q", c.name, c.arguments, err, c.field)
		}
	}
}

// past are runs, the newest first.
type past []workflow.Run

func (p past) Runs(_ context.Context, most int) ([]workflow.Run, error) {
	return p[:min(most, len(p))], nil
}

func (p past) Run(_ context.Context, id string) (workflow.Run, error) { return p[0], nil }

func aPast() past {
	asked := &meet.Choices{ID: "q_1", Question: "Which Sam?", Options: []meet.Option{}}
	return past{
		{ID: "pl_3", Words: "write to Sam", Status: workflow.Waiting, Question: asked, Started: now},
		{ID: "pl_2", Words: "clear Friday", Workflow: "Clean-up", Status: workflow.Completed, Started: now.AddDate(0, 0, -1)},
		{ID: "pl_1", Words: "file it", Workflow: "Filing", Status: workflow.Lapsed, Started: now.AddDate(0, 0, -2)},
	}
}

func TestRuns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, arguments, says, next string }{
		{"system_showWorkflowHistory", `{}`, "“write to Sam”: waits for your answer. Which Sam?", ""},
		{"system_showWorkflowHistory", `{"type":"cleanup"}`, "- yesterday at 8:00 AM: **Clean-up**", ""},
		{"system_showWorkflowHistory", `{"type":"Nothing"}`, "Nothing has run yet", ""},
		{"system_resumeWorkflow", `{}`, "Which Sam?", "pl_3"},
		{"system_resumeWorkflow", `{"workflowId":"filing"}`, "has lapsed", "pl_1"},
		{"system_resumeWorkflow", `{"workflowId":"pl_2"}`, "done", ""},
	} {
		w := &world.World{Now: now, Language: "en", Runs: aPast()}
		result, err := call(t, w, c.name, c.arguments)
		if err != nil || !strings.Contains(result.Response.Display.Description, c.says) {
			t.Errorf("%s %s: %v, %q", c.name, c.arguments, err, result.Response.Display.Description)
		}
		if got := result.Next; (got == nil) != (c.next == "") || got != nil && got.Run.ID != c.next {
			t.Errorf("%s %s goes on with %+v", c.name, c.arguments, got)
		}
	}
	w := &world.World{Now: now, Language: "en", Runs: past{}}
	if result, err := call(t, w, "system_resumeWorkflow", `{}`); err != nil || result.Response.Error == nil {
		t.Errorf("%v, nothing waits: %+v", err, result.Response)
	}
	_, err := call(t, w, "system_showWorkflowHistory", `{"limit":0}`)
	if wrong, ok := errors.AsType[*tool.ArgumentError](err); !ok || wrong.Field != "limit" {
		t.Errorf("a limit of nothing: %v", err)
	}
}
