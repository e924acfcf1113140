package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// The README lists every update, every command and every setting.
func TestTheReadmeIsComplete(t *testing.T) {
	t.Parallel()
	readme := read(t, "README.md")
	for _, kind := range regexp.MustCompile(`updateType\(\) string\s*\{ return "(\w+)" \}`).
		FindAllStringSubmatch(read(t, "pkg/meet/update.go"), -1) {
		if !strings.Contains(readme, "\n| `"+kind[1]+"` |") {
			t.Errorf("the update %q is not in the README's table", kind[1])
		}
	}
	var cli commands
	parser, err := kong.New(&cli)
	if err != nil {
		t.Fatal(err)
	}
	flags := 0
	for _, command := range parser.Model.Children {
		if !strings.Contains(readme, "`convene "+command.Name+"`") {
			t.Errorf("the command %q is not in the README", command.Name)
		}
		for _, flag := range command.Flags {
			flags++
			if flag.Name != "help" && !strings.Contains(readme, "`--"+flag.Name) &&
				!strings.Contains(readme, "--"+flag.Name+" ") {
				t.Errorf("the setting --%s of %s is not in the README", flag.Name, command.Name)
			}
		}
	}
	if flags < 20 {
		t.Errorf("found %d flags; the test does not see them", flags)
	}
}

// What the README calls the default is the default.
func TestTheReadmesFirstCommandIsTheDefault(t *testing.T) {
	t.Parallel()
	var cli commands
	parser, err := kong.New(&cli, kong.DefaultEnvars("CONVENE"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	if parsed.Command() != "serve" || cli.Serve.Listen != "127.0.0.1:8080" {
		t.Errorf("without arguments it runs %q on %s", parsed.Command(), cli.Serve.Listen)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
