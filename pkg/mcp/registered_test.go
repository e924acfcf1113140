package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// assisted is a world with tools of the assistant, whose calls are answered so.
func assisted(answer func(name, body, key string) (meet.ToolResult, error)) *world {
	describe := func(name, effect string, op meet.Operation) meet.ToolDescription {
		family, _, _ := strings.Cut(name, "_")
		return meet.ToolDescription{
			Name: name, Description: "Words of " + name + ".", Family: family, Effect: effect, Operation: op,
			Arguments: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["date"],` +
				`"properties":{"date":{"type":"string","description":"The day."}}}`),
			Data: json.RawMessage(`{"type":"object","properties":{"count":{"type":"integer"}}}`),
		}
	}
	w := newWorld()
	w.tools = Tools{
		List: []meet.ToolDescription{
			describe("calendar_countEvents", "read", meet.ReadResource),
			describe("calendar_deleteEvents", "change", meet.DeleteResource),
			describe("schedule_createBlock", "change", meet.CreateResource),
			describe("system_confirmProposal", "change", meet.Execute),
		},
		Call: func(_ context.Context, name string, body []byte, key string) (meet.ToolResult, error) {
			return answer(name, string(body), key)
		},
		MayUse: func(ctx context.Context, families ...string) error {
			if meet.TenantOf(ctx) == "limited" && families[0] != "schedule" {
				return fault.New("forbidden", "This key is not for %s.", families[0])
			}
			return nil
		},
	}
	return w
}

// A host knows from a tool's trait which tools only read, and which destroy.
func TestRegisteredToolsAreListed(t *testing.T) {
	t.Parallel()
	list, err := connect(t, assisted(nil).serve(t)).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][3]bool{}
	for _, tool := range list.Tools {
		if !strings.Contains(tool.Name, "_") {
			continue
		}
		a := tool.Annotations
		got[tool.Name] = [3]bool{a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint}
		properties := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for _, name := range []string{"date", "organizer", "timezone", "idempotencyKey"} {
			if properties[name] == nil {
				t.Errorf("%s has no argument %s", tool.Name, name)
			}
		}
		if tool.Description != "Words of "+tool.Name+"." || tool.OutputSchema == nil {
			t.Errorf("the tool %+v", tool)
		}
	}
	want := map[string][3]bool{ // read-only, destructive, idempotent
		"calendar_countEvents": {true, false, true}, "calendar_deleteEvents": {false, true, true},
		"schedule_createBlock": {false, false, false}, "system_confirmProposal": {false, true, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hints (-want +got):\n%s", diff)
	}
}

// raw calls a tool as the tenant.
func raw(t *testing.T, url, tenant, method, params string) string {
	t.Helper()
	r := post(t.Context(), t, url, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`, "Tenant", tenant)
	return r.rest(t)
}

// A caller that is limited to families is offered their tools only.
func TestRegisteredToolsOfACaller(t *testing.T) {
	t.Parallel()
	url := assisted(nil).serve(t)
	if got := raw(t, url, "limited", "tools/list", "{}"); strings.Contains(got, "calendar_") ||
		!strings.Contains(got, "schedule_createBlock") || !strings.Contains(got, `"propose"`) {
		t.Errorf("the list of a limited caller: %s", got)
	}
}

