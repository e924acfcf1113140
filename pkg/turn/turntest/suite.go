// Package turntest is what every log of turns must do, as tests, and a log and a queue in memory for tests of others.
package turntest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// patience bounds every wait; a log that keeps its promises needs a fraction of it.
const patience = 30 * time.Second

// prompt is how soon a reader whose context ended must be back.
const prompt = 2 * time.Second

// Log is a log with its readers' side.
type Log interface {
	// Append writes a record of one entry.
	Append(ctx context.Context, turn meet.TurnID, e turn.Entry) error
	// Follow calls fn with every entry after the one numbered after, waiting for new ones, until the last entry was handed
	// over (nil), fn returns an error (that error) or ctx ends (its error). An unknown or expired turn is a
	// fault.NotFound.
	Follow(ctx context.Context, turn meet.TurnID, after int, fn func(...turn.Entry) error) error
}

// Run tests logs made by open, which is called once for each test.
func Run(t *testing.T, open func(t *testing.T) Log) {
	t.Helper()
	for name, test := range map[string]func(logged){
		"entries come in order with the same bytes": inOrder,
		"gap refused":                    gapRefused,
		"repeat refused":                 repeatRefused,
		"nothing follows the last":       nothingFollowsLast,
		"a refused entry leaves no hole": refusedLeavesNoHole,
		"resume from every boundary":     everyBoundary,
		"resume beyond the end":          beyondTheEnd,
		"readers at any time agree":      readersAgree,
		"cancelled reader returns":       cancelledReader,
		"reader's error ends it":         readersError,
		"a slow reader holds up nobody":  slowReader,
		"what is ready comes together":   readyTogether,
		"unknown turn":                   unknownTurn,
		"turns do not mix":               turnsDoNotMix,
		"a writer's buffer is its own":   buffersAreCopied,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			test(logged{T: t, ctx: ctx, log: open(t), id: meet.TurnID("t-" + rand.Text())})
		})
	}
}

// logged is a test of a log with a turn that nobody has used yet.
type logged struct {
	*testing.T
	ctx context.Context //nolint:containedctx // it is an argument of every test, bundled with the others
	log Log
	id  meet.TurnID
}

func (u logged) append(entries ...turn.Entry) {
	u.Helper()
	for _, e := range entries {
		if err := u.log.Append(u.ctx, u.id, e); err != nil {
			u.Fatalf("Append(%d): %v", e.ID, err)
		}
	}
}

func (u logged) refuses(e turn.Entry) {
	u.Helper()
	if err := u.log.Append(u.ctx, u.id, e); err == nil {
		u.Errorf("Append(%d) was taken, want an error", e.ID)
	}
}

// read follows from after to the end and wants exactly these entries.
func (u logged) read(after int, want []turn.Entry) {
	u.Helper()
	got := u.follow(u.ctx, after)
	got.wait(u.T)
	got.want(u.T, want, nil)
}

// entries are n entries, the last of them marked, with the bytes that a careless store would spoil.
func entries(n int) []turn.Entry {
	all := make([]turn.Entry, n)
	for i := range all {
		text := strings.Repeat("é\\n\"\t\x00\xff", i%7)
		all[i] = turn.Entry{
			ID: i + 1, Key: fmt.Sprintf("step#%d", i+1),
			Data: fmt.Appendf(nil, `{"type":"message_delta","text":%q,"n":%d}`, text, i+1),
		}
	}
	all[n-1].Last = true
	return all
}

// reader is one Follow in its own goroutine.
type reader struct {
	mu    sync.Mutex
	got   []turn.Entry
	calls int
	err   error
	// first is closed with the first entry, done when Follow has returned.
	first, done chan struct{}
}

func (u logged) follow(ctx context.Context, after int) *reader {
	return u.followWith(ctx, after, func() error { return nil })
}

// followWith calls each after every batch; its error is the callback's.
func (u logged) followWith(ctx context.Context, after int, each func() error) *reader {
	r := &reader{first: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(r.done)
		r.err = u.log.Follow(ctx, u.id, after, func(batch ...turn.Entry) error {
			r.take(batch)
			return each()
		})
	}()
	return r
}

func (r *reader) take(batch []turn.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls++; r.calls == 1 {
		close(r.first)
	}
	r.got = append(r.got, batch...)
}

// started waits for the reader's first entry.
func (r *reader) started(t *testing.T) {
	t.Helper()
	await(t, r.first, "the first entry")
}

func (r *reader) wait(t *testing.T) {
	t.Helper()
	await(t, r.done, "Follow to return")
}

