// Package mcp serves agents over the Model Context Protocol, at one address that speaks streamable HTTP: with propose,
// edit, confirm and cancel an agent arranges an event as a person does, and the tools of the assistant are called as
// over HTTP. An agent proposes, asks its user, and confirms; nothing is written to a calendar before that.
//
// A call of propose or edit is a turn like any other. Its result is made of the same updates that a stream has, so that
// an agent sees what a person sees. What goes wrong in a turn is a tool result that says what to do; protocol errors
// are for mistakes in the protocol.
//
// The server keeps nothing between requests, so that any process answers any of them. A call whose connection ends, or
// that the client cancels, cancels its turn; see calls.
package mcp

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"convene/pkg/booking"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// The ports through which the tools reach the rest. Their errors are faults.
type (
	// Turns starts turns and ends them early.
	Turns interface {
		// Start accepts a turn and gives it its ids; for an idempotency key that was used before, it returns the first turn.
		Start(ctx context.Context, t meet.Turn) (meet.Turn, error)
		// Cancel ends a turn early; a finished one is not an error.
		Cancel(ctx context.Context, id meet.TurnID) error
	}
	// Log is the reading half of turn.Log.
	Log interface {
		Follow(ctx context.Context, turn meet.TurnID, after int, fn func(...turn.Entry) error) error
	}
	// Desk reads, books and cancels proposals.
	Desk interface {
		Proposal(ctx context.Context, id meet.ProposalID) (meet.Event, error)
		Confirm(ctx context.Context, id meet.ProposalID, c booking.Choice) (meet.Event, error)
		Cancel(ctx context.Context, id meet.ProposalID) (meet.Event, error)
	}
)

// Config configures a Server. The ports, Tell, ReadTurn and MayConfirm are required.
type Config struct {
	Turns Turns
	Log   Log
	Desk  Desk
	// Tell composes the message, in Markdown, of an event that is confirmed, cancelled or replaced.
	Tell func(meet.Event) meet.MessageUpdate
	// ReadTurn checks the body of POST /v1/turns and finds its people. key, the idempotency key, may be empty.
	ReadTurn func(ctx context.Context, body []byte, key string) (meet.Turn, error)
	// MayConfirm returns an error if the caller may confirm nothing.
	MayConfirm func(ctx context.Context) error
	// Tools are those of the assistant. Defaults to none.
	Tools Tools
	// Deadline bounds a call: as long as a turn may take. Defaults to 60 s.
	Deadline time.Duration
	// Heartbeat is the silence after which a waiting call sends a sign of life. Defaults to 15 s.
	Heartbeat time.Duration
	// WriteTimeout is how long a client may take for one write. Defaults to 10 s.
	WriteTimeout time.Duration
}

func (c Config) withDefaults() Config {
	c.Deadline = cmp.Or(c.Deadline, time.Minute)
	c.Heartbeat = cmp.Or(c.Heartbeat, 15*time.Second)
	c.WriteTimeout = cmp.Or(c.WriteTimeout, 10*time.Second)
	return c
}

// Server serves the tools. The server that mounts it checks callers, origins and host names.
type Server struct {
	cfg Config
	// http is made for the first message: describing the tools takes as long as the rest of a server's start.
	http  func() http.Handler
	calls calls
}

// instructions are for the client's model.
const instructions = "Convene finds a time that suits everyone's calendars and a place between people. " +
	"Call propose with what the user said. Show the user the proposal, and call confirm only once they agree: it writes " +
	"to calendars and invites people. " +
	"To change a proposal, or to answer a question that came back, call edit with the conversationId. " +
	"Never make up a time or a place: take them from results. " +
	"The other tools see and change the user's own day. What they would change comes back as a set: show it to " +
	"the user, " +
	"and call system_confirmProposal only once they agree."

// New fills in the defaults of cfg.
func New(cfg Config) *Server {
	s := &Server{cfg: cfg.withDefaults(), calls: calls{running: map[callID]context.CancelCauseFunc{}}}
	s.http = sync.OnceValue(s.describe)
	return s
}

// describe describes the tools to the SDK. A schema that cannot be made fails every test that calls one.
func (s *Server) describe() http.Handler {
	server := sdk.NewServer(
		&sdk.Implementation{Name: "convene", Title: "Convene", Version: "1"},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}},
	)
	tools, err := s.tools()
	if err != nil {
		panic(fmt.Errorf("describe the tools: %w", err))
	}
	for _, t := range tools {
		server.AddTool(&t.Tool, s.handler(t))
	}
	server.AddReceivingMiddleware(offeredOnly, s.onlyAllowed)
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
		Stateless:           true,
		MaxRequestBodyBytes: maxBody,
		// It would refuse the host names of a proxy on this machine; the server that mounts this one checks them.
		DisableLocalhostProtection: true,
	})
}

// offeredOnly refuses methods that are not offered. The SDK would answer that there are no prompts and no resources,
// and would keep a connection open for changes that cannot come.
func offeredOnly(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		switch method {
		case "initialize", "ping", "server/discover", methodCall, "tools/list":
			return next(ctx, method, req)
		}
		if strings.HasPrefix(method, "notifications/") {
			return next(ctx, method, req)
		}
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "only tools are offered here"}
	}
}
