package telemetry

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// scripted answers each call with what it is.
type scripted struct {
	reply llm.Reply
	err   error
}

func (s scripted) Complete(context.Context, llm.Request, func(string) error) (llm.Reply, error) {
	return s.reply, s.err
}

func open(t *testing.T, cfg Config) *Telemetry {
	t.Helper()
	seen, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := seen.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return seen
}

func job(id meet.TurnID) turn.Job {
	return turn.Job{Turn: meet.Turn{ID: id, Message: "coffee with Al"}, AcceptedAt: time.Now(), Attempt: 1}
}

func idle(context.Context) (int, time.Duration, error) { return 0, 0, nil }

// scrape is what Prometheus would read.
func scrape(t *testing.T, seen *Telemetry, waiting Waiting) string {
	t.Helper()
	w := httptest.NewRecorder()
	seen.Handler(waiting).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func attributes(list []attribute.KeyValue) map[string]string {
	all := map[string]string{}
	for _, a := range list {
		all[string(a.Key)] = a.Value.String()
	}
	return all
}

// A turn holds its stages and a stage its model call, in the trace of the request.
func TestSpansOfATurn(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewInMemoryExporter()
	seen := open(t, Config{ModelName: func(s llm.Stage) string { return "model-for-" + string(s) }, exporter: spans})

	const caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/turns", nil)
	r.Header.Set("Traceparent", caller)
	seen.Continue(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		seen.Accepted(r.Context(), "t1")
	})).ServeHTTP(httptest.NewRecorder(), r)

	model := seen.Model(scripted{reply: llm.Reply{Usage: llm.Usage{Input: 100, Cached: 60, Output: 7}}})
	ctx, turnEnded := seen.Turn(t.Context(), job("t1"))
	inStage, stageEnded := seen.Stage(ctx, "classify")
	if _, err := model.Complete(inStage, llm.Request{Stage: llm.Classify, Data: "coffee with Al"}, nil); err != nil {
		t.Fatal(err)
	}
	stageEnded(nil)
	turnEnded(meet.OutcomeAnswered, nil)

	type span struct {
		Name, Parent string
		Kind         trace.SpanKind
		Attributes   map[string]string
	}
	names := map[trace.SpanID]string{}
	for _, s := range spans.GetSpans() {
		names[s.SpanContext.SpanID()] = s.Name
	}
	var got []span
	for _, s := range spans.GetSpans() {
		parent := names[s.Parent.SpanID()]
		if parent == "" {
			parent = s.Parent.SpanID().String()
		}
		if id := s.SpanContext.TraceID().String(); !strings.Contains(caller, id) {
			t.Errorf("span %s is in trace %s", s.Name, id)
		}
		if s.Status.Code != codes.Unset {
			t.Errorf("span %s has status %v", s.Name, s.Status)
		}
		got = append(got, span{s.Name, parent, s.SpanKind, attributes(s.Attributes)})
	}
	want := []span{
		{"chat model-for-classify", "classify", trace.SpanKindClient, map[string]string{
			"gen_ai.operation.name": "chat", "gen_ai.request.model": "model-for-classify", "gen_ai.usage.input_tokens": "100",
			"gen_ai.usage.cache_read.input_tokens": "60", "gen_ai.usage.output_tokens": "7",
			"convene.stage": "classify", "convene.model.result": "answered",
		}},
		{"classify", "turn", trace.SpanKindInternal, map[string]string{}},
		{"turn", "00f067aa0ba902b7", trace.SpanKindConsumer, map[string]string{
			"convene.turn.id": "t1", "convene.turn.attempt": "1", "convene.turn.outcome": "answered",
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

// What failed is marked with the kind of error. Its words are not: they may quote what a person said.
func TestSpansOfAFailure(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewInMemoryExporter()
	seen := open(t, Config{exporter: spans})
	secret := errors.New("the model said: coffee with Al")
	unreachable := fault.New(fault.ModelUnavailable, "Not now.").Because(secret)

	ctx, turnEnded := seen.Turn(t.Context(), job("t1"))
	inStage, stageEnded := seen.Stage(ctx, "template")
	_, err := seen.Model(scripted{err: unreachable}).Complete(inStage, llm.Request{Stage: llm.Template}, nil)
	stageEnded(err)
	turnEnded(meet.OutcomeFailed, err)
	for _, s := range spans.GetSpans() {
		if s.Status.Code != codes.Error || s.Status.Description != "model_unavailable" ||
			attributes(s.Attributes)["error.type"] != "model_unavailable" {
			t.Errorf("span %s: %v %v", s.Name, s.Status, attributes(s.Attributes))
		}
		if len(s.Events) > 0 || strings.Contains(s.Name, "Al") {
			t.Errorf("span %s says more: %v", s.Name, s.Events)
		}
	}
	spans.Reset()

	tests := []struct {
		name    string
		outcome meet.OutcomeKind
		err     error
		want    codes.Code
	}{
		{"cancelled by the user", meet.OutcomeCancelled, fault.New(fault.Cancelled, "Cancelled."), codes.Unset},
		{"taken over by another process", "", errors.New("lost"), codes.Unset},
		{"failed", meet.OutcomeFailed, context.DeadlineExceeded, codes.Error},
	}
	for _, tt := range tests {
		_, ended := seen.Turn(t.Context(), job("t2"))
		ended(tt.outcome, tt.err)
		if got := spans.GetSpans(); len(got) != 1 || got[0].Status.Code != tt.want {
			t.Errorf("%s: %v, want status %v", tt.name, got, tt.want)
		}
		spans.Reset()
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	seen := open(t, Config{Build: Build{Version: "v1", Revision: "abc", Go: "go1"}})
	fresh := scrape(t, seen, idle)
	_, ended := seen.Turn(t.Context(), job("t1"))
	ended(meet.OutcomeProposed, nil)
	_, ended = seen.Turn(t.Context(), job("t2"))
	ended("", errors.New("another process has it"))
	_, stageEnded := seen.Stage(t.Context(), "select")
	stageEnded(nil)
	for _, m := range []scripted{
		{reply: llm.Reply{Usage: llm.Usage{Input: 10, Cached: 4, Output: 2}}},
		{reply: llm.Reply{Degraded: "away"}}, {err: errors.New("away")},
	} {
		_, _ = seen.Model(m).Complete(t.Context(), llm.Request{Stage: llm.Select}, nil) // the third one fails
	}
	seen.Reader(0)()
	seen.Reader(0)
	seen.Reader(7)
	seen.RedisFailed("take over")
	seen.Answered("/v1/turns/{id}", "GET", 404, 250*time.Millisecond)
	seen.Dropped("idle")

	got := scrape(t, seen, func(context.Context) (int, time.Duration, error) { return 3, 1500 * time.Millisecond, nil })
	for _, want := range []string{
		`convene_turns_total{outcome="proposed"} 1`, `convene_turns_total{outcome="failed"} 0`,
		`convene_turn_duration_seconds_count 1`, `convene_stage_duration_seconds_count{stage="select"} 1`,
		`convene_model_calls_total{result="answered",stage="select"} 1`,
		`convene_model_calls_total{result="degraded",stage="select"} 1`,
		`convene_model_calls_total{result="failed",stage="select"} 1`,
		`convene_model_calls_total{result="failed",stage="classify"} 0`,
		`convene_model_tokens_total{kind="input"} 10`,
		`convene_model_tokens_total{kind="cached"} 4`, `convene_model_tokens_total{kind="output"} 2`,
		`convene_stream_readers 2`, `convene_stream_resumes_total 1`, `convene_redis_errors_total{operation="take_over"} 1`,
		`convene_queue_waiting 3`, `convene_queue_oldest_seconds 1.5`,
		`convene_http_requests_total{method="GET",route="/v1/turns/{id}",status="404"} 1`,
		`convene_http_request_duration_seconds_sum{method="GET",route="/v1/turns/{id}"} 0.25`,
		`convene_connections_dropped_total{reason="idle"} 1`, `convene_connections_dropped_total{reason="full"} 0`,
		`convene_build_info{goversion="go1",revision="abc",version="v1"} 1`,
	} {
		if !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("no line %s in\n%s", want, ours(got))
		}
	}
	for _, want := range []string{`convene_turns_total{outcome="failed"} 0`, "go_goroutines ",
		"process_start_time_seconds "} {
		if !strings.Contains(fresh, "\n"+want) {
			t.Errorf("no %s from the start", want)
		}
	}
}

// ours are the lines of a scrape that are about Convene.
func ours(scraped string) string {
	var lines []string
	for line := range strings.Lines(scraped) {
		if strings.HasPrefix(line, "convene_") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// A queue that does not answer costs its own figures and a second, not the scrape.
func TestScrapeWithoutTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		seen := open(t, Config{})
		begun := time.Now()
		got := scrape(t, seen, func(ctx context.Context) (int, time.Duration, error) {
			<-ctx.Done()
			return 0, 0, ctx.Err()
		})
		if took := time.Since(begun); took != scrapeTime {
			t.Errorf("took %v, want %v", took, scrapeTime)
		}
		if strings.Contains(got, "convene_queue") || !strings.Contains(got, "convene_stream_readers 0") {
			t.Errorf("scraped\n%s", ours(got))
		}
	})
}

// Of turns that run elsewhere nothing is kept for ever.
func TestCallersAreForgotten(t *testing.T) {
	t.Parallel()
	var c callers
	caller := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}})
	for i := range 3 * mostCallers {
		c.remember(meet.TurnID(time.Duration(i).String()), caller)
	}
	if len(c.traces) != mostCallers {
		t.Errorf("%d are kept, want %d", len(c.traces), mostCallers)
	}
	newest := meet.TurnID(time.Duration(3*mostCallers - 1).String())
	if got := trace.SpanContextFromContext(c.join(t.Context(), newest)); !got.IsRemote() ||
		got.TraceID() != caller.TraceID() {
		t.Errorf("the newest is in %v", got)
	}
	if got := trace.SpanContextFromContext(c.join(t.Context(), newest)); got.IsValid() {
		t.Errorf("asked again it is in %v", got)
	}
}

