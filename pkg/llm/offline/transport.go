package offline

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// Transport carries requests to the model inside the process, without any connection. Bodies stream as they are
// written. The end of the request's context ends the answer, and closing the body waits until the model stopped.
func (m *Model) Transport() http.RoundTripper { return transport{m} }

type transport struct{ model *Model }

// RoundTrip returns as soon as the model has sent its header.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	pr, pw := io.Pipe()
	w := &pipeWriter{header: http.Header{}, body: pw, started: make(chan struct{})}
	stopped := make(chan struct{})
	inner := r.Clone(ctx)
	if inner.Body == nil {
		inner.Body = http.NoBody
	}
	go func() {
		defer close(stopped)
		t.model.ServeHTTP(w, inner)
		_ = inner.Body.Close()
		w.end(ctx)
	}()
	// A reader that waits for the next chunk has to learn of the end at once.
	unhook := context.AfterFunc(ctx, func() { _ = pw.CloseWithError(context.Cause(ctx)) })
	select {
	case <-w.started:
	case <-r.Context().Done():
		cancel()
		<-stopped
		return nil, context.Cause(r.Context())
	}
	body := &pipeBody{PipeReader: pr, stop: func() {
		unhook()
		cancel()
		<-stopped
	}}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: body, ContentLength: -1, Request: r,
	}, nil
}

// pipeBody is a response body whose Close ends the answer.
type pipeBody struct {
	*io.PipeReader
	stop func()
	once sync.Once
}

// Close ends the answer and returns when the model has stopped writing it.
func (b *pipeBody) Close() error {
	err := b.PipeReader.Close()
	b.once.Do(b.stop)
	return err
}

// pipeWriter is an http.ResponseWriter into a pipe. Only the handler's goroutine uses it until started is closed.
type pipeWriter struct {
	header  http.Header
	sent    http.Header
	status  int
	body    *io.PipeWriter
	written int
	started chan struct{}
}

func (w *pipeWriter) Header() http.Header { return w.header }

// WriteHeader sends the header; only the first call counts.
func (w *pipeWriter) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status, w.sent = status, w.header.Clone()
	close(w.started)
}

func (w *pipeWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	n, err := w.body.Write(b)
	w.written += n
	return n, err
}

// Flush sends the header; what was written before is with the reader already.
func (w *pipeWriter) Flush() { w.WriteHeader(http.StatusOK) }

// end closes the body: with the context's error where that ended the answer, as cut short where fewer bytes came than
// the header promised, and regularly otherwise.
func (w *pipeWriter) end(ctx context.Context) {
	if err := context.Cause(ctx); err != nil {
		_ = w.body.CloseWithError(err)
		return
	}
	w.WriteHeader(http.StatusOK)
	if promised := w.sent.Get("Content-Length"); promised != "" && promised != strconv.Itoa(w.written) {
		_ = w.body.CloseWithError(io.ErrUnexpectedEOF)
		return
	}
	_ = w.body.Close()
}
