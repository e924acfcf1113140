package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/sse"
	"convene/pkg/turn"
)

// memoryLog is a turn log in memory.
type memoryLog struct {
	mu      sync.Mutex
	turns   map[meet.TurnID][]turn.Entry
	changed chan struct{}
	// fail, where set, ends every Follow after what is there.
	fail error
}

func newMemoryLog() *memoryLog {
	return &memoryLog{turns: map[meet.TurnID][]turn.Entry{}, changed: make(chan struct{})}
}

func (l *memoryLog) append(id meet.TurnID, updates ...meet.Update) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, u := range updates {
		data, err := meet.MarshalUpdate(u)
		if err != nil {
			panic(err)
		}
		_, last := u.(meet.DoneUpdate)
		l.turns[id] = append(l.turns[id], turn.Entry{ID: len(l.turns[id]) + 1, Data: data, Last: last})
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *memoryLog) read(id meet.TurnID, after int) (entries []turn.Entry, changed chan struct{}, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all, known := l.turns[id]
	return slices.Clone(all[min(after, len(all)):]), l.changed, known
}

func (l *memoryLog) Follow(ctx context.Context, id meet.TurnID, after int, fn func(...turn.Entry) error) error {
	for {
		entries, changed, known := l.read(id, after)
		if !known {
			return fault.New(fault.NotFound, "There is no turn with this id.")
		}
		if len(entries) > 0 {
			if err := fn(entries...); err != nil {
				return err
			}
			after += len(entries)
		}
		if all, _, _ := l.read(id, 0); len(all) > 0 && all[len(all)-1].Last && after >= len(all) {
			return nil
		}
		if l.fail != nil {
			return l.fail
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// scriptedTurns starts turns whose updates are written beforehand.
type scriptedTurns struct {
	mu      sync.Mutex
	log     *memoryLog
	script  []meet.Update
	started []meet.Turn
	keys    map[string]meet.Turn
	fail    error
}

func (r *scriptedTurns) Start(_ context.Context, t meet.Turn) (meet.Turn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail != nil {
		return t, r.fail
	}
	if first, ok := r.keys[t.IdempotencyKey]; ok && t.IdempotencyKey != "" {
		if first.RequestDigest != t.RequestDigest {
			return t, fault.Invalid("Idempotency-Key", "was used for another request")
		}
		return first, nil
	}
	r.started = append(r.started, t)
	t.ID = meet.TurnID(fmt.Sprint("t", len(r.started)))
	if t.Conversation == "" {
		t.Conversation = "c1"
	}
	r.keys[t.IdempotencyKey] = t
	r.log.append(t.ID, append([]meet.Update{
		meet.TurnUpdate{TurnID: t.ID, ConversationID: t.Conversation},
	}, r.script...)...)
	return t, nil
}

func (r *scriptedTurns) Cancel(_ context.Context, id meet.TurnID) error {
	r.log.append(id, meet.DoneUpdate{Outcome: meet.OutcomeCancelled})
	return nil
}

func (r *scriptedTurns) State(_ context.Context, id meet.TurnID) (meet.TurnState, error) {
	r.mu.Lock()
	fail := r.fail
	r.mu.Unlock()
	if fail != nil {
		return meet.TurnState{}, fail
	}
	entries, _, known := r.log.read(id, 0)
	if !known {
		return meet.TurnState{}, fault.New(fault.NotFound, "There is no turn with this id.")
	}
	state := meet.TurnState{TurnID: id, ConversationID: "c1", Phase: meet.TurnRunning, LastUpdate: len(entries)}
	if entries[len(entries)-1].Last {
		state.Phase, state.Outcome = meet.TurnDone, meet.OutcomeProposed
	}
	return state, nil
}

// memoryPeople stores people.
type memoryPeople struct {
	mu     sync.Mutex
	people map[meet.PersonID]meet.Person
}

func (m *memoryPeople) Put(_ context.Context, p meet.Person) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.people[p.ID] = p
	return nil
}

func (m *memoryPeople) Person(_ context.Context, id meet.PersonID) (meet.Person, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.people[id]
	if !ok {
		return p, fault.New(fault.NotFound, "There is nobody with this id.")
	}
	return p, nil
}

func (m *memoryPeople) Delete(_ context.Context, id meet.PersonID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.people[id]; !ok {
		return fault.New(fault.NotFound, "There is nobody with this id.")
	}
	delete(m.people, id)
	return nil
}

func (m *memoryPeople) All(context.Context) ([]meet.Person, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []meet.Person
	for _, p := range m.people {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b meet.Person) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// oneProposal is a desk with one proposal on it, "p1".
type oneProposal struct {
	event  meet.Event
	chosen booking.Choice
	fail   error
}

func (d *oneProposal) Proposal(_ context.Context, id meet.ProposalID) (meet.Event, error) {
	if id != d.event.ID {
		return meet.Event{}, fault.New(fault.NotFound, "There is no proposal with this id.")
	}
	return d.event, d.fail
}

func (d *oneProposal) Confirm(ctx context.Context, id meet.ProposalID, c booking.Choice) (meet.Event, error) {
	e, err := d.Proposal(ctx, id)
	if err == nil {
		d.chosen, d.event.Status, e.Status = c, meet.Confirmed, meet.Confirmed
	}
	return e, err
}

// Standing is the proposal that took this one's place, or that it would have changed.
func (d *oneProposal) Standing(_ context.Context, e meet.Event) (*meet.Event, error) {
	if e.ReplacedBy == "" && e.Replaces == "" {
		return nil, nil
	}
	return &meet.Event{ID: e.ReplacedBy + e.Replaces, Status: meet.Confirmed}, nil
}

func (d *oneProposal) Cancel(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	e, err := d.Proposal(ctx, id)
	e.Status = meet.Cancelled
	return e, err
}

// fixture is a server with all that it uses in memory.
type fixture struct {
	turns  *scriptedTurns
	log    *memoryLog
	desk   *oneProposal
	people *memoryPeople
	sets   *oneSet
	lines  *lines
	server *Server
}

var noon = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

func newFixture(tb testing.TB, change ...func(*Config)) *fixture {
	tb.Helper()
	f := &fixture{log: newMemoryLog(), lines: &lines{}}
	f.sets = newSet()
	f.turns = &scriptedTurns{log: f.log, keys: map[string]meet.Turn{}}
	f.desk = &oneProposal{
		event: meet.Event{
			ID: "p1", Conversation: "c1", Status: meet.Proposed, Title: "Coffee with Al", Start: noon, End: noon.Add(time.Hour),
		},
	}
	f.people = &memoryPeople{people: map[meet.PersonID]meet.Person{
		"me": {ID: "me", Name: "Mia", Email: "mia@example.com"},
		"al": {ID: "al", Name: "Al Chen"},
	}}
	cfg := Config{
		Turns: f.turns, Log: f.log, Proposals: f.desk, People: f.people, Changes: f.sets,
		ICS:     func(e meet.Event) ([]byte, error) { return []byte("BEGIN:VCALENDAR " + e.Title), nil },
		Now:     func() time.Time { return noon },
		Intents: []meet.Intent{meet.HandleEvent, meet.ShowMore, meet.SuggestActivities, meet.Look, meet.Act, meet.Converse},
		Logger:  zerolog.New(f.lines),
	}
	for _, c := range change {
		c(&cfg)
	}
	s, err := New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	f.server = s
	return f
}

// serve answers on a real loopback port.
func (f *fixture) serve(tb testing.TB) string {
	tb.Helper()
	server := httptest.NewServer(f.server.Handler())
	tb.Cleanup(func() {
		f.server.Drain()
		server.Close()
	})
	return server.URL
}

// lines keeps what was logged.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// answer is a response that was read in full.
type answer struct {
	status int
	header http.Header
	body   string
}

// do sends a request; header lists name, value, name, value.
func do(t *testing.T, method, url, body string, header ...string) answer {
	t.Helper()
	res := open(t, method, url, body, header...)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return answer{res.StatusCode, res.Header, string(b)}
}

func open(t *testing.T, method, url, body string, header ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return res
}

// problem reads an answer that has to be a problem.
func (a answer) problem(t *testing.T) Problem {
	t.Helper()
	if got, want := a.header.Get("Content-Type"), "application/problem+json"; got != want {
		t.Fatalf("content type = %q, want %q; status %d, body %s", got, want, a.status, a.body)
	}
	var p Problem
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatalf("problem %s: %v", a.body, err)
	}
	if p.Status != a.status || p.Detail == "" || p.Code == "" || p.RequestID == "" || p.Title == "" {
		t.Errorf("problem is incomplete: status %d, %s", a.status, a.body)
	}
	return p
}

// events decodes a stream that has ended.
func events(t *testing.T, body string) []sse.Event {
	t.Helper()
	var list []sse.Event
	for d := sse.NewDecoder(strings.NewReader(body)); ; {
		e, err := d.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
}

// follow opens a stream; what it returns reads the stream to its end.
func follow(t *testing.T, url string) (rest func() string) {
	t.Helper()
	res := open(t, "GET", url, "")
	t.Cleanup(func() { res.Body.Close() })
	return func() string {
		t.Helper()
		return readAll(t, res)
	}
}

// kinds is "id type" of every event.
func kinds(t *testing.T, list []sse.Event) []string {
	t.Helper()
	var out []string
	for _, e := range list {
		var u struct{ Type string }
		if err := json.Unmarshal(e.Data, &u); err != nil {
			t.Fatalf("update %s: %v", e.Data, err)
		}
		out = append(out, strings.TrimSpace(e.ID+" "+u.Type))
	}
	return out
}

func wantDiff(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// tenantsSeen notes on whose behalf people are looked up.
type tenantsSeen struct {
	*memoryPeople
	tenants []meet.Tenant
}

func (s *tenantsSeen) Person(ctx context.Context, id meet.PersonID) (meet.Person, error) {
	s.tenants = append(s.tenants, meet.TenantOf(ctx))
	return s.memoryPeople.Person(ctx, id)
}
