package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"convene/pkg/sse"
)

// After a turn its figures are found in a scrape, and all figures in the README of pkg/telemetry.
func TestMetricsAfterATurn(t *testing.T) {
	t.Parallel()
	c := &client{t: t, server: startServer(t, ""), conversation: "metrics"}
	path := c.begin("Let's grab coffee with Al next week")
	get(t, c.server+path)
	get(t, c.server+path, "Last-Event-ID", "3")
	wants := []string{
		`convene_turns_total{outcome="proposed"} 1`,
		`convene_turns_total{outcome="failed"} 0`, `convene_turn_duration_seconds_count 1`,
		`convene_stage_duration_seconds_count{stage="classify"} 1`,
		`convene_stage_duration_seconds_count{stage="template"} 1`,
		`convene_stage_duration_seconds_count{stage="candidates"} 1`,
		`convene_stage_duration_seconds_count{stage="select"} 1`,
		`convene_model_calls_total{result="answered",stage="classify"} 1`,
		`convene_model_calls_total{result="answered",stage="select"} 1`,
		`convene_stream_readers 0`, `convene_stream_resumes_total 1`,
		`convene_queue_waiting 0`, `convene_queue_oldest_seconds 0`,
	}
	var metrics string
	missing := func(want string) bool { return !strings.Contains(metrics, "\n"+want+"\n") }
	// The stream ends a moment before the turn is taken off the queue.
	for metrics == "" || slices.ContainsFunc(wants, missing) && t.Context().Err() == nil {
		_, body, header := get(t, c.server+"/metrics")
		if kind := header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") {
			t.Fatalf("content type %q: %s", kind, body)
		}
		metrics = string(body)
	}
	if n := regexp.MustCompile(`convene_model_tokens_total\{kind="output"\} (\d+)`).
		FindStringSubmatch(metrics); n == nil || n[1] == "0" {
		t.Errorf("tokens: %q", n)
	}
	for _, text := range []string{"Al", "coffee", "t_"} {
		if regexp.MustCompile(`(?m)^convene_.*="[^"]*` + text).MatchString(metrics) {
			t.Errorf("a label has %q in it", text)
		}
	}
	readme := read(t, "pkg/telemetry/README.md")
	for _, name := range regexp.MustCompile(`(?m)^# TYPE (convene_\w+) `).FindAllStringSubmatch(metrics, -1) {
		if !strings.Contains(readme, "\n| `"+name[1]) {
			t.Errorf("%s is not in pkg/telemetry/README.md", name[1])
		}
	}
}

