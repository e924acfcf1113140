package api

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
)

// agentRoutes mounts MCP behind the same guards as every other route.
func (s *Server) agentRoutes() {
	if s.cfg.MCP == nil {
		return
	}
	op := s.operation("mcp", http.MethodPost, "/mcp", "Talk to agents over the Model Context Protocol").
		body(&huma.Schema{Type: huma.TypeObject, Description: "A message of JSON-RPC 2.0."}).
		answers(http.StatusOK, "Messages of JSON-RPC 2.0, streamed or alone.", map[string]*huma.MediaType{
			"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}},
			"application/json":  {Schema: &huma.Schema{Type: huma.TypeObject}},
		}).
		answers(http.StatusAccepted, "The notification was taken.", nil)
	handle(s, op, s.agents)
}

func (s *Server) agents(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
	body := noteOf(ctx).body
	return &huma.StreamResponse{Body: func(h huma.Context) {
		c := humaecho.Unwrap(h)
		c.Request().Body = io.NopCloser(bytes.NewReader(body)) // huma has read it by now
		s.cfg.MCP.ServeHTTP(c.Response(), c.Request())
	}}, nil
}