func TestARegisteredToolIsCalled(t *testing.T) {
	t.Parallel()
	w := assisted(func(name, body, key string) (result meet.ToolResult, err error) {
		if want := `{"arguments":{"date":"today"},"organizer":"me"}`; body != want || key != "k" {
			t.Errorf("%s called with %s and %q, want %s", name, body, key, want)
		}
		result.Response.Data = json.RawMessage(`{"count":2}`)
		result.Response.Display.Title, result.Response.Display.Description = "Two", "Two events"
		if name == "calendar_deleteEvents" {
			result.Changes = &meet.ChangeSet{
				ID: "ch_1", Digest: "sha256:0", Status: meet.ChangesPending, ExpiresAt: time.Unix(0, 0), Changes: []meet.Change{
					{ID: "1", Kind: meet.DeleteThing, What: meet.EventThing, Title: "Dentist\nSYSTEM", Scope: meet.ThisOne,
						Before: json.RawMessage(`{"title":"Dentist\nSYSTEM","start":"2026-11-24","end":"2026-11-25"}`)},
					{ID: "2", Kind: meet.UpdateThing, What: meet.EventThing, Title: "Talk", Undoable: true,
						Affects: []meet.Affected{{Email: "al@example.com"}},
						Before:  json.RawMessage(`{"id":"e","title":"Talk","attendees":["al@example.com"],"location":""}`),
						After:   json.RawMessage(`{"id":"e","title":"Talk","attendees":[],"location":"Room 5"}`)},
					{ID: "3", Kind: meet.CreateThing, What: meet.PreferenceThing, Title: "buffers", Undoable: true,
						After: json.RawMessage(`15`)},
				},
			}
		}
		return result, nil
	})
	session := connect(t, w.serve(t))
	const args = `{"date":"today","organizer":"me","timezone":null,"idempotencyKey":"k"}`
	look := callTool(t, session, "calendar_countEvents", args)
	if diff := cmp.Diff([]string{"Two\nTwo events"}, look.texts); diff != "" || look.isError {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	deleted := callTool(t, session, "calendar_deleteEvents", args)
	want := []string{"Two\nTwo events", "Nothing is written yet. Show the user every change, and once they agree call " +
		"system_confirmProposal with this id and digest.\nid: ch_1\ndigest: sha256:0\n" +
		"change 1: delete event Dentist SYSTEM; end \"2026-11-25\"; start \"2026-11-24\"; scope this; cannot be undone\n" +
		`change 2: update event Talk; attendees ["al@example.com"] → none; location none → "Room 5"; told: al@example.com` +
		"\nchange 3: create preference buffers; value 15"}
	if diff := cmp.Diff(want, deleted.texts); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if set, _ := deleted.content["changes"].(map[string]any); set["digest"] != "sha256:0" {
		t.Errorf("content: %v", deleted.content)
	}
}

// callTool is call for a tool whose results have another schema.
func callTool(t *testing.T, session *sdk.ClientSession, tool, args string) (a answer) {
	t.Helper()
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	for _, content := range got.Content {
		a.texts = append(a.texts, content.(*sdk.TextContent).Text)
	}
	a.isError = got.IsError
	a.content, _ = got.StructuredContent.(map[string]any)
	return a
}

// What a registered tool cannot do, and a call that is wrong, are results that say so.
func TestARegisteredToolThatFails(t *testing.T) {
	t.Parallel()
	var fails error
	w := assisted(func(string, string, string) (result meet.ToolResult, err error) {
		result.Response.Data = json.RawMessage("null")
		result.Response.Error = &meet.ResponseError{
			Code: "not_found", Message: "There is no such event.", SuggestedActions: []string{"What is on today?"},
		}
		return result, fails
	})
	session := connect(t, w.serve(t))
	got := callTool(t, session, "calendar_countEvents", `{"date":"today"}`)
	if !got.isError || got.texts[0] != "There is no such event.\nWhat is on today?" {
		t.Errorf("%+v", got)
	}
	fails = fault.Invalid("arguments.date", "must be a date")
	for args, field := range map[string]string{`{"date":"x"}`: "date", `{}`: "date", `{"date":"x","day":"y"}`: "day"} {
		got := callTool(t, session, "calendar_countEvents", args)
		if problem, _ := got.content["error"].(map[string]any); !got.isError || problem["field"] != field {
			t.Errorf("%s: %+v, want the field %s", args, got, field)
		}
	}
}

// A caller that may confirm nothing books nothing.
func TestACallerThatCannotConfirm(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.mayConfirm = fault.New("forbidden", "This key cannot confirm anything.")
	w.desk = func(meet.ProposalID, booking.Choice) (meet.Event, error) {
		t.Error("the desk was asked")
		return meet.Event{}, nil
	}
	got := call(t, connect(t, w.serve(t)), "confirm", `{"proposalId":"p1"}`)
	if !got.isError || got.texts[0] != "This key cannot confirm anything." {
		t.Errorf("%+v", got)
	}
}

// A turn that asks for a confirmation or a choice is told with what an agent needs for it.
func TestATurnOfTheAssistant(t *testing.T) {
	t.Parallel()
	w := newWorld(
		meet.ResultUpdate{Step: "1", Response: meet.Response{
			Data: json.RawMessage(`{"n":1}`), Display: meet.Display{Components: []meet.Component{}},
			UI: meet.ResponseUI{Suggestions: []string{}, Actions: []meet.Action{}},
		}},
		meet.ChangesUpdate{Changes: meet.ChangeSet{
			ID: "ch_1", Digest: "sha256:0", Status: meet.ChangesPending, Changes: []meet.Change{},
		}},
		meet.ChoicesUpdate{
			Choices: meet.Choices{ID: "q_1", Question: "Which?", Options: []meet.Option{{ID: "1", Label: "A"}}},
		},
		meet.AppliedUpdate{Applied: meet.Applied{ChangesID: "ch_0", Changes: []meet.ChangeResult{}}},
		meet.MessageUpdate{Text: "Shall I?"}, meet.DoneUpdate{Outcome: meet.OutcomeWaiting},
	)
	got := call(t, connect(t, w.serve(t)), "propose", `{"message": "clear Friday", "organizer": "me"}`)
	for _, member := range []string{"results", "changes", "choices", "applied"} {
		if got.content[member] == nil {
			t.Errorf("the result has no %s: %v", member, got.content)
		}
	}
	if next := got.texts[len(got.texts)-1]; !strings.Contains(next, "digest: sha256:0") ||
		!strings.Contains(next, "call edit with this conversationId") {
		t.Errorf("what to do next: %q", next)
	}
}
