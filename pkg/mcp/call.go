package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"convene/pkg/meet"
	"convene/pkg/sse"
)

const (
	// maxBody bounds a request's body in bytes.
	maxBody = 100 << 10
	// maxSession bounds a client's session id.
	maxSession  = 100
	methodCall  = "tools/call"
	sessionName = "Mcp-Session-Id"
)

// The reasons why a call is abandoned.
var (
	errGone      = errors.New("the client's connection ended")
	errCancelled = errors.New("the client cancelled the call")
)

// envelope is the part of a message that is read before the SDK gets it.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
}

// ServeHTTP answers a message. The tool's context has the request's values, its tenant included, and ends when the
// client abandons the call; the SDK does that for the newest version of the protocol only.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		status := http.StatusBadRequest
		if errors.As(err, new(*http.MaxBytesError)) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, "The body of the request could not be read.", status)
		return
	}
	if isBatch(body) {
		refuseBatch(w)
		return
	}
	var message envelope
	_ = json.Unmarshal(body, &message) // the SDK refuses what is not a message

	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(errGone)
	out := &writer{ResponseWriter: w, timeout: s.cfg.WriteTimeout}
	defer out.end()
	defer s.attend(w, r, message, func(cause error) {
		out.end() // a cancelled call gets no answer
		cancel(cause)
	})()
	r = r.WithContext(carry(ctx, out))
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.http().ServeHTTP(out, r)
}

// isBatch reports whether the body is a list of messages, which only version 2025-03-26 has. One request could then
// start many turns for the rate limit of one.
func isBatch(body []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) }

func refuseBatch(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not accepted: `+
		`send one message in each request"}}`+
		"\n") // the reader may have gone
}

// attend handles sessions and cancellation: it gives a session an id, which distinguishes its calls from others', lets
// a call be cancelled until leave is called, and cancels the call that a cancellation names.
func (s *Server) attend(
	w http.ResponseWriter, r *http.Request, m envelope, cancel context.CancelCauseFunc,
) (leave func()) {
	session := r.Header.Get(sessionName)
	id := callID{meet.TenantOf(r.Context()), session, string(m.ID)}
	known := session != "" && len(session) <= maxSession
	switch {
	case m.Method == "initialize":
		w.Header().Set(sessionName, rand.Text())
	case m.Method == methodCall && known:
		return s.calls.enter(id, cancel)
	case m.Method == "notifications/cancelled" && known:
		id.request = string(m.Params.RequestID)
		s.calls.cancel(id)
	}
	return func() {}
}

// callID identifies a call. The request's number alone would not, because every client counts from the same one.
type callID struct {
	tenant           meet.Tenant
	session, request string
}

// calls are the running calls of this process, for clients of older versions of the protocol, which cancel a call by a
// message and keep the connection. A cancellation that reaches another process has no effect: the turn runs to its end,
// and books nothing.
type calls struct {
	mu      sync.Mutex
	running map[callID]context.CancelCauseFunc
}

// enter lets the call be cancelled until leave is called; of two calls with one id, only the first.
func (c *calls) enter(id callID, cancel context.CancelCauseFunc) (leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.running[id]; taken {
		return func() {}
	}
	c.running[id] = cancel
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, id)
	}
}

func (c *calls) cancel(id callID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.running[id]; ok {
		cancel(errCancelled)
	}
}

type (
	requestKey struct{}
	writerKey  struct{}
)

// carry puts the request's context and writer into its values: the SDK keeps a context's values and drops its end.
func carry(ctx context.Context, out *writer) context.Context {
	return context.WithValue(context.WithValue(ctx, writerKey{}, out), requestKey{}, ctx)
}

// untilAbandoned returns ctx, ended when the request ends and with its cause.
func untilAbandoned(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	request, ok := ctx.Value(requestKey{}).(context.Context)
	if !ok {
		return ctx, func() { cancel(nil) }
	}
	stop := context.AfterFunc(request, func() { cancel(context.Cause(request)) })
	return ctx, func() { stop(); cancel(nil) }
}

// beat sends a sign of life at once, and then every Heartbeat, until end is called.
func (s *Server) beat(ctx context.Context) (end func()) {
	out, ok := ctx.Value(writerKey{}).(*writer)
	if !ok {
		return func() {}
	}
	var beating sync.WaitGroup
	done := make(chan struct{})
	beating.Go(func() {
		tick := time.NewTicker(s.cfg.Heartbeat)
		defer tick.Stop()
		for {
			out.beat()
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	})
	return func() { close(done); beating.Wait() }
}

// writer sets a deadline for each write, and lets a waiting call write beside the SDK.
type writer struct {
	http.ResponseWriter
	timeout time.Duration

	mu    sync.Mutex
	ended bool
}

// Unwrap is for http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *writer) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.write(b)
}

func (w *writer) write(b []byte) (int, error) {
	if w.ended {
		return 0, http.ErrHandlerTimeout
	}
	if err := w.allow(); err != nil {
		return 0, err
	}
	return w.ResponseWriter.Write(b)
}

// WriteHeader is http.ResponseWriter's.
func (w *writer) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.ResponseWriter.WriteHeader(status)
	}
}

// FlushError is for http.ResponseController.
func (w *writer) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flush()
}

func (w *writer) flush() error {
	if w.ended {
		return http.ErrHandlerTimeout
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// allow renews the write deadline.
func (w *writer) allow() error {
	err := http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.timeout))
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// beat sends a comment, which every reader of a stream ignores.
func (w *writer) beat() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.write([]byte(sse.Heartbeat)); err == nil {
		_ = w.flush() // a reader who has gone ends the request's context
	}
}

// end refuses further writes of the call. It renews the deadline, because the end of the response is a write too.
func (w *writer) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	_ = w.allow() // the reader may have gone
}
