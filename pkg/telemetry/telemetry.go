// Package telemetry reports how Convene is doing: metrics for Prometheus, and traces for any collector that speaks OTLP
// over HTTP. Labels and attributes have few values, or are ids and numbers; neither has messages or personal data.
package telemetry

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"convene/pkg/llm"
)

// Config configures Telemetry; the zero value works. The OTEL_* variables of the environment say which traces are sent,
// and where to; without an endpoint there are none.
type Config struct {
	// ModelName returns the name of a stage's model for traces. Defaults to no name.
	ModelName func(llm.Stage) string
	// Build and Instance identify the program and the process.
	Build    Build
	Instance string
	// Warn gets the error whenever traces cannot be sent. Defaults to nothing.
	Warn func(error)

	// exporter replaces the collector; only tests set it.
	exporter sdktrace.SpanExporter
}

// Build identifies the build of the program: its version, the revision of its source, and the version of Go.
type Build struct{ Version, Revision, Go string }

// Telemetry counts, measures and traces. It is safe for concurrent use.
type Telemetry struct {
	registry *prometheus.Registry
	metrics  metrics

	modelName func(llm.Stage) string
	tracer    trace.Tracer
	// provider is nil without traces.
	provider *sdktrace.TracerProvider
	callers  callers
}

// Open connects to nothing. Its error names the wrong variable of the environment.
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

// Close sends the pending spans, as long as ctx allows.
func (t *Telemetry) Close(ctx context.Context) error {
	if t.provider == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}
