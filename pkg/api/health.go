package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
)

// PartState is the state of a part that the server depends on.
type PartState struct {
	State State `json:"state"`
	// Detail says more, for the operator.
	Detail string `json:"detail,omitempty"`
}

// State is the state of a part, or of the whole server.
type State string

// PartDegraded is the state of a part that a substitute stands in for.
const (
	PartUp       State = "up"
	PartDegraded State = "degraded"
	PartDown     State = "down"
)

// requiredParts are the parts without which no turn can start.
var requiredParts = []string{"redis", "turns"}

// healthTime bounds how long the parts may take to report.
const healthTime = 2 * time.Second

type healthOutput struct {
	Status int
	Body   health
}

type health struct {
	State State                `json:"state"`
	Parts map[string]PartState `json:"parts,omitempty" doc:"By name: redis, turns (whether they are accepted), model and calendars."`
}

func (s *Server) healthRoutes() {
	handle(s, s.operation("healthz", http.MethodGet, "/healthz", "Is the server alive").to(byEveryone),
		s.healthz)
	handle(s, s.operation("readyz", http.MethodGet, "/readyz", "Can the server work").to(byEveryone).
		answers(http.StatusServiceUnavailable, "Redis does not answer, or the server is shutting down.",
			jsonOf(reflectSchema[health](s))), s.readyz)
	if s.cfg.Metrics != nil {
		handle(s, s.operation("metrics", http.MethodGet, "/metrics", "Metrics for Prometheus").
			to(byOperator).
			answers(http.StatusOK, "The metrics, in the form that the request accepts.", plainText()), s.metrics)
	}
}

func (s *Server) metrics(context.Context, *struct{}) (*huma.StreamResponse, error) {
	return &huma.StreamResponse{Body: func(h huma.Context) {
		c := humaecho.Unwrap(h)
		s.cfg.Metrics.ServeHTTP(c.Response(), c.Request())
	}}, nil
}

func (s *Server) healthz(context.Context, *struct{}) (*healthOutput, error) {
	return &healthOutput{http.StatusOK, health{State: PartUp}}, nil
}

// readyz is 503 if a required part is down. Without a model or a provider the server still works.
func (s *Server) readyz(ctx context.Context, _ *struct{}) (*healthOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	out := &healthOutput{http.StatusOK, health{State: PartUp, Parts: s.cfg.Health(ctx)}}
	for _, part := range out.Body.Parts {
		if part.State != PartUp {
			out.Body.State = PartDegraded
		}
	}
	down := func(name string) bool { return out.Body.Parts[name].State == PartDown }
	if slices.ContainsFunc(requiredParts, down) {
		out.Status, out.Body.State = http.StatusServiceUnavailable, PartDown
	}
	return out, nil
}
