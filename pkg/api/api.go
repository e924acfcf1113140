// Package api serves Convene over HTTP: JSON in, JSON or Server-Sent Events out. A handler reads a request, calls one
// port and returns a value or an error; one renderer turns every error into problem+json. Only a reader of the turn's
// log writes to a stream (stream.go), so that the first connection, a resumed one and the streaming POST all get the
// same bytes.
package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"
	"github.com/rs/zerolog"

	"convene/pkg/auth"
	"convene/pkg/booking"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/turn"
)

// The ports through which the API reaches the rest. Their errors are faults.
type (
	// Turns starts turns and knows how they stand.
	Turns interface {
		// Start accepts a turn and gives it its ids. It returns once the first entry is in the turn's log; for an idempotency
		// key that was used before, it returns the first turn.
		Start(ctx context.Context, t meet.Turn) (meet.Turn, error)
		// Cancel ends a turn early. An unknown turn is fault.NotFound; a finished one is not an error.
		Cancel(ctx context.Context, id meet.TurnID) error
		State(ctx context.Context, id meet.TurnID) (meet.TurnState, error)
	}
	// Log is the reading half of turn.Log.
	Log interface {
		Follow(ctx context.Context, turn meet.TurnID, after int, fn func(...turn.Entry) error) error
	}
	// Proposals is the booking desk.
	Proposals interface {
		Proposal(ctx context.Context, id meet.ProposalID) (meet.Event, error)
		Confirm(ctx context.Context, id meet.ProposalID, c booking.Choice) (meet.Event, error)
		Cancel(ctx context.Context, id meet.ProposalID) (meet.Event, error)
		// Standing returns the confirmed proposal that holds the event of e now; nil if none does.
		Standing(ctx context.Context, e meet.Event) (*meet.Event, error)
	}
	// People stores people. An unknown one is fault.NotFound.
	People interface {
		Put(ctx context.Context, p meet.Person) error
		Person(ctx context.Context, id meet.PersonID) (meet.Person, error)
		Delete(ctx context.Context, id meet.PersonID) error
		All(ctx context.Context) ([]meet.Person, error)
	}
	// Notices are what people are told unasked. Follow calls fn until ctx ends or fn fails.
	Notices interface {
		Follow(ctx context.Context, person meet.PersonID, after int, fn func(...turn.Entry) error) error
	}
	// Chats knows the latest turn of a chat, for as long as a turn can be streamed. An unknown chat is fault.NotFound.
	Chats interface {
		Remember(ctx context.Context, chat meet.ConversationID, turn meet.TurnID) error
		Latest(ctx context.Context, chat meet.ConversationID) (meet.TurnID, error)
	}
)

