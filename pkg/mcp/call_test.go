package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"convene/pkg/meet"
)

const (
	proposeCall = `{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "propose", "arguments": ` +
		`{"message": "coffee", "organizer": "me"}}}`
	keyedCall = `{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "propose", "arguments": ` +
		`{"message": "coffee", "organizer": "me", "idempotencyKey": "k"}}}`
	giveUp = `{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}`
)

// What a tool does is done on behalf of the request's tenant, in all versions of the protocol.
func TestACallIsItsTenants(t *testing.T) {
	t.Parallel()
	w := newWorld(proposed()...)
	url := w.serve(t)
	for _, header := range [][]string{
		{"Tenant", "acme"},
		{"Tenant", "globex", "Mcp-Protocol-Version", "2025-11-25"},
		{"Tenant", "initech", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "propose"},
	} {
		message := proposeCall
		if len(header) > 4 {
			message = strings.Replace(message, `"params": {`,
				`"params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
				"io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
					"io.modelcontextprotocol/clientCapabilities": {}}, `, 1)
		}
		if got := post(t.Context(), t, url, message, header...).rest(t); !strings.Contains(got, `"proposalId":"p1"`) {
			t.Errorf("%v was told %s", header, got)
		}
	}
	if diff := cmp.Diff([]meet.Tenant{"acme", "globex", "initech"}, w.tenants); diff != "" {
		t.Errorf("tenants (-want +got):\n%s", diff)
	}
}

// A client that goes away leaves no turn running, whatever version of the protocol it speaks.
func TestADisconnectCancelsTheTurn(t *testing.T) {
	t.Parallel()
	t.Run("old client", func(t *testing.T) {
		t.Parallel()
		w := newWorld()
		ctx, leave := context.WithCancel(t.Context())
		post(ctx, t, w.serve(t), proposeCall)
		<-w.started
		leave()
		<-w.cancelled
	})
	t.Run("new client", func(t *testing.T) {
		t.Parallel()
		w := newWorld()
		session := connect(t, w.serve(t))
		ctx, leave := context.WithCancel(t.Context())
		go func() { <-w.started; leave() }()
		params := &sdk.CallToolParams{Name: "propose", Arguments: map[string]any{"message": "coffee", "organizer": "me"}}
		if _, err := session.CallTool(ctx, params); err == nil {
			t.Error("the call was answered")
		}
		<-w.cancelled
	})
}

// A client with a key may come back for the result, unless it said that it does not want it.
func TestAKeyedTurnOutlivesItsConnection(t *testing.T) {
	t.Parallel()
	w := newWorld()
	url := w.serve(t)
	ctx, leave := context.WithCancel(t.Context())
	post(ctx, t, url, keyedCall, sessionName, "s1")
	<-w.started
	leave()
	<-w.ended
	if n := len(w.cancelled); n > 0 {
		t.Error("the turn was cancelled")
	}
	post(t.Context(), t, url, keyedCall, sessionName, "s1")
	<-w.started
	post(t.Context(), t, url, giveUp, sessionName, "s1")
	<-w.cancelled
}

// Clients of older versions of the protocol keep the connection and send a message.
func TestCancellationByMessage(t *testing.T) {
	t.Parallel()
	w := newWorld()
	url := w.serve(t)
	session := post(t.Context(), t, url,
		`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
		"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}`).header.Get(sessionName)
	if session == "" {
		t.Fatal("initialize names no session")
	}
	resp := post(t.Context(), t, url, proposeCall, sessionName, session)
	<-w.started
	post(t.Context(), t, url, giveUp, sessionName, session)
	<-w.cancelled
	if got := resp.rest(t); strings.Contains(got, "data:") {
		t.Errorf("the cancelled call was answered: %s", got)
	}
}

// A message cancels a call of its own session and tenant, and no other.
func TestStrangersCannotCancel(t *testing.T) {
	t.Parallel()
	s := Server{calls: calls{running: map[callID]context.CancelCauseFunc{}}}
	request := func(tenant meet.Tenant, session string) *http.Request {
		r := httptest.NewRequestWithContext(meet.InTenant(t.Context(), tenant), http.MethodPost, "/mcp", nil)
		r.Header.Set(sessionName, session)
		return r
	}
	message := func(text string) (m envelope) {
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	begin := func(tenant meet.Tenant, session string) (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(t.Context())
		return ctx, s.attend(httptest.NewRecorder(), request(tenant, session), message(proposeCall), cancel)
	}
	cancel := func(tenant meet.Tenant, session, text string) {
		s.attend(httptest.NewRecorder(), request(tenant, session), message(text), nil)
	}
	ours, leave := begin("acme", "s1")
	unnamed, _ := begin("acme", "")
	long, _ := begin("acme", strings.Repeat("s", maxSession+1))

	cancel("acme", "s2", giveUp)
	cancel("globex", "s1", giveUp)
	cancel("acme", "", giveUp)
	cancel("acme", strings.Repeat("s", maxSession+1), giveUp)
	cancel("acme", "s1", strings.Replace(giveUp, "7", `"7"`, 1))
	for name, ctx := range map[string]context.Context{"named": ours, "unnamed": unnamed, "too long a name": long} {
		if ctx.Err() != nil {
			t.Errorf("%s: cancelled by a stranger", name)
		}
	}
	second, leaveSecond := begin("acme", "s1") // a client that uses an id twice
	leaveSecond()
	cancel("acme", "s1", giveUp)
	if cause := context.Cause(ours); !errors.Is(cause, errCancelled) {
		t.Errorf("the call's own session: %v", cause)
	}
	if second.Err() != nil {
		t.Error("the second call with the id was cancelled")
	}
	leave()
	if len(s.calls.running) > 0 {
		t.Errorf("kept: %v", s.calls.running)
	}
}

// A call that waits shows that it lives.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	w := newWorld()
	url := w.serve(t, func(c *Config) { c.Heartbeat = time.Millisecond })
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	lines := bufio.NewScanner(post(ctx, t, url, proposeCall).body)
	for range 3 {
		if got := nextLine(t, lines, ":"); got != ": " {
			t.Errorf("line %q", got)
		}
	}
}
