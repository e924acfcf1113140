package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/testenv"
)

// clientTime bounds what Node does in one test.
const clientTime = 2 * time.Minute

// clientFolder has the clients of other makers.
func clientFolder(t *testing.T) (node, folder string) {
	t.Helper()
	return packagesOf(t, "clients")
}

// packagesOf is a folder of testdata with packages of npm. Without them the test is skipped, or fails where nothing may
// be left out.
func packagesOf(t *testing.T, name string) (node, folder string) {
	t.Helper()
	node = testenv.Require(t, "node")
	folder, err := filepath.Abs(filepath.Join("..", "..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		missing := fmt.Sprintf("testdata/%[1]s has no node_modules; run: npm ci --prefix testdata/%[1]s --ignore-scripts",
			name)
		if os.Getenv(testenv.StrictVariable) == "1" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	return node, folder
}

// runClient runs one of the programs in testdata/clients and reads what it prints.
func runClient(t *testing.T, held any, script string, args ...string) {
	t.Helper()
	node, folder := clientFolder(t)
	ctx, cancel := context.WithTimeout(t.Context(), clientTime)
	defer cancel()
	program := exec.CommandContext(ctx, node, append([]string{script}, args...)...)
	program.Dir = folder
	var said, complaints bytes.Buffer
	program.Stdout, program.Stderr = &said, &complaints
	if err := program.Run(); err != nil || complaints.Len() > 0 {
		t.Fatalf("%s: %v\n%s", script, err, &complaints)
	}
	if err := json.Unmarshal(said.Bytes(), held); err != nil {
		t.Fatalf("%s printed %q: %v", script, &said, err)
	}
}

// breaking stands before a server and breaks the first stream that it passes on, in the middle of a message.
func breaking(t *testing.T, server string) string {
	t.Helper()
	var broken atomic.Bool
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req, err := http.NewRequestWithContext(r.Context(), r.Method, server+r.URL.RequestURI(), r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		req.Header = r.Header.Clone()
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		for name, values := range resp.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(resp.StatusCode)
		body := io.Reader(resp.Body)
		first := broken.CompareAndSwap(false, true)
		if first {
			body = io.LimitReader(body, 4000)
		}
		_, _ = io.Copy(w, body) // the client may leave
		if first {
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// streamed is what the turn's own stream says: what every other client must hold in the end.
type streamed struct {
	Acknowledgment, Message, Outcome string
	Event                            map[string]any
}

func streamedBy(t *testing.T, server, turn string) streamed {
	t.Helper()
	status, body, _ := get(t, server+"/v1/turns/"+turn+"/events")
	if status != http.StatusOK {
		t.Fatalf("stream of turn %s: status %d", turn, status)
	}
	doc := collect(t, readStream(t, bytes.NewReader(body)))
	text := func(path string) string {
		v, _ := lookup(doc, path)
		return fmt.Sprint(v)
	}
	found, _ := lookup(doc, "event")
	event, _ := found.(map[string]any)
	return streamed{text("acknowledgment.text"), text("message.text"), text("outcome"), event}
}

// chat is what testdata/clients/chat.js prints of a chat.
type chat struct {
	Status, Error string
	Messages      []uiMessage
	Previews      []string
	Finished      []struct {
		IsError      bool
		FinishReason string
	}
}

type uiMessage struct {
	ID, Role string
	Metadata struct {
		TurnID, ConversationID, Outcome string
		Receipt                         struct{ ModelCalls int }
	}
	Parts []struct {
		Type, Text, State string
		Data              struct {
			Event      any
			Text, Code string
		}
	}
}

// texts are the message's text parts.
func (m uiMessage) texts() []string {
	var all []string
	for _, p := range m.Parts {
		if p.Type == "text" {
			all = append(all, p.Text)
		}
	}
	return all
}

// check wants the message to hold what the turn's own stream says, once.
func (m uiMessage) check(t *testing.T, server string) {
	t.Helper()
	want := streamedBy(t, server, m.ID)
	if diff := cmp.Diff([]string{want.Acknowledgment, want.Message}, m.texts()); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	seen := map[string]int{}
	for _, p := range m.Parts {
		seen[p.Type]++
		switch p.Type {
		case "text":
			if p.State != "done" {
				t.Errorf("text %q is %s", p.Text, p.State)
			}
		case "data-event":
			if diff := cmp.Diff(want.Event, p.Data.Event); diff != "" {
				t.Errorf("event (-want +got):\n%s", diff)
			}
		case "data-preview":
			if p.Data.Text != "" {
				t.Errorf("the preview %q was left", p.Data.Text)
			}
		}
	}
	parts := map[string]int{
		"text": 2, "data-progress": 1, "data-template": 1, "data-candidates": 1, "data-preview": 1, "data-event": 1,
	}
	if diff := cmp.Diff(parts, seen); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if m.Role != "assistant" || m.Metadata.TurnID != m.ID || m.Metadata.Outcome != want.Outcome ||
		m.Metadata.Receipt.ModelCalls != 3 {
		t.Errorf("message of %s with %+v", m.Role, m.Metadata)
	}
}

// Chats of the Vercel AI SDK hold, in the end, what the turns' own streams say.
func TestVercelChat(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"ai", "ai-5"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			clientFolder(t)
			server, failing := startServer(t, ""), startServer(t, "", "--turn-deadline=1ms")
			var got struct {
				Conversation, Refused, Failed, Cut, Resumed, Fresh chat
				Read                                               uiMessage
			}
			runClient(t, &got, "chat.js", version, server, breaking(t, server), failing)
			checkConversation(t, server, got.Conversation)
			if diff := cmp.Diff(got.Conversation.Messages[1], got.Read); diff != "" {
				t.Errorf("read by itself (-chat +read):\n%s", diff)
			}
			if got.Refused.Status != "error" || !strings.Contains(got.Refused.Error, "organizer: there is no person") {
				t.Errorf("with an unknown organizer: %s, %s", got.Refused.Status, got.Refused.Error)
			}
			checkFailedChat(t, got.Failed)
			if got.Cut.Status != "error" || len(got.Cut.Messages) != 2 || len(got.Cut.Messages[1].texts()) != 1 {
				t.Errorf("cut off: %+v, want half a message", got.Cut)
			}
			if got.Resumed.Status != "ready" || len(got.Resumed.Messages) != 2 {
				t.Fatalf("resumed: %+v, want one answer", got.Resumed)
			}
			got.Resumed.Messages[1].check(t, server)
			if got.Fresh.Status != "ready" || len(got.Fresh.Messages) != 0 {
				t.Errorf("a chat that nobody began: %+v", got.Fresh)
			}
		})
	}
}

// checkConversation wants an event and its change.
func checkConversation(t *testing.T, server string, c chat) {
	t.Helper()
	if c.Status != "ready" || c.Error != "" || len(c.Messages) != 4 {
		t.Fatalf("conversation: %s, %s, %d messages", c.Status, c.Error, len(c.Messages))
	}
	c.Messages[1].check(t, server)
	c.Messages[3].check(t, server)
	first, second := streamedBy(t, server, c.Messages[1].ID), streamedBy(t, server, c.Messages[3].ID)
	id, _ := lookup(first.Event, "id")
	replaced, _ := lookup(second.Event, "replaces")
	if id == nil || id != replaced || c.Messages[1].Metadata.ConversationID != c.Messages[3].Metadata.ConversationID {
		t.Errorf("the second proposal replaces %v, want %v", replaced, id)
	}
	if len(c.Previews) < 10 || !strings.HasPrefix(c.Previews[5], c.Previews[4]) {
		t.Errorf("previews: %q, want the message to grow", c.Previews)
	}
}

func checkFailedChat(t *testing.T, c chat) {
	t.Helper()
	const words = "This took too long. Please try again."
	if c.Status != "error" || c.Error != words || len(c.Messages) != 2 || len(c.Messages[1].Parts) == 0 ||
		!c.Finished[0].IsError {
		t.Fatalf("failed: %+v", c)
	}
	parts := c.Messages[1].Parts // the error after what the turn came to say before
	if last := parts[len(parts)-1]; last.Type != "data-error" || last.Data.Code != "deadline_exceeded" {
		t.Errorf("failed: parts %+v, want the error at the end", parts)
	}
}

// agentRun is what testdata/clients/agent.js prints of a run.
type agentRun struct {
	Previews, Steps []string
	Runs            [][2]string
	Outcome, Thread string
	Failed          *struct{ Code, Message string }
	Error           *struct {
		Message string
		Status  int
	}
	Result struct {
		Outcome string
		Receipt struct{ ModelCalls int }
	}
	Usage    []struct{ InputTokens, OutputTokens, TotalTokens int }
	Messages []agentMessage
	State    struct {
		Theme string
		Turn  *struct {
			TurnID, Preview string
			Error, Done     any
		}
	}
}

type agentMessage struct {
	ID, Role, ActivityType string
	Content                any
}

// check wants the agent to hold, after the user's messages, what the turn's own stream says, once.
func (r agentRun) check(t *testing.T, server, runID string) {
	t.Helper()
	if r.State.Turn == nil || r.Error != nil || r.Failed != nil || r.Outcome != "success" {
		t.Fatalf("run %s: %+v", runID, r)
	}
	turn := r.State.Turn.TurnID
	want := streamedBy(t, server, turn)
	messages := []agentMessage{
		{ID: turn + ":acknowledgment", Role: "assistant", Content: want.Acknowledgment},
		{ID: turn + ":message", Role: "assistant", Content: want.Message},
		{
			ID: turn + ":event", Role: "activity", ActivityType: "convene.event",
			Content: map[string]any{"type": "event", "proposalId": want.Event["id"], "event": want.Event},
		},
	}
	if diff := cmp.Diff(messages, r.Messages[len(r.Messages)-3:]); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][2]string{{r.Thread, runID}}, r.Runs); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
	steps := []string{"+template", "-template", "+candidates", "-candidates", "+select", "-select"}
	if diff := cmp.Diff(steps, r.Steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if r.Result.Outcome != want.Outcome || r.Result.Receipt.ModelCalls != 3 || len(r.Usage) != 1 ||
		r.Usage[0].TotalTokens == 0 {
		t.Errorf("result %+v, usage %+v", r.Result, r.Usage)
	}
	if r.State.Theme != "dark" || r.State.Turn.Preview != "" || r.State.Turn.Done == nil || len(r.Previews) < 5 {
		t.Errorf("state %+v after the previews %q", r.State, r.Previews)
	}
}