// Config configures a Server. The four ports are required.
type Config struct {
	Turns     Turns
	Log       Log
	Proposals Proposals
	People    People
	// Organizer is the default organizer in the first tenant. Defaults to none.
	Organizer meet.PersonID
	// Agenda reads people's own events, Preferences their preferences, and Tools are those of the assistant. Without one
	// of them its routes do not exist.
	Agenda      Agenda
	Preferences Preferences
	// Mail are people's mailboxes, which come with an error if only a part could be read; MailConnector connects others.
	Mail          mail.Base
	MailConnector MailConnector
	// Tasks are people's tasks, and TaskFile writes them in a format: ics, txt or json.
	Tasks    Tasks
	TaskFile func(format string, tasks []task.Task) (data []byte, mediaType string, err error)
	// Lists and Notes are what people keep. Without one, its route does not exist.
	Lists, Notes Records
	Tools        Tools
	// Intents are all intents of messages, for the OpenAPI document.
	Intents []meet.Intent
	// Changes is the desk of change sets. Without it the routes do not exist.
	Changes Changes
	// Workflows are saved workflows and runs. Without them the routes do not exist.
	Workflows Workflows
	// Calendars are the calendars that people connect. Without them the routes do not exist.
	Calendars Calendars
	// Notices are what people are told unasked. Without them the route does not exist.
	Notices Notices
	// Chats remembers the turns of chats. Without it an interrupted chat cannot be resumed by its id.
	Chats Chats
	// Webhooks notify other servers. Without Webhooks.Endpoints the routes do not exist.
	Webhooks Webhooks
	// Tell composes the message of an event that is confirmed, cancelled or replaced, and an empty one for a proposed
	// event. Without it, the message of the turn stays.
	Tell func(meet.Event) meet.MessageUpdate
	// ICS writes an event as an iCalendar file. Without it there are no .ics files.
	ICS func(meet.Event) ([]byte, error)
	// Health reports the state of the parts that the server depends on. Defaults to none.
	Health func(context.Context) map[string]PartState
	// Metrics answers GET /metrics. Without it the route does not exist.
	Metrics http.Handler
	// MCP answers POST /mcp. Without it the route does not exist.
	MCP http.Handler
	// Guides are the documents that /docs shows beside the API.
	Guides []Guide
	// Reader, if set, is called for each connection that follows a turn, with the id of the update that it resumes after,
	// 0 for a first connection. left is called when the connection ends.
	Reader func(after int) (left func())
	// Answered, if set, is called for each request when its response begins, streams included: with the route as in the
	// OpenAPI document, the method, the status, and the time since the request arrived. An unknown route or method is
	// "other".
	Answered func(route, method string, status int, took time.Duration)
	// MaxConnections and MaxPerAddress bound the connections that Limit accepts, in total and per address. Only
	// MaxConnections applies to trusted proxies and this machine. 0 is no limit.
	MaxConnections, MaxPerAddress int
	// Dropped, if set, is called with the reason why a connection was refused, or closed to make room: full, per_address
	// or idle.
	Dropped func(why string)
	// Now is the clock of ReceivedAt. Defaults to time.Now.
	Now func() time.Time
	// Logger gets one line per request, and is passed on in the turn's context. The zero value writes nothing.
	Logger zerolog.Logger
	// Door identifies callers. Defaults to one that is open to everyone, for a server that only its own machine reaches.
	Door Door
	// Origins are the sites, as https://app.example, whose pages may use the API, besides this server's own.
	Origins []string
	// TrustedProxies are the networks of proxies whose X-Forwarded-For is trusted. Defaults to none.
	TrustedProxies []*net.IPNet
	// Limits are the rate limits. Defaults to none.
	Limits Limits
	// Hosts are host names that the server answers to, besides those of the loopback interface.
	Hosts []string
	// Heartbeat is the silence after which a stream sends a sign of life. Defaults to 15 s.
	Heartbeat time.Duration
	// Lifetime is how long one connection of a stream lasts, ±10 %, before the client has to resume. Defaults to 10
	// minutes.
	Lifetime time.Duration
	// WriteTimeout is how long one write to a reader may take, up to a tenth longer. Defaults to 10 s.
	WriteTimeout time.Duration
	// ReadTimeout is how long a client may take to send a request, headers and body. Defaults to 10 s.
	ReadTimeout time.Duration
}

func (c Config) withDefaults() Config {
	c.Heartbeat = cmp.Or(c.Heartbeat, 15*time.Second)
	c.Lifetime = cmp.Or(c.Lifetime, 10*time.Minute)
	c.WriteTimeout = cmp.Or(c.WriteTimeout, 10*time.Second)
	c.ReadTimeout = cmp.Or(c.ReadTimeout, 10*time.Second)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Health == nil {
		c.Health = func(context.Context) map[string]PartState { return nil }
	}
	if c.Door == nil {
		c.Door = auth.NewDoor(auth.DoorConfig{})
	}
	if c.Reader == nil {
		c.Reader = func(int) func() { return func() {} }
	}
	if c.Answered == nil {
		c.Answered = func(string, string, int, time.Duration) {}
	}
	if c.Dropped == nil {
		c.Dropped = func(string) {}
	}
	return c
}

// Server serves the API.
type Server struct {
	cfg  Config
	echo *echo.Echo
	huma huma.API
	// routes are by method and path.
	routes    map[string]*route
	crossSite *http.CrossOriginProtection
	leaving   atomic.Bool
	draining  chan struct{}
	drain     sync.Once
}

