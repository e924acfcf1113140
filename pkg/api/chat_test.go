package api

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// memoryChats remember in memory.
type memoryChats struct {
	mu     sync.Mutex
	latest map[meet.ConversationID]meet.TurnID
	fail   error
}

func (m *memoryChats) Remember(_ context.Context, chat meet.ConversationID, turn meet.TurnID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.latest == nil {
		m.latest = map[meet.ConversationID]meet.TurnID{}
	}
	m.latest[chat] = turn
	return m.fail
}

func (m *memoryChats) Latest(_ context.Context, chat meet.ConversationID) (meet.TurnID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return "", m.fail
	}
	turn, ok := m.latest[chat]
	if !ok {
		return "", fault.New(fault.NotFound, "There is no such chat.")
	}
	return turn, nil
}

func withChats(c *memoryChats) func(*Config) { return func(cfg *Config) { cfg.Chats = c } }

const (
	chatBody = `{"id":"c7","trigger":"submit-message","organizer":"me","messages":[{"id":"m1","role":"user",` +
		`"parts":[{"type":"text","text":"coffee with Al"}]}]}`
	runBody = `{"threadId":"c7","runId":"r1","protocolVersion":"1.0","tools":[],"context":[],"state":{"x":1},` +
		`"forwardedProps":{"organizer":"me"},"messages":[{"id":"m1","role":"user","content":"coffee with Al"}]}`
)

// What other makers' clients send becomes a turn like any other.
func TestForeignRequestsBecomeTurns(t *testing.T) {
	t.Parallel()
	me := meet.Person{ID: "me", Name: "Mia", Email: "mia@example.com"}
	plain := meet.Turn{Conversation: "c7", Message: "coffee with Al", Organizer: me}
	for _, tt := range []struct {
		name, path, body string
		want             meet.Turn
	}{
		{"a chat", "/v1/chat", chatBody, plain},
		{"a run", "/v1/agui", runBody, plain},
		{
			"the last message of a chat counts, in all its texts", "/v1/chat",
			`{"id":"c7","organizer":"me","messages":[
				{"role":"user","parts":[{"type":"text","text":"lunch"}]},
				{"role":"assistant","parts":[{"type":"text","text":"Which day?"},{"type":"data-event","data":{"event":{}}}]},
				{"role":"user","parts":[{"type":"file","url":"data:,"},{"type":"text","text":"coffee"},{"type":"text",
					"text":"with Al"}]},
				{"role":"system","parts":[]}]}`,
			meet.Turn{Conversation: "c7", Message: "coffee\nwith Al", Organizer: me},
		},
		{
			"the last message of a run counts, in all its texts", "/v1/agui",
			`{"threadId":"c7","runId":"r1","forwardedProps":{"organizer":"me"},"messages":[
				{"role":"user","content":"lunch"},{"role":"assistant","content":"Which day?"},
				{"role":"user","content":[{"type":"image","source":{}},{"type":"text","text":"coffee"},{"type":"text",
					"text":"with Al"}]},
				{"role":"activity","content":{"any":"thing"}}]}`,
			meet.Turn{Conversation: "c7", Message: "coffee\nwith Al", Organizer: me},
		},
		{
			"all options of a chat", "/v1/chat",
			strings.Replace(chatBody, `"organizer":"me"`, `"organizer":"me","participants":["al"],"timezone":"Europe/Berlin",`+
				`"autoConfirm":true,"availability":[{"person":"al","busy":[]}]`, 1),
			meet.Turn{
				Conversation: "c7", Message: "coffee with Al", Organizer: me, Participants: []meet.Person{
					{ID: "al", Name: "Al Chen"},
				},
				Timezone: "Europe/Berlin", AutoConfirm: true, Availability: []meet.GivenAvailability{
					{Person: "al", Busy: []interval.Span{}},
				},
			},
		},
		{
			"all options of a run", "/v1/agui",
			strings.Replace(runBody, `"organizer":"me"`,
				`"organizer":{"id":"zoe","name":"Zoe"},"participants":["al"],"timezone":"Europe/Berlin","theme":"dark"`, 1),
			meet.Turn{
				Conversation: "c7", Message: "coffee with Al", Organizer: meet.Person{ID: "zoe", Name: "Zoe"},
				Participants: []meet.Person{{ID: "al", Name: "Al Chen"}}, Timezone: "Europe/Berlin",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.turns.script = wholeTurn
			if a := do(t, "POST", f.serve(t)+tt.path, tt.body); a.status != http.StatusOK {
				t.Fatalf("status %d: %s", a.status, a.body)
			}
			if diff := cmp.Diff([]meet.Turn{tt.want}, f.turns.started,
				cmpopts.IgnoreFields(meet.Turn{}, "ReceivedAt")); diff != "" {
				t.Errorf("turns (-want +got):\n%s", diff)
			}
		})
	}
}

