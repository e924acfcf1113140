package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/protocol/agui"
	"convene/pkg/protocol/aisdk"
	"convene/pkg/sse"
)

// assistantTurn is a turn of the assistant: a plan whose set of changes was confirmed, and a question.
func assistantTurn(t *testing.T) (lines [][]byte) {
	t.Helper()
	set := meet.ChangeSet{ID: "ch_1", Digest: "sha256:0", Status: meet.ChangesPending, Changes: []meet.Change{{
		ID: "1", Kind: meet.DeleteThing, What: meet.EventThing, Title: "Budget", Before: json.RawMessage(`{"id":"e1"}`),
		After: json.RawMessage("null"), Affects: []meet.Affected{}, Class: meet.R2, DependsOn: []string{},
	}}}
	applied := set
	applied.Status = meet.ChangesApplied
	for _, u := range []meet.Update{
		meet.TurnUpdate{TurnID: "t1", ConversationID: "c1"},
		meet.PlanUpdate{PlanID: "pl_1", Name: "Clear Friday", Steps: []meet.PlanStep{{ID: "find", Status: "running"}}},
		meet.ResultUpdate{Step: "find", Response: meet.Response{Data: json.RawMessage(`{"events":[]}`)}},
		meet.ResultUpdate{Step: "clear", Response: meet.Response{Data: json.RawMessage(`{"events":[]}`)}},
		meet.ChangesUpdate{Changes: set},
		meet.ChangesUpdate{Changes: applied},
		meet.AppliedUpdate{Applied: meet.Applied{ChangesID: "ch_1", Outcome: meet.AllApplied, Changes: []meet.ChangeResult{
			{ID: "1", Outcome: meet.ChangeDone},
		}}},
		meet.ChoicesUpdate{
			Choices: meet.Choices{ID: "q_1", Question: "Which Sam?", Options: []meet.Option{{ID: "1", Label: "Sam"}}},
		},
		meet.PlanUpdate{PlanID: "pl_1", Name: "Clear Friday", Steps: []meet.PlanStep{{ID: "find", Status: "completed"}}},
		meet.DoneUpdate{Outcome: meet.OutcomeWaiting},
	} {
		line, err := meet.MarshalUpdate(u)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// Clients of other makers hold, in the end, the latest of each plan, result, change set, question and outcome.
func TestOtherClientsHoldWhatTheAssistantDid(t *testing.T) {
	t.Parallel()
	turn := assistantTurn(t)
	stream := func(header, version string, encode func([]byte) ([][]byte, error)) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", sse.ContentType)
			w.Header().Set(header, version)
			for _, update := range turn {
				events, err := encode(update)
				if err != nil {
					t.Error(err)
				}
				for _, event := range events {
					fmt.Fprintf(w, "data: %s\n\n", event)
				}
			}
		}
	}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /v1/chat", stream(aisdk.Header, aisdk.Version, new(aisdk.Encoder).Encode))
	routes.HandleFunc("POST /v1/agui", stream("Cache-Control", "no-cache", new(agui.Encoder).Encode))
	server := httptest.NewServer(routes)
	defer server.Close()
	type held struct {
		Type, ID string
		Data     any
	}
	var got struct {
		Parts, Activities []held
		Outcome, Result   string
	}
	runClient(t, &got, "assistant.js", server.URL)
	var parts, activities []held
	for _, thing := range []struct {
		part, activity string
		line           int
	}{
		{"plan", "plan", 8}, {"find", "result:find", 2}, {"clear", "result:clear", 3}, {"ch_1", "changes:ch_1", 5},
		{"ch_1", "applied:ch_1", 6}, {"q_1", "choices:q_1", 7},
	} {
		var update map[string]any
		if err := json.Unmarshal(turn[thing.line], &update); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, held{fmt.Sprintf("data-%s", update["type"]), thing.part, update})
		activities = append(activities, held{fmt.Sprintf("convene.%s", update["type"]), "t1:" + thing.activity, update})
	}
	if diff := cmp.Diff(parts, got.Parts); diff != "" {
		t.Errorf("parts of the chat (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(activities, got.Activities); diff != "" {
		t.Errorf("activities of the agent (-want +got):\n%s", diff)
	}
	if got.Outcome != "waiting" || got.Result != "waiting" {
		t.Errorf("outcomes %q and %q, want waiting", got.Outcome, got.Result)
	}
}
