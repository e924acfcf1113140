package api

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/sse"
	"convene/pkg/turn"
)

// reconnectAfter is how long a client waits before it resumes a stream that broke off.
const reconnectAfter = 2 * time.Second

// headersAlone is how long headers wait for the first update, to be sent together with it.
const headersAlone = 10 * time.Millisecond

// streamEnd is the reason why a stream's connection ended.
type streamEnd string

const (
	endDone     streamEnd = "done"
	endClient   streamEnd = "client"
	endLifetime streamEnd = "lifetime"
	endDrained  streamEnd = "drained"
	endFailed   streamEnd = "failed"
)

// Error makes a streamEnd the cause of its context's end.
func (e streamEnd) Error() string { return "the stream has ended: " + string(e) }

// stream is one connection that follows the log of a turn.
type stream struct {
	server  *Server
	echo    echo.Context
	control *http.ResponseController
	// encoding, if set, translates the updates to another protocol.
	encoding encoding
	// open is true once the headers are set.
	open bool
	// opened, if set, is called then, and left at the end.
	opened func() (left func())
	left   func()

	// mu guards writes: updates and heartbeats come from two goroutines.
	mu sync.Mutex
	// last is the time of the last write; zero before the first.
	last time.Time
	// until is the current write deadline.
	until time.Time
}

func (s *Server) newStream(c echo.Context) *stream {
	// Flushing through echo's response would hide the errors of a broken connection.
	return &stream{server: s, echo: c, control: http.NewResponseController(c.Response().Writer)}
}

// replay says where a connection begins: after which update, whether the turn has ended, and the current state of its
// event.
type replay struct {
	after int
	ended bool
	now   *standing
}

// streamTurn follows a turn. A running turn gets its headers before its first update; for an ended one the log is read
// first, because if nothing is left the response is 204, on which EventSource stops.
func (s *Server) streamTurn(ctx context.Context, id meet.TurnID, from replay, as encoding) *huma.StreamResponse {
	return s.streamLog(ctx, from, as, func(ctx context.Context, after int, fn func(...turn.Entry) error) error {
		return s.cfg.Log.Follow(ctx, id, after, fn)
	})
}

// log calls fn with the entries after the one numbered after, until the log or ctx ends.
type log func(ctx context.Context, after int, fn func(...turn.Entry) error) error

// streamLog follows a log.
func (s *Server) streamLog(ctx context.Context, from replay, as encoding, entries log) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(h huma.Context) {
		n := noteOf(ctx)
		st := s.newStream(humaecho.Unwrap(h))
		st.encoding = as
		st.opened = func() func() { return s.cfg.Reader(from.after) }
		defer st.leave()
		if !from.ended {
			st.begin()
		}
		var err error
		n.stream, err = st.follow(ctx, entries, from)
		st.finish(ctx, err)
	}}
}

// begin sets the headers, which are sent with the first write.
func (st *stream) begin() {
	if st.open {
		return
	}
	st.open = true
	if st.opened != nil {
		st.left = st.opened()
	}
	h := st.echo.Response().Header()
	h.Set("Content-Type", sse.ContentType)
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	announce(h, st.encoding)
	st.echo.Response().WriteHeader(http.StatusOK)
}

// leave undoes begin.
func (st *stream) leave() {
	if st.left != nil {
		st.left()
	}
}

// write sends b in one flush, within the reader's write deadline.
func (st *stream) write(b []byte) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.flush(b)
}

// flush is write; the caller holds the mutex.
func (st *stream) flush(b []byte) error {
	if err := st.put(b); err != nil {
		return err
	}
	err := st.control.Flush()
	st.last = time.Now()
	return err
}

// close sends the last block with the end of the response, which must follow at once.
func (st *stream) close(b []byte) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.last = time.Now()
	return st.put(b)
}

// put writes b without a flush; the caller holds the mutex.
func (st *stream) put(b []byte) error {
	st.begin()
	if err := st.allow(); err != nil {
		return err
	}
	n, err := st.echo.Response().Writer.Write(b)
	st.echo.Response().Size += int64(n)
	return err
}

