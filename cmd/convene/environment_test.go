package main

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

func TestVariablesThatNothingReads(t *testing.T) {
	t.Parallel()
	var cli commands
	parser, err := kong.New(&cli, kong.DefaultEnvars("CONVENE"))
	if err != nil {
		t.Fatal(err)
	}
	got := strayVariables(parser.Model, []string{
		"CONVENE_LISTEN=127.0.0.1:1", "CONVENE_JSON=1", "REDIS_URL=x", "REDIS_ULR=x", "PATH=/", "CONVENE_TEST_STRICT=1",
		"CONVENE_TURN_DEADLIEN=3s", "CONVENE_TEMPLATE_MODELL=x", "CONVENE_COLOUR=blue",
	})
	want := []string{
		"nothing reads CONVENE_TURN_DEADLIEN; do you mean CONVENE_TURN_DEADLINE?",
		"nothing reads CONVENE_TEMPLATE_MODELL; do you mean CONVENE_TEMPLATE_MODEL?",
		"nothing reads CONVENE_COLOUR",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// config warns of such a variable, and a server once in its log.
func TestStrayVariablesAreWarnedOf(t *testing.T) {
	t.Parallel()
	const want = "nothing reads CONVENE_NOTCE; do you mean CONVENE_NOTICE?"
	s := inTerminal(t, []string{"CONVENE_NOTCE=1h"}, "config")
	s.until(want).ends(exitDone)
	server := inTerminal(t, []string{"CONVENE_NOTCE=1h"}, "serve", "--listen=127.0.0.1:0")
	server.until(want).until("Convene answers").press(ctrlC).ends(exitDone)
	if n := strings.Count(server.shown.String(), "CONVENE_NOTCE"); n != 1 {
		t.Errorf("warned %d times:\n%s", n, &server.shown)
	}
}

func TestEdits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"NOTCE", "NOTICE", 1}, {"ab", "ba", 2}, {"same", "same", 0},
	} {
		if got, back := edits(tt.a, tt.b), edits(tt.b, tt.a); got != tt.want || back != tt.want {
			t.Errorf("edits(%q, %q) = %d and %d, want %d", tt.a, tt.b, got, back, tt.want)
		}
	}
}
