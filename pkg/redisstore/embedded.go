package redisstore

import (
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// expireEvery is the interval at which the embedded server's keys age: each expires at most this much early or late.
const expireEvery = 250 * time.Millisecond

// embedded is a Redis inside the process. It listens on a free loopback port, with a random password because other
// users of the machine can reach that port.
type embedded struct {
	server   *miniredis.Miniredis
	password string
	stop     chan struct{}
	done     sync.WaitGroup
	closing  sync.Once
}

func startEmbedded() (*embedded, error) {
	e := &embedded{server: miniredis.NewMiniRedis(), password: rand.Text(), stop: make(chan struct{})}
	e.server.RequireAuth(e.password)
	if err := e.server.Start(); err != nil {
		return nil, fmt.Errorf("embedded store: %w", err)
	}
	e.done.Go(e.age)
	return e, nil
}

func (e *embedded) url() string { return "redis://:" + e.password + "@" + e.server.Addr() }

// age lets keys expire in real time. The server's own way walks through all keys at each command.
func (e *embedded) age() {
	ticker := time.NewTicker(expireEvery)
	defer ticker.Stop()
	for last := time.Now(); ; {
		select {
		case <-e.stop:
			return
		case now := <-ticker.C:
			e.server.FastForward(now.Sub(last))
			last = now
		}
	}
}

func (e *embedded) close() {
	e.closing.Do(func() {
		close(e.stop)
		e.done.Wait()
		e.server.Close()
	})
}
