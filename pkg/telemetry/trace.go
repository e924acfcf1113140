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

// traces is what makes spans and sends them, nil where nobody wants any. It and what it uses read the OTEL_* variables.
func traces(ctx context.Context, cfg Config) (*sdktrace.TracerProvider, error) {
	if cfg.exporter != nil {
		return sdktrace.NewTracerProvider(sdktrace.WithSyncer(cfg.exporter)), nil
	}
	if !wanted() {
		return nil, nil
	}
	if protocol := setting("OTLP_TRACES_PROTOCOL", "OTLP_PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return nil,
			fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL: traces are sent over http/protobuf, not %q: leave it empty, and "+
				"let the endpoint be the collector's for that, usually port 4318", protocol)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(cfg.Warn))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	// What the environment says comes last, and counts.
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

// wanted reports whether the environment names a collector and does not forbid to use it.
func wanted() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") ||
		strings.EqualFold(os.Getenv("OTEL_TRACES_EXPORTER"), "none") {
		return false
	}
	return setting("OTLP_TRACES_ENDPOINT", "OTLP_ENDPOINT") != ""
}

// setting is the first of the exporter's variables that is not empty.
func setting(names ...string) string {
	for _, name := range names {
		if value := strings.TrimSpace(os.Getenv("OTEL_EXPORTER_" + name)); value != "" {
			return value
		}
	}
	return ""
}
