// Package llmtest has a server that speaks the OpenAI API (Chat Completions, streamed) and answers by a script: good
// answers, wrong ones, and all the ways in which a service fails. It records its requests.
package llmtest

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// Server is a scripted model. URL is the base URL for clients.
type Server struct {
	URL string

	tb       testing.TB
	client   *http.Client
	closing  chan struct{}
	mu       sync.Mutex
	script   []Answer
	fallback func(Request) Answer
	requests []Request
}

// New starts a server on a loopback port, until the test ends.
func New(tb testing.TB) *Server {
	tb.Helper()
	s := newServer(tb)
	wire := httptest.NewServer(s)
	tb.Cleanup(func() {
		close(s.closing)
		wire.Close()
	})
	s.URL, s.client = wire.URL+"/v1", wire.Client()
	return s
}

// NewPiped starts a server that only its Client reaches, over pipes in memory. Nothing in it waits for the network, so
// that time passes in a synctest bubble.
func NewPiped(tb testing.TB) *Server {
	tb.Helper()
	s := newServer(tb)
	listener := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	wire := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = wire.Serve(listener)
	}()
	transport := &http.Transport{DialContext: listener.dial}
	s.URL, s.client = "http://model.test/v1", &http.Client{Transport: transport}
	tb.Cleanup(func() {
		close(s.closing)
		transport.CloseIdleConnections()
		_ = wire.Close()
		<-served
	})
	return s
}

func newServer(tb testing.TB) *Server {
	tb.Helper()
	return &Server{tb: tb, closing: make(chan struct{})}
}

// Client reaches the server.
func (s *Server) Client() *http.Client { return s.client }

// Script adds answers, one for each request in the order of their arrival.
func (s *Server) Script(answers ...Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, answers...)
}

// Otherwise answers requests after the end of the script, possibly concurrently. Without it such a request fails the
// test.
func (s *Server) Otherwise(answer func(Request) Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fallback = answer
}

// Requests returns all requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Left returns the number of unused answers.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.script)
}

// ServeHTTP responds to a request with the next answer.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	req := Request{Header: r.Header.Clone(), Raw: body}
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		select {
		case <-s.closing:
			cancel()
		case <-ctx.Done():
		}
	}()
	s.next(req).write(ctx, w)
}

func (s *Server) next(req Request) Answer {
	s.mu.Lock()
	s.requests = append(s.requests, req)
	if len(s.script) > 0 {
		defer s.mu.Unlock()
		answer := s.script[0]
		s.script = s.script[1:]
		return answer
	}
	fallback, number := s.fallback, len(s.requests)
	s.mu.Unlock()
	if fallback != nil {
		return fallback(req)
	}
	s.tb.Errorf("llmtest: request %d has no answer in the script", number)
	return Status(http.StatusBadRequest, `{"error":{"message":"the script has no answer left"}}`)
}

// pipeListener accepts connections that are pipes.
type pipeListener struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }
