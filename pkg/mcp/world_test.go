package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// at is a time of the day on which everything happens.
func at(hour int) time.Time { return time.Date(2026, 11, 24, hour, 0, 0, 0, time.UTC) }

// coffee is a proposal with two other times and one other place.
func coffee() meet.Event {
	return meet.Event{
		ID: "p1", Conversation: "c1", Status: meet.Proposed, Title: "Coffee with Al", EventType: meet.InPerson,
		Start: at(10), End: at(11), Timezone: "UTC", Participants: []meet.Participant{
			{ID: "me", Name: "Morgan", LocalStart: at(10)},
		},
		Place: &meet.Place{Name: "Ritual"}, Conflicts: []meet.Conflict{},
		Alternatives: meet.AlternativeOffer{
			Slots: []meet.Slot{
				{Start: at(12), End: at(13), State: meet.SlotFree},
				{Start: at(14), End: at(15), State: meet.SlotUnknown, Unknown: []string{"Al"}},
			},
			Places: []meet.Place{{Name: "Grand Coffee"}},
		},
	}
}

// world is everything behind the tools. Its turns stream a script; one without a done goes on until it is cancelled.
type world struct {
	script []meet.Update
	readIn func(ctx context.Context, body []byte, key string) (meet.Turn, error)
	desk   func(meet.ProposalID, booking.Choice) (meet.Event, error)
	tools  Tools
	// mayConfirm is why the caller may confirm nothing.
	mayConfirm error

	mu        sync.Mutex
	bodies    []string
	tenants   []meet.Tenant
	started   chan meet.TurnID
	cancelled chan meet.TurnID
	// ended has an entry for each request that was answered or given up.
	ended chan struct{}
}

func newWorld(script ...meet.Update) *world {
	return &world{
		script: script, started: make(chan meet.TurnID, 100), cancelled: make(chan meet.TurnID, 100),
		ended: make(chan struct{}, 100),
		desk:  func(meet.ProposalID, booking.Choice) (meet.Event, error) { return meet.Event{}, nil },
	}
}

func proposed() []meet.Update {
	return []meet.Update{
		meet.AcknowledgmentUpdate{Text: "On it."},
		meet.ProgressUpdate{Text: "Getting schedules...", Step: 3, Of: 5},
		meet.ProgressUpdate{Text: "Getting schedules...", Step: 3, Of: 5},
		meet.ProgressUpdate{Text: "Selecting...", Step: 5, Of: 5},
		meet.MessageDeltaUpdate{Text: "Coffee"},
		meet.MessageUpdate{Text: "**Coffee with Al** at 10"},
		meet.EventUpdate{Event: coffee()},
		meet.DoneUpdate{Outcome: meet.OutcomeProposed},
	}
}

func (w *world) read(ctx context.Context, body []byte, key string) (meet.Turn, error) {
	w.mu.Lock()
	w.bodies = append(w.bodies, string(body))
	w.mu.Unlock()
	if w.readIn != nil {
		return w.readIn(ctx, body, key)
	}
	return meet.Turn{IdempotencyKey: key}, nil
}

// Start is Turns'.
func (w *world) Start(ctx context.Context, t meet.Turn) (meet.Turn, error) {
	w.mu.Lock()
	w.tenants = append(w.tenants, meet.TenantOf(ctx))
	w.mu.Unlock()
	t.ID, t.Conversation = "t1", "c1"
	w.started <- t.ID
	return t, nil
}

// Cancel is Turns'.
func (w *world) Cancel(ctx context.Context, id meet.TurnID) error {
	w.cancelled <- id
	return ctx.Err()
}

// Follow is Log's.
func (w *world) Follow(ctx context.Context, id meet.TurnID, _ int, fn func(...turn.Entry) error) error {
	for i, u := range append([]meet.Update{meet.TurnUpdate{TurnID: id, ConversationID: "c1"}}, w.script...) {
		data, err := meet.MarshalUpdate(u)
		if err != nil {
			return err
		}
		_, last := u.(meet.DoneUpdate)
		if err := fn(turn.Entry{ID: i + 1, Data: data, Last: last}); err != nil || last {
			return err
		}
	}
	<-ctx.Done()
	return ctx.Err()
}

