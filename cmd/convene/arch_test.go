package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "convene/"

// allowed says what a folder may import of ours; the longest matching prefix decides. "*" is everything.
var allowed = map[string][]string{
	"cmd": {"*"},
	"stages": {
		"functions", "functions/world", "prompts", "pkg/agenda", "pkg/change", "pkg/ground", "pkg/preference",
		"stages/candidates", "pkg/mail", "pkg/plan", "pkg/workflow",
		"pkg/tool", "pkg/turn", "pkg/meet", "pkg/interval", "pkg/slot", "pkg/when", "pkg/geo", "pkg/travel", "pkg/place",
		"pkg/fault", "pkg/llm", "pkg/message",
	},
	"stages/candidates": {
		"functions", "pkg/meet", "pkg/interval", "pkg/slot", "pkg/geo", "pkg/travel", "pkg/fault",
	},
	"functions": {
		"functions/world", "functions/schedule", "functions/calendar", "functions/items", "functions/preference",
		"functions/list", "functions/note", "functions/contact", "functions/system", "functions/task", "functions/email",
		"functions/workflow", "pkg/tool", "pkg/plan",
		"pkg/meet", "pkg/interval", "pkg/slot", "pkg/when", "pkg/llm",
	},
	"functions/world": {
		"pkg/message", "pkg/tool", "pkg/agenda", "pkg/mail", "pkg/task", "pkg/preference", "pkg/record", "pkg/note",
		"pkg/embedding", "pkg/ground", "pkg/list", "pkg/workflow", "pkg/meet", "pkg/interval", "pkg/fault",
	},
	"functions/schedule": {
		"pkg/message", "functions/world", "pkg/tool", "pkg/agenda", "pkg/task", "pkg/meet", "pkg/interval", "pkg/fault",
	},
	"functions/calendar": {
		"pkg/message", "functions/world", "pkg/tool", "pkg/agenda", "pkg/mail", "pkg/rearrange", "pkg/meet", "pkg/interval",
		"pkg/fault",
	},
	"functions/items": {
		"functions/world", "pkg/message", "pkg/tool", "pkg/agenda", "pkg/meet", "pkg/interval", "pkg/fault",
	},
	"functions/preference": {
		"functions/world", "pkg/message", "pkg/tool", "pkg/preference", "pkg/record", "pkg/meet", "pkg/interval", "pkg/fault",
	},
	"functions/task": {
		"functions/world", "pkg/message", "pkg/tool", "pkg/agenda", "pkg/task", "pkg/meet", "pkg/interval", "pkg/when",
		"pkg/fault",
	},
	"functions/list": {"functions/world", "pkg/message", "pkg/tool", "pkg/list", "pkg/meet", "pkg/fault"},
	"functions/note": {
		"functions/world", "pkg/message", "pkg/tool", "pkg/agenda", "pkg/note", "pkg/embedding", "pkg/meet", "pkg/fault",
	},
	"functions/contact": {
		"functions/world", "pkg/message", "pkg/tool", "pkg/agenda", "pkg/people", "pkg/meet", "pkg/fault",
	},
	"functions/email": {
		"functions/world", "pkg/message", "pkg/tool", "pkg/mail", "pkg/task", "pkg/meet", "pkg/fault",
	},
	"functions/system":       {"functions/world", "pkg/message", "pkg/tool", "pkg/workflow", "pkg/meet", "pkg/fault"},
	"functions/workflow":     {"functions/world", "pkg/message", "pkg/tool", "pkg/workflow", "pkg/meet", "pkg/fault"},
	"prompts":                {},
	"pkg/account":            {"pkg/meet", "pkg/fault"},
	"pkg/account/google":     {"pkg/account", "pkg/meet", "pkg/fault"},
	"pkg/account/graph":      {"pkg/account", "pkg/outbound", "pkg/fault"},
	"pkg/activity":           {"pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/activity/cached":    {"pkg/activity", "pkg/answers", "pkg/meet", "pkg/interval"},
	"pkg/activity/catalogue": {"pkg/activity", "pkg/meet", "pkg/interval", "pkg/geo"},
	"pkg/activity/websearch": {"pkg/activity", "pkg/outbound", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/agenda":             {"pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/answers":            {},
	"pkg/api": {
		"pkg/markup", "pkg/webhook", "pkg/auth", "pkg/protocol/aisdk", "pkg/protocol/agui", "pkg/api/typescript",
		"pkg/widget", "pkg/account", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault", "pkg/turn",
		"pkg/sse", "pkg/booking", "pkg/agenda",
		"pkg/task",
		"pkg/mail",
		"pkg/list",
		"pkg/note",
		"pkg/change",
		"pkg/notice",
		"pkg/preference", "pkg/workflow",
	},
	"pkg/api/typescript":  {},
	"pkg/auth":            {"pkg/meet", "pkg/fault"},
	"pkg/booking":         {"pkg/claim", "pkg/meet", "pkg/interval", "pkg/travel", "pkg/fault"},
	"pkg/booking/courier": {"pkg/booking", "pkg/account", "pkg/calendar", "pkg/meet", "pkg/fault"},
	"pkg/calendar":        {"pkg/agenda", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/calendar/cached": {"pkg/calendar", "pkg/meet", "pkg/interval", "pkg/geo"},
	"pkg/calendar/caldav": {
		"pkg/agenda", "pkg/account", "pkg/calendar", "pkg/calendar/icalendar", "pkg/outbound", "pkg/meet", "pkg/interval",
		"pkg/fault",
	},
	"pkg/calendar/google": {
		"pkg/agenda", "pkg/account", "pkg/account/google", "pkg/calendar", "pkg/calendar/icalendar", "pkg/outbound",
		"pkg/meet", "pkg/interval", "pkg/fault",
	},
	"pkg/calendar/icalendar": {"pkg/agenda", "pkg/task", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/calendar/ics": {
		"pkg/account", "pkg/calendar", "pkg/calendar/icalendar", "pkg/outbound", "pkg/meet", "pkg/interval",
		"pkg/fault",
	},
	"pkg/calendar/local": {
		"pkg/agenda", "pkg/calendar", "pkg/calendar/icalendar", "pkg/meet", "pkg/interval", "pkg/fault",
	},
	"pkg/calendar/microsoft": {
		"pkg/agenda", "pkg/account", "pkg/account/graph", "pkg/calendar", "pkg/calendar/icalendar", "pkg/meet",
		"pkg/interval", "pkg/geo", "pkg/fault",
	},
	"pkg/change":         {"pkg/meet", "pkg/fault", "pkg/claim", "pkg/message"},
	"pkg/preference":     {"pkg/record", "pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/record":         {"pkg/meet"},
	"pkg/record/writer":  {"pkg/record", "pkg/change", "pkg/meet", "pkg/fault"},
	"pkg/eval":           {"pkg/meet", "pkg/interval", "pkg/slot", "pkg/when"},
	"pkg/demo":           {"pkg/meet", "pkg/interval"},
	"pkg/fault":          {},
	"pkg/geo":            {},
	"pkg/holiday":        {"pkg/interval", "pkg/holiday/hebrew"},
	"pkg/holiday/hebrew": {"pkg/interval"},
	"pkg/interval":       {},
	"pkg/jsontext":       {},
	"pkg/llm":            {"pkg/fault"},
	"pkg/llm/kind":       {"pkg/llm/kind", "pkg/linear"},
	"pkg/linear":         {},
	"pkg/conjugation":    {},
	"pkg/calendarname":   {},
	"pkg/plan":           {},
	"pkg/clause":         {"pkg/ground", "pkg/plan", "pkg/agenda", "pkg/when", "pkg/interval"},
	"pkg/ground":         {"pkg/ground", "pkg/calendarname", "pkg/linear", "pkg/agenda", "pkg/when", "pkg/interval"},
	"pkg/llm/offline": {
		"pkg/llm", "pkg/llm/kind", "pkg/calendarname", "pkg/conjugation", "pkg/when", "pkg/interval", "pkg/sse",
	},
	"pkg/llm/openai": {"pkg/jsontext", "pkg/llm", "pkg/embedding", "pkg/fault", "pkg/sse"},
	"pkg/embedding":  {},
	"pkg/list":       {"pkg/record", "pkg/agenda", "pkg/meet", "pkg/fault"},
	"pkg/note":       {"pkg/record", "pkg/agenda", "pkg/embedding", "pkg/meet", "pkg/fault"},
	"pkg/mail":       {"pkg/agenda", "pkg/linear", "pkg/when", "pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/mail/train": {"pkg/mail", "pkg/linear"},
	"pkg/mail/eml":   {"pkg/mail", "pkg/record", "pkg/meet"},
	"pkg/mail/imap":  {"pkg/mail", "pkg/mail/remote", "pkg/account", "pkg/outbound", "pkg/meet", "pkg/fault"},
	"pkg/mail/gmail": {
		"pkg/mail", "pkg/mail/remote", "pkg/account", "pkg/account/google", "pkg/outbound", "pkg/record", "pkg/meet",
		"pkg/fault",
	},
	"pkg/mail/outlook": {
		"pkg/mail", "pkg/mail/remote", "pkg/account", "pkg/account/graph", "pkg/outbound", "pkg/meet", "pkg/fault",
	},
	"pkg/mail/remote":      {"pkg/mail", "pkg/account", "pkg/outbound", "pkg/meet", "pkg/fault"},
	"pkg/mail/smtp":        {"pkg/mail", "pkg/outbound", "pkg/fault"},
	"pkg/mail/writer":      {"pkg/mail", "pkg/change", "pkg/meet", "pkg/fault"},
	"pkg/mail/maildir":     {"pkg/mail", "pkg/record", "pkg/meet"},
	"pkg/markup":           {},
	"pkg/mcp":              {"pkg/meet", "pkg/interval", "pkg/fault", "pkg/turn", "pkg/sse", "pkg/booking"},
	"pkg/meet":             {"pkg/interval", "pkg/geo"},
	"pkg/message":          {"pkg/interval", "pkg/meet", "pkg/holiday"},
	"pkg/notice":           {"pkg/claim", "pkg/meet"},
	"pkg/outbound":         {},
	"pkg/people":           {"pkg/record", "pkg/agenda", "pkg/meet", "pkg/fault"},
	"pkg/people/vcard":     {"pkg/meet"},
	"pkg/place":            {"pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/place/cached":     {"pkg/place", "pkg/answers", "pkg/meet"},
	"pkg/place/catalogue":  {"pkg/place", "pkg/meet", "pkg/interval", "pkg/geo"},
	"pkg/place/foursquare": {"pkg/place", "pkg/outbound", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/place/google":     {"pkg/place", "pkg/outbound", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/protocol/agui":    {"pkg/meet"},
	"pkg/protocol/aisdk":   {"pkg/meet"},
	"pkg/claim":            {"pkg/meet", "pkg/fault"},
	"pkg/change/events":    {"pkg/change", "pkg/agenda", "pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/redisstore": {
		"pkg/auth", "pkg/webhook", "pkg/booking", "pkg/claim", "pkg/account", "pkg/change", "pkg/notice", "pkg/record",
		"pkg/turn", "pkg/workflow", "pkg/meet", "pkg/interval", "pkg/fault",
	},
	"pkg/replay":       {"pkg/sse"},
	"pkg/rearrange":    {"pkg/interval"},
	"pkg/slot":         {"pkg/interval", "pkg/meet"},
	"pkg/sse":          {},
	"pkg/task":         {"pkg/agenda", "pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/task/own":     {"pkg/task", "pkg/record", "pkg/meet"},
	"pkg/task/overlay": {"pkg/task", "pkg/record", "pkg/meet", "pkg/fault"},
	"pkg/task/writer":  {"pkg/task", "pkg/change", "pkg/meet"},
	"pkg/task/remote":  {"pkg/task", "pkg/meet", "pkg/fault"},
	"pkg/task/microsoft": {
		"pkg/task", "pkg/task/remote", "pkg/calendar", "pkg/calendar/microsoft", "pkg/meet", "pkg/fault",
	},
	"pkg/task/google": {
		"pkg/task", "pkg/task/remote", "pkg/calendar", "pkg/calendar/google", "pkg/meet", "pkg/fault",
	},
	"pkg/task/caldav": {
		"pkg/task", "pkg/task/remote", "pkg/calendar", "pkg/calendar/caldav", "pkg/calendar/icalendar", "pkg/meet",
		"pkg/fault",
	},
	"pkg/telemetry":   {"pkg/webhook", "pkg/turn", "pkg/meet", "pkg/llm", "pkg/fault"},
	"pkg/testenv":     {},
	"pkg/travel":      {"pkg/meet", "pkg/interval", "pkg/geo"},
	"pkg/travel/osrm": {"pkg/travel", "pkg/outbound", "pkg/geo", "pkg/fault"},
	"pkg/tool":        {"pkg/jsontext", "pkg/llm"},
	"pkg/turn":        {"pkg/meet", "pkg/fault"},
	"pkg/webhook":     {"pkg/booking", "pkg/notice", "pkg/outbound", "pkg/meet", "pkg/fault"},
	"pkg/when":        {"pkg/interval", "pkg/holiday/hebrew"},
	"pkg/widget":      {},
	"pkg/workflow":    {"pkg/record", "pkg/agenda", "pkg/meet", "pkg/fault"},
}

// homes are the only folders in which a vendor's package may be imported.
var homes = map[string][]string{
	"github.com/labstack/echo":      {"pkg/api"},
	"github.com/danielgtaylor/huma": {"pkg/api"},
	"github.com/redis/go-redis":     {"pkg/redisstore"},
	"github.com/alicebob/miniredis": {"pkg/redisstore"},
	"github.com/openai/openai-go":   {"pkg/llm/openai"},
	"github.com/failsafe-go":        {"pkg/llm/openai", "pkg/outbound"},
	"github.com/tink-crypto":        {"pkg/account"},
	"github.com/golang-jwt":         {"pkg/auth"},
	"golang.org/x/oauth2":           {"pkg/account"},
	"google.golang.org/api": {
		"pkg/account/google", "pkg/calendar/google", "pkg/task/google", "pkg/place/google", "pkg/mail/gmail",
	},
	"github.com/yuin/goldmark":       {"pkg/markup"},
	"github.com/microcosm-cc":        {"pkg/markup"},
	"github.com/tdewolff":            {"pkg/widget"},
	"github.com/microsoft":           {"pkg/calendar/microsoft"},
	"github.com/emersion/go-ical":    {"pkg/calendar/icalendar"},
	"github.com/emersion/go-message": {"pkg/mail"},
	"github.com/emersion/go-imap":    {"pkg/mail/imap"},
	"github.com/wneessen/go-mail":    {"pkg/mail/smtp", "pkg/mail/writer"},
	"github.com/emersion/go-vcard":   {"pkg/people/vcard"},
	"github.com/teambition/rrule-go": {"pkg/calendar/icalendar"},
	"github.com/invopop/jsonschema":  {"pkg/tool", "functions"},
	"github.com/santhosh-tekuri":     {"pkg/tool", "pkg/preference"},
	"github.com/alecthomas/kong":     {"cmd"},
	"github.com/rickar/cal":          {"pkg/holiday"},
	"github.com/prometheus":          {"pkg/telemetry"},
	"go.opentelemetry.io":            {"pkg/telemetry"},

	"github.com/modelcontextprotocol": {"pkg/mcp"},
	"github.com/google/jsonschema-go": {"pkg/mcp"},
	"github.com/standard-webhooks":    {"pkg/webhook"},
}

// words are the pure types and rules that stages and functions are written in.
var words = []string{
	"pkg/interval", "pkg/geo", "pkg/meet", "pkg/slot", "pkg/when", "pkg/travel", "pkg/message", "pkg/holiday",
	"pkg/fault", "pkg/llm", "pkg/tool", "pkg/turn", "pkg/place", "pkg/agenda", "pkg/record", "pkg/list", "pkg/note",
	"pkg/embedding", "pkg/people", "pkg/task", "pkg/mail", "pkg/jsontext", "pkg/ground", "pkg/linear", "pkg/plan",
	"pkg/rearrange", "pkg/workflow", "pkg/calendarname",
}

// adapters have a vendor, a file or a store on their other side. A folder below one belongs to it.
var adapters = []string{
	"pkg/activity/cached", "pkg/activity/catalogue", "pkg/activity/websearch", "pkg/booking/courier",
	"pkg/calendar/cached", "pkg/calendar/caldav", "pkg/calendar/google", "pkg/calendar/ics", "pkg/calendar/local",
	"pkg/calendar/microsoft", "pkg/llm/offline", "pkg/llm/openai", "pkg/place/cached", "pkg/place/catalogue",
	"pkg/mail/eml", "pkg/mail/gmail", "pkg/mail/imap", "pkg/mail/maildir", "pkg/mail/outlook", "pkg/mail/smtp",
	"pkg/mail/writer", "pkg/people/vcard", "pkg/place/foursquare", "pkg/place/google", "pkg/record/writer",
	"pkg/redisstore", "pkg/task/caldav", "pkg/task/google", "pkg/task/microsoft", "pkg/task/own", "pkg/task/overlay",
	"pkg/task/writer", "pkg/travel/osrm",
}

// ofAccounts keep the tasks of accounts that calendars have connected.
var ofAccounts = []string{"pkg/task/caldav", "pkg/task/google", "pkg/task/microsoft"}

// never says what is not reached, through whatever packages are between, from the folders and those below them.
var never = []struct {
	rule    string
	folders []string
	// only, if not nil, is all of ours that is reached, adapters below the folders left aside. no is what is not reached.
	only, no []string
	// but are folders that the rule leaves aside.
	but []string
}{
	// What providers of connected mailboxes share knows accounts, as they do.
	{rule: "words reach words", folders: words, only: words, but: []string{"pkg/mail/remote"}},
	{rule: "stages reach functions, prompts, words, preferences and the desk of changes", folders: []string{"stages"},
		only: append([]string{"functions", "prompts", "pkg/preference", "pkg/change", "pkg/claim"}, words...)},
	{rule: "functions reach each other's world, words and preferences", folders: []string{"functions"},
		only: append([]string{"functions", "pkg/preference"}, words...)},
	{rule: "prompts reach nothing", folders: []string{"prompts"}, only: []string{}},
	{rule: "pkg never reaches the other top-level folders", folders: []string{"pkg"},
		no: []string{"cmd", "functions", "prompts", "stages"}},
	{rule: "only cmd reaches adapters", folders: []string{"stages", "functions", "pkg"}, no: adapters,
		but: ofAccounts},
	{rule: "telemetry is told by functions and small ports", folders: []string{"stages", "pkg"},
		no: []string{"pkg/telemetry"}},
	{rule: "the API is reached by cmd alone, and it mounts mcp as a plain handler", folders: []string{"stages", "pkg"},
		no: []string{"pkg/api", "pkg/mcp"}},
	{rule: "protocols reach the words of an update", folders: []string{"pkg/protocol"},
		only: []string{"pkg/meet", "pkg/interval", "pkg/geo"}},
	{rule: "replay reaches sse", folders: []string{"pkg/replay"}, only: []string{"pkg/sse"}},
}

// production is the imports of each folder of ours, without tests: those may import what they test against.
func production(t *testing.T) map[string][]string {
	t.Helper()
	graph := map[string][]string{}
	for folder, files := range productionFiles(t) {
		for _, file := range files {
			for _, spec := range file.Imports {
				graph[folder] = append(graph[folder], strings.Trim(spec.Path.Value, `"`))
			}
		}
		slices.Sort(graph[folder])
		graph[folder] = slices.Compact(graph[folder])
	}
	return graph
}

func productionFiles(t *testing.T) map[string][]*ast.File {
	t.Helper()
	root := filepath.Join("..", "..")
	files := map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && entry.Name() != ".." {
			return fs.SkipDir
		}
		folder := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), root+string(filepath.Separator)))
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || isTestFolder(folder) {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files[folder] = append(files[folder], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("looked at %d folders; the walk does not see the project", len(files))
	}
	return files
}

func isTestFolder(folder string) bool {
	return strings.HasSuffix(filepath.Base(folder), "test") || strings.Contains(folder, "testdata")
}

func TestImportsFollowTheArchitecture(t *testing.T) {
	t.Parallel()
	used := map[[2]string]bool{}
	for folder, imports := range production(t) {
		rule, name := ruleFor(folder)
		if name == "" {
			t.Errorf("%s has no import rule: add it to the table and to ARCHITECTURE.md", folder)
		}
		for _, imported := range imports {
			for vendor, places := range homes {
				if within(imported, vendor) && !withinAny(folder, places) {
					t.Errorf("%s imports %s, which belongs to %v", folder, imported, places)
				}
			}
			ours, ok := strings.CutPrefix(imported, module)
			used[[2]string{name, ours}] = true
			if ok && !within(ours, folder) && !slices.Contains(rule, "*") && !slices.Contains(rule, ours) {
				t.Errorf("%s imports %s; it may import %v", folder, ours, rule)
			}
		}
	}
	for folder, rule := range allowed {
		for _, ours := range rule {
			if ours != "*" && !used[[2]string{folder, ours}] {
				t.Errorf("%s may import %s and does not: take it out of the table", folder, ours)
			}
		}
	}
}

// ruleFor is the rule of the folder or of the nearest one above it, with the folder that has it.
func ruleFor(folder string) (rule []string, name string) {
	for name = folder; name != "."; name = path.Dir(name) {
		if rule, ok := allowed[name]; ok {
			return rule, name
		}
	}
	return nil, ""
}

func TestNothingIsReachedThroughAnother(t *testing.T) {
	t.Parallel()
	graph := production(t)
	for _, r := range never {
		found := false
		for folder := range graph {
			if !withinAny(folder, r.folders) || withinAny(folder, r.but) || r.only != nil && withinAny(folder, adapters) {
				continue
			}
			found = true
			for ours, way := range reached(graph, folder) {
				if !within(ours, folder) && (r.only != nil && !withinAny(ours, r.only) || withinAny(ours, r.no)) {
					t.Errorf("%s: %s reaches %s by %s", r.rule, folder, ours, strings.Join(way, " → "))
				}
			}
		}
		if !found {
			t.Errorf("%s: there is no folder %v", r.rule, r.folders)
		}
	}
}

// reached is all of ours that a folder reaches, each with the shortest way there.
func reached(graph map[string][]string, from string) map[string][]string {
	ways := map[string][]string{}
	for next := [][]string{{from}}; len(next) > 0; next = next[1:] {
		way := next[0]
		last := way[len(way)-1]
		for _, imported := range graph[last] {
			ours, ok := strings.CutPrefix(imported, module)
			if _, seen := ways[ours]; ok && !seen {
				ways[ours] = append(slices.Clone(way), ours)
				next = append(next, ways[ours])
			}
		}
	}
	return ways
}

func withinAny(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return within(path, f) })
}

// within reports whether the path is the folder, or below it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}
