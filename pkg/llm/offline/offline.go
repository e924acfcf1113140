// Package offline is the built-in model: rules instead of a network. It speaks the wire of the OpenAI Chat Completions
// API as an http.Handler, streamed tool calls included, so that a run without any key goes through the same client code
// as one with a real model. It is deterministic: the same request gives the same answer.
//
// It understands the scheduling requests of this product and nothing else. The last user message is expected to be one
// JSON document (a stage's data); which function to call comes from the tools of the request.
package offline

import (
	"net/http"
	"runtime"
	"sync/atomic"
	"time"
)

// Name is what GET /v1/models lists, and what answers name as their model where the request named none.
const Name = "convene-offline"

// maxBody bounds a request, in bytes.
const maxBody = 8 << 20

// Options shape how the model answers, not what. The zero value answers at once and never fails.
type Options struct {
	// Latency passes before the first byte of an answer.
	Latency time.Duration
	// TokensPerSecond paces the deltas of a stream. Defaults to no pause at all.
	TokensPerSecond float64
	// Faults are the failures to inject.
	Faults Faults
	// Now stamps the answers. Defaults to time.Now.
	Now func() time.Time
}

// Model is the built-in model. It is safe for concurrent use.
type Model struct {
	options Options
	routes  *http.ServeMux
	// served counts the completions asked for: it numbers the answers and picks the faults.
	served atomic.Uint64
	// places bounds how many messages are read at once: under load the first are answered first, instead of all late.
	places chan struct{}
}

// New is a model that answers as o says.
func New(o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Model{options: o, routes: http.NewServeMux(), places: make(chan struct{}, runtime.GOMAXPROCS(0))}
	m.routes.HandleFunc("POST /v1/chat/completions", m.complete)
	m.routes.HandleFunc("POST /chat/completions", m.complete)
	m.routes.HandleFunc("GET /v1/models", m.list)
	m.routes.HandleFunc("GET /models", m.list)
	m.routes.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, "invalid_request_error",
			"there is no "+r.Method+" here; use POST /v1/chat/completions")
	})
	return m
}

// ServeHTTP answers POST /v1/chat/completions and GET /v1/models, with and without the /v1.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.routes.ServeHTTP(w, r) }

func (m *Model) list(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, modelList{
		Object: "list",
		Data:   []modelCard{{ID: Name, Object: "model", Created: m.options.Now().Unix(), OwnedBy: "convene"}},
	})
}
