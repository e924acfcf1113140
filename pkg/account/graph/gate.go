package graph

import (
	"context"
	"sync"

	"convene/pkg/account"
)

// atOnce is how many concurrent requests Graph takes from one program for one mailbox; it refuses a fifth.
const atOnce = 4

// gate limits the concurrent requests of each account to atOnce. The zero value is open.
type gate struct{ places sync.Map }

// enter waits for a place; leave gives it back.
func (g *gate) enter(ctx context.Context, id account.ID) (leave func(), err error) {
	known, _ := g.places.LoadOrStore(id, make(chan struct{}, atOnce))
	places, _ := known.(chan struct{})
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