// Agents of AG-UI hold, in the end, what the turns' own streams say.
func TestAGUIAgent(t *testing.T) {
	t.Parallel()
	clientFolder(t)
	server, failing := startServer(t, ""), startServer(t, "", "--turn-deadline=1ms")
	var got struct{ First, Second, Refused, Failed, Cut, Connected agentRun }
	runClient(t, &got, "agent.js", server, breaking(t, server), failing)
	got.First.check(t, server, "one")
	got.Second.check(t, server, "two")
	if len(got.First.Messages) != 4 || len(got.Second.Messages) != 8 || got.First.Thread != got.Second.Thread {
		t.Errorf("%d messages and then %d, want 4 and 8 of one thread", len(got.First.Messages), len(got.Second.Messages))
	}
	replaced, _ := lookup(got.Second.Messages[7].Content, "event.replaces")
	if id, _ := lookup(got.First.Messages[3].Content, "event.id"); id == nil || id != replaced {
		t.Errorf("the second proposal replaces %v, want %v", replaced, id)
	}
	if e := got.Refused.Error; e == nil || e.Status != http.StatusBadRequest ||
		!strings.Contains(e.Message, "forwardedProps.organizer: there is no person") {
		t.Errorf("with an unknown organizer: %+v", e)
	}
	if f := got.Failed.Failed; f == nil || f.Code != "deadline_exceeded" || f.Message == "" ||
		got.Failed.State.Turn.Error == nil {
		t.Errorf("failed: %+v", got.Failed)
	}
	if got.Cut.Error == nil || got.Cut.Outcome != "" {
		t.Errorf("cut off: %+v, want an error", got.Cut)
	}
	got.Connected.check(t, server, got.Connected.State.Turn.TurnID)
	if len(got.Connected.Messages) != 4 {
		t.Errorf("connected again: %d messages, want 4", len(got.Connected.Messages))
	}
}

