package imap

import (
	"context"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"

	"convene/pkg/account"
)

const (
	// mostConnections bounds the connections of one account: servers allow few.
	mostConnections = 3
	// idleFor is how long a connection is kept for later calls.
	idleFor = time.Minute
	// restFor is how long a server that could not be reached is left alone.
	restFor = 3 * time.Second
	// mostPlaces bounds the mails whose places are remembered for an account.
	mostPlaces = 50_000
)

// box is the mailbox of one account.
type box struct {
	cfg     *Config
	account account.Account
	// busy has a member for each connection that is used.
	busy chan struct{}

	mu   sync.Mutex
	idle []*session
	// places are where mails were seen last.
	places map[string]place
	// down is when the server could not be reached, and why.
	down   time.Time
	reason error
}

func newBox(cfg *Config, a account.Account) *box {
	return &box{cfg: cfg, account: a, busy: make(chan struct{}, mostConnections), places: map[string]place{}}
}

// with calls do with a connection. If that breaks, do is called once more with a new one: it must be repeatable.
func (b *box) with(ctx context.Context, do func(*session) error) error {
	within, cancel := context.WithTimeout(ctx, b.cfg.Limit)
	defer cancel()
	select {
	case b.busy <- struct{}{}:
		defer func() { <-b.busy }()
	case <-within.Done():
		return b.explain(ctx, within.Err())
	}
	const attempts = 2
	for attempt := 1; ; attempt++ {
		s, err := b.take(within)
		if err != nil {
			return b.explain(ctx, err)
		}
		stop := context.AfterFunc(within, s.end)
		err = do(s)
		if stop() && !s.broken() {
			b.keep(s)
			return b.explain(ctx, err)
		}
		s.end()
		if within.Err() != nil {
			err = within.Err()
		}
		if err == nil || within.Err() != nil || attempt == attempts {
			return b.explain(ctx, err)
		}
	}
}

// take is a connection that nothing else uses.
func (b *box) take(ctx context.Context) (*session, error) {
	b.mu.Lock()
	for len(b.idle) > 0 {
		s := b.idle[len(b.idle)-1]
		b.idle = b.idle[:len(b.idle)-1]
		if s.timer.Stop() && !s.broken() {
			b.mu.Unlock()
			s.begin()
			return s, nil
		}
		s.end()
	}
	down, reason := b.down, b.reason
	b.mu.Unlock()
	if time.Since(down) < restFor {
		return nil, reason
	}
	cred, err := b.cfg.Accounts.Credential(ctx, b.account.ID)
	if err != nil {
		return nil, err
	}
	s, err := b.cfg.connect(ctx, b.account.Server, cred)
	if isLost(err) && ctx.Err() == nil {
		s, err = b.cfg.connect(ctx, b.account.Server, cred)
	}
	switch {
	case isRefusal(err):
		if refused := b.cfg.Accounts.Refused(ctx, b.account.ID, cred); refused != nil {
			err = refused
		}
	case err != nil:
		b.mu.Lock()
		b.down, b.reason = time.Now(), err
		b.mu.Unlock()
	}
	return s, err
}

// keep keeps a connection for later calls.
func (b *box) keep(s *session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.timer = time.AfterFunc(idleFor, s.end)
	b.idle = append(b.idle, s)
}

// end ends the connections that nothing uses.
func (b *box) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.idle {
		s.timer.Stop()
		s.end()
	}
	b.idle = nil
}

// placeOf is where the mail was seen last.
func (b *box) placeOf(id string) (place, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.places[id]
	return p, ok
}

// saw remembers where a mail is.
func (b *box) saw(id string, in folder, validity uint32, uid imap.UID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.places) >= mostPlaces {
		clear(b.places)
	}
	b.places[id] = place{folder: in, validity: validity, uid: uid}
}