// desk is a booking desk that does as the world says.
type desk struct{ *world }

func (d desk) Confirm(_ context.Context, id meet.ProposalID, c booking.Choice) (meet.Event, error) {
	return d.desk(id, c)
}

func (d desk) Proposal(_ context.Context, id meet.ProposalID) (meet.Event, error) {
	return d.desk(id, booking.Choice{})
}

func (d desk) Cancel(_ context.Context, id meet.ProposalID) (meet.Event, error) {
	return d.desk(id, booking.Choice{})
}

// tell is what is said of an event that is settled.
func tell(e meet.Event) meet.MessageUpdate {
	place := ""
	if e.Place != nil {
		place = " at " + e.Place.Name
	}
	return meet.MessageUpdate{
		Text: fmt.Sprintf("**%s** is %s, %s%s.", e.Title, e.Status, e.Start.Format("Monday at 15:04"), place),
	}
}

// serve serves the tools; every request is the tenant's that its header names.
func (w *world) serve(t *testing.T, change ...func(*Config)) string {
	t.Helper()
	cfg := Config{
		Turns: w, Log: w, Desk: desk{w}, Tell: tell, ReadTurn: w.read, Deadline: time.Minute,
		MayConfirm: func(context.Context) error { return w.mayConfirm }, Tools: w.tools,
	}
	for _, c := range change {
		c(&cfg)
	}
	s := New(cfg)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		defer func() { w.ended <- struct{}{} }()
		s.ServeHTTP(rw, r.WithContext(meet.InTenant(r.Context(), meet.Tenant(r.Header.Get("Tenant")))))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// connect is a client of the newest version of the protocol.
func connect(t *testing.T, url string, options ...sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	var o sdk.ClientOptions
	if len(options) > 0 {
		o = options[0]
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &o)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// answer is what a tool gave: its texts, and its structured content, which has to be what the schema promises.
type answer struct {
	texts   []string
	isError bool
	content map[string]any
}

func call(t *testing.T, session *sdk.ClientSession, tool, args string) answer {
	t.Helper()
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	c := answer{isError: got.IsError}
	for _, content := range got.Content {
		c.texts = append(c.texts, content.(*sdk.TextContent).Text)
	}
	c.content = got.StructuredContent.(map[string]any)
	schema, err := resultSchema()
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(c.content); err != nil {
		t.Errorf("%s gave what its schema does not allow: %v", tool, err)
	}
	return c
}

// wantFields compares some of the structured content, by name.
func (c answer) wantFields(t *testing.T, want map[string]any) {
	t.Helper()
	got := map[string]any{}
	for name := range want {
		got[name] = c.content[name]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
}

// response is an answer of which the status is there, and the body comes.
type response struct {
	status int
	header http.Header
	body   io.Reader
}

// post sends a message as clients of older versions do.
func post(ctx context.Context, t *testing.T, url, message string, header ...string) response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return response{resp.StatusCode, resp.Header, resp.Body}
}

// rest is all of the body.
func (r response) rest(t *testing.T) string {
	t.Helper()
	b, err := io.ReadAll(r.body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// nextLine reads lines until one begins so.
func nextLine(t *testing.T, lines *bufio.Scanner, prefix string) string {
	t.Helper()
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), prefix) {
			return lines.Text()
		}
	}
	t.Fatalf("no line begins with %q: %v", prefix, lines.Err())
	return ""
}

func invalid(field string) func(context.Context, []byte, string) (meet.Turn, error) {
	return func(context.Context, []byte, string) (meet.Turn, error) {
		return meet.Turn{}, fault.Invalid(field, "is wrong")
	}
}

// reading is a world in which requests are read so.
func reading(read func(context.Context, []byte, string) (meet.Turn, error)) *world {
	w := newWorld()
	w.readIn = read
	return w
}

// settling is a world in which this comes of every proposal.
func settling(e meet.Event, err error) *world {
	w := newWorld()
	w.desk = func(meet.ProposalID, booking.Choice) (meet.Event, error) { return e, err }
	return w
}
