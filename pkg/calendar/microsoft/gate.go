package microsoft

import (
	"context"
	"sync"

	"convene/pkg/account"
)

// atOnce is how many concurrent requests Graph takes from one program for one mailbox; it refuses a fifth.
const atOnce = 4

// gate limits the concurrent requests of each account to atOnce. The zero value is open.
type gate struct {
	mu     sync.Mutex
	queues map[account.ID]*queue
}

// queue is an account with requests under way or waiting.
type queue struct {
	places chan struct{}
	users  int
}

// enter waits for a place; leave gives it back.
func (g *gate) enter(ctx context.Context, id account.ID) (leave func(), err error) {
	q := g.join(id)
	select {
	case q.places <- struct{}{}:
		return func() { <-q.places; g.part(id, q) }, nil
	case <-ctx.Done():
		g.part(id, q)
		return nil, ctx.Err()
	}
}

func (g *gate) join(id account.ID) *queue {
	g.mu.Lock()
	defer g.mu.Unlock()
	q := g.queues[id]
	if q == nil {
		if g.queues == nil {
			g.queues = map[account.ID]*queue{}
		}
		q = &queue{places: make(chan struct{}, atOnce)}
		g.queues[id] = q
	}
	q.users++
	return q
}

func (g *gate) part(id account.ID, q *queue) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if q.users--; q.users == 0 {
		delete(g.queues, id)
	}
}
