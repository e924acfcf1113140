package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"convene/pkg/redisstore/redistest"
	"convene/pkg/testenv"
)

// asParser makes the test binary read its command line as the program does, and do nothing else.
const asParser = "CONVENE_TEST_AS_PARSER"

// parseOnly reports what is wrong with a command line.
func parseOnly(args []string) int {
	var cli commands
	parser, err := kong.New(&cli, kong.Name("convene"), kong.DefaultEnvars("CONVENE"))
	if err == nil {
		_, err = parser.Parse(args)
	}
	if strays := strayVariables(parser.Model, os.Environ()); err != nil || len(strays) > 0 {
		os.Stderr.WriteString(strings.Join(append(strays, "convene "+strings.Join(args, " ")), "; ") + "\n")
		return exitMisuse
	}
	return exitDone
}

// rehearsal runs the commands of a document in an empty folder: those that ask, list and make things as they stand
// there, requests against a server of the test's own. A calendar's server cannot be reached, which the answer has to
// say. Of what would serve, load or install, it checks the command line, the task or the files; a command that it does
// not know fails.
const rehearsal = `
set -euo pipefail
go() {
  case "$1 ${2-}" in
  "run ./cmd/convene") shift 2; convene "$@" ;;
  "tool task") grep -q "^  ${3-default}:" "$ROOT/Taskfile.yml" || unknown "go $*" ;;
  "test ./..." | "tool pprof") ;;
  *) unknown "go $*" ;;
  esac
}
convene() {
  case "${1-} ${OPENAI_API_KEY-}" in
  "ask " | "eval " | "secrets " | "key " | "config " | "version ")
    CONVENE_TEST_AS_PROGRAM=1 "$PROGRAM" "$@" </dev/null ;;
  *) (cd "$ROOT"; CONVENE_TEST_AS_PARSER=1 "$PROGRAM" "$@") ;;
  esac
}
curl() {
  case "$*" in
  *caldav.invalid* | *imap.invalid*)
    [ "$(command curl --silent --output /dev/null --write-out '%{http_code}' "$@")" = 503 ] ||
      unknown "curl $*" ;;
  *) command curl --silent --show-error --fail "$@" ;;
  esac
}
docker() {
  for word; do case $word in cmd/*) [ -f "$ROOT/$word" ] || unknown "docker $*" ;; esac; done
}
git() { echo revision; }
unknown() { echo "not known: $*" >&2; exit 1; }
command_not_found_handle() { unknown "$@"; }
`

var background = regexp.MustCompile(`(?m) &( |$)`)

// Every command in the READMEs works.
func TestTheCommandsOfTheReadmes(t *testing.T) {
	t.Parallel()
	bash := testenv.Require(t, "bash")
	testenv.Require(t, "curl")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range markdownFiles(t) {
		script := strings.Join(snippets(t, file)["sh"], "\n")
		if script == "" {
			continue
		}
		ran++
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			args := []string{"--origins=https://app.example"}
			if usual := "redis://127.0.0.1:6379"; strings.Contains(script, usual) {
				redis := redistest.Start(t)
				args = append(args, "--redis-url="+redis)
				script = strings.ReplaceAll(script, usual, redis)
			}
			server := startServer(t, "", args...)
			for _, usual := range []string{"http://127.0.0.1:8080", "http://localhost:8080"} {
				script = strings.ReplaceAll(script, usual, server)
			}
			script = strings.NewReplacer("curl https://convene.example.com", "curl "+server, "caldav.fastmail.com",
				"caldav.invalid", "imap.fastmail.com", "imap.invalid").
				Replace(script)
			script = background.ReplaceAllString(script, "\n") // the shell does not report how what is in the background ends
			ctx, cancel := context.WithTimeout(t.Context(), clientTime)
			defer cancel()
			shell := exec.CommandContext(ctx, bash, "-c", rehearsal+script)
			shell.Dir = t.TempDir()
			shell.Env = append(os.Environ(), "PROGRAM="+program, "ROOT="+root)
			if out, err := shell.CombinedOutput(); err != nil {
				t.Errorf("%v:\n%s\n%s", err, script, out)
			}
		})
	}
	if ran < 10 {
		t.Errorf("found commands in %d files; the test does not see them", ran)
	}
}

// A document has snippets only in languages in which a test looks at them: the HTML, and the scripts for browsers, are
// run by the tests of pkg/widget.
func TestTheSnippetsOfTheReadmes(t *testing.T) {
	t.Parallel()
	node, folder := clientFolder(t)
	known := []string{"", "sh", "json", "html", "js", "ts", "tsx"}
	for _, file := range markdownFiles(t) {
		if strings.HasPrefix(file, "functions/") || strings.HasPrefix(file, "prompts/") ||
			strings.HasSuffix(file, "search.md") {
			continue // words for models
		}
		for language, blocks := range snippets(t, file) {
			if !slices.Contains(known, language) {
				t.Errorf("%s has a snippet in %q, which no test looks at", file, language)
			}
			for _, block := range blocks {
				if language == "json" && !json.Valid([]byte(block)) {
					t.Errorf("%s has JSON that is none: %s", file, block)
				}
				if language == "js" {
					check := exec.CommandContext(t.Context(), node, "--check", "--input-type=module", "-")
					check.Stdin = strings.NewReader(block)
					if out, err := check.CombinedOutput(); err != nil {
						t.Errorf("%s: %v\n%s", file, err, out)
					}
				}
			}
		}
	}
	_, types, _ := get(t, startServer(t, "")+"/client.d.ts")
	dir := clientProject(t, folder, map[string][]byte{"client.d.ts": types, "react.d.ts": []byte(useChat)})
	arguments := []string{"--skipLibCheck", "--jsx", "preserve", "react.d.ts"}
	written := snippets(t, "pkg/api/protocols.md")
	for language, want := range map[string]int{"ts": 3, "tsx": 1} {
		if len(written[language]) != want {
			t.Errorf("found %d snippets in %s, want %d", len(written[language]), language, want)
		}
		for i, block := range written[language] {
			name := fmt.Sprintf("snippet%d.%s", i, language)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(block+"\nexport {};\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			arguments = append(arguments, name)
		}
	}
	compile(t, node, folder, dir, arguments...)
}

// useChat stands for a package that is not installed here, with what the snippet takes of it.
const useChat = `declare module "@ai-sdk/react" {
	import type { ChatTransport, ChatStatus, UIMessage } from "ai";
	export function useChat<M extends UIMessage>(options: { transport: ChatTransport<M>; resume?: boolean }):
		{ messages: M[]; sendMessage: (message: { text: string }) => Promise<void>; status: ChatStatus };
}`

var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)\n```$")

// snippets are the blocks of code in a document, by language.
func snippets(t *testing.T, file string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, block := range fence.FindAllStringSubmatch(read(t, file), -1) {
		found[block[1]] = append(found[block[1]], block[2])
	}
	return found
}
