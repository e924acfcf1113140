package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"convene/pkg/meet"
)

var now = time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC)

// reader makes each message but "hello" an event, titled by all its messages.
type reader struct{}

func (reader) Read(
	_ context.Context, turn meet.Turn, talk meet.Conversation, _ time.Time,
) (meet.Understanding, *meet.Draft, error) {
	if turn.Message == "hello" {
		return meet.Understanding{Intent: meet.Converse}, nil, nil
	}
	draft := &meet.Draft{Mode: meet.ModeNew, Template: meet.Template{Title: turn.Message}}
	if talk.Search != nil {
		draft.Mode, draft.Template.Title = meet.ModeEdit, talk.Search.Template.Title+", "+turn.Message
	}
	return meet.Understanding{Intent: meet.HandleEvent}, draft, nil
}

func TestResultsAreInTheOrderOfTheItems(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 20 {
		fmt.Fprintf(&lines, "{\"id\": \"%d\", \"utterance\": \"coffee %d\", \"timezone\": \"UTC\"}\n", i, i)
	}
	items, err := Decode(strings.NewReader(lines.String()), now)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range (Evaluator{Reader: reader{}}).All(t.Context(), items, 4) {
		if r.ID != fmt.Sprint(i) || r.Template == nil || r.Template.Title != fmt.Sprint("coffee ", i) {
			t.Errorf("result %d is %+v", i, r)
		}
	}
}

func TestEarlierTurnsAreRead(t *testing.T) {
	t.Parallel()
	for name, context := range map[string]string{
		"as they were said":     `[{"role": "user", "text": "lunch"}, {"role": "assistant", "text": "At noon?"}]`,
		"as what came of them":  `{"user": "lunch", "template": {"title": "lunch"}}`,
		"with small talk after": `[{"role": "user", "text": "lunch"}, {"role": "user", "text": "hello"}]`,
	} {
		items, err := Decode(strings.NewReader(`{"id": "1", "utterance": "later", "context": `+context+`}`), now)
		if err != nil {
			t.Fatal(err)
		}
		got := Evaluator{Reader: reader{}}.All(t.Context(), items, 1)[0]
		if got.Intent != "edit" || got.Template == nil || got.Template.Title != "lunch, later" {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestBeyondIsAskedOfSmallTalkOnly(t *testing.T) {
	t.Parallel()
	items := []Item{{ID: "1", Utterance: "hello", Reference: now}, {ID: "2", Utterance: "lunch", Reference: now}}
	beyond := func(string, meet.Conversation) Finer { return Finer{Intent: "reminder", Title: "say hello"} }
	got := Evaluator{Reader: reader{}, Beyond: beyond}.All(t.Context(), items, 1)
	want := []Result{
		{ID: "1", Intent: "reminder", Template: &Template{Title: "say hello"}},
		{ID: "2", Intent: "create", Template: &Template{Title: "lunch"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEarliestTimeThatSuitsAll(t *testing.T) {
	t.Parallel()
	item := `{"id": "1", "utterance": "find a time", "timezone": "UTC", "problem": {
		"participants": [{"name": "Ann", "busy": [{"start": "2026-03-05T11:00:00Z", "end": "2026-03-05T12:00:00Z"}]},
			{"name": "Bo"}],
		"duration_minutes": 30, "work_hours": ["09:00", "17:00"], "days": [{"name": "Thursday", "date": "2026-03-05"}],
		"preferences": [{"who": "Bo", "day": "Thursday", "kind": "before", "time": "11:00"}]}}`
	items, err := Decode(strings.NewReader(item), now)
	if err != nil {
		t.Fatal(err)
	}
	got := Evaluator{Reader: reader{}}.All(t.Context(), items, 1)[0]
	if diff := cmp.Diff(&Solution{Day: "Thursday", Start: "12:00", End: "12:30"}, got.Solution); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnItemNeedsAnID(t *testing.T) {
	t.Parallel()
	_, err := Decode(strings.NewReader(`{"id": "1"} {"utterance": "lunch"}`), now)
	if err == nil || err.Error() != "item 2: no id" {
		t.Errorf("got %v", err)
	}
}

func TestRoutesAreOfItemsThatExpectOne(t *testing.T) {
	t.Parallel()
	items, err := Decode(strings.NewReader(`{"id": "1", "utterance": "mail", "expect": {"route_any": ["tool"]}}`), now)
	if err != nil {
		t.Fatal(err)
	}
	beyond := func(string, meet.Conversation) Finer {
		return Finer{Intent: "other", Confidence: 0.75, Route: "tool", Family: "email"}
	}
	got, err := json.Marshal(Evaluator{Reader: reader{}, Beyond: beyond}.All(t.Context(), items, 1)[0])
	want := `{"id":"1","confidence":0.75,"route":"tool","family":"email","requiresPlan":false}`
	if err != nil || string(got) != want {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	expect := Expected{Intents: []string{"create"}}
	items := []Item{{Expect: expect}, {Expect: expect}, {Expect: expect}, {Expect: expect}, {}}
	results := []Result{
		{Intent: "create", Confidence: 0.9}, {Intent: "other", Confidence: 0.9}, {Intent: "other", Confidence: 0.3},
		{Intent: "other", Confidence: 0.6, Asks: true}, {Intent: "other", Confidence: 0.9},
	}
	want := Summary{Items: 4, CalibrationError: 0.425, Coverage: 0.75, Right: 0.25, Unwarned: 0.25}
	got := Summarize(items, results)
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
