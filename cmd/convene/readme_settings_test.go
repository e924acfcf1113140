package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

var update = flag.Bool("update", false, "write the table of settings anew")

const (
	settingsBegin = "<!-- Made from the flags: go test ./cmd/convene -run TestTheSettingsAreFresh -update -->\n"
	settingsEnd   = "<!-- end of the settings -->\n"
)

// The table of settings in README.md is made from the flags; -update writes it anew.
func TestTheSettingsAreFresh(t *testing.T) {
	t.Parallel()
	before, rest, begun := strings.Cut(readme, settingsBegin)
	_, after, ended := strings.Cut(rest, settingsEnd)
	if !begun || !ended {
		t.Fatal("README.md has no place for the settings")
	}
	fresh := before + settingsBegin + "\n" + settingsTable(t) + "\n" + settingsEnd + after
	if *update {
		if err := os.WriteFile("README.md", []byte(fresh), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if fresh != readme {
		t.Error("the table of settings is not that of the flags; run: go tool task golden")
	}
}

// settingsTable has a row for each setting of serve: its own first, then those that it shares with other commands.
func settingsTable(t *testing.T) string {
	t.Helper()
	var cli commands
	parser, err := kong.New(&cli, kong.DefaultEnvars("CONVENE"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse([]string{"config", "--openai-api-key=any", "--activity-finder=web"})
	if err != nil {
		t.Fatal(err)
	}
	cli.Config.Serve.fillIn()
	flags := parsed.Selected().Flags
	shared := len(flags) - reflect.TypeFor[serveCommand]().NumField() + 1
	if shared < 40 || flags[shared].Name != "listen" {
		t.Fatalf("%d settings are shared with other commands", shared)
	}
	var table strings.Builder
	table.WriteString("| setting | default | meaning |\n|---|---|---|\n")
	for _, f := range slices.Concat(flags[shared:], flags[:shared]) {
		name := "`--" + f.Name + "`"
		if usual := "CONVENE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_")); f.Envs[0] != usual {
			name += " (`" + f.Envs[0] + "`)"
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", name, usualValue(f), strings.ReplaceAll(f.Help, "|", `\|`))
	}
	return table.String()
}

// usualValue is what counts where nothing is set.
func usualValue(f *kong.Flag) string {
	value := fmt.Sprint(f.Target.Interface())
	if f.Target.IsZero() || f.Name == "openai-api-key" {
		return ""
	}
	return "`" + cmp.Or(f.Default, value) + "`"
}
