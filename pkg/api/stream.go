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
	"convene/pkg/turnlog"
)

// reconnectAfter is how long a client waits before it resumes a stream that broke off.
const reconnectAfter = 2 * time.Second

// readAhead is how many batches of updates may wait while one is written. Those that wait share the next flush.
const readAhead = 16

// streamEnd is why a connection of a stream ended.
type streamEnd string

const (
	endDone     streamEnd = "done"
	endClient   streamEnd = "client"
	endLifetime streamEnd = "lifetime"
	endDrained  streamEnd = "drained"
	endFailed   streamEnd = "failed"
)

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
}

func (s *Server) newStream(c echo.Context) *stream {
	// Flushing through echo's response would hide the errors of a broken connection.
	return &stream{server: s, echo: c, control: http.NewResponseController(c.Response().Writer)}
}

// streamTurn follows a turn from the update numbered after. The headers of a turn that is under way are sent before
// its first update; one that has ended is looked at first, because where nothing is left the answer is 204, on which
// EventSource stops.
func (s *Server) streamTurn(ctx context.Context, id meet.TurnID, after int, ended bool, as encoding) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(h huma.Context) {
		n := noteOf(ctx)
		st := s.newStream(humaecho.Unwrap(h))
		st.encoding = as
		st.opened = func() func() { return s.cfg.Reader(after) }
		defer st.leave()
		var err error
		if !ended {
			err = st.begin()
		}
		n.stream = endClient
		if err == nil {
			n.stream, err = st.follow(ctx, id, after)
		}
		st.finish(ctx, err)
	}}
}

// begin sends the headers.
func (st *stream) begin() error {
	if st.open {
		return nil
	}
	st.open = true
	if st.opened != nil {
		st.left = st.opened()
	}
	// A read deadline left from before would end the connection while it only waits.
	_ = st.control.SetReadDeadline(time.Time{}) // not all transports have one
	h := st.echo.Response().Header()
	h.Set("Content-Type", sse.ContentType)
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	announce(h, st.encoding)
	st.echo.Response().WriteHeader(http.StatusOK)
	return st.write(nil)
}

// leave ends what begin began.
func (st *stream) leave() {
	if st.left != nil {
		st.left()
	}
}

// write sends what it is given in one flush, within the time that a reader is given for it.
func (st *stream) write(b []byte) error {
	if err := st.begin(); err != nil {
		return err
	}
	if err := st.allow(); err != nil {
		return err
	}
	n, err := st.echo.Response().Writer.Write(b)
	st.echo.Response().Size += int64(n)
	if err != nil {
		return err
	}
	return st.control.Flush()
}

// allow gives the reader time for the next write.
func (st *stream) allow() error {
	err := st.control.SetWriteDeadline(time.Now().Add(st.server.cfg.WriteTimeout))
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// follow writes the log's entries until it ends, or the connection does, and says which. Its error is the log's.
func (st *stream) follow(ctx context.Context, id meet.TurnID, after int) (streamEnd, error) {
	var reader sync.WaitGroup
	defer reader.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	blocks := make(chan []byte, readAhead)
	followed := make(chan error, 1)
	read := encodeInto(ctx, blocks)
	if st.encoding != nil {
		after, read = 0, translateInto(ctx, blocks, st.encoding, after)
	}
	reader.Go(func() { followed <- st.server.cfg.Log.Follow(ctx, id, after, read) })

	silence := time.NewTimer(st.server.cfg.Heartbeat)
	defer silence.Stop()
	lifetime := time.NewTimer(jittered(st.server.cfg.Lifetime))
	defer lifetime.Stop()
	for {
		var out []byte
		select {
		case block := <-blocks:
			out = ready(block, blocks)
		case <-silence.C:
			out = []byte(sse.Heartbeat)
		case err := <-followed:
			return st.last(blocks, err)
		case <-lifetime.C:
			return endLifetime, nil
		case <-st.server.draining:
			return endDrained, nil
		case <-ctx.Done():
			return endClient, nil
		}
		if err := st.write(out); err != nil {
			return endClient, nil // the reader has gone, which is how most streams end
		}
		silence.Reset(st.server.cfg.Heartbeat)
	}
}

// encodeInto hands entries on as blocks. The first of a connection tells the client when to reconnect.
func encodeInto(ctx context.Context, blocks chan<- []byte) func(...turnlog.Entry) error {
	retry := reconnectAfter
	return func(entries ...turnlog.Entry) error {
		var block []byte
		for _, e := range entries {
			block = sse.AppendEvent(block, sse.Event{ID: strconv.Itoa(e.ID), Data: e.Data, Retry: retry})
			retry = 0
		}
		return handOn(ctx, blocks, block)
	}
}

func handOn(ctx context.Context, blocks chan<- []byte, block []byte) error {
	select {
	case blocks <- block:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ready is block with all that waits behind it.
func ready(block []byte, blocks <-chan []byte) []byte {
	for {
		select {
		case next := <-blocks:
			block = append(block, next...)
		default:
			return block
		}
	}
}

// last writes what the log had handed over before it ended.
func (st *stream) last(blocks <-chan []byte, logErr error) (streamEnd, error) {
	if rest := ready(nil, blocks); len(rest) > 0 {
		if err := st.write(rest); err != nil {
			return endClient, nil //nolint:nilerr // the reader has gone
		}
	}
	if logErr != nil {
		return endFailed, logErr
	}
	return endDone, nil
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