// The types that are served are those of a client that compiles, in the strictest way.
func TestClientTypesCompile(t *testing.T) {
	t.Parallel()
	node, folder := clientFolder(t)
	_, types, _ := get(t, startServer(t, "")+"/client.d.ts")
	sample, err := os.ReadFile(filepath.Join(folder, "sample.ts"))
	if err != nil {
		t.Fatal(err)
	}
	dir := clientProject(t, folder, map[string][]byte{"client.d.ts": types, "sample.ts": sample})
	compile(t, node, folder, dir, "client.d.ts")
	compile(t, node, folder, dir, "--skipLibCheck", "sample.ts") // the packages' own types are not ours to check
}

// clientProject is a folder with files of a client and the packages of other makers.
func clientProject(t *testing.T, folder string, files map[string][]byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files["package.json"] = []byte(`{"type": "module"}`)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(folder, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// compile has TypeScript check a client in the strictest way.
func compile(t *testing.T, node, folder, dir string, arguments ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clientTime)
	defer cancel()
	options := []string{
		filepath.Join(
			folder,
			"node_modules",
			"typescript",
			"bin",
			"tsc",
		),
		"--strict",
		"--noEmit",
		"--exactOptionalPropertyTypes",
		"--target",
		"es2022",
		"--lib",
		"es2022,dom,dom.iterable",
		"--module",
		"esnext",
		"--moduleResolution",
		"bundler",
	}
	compiler := exec.CommandContext(ctx, node, append(options, arguments...)...)
	compiler.Dir = dir
	if out, err := compiler.CombinedOutput(); err != nil {
		t.Errorf("tsc %v: %v\n%s", arguments, err, out)
	}
}
