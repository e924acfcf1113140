package api

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/widget"
)

// document is the served OpenAPI document, read as a client reads it.
func document(t *testing.T) (doc map[string]any, text string) {
	t.Helper()
	a := do(t, "GET", newFixture(t, measured).serve(t)+"/openapi.json", "")
	if err := json.Unmarshal([]byte(a.body), &doc); err != nil {
		t.Fatalf("document: %v", err)
	}
	return doc, a.body
}

func TestDocumentIsOpenAPI31(t *testing.T) {
	t.Parallel()
	doc, text := document(t)
	if v, _ := doc["openapi"].(string); !strings.HasPrefix(v, "3.1") {
		t.Errorf("openapi = %v, want 3.1", doc["openapi"])
	}
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	for _, ref := range regexp.MustCompile(`"#/components/schemas/([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if _, ok := schemas[ref[1]]; !ok {
			t.Errorf("schema %s is referred to and not there", ref[1])
		}
	}
	for name := range schemas {
		if !strings.Contains(text, `"#/components/schemas/`+name+`"`) {
			t.Errorf("schema %s is there and not referred to", name)
		}
	}
	for _, bad := range []string{"$schema", "ErrorModel", `"json.`, `"HttpOnly"`, `["array","null"]`} {
		if strings.Contains(text, bad) {
			t.Errorf("document has %s", bad)
		}
	}
}

func TestEveryRouteIsDocumented(t *testing.T) {
	t.Parallel()
	doc, _ := document(t)
	var documented, routed []string
	for path, item := range doc["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			documented = append(documented, strings.ToUpper(method)+" "+path)
		}
	}
	params := regexp.MustCompile(`:([a-z]+)`)
	for _, r := range newFixture(t, measured).server.echo.Routes() {
		routed = append(routed, r.Method+" "+params.ReplaceAllString(r.Path, "{$1}"))
	}
	pages := []string{
		"GET /",
		"GET /client.d.ts",
		"GET /docs",
		"GET /docs/{name}",
		"GET /openapi.json",
		"GET /static/{name}",
		"GET /widget.js",
	}
	routed = slices.DeleteFunc(routed, func(r string) bool {
		return slices.Contains(pages, "GET "+strings.TrimPrefix(r, "HEAD ")) || slices.Contains(pages, r)
	})
	routed = append(routed, "GET /v1/proposals/{id}.ics") // served by the route of the proposal
	slices.Sort(documented)
	slices.Sort(routed)
	wantDiff(t, "routes", routed, documented)
}

// TestEveryUpdateIsDocumented reads which types package meet calls updates, so that a new one is not forgotten.
func TestEveryUpdateIsDocumented(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../meet/update.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared, documented []string
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "updateType" {
			declared = append(declared, f.Recv.List[0].Type.(*ast.Ident).Name)
		}
	}
	for _, u := range updates() {
		documented = append(documented, reflect.TypeOf(u).Name())
	}
	wantDiff(t, "updates", declared, documented)
}

// fullEvent has something in every field.
func fullEvent() meet.Event {
	slot := meet.Slot{
		Start: noon, End: noon, State: meet.SlotConflict, Unknown: []string{"Al"}, Conflicts: []meet.Conflict{
			{Name: "Al", Kind: meet.ConflictBusy},
		},
	}
	hours := interval.EveryDay(interval.Window{Start: interval.At(9, 0), End: interval.EndOfDay})
	place := meet.Place{Name: "Philz", Location: geo.Point{Latitude: 1}, OpeningHours: &hours}
	return meet.Event{
		ID: "p1", Status: meet.Proposed, Start: noon, End: noon, Place: &place,
		Participants: []meet.Participant{{Name: "Al", LocalStart: noon}}, Conflicts: []meet.Conflict{},
		Alternatives: meet.AlternativeOffer{Slots: []meet.Slot{slot}, Places: []meet.Place{place}},
	}
}

