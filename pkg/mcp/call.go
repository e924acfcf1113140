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
	// maxSession bounds the name that a client may give its session.
	maxSession  = 100
	methodCall  = "tools/call"
	sessionName = "Mcp-Session-Id"
)

// The reasons for which a call is given up.
var (
	errGone      = errors.New("the client's connection ended")
	errCancelled = errors.New("the client cancelled the call")
)

// envelope is what has to be known of a message before the SDK reads it.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
}

// ServeHTTP answers a message. The context of what it leads to has the request's values, whose tenant it is among them,
// and ends when the client gives the call up. The SDK ends it for the newest version of the protocol only.
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
	_ = json.Unmarshal(body, &message) // what is no message is refused by the SDK

	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(errGone)
	out := &writer{ResponseWriter: w, timeout: s.cfg.WriteTimeout}
	defer out.end()
	defer s.attend(w, r, message, func(cause error) {
		out.end() // a call that was cancelled is not answered
		cancel(cause)
	})()
	r = r.WithContext(carry(ctx, out))
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.http.ServeHTTP(out, r)
}

// isBatch reports whether the body holds several messages in a list, which only the version of 2025-03-26 has. One
// request would then be as many turns as fit into it, for the allowance of one.
func isBatch(body []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) }

func refuseBatch(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not taken: send `+
		`one message in each request"}}`+
		"\n") // nothing is left to do for a reader who has gone
}

// attend does what a message asks of other calls: a session is named, so that its calls can be told from others', a
// call can be cancelled until leave is called, and a cancellation reaches its call.
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

// callID names a call. Clients count their requests each from the same number, so that the number alone would not do.
type callID struct {
	tenant           meet.Tenant
	session, request string
}

// calls are those that this process answers, for clients of older versions of the protocol: they cancel a call by a
// message of its own and keep the connection. A message that reaches another process is without effect: the turn goes
// on to its end, which books nothing.
type calls struct {
	mu      sync.Mutex
	running map[callID]context.CancelCauseFunc
}

// enter lets the call be cancelled until leave is called. Of two calls with one id the first can be.
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

// carry puts into a request's context what its tool needs of it. The SDK keeps a context's values and drops its end.
func carry(ctx context.Context, out *writer) context.Context {
	return context.WithValue(context.WithValue(ctx, writerKey{}, out), requestKey{}, ctx)
}

// untilGivenUp is ctx, which ends with the reason when the request does.
func untilGivenUp(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	request, ok := ctx.Value(requestKey{}).(context.Context)
	if !ok {
		return ctx, func() { cancel(nil) }
	}
	stop := context.AfterFunc(request, func() { cancel(context.Cause(request)) })
	return ctx, func() { stop(); cancel(nil) }
}

// beat shows at once, and then after each silence, that the call lives, until end is called.
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

// writer gives each write its time, and lets a call that waits write beside the SDK.
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

// allow gives the reader time for the next write.
func (w *writer) allow() error {
	err := http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.timeout))
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// beat sends a comment, which every reader of a stream passes over.
func (w *writer) beat() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.write([]byte(sse.Heartbeat)); err == nil {
		_ = w.flush() // a reader who has gone ends the request's context
	}
}

// end lets nothing more be written by what is left of the call. The end of the response is a write too.
func (w *writer) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	_ = w.allow() // the reader may have gone
}
