package outbound

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
)

const (
	// breakAfter is how many failures in a row open a breaker.
	breakAfter = 10
	// breakFor is how long it stays open before one trial call.
	breakFor = 10 * time.Second
	// maxHosts bounds the kept breakers. Users choose hosts, so their number is unbounded.
	maxHosts = 4096
)

// OpenError says that a call was not made, because the server has failed repeatedly.
type OpenError struct {
	// Name is Config.Name.
	Name string
	// After is when a call may be made again; 0 during a trial call.
	After time.Duration
}

func (e *OpenError) Error() string {
	return fmt.Sprintf("%s failed repeatedly and is not called for another %v", e.Name, e.After.Round(time.Second))
}

// breakers has one breaker for each host, so that one user's broken server does not affect others.
type breakers struct {
	mu    sync.Mutex
	hosts map[string]breaker
}

type breaker struct {
	circuitbreaker.CircuitBreaker[any]
}

func (b *breakers) of(address *url.URL) breaker {
	host := address.Scheme + "://" + address.Host
	b.mu.Lock()
	defer b.mu.Unlock()
	if brk, ok := b.hosts[host]; ok {
		return brk
	}
	if b.hosts == nil || len(b.hosts) >= maxHosts {
		b.hosts = map[string]breaker{} // the state of the others is learned again
	}
	brk := breaker{circuitbreaker.NewBuilder[any]().
		WithFailureThreshold(breakAfter).
		WithSuccessThreshold(1).
		WithDelay(breakFor).
		Build()}
	b.hosts[host] = brk
	return brk
}

// record records the result of a call. A cancelled call and a refused address prove nothing; if it was the trial call,
// the breaker stays open for another while.
func (b breaker) record(ctx context.Context, res *http.Response, err error) {
	switch {
	case errors.Is(ctx.Err(), context.Canceled), errors.As(err, new(*NotPublicError)):
		if b.IsHalfOpen() {
			b.RecordFailure()
		}
	case err != nil, res.StatusCode >= http.StatusInternalServerError:
		b.RecordFailure()
	default:
		b.RecordSuccess()
	}
}
