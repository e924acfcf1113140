package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "convene/"

// allowed says what a folder may import of ours; the longest matching prefix decides. "*" is everything.
var allowed = map[string][]string{
	"cmd":       {"*"},
	"stages":    {"functions", "prompts", "pkg/turnqueue", "pkg/meet", "pkg/interval", "pkg/slot", "pkg/when", "pkg/geo", "pkg/travel", "pkg/fault", "pkg/llm", "pkg/turnlog", "pkg/message"},
	"functions": {"pkg/meet", "pkg/interval", "pkg/slot", "pkg/when", "pkg/llm", "pkg/fault"},
	"prompts":   {},

	"pkg/interval": {}, "pkg/fault": {}, "pkg/sse": {}, "pkg/testenv": {}, "pkg/answers": {},
	"pkg/geo": {"pkg/interval"}, "pkg/hebrew": {"pkg/interval"}, "pkg/when": {"pkg/interval", "pkg/hebrew"},
	"pkg/holiday": {"pkg/interval", "pkg/hebrew"},
	"pkg/meet":    {"pkg/interval", "pkg/geo"},
	"pkg/slot":    {"pkg/interval", "pkg/meet"},
	"pkg/message": {"pkg/interval", "pkg/meet", "pkg/holiday"},
	"pkg/turnlog": {"pkg/meet"}, "pkg/turnqueue": {"pkg/meet"},
	"pkg/llm":     {"pkg/fault"},
	"pkg/people":  {"pkg/meet"},
	"pkg/booking": {"pkg/meet", "pkg/interval", "pkg/slot", "pkg/travel", "pkg/fault"},
	"pkg/demo":    {"pkg/meet", "pkg/interval", "pkg/geo"},

	"pkg/llm/openai":         {"pkg/llm", "pkg/fault", "pkg/sse"},
	"pkg/llm/offline":        {"pkg/llm", "pkg/when", "pkg/interval", "pkg/sse"},
	"pkg/calendar":           {"pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/calendar/local":     {"pkg/calendar", "pkg/calendar/icalendar", "pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/calendar/icalendar": {"pkg/meet", "pkg/interval", "pkg/geo"},
	"pkg/place":              {"pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/place/foursquare":   {"pkg/place", "pkg/outbound", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/place/google":       {"pkg/place", "pkg/outbound", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/place/cached":       {"pkg/place", "pkg/answers", "pkg/meet", "pkg/geo", "pkg/fault"},
	"pkg/travel":             {"pkg/place", "pkg/meet", "pkg/interval", "pkg/geo"},
	"pkg/travel/osrm":        {"pkg/travel", "pkg/outbound", "pkg/geo", "pkg/fault"},
	"pkg/place/catalogue":    {"pkg/place", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/activity":           {"pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/activity/websearch": {"pkg/activity", "pkg/outbound", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/activity/cached":    {"pkg/activity", "pkg/answers", "pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/activity/catalogue": {"pkg/activity", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/calendar/cached":    {"pkg/calendar", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/calendar/google":    {"pkg/account", "pkg/calendar", "pkg/outbound", "pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/calendar/microsoft": {"pkg/account", "pkg/calendar", "pkg/calendar/icalendar", "pkg/outbound", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault"},
	"pkg/calendar/caldav":    {"pkg/account", "pkg/calendar", "pkg/calendar/icalendar", "pkg/outbound", "pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/calendar/ics":       {"pkg/account", "pkg/calendar", "pkg/calendar/icalendar", "pkg/outbound", "pkg/meet", "pkg/interval", "pkg/fault"},
	"pkg/account":            {"pkg/meet", "pkg/fault"},
	"pkg/auth":               {"pkg/meet", "pkg/fault"},
	"pkg/outbound":           {},
	"pkg/booking/courier":    {"pkg/booking", "pkg/account", "pkg/calendar", "pkg/meet", "pkg/fault"},
	"pkg/webhook":            {"pkg/booking", "pkg/outbound", "pkg/meet", "pkg/fault"},
	"pkg/widget":             {},
	"pkg/markup":             {},
	"pkg/redisstore":         {"pkg/auth", "pkg/webhook", "pkg/booking", "pkg/account", "pkg/turnqueue", "pkg/meet", "pkg/interval", "pkg/fault", "pkg/turnlog"},
	"pkg/replay":             {"pkg/sse"},
	"pkg/uistream":           {"pkg/meet"},
	"pkg/agui":               {"pkg/meet"},
	"pkg/typescript":         {},
	"pkg/telemetry":          {"pkg/webhook", "pkg/turnqueue", "pkg/meet", "pkg/llm", "pkg/fault"},
	"pkg/mcp":                {"pkg/meet", "pkg/interval", "pkg/fault", "pkg/turnlog", "pkg/sse", "pkg/booking"},
	"pkg/api":                {"pkg/webhook", "pkg/auth", "pkg/uistream", "pkg/agui", "pkg/typescript", "pkg/widget", "pkg/account", "pkg/meet", "pkg/interval", "pkg/geo", "pkg/fault", "pkg/turnlog", "pkg/sse", "pkg/booking"},
}

// homes are the only folders in which a vendor's package may be imported.
var homes = map[string][]string{
	"github.com/labstack/echo":       {"pkg/api"},
	"github.com/danielgtaylor/huma":  {"pkg/api"},
	"github.com/redis/go-redis":      {"pkg/redisstore"},
	"github.com/alicebob/miniredis":  {"pkg/redisstore"},
	"github.com/openai/openai-go":    {"pkg/llm/openai"},
	"github.com/failsafe-go":         {"pkg/llm/openai", "pkg/outbound"},
	"github.com/tink-crypto":         {"pkg/account"},
	"github.com/golang-jwt":          {"pkg/auth"},
	"golang.org/x/oauth2":            {"pkg/account"},
	"google.golang.org/api":          {"pkg/calendar/google", "pkg/place/google"},
	"github.com/yuin/goldmark":       {"pkg/markup"},
	"github.com/microcosm-cc":        {"pkg/markup"},
	"github.com/tdewolff":            {"pkg/widget"},
	"github.com/microsoft":           {"pkg/calendar/microsoft"},
	"github.com/emersion/go-ical":    {"pkg/calendar/icalendar"},
	"github.com/teambition/rrule-go": {"pkg/calendar/icalendar"},
	"github.com/invopop/jsonschema":  {"functions"},
	"github.com/santhosh-tekuri":     {"functions"},
	"github.com/alecthomas/kong":     {"cmd"},
	"github.com/rickar/cal":          {"pkg/holiday"},
	"github.com/prometheus":          {"pkg/telemetry"},
	"go.opentelemetry.io":            {"pkg/telemetry"},

	"github.com/modelcontextprotocol": {"pkg/mcp"},
	"github.com/google/jsonschema-go": {"pkg/mcp"},
	"github.com/standard-webhooks":    {"pkg/webhook"},
}

// The import rules of ARCHITECTURE.md. Tests may import what they test against, so only production files count.
func TestImportsFollowTheArchitecture(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	files := 0
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
		files++
		for _, imported := range importsOf(t, path) {
			checkImport(t, folder, imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Fatalf("looked at %d files; the walk does not see the project", files)
	}
}

func isTestFolder(folder string) bool {
	return strings.HasSuffix(filepath.Base(folder), "test") || strings.Contains(folder, "testdata")
}

func importsOf(t *testing.T, path string) []string {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range file.Imports {
		paths = append(paths, strings.Trim(spec.Path.Value, `"`))
	}
	return paths
}

func checkImport(t *testing.T, folder, imported string) {
	t.Helper()
	for vendor, places := range homes {
		if hasPrefix(imported, vendor) && !slices.ContainsFunc(places, func(p string) bool { return hasPrefix(folder, p) }) {
			t.Errorf("%s imports %s, which belongs to %v", folder, imported, places)
		}
	}
	ours, ok := strings.CutPrefix(imported, module)
	if !ok || hasPrefix(ours, folder) {
		return
	}
	rule, known := ruleFor(folder)
	if !known {
		t.Errorf("%s has no import rule: add it to the table and to ARCHITECTURE.md", folder)
		return
	}
	if !slices.Contains(rule, "*") && !slices.Contains(rule, ours) {
		t.Errorf("%s imports %s; it may import %v", folder, ours, rule)
	}
}

// ruleFor is the rule of the folder or of the nearest one above it.
func ruleFor(folder string) ([]string, bool) {
	for ; folder != "."; folder = filepath.ToSlash(filepath.Dir(folder)) {
		if rule, ok := allowed[folder]; ok {
			return rule, true
		}
	}
	return nil, false
}

func hasPrefix(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}
