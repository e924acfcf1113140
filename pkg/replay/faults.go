package replay

import (
	"context"
	"errors"
	"net/http"
	"time"

	"convene/pkg/sse"
)

// faults are the planned faults of one connection.
type faults struct {
	// cutAt is the number of whole blocks before the connection is cut, -1 for never; cutIn is the share of the next
	// block's bytes that is sent.
	cutAt int
	cutIn float64
	// stallAt is the block before which the connection stalls, -1 for none.
	stallAt int
}

// place is the start of a connection.
type place struct {
	turn  string
	after int
}

// sharedFaults are shared by the open connections with the same place.
type sharedFaults struct {
	faults
	open int
}

// open draws the faults of a connection with a number of blocks to send. The caller must call close.
func (p *Player) open(at place, blocks int) faults {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s, ok := p.shared[at]; ok && p.cfg.Duplicate {
		s.open++
		return s.faults
	}
	f := faults{cutAt: -1, stallAt: -1}
	if p.dice.Float64() < p.cfg.Cut {
		f.cutAt = p.dice.IntN(blocks + 1) // after the last one too, or a share of 1 would never end
		if p.dice.IntN(2) == 0 {
			f.cutIn = p.dice.Float64()
		}
	}
	if p.dice.Float64() < p.cfg.Stall {
		f.stallAt = p.dice.IntN(blocks)
	}
	if p.cfg.Duplicate {
		p.shared[at] = &sharedFaults{faults: f, open: 1}
	}
	return f
}

func (p *Player) close(at place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ok := p.shared[at]
	if !ok {
		return
	}
	if s.open--; s.open == 0 {
		delete(p.shared, at)
	}
}

// errCut cuts a connection.
var errCut = errors.New("cut off")

// stream plays the turn after the update numbered after. If it has ended and nothing is left, the response is 204.
func (p *Player) stream(w http.ResponseWriter, r *http.Request, t *playing, after int) {
	last := len(t.play.updates)
	if after >= last && !time.Now().Before(t.due(last-1)) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h := w.Header()
	h.Set("Content-Type", sse.ContentType)
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	if control.Flush() != nil || after >= last {
		return
	}
	at := place{t.id, after}
	plan := p.open(at, last-after)
	defer p.close(at)
	err := p.play(r.Context(), t, after, plan, func(b []byte) error {
		if _, err := w.Write(b); err != nil {
			return err
		}
		return control.Flush()
	})
	if !errors.Is(err, errCut) {
		return
	}
	if conn, _, err := control.Hijack(); err == nil {
		_ = conn.Close() // without the end of the response, on purpose
	}
}

// play sends the updates when they are due.
func (p *Player) play(ctx context.Context, t *playing, after int, plan faults, send func([]byte) error) error {
	for i := after; i < len(t.play.updates); i++ {
		if i-after == plan.stallAt {
			wait(ctx, p.cfg.StallFor)
		}
		wait(ctx, time.Until(t.due(i)))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		block := t.block(i, after)
		if i-after == plan.cutAt {
			block = block[:int(float64(len(block))*plan.cutIn)]
		}
		if err := send(block); err != nil {
			return err
		}
		if i-after == plan.cutAt {
			return errCut
		}
	}
	if plan.cutAt == len(t.play.updates)-after {
		return errCut
	}
	return nil
}