// allow renews the write deadline: WriteTimeout plus up to a tenth, because setting a deadline costs as much as a small
// write, and one serves several writes.
func (st *stream) allow() error {
	now, timeout := time.Now(), st.server.cfg.WriteTimeout
	if st.until.Sub(now) >= timeout {
		return nil
	}
	st.until = now.Add(timeout + timeout/10)
	err := st.control.SetWriteDeadline(st.until)
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// follow writes a log's entries until the log or the connection ends, and returns which. Its error is the log's.
// Entries that arrive during a write share the next one.
func (st *stream) follow(ctx context.Context, entriesOf log, from replay) (streamEnd, error) {
	ctx, end := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer end(nil)
	silence := time.NewTimer(st.server.cfg.Heartbeat)
	if st.open {
		silence.Reset(headersAlone)
	}
	watching.Go(func() { st.watch(ctx, silence, end) })

	after, blockOf := from.after, plain()
	if st.encoding != nil {
		after, blockOf = 0, translated(st.encoding, after)
	}
	err := entriesOf(ctx, after, func(entries ...turn.Entry) error {
		entries, err := from.now.current(entries)
		if err != nil {
			return err
		}
		block, err := blockOf(entries...)
		if err != nil || len(block) == 0 {
			return err
		}
		send := st.write
		if entries[len(entries)-1].Last {
			send = st.close
		}
		if send(block) != nil {
			return endClient // most streams end so
		}
		return nil
	})
	return endOf(ctx, err)
}

// endOf returns the reason why a connection ended that followed the log until err, and err if the log has failed.
func endOf(ctx context.Context, err error) (streamEnd, error) {
	if err == nil {
		return endDone, nil
	}
	if end, ok := errors.AsType[streamEnd](err); ok {
		return end, nil
	}
	if end, ok := errors.AsType[streamEnd](context.Cause(ctx)); ok {
		return end, nil
	}
	if ctx.Err() != nil {
		return endClient, nil
	}
	return endFailed, err
}

// watch sends heartbeats, and ends the connection after its lifetime or when the server drains.
func (st *stream) watch(ctx context.Context, silence *time.Timer, end context.CancelCauseFunc) {
	defer silence.Stop()
	lifetime := time.NewTimer(jittered(st.server.cfg.Lifetime))
	defer lifetime.Stop()
	for {
		select {
		case <-silence.C:
			silence.Reset(st.breathe(end))
		case <-lifetime.C:
			end(endLifetime)
			return
		case <-st.server.draining:
			end(endDrained)
			return
		case <-ctx.Done():
			return
		}
	}
}

// breathe sends the headers if they still wait for an update, or a heartbeat after Heartbeat of silence, and returns
// when to look again. A failed write ends the connection.
func (st *stream) breathe(end context.CancelCauseFunc) (next time.Duration) {
	heartbeat := st.server.cfg.Heartbeat
	if !st.mu.TryLock() {
		return heartbeat // something is being written
	}
	defer st.mu.Unlock()
	sign, silent := sse.Heartbeat, time.Since(st.last)
	switch {
	case st.last.IsZero() && st.open:
		sign = ""
	case silent < heartbeat:
		return heartbeat - silent
	}
	if st.flush([]byte(sign)) != nil {
		end(endClient)
	}
	return heartbeat
}

// plain returns a function that makes blocks of entries. The first block tells the client when to reconnect. A block is
// valid until the next call.
func plain() func(...turn.Entry) ([]byte, error) {
	retry := reconnectAfter
	var block []byte
	return func(entries ...turn.Entry) ([]byte, error) {
		block = block[:0]
		for _, e := range entries {
			block = sse.AppendEvent(block, sse.Event{ID: strconv.Itoa(e.ID), Data: e.Data, Retry: retry})
			retry = 0
		}
		return block, nil
	}
}

// finish ends the response. If the log failed, it tells the client when to come back.
func (st *stream) finish(ctx context.Context, err error) {
	n := noteOf(ctx)
	switch {
	case err == nil && !st.open && n.stream == endDone:
		st.echo.Response().WriteHeader(http.StatusNoContent)
	case err == nil && st.encoding != nil && n.stream != endDone:
		// Clients of other protocols take a clean end for the end of the turn.
		_ = st.control.SetWriteDeadline(time.Unix(0, 0)) // not all transports have one
	case err == nil:
		// The end of the response is a write too, and the last deadline may have passed in silence: the stream would look cut
		// off.
		_ = st.allow() // the reader may have gone
	case !st.open && !comesBack(err):
		renderProblem(err, st.echo) //nolint:contextcheck // the context is in echo
	default:
		n.err = err
		_ = st.write(apology(st.encoding, err)) // the reader may have gone
	}
}

// jittered returns d ±10 %, so that clients that came together do not come back together.
func jittered(d time.Duration) time.Duration { return d - d/10 + rand.N(max(d/5, 1)) }

// comesBack reports whether a stream request that failed with err still gets a stream: EventSource gives up for good on
// any status but 200, so a temporary failure must not have another.
func comesBack(err error) bool {
	f := faultOf(err)
	return f.Retryable || f.Code == fault.Overloaded || f.Code == fault.Unavailable
}

// apologize responds to a stream request with 200 and an error update that says when to come back.
func (s *Server) apologize(ctx context.Context, as encoding, err error, more ...meet.Update) *huma.StreamResponse {
	noteOf(ctx).err = err
	noteOf(ctx).stream = endFailed
	return &huma.StreamResponse{Body: func(h huma.Context) {
		st := s.newStream(humaecho.Unwrap(h))
		st.encoding = as
		_ = st.write(apology(as, err, more...)) // the reader may have gone
	}}
}

// apology returns an error update without an id, so that the client resumes where it was, followed by more. The time to
// reconnect is jittered, so that clients turned away together do not return together.
func apology(as encoding, err error, more ...meet.Update) []byte {
	f := faultOf(err)
	wait := cmp.Or(f.RetryAfter, comeBackIn)
	sorry := meet.ErrorUpdate{
		Code: string(f.Code), Message: f.Message, Retryable: f.Retryable || comesBack(err), RetryAfterSeconds: seconds(wait),
	}
	retry := wait + rand.N(max(wait/2, 1))
	var block []byte
	for _, u := range append([]meet.Update{sorry}, more...) {
		data, err := meet.MarshalUpdate(u)
		if err != nil {
			continue
		}
		block, err = appendUpdate(block, as, sse.Event{Data: data, Retry: retry})
		if err == nil {
			retry = 0
		}
	}
	return block
}
