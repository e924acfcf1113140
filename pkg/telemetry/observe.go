package telemetry

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// Accepted remembers the trace of the turn's request, for the turn to continue.
func (t *Telemetry) Accepted(ctx context.Context, turn meet.TurnID) {
	if t.provider == nil {
		return
	}
	if caller := trace.SpanContextFromContext(ctx); caller.IsValid() {
		t.callers.remember(turn, caller)
	}
}

// Turn traces an attempt at a turn, and counts the turn if it ends. Its duration is what the user waits: from its
// acceptance, by the queue's clock.
func (t *Telemetry) Turn(
	ctx context.Context, job turn.Job,
) (observed context.Context, ended func(meet.OutcomeKind, error)) {
	if t.provider != nil {
		ctx = t.callers.join(ctx, job.Turn.ID)
	}
	ctx, span := t.tracer.Start(ctx, "turn", trace.WithSpanKind(trace.SpanKindConsumer))
	if span.IsRecording() {
		span.SetAttributes(attribute.String("convene.turn.id", string(job.Turn.ID)),
			attribute.Int("convene.turn.attempt", job.Attempt))
	}
	return ctx, func(outcome meet.OutcomeKind, err error) {
		if outcome != "" {
			t.metrics.turns.WithLabelValues(string(outcome)).Inc()
			t.metrics.turnSeconds.Observe(max(0, time.Since(job.AcceptedAt)).Seconds())
			span.SetAttributes(attribute.String("convene.turn.outcome", string(outcome)))
		}
		if outcome == meet.OutcomeFailed {
			markFailed(span, err)
		}
		span.End()
	}
}

// Stage traces and measures a stage.
func (t *Telemetry) Stage(ctx context.Context, name string) (observed context.Context, ended func(error)) {
	begun := time.Now()
	ctx, span := t.tracer.Start(ctx, name)
	return ctx, func(err error) {
		t.metrics.stageSeconds.WithLabelValues(name).Observe(time.Since(begun).Seconds())
		markFailed(span, err)
		span.End()
	}
}

// markFailed records the code of the error only: its text may quote messages.
func markFailed(span trace.Span, err error) {
	if err == nil || !span.IsRecording() {
		return
	}
	code := fault.CodeOf(err)
	switch {
	case code != fault.Internal:
	case errors.Is(err, context.Canceled):
		code = fault.Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		code = fault.DeadlineExceeded
	}
	span.SetAttributes(attribute.String("error.type", string(code)))
	span.SetStatus(codes.Error, string(code))
}

// Model returns m with its calls traced and counted.
func (t *Telemetry) Model(m llm.Model) llm.Model { return model{m, t} }

type model struct {
	llm.Model
	telemetry *Telemetry
}

// Complete implements llm.Model.
func (m model) Complete(ctx context.Context, req llm.Request, onDelta func(string) error) (llm.Reply, error) {
	ctx, span := m.telemetry.tracer.Start(ctx, "chat", trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	if span.IsRecording() {
		m.describe(span, req.Stage)
	}
	reply, err := m.Model.Complete(ctx, req, onDelta)
	result := answered
	switch {
	case err != nil:
		result = failed
	case reply.Degraded != "":
		result = degraded
	}
	m.telemetry.metrics.modelCalls.WithLabelValues(string(req.Stage), result).Inc()
	m.telemetry.metrics.tokens(reply.Usage)
	if span.IsRecording() {
		span.SetAttributes(attribute.String("convene.model.result", result),
			attribute.Int("gen_ai.usage.input_tokens", reply.Usage.Input),
			attribute.Int("gen_ai.usage.cache_read.input_tokens", reply.Usage.Cached),
			attribute.Int("gen_ai.usage.output_tokens", reply.Usage.Output))
		markFailed(span, err)
	}
	return reply, err
}

// describe sets the attributes of the semantic conventions for generative models.
func (m model) describe(span trace.Span, stage llm.Stage) {
	span.SetAttributes(attribute.String("gen_ai.operation.name", "chat"), attribute.String("convene.stage", string(stage)))
	if name := m.telemetry.modelName(stage); name != "" {
		span.SetName("chat " + name)
		span.SetAttributes(attribute.String("gen_ai.request.model", name))
	}
}
