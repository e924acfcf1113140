package main

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/sse"
)

// modelCalls are a server's counts of calls of its model.
func modelCalls(t *testing.T, server string) string {
	t.Helper()
	_, measures, _ := get(t, server+"/metrics")
	lines := regexp.MustCompile(`(?m)^convene_model_calls_total.*$`).FindAllString(string(measures), -1)
	if len(lines) == 0 {
		t.Fatal("calls of the model are not counted")
	}
	return strings.Join(lines, "\n")
}

// resumes reads a turn that has ended from after each of its updates: the rest is the same to the byte, and no model
// is asked again.
func resumes(t *testing.T, server string, turn any) {
	t.Helper()
	asked, stream := modelCalls(t, server), fmt.Sprintf("%s/v1/turns/%s/events", server, turn)
	blocks := blocksOf(t, stream, 0)
	if len(blocks) < 2 {
		t.Errorf("%s has %d updates, want turn and done at least", stream, len(blocks))
	}
	for after := 1; after < len(blocks); after++ {
		got, want := bytes.Join(blocksOf(t, stream, after), nil), bytes.Join(blocks[after:], nil)
		if !bytes.Equal(got, want) {
			t.Fatalf("after update %d of %s:\n%s\nwant\n%s", after, stream, got, want)
		}
	}
	if status, _, _ := get(t, stream, "Last-Event-ID", fmt.Sprint(len(blocks))); status != http.StatusNoContent {
		t.Errorf("status %d behind the last update, want 204", status)
	}
	if diff := cmp.Diff(asked, modelCalls(t, server)); diff != "" {
		t.Errorf("resuming %s asked the model again (-before +after):\n%s", stream, diff)
	}
}

// quiet is a stream without the heartbeats that it has while its turn keeps it waiting, as on a busy machine.
func quiet(stream []byte) []byte {
	lines := bytes.SplitAfter(stream, []byte("\n"))
	return bytes.Join(slices.DeleteFunc(lines, func(line []byte) bool { return string(line) == sse.Heartbeat }), nil)
}

// blocksOf is a stream after an update, without the line that belongs to the connection.
func blocksOf(t *testing.T, stream string, after int) [][]byte {
	t.Helper()
	status, body, _ := get(t, stream, "Last-Event-ID", fmt.Sprint(after))
	retry, updates, ok := bytes.Cut(quiet(body), []byte("retry: 2000\n"))
	if status != http.StatusOK || !ok || len(retry) > 0 {
		t.Fatalf("after update %d: status %d, want 200 and a first block that begins with retry: %.200s", after, status,
			body)
	}
	blocks := bytes.SplitAfter(updates, []byte("\n\n"))
	return blocks[:len(blocks)-1]
}
