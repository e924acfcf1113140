package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// friday is the clock of tests that do not say otherwise.
const friday = "2026-11-20T09:00:00-08:00"

// parseSettings reads settings as the command line does.
func parseSettings(t *testing.T, args ...string) settings {
	t.Helper()
	var c struct {
		settings `embed:""`
	}
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--now") }) {
		args = append(args, "--now="+friday)
	}
	// Preliminary candidates would depend on how busy the machine is.
	if _, err := parser.Parse(append([]string{"--grace=1m"}, append(args, "--log-level=disabled")...)); err != nil {
		t.Fatal(err)
	}
	return c.settings
}
