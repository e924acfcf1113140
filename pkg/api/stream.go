package api

import (
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

// headersAlone is how long headers wait for the first update, which is mostly there already, to go out with them.
const headersAlone = 10 * time.Millisecond

// streamEnd is why a connection of a stream ended.
type streamEnd string

const (
	endDone     streamEnd = "done"
	endClient   streamEnd = "client"
	endLifetime streamEnd = "lifetime"
	endDrained  streamEnd = "drained"
	endFailed   streamEnd = "failed"
)

// Error makes it the cause with which a connection's context ends.
func (e streamEnd) Error() string { return "the stream has ended: " + string(e) }

// stream is one connection that follows the log of a turn.
type stream struct {
	server  *Server
	echo    echo.Context
	control *http.ResponseController
	// encoding, where set, tells the updates in another protocol.
	encoding encoding
	// open says that the headers are out.
	open bool
	// opened, where set, is called then, and left at the end.
	opened func() (left func())
	left   func()

	// mu is held while something is written: updates and signs of life come from two goroutines.
	mu sync.Mutex
	// last is when something went out, zero where nothing has yet.
	last time.Time
	// until is the deadline of the writes that go on now.
	until time.Time
}

func (s *Server) newStream(c echo.Context) *stream {
	// Flushing through echo's response would hide the errors of a broken connection.
	return &stream{server: s, echo: c, control: http.NewResponseController(c.Response().Writer)}
}

// replay is where a connection takes a turn up: behind the update numbered after, whether the turn has ended, and what
// has become of its event since.
type replay struct {
	after int
	ended bool
	now   *standing
}

// streamTurn follows a turn. The headers of a turn that is under way are sent before
// its first update; one that has ended is looked at first, because where nothing is left the answer is 204, on which
// EventSource stops.
func (s *Server) streamTurn(ctx context.Context, id meet.TurnID, from replay, as encoding) *huma.StreamResponse {
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
		n.stream, err = st.follow(ctx, id, from)
		st.finish(ctx, err)
	}}
}

// begin sets the headers, which go out with what is written first.
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

// leave ends what begin began.
func (st *stream) leave() {
	if st.left != nil {
		st.left()
	}
}

// write sends what it is given in one flush, within the time that a reader is given for it.
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

// close sends the last that there is to say: it goes out with the end of the response, which is to follow at once.
func (st *stream) close(b []byte) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.last = time.Now()
	return st.put(b)
}

// put has b sent with the next flush; the caller holds the mutex.
func (st *stream) put(b []byte) error {
	st.begin()
	if err := st.allow(); err != nil {
		return err
	}
	n, err := st.echo.Response().Writer.Write(b)
	st.echo.Response().Size += int64(n)
	return err
}

// allow gives the reader time for the next write: as much as is configured and, since a deadline costs as much as a
// small write and serves for all that come soon, up to a tenth more.
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

// follow writes the log's entries until it ends, or the connection does, and says which. Its error is the log's. While
// one write goes on, what the log gets waits there, and shares the next.
func (st *stream) follow(ctx context.Context, id meet.TurnID, from replay) (streamEnd, error) {
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
	err := st.server.cfg.Log.Follow(ctx, id, after, func(entries ...turn.Entry) error {
		entries, err := from.now.retold(entries)
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
			return endClient // the reader has gone, which is how most streams end
		}
		return nil
	})
	return endOf(ctx, err)
}

// endOf is why a connection has ended that followed the log until err, and what of it is the log's failure.
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
		return endClient, nil // the reader has gone
	}
	return endFailed, err
}

// watch shows in every silence that the connection lives, and ends it when it has lived for its time and when the
// server drains.
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

// breathe sends the headers where they still wait for an update, and a heartbeat where nothing has gone out for as long
// as that may take. It says when to look again. A connection to which nobody can write any more ends.
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

// plain makes blocks of entries. The first of a connection tells the client when to reconnect. A block is valid until
// the next is made.
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

// finish closes what follow left open. Where the log failed on the way, the client is told when to come back.
func (st *stream) finish(ctx context.Context, err error) {
	n := noteOf(ctx)
	switch {
	case err == nil && !st.open && n.stream == endDone:
		st.echo.Response().WriteHeader(http.StatusNoContent)
	case err == nil && st.encoding != nil && n.stream != endDone:
		// Clients of other protocols take a clean end for the end of the answer.
		_ = st.control.SetWriteDeadline(time.Unix(0, 0)) // not all transports have one
	case err == nil:
		// The end of the response is a write too, and the last deadline may have passed in silence. Without it the
		// stream would look cut off.
		_ = st.allow() // the reader may have gone
	case !st.open && !comesBack(err):
		writeProblem(ctx, st.echo, err)
	default:
		n.err = err
		_ = st.write(apology(st.encoding, err)) // the reader may have gone as well
	}
}

// jittered is d give or take a tenth, so that clients which came together do not come back together.
func jittered(d time.Duration) time.Duration { return d - d/10 + rand.N(max(d/5, 1)) }

// comesBack reports whether a stream request that failed with err is answered by a stream all the same: EventSource
// gives up for good on any status but 200, so a failure that passes must not show as one.
func comesBack(err error) bool {
	f := faultOf(err)
	return f.Retryable || f.Code == fault.Overloaded || f.Code == fault.Unavailable
}

// apologize answers a stream request with 200 and an error that says when to come back.
func (s *Server) apologize(ctx context.Context, as encoding, err error, more ...meet.Update) *huma.StreamResponse {
	noteOf(ctx).err = err
	noteOf(ctx).stream = endFailed
	return &huma.StreamResponse{Body: func(h huma.Context) {
		st := s.newStream(humaecho.Unwrap(h))
		st.encoding = as
		_ = st.write(apology(as, err, more...)) // nothing is left to do for a reader who has gone
	}}
}

// apology is an error update without an id, so that the client resumes where it was, followed by more. The time to
// reconnect is spread, so that the crowd that was turned away together does not return together.
func apology(as encoding, err error, more ...meet.Update) []byte {
	f := faultOf(err)
	wait := f.RetryAfter
	if wait == 0 {
		wait = comeBackIn
	}
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
