// Package websearchtest is a server that answers as the OpenAI Responses API documents it, for tests of what asks it.
package websearchtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Mode is how the server answers.
type Mode string

// The modes. A server's activities take place on the first day of the request.
const (
	// OK finds a concert, a market and a walk.
	OK Mode = "ok"
	// Chatty is OK for a provider that rejects a schema beside a search: its text has words and a fence around the JSON.
	Chatty Mode = "chatty"
	// Injected finds pages with instructions for the model.
	Injected Mode = "injected"
	// WrongDates finds past and later activities, one that ends before it begins, and one without a time.
	WrongDates Mode = "wrong dates"
	// Uncited answers without having visited any page.
	Uncited Mode = "uncited"
	// Known finds two activities at one hall; one has another address.
	Known Mode = "known"
	// Nothing finds nothing.
	Nothing Mode = "nothing"
	// Truncated has reached its token limit; Cut breaks off in mid-body.
	Truncated Mode = "truncated"
	Cut       Mode = "cut"
	// Declined is a refusal of the model's.
	Declined Mode = "declined"
	// Busy is 429, Failing 500, and Missing 404, by a server that has no such API.
	Busy    Mode = "busy"
	Failing Mode = "failing"
	Missing Mode = "missing"
	// Slow does not answer until the caller has gone.
	Slow Mode = "slow"
)

// Server is a provider with a web search.
type Server struct {
	mu    sync.Mutex
	modes []Mode
	asked []Request
}

// New is a server that answers in these modes, one request after the other, and then in the last.
func New(modes ...Mode) *Server { return &Server{modes: modes} }

// Start serves until the test ends, and returns the base URL.
func (s *Server) Start(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// Request is the part of a request that the server reads.
type Request struct {
	Key          string `json:"-"`
	Model        string `json:"model"`
	Instructions string `json:"instructions"`
	Input        string `json:"input"`
	Tools        []struct {
		Type         string `json:"type"`
		UserLocation struct {
			Type, City, Timezone string
		} `json:"user_location"`
	} `json:"tools"`
	ToolChoice string   `json:"tool_choice"`
	Include    []string `json:"include"`
	Text       *struct {
		Format struct {
			Type, Name string
			Strict     bool
			Schema     struct {
				Type                 string   `json:"type"`
				Required             []string `json:"required"`
				AdditionalProperties *bool    `json:"additionalProperties"`
			}
		} `json:"format"`
	} `json:"text"`
	Reasoning *struct {
		Effort string `json:"effort"`
	} `json:"reasoning"`
	MaxOutputTokens int   `json:"max_output_tokens"`
	MaxToolCalls    int   `json:"max_tool_calls"`
	Store           *bool `json:"store"`
}

// Question is the JSON document in the input.
type Question struct {
	Message, From, To, Timezone, Area string
}

// Asked are the requests so far.
func (s *Server) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.asked...)
}

func (s *Server) next(r Request) Mode {
	s.mu.Lock()
	defer s.mu.Unlock()
	mode := s.modes[min(len(s.asked), len(s.modes)-1)]
	s.asked = append(s.asked, r)
	return mode
}

// ServeHTTP answers POST …/responses.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/responses") {
		http.NotFound(w, r)
		return
	}
	var body Request
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		refuse(w, http.StatusBadRequest, "", "invalid_json", err.Error())
		return
	}
	body.Key = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	mode := s.next(body)
	if parameter, problem := wrong(body); problem != "" {
		refuse(w, http.StatusBadRequest, parameter, "invalid_request_error", problem)
		return
	}
	var q Question
	if err := json.Unmarshal([]byte(body.Input), &q); err != nil {
		refuse(w, http.StatusBadRequest, "input", "invalid_request_error", "the input is no document")
		return
	}
	answer(w, r, mode, body, q)
}

// wrong is what a provider would not take of a request.
func wrong(r Request) (parameter, problem string) {
	switch {
	case r.Model == "":
		return "model", "missing"
	case len(r.Tools) != 1 || r.Tools[0].Type != "web_search" || r.Tools[0].UserLocation.Type != "approximate":
		return "tools", "no web search"
	case len(r.Include) != 1 || r.Include[0] != "web_search_call.action.sources":
		return "include", "unknown value"
	case r.Text != nil && (r.Text.Format.Type != "json_schema" || r.Text.Format.Name == "" || !r.Text.Format.Strict ||
		r.Text.Format.Schema.Type != "object" || r.Text.Format.Schema.AdditionalProperties == nil):
		return "text.format", "not a strict schema"
	default:
		return "", ""
	}
}

func answer(w http.ResponseWriter, r *http.Request, mode Mode, body Request, q Question) {
	switch mode {
	case Busy:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusTooManyRequests, "", "rate_limit_exceeded", "Rate limit reached for key sk-secret.")
		return
	case Failing:
		refuse(w, http.StatusInternalServerError, "", "server_error", "The server had an error.")
		return
	case Missing:
		http.NotFound(w, r)
		return
	case Slow:
		<-r.Context().Done()
		return
	case Chatty:
		if body.Text != nil {
			refuse(w, http.StatusBadRequest, "text.format", "invalid_request_error", "Web Search cannot be used with JSON mode.")
			return
		}
	default: // it has found something
	}
	from, err := time.Parse(time.RFC3339, q.From)
	if err != nil {
		refuse(w, http.StatusBadRequest, "input", "invalid_request_error", "no time")
		return
	}
	raw := response(mode, interval(from), q)
	if mode == Cut {
		w.Header().Set("Content-Length", fmt.Sprint(len(raw)))
		raw = raw[:len(raw)/2]
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(raw)
}

func refuse(w http.ResponseWriter, status int, parameter, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"error": map[string]any{"message": message, "type": "invalid_request_error", "param": parameter, "code": code},
	})
}