// New registers the routes. It fails if an origin is invalid, or if what describes a route names nothing that exists.
func New(cfg Config) (*Server, error) {
	s := &Server{
		cfg: cfg.withDefaults(), echo: echo.New(), routes: map[string]*route{}, crossSite: http.NewCrossOriginProtection(),
		draining: make(chan struct{}),
	}
	for _, origin := range cfg.Origins {
		if err := s.crossSite.AddTrustedOrigin(origin); err != nil || !IsOrigin(origin) {
			return nil, fmt.Errorf("%q is not an origin such as https://app.example, in lower case and without a path", origin)
		}
	}
	s.echo.HideBanner, s.echo.HidePort = true, true
	s.echo.IPExtractor = addressBehind(cfg.TrustedProxies)
	s.echo.HTTPErrorHandler = renderProblem
	s.echo.Use(s.annotate, s.bound, s.recoverPanic, s.secureHeaders, s.share, s.stay, s.enter, s.readBody)
	s.huma = humaecho.New(s.echo, describe())

	s.turnRoutes()
	s.chatRoutes()
	s.proposalRoutes()
	s.changeRoutes()
	s.workflowRoutes()
	s.peopleRoutes()
	s.accountRoutes()
	s.ownRoutes()
	s.toolRoutes()
	s.tokenRoutes()
	s.webhookRoutes()
	s.healthRoutes()
	s.agentRoutes()
	s.describeUpdates()
	s.describeTools()
	s.describeWords()
	s.describeLists()
	s.pageRoutes()
	if err := errors.Join(s.describeMembers(), s.describeOperations()); err != nil {
		return nil, err
	}
	return s, nil
}

// Handler serves all routes.
func (s *Server) Handler() http.Handler { return s.echo }

// headerTime bounds how long a client may take to send the headers of a request.
const headerTime = 5 * time.Second

// lastUpdates is how long streams may still send the last updates of ended turns after the server begins to shut down.
const lastUpdates = 250 * time.Millisecond

// HTTP returns a server for Handler with limits against slow and greedy clients. It has no write timeout, because
// streams set a deadline for each write, and other responses one for the whole. Its shutdown drains the streams.
func (s *Server) HTTP() *http.Server {
	// HTTP/2 without TLS too (h2c by prior knowledge): behind a proxy, many streams share a connection.
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{
		Handler:           s.echo,
		Protocols:         protocols,
		ReadHeaderTimeout: min(headerTime, s.cfg.ReadTimeout),
		ReadTimeout:       s.cfg.ReadTimeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// The general handler would read a body before it asks for a key.
		DisableGeneralOptionsHandler: true,
		ConnState:                    noteState,
	}
	server.RegisterOnShutdown(func() { time.AfterFunc(lastUpdates, s.Drain) })
	return server
}

// Leave begins the end of the server: from now on it starts nothing new. It returns at once.
func (s *Server) Leave() { s.leaving.Store(true) }

// Drain ends all streams between two updates, and later ones at once, so that clients resume elsewhere. It returns at
// once and may be called more than once.
func (s *Server) Drain() { s.drain.Do(func() { close(s.draining) }) }

// handle registers a route. An error of h becomes a problem.
func handle[I, O any](s *Server, op *operation, h func(context.Context, *I) (*O, error)) {
	huma.Register(s.huma, op.Operation, func(ctx context.Context, in *I) (*O, error) {
		out, err := h(ctx, in)
		if err != nil {
			return nil, problemOf(ctx, err)
		}
		return out, nil
	})
}

// handleBody is handle for a route whose requests have a body.
func handleBody[I, B, O any](s *Server, op *operation, h func(context.Context, *I, B) (*O, error)) {
	handle(s, op.body(reflectSchema[B](s)), func(ctx context.Context, in *I) (*O, error) {
		body, err := bodyOf[B](ctx)
		if err != nil {
			return nil, err
		}
		return h(ctx, in, body)
	})
}
