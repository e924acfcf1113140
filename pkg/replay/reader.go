package replay

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// Bounds of the pause before a reader comes back to a server that gave it nothing.
const (
	firstPause = 10 * time.Millisecond
	maxPause   = time.Second
)

// likelyUpdates is a usual number of updates, from which a cut is drawn.
const likelyUpdates = 36

// reader follows one turn to its end, across as many connections as it takes.
type reader struct {
	caller
	path  string // of the stream
	dice  *rand.Rand
	share float64 // of the connections that the reader cuts
	// patience is how long the reader reconnects without a new update.
	patience time.Duration
	seen     func(u update)

	have        transcript
	connections int
	cuts        int
}

// follow reads to done. It begins with the body of a streaming POST, if there is one, and closes it.
func (r *reader) follow(ctx context.Context, body io.ReadCloser) error {
	progress, had, pause := time.Now(), 0, firstPause
	for {
		err := r.connect(ctx, body)
		body = nil
		if _, wrong := errors.AsType[*Failure](err); wrong {
			return err
		}
		if ctx.Err() != nil {
			return failure(TooSlow, "%d updates until then", r.have.last())
		}
		if r.have.done() {
			return nil
		}
		if r.have.last() > had {
			progress, had, pause = time.Now(), r.have.last(), firstPause
			continue
		}
		if time.Since(progress) > r.patience {
			return r.givenUp(err)
		}
		wait(ctx, pause)
		pause = min(2*pause, maxPause)
	}
}

func (r *reader) givenUp(err error) error {
	if err != nil && r.have.last() == 0 {
		return failure(Unreachable, "%v", err)
	}
	return failure(NoDone, "nothing came for %s after update %d", r.patience, r.have.last())
}

// connect reads one connection until it ends or is cut. Only a Failure is final.
func (r *reader) connect(ctx context.Context, body io.ReadCloser) error {
	r.connections++
	if body == nil && r.path == "" {
		return failure(NoTurn, "the connection ended before the turn's id")
	}
	if body == nil {
		resp, err := r.events(ctx, r.path, r.have.last())
		if err != nil {
			return err
		}
		body = resp.Body
		defer body.Close()
		switch {
		case resp.StatusCode == http.StatusNoContent:
			return failure(NoDone, "204 after update %d", r.have.last())
		case !isStream(resp):
			return refusal(resp)
		}
	}
	defer body.Close()
	return r.read(newBlockReader(body))
}

// read reads updates until the connection ends or is cut, half of the time between two blocks and half within one.
func (r *reader) read(in blockReader) error {
	left := -1
	if r.dice.Float64() < r.share {
		left = r.dice.IntN(likelyUpdates)
	}
	for ; left != 0; left-- {
		raw, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		u, err := parseBlock(raw)
		if err != nil {
			return failure(Malformed, "after update %d: %v", r.have.last(), err)
		}
		if u.id == 0 {
			return r.apology(in, u)
		}
		if err := r.have.add(u); err != nil {
			return err
		}
		if r.seen != nil {
			r.seen(u)
		}
	}
	r.cuts++
	if r.dice.IntN(2) == 0 {
		_, err := io.CopyN(io.Discard, in.in, 1+r.dice.Int64N(200))
		return err
	}
	return nil
}

// apology reads an update that belongs to the connection: the server is overloaded. If done follows, there will be no
// turn.
func (r *reader) apology(in blockReader, u update) error {
	if u.content.Type != "error" {
		return failure(Malformed, "%s without an id", u.content.Type)
	}
	next, err := in.next()
	if err != nil {
		return nil //nolint:nilerr // the connection is over, and the reader comes back
	}
	if last, err := parseBlock(next); err == nil && last.content.Type == "done" {
		return failure(Refused, "%s", u.content.Code)
	}
	return failure(Malformed, "an update after an error that ends the connection")
}

// over checks that a reconnect of a reader who has everything gets 204.
func (r *reader) over(ctx context.Context) error {
	resp, err := r.events(ctx, r.path, r.have.last())
	if err != nil {
		return failure(Unreachable, "%v", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		return failure(Endless, "%s after update %d", resp.Status, r.have.last())
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
