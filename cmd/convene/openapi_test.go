package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The description of the API passes what Spectral and Redocly recommend: nothing is found, not even a warning.
func TestDocumentPassesLinters(t *testing.T) {
	t.Parallel()
	node, folder := packagesOf(t, "openapi")
	_, served, _ := get(t, startServer(t, "")+"/openapi.json")
	document := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(document, served, 0o600); err != nil {
		t.Fatal(err)
	}
	lint := func(findings any, program string, arguments ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), clientTime)
		defer cancel()
		cmd := exec.CommandContext(ctx, node, append([]string{
			filepath.Join("node_modules", filepath.FromSlash(program)), "lint", document,
		}, arguments...)...)
		cmd.Dir = folder
		// Redocly's command calls home unless it is told not to.
		cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
		var said, complaints bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &complaints
		failed := cmd.Run()
		if err := json.Unmarshal(said.Bytes(), findings); err != nil {
			t.Fatalf("%s: %v, %v\n%s%s", program, failed, err, &said, &complaints)
		}
	}

	var spectral []struct{ Code, Message string }
	lint(&spectral, "@stoplight/spectral-cli/dist/index.js", "--ruleset", "spectral.yaml", "--format", "json", "--quiet")
	for _, finding := range spectral {
		t.Errorf("Spectral: %s: %s", finding.Code, finding.Message)
	}
	var redocly struct {
		Totals   struct{ Errors, Warnings int }
		Problems []struct{ RuleID, Message string }
	}
	redocly.Totals.Errors = -1 // until it is said
	lint(&redocly, "@redocly/cli/bin/cli.js", "--extends=recommended", "--format=json")
	for _, problem := range redocly.Problems {
		t.Errorf("Redocly: %s: %s", problem.RuleID, problem.Message)
	}
	if redocly.Totals.Errors != 0 || redocly.Totals.Warnings != 0 {
		t.Errorf("Redocly: %+v", redocly.Totals)
	}
}
