package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A newcomer adds a tool by one file, its words, and one line in the set of its family, as ARCHITECTURE.md says. From
// then on it is everywhere: in the list, over HTTP and MCP, in the document and in the types for clients.
func TestANewToolIsOneFileItsWordsAndOneLine(t *testing.T) {
	t.Parallel()
	server := serveWith(t, map[string]string{
		"functions/calendar/longest_free_day.go": read(t, "testdata/newtool/longest_free_day.go.txt"),
		"functions/calendar/longest_free_day.md": read(t, "testdata/newtool/longest_free_day.md"),
		"functions/calendar/set.go":              withLine(t, read(t, "functions/calendar/set.go"), "longestFreeDay(),"),
	})
	const name, args = "calendar_longestFreeDay", `{"from":"2026-11-23","days":5}`
	for path, want := range map[string]string{
		"/v1/tools": `"name":"` + name + `","description":"Finds the day with the most free time.","family":"calendar",` +
			`"effect":"read"`,
		"/openapi.json": `"/v1/tools/` + name + `"`,
		"/client.d.ts":  "\nexport interface CalendarLongestFreeDayData {\n  date: string;\n  freeMinutes: number;\n}\n",
	} {
		if _, body, _ := get(t, server+path); !strings.Contains(string(body), want) {
			t.Errorf("%s lacks %s", path, want)
		}
	}
	var direct struct {
		Response struct {
			Data struct{ FreeMinutes float64 }
		}
	}
	request(t, "POST "+server+"/v1/tools/"+name, `{"organizer":"me","arguments":`+args+`}`, http.StatusOK, &direct)
	if direct.Response.Data.FreeMinutes < 60 {
		t.Errorf("called over HTTP: %+v", direct)
	}
	var problem struct{ Field string }
	request(t, "POST "+server+"/v1/tools/"+name, `{"organizer":"me"}`, http.StatusBadRequest, &problem)
	if problem.Field != "arguments.from" {
		t.Errorf("called without an argument: the field %q", problem.Field)
	}
	given := newAgent(t, server).call(name, map[string]any{"organizer": "me", "from": "2026-11-23", "days": 5})
	data, _ := lookup(given, "response.data.freeMinutes")
	if data != direct.Response.Data.FreeMinutes {
		t.Errorf("called by an agent: %v, want %v minutes", given, direct.Response.Data.FreeMinutes)
	}
}

// withLine is the set of a family with one tool more.
func withLine(t *testing.T, set, line string) string {
	t.Helper()
	const empty, list = "return nil", "return []world.Tool{"
	for _, from := range []string{list, empty} {
		if strings.Contains(set, from) {
			to := list + "\n\t\t" + line + "\n"
			if from == empty {
				to += "\t}"
			}
			return strings.Replace(set, from, to, 1)
		}
	}
	t.Fatalf("the set has no list of tools:\n%s", set)
	return ""
}

// serveWith builds the program with files in place of those of the repository, by their paths in it, and serves.
func serveWith(t *testing.T, files map[string]string) (url string) {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, text := range files {
		own := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		overlay.Replace[filepath.Join(root, filepath.FromSlash(name))] = own
		if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "convene")
	if err := os.WriteFile(list, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", list, "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	serving := exec.CommandContext(context.WithoutCancel(t.Context()), binary, "--listen=127.0.0.1:0",
		"--now=2026-11-20T09:00:00-08:00")
	log, err := serving.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serving.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(serving) })
	lines, address := bufio.NewScanner(log), regexp.MustCompile(`"url":"(http://[^"]+)"`)
	for lines.Scan() {
		if found := address.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, log) }() // until the program ends
			return found[1]
		}
	}
	t.Fatal("the program ended")
	return ""
}
