// Package telemetry shows from outside how Convene is doing: metrics for Prometheus, and traces for any collector that
// speaks OTLP over HTTP. Labels and attributes have few values, or are ids and numbers; what people say, and who they
// are, is in neither.
package telemetry

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"convene/pkg/llm"
)

// Config is what may be set; the zero value works. Where traces go to, and which, is said by the OTEL_* variables of
// the environment, as their specification has it; without an endpoint there are none.
type Config struct {
	// ModelName is the model that a stage asks for, as it shall stand in traces. Defaults to no name.
	ModelName func(llm.Stage) string
	// Build and Instance say what runs, and which of its processes.
	Build    Build
	Instance string
	// Warn is told why traces cannot be sent, again and again while that lasts. Defaults to nothing.
	Warn func(error)

	// exporter gets the spans in place of the collector; only tests set it.
	exporter sdktrace.SpanExporter
}

// Build is which build of the program runs: its version, the revision of its source, and the version of Go.
type Build struct{ Version, Revision, Go string }

// Telemetry counts, measures and traces what it is told of. It is safe for concurrent use.
type Telemetry struct {
	registry *prometheus.Registry
	metrics  metrics

	modelName func(llm.Stage) string
	tracer    trace.Tracer
	// provider is nil where there are no traces.
	provider *sdktrace.TracerProvider
	callers  callers
}

// Open connects to nothing. Its error names what of the environment is wrong.
func Open(ctx context.Context, cfg Config) (*Telemetry, error) {
	if cfg.ModelName == nil {
		cfg.ModelName = func(llm.Stage) string { return "" }
	}
	if cfg.Warn == nil {
		cfg.Warn = func(error) {}
	}
	t := &Telemetry{
		registry: prometheus.NewRegistry(), modelName: cfg.ModelName, tracer: noop.NewTracerProvider().Tracer(""),
	}
	t.metrics = newMetrics(t.registry)
	t.registry.MustRegister(cfg.Build.metric())
	provider, err := traces(ctx, cfg)
	if provider != nil {
		t.provider, t.tracer = provider, provider.Tracer("convene")
	}
	return t, err
}

// Close sends the spans that wait, for as long as ctx allows.
func (t *Telemetry) Close(ctx context.Context) error {
	if t.provider == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}