// Each answers in its protocol, whatever Accept says, and a run has its client's name.
func TestForeignRequestsAreAnsweredInTheirProtocol(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, body, first string }{
		{"/v1/chat", chatBody, `{"type":"start","messageId":"t1","messageMetadata":{"turnId":"t1","conversationId":"c7"}}`},
		{"/v1/agui", runBody, `{"type":"RUN_STARTED","threadId":"c7","runId":"r1","protocolVersion":"1.0"}`},
	} {
		f := newFixture(t)
		f.turns.script = wholeTurn
		a := do(t, "POST", f.serve(t)+tt.path, tt.body, "Accept", "application/json")
		if !strings.HasPrefix(a.body, "retry: 2000\ndata: "+tt.first+"\n") || a.header.Get("Location") != "/v1/turns/t1" {
			t.Errorf("%s: %s at %q", tt.path, a.body, a.header.Get("Location"))
		}
	}
}

func TestForeignRequestsThatAreWrong(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, path, body, field string
		status                  int
	}{
		{"no JSON", "/v1/chat", `{`, "body", 400},
		{"no messages", "/v1/chat", `{"id":"c7","organizer":"me"}`, "messages", 400},
		{"answered already", "/v1/chat", `{"id":"c7","organizer":"me","messages":[{"role":"user","parts":[]},` +
			`{"role":"assistant","parts":[]}]}`, "messages", 400},
		{"nothing said", "/v1/chat", strings.Replace(chatBody, "coffee with Al", " ", 1), "messages", 400},
		{"messages that are none", "/v1/chat", `{"id":"c7","messages":"hi"}`, "messages", 400},
		{"no organizer of a chat", "/v1/chat", strings.Replace(chatBody, `"organizer"`, `"other"`, 1), "organizer", 400},
		{"an id that is none", "/v1/chat", strings.Replace(chatBody, "c7", "c 7", 1), "id", 400},
		{"a zone that is none", "/v1/chat", strings.Replace(chatBody, `"organizer"`, `"timezone":"Mars","organizer"`, 1),
			"timezone", 400},
		{"participants of a chat that are no list", "/v1/chat",
			strings.Replace(chatBody, `"organizer"`, `"participants":"al","organizer"`, 1), "participants", 400},
		{"participants of a run that are no list", "/v1/agui",
			strings.Replace(runBody, `"organizer"`, `"participants":"al","organizer"`, 1), "forwardedProps.participants", 400},
		{"a text that is none", "/v1/chat", `{"id":"c7","organizer":"me","messages":[{"role":"user",` +
			`"parts":[{"type":"text","text":5}]}]}`, "messages.parts.text", 400},
		{"no organizer of a run", "/v1/agui", strings.Replace(runBody, `"organizer"`, `"other"`, 1),
			"forwardedProps.organizer", 400},
		{"no properties of a run", "/v1/agui", strings.Replace(runBody, `"forwardedProps"`, `"other"`, 1),
			"forwardedProps.organizer", 400},
		{"a thread that is none", "/v1/agui", strings.Replace(runBody, "c7", "c 7", 1), "threadId", 400},
		{"nothing asked", "/v1/agui", strings.Replace(runBody, `"role":"user"`, `"role":"tool"`, 1), "messages", 400},
		{"too much said", "/v1/agui", strings.Replace(runBody, "coffee", strings.Repeat("x", maxMessage), 1), "messages",
			413},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			a := do(t, "POST", f.serve(t)+tt.path, tt.body)
			if p := a.problem(t); p.Status != tt.status || p.Field != tt.field {
				t.Errorf("problem = %+v, want %d for %s", p, tt.status, tt.field)
			}
			if len(f.turns.started) != 0 {
				t.Error("the turn was started")
			}
		})
	}
}

// A repeated request of a chat is the first turn, as with turns.
func TestForeignRequestsMayBeRepeated(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.turns.script = wholeTurn
	url := f.serve(t) + "/v1/chat"
	first, again := do(t, "POST", url, chatBody, "Idempotency-Key", "k1"),
		do(t, "POST", url, chatBody, "Idempotency-Key", "k1")
	wantDiff(t, "stream", first.body, again.body)
	other := do(t, "POST", url, strings.Replace(chatBody, "coffee", "lunch", 1), "Idempotency-Key", "k1")
	if p := other.problem(t); p.Status != http.StatusUnprocessableEntity || p.Field != "Idempotency-Key" {
		t.Errorf("problem = %+v, want the key refused", p)
	}
}

