package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
)

// lockedBuffer is a log that may be written to by many.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Logs say which turn and conversation, and never what was said, who takes part, or a secret.
func TestLogsTellNothingPrivate(t *testing.T) {
	t.Parallel()
	var logs lockedBuffer
	s := parseSettings(t, "--openai-base-url=http://127.0.0.1:9/v1", "--openai-api-key=sk-hush")
	s.LogLevel = "debug"
	a, err := wire(t.Context(), s, &logs)
	if err != nil {
		t.Fatal(err)
	}
	server, err := a.start(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, server: server.url(), conversation: "logged"}
	c.take(step{kind: "say", body: "coffee with Zebulon about the merger next week"})
	c.take(step{kind: "json", body: `{"message": "lunch", "organizer": "stranger-danger"}`})
	if _, body, _ := get(t, server.url()+"/v1/turns/t_none/events?token=sesame"); len(body) == 0 {
		t.Error("no answer")
	}
	if err := server.stop(t.Context()); err != nil {
		t.Error(err)
	}
	a.close()
	for _, private := range []string{"Zebulon", "merger", "sk-hush", "sesame", "Morgan", "@example"} {
		if strings.Contains(logs.String(), private) {
			t.Errorf("%q is in the logs:\n%s", private, logs.String())
		}
	}
	for _, needed := range []string{`"conversation":"logged"`, `"turn":"t_`, `"request":"`} {
		if !strings.Contains(logs.String(), needed) {
			t.Errorf("%s is not in the logs:\n%s", needed, logs.String())
		}
	}
}