// collected is an OTLP collector that hands on what it gets.
func collected(t *testing.T) (endpoint string, spans <-chan *tracepb.Span) {
	t.Helper()
	found := make(chan *tracepb.Span, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			unzipped, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Error(err)
				return
			}
			body = unzipped
		}
		raw, err := io.ReadAll(body)
		var request collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(raw, &request)
		}
		if err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		if bytes.Contains(raw, []byte("coffee")) || bytes.Contains(raw, []byte("Al Chen")) ||
			bytes.Contains(raw, []byte("-secret-")) {
			t.Errorf("the traces tell what was said: %q", raw)
		}
		for _, resource := range request.GetResourceSpans() {
			if !slices.ContainsFunc(resource.GetResource().GetAttributes(), attribute("service.name", "scheduling")) {
				t.Errorf("resource %v", resource.GetResource())
			}
			for _, scope := range resource.GetScopeSpans() {
				for _, span := range scope.GetSpans() {
					found <- span
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, found
}

// A turn through the real wiring reaches the collector as a tree, in the trace of the request.
func TestTracesReachACollector(t *testing.T) {
	endpoint, found := collected(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
	t.Setenv("OTEL_SERVICE_NAME", "scheduling")
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
	server := startServer(t, "")
	body := strings.NewReader(`{"message": "coffee with Al next week", "organizer": "me", "conversationId": ` +
		`"my-secret-name"}`)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server+"/v1/turns", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", sse.ContentType)
	req.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	collect(t, readStream(t, resp.Body))

	var spans []*tracepb.Span
	names := map[string]string{"\x00\xf0\x67\xaa\x0b\xa9\x02\xb7": "the request"}
	for names["turn"] == "" {
		select {
		case span := <-found:
			spans = append(spans, span)
			names[string(span.GetSpanId())] = span.GetName()
			names[span.GetName()] = "seen"
		case <-t.Context().Done():
			t.Fatalf("no turn among %v", spans)
		}
	}
	var got []string
	for _, span := range spans {
		got = append(got, span.GetName()+" in "+names[string(span.GetParentSpanId())])
	}
	want := []string{
		"chat built-in in classify", "classify in turn", "chat built-in in template", "template in turn",
		"candidates in turn",
		"chat built-in in select", "select in turn", "turn in the request",
	}
	if !slices.Equal(got, want) {
		t.Errorf("spans\n%q\nwant\n%q", got, want)
	}
}

// attribute matches a text attribute.
func attribute(key, value string) func(*commonpb.KeyValue) bool {
	return func(kv *commonpb.KeyValue) bool { return kv.GetKey() == key && kv.GetValue().GetStringValue() == value }
}

// Metrics and probes have an address of their own, which takes no key and has nothing else; one that is taken is an
// error.
func TestMetricsBesides(t *testing.T) {
	t.Parallel()
	server := wired(t, parseSettings(t, "--require-key"))
	beside := freeAddress(t)
	end, err := server.app.measure(t.Context(), beside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	for path, want := range map[string]int{"/metrics": 200, "/healthz": 200, "/readyz": 200, "/v1/people": 404,
		"/debug/pprof/": 404} {
		if status, _, _ := get(t, "http://"+beside+path); status != want {
			t.Errorf("%s besides: %d, want %d", path, status, want)
		}
	}
	if status, _, _ := get(t, server.url()+"/metrics"); status != http.StatusUnauthorized {
		t.Errorf("at the API's own address: %d", status)
	}
	var out bytes.Buffer
	status := run(t.Context(), []string{
		"serve", "--listen=127.0.0.1:0", "--log-level=disabled", "--metrics-listen=" + beside,
	}, streams{nil, io.Discard, &out})
	if status != exitFailed || !strings.Contains(out.String(), "--metrics-listen") {
		t.Errorf("a taken address: status %d: %s", status, &out)
	}
}

// Profiles hold what people said: they are served to this machine only, and only where they are asked for.
func TestProfiles(t *testing.T) {
	t.Parallel()
	for _, address := range []string{":6060", "0.0.0.0:6060", "192.0.2.7:6060", "example.com:6060", "6060"} {
		var out bytes.Buffer
		status := run(t.Context(), []string{
			"serve", "--listen=127.0.0.1:0", "--log-level=disabled", "--pprof=" + address,
		}, streams{nil, io.Discard, &out})
		if status != exitMisuse || !strings.Contains(out.String(), "--pprof") {
			t.Errorf("%s: status %d: %s", address, status, &out)
		}
	}

	server := httptest.NewServer(profiles())
	t.Cleanup(server.Close)
	if status, body, _ := get(t, server.URL+"/debug/pprof/goroutine?debug=1"); status != http.StatusOK ||
		!bytes.Contains(body, []byte("goroutine profile")) {
		t.Errorf("status %d: %.80s", status, body)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/debug/pprof/heap", nil)
	r.Host = "rebound.example:6060"
	profiles().ServeHTTP(w, r)
	if w.Code != http.StatusForbidden {
		t.Errorf("by another name: status %d", w.Code)
	}
	if status, _, _ := get(t, startServer(t, "")+"/debug/pprof/"); status != http.StatusNotFound {
		t.Errorf("the API answers /debug/pprof/ with %d", status)
	}
}
