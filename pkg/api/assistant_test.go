package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/auth"
	"convene/pkg/auth/authtest"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// day is an agenda in memory. What reads a calendar that is away says so.
type day struct {
	events   []meet.Occurrence
	problems []string
}

// Events is Agenda's.
func (d day) Events(_ context.Context, p meet.Person, span interval.Span) ([]meet.Occurrence, []string, error) {
	var found []meet.Occurrence
	for _, e := range d.events {
		if p.ID == "me" && e.Span.Overlaps(span) {
			found = append(found, e)
		}
	}
	return found, d.problems, nil
}

// liked are preferences in memory.
type liked map[meet.PersonID]map[string][]byte

// Of is Preferences'.
func (l liked) Of(_ context.Context, p meet.PersonID) (map[string][]byte, error) { return l[p], nil }

// bench has a tool of two families each, and keeps the calls.
type bench struct {
	mu    sync.Mutex
	calls []meet.ToolCall
}

// List is Tools'.
func (b *bench) List() []meet.ToolDescription {
	arguments := json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{"date":{"type":"string"}}}`)
	data := json.RawMessage(`{"type":"object","required":["count"],"properties":{"count":{"type":"integer"},"more":true}}`)
	return []meet.ToolDescription{
		{Name: "calendar_countEvents", Description: "Counts events. Of a day.", Family: "calendar", Effect: "read",
			Operation: meet.ReadResource, Arguments: arguments, Data: data},
		{Name: "schedule_clearDay", Description: "Clears a day.", Family: "schedule", Effect: "change",
			Operation: meet.DeleteResource, Arguments: arguments, Data: data},
	}
}

// Call is Tools'.
func (b *bench) Call(_ context.Context, c meet.ToolCall) (result meet.ToolResult, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = append(b.calls, c)
	if strings.Contains(string(c.Arguments), "wrong") {
		return result, fault.Invalid("arguments.date", "must be a date")
	}
	result.Response = meet.Response{
		Metadata: meet.ResponseMetadata{ToolName: c.Tool, Operation: meet.ReadResource, ResourceType: meet.EventResource},
		Data:     json.RawMessage(`{"count":3}`), Display: meet.Display{Components: []meet.Component{}},
		UI: meet.ResponseUI{Suggestions: []string{}, Actions: []meet.Action{}},
	}
	if c.Tool == "schedule_clearDay" {
		result.Changes = &meet.ChangeSet{ID: "ch_1", Status: meet.ChangesPending, Changes: []meet.Change{}}
	}
	return result, nil
}

// assisted is a server with everything of the assistant.
func assisted(c *Config) {
	c.Agenda, c.Preferences, c.Tools = aDay(), liked{"me": {"lunch_hours": []byte(`{"start":"12:00"}`)}}, &bench{}
	haveTasks(c)
}

func aDay() day {
	at := func(uid, title string, days int) meet.Occurrence {
		start := noon.AddDate(0, 0, days)
		return meet.Occurrence{UID: uid, Title: title, Span: interval.From(start, time.Hour)}
	}
	var d day
	for week := range 3 {
		e := at("yoga", "Yoga", 7*week)
		e.RecurrenceID, e.Recurrence = e.Span.Start, "FREQ=WEEKLY"
		d.events = append(d.events, e)
	}
	d.events = append(d.events, at("dentist", "Dentist", 1))
	return d
}

func TestAPersonsEvents(t *testing.T) {
	t.Parallel()
	url := newFixture(t, assisted).serve(t)
	for path, want := range map[string][]string{
		"me/events": {"yoga@20260309T120000Z FREQ=WEEKLY", "dentist "},
		"me/events?from=2026-03-10&to=2026-03-17T00:00": {"dentist ", "yoga@20260316T120000Z FREQ=WEEKLY"},
		"me/events?limit=1":                             {"yoga@20260309T120000Z FREQ=WEEKLY"},
		"MIA@example.com/events":                        {"yoga@20260309T120000Z FREQ=WEEKLY", "dentist "},
		"al/events":                                     nil,
	} {
		var body struct {
			Events   []struct{ ID, Recurrence string }
			More     bool
			Problems []string
		}
		a := do(t, "GET", url+"/v1/people/"+path, "")
		if err := json.Unmarshal([]byte(a.body), &body); err != nil || body.Problems == nil || body.Events == nil {
			t.Fatalf("%s: %d %s", path, a.status, a.body)
		}
		var got []string
		for _, e := range body.Events {
			got = append(got, e.ID+" "+e.Recurrence)
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" || body.More != strings.Contains(path, "limit") {
			t.Errorf("%s (-want +got), more %t:\n%s", path, body.More, diff)
		}
	}
}

// A calendar that cannot be read leaves the others readable, and is told.
func TestEventsThatMayBeMissing(t *testing.T) {
	t.Parallel()
	url := newFixture(t, func(c *Config) {
		d := aDay()
		d.problems = []string{"the calendar did not answer in time"}
		c.Agenda = d
	}).serve(t)
	a := do(t, "GET", url+"/v1/people/me/events", "")
	if a.status != http.StatusOK || !strings.Contains(a.body, `"Dentist"`) ||
		!strings.Contains(a.body, `"problems":["the calendar did not answer in time"]`) {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestToolsAreListedAndCalled(t *testing.T) {
	t.Parallel()
	tools := &bench{}
	url := newFixture(t, assisted, func(c *Config) { c.Tools = tools }).serve(t)
	a := do(t, "GET", url+"/v1/tools", "")
	if !strings.Contains(a.body, `"name":"calendar_countEvents"`) || !strings.Contains(a.body, `"required":["count"]`) {
		t.Errorf("the list: %s", a.body)
	}
	const path = "/v1/tools/calendar_countEvents"
	ask := func(body string, header ...string) answer {
		t.Helper()
		return do(t, "POST", url+path, body, header...)
	}
	a = ask(`{"organizer":"mia@example.com","timezone":"Asia/Tokyo","arguments":{"date":"2026-03-10"}}`,
		"Accept-Language", "he")
	if a.status != http.StatusOK || !strings.Contains(a.body, `"data":{"count":3}`) ||
		!strings.Contains(a.body, `"changes":null,"applied":null`) {
		t.Errorf("called: %d %s", a.status, a.body)
	}
	c := tools.calls[0]
	if c.Turn.Organizer.ID != "me" || c.Turn.Zone().String() != "Asia/Tokyo" || c.Language != "he" ||
		string(c.Arguments) != `{"date":"2026-03-10"}` || c.Turn.ID == "" || c.Turn.NoConfirm {
		t.Errorf("the call: %+v", c)
	}
	for body, field := range map[string]string{
		`{"organizer":"me","arguments":{"date":"wrong"}}`: "arguments.date", `{"organizer":"zed"}`: "organizer",
		`{"organizer":"me","timezone":"Mars"}`: "timezone", `{"organizer":"me","date":"x"}`: "date",
		`{"arguments":{}}`: "organizer",
	} {
		if p := ask(body).problem(t); p.Status != http.StatusBadRequest || p.Field != field {
			t.Errorf("%s: %+v, want the field %s", body, p, field)
		}
	}
	if a := do(t, "POST", url+"/v1/tools/calendar_none", "{}"); a.status != http.StatusNotFound {
		t.Errorf("an unknown tool: %d", a.status)
	}
	tools.calls = nil
	for range 2 {
		ask(`{"organizer":"me"}`, "Idempotency-Key", "k")
	}
	ask(`{"organizer":"me","arguments":{"date":"other"}}`, "Idempotency-Key", "k")
	ask(`{"organizer":"me"}`)
	ids := map[meet.TurnID]bool{}
	for _, c := range tools.calls {
		ids[c.Turn.ID] = true
	}
	if tools.calls[0].Turn.ID != tools.calls[1].Turn.ID || len(ids) != 3 {
		t.Errorf("calls with and without a key: %v", ids)
	}
}

// A call's result is what the operation of its tool says, and both have types of their own.
func TestEachToolIsAnOperation(t *testing.T) {
	t.Parallel()
	url := newFixture(t, assisted).serve(t)
	text := do(t, "GET", url+"/openapi.json", "").body
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID, Summary, Description string
			Tags                              []string
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	op := doc.Paths["/v1/tools/calendar_countEvents"]["post"]
	if op.OperationID != "calendar_countEvents" || op.Summary != "Counts events" ||
		!slices.Equal(op.Tags, []string{"tools"}) ||
		op.Description != "Counts events. Of a day." {
		t.Errorf("the operation: %+v", op)
	}
	a := do(t, "POST", url+"/v1/tools/schedule_clearDay", `{"organizer":"me"}`)
	for _, schema := range []string{"ToolResult"} {
		if err := validate(t, compile(t, text, schema), []byte(a.body)); err != nil {
			t.Errorf("%s: %v\n%s", schema, err, a.body)
		}
	}
	types := do(t, "GET", url+"/client.d.ts", "").body
	for _, want := range []string{
		"export interface ScheduleClearDayData {\n  count: number;\n  more?: unknown;\n}",
		"export interface CalendarCountEventsArguments {",
		"\n  calendar_countEvents: {\n    method: \"POST\";\n    path: \"/v1/tools/calendar_countEvents\";",
	} {
		if !strings.Contains(types, want) {
			t.Errorf("the types lack %s", want)
		}
	}
}

// Keys and tokens that are limited to families use their tools only, and those that cannot confirm confirm nothing.
func TestLimitsOfACaller(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	grant := bound()
	grant.Families = []string{"calendar", "preference"}
	_, weak := h.ring.NewLimitedKey("acme", auth.Allowance{Families: []string{"schedule"}, NoConfirm: true})
	limited := h.token(t, grant)
	both := authtest.Mint(t, h.door, weak, grant)
	for _, tt := range []struct {
		name, credential, method, path, body string
		status                               int
	}{
		{"a token for calendar", limited, "POST", "/v1/tools/calendar_countEvents", `{}`, 200},
		{"its other family", limited, "POST", "/v1/tools/schedule_clearDay", `{}`, 403},
		{"its events", limited, "GET", "/v1/people/me/events", "", 200},
		{"its preferences", limited, "GET", "/v1/people/me/preferences", "", 200},
		{"a token confirms", limited, "POST", "/v1/proposals/p1/confirm", `{}`, 200},
		{"a key for schedule", weak, "POST", "/v1/tools/schedule_clearDay", `{"organizer":"me"}`, 200},
		{"preferences", weak, "GET", "/v1/people/me/preferences", "", 403},
		{"tasks", weak, "GET", "/v1/people/me/tasks", "", 403},
		{"a file of tasks", limited, "GET", "/v1/people/me/tasks/export?format=ics", "", 403},
		{"a confirmation", weak, "POST", "/v1/proposals/p1/confirm", `{}`, 403},
		{"a confirmation ahead", weak, "POST", "/v1/tools/schedule_clearDay", `{"organizer":"me","autoConfirm":true}`, 403},
		{"a booking ahead", weak, "POST", "/v1/turns", `{"message":"hi","organizer":"me","autoConfirm":true}`, 403},
		{"a turn", weak, "POST", "/v1/turns", `{"message":"hi","organizer":"me"}`, 202},
		{"a token of a weak key", both, "POST", "/v1/tools/calendar_countEvents", `{}`, 403},
		{"and its confirmation", both, "POST", "/v1/proposals/p1/confirm", `{}`, 403},
		{"a confirmation of changes", weak, "POST", "/v1/changes/ch_1/confirm", `{"digest":"sha256:1"}`, 403},
		{"an undo", weak, "POST", "/v1/changes/ch_1/undo", "", 403},
		{"changes are seen", weak, "GET", "/v1/changes/ch_1", "", 200},
		{"and called off", weak, "POST", "/v1/changes/ch_1/cancel", "", 200},
		{"a token confirms changes", limited, "POST", "/v1/changes/ch_1/confirm", `{"digest":"sha256:1"}`, 200},
	} {
		a := h.ask(t, tt.method, tt.path, tt.body, "Authorization", "Bearer "+tt.credential, "Origin", site)
		if a.status != tt.status {
			t.Errorf("%s: %d %s, want %d", tt.name, a.status, a.body, tt.status)
		}
	}
	if a := h.ask(t, "GET", "/v1/tools", "", "Authorization", "Bearer "+weak); strings.Contains(a.body, "calendar_") ||
		!strings.Contains(a.body, "schedule_clearDay") {
		t.Errorf("what a key for schedule is shown: %s", a.body)
	}
	last := h.turns.started[len(h.turns.started)-1]
	if !last.NoConfirm || !slices.Equal(last.Families, []string{"schedule"}) {
		t.Errorf("the turn of a weak key: %+v", last)
	}
	for body, field := range map[string]string{
		`{"origin":"` + site + `","organizers":["me"],"families":["none"]}`: "families[0]",
		`{"origin":"` + site + `","organizers":["me"],"families":[]}`:       "families",
	} {
		p := h.ask(t, "POST", "/v1/tokens", body, "Authorization", "Bearer "+h.key).problem(t)
		if p.Field != field {
			t.Errorf("%s: %+v, want %s", body, p, field)
		}
	}
}

// An answer to choices needs no words.
func TestAnswersToChoices(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	url := f.serve(t)
	a := do(t, "POST", url+"/v1/turns", `{"conversationId":"c1","organizer":"me","answer":{"id":"q_7","option":"2"}}`)
	if a.status != http.StatusAccepted {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if got := f.turns.started[0]; got.Answer == nil || *got.Answer != (meet.ChoiceAnswer{ID: "q_7", Option: "2"}) ||
		got.Message != "" {
		t.Errorf("the turn: %+v", got)
	}
	for body, field := range map[string]string{
		`{"organizer":"me","answer":{"id":"q_7","option":"2"}}`:                                      "conversationId",
		`{"organizer":"me","conversationId":"c1","message":"hi","answer":{"id":"q_7","option":"2"}}`: "message",
		`{"organizer":"me","conversationId":"c1","answer":{"option":"2"}}`:                           "answer.id",
		`{"organizer":"me","conversationId":"c1","answer":{"id":"q_7"}}`:                             "answer.option",
		`{"organizer":"me","conversationId":"c1","answer":{"id":"q_7","option":2}}`:                  "answer.option",
		`{"organizer":"me","conversationId":"c1","answer":{"id":"q_7","text":"x"}}`:                  "answer.text",
		`{"organizer":"me","conversationId":"c1","answer":null}`:                                     "message",
	} {
		if p := do(t, "POST", url+"/v1/turns", body).problem(t); p.Status != http.StatusBadRequest || p.Field != field {
			t.Errorf("%s: %+v, want the field %s", body, p, field)
		}
	}
}

// told is a stream of two notices, which ends.
type told struct{ person meet.PersonID }

func (s *told) Follow(_ context.Context, person meet.PersonID, after int, fn func(...turn.Entry) error) error {
	s.person = person
	for id := after + 1; id <= 2; id++ {
		if err := fn(turn.Entry{ID: id, Data: fmt.Appendf(nil, `{"type":"notice","id":"n%d"}`, id)}); err != nil {
			return err
		}
	}
	return nil
}

func TestNoticesAreStreamedAfterTheLastOneReceived(t *testing.T) {
	t.Parallel()
	stream := &told{}
	url := newFixture(t, func(c *Config) { c.Notices = stream }).serve(t) + "/v1/people/me/notices"
	const first, second = "data: {\"type\":\"notice\",\"id\":\"n1\"}\nid: 1\n\n",
		"data: {\"type\":\"notice\",\"id\":\"n2\"}\nid: 2\n\n"
	for after, want := range map[string]string{
		"":  first + second,
		"1": second,
	} {
		a := do(t, "GET", url, "", "Last-Event-ID", after)
		if a.status != 200 || a.body != "retry: 2000\n"+want || stream.person != "me" {
			t.Errorf("after %q: %d %q of %s, want %q", after, a.status, a.body, stream.person, want)
		}
	}
	if a := do(t, "GET", url, "", "Last-Event-ID", "x"); a.problem(t).Field != "Last-Event-ID" {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := do(t, "GET", strings.Replace(url, "/me/", "/nobody/", 1), ""); a.status != 404 {
		t.Errorf("a person whom nobody knows: %d", a.status)
	}
}