// want compares what a reader that has returned got and how it ended.
func (r *reader) want(t *testing.T, entries []turn.Entry, err error) {
	t.Helper()
	if !errors.Is(r.err, err) {
		t.Errorf("Follow = %v, want %v", r.err, err)
	}
	if diff := cmp.Diff(entries, r.got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func await(t *testing.T, done <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
	}
}

func inOrder(u logged) {
	want := entries(40)
	u.append(want...)
	u.read(0, want)
}

func gapRefused(u logged) {
	all := entries(5)
	u.refuses(all[1])
	u.refuses(turn.Entry{ID: 0, Data: []byte("{}")})
	u.refuses(turn.Entry{ID: -1, Data: []byte("{}")})
	u.append(all[:2]...)
	u.refuses(all[3])
	u.append(all[2:]...)
	u.read(0, all)
}

func repeatRefused(u logged) {
	all := entries(4)
	u.append(all[:3]...)
	for _, e := range all[:3] {
		u.refuses(e)
	}
	u.append(all[3])
	u.read(0, all)
}

func nothingFollowsLast(u logged) {
	all := entries(3)
	u.append(all...)
	u.refuses(turn.Entry{ID: 4, Data: []byte("{}")})
	u.refuses(turn.Entry{ID: 4, Data: []byte("{}"), Last: true})
	u.read(0, all)
}

func refusedLeavesNoHole(u logged) {
	all := entries(6)
	u.append(all[:1]...)
	r := u.follow(u.ctx, 0)
	r.started(u.T)
	for _, e := range all[1:] {
		u.refuses(turn.Entry{ID: e.ID + 1, Data: []byte(`{"gap":true}`)})
		u.append(e)
	}
	r.wait(u.T)
	r.want(u.T, all, nil)
}

func everyBoundary(u logged) {
	all := entries(12)
	u.append(all...)
	for after := -1; after < len(all); after++ {
		u.read(after, all[max(after, 0):])
	}
}

func beyondTheEnd(u logged) {
	all := entries(3)
	u.append(all...)
	u.read(3, nil)
	u.read(99, nil)
}

// readersAgree starts readers before, while and after the entries are written, from several boundaries.
func readersAgree(u logged) {
	all := entries(60)
	u.append(all[0])
	readers := map[*reader]int{}
	join := func() {
		for _, after := range []int{0, 1, 20, 59} {
			readers[u.follow(u.ctx, after)] = after
		}
	}
	for i, e := range all[1:] {
		if i%12 == 0 {
			join()
		}
		u.append(e)
	}
	join()
	for r, after := range readers {
		r.wait(u.T)
		r.want(u.T, all[after:], nil)
	}
}

func cancelledReader(u logged) {
	all := entries(2)
	u.append(all[0])
	ctx, cancel := context.WithCancel(u.ctx)
	r, other := u.follow(ctx, 0), u.follow(u.ctx, 0)
	r.started(u.T)
	cancelled := time.Now()
	cancel()
	r.wait(u.T)
	if took := time.Since(cancelled); took > prompt {
		u.Errorf("Follow returned %v after its context ended, want at once", took)
	}
	r.want(u.T, all[:1], context.Canceled)
	gone := u.follow(ctx, 0)
	gone.wait(u.T)
	gone.want(u.T, nil, context.Canceled)
	u.append(all[1])
	other.wait(u.T)
	other.want(u.T, all, nil)
}

func readersError(u logged) {
	all := entries(2)
	u.append(all[0])
	broken := errors.New("client has gone")
	r := u.followWith(u.ctx, 0, func() error { return broken })
	r.wait(u.T)
	r.want(u.T, all[:1], broken)
}

func slowReader(u logged) {
	all := entries(30)
	u.append(all[0])
	stuck := make(chan struct{})
	slow := u.followWith(u.ctx, 0, func() error { <-stuck; return nil })
	slow.started(u.T)
	quick := u.follow(u.ctx, 0)
	u.append(all[1:]...)
	quick.wait(u.T)
	quick.want(u.T, all, nil)
	close(stuck)
	slow.wait(u.T)
	slow.want(u.T, all, nil)
}

func readyTogether(u logged) {
	all := entries(25)
	u.append(all...)
	r := u.follow(u.ctx, 0)
	r.wait(u.T)
	r.want(u.T, all, nil)
	if r.calls != 1 {
		u.Errorf("a finished log came in %d calls, want 1", r.calls)
	}
}

func unknownTurn(u logged) {
	r := u.follow(u.ctx, 0)
	r.wait(u.T)
	if got := fault.CodeOf(r.err); got != fault.NotFound {
		u.Errorf("Follow = %v, want a fault.NotFound", r.err)
	}
	// Having been asked for in vain must not spoil the turn.
	all := entries(2)
	u.append(all...)
	u.read(0, all)
}

func turnsDoNotMix(u logged) {
	other := u
	other.id += "-2"
	all, fewer := entries(5), entries(3)
	for i, e := range all {
		u.append(e)
		if i < len(fewer) {
			other.append(fewer[i])
		}
	}
	u.read(0, all)
	other.read(0, fewer)
}

func buffersAreCopied(u logged) {
	u.append(turn.Entry{ID: 1, Data: []byte(`{"n":1}`)})
	r := u.follow(u.ctx, 0)
	r.started(u.T)
	buffer := []byte(`{"n":2}`)
	u.append(turn.Entry{ID: 2, Data: buffer})
	copy(buffer, "spoiled")
	u.append(turn.Entry{ID: 3, Data: []byte(`{"n":3}`), Last: true})
	want := []turn.Entry{
		{ID: 1, Data: []byte(`{"n":1}`)}, {ID: 2, Data: []byte(`{"n":2}`)}, {ID: 3, Data: []byte(`{"n":3}`), Last: true},
	}
	r.wait(u.T)
	r.want(u.T, want, nil)
	u.read(0, want)
}