func TestUpdatesAreAsDocumented(t *testing.T) {
	t.Parallel()
	_, text := document(t)
	update := compile(t, text, updateSchema)
	event := fullEvent()
	day := interval.Date{Year: 2026, Month: 3, Day: 10}
	samples := []meet.Update{
		meet.TurnUpdate{}, meet.AcknowledgmentUpdate{},
		meet.ProgressUpdate{}, meet.TemplateUpdate{}, meet.MessageDeltaUpdate{},
		meet.MessageUpdate{}, meet.NavigateUpdate{}, meet.ErrorUpdate{},
		meet.TemplateUpdate{Mode: meet.ModeNew, Template: meet.Template{
			Title: "x", Dates: []interval.DateRange{{Start: day, End: day}},
			Hours: &meet.Hours{Week: *event.Place.OpeningHours, On: []meet.DateHours{{Date: day, Windows: []interval.Window{}}}},
		}},
		meet.CandidatesUpdate{Calendars: []meet.CalendarStatus{{State: meet.Checked}}, Reasons: []meet.Reason{{Times: 1}}},
		meet.EventUpdate{Event: event},
		meet.AlternativesUpdate{Slots: event.Alternatives.Slots, Places: event.Alternatives.Places, Reasons: []meet.Reason{}},
		meet.ActivitiesUpdate{Activities: []meet.Suggestion{{Title: "x", Point: &geo.Point{}}}},
		meet.PlanUpdate{Steps: []meet.PlanStep{{DependsOn: []string{}, Status: "completed", Count: new(int)}}},
		meet.ResultUpdate{Response: meet.Response{
			Data: json.RawMessage(`{"events":[]}`), Display: meet.Display{Components: []meet.Component{}},
			UI:    meet.ResponseUI{Suggestions: []string{}, Actions: []meet.Action{}},
			Error: &meet.ResponseError{SuggestedActions: []string{}},
		}},
		meet.ChangesUpdate{Changes: meet.ChangeSet{Changes: []meet.Change{{
			Before: json.RawMessage(`{"id":"x"}`), After: json.RawMessage("null"), DependsOn: []string{},
			Affects: []meet.Affected{{Name: "Al"}}, Target: meet.ChangeTarget{Start: &event.Start},
		}}}},
		meet.ChoicesUpdate{Choices: meet.Choices{Options: []meet.Option{{ID: "1"}}}},
		meet.AppliedUpdate{Applied: meet.Applied{UndoUntil: &event.Start, Changes: []meet.ChangeResult{{ID: "1"}}}},
		meet.DoneUpdate{
			Receipt: meet.Receipt{Stages: []meet.StageTime{{Name: "classify", Ms: 1.5}}, Removed: map[string]int{"x": 1}},
		},
	}
	for _, u := range samples {
		data, err := meet.MarshalUpdate(u)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, update, data); err != nil {
			t.Errorf("%s is not as documented: %v", data, err)
		}
	}
	for _, wrong := range []string{
		`{}`, `{"type":"nothing"}`, `{"type":"message_delta","text":5}`, `{"type":"activities","activities":null}`,
	} {
		if validate(t, update, []byte(wrong)) == nil {
			t.Errorf("%s passes for an update", wrong)
		}
	}
}

// What was streamed is what the document says, with a list wherever it says that there is one.
func TestRecordedStreamsAreAsDocumented(t *testing.T) {
	t.Parallel()
	recordings, err := filepath.Glob("../../testdata/streams/*.jsonl")
	if err != nil || len(recordings) == 0 {
		t.Fatalf("%d recordings, %v", len(recordings), err)
	}
	_, text := document(t)
	update := compile(t, text, updateSchema)
	for _, name := range recordings {
		recording, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(recording) {
			var block struct{ Bytes string }
			if err := json.Unmarshal(line, &block); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, e := range events(t, block.Bytes) {
				if err := validate(t, update, e.Data); err != nil {
					t.Errorf("%s: %s is not as documented: %v", name, e.Data, err)
				}
			}
		}
	}
}

