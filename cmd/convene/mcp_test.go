package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"convene/pkg/llm"
	"convene/pkg/redisstore/redistest"
	"convene/stages"
)

// agent is a client of the Model Context Protocol.
type agent struct {
	t       *testing.T
	session *sdk.ClientSession
}

func newAgent(t *testing.T, server string) *agent {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return &agent{t, session}
}

// call is a tool's result as a document, with isError beside the structured content.
func (a *agent) call(tool string, args map[string]any) map[string]any {
	a.t.Helper()
	got, err := a.session.CallTool(a.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	doc := got.StructuredContent.(map[string]any)
	doc["isError"] = got.IsError
	return doc
}

func wants(t *testing.T, got map[string]any, wants ...string) {
	t.Helper()
	check(t, step{wants: wants}, []any{any(got)})
}

// An agent proposes, changes, books and cancels; what it books is one event, and the one that a person sees.
func TestAnAgentsConversation(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	server := startServer(t, "", "--redis-url="+redis)
	a := newAgent(t, server)
	first := a.call("propose", map[string]any{"message": "coffee with Al on Wednesday at 1pm", "organizer": "me"})
	wants(t, first, "outcome = proposed", "event.title = Coffee with Al", "event.start = 2026-11-25T13:00:00-08:00",
		"isError = false")
	talk := first["conversationId"]
	lunch := a.call("edit", map[string]any{"message": "make it lunch", "conversationId": talk, "organizer": "me"})
	wants(t, lunch, "outcome = proposed", "event.title ~ Lunch", "event.start = 2026-11-25T13:00:00-08:00",
		"event.status = proposed")
	if lunch["proposalId"] == first["proposalId"] {
		t.Error("the change has the old proposal's id")
	}
	confirm := map[string]any{"proposalId": lunch["proposalId"]}
	booked, again := a.call("confirm", confirm), a.call("confirm", confirm)
	wants(t, booked, "outcome = confirmed", "event.status = confirmed",
		"message ~ I've scheduled **Lunch with Al** for **")
	if diff := cmp.Diff(booked, again); diff != "" {
		t.Errorf("the second confirmation (-first +second):\n%s", diff)
	}
	if got := bookedBy(t, redis, "al"); got != ":1" {
		t.Errorf("Al has %s events, want one", got)
	}
	wantTheSame(t, server, booked)
	gone := a.call("confirm", map[string]any{"proposalId": first["proposalId"]})
	wants(t, gone, "isError = true", "error.code = conflict")
	wants(t, a.call("cancel", confirm), "outcome = cancelled", "event.status = cancelled")
	if got := bookedBy(t, redis, "al"); got != ":0" {
		t.Errorf("Al has %s events, want none", got)
	}
}

// On the demo people a message is enough; with other people the agent must name the organizer.
func TestAnAgentGivesAMessageAlone(t *testing.T) {
	t.Parallel()
	message := map[string]any{"message": "coffee with Al on Wednesday at 1pm"}
	wants(t, newAgent(t, startServer(t, "")).call("propose", message), "outcome = proposed",
		"event.participants.0.id = me")
	own := filepath.Join(t.TempDir(), "people.json")
	for people, want := range map[string]string{
		`[{"id": "zoe", "name": "Zoe"}]`:                                 "event.participants.0.id = zoe",
		`[{"id": "me", "name": "Mia"}, {"id": "al", "name": "Al Chen"}]`: "error.field = organizer",
	} {
		if err := os.WriteFile(own, []byte(people), 0o600); err != nil {
			t.Fatal(err)
		}
		wants(t, newAgent(t, startServer(t, "", "--people="+own)).call("propose", message), want)
	}
}

// wantTheSame wants the event of a result to be what the API says of the proposal.
func wantTheSame(t *testing.T, server string, result map[string]any) {
	t.Helper()
	status, raw, _ := get(t, fmt.Sprint(server, "/v1/proposals/", result["proposalId"]))
	var want map[string]any
	if err := json.Unmarshal(raw, &want); err != nil || status != http.StatusOK {
		t.Fatalf("status %d: %s", status, raw)
	}
	delete(want, "alternatives") // they stand beside the event
	if diff := cmp.Diff(any(want), result["event"]); diff != "" {
		t.Errorf("event (-API +agent):\n%s", diff)
	}
}

// What a person would be told, an agent is told as a result, and goes on from there.
func TestWhatAnAgentIsTold(t *testing.T) {
	t.Parallel()
	server := startServer(t, "")
	a := newAgent(t, server)
	wants(t, a.call("propose", map[string]any{"message": "coffee with Al", "organizer": "nobody"}),
		"isError = true", "error.field = organizer", "message ~ there is no person with the id")
	wants(t, a.call("propose", map[string]any{"message": "coffee with Al", "organizer": "me", "timezone": "Mars/Olympus"}),
		"isError = true", "error.field = timezone", "message ~ must be an IANA time zone such as")
	wants(t, a.call("propose", map[string]any{
		"message": "coffee", "organizer": "me", "participants": []any{"al", map[string]any{"email": "x"}},
	}),
		"isError = true", "error.field ~ participants[1]")

	question := a.call("propose", map[string]any{"message": "coffee with Sam on Wednesday", "organizer": "me"})
	wants(t, question, "isError = false", "outcome = question",
		"message = Which Sam do you mean: Sam Okafor or Sam Rivera?", "event = -")
	answered := a.call("edit", map[string]any{
		"message": "Rivera", "conversationId": question["conversationId"], "organizer": "me",
	})
	wants(t, answered, "outcome = proposed", "event.participants.1.name = Sam Rivera")

	key := map[string]any{"message": "call Grace on Wednesday", "organizer": "me", "idempotencyKey": "k1"}
	once, twice := a.call("propose", key), a.call("propose", key)
	if diff := cmp.Diff(once, twice); diff != "" || once["proposalId"] == nil {
		t.Errorf("the same key (-first +second):\n%s", diff)
	}
	key["message"] = "call Al on Wednesday"
	wants(t, a.call("propose", key), "isError = true", "error.field = idempotencyKey")
}

// A time that another person has taken is answered with others, which can be taken.
func TestAnAgentTakesAFreshTime(t *testing.T) {
	t.Parallel()
	server := startServer(t, "")
	a := newAgent(t, server)
	ask := map[string]any{"message": "coffee with Al on Tuesday at 11am", "organizer": "me"}
	mine, rival := a.call("propose", ask), a.call("propose", ask)
	wants(t, a.call("confirm", map[string]any{"proposalId": rival["proposalId"]}), "outcome = confirmed")
	gone := a.call("confirm", map[string]any{"proposalId": mine["proposalId"]})
	wants(t, gone, "isError = true", "error.code = slot_gone", "alternatives.slots.length > 1",
		"alternatives.slots.1.slot = 1")
	start, _ := lookup(gone, "alternatives.slots.1.start")
	other, _ := lookup(gone, "alternatives.slots.0.start")
	pick := map[string]any{"proposalId": mine["proposalId"], "slot": 1, "start": other}
	wants(t, a.call("confirm", pick), "isError = true", "error.code = conflict")
	pick["start"] = start
	wants(t, a.call("confirm", pick), "outcome = confirmed", "event.start = "+fmt.Sprint(start))
}

// waitingModel answers nobody.
type waitingModel struct{ asked, left chan struct{} }

// Complete is llm.Model's.
func (m waitingModel) Complete(ctx context.Context, _ llm.Request, _ func(string) error) (llm.Reply, error) {
	m.asked <- struct{}{}
	<-ctx.Done()
	m.left <- struct{}{}
	return llm.Reply{}, ctx.Err()
}

// An agent that gives a call up ends the turn behind it.
func TestAnAgentGivesUp(t *testing.T) {
	t.Parallel()
	model := waitingModel{make(chan struct{}, 1), make(chan struct{}, 1)}
	server := wired(t, parseSettings(t, "--turn-deadline=1h"), func(p *stages.Ports) { p.Model = model })
	ctx, giveUp := context.WithCancel(t.Context())
	go func() { <-model.asked; giveUp() }()
	params := &sdk.CallToolParams{
		Name: "propose", Arguments: map[string]any{"message": "coffee with Al", "organizer": "me"},
	}
	if _, err := newAgent(t, server.url()).session.CallTool(ctx, params); err == nil {
		t.Error("the call was answered")
	}
	<-model.left
}

// Many agents at once, each with people of its own: everyone is answered, and booked once.
func TestTwentyAgents(t *testing.T) {
	t.Parallel()
	server := startServer(t, "")
	agents := make([]*agent, 20)
	for i := range agents {
		agents[i] = newAgent(t, server)
	}
	var all sync.WaitGroup
	for i, a := range agents {
		all.Go(func() {
			kim, lee := fmt.Sprint("kim", i), fmt.Sprint("lee", i)
			got := a.call("propose", map[string]any{
				"message":   "call Lee on Wednesday at 9am",
				"organizer": map[string]any{"id": kim, "name": "Kim", "timezone": "America/Los_Angeles"}, "participants": []any{
					map[string]any{"id": lee, "name": "Lee"},
				},
				"availability": []any{
					map[string]any{"person": kim, "busy": []any{}}, map[string]any{"person": lee, "busy": []any{}},
				},
			})
			wants(t, got, "outcome = proposed", "event.participants.0.id = "+kim, "event.participants.1.id = "+lee)
			wants(t, a.call("confirm", map[string]any{"proposalId": got["proposalId"]}), "outcome = confirmed",
				"event.start = 2026-11-25T09:00:00-08:00")
		})
	}
	all.Wait()
}

// Agents come through the same door as browsers.
func TestAgentsComeThroughTheDoor(t *testing.T) {
	t.Parallel()
	server := startServer(t, "")
	for name, test := range map[string]struct {
		header [2]string
		body   string
		want   int
	}{
		"another site": {[2]string{"Origin", "https://evil.example"}, "{}", http.StatusForbidden},
		"another name": {[2]string{"Host", "evil.example"}, "{}", http.StatusForbidden},
		"no JSON":      {[2]string{"Content-Type", "text/plain"}, "{}", http.StatusUnsupportedMediaType},
		"too large": {[2]string{"X-None", "x"}, `"` + strings.Repeat("x", 100<<10) + `"`,
			http.StatusRequestEntityTooLarge},
		"not the protocol": {[2]string{"X-None", "x"}, `{"hello": "world"}`, http.StatusBadRequest},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server+"/mcp", strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set(test.header[0], test.header[1])
		if test.header[0] == "Host" {
			req.Host = test.header[1]
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != test.want {
			t.Errorf("%s: status %d, want %d", name, resp.StatusCode, test.want)
		}
	}
	if status, _, h := get(t, server+"/mcp", "Accept", "text/event-stream"); status != http.StatusMethodNotAllowed ||
		!strings.Contains(h.Get("Allow"), "POST") {
		t.Errorf("GET: status %d, Allow %q", status, h.Get("Allow"))
	}
}