// Without a collector nothing is traced.
func TestTracesAreOffUnlessACollectorIsNamed(t *testing.T) {
	const endpoint, own = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	const collector = "http://127.0.0.1:4318"
	tests := []struct {
		name    string
		env     map[string]string
		on      bool
		problem string
	}{
		{name: "nothing said"},
		{name: "a collector", env: map[string]string{endpoint: collector}, on: true},
		{name: "one for traces", env: map[string]string{own: collector + "/v1/traces"}, on: true},
		{name: "disabled", env: map[string]string{endpoint: collector, "OTEL_SDK_DISABLED": "true"}},
		{name: "none wanted", env: map[string]string{endpoint: collector, "OTEL_TRACES_EXPORTER": "none"}},
		{name: "its usual protocol", env: map[string]string{
			endpoint: collector, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
		}, on: true},
		{name: "another protocol", env: map[string]string{
			endpoint: collector, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
		}, problem: "4318"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, value := range tt.env {
				t.Setenv(name, value)
			}
			seen, err := Open(t.Context(), Config{})
			if tt.problem != "" {
				if err == nil || !strings.Contains(err.Error(), tt.problem) {
					t.Fatalf("error %v, want one that says %q", err, tt.problem)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if on := seen.provider != nil; on != tt.on {
				t.Errorf("traces are made: %v, want %v", on, tt.on)
			}
			if err := seen.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// BenchmarkTurnWithoutTraces is what a turn of three model calls costs while nobody traces.
func BenchmarkTurnWithoutTraces(b *testing.B) {
	seen, err := Open(b.Context(), Config{})
	if err != nil {
		b.Fatal(err)
	}
	model := seen.Model(scripted{})
	one := job("t1")
	b.ReportAllocs()
	for b.Loop() {
		seen.Accepted(b.Context(), "t1")
		ctx, ended := seen.Turn(b.Context(), one)
		for _, stage := range []llm.Stage{llm.Classify, llm.Template, llm.Select} {
			inStage, stageEnded := seen.Stage(ctx, string(stage))
			_, err := model.Complete(inStage, llm.Request{Stage: stage}, nil)
			stageEnded(err)
		}
		ended(meet.OutcomeProposed, nil)
	}
}