func TestAnswersAreAsDocumented(t *testing.T) {
	t.Parallel()
	_, text := document(t)
	f := newFixture(t)
	f.desk.event = fullEvent()
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
	url := f.serve(t)
	do(t, "PUT", url+"/v1/people/zoe", `{"name":"Zoe","location":{"latitude":1,"longitude":2},`+
		`"workingHours":{"mon":[{"start":"09:00","end":"24:00"}]}}`)
	for schema, a := range map[string]answer{
		"Problem": do(t, "GET", url+"/v1/turns/t9", ""), "Event": do(t, "GET", url+"/v1/proposals/p1", ""),
		"Person":    do(t, "GET", url+"/v1/people/zoe", ""),
		"TurnState": do(t, "GET", url+"/v1/turns/t1", ""), "Accepted": do(t, "POST", url+"/v1/turns", plainTurn),
		"Health": do(t, "GET", url+"/readyz", ""),
	} {
		if err := validate(t, compile(t, text, schema), []byte(a.body)); err != nil {
			t.Errorf("%s is not as documented: %v\n%s", schema, err, a.body)
		}
	}
}

func TestRequestsAreAsDocumented(t *testing.T) {
	t.Parallel()
	_, text := document(t)
	request := compile(t, text, "TurnRequest")
	for body, ok := range map[string]bool{
		plainTurn: true,
		`{"message":"x","organizer":{"name":"Mia","workingHours":{"mon":[]}},"participants":["al",{"name":"Zoe"}],` +
			`"availability":[{"person":"al","busy":[{"start":"2026-03-10T10:00:00Z","end":"2026-03-10T11:00:00Z"}]}]}`: true,
		`{"message":"x"}`:                                 true,
		`{"organizer":"me"}`:                              false,
		`{"message":"x","organizer":7}`:                   false,
		`{"message":"x","organizer":"me","agenda":1}`:     false,
		`{"message":"x","organizer":{"name":"M","x":1}}`:  false,
		`{"message":"x","organizer":{"email":"a@b.com"}}`: false,
	} {
		if err := validate(t, request, []byte(body)); (err == nil) != ok {
			t.Errorf("%s: %v, want valid: %t", body, err, ok)
		}
	}
}

func compile(t *testing.T, document, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("openapi.json" + schemaPrefix + schema)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

func TestPagesLoadNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t)
	paths := map[string]string{"/": "text/html", "/docs": "text/html"}
	for _, name := range widget.Pages() {
		paths["/static/"+name] = "text/"
		if filepath.Ext(name) == ".svg" {
			paths["/static/"+name] = "image/svg+xml"
		}
	}
	loads := regexp.MustCompile(`(?:src|href)="([^"]*)"`)
	for path, kind := range paths {
		a := do(t, "GET", url+path, "")
		if a.status != 200 || !strings.HasPrefix(a.header.Get("Content-Type"), kind) ||
			!strings.Contains(a.header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s = %d, %s", path, a.status, a.header)
		}
		for _, load := range loads.FindAllStringSubmatch(a.body, -1) {
			if !strings.HasPrefix(load[1], "/") || strings.HasPrefix(load[1], "//") {
				t.Errorf("%s loads %s", path, load[1])
			} else if got := do(t, "GET", url+load[1], "").status; got != 200 {
				t.Errorf("%s loads %s: %d", path, load[1], got)
			}
		}
		if strings.Contains(a.body, "innerHTML") || strings.Contains(a.body, " style=") {
			t.Errorf("%s has what its policy or a hostile name would break", path)
		}
	}
}

func TestAccessIsDescribed(t *testing.T) {
	t.Parallel()
	var secured []string
	for path, item := range newHouse(t).server.huma.OpenAPI().Paths {
		for method, operation := range methodsOf(item) {
			o, ok := operation.(map[string]any)
			if !ok {
				continue
			}
			if o["security"] == nil {
				t.Errorf("nothing is said of who may ask for %s %s", method, path)
			}
			if ways, _ := o["security"].([]any); len(ways) > 0 {
				secured = append(secured, method+" "+path)
			}
		}
	}
	slices.Sort(secured)
	wantDiff(t, "routes with security", slices.Sorted(maps.Keys(admissions())), secured)
}