// Clients of other makers send the whole chat each time, so that more is accepted from them, but not without end.
func TestWholeChatsFit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.turns.script = wholeTurn
	url := f.serve(t)
	long := func(n int) string {
		history := `{"role":"assistant","parts":[{"type":"data-event","data":"` + strings.Repeat("x", n) + `"}]},`
		return strings.Replace(chatBody, `"messages":[`, `"messages":[`+history, 1)
	}
	for _, tt := range []struct {
		path   string
		size   int
		status int
		detail string
	}{
		{"/v1/chat", 900 << 10, 200, ""},
		{"/v1/chat", 1100 << 10, 413, "1024 kB"},
		{"/v1/agui", 1100 << 10, 413, "1024 kB"},
		{"/v1/turns", 900 << 10, 413, "100 kB"},
	} {
		a := do(t, "POST", url+tt.path, long(tt.size))
		if a.status != tt.status || tt.detail != "" && !strings.Contains(a.problem(t).Detail, tt.detail) {
			t.Errorf("%s with %d kB = %d %.200s, want %d", tt.path, tt.size>>10, a.status, a.body, tt.status)
		}
	}
}

// A chat is taken up with its latest turn, from the beginning, whether it runs or has ended.
func TestChatIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, withChats(&memoryChats{}))
	f.turns.script = wholeTurn
	url := f.serve(t) + "/v1/chat"
	if a := do(t, "GET", url+"/c7/stream", ""); a.status != http.StatusNoContent || a.body != "" {
		t.Errorf("before anything was said: %d %s, want an empty 204", a.status, a.body)
	}
	do(t, "POST", url, chatBody)
	second := do(t, "POST", url, chatBody)
	again := do(t, "GET", url+"/c7/stream", "")
	wantDiff(t, "stream", second.body, again.body)
	if again.header.Get("X-Vercel-Ai-Ui-Message-Stream") != "v1" || !strings.Contains(again.body, `"messageId":"t2"`) {
		t.Errorf("stream = %s of %s, want the second turn", again.header, again.body)
	}
	for _, other := range []string{"c8", "c%207", "..%2F.."} {
		if a := do(t, "GET", url+"/"+other+"/stream", ""); a.status != http.StatusNoContent {
			t.Errorf("chat %s = %d, want 204", other, a.status)
		}
	}
}

// Where chats cannot be remembered, they are answered all the same.
func TestChatWithoutMemory(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change  []func(*Config)
		status  int
		content string
	}{
		"none": {nil, http.StatusNoContent, ""},
		"it fails": {[]func(*Config){withChats(&memoryChats{
			fail: fault.New(fault.Unavailable, "Not now.").Later(time.Second),
		})}, 200, `"errorText":"Not now."`},
		"it is lost": {[]func(*Config){withChats(&memoryChats{
			latest: map[meet.ConversationID]meet.TurnID{"c7": "t9"},
		})}, 200, `"messageId":"t1"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, tt.change...)
			f.turns.script = wholeTurn
			url := f.serve(t) + "/v1/chat"
			if name == "it is lost" {
				if a := do(t, "GET", url+"/c7/stream", ""); a.status != http.StatusNoContent {
					t.Errorf("a turn that is gone = %d %s, want 204", a.status, a.body)
				}
			}
			if a := do(t, "POST", url, chatBody); a.status != 200 || !strings.Contains(a.body, `"type":"finish"`) {
				t.Errorf("chat = %d %s", a.status, a.body)
			}
			if a := do(t, "GET", url+"/c7/stream", ""); a.status != tt.status || !strings.Contains(a.body, tt.content) {
				t.Errorf("taken up = %d %s, want %d", a.status, a.body, tt.status)
			}
		})
	}
}

func TestForeignRequestsAreAsDocumented(t *testing.T) {
	t.Parallel()
	_, text := document(t)
	for schema, bodies := range map[string]map[string]bool{
		"ChatRequest": {
			chatBody: true, `{"id":"c7","messages":[]}`: true,
			`{"id":"c7"}`: false, `{"id":"c7","organizer":7,"messages":[]}`: false,
		},
		"AgentRequest": {
			runBody: true, `{"threadId":"c7","runId":"r1","messages":[]}`: true,
			`{"threadId":"c7","runId":"r1","messages":[],"forwardedProps":{"organizer":7}}`: false,
		},
	} {
		compiled := compile(t, text, schema)
		for body, ok := range bodies {
			if err := validate(t, compiled, []byte(body)); (err == nil) != ok {
				t.Errorf("%s %s: %v, want valid: %t", schema, body, err, ok)
			}
		}
	}
}
