package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The types are for any site, sent once, and have every schema of the document and every operation.
func TestClientTypesAreServed(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t)
	a := do(t, "GET", url+"/client.d.ts", "", "Origin", "https://host.example")
	for name, want := range map[string]string{
		"Content-Type": "application/typescript; charset=utf-8", "Access-Control-Allow-Origin": "*",
		"Cross-Origin-Resource-Policy": "cross-origin", "Cache-Control": "no-cache",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if again := do(t, "GET", url+"/client.d.ts", "", "If-None-Match", a.header.Get("Etag")); again.status != 304 ||
		again.body != "" {
		t.Errorf("again = %d with %d bytes, want 304 and none", again.status, len(again.body))
	}
	doc, text := document(t)
	for name := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if !strings.Contains(a.body, "\nexport interface "+name+" {") &&
			!strings.Contains(a.body, "\nexport type "+name+" = ") {
			t.Errorf("there is no type %s", name)
		}
	}
	for _, id := range regexp.MustCompile(`"operationId":"(\w+)"`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(a.body, "\n  "+id[1]+": {\n") && id[1] != "metrics" {
			t.Errorf("there is no operation %s", id[1])
		}
	}
	for _, want := range []string{
		"export type Update = TurnUpdate | AcknowledgmentUpdate | ", "  type: \"event\";\n  event: Event;",
		"  composedBy: \"model\" | \"code\" | (string & {});", "\"convene-scheduler\": ConveneSchedulerElement;",
	} {
		if !strings.Contains(a.body, want) {
			t.Errorf("the types lack %q", want)
		}
	}
}

// TestVocabulariesAreWhole reads which words packages meet and fault have, so that a new one is not forgotten.
func TestVocabulariesAreWhole(t *testing.T) {
	t.Parallel()
	doc, _ := document(t)
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	declared := map[string][]string{}
	maps.Copy(declared, typedConstants(t, "../meet"))
	maps.Copy(declared, typedConstants(t, "../fault"))
	types := map[string]string{
		"Applied.outcome":             "AppliedOutcome",
		"AcknowledgmentUpdate.intent": "Intent", "CalendarStatus.state": "CalendarState", "Conflict.kind": "ConflictKind",
		"AppliedUpdate.outcome": "AppliedOutcome", "Change.class": "Class",
		"Change.kind": "ChangeKind", "Change.scope": "Scope", "Change.what": "ChangeWhat",
		"ChangeResult.outcome": "ChangeOutcome", "ChangeSet.status": "ChangeSetStatus", "Component.type": "ComponentType",
		"Display.priority": "Priority", "Display.type": "DisplayType", "ResponseMetadata.operation": "Operation",
		"ResponseMetadata.resourceType": "ResourceType",
		"DoneUpdate.outcome":            "OutcomeKind", "ErrorUpdate.code": "Code", "Event.calendarType": "CalendarType",
		"Event.eventType": "EventType", "Event.status": "Status", "MessageUpdate.composedBy": "Author",
		"Person.calendarType": "CalendarType", "Reason.change": "Concession", "Slot.state": "SlotState",
		"Template.activity": "Activity", "Template.eventType": "EventType", "Template.intentSpecificity": "Specificity",
		"TemplateUpdate.mode": "Mode", "TurnState.outcome": "OutcomeKind", "TurnState.state": "TurnPhase",
	}
	described := map[string]bool{}
	for _, v := range newFixture(t).server.vocabularies() {
		place := v.schema + "." + v.member
		described[place] = true
		schema, ok := schemas[v.schema].(map[string]any)["properties"].(map[string]any)[v.member].(map[string]any)
		if !ok || schema[openWords] == nil {
			t.Errorf("%s is not in the document", place)
		}
		if name, ok := types[place]; ok {
			wantDiff(t, place, declared[name], slices.Sorted(slices.Values(v.words)))
		}
	}
	for place := range types {
		if !described[place] {
			t.Errorf("%s has no vocabulary", place)
		}
	}
}

// typedConstants are the values of a package's string constants that have a type of their own, in order, by that type.
func typedConstants(t *testing.T, folder string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", folder, len(files), err)
	}
	found := map[string][]string{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			kind, typed := spec.Type.(*ast.Ident)
			value, literal := spec.Values[0].(*ast.BasicLit)
			if word, err := strconv.Unquote(valueOf(value, literal)); typed && err == nil && word != "" {
				found[kind.Name] = append(found[kind.Name], word)
				slices.Sort(found[kind.Name])
			}
			return true
		})
	}
	return found
}

func valueOf(value *ast.BasicLit, ok bool) string {
	if !ok {
		return ""
	}
	return value.Value
}
