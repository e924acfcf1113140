package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	var line, object, errs bytes.Buffer
	if status := run(t.Context(), []string{"version"}, streams{nil, &line, &errs}); status != exitDone {
		t.Fatalf("status %d: %s", status, &errs)
	}
	if status := run(t.Context(), []string{"version", "--json"}, streams{nil, &object, &errs}); status != exitDone {
		t.Fatalf("status %d: %s", status, &errs)
	}
	var got build
	if err := json.Unmarshal(object.Bytes(), &got); err != nil || got != thisBuild() {
		t.Errorf("%v: %s", err, &object)
	}
	if got.Version == "" || got.Revision == "" || got.Go != runtime.Version() {
		t.Errorf("not all is said: %+v", got)
	}
	if want := "convene " + got.Version + ", revision " + got.revision() + ", " + got.Go + "\n"; line.String() != want {
		t.Errorf("%q, want %q", line.String(), want)
	}
	if b := (build{Revision: "abc", Modified: true}); b.revision() != "abc+modified" {
		t.Errorf("a changed source is called %s", b.revision())
	}
}

// Each line of the log says which build and which process it is from, turns' too.
func TestLogsSayWhoWritesThem(t *testing.T) {
	t.Parallel()
	var logs lockedBuffer
	s := parseSettings(t)
	s.LogLevel = "debug"
	a, err := wire(t.Context(), s, &logs)
	if err != nil {
		t.Fatal(err)
	}
	server := serve(t, a)
	server.http.ErrorLog.Print("what net/http has to say")
	(&client{t: t, server: server.url(), conversation: "told"}).take(step{kind: "say", body: "coffee with Al next week"})
	lines := strings.Split(strings.TrimSpace(logs.String()), "\n")
	for _, line := range lines {
		var fields struct{ Version, Instance string }
		if err := json.Unmarshal([]byte(line), &fields); err != nil || fields.Version != thisBuild().Version ||
			fields.Instance != instance() {
			t.Errorf("%v: %s", err, line)
		}
	}
	if !strings.Contains(logs.String(), "net/http has") || len(lines) < 2 {
		t.Errorf("not all is logged: %s", lines)
	}
}

// The image is built without the repository: what the linker is told there is what the program reads.
func TestTheImageSaysItsVersion(t *testing.T) {
	t.Parallel()
	source, err := parser.ParseFile(token.NewFileSet(), "version.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	variables := map[string]bool{}
	for _, declared := range source.Decls {
		if d, ok := declared.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, name := range d.Specs[0].(*ast.ValueSpec).Names {
				variables["main."+name.Name] = true
			}
		}
	}
	dockerfile := deployed(t, "Dockerfile")
	set := regexp.MustCompile(`-X (main\.\w+)=\$(\w+)`).FindAllStringSubmatch(dockerfile, -1)
	for _, one := range set {
		if !variables[one[1]] || !strings.Contains(dockerfile, "ARG "+one[2]) &&
			!strings.Contains(dockerfile, " "+one[2]+"=") {
			t.Errorf("%s is set to %s: %v", one[1], one[2], variables)
		}
		delete(variables, one[1])
	}
	if len(set) != 2 || len(variables) != 0 {
		t.Errorf("%d are set, %v are not", len(set), variables)
	}
}
