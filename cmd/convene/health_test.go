package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"convene/pkg/llm/offline"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	healthy := strings.TrimPrefix(startServer(t, ""), "http://")
	_, port, _ := strings.Cut(healthy, ":")
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(broken.Close)
	unready := strings.TrimPrefix(broken.URL, "http://")
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, c := range map[string]struct {
		args []string
		want int
		says string
	}{
		"alive":                 {[]string{"--listen=" + healthy}, exitDone, "ok"},
		"ready":                 {[]string{"--listen=" + healthy, "--ready"}, exitDone, "ok"},
		"as it listens to all":  {[]string{"--listen=:" + port}, exitDone, "ok"},
		"as it listens on IPv4": {[]string{"--listen=0.0.0.0:" + port}, exitDone, "ok"},
		"alive but not ready":   {[]string{"--listen=" + unready}, exitDone, "ok"},
		"not ready":             {[]string{"--listen=" + unready, "--ready"}, exitFailed, "503"},
		"gone": {[]string{
			"--listen=" + strings.TrimPrefix(gone.URL, "http://"),
		}, exitFailed, "no server answers"},
		"no address": {[]string{"--listen=8080"}, exitMisuse, "host:port"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			got := run(t.Context(), append([]string{"health"}, c.args...), streams{nil, &out, &errs})
			if got != c.want || !strings.Contains(out.String()+errs.String(), c.says) {
				t.Errorf("status %d, %q %q; want %d and %q", got, &out, &errs, c.want, c.says)
			}
		})
	}
}

// Whoever runs the server sees there that its model does not take the key, and that it does again.
func TestReadyTellsOfAModelThatCannotBeReached(t *testing.T) {
	t.Parallel()
	rules := offline.New(offline.Options{})
	var locked atomic.Bool
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if locked.Load() {
			http.Error(w, `{"error":{"code":"invalid_api_key"}}`, http.StatusUnauthorized)
			return
		}
		rules.ServeHTTP(w, r)
	}))
	t.Cleanup(model.Close)
	server := startServer(t, "", "--openai-base-url="+model.URL+"/v1", "--openai-api-key=k", "--activity-finder=built-in")
	for _, step := range []struct {
		locked bool
		want   string
	}{{false, "up"}, {true, "degraded"}, {false, "up"}} {
		locked.Store(step.locked)
		if status, _, answer := postTurn(t.Context(), t, server, "text/event-stream"); status != http.StatusOK {
			t.Fatalf("the turn is %d: %s", status, answer)
		}
		var got struct {
			State string
			Parts map[string]struct{ State string }
		}
		status, body, _ := get(t, server+"/readyz")
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if status != http.StatusOK || got.State != step.want || got.Parts["model"].State != step.want {
			t.Errorf("locked %t: %d %s, want %s", step.locked, status, body, step.want)
		}
	}
}

// A server that shuts down takes no turns, and load balancers must hear of it before its listener closes.
func TestAServerThatShutsDownIsNotReady(t *testing.T) {
	t.Parallel()
	server := wired(t, parseSettings(t))
	if status, body, _ := get(t, server.url()+"/readyz"); status != http.StatusOK {
		t.Errorf("before: %d %s", status, body)
	}
	server.app.runner.Stop(t.Context())
	if status, body, _ := get(t, server.url()+"/readyz"); status != http.StatusServiceUnavailable ||
		!strings.Contains(string(body), "shutting down") {
		t.Errorf("while it shuts down: %d %s", status, body)
	}
}
