package telemetry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// traces returns the provider of spans, nil if the OTEL_* variables ask for none.
func traces(ctx context.Context, cfg Config) (*sdktrace.TracerProvider, error) {
	if cfg.exporter != nil {
		return sdktrace.NewTracerProvider(sdktrace.WithSyncer(cfg.exporter)), nil
	}
	if !wanted() {
		return nil, nil
	}
	if protocol := setting("OTLP_TRACES_PROTOCOL", "OTLP_PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL: traces are sent over http/protobuf, not %q: leave it empty, "+
			"and let the endpoint be the collector's for that, usually port 4318", protocol)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(cfg.Warn))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	// The environment comes last, and overrides.
	described, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "convene"),
			attribute.String("service.version", cfg.Build.Version),
			attribute.String("service.instance.id", cfg.Instance)), resource.WithFromEnv())
	switch {
	case errors.Is(err, resource.ErrPartialResource):
		cfg.Warn(fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err))
	case err != nil:
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	return sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(described)), nil
}

// wanted reports whether the environment names a collector and does not disable traces.
func wanted() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") ||
		strings.EqualFold(os.Getenv("OTEL_TRACES_EXPORTER"), "none") {
		return false
	}
	return setting("OTLP_TRACES_ENDPOINT", "OTLP_ENDPOINT") != ""
}

// setting returns the first of the exporter's variables that is not empty.
func setting(names ...string) string {
	for _, name := range names {
		if value := strings.TrimSpace(os.Getenv("OTEL_EXPORTER_" + name)); value != "" {
			return value
		}
	}
	return ""
}
